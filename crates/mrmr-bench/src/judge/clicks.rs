//! Clicks on documents, by the class of the query.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;

use mrmr_core::{Error, Origin, Place, Qrels, Result};
use mrmr_formats::Input;
use mrmr_formats::input::Opened;

/// The columns of the rows.
const COLUMNS: [&str; 5] = ["query", "document", "clicks", "impressions", "class"];

/// How clicks become grades.
#[derive(Clone, Debug, PartialEq)]
pub struct ClickOptions {
    /// A document that was shown less often for a query is not judged.
    pub min_impressions: u64,
    /// Of exploratory queries: the grade is how many of these shares of clicks in impressions are reached.
    pub bounds: Vec<f64>,
}

/// What came of clicks.
#[derive(Clone, Debug)]
pub struct ClicksJudged {
    /// Of a navigational query grade 1 for the document with the largest share of clicks (several where equal), else 0;
    /// of an exploratory one a grade by the bounds.
    pub qrels: Qrels,
    /// The class of each judged query: `navigational` or `exploratory`.
    pub classes: BTreeMap<String, String>,
    /// How many pairs were shown too seldom, and are not judged.
    pub seldom: usize,
    /// Queries without a judged pair, left out, in their order.
    pub unjudged: Vec<String>,
    /// Judged queries without a relevant document, in their order.
    pub without_relevant: Vec<String>,
}

struct Query {
    class: String,
    line: u64,
    /// Clicks and impressions by document.
    documents: BTreeMap<String, (u64, u64)>,
}

/// Adds up rows of `query`, `document`, `clicks`, `impressions`, `class`, with a header that names them in any order and
/// tabs or commas between. Where a document stood is not known: nothing is done about the bias of positions.
///
/// # Errors
/// If a row has another form, has more clicks than impressions, or puts a query into two classes, or if the bounds are
/// not shares that rise.
pub fn judge_clicks(input: &Input, options: &ClickOptions) -> Result<ClicksJudged> {
    let bounds = &options.bounds;
    let is_share = |bound: &f64| *bound > 0.0 && *bound <= 1.0;
    if bounds.is_empty() || !bounds.iter().all(is_share) || !bounds.is_sorted_by(|a, b| a < b) {
        return Err(Error::usage(
            "bounds: expected shares above 0 and at most 1 that rise, as in 0.02,0.1,0.3",
        ));
    }
    let (names, queries) = read(input)?;
    let mut judged = Qrels::builder(Origin::rows("judgements"));
    let (mut classes, mut seldom) = (BTreeMap::new(), 0);
    let (mut unjudged, mut without_relevant) = (Vec::new(), Vec::new());
    let mut row = 0;
    for (name, query) in names.iter().zip(&queries) {
        let often = |(_, impressions): &(u64, u64)| *impressions >= options.min_impressions.max(1);
        let shown = query.documents.iter().filter(|(_, counts)| often(counts));
        let rates: Vec<(&String, f64)> = shown
            .map(|(document, (clicks, impressions))| {
                (document, *clicks as f64 / *impressions as f64)
            })
            .collect();
        seldom += query.documents.len() - rates.len();
        if rates.is_empty() {
            unjudged.push(name.clone());
            continue;
        }
        let best = rates.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
        let mut relevant = false;
        for (document, rate) in rates {
            let grade = match query.class.as_str() {
                "navigational" => f64::from(u8::from(rate > 0.0 && rate == best)),
                _ => bounds.iter().filter(|bound| rate >= **bound).count() as f64,
            };
            relevant |= grade > 0.0;
            judged.add(name, document, grade, row)?;
            row += 1;
        }
        if !relevant {
            without_relevant.push(name.clone());
        }
        classes.insert(name.clone(), query.class.clone());
    }
    if classes.is_empty() {
        return Err(Error::data(format!(
            "no document was shown {} times for a query",
            options.min_impressions
        ))
        .at(Place::whole(input.name()))
        .hint("--min-impressions lowers the bound"));
    }
    Ok(ClicksJudged {
        qrels: judged.finish()?.0,
        classes,
        seldom,
        unjudged,
        without_relevant,
    })
}

/// The queries in their order, with their names.
fn read(input: &Input) -> Result<(Vec<String>, Vec<Query>)> {
    let source = input.name();
    let Opened::Text(text) = input.open()? else {
        return Err(
            Error::format("expected rows as TSV or CSV, found a Parquet file")
                .at(Place::whole(source)),
        );
    };
    let mut header: Option<(char, [usize; 5])> = None;
    let (mut names, mut queries, mut position) = (Vec::new(), Vec::<Query>::new(), HashMap::new());
    for (at, line) in text.lines().enumerate() {
        let number = at as u64 + 1;
        let place = || Place::line(&source, number);
        let line = line.map_err(|error| Error::io(error).at(place()))?;
        if line.trim().is_empty() {
            continue;
        }
        let Some((separator, columns)) = header else {
            header = Some(columns(&line).map_err(|error| error.at(place()))?);
            continue;
        };
        if separator == ',' && line.contains('"') {
            return Err(Error::format("expected no quotes in CSV")
                .at(place())
                .hint("write it as TSV"));
        }
        let fields: Vec<&str> = line.split(separator).map(str::trim).collect();
        let [query, document, clicks, impressions, class] =
            columns.map(|column| fields.get(column).copied().unwrap_or(""));
        if query.is_empty() || document.is_empty() {
            return Err(Error::format("expected a query and a document").at(place()));
        }
        let count = |name: &str, text: &str| {
            text.parse::<u64>().map_err(|_| {
                Error::format(format!(
                    "'{name}': expected an integer from 0 on, found '{text}'"
                ))
                .at(place())
            })
        };
        let (clicks, impressions) = (count("clicks", clicks)?, count("impressions", impressions)?);
        if clicks > impressions {
            return Err(Error::data(format!(
                "{clicks} clicks in {impressions} impressions; expected at most as many"
            ))
            .at(place())
            .hint("count a document clicked twice in one impression once"));
        }
        if !["navigational", "exploratory"].contains(&class) {
            return Err(Error::format(format!(
                "'class': expected navigational or exploratory, found '{class}'"
            ))
            .at(place()));
        }
        let index = *position.entry(query.to_owned()).or_insert_with(|| {
            names.push(query.to_owned());
            queries.push(Query {
                class: class.to_owned(),
                line: number,
                documents: BTreeMap::new(),
            });
            queries.len() - 1
        });
        let known = &mut queries[index];
        if known.class != class {
            return Err(Error::data(format!(
                "query '{query}' is {class} here, but {} at line {}; expected one class",
                known.class, known.line
            ))
            .at(place()));
        }
        let sum = known.documents.entry(document.to_owned()).or_default();
        *sum = (
            sum.0.saturating_add(clicks),
            sum.1.saturating_add(impressions),
        );
    }
    match names.is_empty() {
        true => Err(Error::data("expected rows of clicks, found none").at(Place::whole(source))),
        false => Ok((names, queries)),
    }
}

/// What separates fields, and where each column is.
fn columns(header: &str) -> Result<(char, [usize; 5])> {
    let separator = if header.contains('\t') { '\t' } else { ',' };
    let names: Vec<&str> = header.split(separator).map(str::trim).collect();
    let mut found = [0; 5];
    for (column, at) in COLUMNS.iter().zip(&mut found) {
        *at = names
            .iter()
            .position(|name| name == column)
            .ok_or_else(|| {
                Error::format(format!(
                    "expected a header with {}; found {}",
                    COLUMNS.join(", "),
                    names.join(", ")
                ))
            })?;
    }
    Ok((separator, found))
}
