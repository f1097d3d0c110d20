//! Slices in lines of fields.

use mrmr_core::{Error, Place, Result, closest};

use super::{QUERY, SLICE, Slices};

pub(super) fn read(text: &str, field: Option<&str>, slices: &mut Slices<'_>) -> Result<()> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(at, line)| (at as u64 + 1, line))
        .filter(|(_, line)| !line.trim().is_empty())
        .peekable();
    let Some((first, head)) = lines.peek().copied() else {
        return Ok(());
    };
    let separator = if head.contains('\t') { '\t' } else { ',' };
    let names = split(head, separator);
    let wanted = |name: &String, known: &[&str]| known.contains(&name.to_lowercase().as_str());
    let query = names.iter().position(|name| wanted(name, QUERY));
    let (query, slice) = match query {
        Some(query) => {
            lines.next();
            let column = match field {
                Some(field) => names.iter().position(|name| name == field).ok_or_else(|| {
                    let near = closest(field, names.iter().map(String::as_str));
                    Error::usage(format!(
                        "there is no column '{field}'; there are {}",
                        names.join(", ")
                    ))
                    .at(Place::line(slices.name, first))
                    .hint_maybe(near.map(|near| format!("did you mean {near}?")))
                })?,
                None => names
                    .iter()
                    .position(|name| wanted(name, SLICE))
                    .unwrap_or(if query == 1 { 0 } else { 1 }),
            };
            (query, column)
        }
        None => match field {
            Some(field) => {
                return Err(Error::usage(format!(
                    "there is no header, and so no column '{field}'"
                ))
                .at(Place::line(slices.name, first)));
            }
            None => (0, 1),
        },
    };
    for (number, line) in lines {
        let fields = split(line, separator);
        let (Some(query), Some(slice)) = (fields.get(query), fields.get(slice)) else {
            let what = if separator == '\t' {
                "tab"
            } else {
                "tab or comma"
            };
            return Err(Error::format(format!(
                "expected a query and its slice with a {what} between, found {} field",
                fields.len()
            ))
            .at(Place::line(slices.name, number)));
        };
        // A query with an empty field is one without a slice.
        if !slice.is_empty() {
            slices.add(query.clone(), slice.clone(), number)?;
        }
    }
    Ok(())
}

/// The fields of a line; one in double quotes may hold the separator.
fn split(line: &str, separator: char) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut characters = line.trim_end_matches('\r').chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if field.is_empty() => quoted = true,
            _ if character == separator && !quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(character),
        }
    }
    fields.push(field);
    fields
}
