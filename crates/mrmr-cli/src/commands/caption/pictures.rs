//! The pictures of a data set, each once, with the places where it stands.

use std::collections::HashMap;
use std::fmt;

use mrmr_core::{Collection, Dataset, Image, Interned};
use mrmr_formats::captions::Subset;

/// A place where a picture stands.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) subset: Subset,
    pub(super) id: String,
    pub(super) label: String,
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}', {}", self.subset, self.id, self.label)
    }
}

struct Picture {
    hash: String,
    image: Image,
    uses: Vec<Use>,
}

/// Pictures in the order in which they stand first.
pub(super) struct Pictures {
    pictures: Vec<Picture>,
    /// Places with nothing to read, and why.
    unreadable: Vec<(Use, String)>,
}

impl Pictures {
    /// Reads every picture once, to tell equal ones.
    pub(super) fn find(dataset: &Dataset) -> Self {
        let mut numbers: HashMap<blake3::Hash, usize> = HashMap::new();
        let mut found = Pictures {
            pictures: Vec::new(),
            unreadable: Vec::new(),
        };
        each(dataset, |one, image| match image.media.read() {
            Err(error) => found.unreadable.push((one, error.to_string())),
            Ok(bytes) => {
                let hash = blake3::hash(&bytes);
                let next = found.pictures.len();
                let number = *numbers.entry(hash).or_insert(next);
                if number == next {
                    found.pictures.push(Picture {
                        hash: hash.to_hex().to_string(),
                        image: image.clone(),
                        uses: Vec::new(),
                    });
                }
                found.pictures[number].uses.push(one);
            }
        });
        found
    }

    /// All places where pictures stand; nothing is read.
    pub(super) fn uses(dataset: &Dataset) -> Vec<Use> {
        let mut uses = Vec::new();
        each(dataset, |one, _| uses.push(one));
        uses
    }

    /// How many different pictures there are.
    pub(super) fn len(&self) -> usize {
        self.pictures.len()
    }

    pub(super) fn images(&self) -> impl Iterator<Item = (&str, &Image)> {
        self.pictures
            .iter()
            .map(|picture| (&*picture.hash, &picture.image))
    }

    pub(super) fn by_hash(&self) -> impl Iterator<Item = (&str, &[Use])> {
        self.pictures
            .iter()
            .map(|picture| (&*picture.hash, &picture.uses[..]))
    }

    pub(super) fn unreadable(&self) -> &[(Use, String)] {
        &self.unreadable
    }
}

/// Every image that stands in a content, queries first.
fn each(dataset: &Dataset, mut take: impl FnMut(Use, &Image)) {
    of(&dataset.queries, Subset::Query, &mut take);
    of(&dataset.corpus, Subset::Corpus, &mut take);
}

fn of<K: Interned>(records: &Collection<K>, subset: Subset, take: &mut impl FnMut(Use, &Image)) {
    for (_, id, record) in records.iter() {
        for image in record.content.images() {
            let one = Use {
                subset,
                id: id.to_owned(),
                label: image.label.clone(),
            };
            take(one, image);
        }
    }
}
