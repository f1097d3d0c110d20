//! What queries may return.

use std::collections::BTreeSet;
use std::path::PathBuf;

use mrmr_core::{DocId, Error, Ids, Place, QueryId, Result};
use mrmr_formats::Input;
use mrmr_formats::document_lists::{DocumentLists, read_document_lists};
use mrmr_search::Restriction;

use crate::arguments::SearchArguments;
use crate::printer::Printer;
use crate::words::counted;

/// What queries may return, as files say it.
pub(super) struct Lists {
    candidates: Option<DocumentLists>,
    excluded: Option<DocumentLists>,
    drop_self: bool,
}

impl Lists {
    pub(super) fn read(arguments: &SearchArguments, printer: Printer) -> Result<Self> {
        let read = |path: &Option<PathBuf>| {
            let lists = path
                .as_ref()
                .map(|path| read_document_lists(&Input::new(path)));
            lists.transpose()
        };
        let lists = Lists {
            candidates: read(&arguments.candidates)?,
            excluded: read(&arguments.exclude)?,
            drop_self: arguments.drop_self,
        };
        for lists in lists.all().filter(|lists| lists.has_header()) {
            printer.say(&format!(
                "note: {}: the first line names the columns",
                lists.name()
            ));
        }
        Ok(lists)
    }

    fn all(&self) -> impl Iterator<Item = &DocumentLists> {
        self.candidates.iter().chain(&self.excluded)
    }

    /// Whether any query is restricted.
    pub(super) fn restrict(&self) -> bool {
        self.candidates.is_some() || self.excluded.is_some() || self.drop_self
    }

    pub(super) fn restriction(&self, query: &str) -> Result<Restriction> {
        let candidates = match &self.candidates {
            None => None,
            Some(lists) => Some(lists.documents(query).map(<[String]>::to_vec).ok_or_else(
                || {
                    Error::data(format!(
                        "query '{query}' has no candidates; expected a list for each"
                    ))
                    .at(Place::whole(lists.name()))
                    .hint("an empty list in JSON says that a query returns nothing")
                },
            )?),
        };
        let excluded = self
            .excluded
            .as_ref()
            .and_then(|lists| lists.documents(query));
        let mut excluded = excluded.map(<[String]>::to_vec).unwrap_or_default();
        if self.drop_self {
            excluded.push(query.to_owned());
        }
        Ok(Restriction {
            candidates,
            excluded,
        })
    }

    /// Holds the lists to what is searched: a candidate that is not there is an error; ids that are not there
    /// otherwise, a sign of other ids, are told.
    pub(super) fn check(
        &self,
        queries: &Ids<QueryId>,
        documents: &Ids<DocId>,
        printer: Printer,
    ) -> Result<()> {
        for lists in self.all() {
            let mut unknown = lists.queries().filter(|query| queries.get(query).is_none());
            if let Some(first) = unknown.next() {
                let count = unknown.count() + 1;
                printer.warning(&format!(
                    "{}: {count} of {} {} not asked, '{first}' among them",
                    lists.name(),
                    counted(lists.len(), "query", "queries"),
                    if count == 1 { "is" } else { "are" },
                ));
            }
        }
        self.check_candidates(queries, documents, printer)?;
        self.warn_of_excluded(queries, documents, printer);
        Ok(())
    }

    fn check_candidates(
        &self,
        queries: &Ids<QueryId>,
        documents: &Ids<DocId>,
        printer: Printer,
    ) -> Result<()> {
        let Some(lists) = &self.candidates else {
            return Ok(());
        };
        let mut empty = 0;
        for query in queries.names() {
            let candidates = lists.documents(query).unwrap_or_default();
            empty += usize::from(candidates.is_empty());
            for (entry, id) in candidates.iter().enumerate() {
                if documents.get(id).is_none() {
                    return Err(Error::data(format!(
                        "candidate '{id}' of query '{query}' is not among the documents"
                    ))
                    .at(lists.place(query, entry))
                    .hint("candidates are ids of documents of the same corpus"));
                }
            }
        }
        if empty > 0 {
            printer.warning(&format!(
                "{}: {} an empty list of candidates and {} nothing",
                lists.name(),
                counted(empty, "query has", "queries have"),
                if empty == 1 { "returns" } else { "return" },
            ));
        }
        Ok(())
    }

    fn warn_of_excluded(&self, queries: &Ids<QueryId>, documents: &Ids<DocId>, printer: Printer) {
        let Some(lists) = &self.excluded else {
            return;
        };
        let asked = queries
            .names()
            .filter_map(|query| lists.documents(query))
            .flatten();
        let excluded: BTreeSet<&str> = asked.map(String::as_str).collect();
        let mut unknown = excluded.iter().filter(|id| documents.get(id).is_none());
        if let Some(first) = unknown.next() {
            let count = unknown.count() + 1;
            printer.warning(&format!(
                "{}: {count} of {} {} not in the corpus, '{first}' among them",
                lists.name(),
                counted(excluded.len(), "excluded document", "excluded documents"),
                if count == 1 { "is" } else { "are" },
            ));
        }
    }
}
