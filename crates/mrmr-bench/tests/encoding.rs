//! Shards of vectors: what is kept is used again, and what would be wrong is not.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mrmr_bench::encoding::EncodingJob;
use mrmr_bench::store::Store;
use mrmr_core::{Content, Error, Image, Media, Modality, Part, Record, Result};
use mrmr_models::{
    CaptionSource, Embeddings, Encoder, Hashing, NoCaptions, Pixels, RecordEncoder, Role,
};

/// Hashing that counts what it encodes, fails at the text `bad`, and breaks when it is told.
struct Counting {
    items: Arc<AtomicUsize>,
    breaks_at: usize,
}

impl Encoder for Counting {
    fn name(&self) -> &str {
        "counting"
    }
    fn dimension(&self) -> usize {
        16
    }
    fn takes(&self) -> Modality {
        "text".parse().unwrap()
    }
    fn encode(&self, contents: &[Content], role: Role) -> Result<Embeddings> {
        let before = self.items.fetch_add(contents.len(), Ordering::Relaxed);
        if before >= self.breaks_at {
            return Err(Error::data("broken"));
        }
        let made = Hashing::new(16).encode(contents, role)?;
        let rows = contents
            .iter()
            .enumerate()
            .map(|(at, content)| match content.parts() {
                [Part::Text(text)] if text == "bad" => Err("a bad text".to_owned()),
                _ => Ok(made.vector(at).unwrap().to_vec()),
            });
        Ok(Embeddings::single(16, rows.collect(), made.notes()))
    }
}

fn encoder(breaks_at: usize) -> (RecordEncoder, Arc<AtomicUsize>) {
    let items = Arc::new(AtomicUsize::new(0));
    let counting = Counting {
        items: items.clone(),
        breaks_at,
    };
    let rule = "text".parse().unwrap();
    (RecordEncoder::new(rule, Arc::new(counting)).unwrap(), items)
}

fn records(count: usize) -> Vec<(String, Record)> {
    let text = |at: usize| match at {
        7 => "bad".to_owned(),
        at => format!("text number {at}"),
    };
    (0..count)
        .map(|at| (format!("d{at}"), Record::new(text(at))))
        .collect()
}

fn borrowed(records: &[(String, Record)]) -> Vec<(&str, &Record)> {
    let records = records.iter();
    records.map(|(id, record)| (id.as_str(), record)).collect()
}

/// All vectors, and how many shards were there before.
fn encode(folder: &Path, job: EncodingJob<'_>, records: &[(String, Record)]) -> (Vec<f32>, usize) {
    let store = Store::open(folder).unwrap();
    let records = borrowed(records);
    let encoded = job.plan(&records, &store).unwrap().run(&()).unwrap();
    let mut data = Vec::new();
    encoded
        .each(&mut |shard| {
            data.extend(shard.data);
            Ok(())
        })
        .unwrap();
    (data, encoded.reused())
}

fn job(encoder: &RecordEncoder, shard: usize, batch: usize) -> EncodingJob<'_> {
    EncodingJob {
        shard,
        batch,
        ..EncodingJob::new(encoder, Role::Document, &NoCaptions)
    }
}

#[test]
fn work_that_broke_goes_on_at_its_shard_and_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let records = records(25);
    let (whole, _) = encoder(usize::MAX);
    let (expected, reused) = encode(&folder.path().join("a"), job(&whole, 4, 3), &records);
    assert_eq!((expected.len(), reused), (24 * 16, 0));

    let store = Store::open(folder.path().join("b")).unwrap();
    let named = borrowed(&records);
    let (breaking, _) = encoder(12);
    let plan = job(&breaking, 4, 3).plan(&named, &store).unwrap();
    assert_eq!((plan.shards(), plan.reused()), (7, 0));
    let error = plan.run(&()).err().unwrap();
    assert_eq!(error.message(), "broken");
    assert_eq!(store.count().unwrap(), 3);

    let (rest, items) = encoder(usize::MAX);
    let (found, reused) = encode(store.folder(), job(&rest, 4, 2), &records);
    assert_eq!((found, reused), (expected, 3));
    assert_eq!(items.load(Ordering::Relaxed), 25 - 12);
}

#[test]
fn a_failure_keeps_its_id_and_shifts_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let records = records(10);
    let (encoder, _) = encoder(usize::MAX);
    let store = Store::open(folder.path()).unwrap();
    let named = borrowed(&records);
    let plan = job(&encoder, 3, 2).plan(&named, &store).unwrap();
    let encoded = plan.run(&()).unwrap();
    let failures: Vec<_> = encoded.failures().collect();
    assert_eq!(failures, [("d7", "a bad text")]);
    let ids = encoded.ids();
    assert_eq!(ids.len(), 9);
    assert!(!ids.contains(&"d7".to_owned()));
    let mut data = Vec::new();
    encoded
        .each(&mut |shard| {
            data.extend(shard.data);
            Ok(())
        })
        .unwrap();
    let own = Hashing::new(16)
        .encode(&["text number 8".into()], Role::Document)
        .unwrap();
    let place = ids.iter().position(|id| id == "d8").unwrap();
    assert_eq!(data[place * 16..][..16], *own.vector(0).unwrap());
    // The reason is kept with the shard.
    let plan = job(&encoder, 3, 2).plan(&named, &store).unwrap();
    let again = plan.run(&()).unwrap();
    assert_eq!((again.reused(), again.failures().len()), (4, 1));
    assert_eq!(again.notes(), encoded.notes());
}

