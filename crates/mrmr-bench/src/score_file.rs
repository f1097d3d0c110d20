//! A run file measured: query by query where it can be, else as a whole.

use mrmr_core::Result;
use mrmr_formats::Input;
use mrmr_formats::run::{Blocks, RunFileNotes, RunOptions, read_blocks, read_run};
use mrmr_measures::{Evaluation, Evaluator, Session};

/// How a run file is measured.
#[derive(Clone, Debug, Default)]
pub struct ScoreOptions {
    /// How the run is read.
    pub run: RunOptions,
    /// Whether documents with the id of their query are left out.
    pub drop_self: bool,
}

/// A run file measured.
#[derive(Clone, Debug)]
pub struct Scored {
    /// The values.
    pub evaluation: Evaluation,
    /// What reading the run accepted; nothing where it was plain TREC.
    pub notes: RunFileNotes,
    /// How many documents had the id of their query and were left out.
    pub own_dropped: usize,
}

/// Reads a run and measures it.
///
/// A plain TREC run whose queries stand together is never held in memory: each query is measured as it
/// ends. The result is the same, to the last bit, as that of [`Evaluator::evaluate`].
///
/// ```
/// use mrmr_bench::score_file;
/// use mrmr_core::{Origin, Qrels};
/// use mrmr_formats::Input;
/// use mrmr_measures::{Evaluator, Policies};
/// let mut judged = Qrels::builder(Origin::memory("qrels"));
/// judged.add("q1", "d7", 1.0, 0)?;
/// let (qrels, _) = judged.finish()?;
/// let evaluator = Evaluator::new(&qrels, vec!["RR".parse()?], Policies::default())?;
/// let run = Input::memory("run.txt", &b"q1 Q0 d9 1 2.5 bm25\nq1 Q0 d7 2 1.5 bm25\n"[..]);
/// let scored = score_file(&evaluator, &run, &Default::default())?;
/// assert_eq!(scored.evaluation.measures[0].value, 0.5);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// # Errors
/// If the run cannot be read or measured.
pub fn score_file(
    evaluator: &Evaluator<'_>,
    input: &Input,
    options: &ScoreOptions,
) -> Result<Scored> {
    let mut input = input.clone();
    if options.run.format.is_none() && !options.drop_self {
        let read = read_blocks(
            &input,
            || Session::new(evaluator),
            |session, block| {
                session.add(block.query(), block.scores(), |place| block.document(place))
            },
        )?;
        match read {
            Blocks::Read { takers, name } => {
                let name = options.run.name.as_ref().unwrap_or(&name);
                return Ok(Scored {
                    evaluation: evaluator.finish(name, takers)?,
                    notes: RunFileNotes::default(),
                    own_dropped: 0,
                });
            }
            Blocks::Unfit(again) => input = again,
        }
    }
    let (mut run, notes) = read_run(&input, &options.run)?;
    let mut own_dropped = 0;
    if options.drop_self {
        (run, own_dropped) = run.retain(|query, document| query != document);
    }
    Ok(Scored {
        evaluation: evaluator.evaluate(&run)?,
        notes,
        own_dropped,
    })
}
