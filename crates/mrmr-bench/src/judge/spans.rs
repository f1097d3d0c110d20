//! Gold spans of documents against the chunks of a chunker.

use std::collections::HashMap;
use std::str::FromStr;

use mrmr_core::{Collection, DocId, Error, Origin, Qrels, Result};
use mrmr_formats::Input;

use super::answers::text_of;
use super::json_lines::{self, Line};

/// What the overlap is a share of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Share {
    /// The gold span: how much of what is needed the chunk has.
    #[default]
    Span,
    /// The chunk: how much of it is needed.
    Chunk,
    /// Both; the smaller share counts.
    Both,
}

impl Share {
    /// The names of all.
    pub const NAMES: [&'static str; 3] = ["span", "chunk", "both"];
}

impl FromStr for Share {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "span" => Ok(Share::Span),
            "chunk" => Ok(Share::Chunk),
            "both" => Ok(Share::Both),
            _ => Err(Error::usage(format!(
                "unknown share '{text}'; expected span, chunk or both"
            ))),
        }
    }
}

/// What offsets count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Unicode scalar values, as Python's `str`.
    #[default]
    Characters,
    /// Bytes of UTF-8.
    Bytes,
}

impl Unit {
    /// The names of all.
    pub const NAMES: [&'static str; 2] = ["characters", "bytes"];

    fn length(self, text: &str) -> u64 {
        match self {
            Unit::Characters => text.chars().count() as u64,
            Unit::Bytes => text.len() as u64,
        }
    }
}

impl FromStr for Unit {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "characters" => Ok(Unit::Characters),
            "bytes" => Ok(Unit::Bytes),
            _ => Err(Error::usage(format!(
                "unknown unit '{text}'; expected characters or bytes"
            ))),
        }
    }
}

/// When a chunk is relevant.
#[derive(Clone, Copy, Debug)]
pub struct SpanOptions {
    /// The least share, above 0 and at most 1.
    pub threshold: f64,
    /// Of what.
    pub share: Share,
    /// What offsets count.
    pub unit: Unit,
}

/// What came of spans and chunks.
#[derive(Clone, Debug)]
pub struct SpansJudged {
    /// Grade 1 for a chunk that has enough of any span of the query; of a query without such a chunk, grade 0 for the
    /// first chunk, so that it is counted.
    pub qrels: Qrels,
    /// How many spans there are.
    pub spans: usize,
    /// How many chunks.
    pub chunks: usize,
    /// How many pairs are relevant.
    pub relevant: usize,
    /// Spans that no chunk holds entirely, as `query (line n)`.
    pub cut: Vec<String>,
    /// Queries without a relevant chunk, in their order.
    pub without_chunk: Vec<String>,
    /// How many places were found by their text.
    pub located: usize,
}

/// A piece of a document.
struct Piece {
    name: String,
    document: String,
    start: u64,
    end: u64,
    line: u64,
}

/// Judges chunks by what they have of gold spans. Both are JSON lines `{"_id", "document", "start", "end", "text"}`, a
/// span's id that of its query, `end` exclusive; where `start` and `end` are missing, the text is looked for in
/// the text of `documents` (their titles aside), and must stand there once.
///
/// # Errors
/// If a line has another form, a text has another length than its offsets, a place is not known, or a chunk stands
/// twice.
pub fn judge_spans(
    spans: &Input,
    chunks: &Input,
    documents: Option<&Collection<DocId>>,
    options: SpanOptions,
) -> Result<SpansJudged> {
    if !(options.threshold > 0.0 && options.threshold <= 1.0) {
        return Err(Error::usage(format!(
            "threshold {}: expected a share above 0, at most 1",
            options.threshold
        )));
    }
    let mut located = 0;
    let mut pieces = |input: &Input| -> Result<Vec<Piece>> {
        let lines = json_lines::read(input)?;
        let read = lines.iter();
        read.map(|line| piece(line, documents, options.unit, &mut located))
            .collect()
    };
    let (spans, chunk_pieces) = (pieces(spans)?, pieces(chunks)?);
    let origin = Origin::lines(chunks.name());
    let mut seen = HashMap::new();
    let mut of_document: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, chunk) in chunk_pieces.iter().enumerate() {
        if let Some(first) = seen.insert(&chunk.name, chunk.line) {
            return Err(Error::data(format!(
                "chunk '{}' stands at line {first} already; expected each once",
                chunk.name
            ))
            .at(origin.place(chunk.line)));
        }
        of_document.entry(&chunk.document).or_default().push(at);
    }
    let (mut queries, mut cut) = (Vec::<(&str, Vec<usize>)>::new(), Vec::new());
    let mut position = HashMap::new();
    for span in &spans {
        let at = *position.entry(span.name.as_str()).or_insert_with(|| {
            queries.push((&span.name, Vec::new()));
            queries.len() - 1
        });
        let near = of_document.get(span.document.as_str());
        let near = near.map_or(&[][..], Vec::as_slice);
        let is_whole = |chunk: &Piece| chunk.start <= span.start && chunk.end >= span.end;
        if !near.iter().any(|chunk| is_whole(&chunk_pieces[*chunk])) {
            cut.push(format!("{} (line {})", span.name, span.line));
        }
        let enough = |chunk: &&usize| {
            share(span, &chunk_pieces[**chunk], options.share) >= options.threshold
        };
        queries[at].1.extend(near.iter().filter(enough));
    }
    let mut judged = Qrels::builder(Origin::rows("judgements"));
    let (mut relevant, mut without_chunk) = (0, Vec::new());
    for (query, found) in &mut queries {
        found.sort_unstable();
        found.dedup();
        for chunk in found.iter() {
            judged.add(query, &chunk_pieces[*chunk].name, 1.0, relevant as u64)?;
            relevant += 1;
        }
        if found.is_empty() {
            without_chunk.push((*query).to_owned());
            judged.add(query, &chunk_pieces[0].name, 0.0, relevant as u64)?;
        }
    }
    Ok(SpansJudged {
        qrels: judged.finish()?.0,
        spans: spans.len(),
        chunks: chunk_pieces.len(),
        relevant,
        cut,
        without_chunk,
        located,
    })
}

