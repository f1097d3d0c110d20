//! The program in a folder of its own, and vectors to search.

#![allow(dead_code, clippy::unwrap_used)]

use std::fmt;
use std::path::Path;

use assert_cmd::Command;

/// All that a call gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => writeln!(f, "exit code {code}")?,
            None => writeln!(f, "ended by a signal")?,
        }
        write!(f, "--- stdout\n{}--- stderr\n{}", self.stdout, self.stderr)
    }
}

pub(crate) fn mrmr(folder: &Path, arguments: &str) -> Said {
    let output = Command::cargo_bin("mrmr")
        .unwrap()
        .current_dir(folder)
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    Said {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Writes rows of `dimension` numbers as NumPy would.
pub(crate) fn npy(folder: &Path, name: &str, dimension: usize, numbers: &[f32]) {
    let mut header = format!(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {dimension}), }}",
        numbers.len() / dimension
    );
    header += &" ".repeat(63 - (10 + header.len()) % 64);
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
    std::fs::write(folder.join(name), bytes).unwrap();
}

/// Two queries and four documents, one of them without a direction.
pub(crate) fn vectors() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    npy(at, "q.npy", 2, &[1.0, 0.0, 0.0, 2.0]);
    npy(at, "d.npy", 2, &[3.0, 4.0, 1.0, 0.0, 0.0, 0.0, 0.0, 5.0]);
    std::fs::write(at.join("q.txt"), "q1\nq2\n").unwrap();
    std::fs::write(at.join("d.txt"), "slope\neast\nnowhere\nnorth\n").unwrap();
    folder
}

/// Numbers from -1 to 1 that look like chance, the same each time.
pub(crate) fn noise(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// 2,000 documents and 40 queries of 16 numbers; `D.npy`, `Q.npy`, and judgements of the documents that exact search
/// puts first for half of the queries.
pub(crate) fn many() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    npy(at, "D.npy", 16, &noise(2000 * 16, 7));
    npy(at, "Q.npy", 16, &noise(40 * 16, 8));
    let said = mrmr(
        at,
        "search -q --corpus-vectors D.npy --query-vectors Q.npy -k 1",
    );
    let first = said.stdout.lines().take(20).map(|line| {
        let fields: Vec<&str> = line.split(' ').collect();
        format!("{} 0 {} 1\n", fields[0], fields[2])
    });
    std::fs::write(at.join("qrels.txt"), first.collect::<String>()).unwrap();
    folder
}
