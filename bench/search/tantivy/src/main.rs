//! Tantivy's BM25 over the words of a file, one document a line:
//! `bm25-tantivy documents.txt queries.txt k repeats answers.tsv`. One thread, one segment, in memory.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TextAnalyzer, WhitespaceTokenizer};
use tantivy::merge_policy::NoMergePolicy;
use tantivy::{Index, IndexWriter, TantivyDocument, Term};

/// Processor seconds of all threads, as Linux tells them.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

fn timed<T>(
    what: &str,
    work: impl FnOnce() -> Result<T, Box<dyn Error>>,
) -> Result<T, Box<dyn Error>> {
    let (start, before) = (Instant::now(), processor_seconds().unwrap_or(f64::NAN));
    let result = work()?;
    let spent = processor_seconds().unwrap_or(f64::NAN) - before;
    println!("{what}\t{:.3}\t{spent:.2}", start.elapsed().as_secs_f64());
    Ok(result)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [documents, queries, k, repeats, answers] = arguments.as_slice() else {
        return Err("expected: documents queries k repeats answers".into());
    };
    let (k, repeats) = (k.parse()?, repeats.parse::<usize>()?);
    let (documents, queries) = (fs::read_to_string(documents)?, fs::read_to_string(queries)?);
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("words")
        .set_index_option(IndexRecordOption::WithFreqs);
    let mut schema = Schema::builder();
    let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
    let index = Index::create_in_ram(schema.build());
    let words = TextAnalyzer::from(WhitespaceTokenizer::default());
    index.tokenizers().register("words", words);
    timed("build", || {
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 1_500_000_000)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        for line in documents.lines() {
            let mut document = TantivyDocument::default();
            document.add_text(text, line);
            writer.add_document(document)?;
        }
        writer.commit()?;
        Ok(())
    })?;
    let searcher = index.reader()?.searcher();
    if searcher.segment_readers().len() != 1 {
        return Err("the index has several segments; give the writer more memory".into());
    }
    let collector = TopDocs::with_limit(k).order_by_score();
    let mut found = Vec::new();
    // Repeated until the clock of 100 Hz tells the time well enough.
    for _ in 0..repeats {
        found = timed("search", || {
            let mut found = Vec::new();
            for line in queries.lines() {
                let terms = line.split_whitespace().map(|word| {
                    let term = Term::from_field_text(text, word);
                    let query: Box<dyn Query> =
                        Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
                    (Occur::Should, query)
                });
                found.push(searcher.search(&BooleanQuery::new(terms.collect()), &collector)?);
            }
            Ok(found)
        })?;
    }
    let mut out = String::new();
    for hits in found {
        for (score, address) in hits {
            write!(out, "{}:{score} ", address.doc_id)?;
        }
        out.push('\n');
    }
    Ok(fs::write(answers, out)?)
}
