//! An encoder behind HTTP.

use std::fmt;

use mrmr_core::{Content, Error, Modality, Place, Result};

use super::answers::placed;
use super::batches::{Outcome, Plan, run};
use super::client::{Client, Failed, Sizes};
use super::convention::{Ask, Embed, Room};
use super::endpoint::Endpoint;
use super::item::{Item, Kind};
use super::time::Surroundings;
use super::traffic::Traffic;
use crate::content_rule::Role;
use crate::embeddings::Embeddings;
use crate::encoder::Encoder;
use crate::notes::EncodeNotes;
use crate::options::ModelOptions;

/// How many bytes of items are kept at the same time.
const WINDOW: usize = 64 << 20;

/// Asks an endpoint for vectors.
pub struct HttpEncoder {
    name: String,
    endpoint: Endpoint,
    client: Client,
    embed: &'static Embed,
    sizes: Sizes,
    /// What the vectors are asked to have.
    asked: Option<usize>,
    dimension: usize,
    prompts: [Option<String>; 2],
}

impl HttpEncoder {
    /// Asks the endpoint for one vector, to know how many numbers vectors have.
    ///
    /// # Errors
    /// If the endpoint makes no vectors, its key is not set, or it does not answer as it must.
    pub fn open(endpoint: &Endpoint, options: &ModelOptions, around: Surroundings) -> Result<Self> {
        let wire = endpoint.convention().wire();
        let Some(embed) = &wire.embed else {
            return Err(Error::usage(format!("{} makes no vectors", wire.name)));
        };
        let mut encoder = HttpEncoder {
            name: endpoint.to_string(),
            client: Client::new(endpoint, around)?,
            embed,
            sizes: Sizes::new(endpoint, wire),
            asked: options.dimension,
            dimension: 0,
            prompts: [
                options.query_prompt.clone(),
                options.document_prompt.clone(),
            ],
            endpoint: endpoint.clone(),
        };
        encoder.dimension = encoder.probe()?;
        Ok(encoder)
    }

    /// How many numbers a vector has.
    fn probe(&self) -> Result<usize> {
        let place = || Place::whole(self.name.clone());
        let item = Item::new(&"dimension".into(), None).map_err(Error::data)?;
        let ask = self.ask(Role::Document);
        let made = self.exchange(&ask, &[&item], item.tokens(), None);
        let mut rows = match made {
            Ok(made) => made,
            Err(Failed::Ended(error)) => return Err(error),
            Err(Failed::Refused(reason)) => return Err(Error::data(reason).at(place())),
        };
        let found = rows.pop().map_or(Ok(0), |row| row.map(|row| row.len()));
        match (
            found.map_err(|why| Error::data(why).at(place()))?,
            self.asked,
        ) {
            (0, _) => Err(Error::data("expected a vector, found one without numbers").at(place())),
            (found, Some(asked)) if found != asked => Err(Error::usage(format!(
                "asked for vectors of {asked} numbers; the endpoint gives {found}"
            ))
            .at(place())),
            (found, _) => Ok(found),
        }
    }

    fn ask(&self, role: Role) -> Ask<'_> {
        Ask {
            model: self.endpoint.model(),
            role,
            role_name: self.endpoint.text(match role {
                Role::Query => "query",
                Role::Document => "document",
            }),
            dimension: self.asked,
            truncate: self.endpoint.is_on("truncate"),
            encoding: self.endpoint.text("encoding"),
        }
    }

    fn room(&self) -> Room {
        (self.embed.room)(&self.ask(Role::Document))
    }

    /// One request.
    fn exchange(
        &self,
        ask: &Ask<'_>,
        items: &[&Item],
        tokens: usize,
        dimension: Option<usize>,
    ) -> Result<Made, Failed> {
        let request = (self.embed.request)(ask, items);
        let body = self.client.send(&request, tokens)?;
        let wrong = |why: String| Failed::Ended(self.client.error(request.path, &why));
        let vectors = (self.embed.answer)(&body).map_err(wrong)?;
        self.client.count_tokens(vectors.tokens);
        let rows = placed(vectors.rows, items.len(), "vectors").map_err(wrong)?;
        let outcomes = rows.into_iter().map(|row| checked(row.0, dimension));
        Ok(outcomes.collect())
    }

    /// The item of a content, if the endpoint takes its kind.
    fn item(&self, content: &Content, role: Role) -> Outcome<Item> {
        let prompt = &self.prompts[usize::from(role == Role::Document)];
        let item = Item::new(content, prompt.as_deref())?;
        taken(self.room(), self.endpoint.convention().name(), item)
    }
}

/// An outcome an item.
type Made = Vec<Outcome<Vec<f32>>>;

/// An item of a kind that there is room for.
pub(super) fn taken(room: Room, name: &str, item: Item) -> Outcome<Item> {
    if room.of(item.kind()) > 0 {
        return Ok(item);
    }
    let takes = match room.images {
        0 => "a text",
        _ => "a text or an image",
    };
    Err(match item.kind() {
        Kind::Text => format!("{name} takes no text here"),
        Kind::Image => format!("{name} takes {takes}; found an image"),
        Kind::Mixed => format!("{name} takes {takes}; found {} parts", item.parts().len()),
    })
}

/// A vector without a number that is none, of the right length.
fn checked(row: Vec<f32>, dimension: Option<usize>) -> Outcome<Vec<f32>> {
    if let Some(dimension) = dimension.filter(|dimension| row.len() != *dimension) {
        return Err(format!(
            "expected a vector of {dimension} numbers, found {}",
            row.len()
        ));
    }
    match row.iter().position(|number| !number.is_finite()) {
        Some(place) => Err(format!("expected numbers, found {} at {place}", row[place])),
        None => Ok(row),
    }
}

impl Encoder for HttpEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn takes(&self) -> Modality {
        Modality {
            text: true,
            image: self.room().images > 0,
            audio: false,
        }
    }

    fn encode(&self, contents: &[Content], role: Role) -> Result<Embeddings> {
        let ask = self.ask(role);
        let plan = Plan {
            room: self.room(),
            mixes_kinds: self.embed.mixes_kinds,
            sizes: self.sizes,
            tokens_before: 0,
        };
        let mut rows: Vec<Outcome<Vec<f32>>> = Vec::with_capacity(contents.len());
        rows.resize(contents.len(), Err(String::new()));
        let before = self.client.traffic().tokens;
        let (mut window, mut bytes) = (Vec::new(), 0);
        for (number, content) in contents.iter().enumerate() {
            match self.item(content, role) {
                Ok(item) => {
                    bytes += item.bytes();
                    window.push((number, item));
                }
                Err(reason) => rows[number] = Err(reason),
            }
            if bytes >= WINDOW || number + 1 == contents.len() {
                let made = run(&self.client, &window, plan, |items, tokens| {
                    self.exchange(&ask, items, tokens, Some(self.dimension))
                })?;
                for (number, outcome) in made {
                    rows[number] = outcome;
                }
                window.clear();
                bytes = 0;
            }
        }
        let notes = EncodeNotes {
            tokens: self.client.traffic().tokens - before,
            ..EncodeNotes::default()
        };
        Ok(Embeddings::single(self.dimension, rows, notes))
    }

    fn traffic(&self) -> Option<Traffic> {
        Some(self.client.traffic())
    }
}

impl fmt::Debug for HttpEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpEncoder")
            .field("name", &self.name)
            .field("dimension", &self.dimension)
            .finish_non_exhaustive()
    }
}
