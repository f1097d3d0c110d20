//! Emoji by their picture in another drawing style: real judgements for encoders of pictures.
//!
//! Queries are Twemoji's pictures, which the program carries, documents those of a folder: `noto/CODE.png` and
//! `subgroups.tsv` (code, tab, Unicode's subgroup). The same emoji has grade 2, another of its subgroup 1.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use mrmr_core::{
    Collection, Content, Dataset, DocId, Error, Image, Media, Origin, Part, Place, Qrels, QueryId,
    Record, Result,
};

use crate::demo::Demo;
use crate::registry::TaskSpec;
use crate::task::{Source, Task};

/// The folder's style.
const STYLE: &str = "noto";

/// The task over the emoji that both styles have.
///
/// # Errors
/// If a file is missing or a line of `subgroups.tsv` has another form.
pub fn task(demo: &Demo, folder: &Path) -> Result<Task> {
    let file = folder.join("subgroups.tsv");
    let subgroups = subgroups(&file)?;
    let mut queries: Collection<QueryId> = Collection::new(Origin::memory("emoji in Twemoji"));
    let mut corpus: Collection<DocId> = Collection::new(Origin::memory("emoji in Noto"));
    let mut members: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (_, id, record) in demo.corpus.iter() {
        let Some(subgroup) = subgroups.get(id) else {
            continue;
        };
        let path = folder.join(STYLE).join(format!("{id}.png"));
        let bytes = fs_err::read(&path)
            .map_err(|error| Error::io(error).at(Place::whole(path.display().to_string())))?;
        let number = corpus.len() as u64;
        queries.push(id, record.clone(), number)?;
        corpus.push(id, picture(&bytes), number)?;
        members.entry(subgroup).or_default().push(id);
    }
    if corpus.is_empty() {
        return Err(Error::data(
            "no emoji of the program is listed: expected lines such as 1f600<TAB>face-smiling",
        )
        .at(Place::whole(file.display().to_string())));
    }
    let mut qrels = Qrels::builder(Origin::memory("emoji of one subgroup"));
    let mut number = 0;
    for members in members.values() {
        for query in members {
            for document in members {
                let grade = if query == document { 2.0 } else { 1.0 };
                qrels.add(query, document, grade, number)?;
                number += 1;
            }
        }
    }
    let (qrels, _) = qrels.finish()?;
    Ok(Task {
        spec: TaskSpec::custom("twemoji to noto")?,
        dataset: Dataset {
            name: "twemoji to noto".to_owned(),
            queries,
            corpus,
            qrels,
            candidates: BTreeMap::new(),
            excluded: BTreeMap::new(),
        },
        source: Source {
            path: folder.display().to_string(),
            ..Source::default()
        },
    })
}

fn subgroups(file: &Path) -> Result<BTreeMap<String, String>> {
    let name = file.display().to_string();
    let text = fs_err::read_to_string(file)
        .map_err(|error| Error::io(error).at(Place::whole(name.clone())))?;
    let lines = text.lines().enumerate();
    lines
        .map(|(at, line)| match line.split_once('\t') {
            Some((code, subgroup)) => Ok((code.to_owned(), subgroup.to_owned())),
            None => Err(Error::data(format!(
                "line {}: expected an emoji's code, a tab and its subgroup, found '{line}'",
                at + 1
            ))
            .at(Place::whole(name.clone()))),
        })
        .collect()
}

fn picture(png: &[u8]) -> Record {
    let image = |label: &str| Image {
        label: label.to_owned(),
        media: Media::Bytes(Arc::from(png)),
    };
    Record {
        content: Content::new([Part::Image(image("image 1"))]),
        merged: Some(image("image")),
        ..Record::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(subgroups: &str, codes: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("subgroups.tsv"), subgroups).unwrap();
        std::fs::create_dir(folder.path().join("noto")).unwrap();
        for code in codes {
            std::fs::write(folder.path().join(format!("noto/{code}.png")), b"png").unwrap();
        }
        folder
    }

    #[test]
    fn the_same_emoji_is_worth_more_than_its_subgroup_and_others_nothing() {
        let demo = crate::demo::build().unwrap();
        let lines = "1f600\tface-smiling\n1f603\tface-smiling\n1f431\tanimal-mammal\nffff\tother\n";
        let folder = folder(lines, &["1f600", "1f603", "1f431"]);
        let task = task(&demo, folder.path()).unwrap();
        assert_eq!(task.dataset.queries.len(), 3);
        let qrels = &task.dataset.qrels;
        let mut found: Vec<(&str, &str, f64)> = Vec::new();
        for query in qrels.queries().keys() {
            for judgement in qrels.judgements(query) {
                let document = qrels.documents().name(judgement.document);
                found.push((qrels.queries().name(query), document, judgement.grade));
            }
        }
        found.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        let expected = [
            ("1f431", "1f431", 2.0),
            ("1f600", "1f600", 2.0),
            ("1f600", "1f603", 1.0),
            ("1f603", "1f600", 1.0),
            ("1f603", "1f603", 2.0),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_missing_is_named() {
        let demo = crate::demo::build().unwrap();
        let absent = folder("1f600\tface-smiling\n", &[]);
        let error = task(&demo, absent.path()).unwrap_err().to_string();
        assert!(error.contains("1f600.png"), "{error}");
        let broken = folder("1f600 face-smiling\n", &[]);
        let error = task(&demo, broken.path()).unwrap_err().to_string();
        assert!(
            error.contains("line 1: expected an emoji's code, a tab"),
            "{error}"
        );
        let other = folder("ffff\tother\n", &[]);
        assert!(
            task(&demo, other.path())
                .unwrap_err()
                .to_string()
                .contains("no emoji")
        );
    }
}
