//! Times BM25 over the words of a file, one document a line, on one thread:
//! `bm25_search documents.txt queries.txt k repeats answers.tsv lucene|exact`.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::time::Instant;

use mrmr_search::{Analyzer, Bm25Index, Bm25Params, Filter};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Processor seconds of all threads, where the system tells (Linux), in steps of its clock of 100 Hz.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

fn timed<T>(what: &str, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    let (start, before) = (Instant::now(), processor_seconds().unwrap_or(f64::NAN));
    let result = work()?;
    let spent = processor_seconds().unwrap_or(f64::NAN) - before;
    let seconds = start.elapsed().as_secs_f64();
    writeln!(std::io::stdout(), "{what}\t{seconds:.4}\t{spent:.2}")?;
    Ok(result)
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [documents, queries, k, repeats, answers, norms] = arguments.as_slice() else {
        return Err("expected: documents queries k repeats answers norms".into());
    };
    let (k, repeats) = (k.parse()?, repeats.parse::<usize>()?);
    let params = Bm25Params::new(1.2, 0.75, norms.parse()?)?;
    let (documents, queries) = (fs::read_to_string(documents)?, fs::read_to_string(queries)?);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let index = timed("build", || {
            let mut builder = Bm25Index::builder(params, Analyzer::Whitespace);
            for (row, line) in documents.lines().enumerate() {
                builder.add(&row.to_string(), line)?;
            }
            Ok(builder.build())
        })?;
        let file = std::path::Path::new(answers).with_extension("bm25");
        timed("save", || Ok(index.save(&file)?))?;
        let index = timed("open", || Ok(Bm25Index::open(&file)?))?;
        fs::remove_file(&file)?;
        let mut found = Vec::new();
        for _ in 0..repeats {
            found = timed("search", || {
                let queries = queries.lines();
                let found = queries.map(|query| index.search(query, k, &Filter::default()));
                Ok(found.collect::<Result<Vec<_>, _>>()?)
            })?;
        }
        let mut out = String::new();
        for neighbours in found {
            for neighbour in neighbours {
                write!(out, "{}:{} ", neighbour.row, neighbour.score as f32)?;
            }
            out.push('\n');
        }
        Ok(fs::write(answers, out)?)
    })
}
