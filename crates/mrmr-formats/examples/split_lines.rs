//! Splits the lines of a file into fields and counts them: a floor for what reads runs.
//!
//! `cargo run --release -p mrmr-formats --example split_lines RUN`

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let mut reader = std::io::BufReader::with_capacity(256 << 10, std::fs::File::open(path)?);
    let (mut lines, mut fields, mut line) = (0u64, 0usize, Vec::new());
    while reader.read_until(b'\n', &mut line)? > 0 {
        lines += 1;
        fields += line.split(|byte| *byte == b' ').count();
        line.clear();
    }
    writeln!(std::io::stdout(), "{lines} lines, {fields} fields")
}
