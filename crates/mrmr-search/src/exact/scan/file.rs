//! Blocks of a file: the next is read while one is searched.

use std::sync::mpsc::sync_channel;

use mrmr_core::{Error, Event, Observer, Place, Result};
use mrmr_formats::vectors::VectorBlocks;

use super::ExactScan;
use crate::vectors::Vectors;

impl ExactScan {
    /// Searches the rows of a file, up to `max_rows` at a time; `ids` are those of all its rows, where the file
    /// itself has none (else its own are taken).
    ///
    /// Two blocks are in memory, the one that is searched and the one that is read meanwhile.
    ///
    /// # Errors
    /// What reading gives, or [`ExactScan::add`], or if there are not as many `ids` as rows.
    pub fn add_file(
        &mut self,
        blocks: &mut VectorBlocks,
        max_rows: usize,
        ids: Option<&[String]>,
        observer: &dyn Observer,
    ) -> Result<()> {
        let name = blocks.name().to_owned();
        observer.observe(Event::StepStarted {
            number: 1,
            of: 1,
            name: "search",
            total: blocks.shape().rows.map(|rows| rows as u64),
            unit: "rows",
        });
        let mut rows = 0;
        std::thread::scope(|scope| {
            // Without room: a block waits in the reader's hands, not in a third place.
            let (sender, receiver) = sync_channel(0);
            scope.spawn(move || {
                while let Some(block) = blocks.next_block(max_rows).transpose() {
                    let failed = block.is_err();
                    // Nobody listens any more once a search has failed.
                    if sender.send(block).is_err() || failed {
                        break;
                    }
                }
            });
            for block in receiver {
                let block = block?;
                let last = block.first_row + block.rows;
                let vectors = Vectors::new(block.dimension, block.data)
                    .map_err(|error| error.at(Place::whole(&name)))?;
                let beside = match ids.map(|ids| ids.get(block.first_row..last)) {
                    Some(None) => return Err(too_few(&name, ids.map_or(0, <[String]>::len))),
                    Some(beside) => beside,
                    None => None,
                };
                self.add(vectors, block.ids.as_deref().or(beside))?;
                rows = last;
                observer.observe(Event::Advanced(block.rows as u64));
            }
            Ok(())
        })?;
        if let Some(ids) = ids
            && ids.len() != rows
        {
            return Err(Error::data(format!(
                "expected an id for each of the {rows} vectors, found {} ids",
                ids.len()
            ))
            .at(Place::whole(&name)));
        }
        observer.observe(Event::StepFinished);
        Ok(())
    }
}

fn too_few(name: &str, ids: usize) -> Error {
    Error::data(format!(
        "expected an id for each of the vectors, found {ids} ids for more of them"
    ))
    .at(Place::whole(name))
}
