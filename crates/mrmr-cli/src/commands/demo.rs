//! `mrmr demo`: find emoji pictures by words.

use mrmr_bench::{BenchOutcome, Bm25System, Retrieval, Source, SystemSpec, Task, TaskInputs, demo};
use mrmr_core::{Collection, Dataset, Error, Interned, Place, Result};
use mrmr_formats::captions::write_captions;
use mrmr_formats::dataset::{DatasetOptions, is_dataset, open_dataset, write_mrmr};
use mrmr_measures::{MeasureSpec, Policies};
use mrmr_models::ContentRule;
use mrmr_report::{BenchReport, Format};
use mrmr_search::{Analyzer, Bm25Params};

use super::settings;
use crate::Ending;
use crate::arguments::DemoArguments;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::FileCaptions;

const COMPANIONS: &[&str] = &["nDCG@10", "Hit@1", "R@10", "R@100"];

pub(crate) fn run(arguments: &DemoArguments, printer: Printer) -> Result<Ending> {
    let folder = &arguments.folder;
    let built = demo::build()?;
    let captions_file = folder.join("captions.json");
    // An earlier demonstration's folder is used again; anything else that is there stays untouched.
    let found = is_dataset(folder);
    if !found {
        write_mrmr(folder, &built.queries, &built.corpus, &built.qrels)?;
    }
    // What was written is what is measured.
    let options = DatasetOptions {
        name: Some("emoji".to_owned()),
        ..DatasetOptions::default()
    };
    let (dataset, _): (Dataset, _) = open_dataset(folder, &options)?;
    if !same_records(&dataset.queries, &built.queries)
        || !same_records(&dataset.corpus, &built.corpus)
    {
        return Err(
            Error::usage("there is another data set here, not the demonstration's")
                .at(Place::whole(folder.display().to_string()))
                .hint("name a new folder: mrmr demo FOLDER"),
        );
    }
    write_captions(&built.captions, &captions_file)?;
    printer.say(&format!(
        "{} {} emoji pictures, {} queries and the pictures' captions in {}",
        if found { "found" } else { "wrote" },
        built.corpus.len(),
        built.queries.len(),
        folder.display()
    ));
    let system = SystemSpec {
        name: "bm25".to_owned(),
        retrieval: Retrieval::Bm25(Bm25System {
            params: Bm25Params::default(),
            analysis: Analyzer::LuceneEnglish.into(),
            content: ContentRule::Captions,
        }),
        depth: 1000,
        drop_self: false,
    };
    let measures: Vec<MeasureSpec> = settings::measures(&[], COMPANIONS)?;
    let task = Task {
        spec: demo::task()?,
        dataset,
        source: Source::default(),
    };
    let captions = FileCaptions(built.captions);
    let done = task.run(
        &system,
        TaskInputs {
            measures: &measures,
            policies: Policies::default(),
            captions: &captions,
            observer: &Progress::new(printer),
        },
    )?;
    for warning in &done.warnings {
        printer.warning(warning);
    }
    let outcome = BenchOutcome {
        system: system.name.clone(),
        settings: system.settings(),
        tasks: vec![done],
    };
    let format = settings::format(&arguments.output.form, None)?;
    let report = BenchReport {
        benchmark: None,
        outcome: &outcome,
        per_query: arguments.output.per_query,
        intervals: settings::intervals(&arguments.intervals)?,
        numbers: settings::numbers(&arguments.output.form),
    };
    printer.data(&report.write(format))?;
    if format == Format::Table {
        let path = folder.display();
        printer.say(&format!(
            "\nWhat to try next:\n  \
             mrmr data show {path} --query satisfied\n  \
             mrmr bench {path} --content captions --captions {path}/captions.json --k1 1.2 --b 0.75 -o results\n  \
             mrmr score {path}/qrels/test-00000-of-00001.parquet results/*.trec --per-query\n\n\
             Pictures: Twemoji, CC-BY 4.0, Twitter, Inc and other contributors."
        ));
    }
    Ok(Ending::Done)
}

/// Whether two collections have the same ids in the same order.
fn same_records<K: Interned>(a: &Collection<K>, b: &Collection<K>) -> bool {
    a.ids().names().eq(b.ids().names())
}
