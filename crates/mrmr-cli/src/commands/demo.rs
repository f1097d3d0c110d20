//! `mrmr demo`: find emoji pictures by words.

mod side_by_side;

use std::path::{Path, PathBuf};

use mrmr_bench::store::Store;
use mrmr_bench::{Source, Task, demo, emoji_styles};
use mrmr_core::{Collection, Dataset, Error, Interned, Place, Result};
use mrmr_formats::captions::write_captions;
use mrmr_formats::dataset::{DatasetOptions, is_dataset, open_dataset, write_mrmr};
use mrmr_measures::MeasureSpec;
use mrmr_report::{Format, SystemsTableReport};

use self::side_by_side::{Setup, SideBySide};
use super::settings;
use crate::Ending;
use crate::arguments::DemoArguments;
use crate::printer::Printer;
use crate::reading::FileCaptions;

const COMPANIONS: &[&str] = &["nDCG@10", "Hit@1", "R@10", "R@100"];
const OF_PICTURES: &[&str] = &["nDCG@10", "Success(rel=2)@1", "RR(rel=2)@10", "P@10"];

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
    let found = arguments.models.as_deref().map(models_of).transpose()?;
    let words_to_pictures = Task {
        spec: demo::task(dataset.corpus.len())?,
        dataset,
        source: Source::default(),
    };
    let mut setups = vec![
        Setup::captions("hashing"),
        Setup::two_stream("hashing", "pixels"),
    ];
    let mut pictures = None;
    if let Some(models) = &found {
        setups.push(Setup::captions(&models.texts));
        setups.push(Setup::two_stream(&models.texts, &models.pictures));
        pictures = Some(emoji_styles::task(&built, &models.styles)?);
    }
    let store = Store::open(folder.join(".mrmr").join("vectors"))?;
    let captions = FileCaptions(built.captions);
    let side_by_side = SideBySide {
        arguments,
        captions: &captions,
        store: &store,
        printer,
    };
    let measures: Vec<MeasureSpec> = settings::measures(&[], COMPANIONS)?;
    let mut tables = vec![side_by_side.table(&words_to_pictures, true, &setups, &measures)?];
    if let (Some(task), Some(models)) = (&pictures, &found) {
        let setups = [Setup::pictures("pixels"), Setup::pictures(&models.pictures)];
        let measures = settings::measures(&[], OF_PICTURES)?;
        tables.push(side_by_side.table(task, false, &setups, &measures)?);
    }
    let format = settings::format(&arguments.output.form, None)?;
    let report = SystemsTableReport {
        tables: &tables,
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

/// What `--models` names.
struct Models {
    texts: String,
    pictures: String,
    styles: PathBuf,
}

/// The parts of the folder; each must be there.
fn models_of(folder: &Path) -> Result<Models> {
    let part = |name: &str, file: &str| -> Result<PathBuf> {
        let path = folder.join(name);
        if path.join(file).exists() {
            return Ok(path);
        }
        Err(Error::usage(format!(
            "expected the folder {name} with {file} in it, which is not there"
        ))
        .at(Place::whole(folder.display().to_string()))
        .hint(format!(
            "python3 scripts/demo-models.py {} makes what is missing",
            folder.display()
        )))
    };
    Ok(Models {
        texts: part("minilm", "tokenizer.json")?.display().to_string(),
        pictures: part("efficientnet", "preprocessor_config.json")?
            .display()
            .to_string(),
        styles: part("emoji-styles", "subgroups.tsv")?,
    })
}