#[test]
fn no_shard_of_other_inputs_or_parameters_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let (encoder, _) = encoder(usize::MAX);
    let own = records(6);
    let base = job(&encoder, 3, 3);
    encode(folder.path(), base, &own);
    let reused = |job: EncodingJob<'_>, records: &[(String, Record)]| {
        let store = Store::open(folder.path()).unwrap();
        let records = borrowed(records);
        job.plan(&records, &store).unwrap().reused()
    };
    assert_eq!(reused(base, &own), 2);
    // What no vector depends on: the ids, the size of a batch.
    let mut renamed = own.clone();
    renamed[0].0 = "other".to_owned();
    assert_eq!(reused(EncodingJob { batch: 1, ..base }, &renamed), 2);
    // One record is another: its shard alone goes.
    let mut changed = own.clone();
    changed[4].1 = Record::new("another text");
    assert_eq!(reused(base, &changed), 1);
    let identity = [("model".to_owned(), "other".to_owned())];
    for other in [
        EncodingJob {
            role: Role::Query,
            ..base
        },
        EncodingJob {
            identity: &identity,
            ..base
        },
        EncodingJob { shard: 2, ..base },
    ] {
        assert_eq!(reused(other, &own), 0);
    }
    let asked = EncodingJob {
        role: Role::Query,
        ..base
    };
    encode(folder.path(), asked, &own);
    let told = EncodingJob {
        instruction: Some("Find it."),
        ..asked
    };
    assert_eq!((reused(asked, &own), reused(told, &own)), (2, 0));
    let captions = RecordEncoder::new("captions".parse().unwrap(), Arc::new(Hashing::new(16)));
    let captions = captions.unwrap();
    assert_eq!(reused(job(&captions, 3, 3), &own), 0);
}

struct OneCaption(&'static str);

impl CaptionSource for OneCaption {
    fn caption(&self, _: Role, _: &str, _: &str) -> Option<&str> {
        Some(self.0)
    }
}

#[test]
fn captions_and_pictures_count_where_the_rule_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |byte: u8| {
        let image = Image {
            label: "image 1".to_owned(),
            media: Media::Bytes(Arc::from([byte])),
        };
        let parts = [Part::Text("See ".to_owned()), Part::Image(image)];
        vec![("d".to_owned(), Record::new(Content::new(parts)))]
    };
    let reused = |encoder: &RecordEncoder, caption: &OneCaption, records: &[(String, Record)]| {
        let store = Store::open(folder.path()).unwrap();
        let records = borrowed(records);
        let job = EncodingJob::new(encoder, Role::Document, caption);
        let plan = job.plan(&records, &store).unwrap();
        let reused = plan.reused();
        // A picture of one byte fails, which is kept with its shard or ends it.
        let _ = plan.run(&());
        reused
    };
    let of = |rule: &str| RecordEncoder::new(rule.parse().unwrap(), Arc::new(Hashing::new(8)));
    let (text, captions) = (of("text").unwrap(), of("captions").unwrap());
    let pixels = RecordEncoder::new("interleaved".parse().unwrap(), Arc::new(Pixels)).unwrap();
    let (a, b) = (OneCaption("a"), OneCaption("b"));
    assert_eq!(reused(&text, &a, &picture(1)), 0);
    assert_eq!(reused(&text, &b, &picture(2)), 1);
    assert_eq!(reused(&captions, &a, &picture(1)), 0);
    assert_eq!(reused(&captions, &a, &picture(2)), 1);
    assert_eq!(reused(&captions, &b, &picture(1)), 0);
    assert_eq!(reused(&pixels, &a, &picture(1)), 0);
    assert_eq!(reused(&pixels, &b, &picture(1)), 1);
    assert_eq!(reused(&pixels, &a, &picture(2)), 0);
}

#[test]
fn a_damaged_shard_is_encoded_again() {
    let folder = tempfile::tempdir().unwrap();
    let (encoder, _) = encoder(usize::MAX);
    let own = records(6);
    let (expected, _) = encode(folder.path(), job(&encoder, 3, 3), &own);
    let mut files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    let path = files.remove(0).unwrap().path();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    {
        let store = Store::open(folder.path()).unwrap();
        let named = borrowed(&own);
        let plan = job(&encoder, 3, 3).plan(&named, &store).unwrap();
        assert_eq!((plan.reused(), plan.damaged()), (1, 1));
    }
    let (found, reused) = encode(folder.path(), job(&encoder, 3, 3), &own);
    assert_eq!((found, reused), (expected, 1));
}