fn share(span: &Piece, chunk: &Piece, of: Share) -> f64 {
    let overlap = span
        .end
        .min(chunk.end)
        .saturating_sub(span.start.max(chunk.start));
    let of_piece = |piece: &Piece| overlap as f64 / (piece.end - piece.start) as f64;
    match of {
        Share::Span => of_piece(span),
        Share::Chunk => of_piece(chunk),
        Share::Both => of_piece(span).min(of_piece(chunk)),
    }
}

fn piece(
    line: &Line,
    documents: Option<&Collection<DocId>>,
    unit: Unit,
    located: &mut usize,
) -> Result<Piece> {
    let (name, document) = (line.id(&["_id", "id"])?, line.id(&["document"])?);
    let text = line.text("text")?;
    let (start, end) = match (line.number("start")?, line.number("end")?, text) {
        (Some(start), Some(end), text) => {
            if start >= end {
                return Err(Error::data(format!(
                    "expected start below end, found {start} and {end}"
                ))
                .at(line.place()));
            }
            if let Some(text) = text.filter(|text| unit.length(text) != end - start) {
                return Err(Error::data(format!(
                    "the offsets span {}, the text {}; expected as many",
                    end - start,
                    unit.length(text)
                ))
                .at(line.place())
                .hint("--unit says whether offsets count characters or bytes; end is exclusive"));
            }
            (start, end)
        }
        (None, None, Some(text)) => {
            let start =
                locate(text, &document, documents, unit).map_err(|error| error.at(line.place()))?;
            *located += 1;
            (start, start + unit.length(text))
        }
        _ => {
            return Err(
                Error::format("expected 'start' and 'end', or 'text' alone").at(line.place())
            );
        }
    };
    Ok(Piece {
        name,
        document,
        start,
        end,
        line: line.number,
    })
}

/// Where a text stands in its document.
fn locate(
    text: &str,
    document: &str,
    documents: Option<&Collection<DocId>>,
    unit: Unit,
) -> Result<u64> {
    let documents = documents.ok_or_else(|| {
        Error::usage(
            "'start' and 'end' are missing, and there are no documents to look for the text in",
        )
        .hint("--documents names their file")
    })?;
    let key = documents
        .ids()
        .get(document)
        .ok_or_else(|| Error::data(format!("document '{document}' is not among the documents")))?;
    let whole = text_of(documents.record(key), false);
    let Some(first) = whole.find(text).filter(|_| !text.is_empty()) else {
        return Err(
            Error::data(format!("the text does not stand in document '{document}'"))
                .hint("white space and case count"),
        );
    };
    let next = first + whole[first..].chars().next().map_or(1, char::len_utf8);
    if whole[next..].contains(text) {
        return Err(Error::data(format!(
            "the text stands in document '{document}' more than once; expected once"
        ))
        .hint("give 'start' and 'end'"));
    }
    Ok(unit.length(&whole[..first]))
}
