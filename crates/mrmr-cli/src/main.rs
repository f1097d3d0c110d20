//! The command `mrmr`.
fn main() {}
