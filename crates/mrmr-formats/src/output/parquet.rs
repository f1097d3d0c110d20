//! Runs as Parquet files.

use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int32Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use mrmr_core::{Error, ErrorKind, Ids, Interned, RankingPolicy, Result, Run};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

/// Rows of a batch, and of a row group: what is held in memory while the file is written.
const BATCH: usize = 1 << 16;
const GROUP: usize = 1 << 20;

/// Writes a run as a Parquet file with the columns `query`, `document` (texts), `rank` (32 bits, from 1) and
/// `score` (64 bits).
///
/// ```
/// use mrmr_core::{Origin, RankingPolicy, Run};
/// use mrmr_formats::Input;
/// use mrmr_formats::output::write_run_parquet;
/// use mrmr_formats::run::{RunOptions, read_run};
/// let mut answers = Run::builder("bm25", Origin::memory("answers"));
/// answers.add("q1", "d1", 0.5, 0)?;
/// answers.add("q1", "d2", 2.0, 1)?;
/// let (run, _) = answers.finish(Default::default())?;
/// let mut out = Vec::new();
/// write_run_parquet(&run, RankingPolicy::default(), &mut out)?;
/// let (back, _) = read_run(&Input::memory("run.parquet", out), &RunOptions::default())?;
/// assert_eq!((back.queries().len(), back.len()), (1, 2));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// Queries are in the order of the run, documents in that of the policy. The name of the run is not written, and a
/// query with an empty list has no row.
///
/// # Errors
/// If an id is empty, or if writing fails.
pub fn write_run_parquet(
    run: &Run,
    policy: RankingPolicy,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    refuse_empty(run.queries(), "query")?;
    refuse_empty(run.documents(), "document")?;
    let mut table = Table::new(out).map_err(failed)?;
    for query in run.queries().keys() {
        let name = run.queries().name(query);
        for (place, entry) in run.ranking(query, policy).entries().iter().enumerate() {
            let rank = i32::try_from(place + 1).map_err(|_| {
                Error::unsupported(format!(
                    "query '{name}' has more than 2^31 documents; expected fewer"
                ))
            })?;
            let document = run.documents().name(entry.document);
            table
                .add(name, document, rank, entry.score)
                .map_err(failed)?;
        }
    }
    table.finish().map_err(failed)
}

struct Table<'o> {
    schema: Arc<Schema>,
    writer: ArrowWriter<&'o mut (dyn Write + Send)>,
    queries: StringBuilder,
    documents: StringBuilder,
    ranks: Int32Builder,
    scores: Float64Builder,
    rows: usize,
}

impl<'o> Table<'o> {
    fn new(out: &'o mut (dyn Write + Send)) -> Result<Self, ParquetError> {
        let schema = Arc::new(Schema::new(vec![
            Field::new("query", DataType::Utf8, false),
            Field::new("document", DataType::Utf8, false),
            Field::new("rank", DataType::Int32, false),
            Field::new("score", DataType::Float64, false),
        ]));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(GROUP))
            .build();
        Ok(Table {
            writer: ArrowWriter::try_new(out, schema.clone(), Some(properties))?,
            schema,
            queries: StringBuilder::new(),
            documents: StringBuilder::new(),
            ranks: Int32Builder::new(),
            scores: Float64Builder::new(),
            rows: 0,
        })
    }

    fn add(
        &mut self,
        query: &str,
        document: &str,
        rank: i32,
        score: f64,
    ) -> Result<(), ParquetError> {
        self.queries.append_value(query);
        self.documents.append_value(document);
        self.ranks.append_value(rank);
        self.scores.append_value(score);
        self.rows += 1;
        match self.rows < BATCH {
            true => Ok(()),
            false => self.flush(),
        }
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.queries.finish()),
            Arc::new(self.documents.finish()),
            Arc::new(self.ranks.finish()),
            Arc::new(self.scores.finish()),
        ];
        self.rows = 0;
        let batch = RecordBatch::try_new(self.schema.clone(), columns)?;
        self.writer.write(&batch)
    }

    fn finish(mut self) -> Result<(), ParquetError> {
        self.flush()?;
        self.writer.close()?;
        Ok(())
    }
}

fn refuse_empty<K: Interned>(ids: &Ids<K>, what: &str) -> Result<()> {
    match ids.get("") {
        Some(_) => Err(Error::data(format!(
            "the id of a {what} is empty, which is read back as a fault"
        ))
        .hint("write JSON")),
        None => Ok(()),
    }
}

fn failed(error: ParquetError) -> Error {
    let text = format!("the Parquet file could not be written: {error}");
    Error::new(ErrorKind::Io, text).because(error)
}
