//! `mrmr caption`: a model describes the pictures of a data set, each picture once.

mod pictures;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap::Args;
use mrmr_core::{Error, Event, Image, Observer as _, Place, Result};
use mrmr_formats::captions::{CaptionJournal, Captions, read_captions, write_captions};
use mrmr_formats::dataset::{DatasetOptions, open_dataset};
use mrmr_formats::input::Input;
use mrmr_models::{Captioner, open_captioner};

use self::pictures::{Pictures, Use};
use crate::Ending;
use crate::interruption;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::words::counted;

/// How many pictures without a caption are named.
const NAMED: usize = 10;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr caption data/theorem --captioner openai:gpt-5-mini -o captions.json\n  mrmr caption data/theorem --captioner ollama:llava -o captions.json\n  mrmr caption data/theorem --missing -o captions.json\n\nWhat is done so far is kept in FILE.journal: the same command goes on from there.\nExit code 1: some pictures have no caption."
)]
pub(crate) struct CaptionArguments {
    /// The folder of a data set
    pub(crate) path: PathBuf,
    /// The model: CONVENTION[+URL]:MODEL[,OPTION=VALUE] (docs/http-models.md)
    #[arg(long, value_name = "ENDPOINT", required_unless_present = "missing")]
    pub(crate) captioner: Option<String>,
    /// The file of captions, as MRMR's authors lay it out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The split of the data
    #[arg(long, value_name = "SPLIT")]
    pub(crate) split: Option<String>,
    /// What the model is asked about each picture
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,
    /// Ask nothing: list the pictures that FILE has no caption for
    #[arg(long, conflicts_with_all = ["captioner", "prompt"])]
    pub(crate) missing: bool,
}

pub(crate) fn run(arguments: &CaptionArguments, printer: Printer) -> Result<Ending> {
    let options = DatasetOptions {
        split: arguments.split.clone(),
        name: None,
    };
    let (dataset, _) = open_dataset(&arguments.path, &options)?;
    let Some(name) = &arguments.captioner else {
        let captions = read_captions(&Input::new(&arguments.output))?;
        return missing(&Pictures::uses(&dataset), &captions, printer);
    };
    let captioner = open_captioner(name, arguments.prompt.as_deref())?;
    let journal_path = journal_path(&arguments.output);
    if arguments.output.exists() && !journal_path.exists() {
        return Err(
            Error::usage("this file is there already and has no journal")
                .at(Place::whole(arguments.output.display().to_string()))
                .hint("name another output, or move this file away"),
        );
    }
    let pictures = Pictures::find(&dataset);
    // Options change how an endpoint is asked, not what it answers.
    let model = captioner
        .name()
        .split(',')
        .next()
        .unwrap_or_default()
        .to_owned();
    let (journal, known) = CaptionJournal::open(&journal_path, &model, captioner.prompt())?;
    let kept = format!(
        "captions so far are kept in {}; the same command goes on from there",
        journal_path.display()
    );
    interruption::keep(Some(format!("interrupted; {kept}")));
    let (known, reasons) =
        ask(&*captioner, &pictures, &journal, known, printer).map_err(|error| error.hint(kept))?;
    let mut captions = Captions::new();
    let mut without: Vec<(&Use, &str)> = Vec::new();
    for (picture, uses) in pictures.by_hash() {
        for one in uses {
            match known.get(picture) {
                Some(caption) => captions.insert(one.subset, &one.id, &one.label, caption)?,
                None => without.push((one, reasons.get(picture).map_or("", String::as_str))),
            }
        }
    }
    without.extend(
        pictures
            .unreadable()
            .iter()
            .map(|(one, reason)| (one, reason.as_str())),
    );
    write_captions(&captions, &arguments.output)?;
    interruption::keep(None);
    if let Some(traffic) = captioner.traffic() {
        printer.say(&traffic.to_string());
    }
    printer.say(&format!(
        "{}: {} of {}",
        arguments.output.display(),
        counted(captions.len(), "caption", "captions"),
        counted(pictures.len() - reasons.len(), "picture", "pictures"),
    ));
    for (one, reason) in without.iter().take(NAMED) {
        printer.warning(&format!("{one}: {reason}"));
    }
    if without.len() > NAMED {
        printer.warning(&format!("{} more without a caption", without.len() - NAMED));
    }
    Ok(match without.is_empty() {
        true => Ending::Done,
        false => Ending::Found,
    })
}

/// Where captions are kept as they come: the output's name and `.journal`.
fn journal_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".journal");
    name.into()
}

type ByHash = BTreeMap<String, String>;

/// Asks for the captions that are not known yet; captions and reasons by the hash of their picture.
fn ask(
    captioner: &dyn Captioner,
    pictures: &Pictures,
    journal: &CaptionJournal,
    known: ByHash,
    printer: Printer,
) -> Result<(ByHash, ByHash)> {
    let todo: Vec<(&str, &Image)> = pictures
        .images()
        .filter(|(hash, _)| !known.contains_key(*hash))
        .collect();
    let images: Vec<Image> = todo.iter().map(|(_, image)| (*image).clone()).collect();
    let progress = Progress::new(printer);
    progress.observe(Event::StepStarted {
        number: 1,
        of: 1,
        name: "captions",
        total: Some(images.len() as u64),
        unit: "pictures",
    });
    let made = Mutex::new((known, ByHash::new()));
    captioner.caption(&images, &|number, caption| {
        let hash = todo[number].0;
        if let Ok(caption) = &caption {
            journal.add(hash, caption)?;
        }
        if let Ok(mut made) = made.lock() {
            match caption {
                Ok(caption) => made.0.insert(hash.to_owned(), caption),
                Err(reason) => made.1.insert(hash.to_owned(), reason),
            };
        }
        progress.observe(Event::Advanced(1));
        Ok(())
    })?;
    progress.observe(Event::StepFinished);
    Ok(made
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// The pictures without a caption, one a line: subset, id, label.
fn missing(uses: &[Use], captions: &Captions, printer: Printer) -> Result<Ending> {
    let mut lines = String::new();
    let mut count = 0;
    for one in uses {
        if captions.get(one.subset, &one.id, &one.label).is_none() {
            count += 1;
            let _ = writeln!(lines, "{}\t{}\t{}", one.subset, one.id, one.label);
        }
    }
    printer.data(&lines)?;
    printer.say(&format!(
        "{count} of {} no caption",
        match (count, uses.len()) {
            (_, 1) => "1 picture has".to_owned(),
            (1, all) => format!("{all} pictures has"),
            (_, all) => format!("{all} pictures have"),
        }
    ));
    Ok(if count == 0 {
        Ending::Done
    } else {
        Ending::Found
    })
}
