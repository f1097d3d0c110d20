//! Queries with other texts: rewritten or expanded elsewhere, before anything is searched.

use std::path::Path;
use std::sync::Arc;

use mrmr_core::{
    Collection, Content, Error, Interned, Origin, Part, Place, QueryId, Record, Result,
};

use super::super::expansions::Expansions;
use super::super::step::{Context, Kept, Product, Work};
use crate::store::Key;

/// What an expansion does to a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) enum Mode {
    /// It stands in the place of the query's text.
    #[default]
    Replace,
    /// It stands below the query's text.
    Append,
}

impl std::str::FromStr for Mode {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "replace" => Ok(Mode::Replace),
            "append" => Ok(Mode::Append),
            _ => Err(Error::usage(format!(
                "unknown mode of expansion '{text}'; expected replace, append"
            ))),
        }
    }
}

/// Expansions of a file.
pub(in super::super) struct ExpandWork {
    pub(in super::super) expansions: Expansions,
    pub(in super::super) mode: Mode,
}

impl ExpandWork {
    /// Reads the file; it must know some of the queries.
    pub(in super::super) fn new(path: &Path, mode: Mode, context: &Context<'_>) -> Result<Self> {
        let expansions = Expansions::read(path)?;
        let queries = context.task.dataset.queries.ids();
        if !queries.names().any(|id| expansions.get(id).is_some()) {
            return Err(Error::data(format!(
                "none of its ids is a query of the data set, which has '{}' and others",
                queries.names().next().unwrap_or_default()
            ))
            .at(Place::whole(path.display().to_string())));
        }
        Ok(ExpandWork { expansions, mode })
    }

    /// The key.
    pub(in super::super) fn key(&self, context: &Context<'_>) -> Key {
        Key::of("expanded queries", |hash| {
            hash.text(&format!("{:?}", self.mode));
            let everything = mrmr_models::ContentRule::Interleaved;
            let records: Vec<(&str, &Record)> = context
                .task
                .dataset
                .queries
                .iter()
                .map(|(_, id, record)| (id, record))
                .collect();
            let dependence = crate::encoding::Dependence {
                rule: &everything,
                role: mrmr_models::Role::Query,
                instruction: None,
                captions: context.captions,
                identity: &[],
            };
            for (key, (id, _)) in dependence.keys(&records, 1).iter().zip(&records) {
                hash.text(id);
                hash.bytes(key.as_bytes());
                hash.maybe(self.expansions.get(id));
            }
        })
    }

    /// How many queries have none.
    pub(in super::super) fn without(&self, context: &Context<'_>) -> usize {
        let ids = context.task.dataset.queries.ids().names();
        ids.filter(|id| self.expansions.get(id).is_none()).count()
    }

    fn expanded(&self, context: &Context<'_>) -> Result<Collection<QueryId>> {
        let mut queries = Collection::new(Origin::memory("expanded queries"));
        for (key, id, record) in context.task.dataset.queries.iter() {
            let record = match self.expansions.get(id) {
                Some(text) => expand(record, text, self.mode),
                None => record.clone(),
            };
            queries.push(id, record, key.index() as u64)?;
        }
        Ok(queries)
    }
}

/// The record with another text; its images stay.
fn expand(record: &Record, text: &str, mode: Mode) -> Record {
    let parts = record.content.parts();
    let content = match mode {
        Mode::Replace => {
            let others = parts.iter().filter(|part| !matches!(part, Part::Text(_)));
            Content::new(std::iter::once(Part::Text(text.to_owned())).chain(others.cloned()))
        }
        Mode::Append => {
            let more = Part::Text(format!("\n{text}"));
            Content::new(parts.iter().cloned().chain([more]))
        }
    };
    Record {
        content,
        ..record.clone()
    }
}

impl Work for ExpandWork {
    fn kept(&self, _: &Key, _: &Context<'_>) -> Result<Kept> {
        Ok(Kept::Nothing)
    }

    fn make(&self, _: &Key, _: &[Product], context: &Context<'_>, _: bool) -> Result<Product> {
        Ok(Product::Queries(Arc::new(self.expanded(context)?)))
    }

    fn load(&self, _: &Key, _: &Context<'_>) -> Result<Option<Product>> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mrmr_core::{Image, Media};

    #[test]
    fn images_stay_where_the_text_is_replaced() {
        let image = Part::Image(Image {
            label: "image 1".to_owned(),
            media: Media::Missing,
        });
        let record = Record::new(Content::new([
            Part::Text("why ".to_owned()),
            image,
            Part::Text("?".to_owned()),
        ]));
        let texts = |record: &Record| -> Vec<String> {
            let parts = record.content.parts().iter();
            parts
                .map(|part| match part {
                    Part::Text(text) => text.clone(),
                    Part::Image(image) => image.label.clone(),
                    Part::Audio(audio) => audio.label.clone(),
                })
                .collect()
        };
        let replaced = expand(&record, "because", Mode::Replace);
        assert_eq!(texts(&replaced), ["because", "image 1"]);
        let appended = expand(&record, "because", Mode::Append);
        assert_eq!(texts(&appended), ["why ", "image 1", "?", "\nbecause"]);
    }
}
