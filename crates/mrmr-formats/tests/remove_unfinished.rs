//! What is left of a file whose writing is broken off. A test alone in its program: nothing is written after it.

#![allow(clippy::unwrap_used)]

use std::sync::mpsc::channel;

use mrmr_formats::output::{remove_unfinished, write_atomically};

#[test]
fn a_file_that_was_being_written_goes_and_what_was_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.trec");
    std::fs::write(&path, "before").unwrap();
    let (sender, receiver) = channel();
    let target = path.clone();
    std::thread::spawn(move || {
        write_atomically(&target, |out| {
            out.write_all(b"half").unwrap();
            out.flush().unwrap();
            sender.send(()).unwrap();
            loop {
                std::thread::park();
            }
            #[allow(unreachable_code)]
            Ok(())
        })
    });
    receiver.recv().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    remove_unfinished();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
}
