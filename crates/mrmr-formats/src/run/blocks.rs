//! A run read query by query, in constant memory: the fast way for plain TREC runs.
//!
//! Only what is common is read here: six fields a line, each query's lines together, no document twice
//! for a query. Whatever is out of the ordinary makes the whole file unfit, and it is read again the
//! general way ([`read_run`](super::read_run)), which accepts it, or says what is wrong and where.

mod bounds;
mod duplicates;
mod scanner;
mod source;

use std::collections::HashSet;

use mrmr_core::Result;
use rayon::prelude::*;

use crate::input::Input;
use scanner::Scanner;
use source::Opening;

/// One query's answers, in the order of the file.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    query: &'a str,
    scores: &'a [f64],
    text: &'a [u8],
    spans: &'a [(u32, u32)],
}

impl<'a> Block<'a> {
    /// The query's id.
    pub fn query(&self) -> &'a str {
        self.query
    }

    /// The scores; never NaN.
    pub fn scores(&self) -> &'a [f64] {
        self.scores
    }

    /// The id of the document at a place from 0, as UTF-8.
    #[inline]
    pub fn document(&self, place: usize) -> &'a [u8] {
        let (start, end) = self.spans[place];
        &self.text[start as usize..end as usize]
    }
}

/// What reading by blocks came to.
#[derive(Debug)]
pub enum Blocks<T> {
    /// The whole run was read.
    Read {
        /// The takers, in the order of the parts of the file that they took.
        takers: Vec<T>,
        /// The run's name: its only tag, else that of the file.
        name: String,
    },
    /// The run has to be read the general way, from this input.
    Unfit(Input),
}

/// Reads a TREC run, plain or compressed, block by block; several parts of a plain file at a time.
///
/// `make` makes a taker for each part, `take` gives it a query's answers. No query comes twice.
///
/// ```
/// use mrmr_formats::Input;
/// use mrmr_formats::run::{Blocks, read_blocks};
/// let file = b"q1 Q0 d7 1 2.5 bm25\nq1 Q0 d9 2 1.5 bm25\nq2 Q0 d7 1 3 bm25\n";
/// let input = Input::memory("run.txt", &file[..]);
/// let read = read_blocks(&input, Vec::new, |seen, block| {
///     seen.push((block.query().to_owned(), block.scores().to_vec()));
///     Ok(())
/// })?;
/// let Blocks::Read { takers, name } = read else { panic!() };
/// assert_eq!(name, "bm25");
/// assert_eq!(takers[0], [("q1".to_owned(), vec![2.5, 1.5]), ("q2".to_owned(), vec![3.0])]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// # Errors
/// If reading fails, or `take` does. What is wrong with the run itself makes it unfit.
pub fn read_blocks<T: Send>(
    input: &Input,
    make: impl Fn() -> T + Sync,
    take: impl Fn(&mut T, Block<'_>) -> Result<()> + Sync,
) -> Result<Blocks<T>> {
    let unfit = |input: &Input| Ok(Blocks::Unfit(input.clone()));
    let parts = match source::open(input)? {
        Opening::Unfit => return unfit(input),
        Opening::Stream(mut stream) => {
            let mut taker = make();
            let mut scanner = Scanner::default();
            let read = scanner.read(&mut stream, |block| take(&mut taker, block))?;
            if !read || !distinct([&scanner]) {
                return Ok(Blocks::Unfit(stream.rewound(input)?));
            }
            vec![(taker, scanner)]
        }
        Opening::File(file) => {
            let parts = bounds::parts(&file)?;
            let read = parts.into_par_iter().map(|part| {
                let mut taker = make();
                let mut scanner = Scanner::default();
                let mut stream = file.part(part)?;
                let read = scanner.read(&mut stream, |block| take(&mut taker, block))?;
                Ok(read.then_some((taker, scanner)))
            });
            let Some(parts) = read.collect::<Result<Option<Vec<_>>>>()? else {
                return unfit(input);
            };
            if !distinct(parts.iter().map(|part| &part.1)) {
                return unfit(input);
            }
            parts
        }
    };
    let mut tags = parts.iter().filter_map(|(_, scanner)| scanner.tag());
    let first = tags.next();
    let name = match first {
        Some(Some(tag)) if tags.all(|other| other == Some(tag)) => tag.to_owned(),
        _ => input.stem(),
    };
    let takers = parts.into_iter().map(|(taker, _)| taker).collect();
    Ok(Blocks::Read { takers, name })
}

/// Whether no query was seen by two scanners, or twice by one.
fn distinct<'a>(scanners: impl IntoIterator<Item = &'a Scanner>) -> bool {
    let mut seen = HashSet::new();
    let mut queries = scanners.into_iter().flat_map(Scanner::queries);
    queries.all(|query| seen.insert(query))
}
