//! A query and a document a line.

use mrmr_core::{Error, Place, Result};

use super::DocumentLists;
use crate::rows::names_query_and_document;

pub(super) fn read(content: &str, name: &str) -> Result<DocumentLists> {
    let mut lists = DocumentLists::new(name);
    let mut is_first = true;
    for (number, line) in content.lines().enumerate() {
        let number = number as u64 + 1;
        let fields: Vec<&str> = match line.contains('\t') {
            true => line.split('\t').collect(),
            false => line.split_whitespace().collect(),
        };
        let is_entry = line.contains('\t') && fields.len() == 2;
        if line.trim().is_empty() || (line.starts_with('#') && !is_entry) {
            continue;
        }
        let [query, document] = fields[..] else {
            return Err(Error::format(format!(
                "expected a query and a document, found {} field{}: {line:?}",
                fields.len(),
                if fields.len() == 1 { "" } else { "s" }
            ))
            .at(Place::line(name, number)));
        };
        if std::mem::take(&mut is_first) && names_query_and_document(query, document) {
            lists.has_header = true;
            continue;
        }
        for (id, what) in [(query, "query"), (document, "document")] {
            if id.trim().is_empty() {
                return Err(Error::format(format!(
                    "expected the id of a {what}, found nothing: {line:?}"
                ))
                .at(Place::line(name, number))
                .hint("JSON can say that a query has no documents: {\"query\": []}"));
            }
        }
        let list = lists.lists.entry(query.to_owned()).or_default();
        list.documents.push(document.to_owned());
        list.lines.push(number);
    }
    Ok(lists)
}
