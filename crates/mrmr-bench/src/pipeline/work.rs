//! What steps do, one kind a file.

pub(super) mod bm25;
pub(super) mod encode;
pub(super) mod expand;
pub(super) mod fuse;
pub(super) mod rerank;
pub(super) mod run_file;
pub(super) mod search;
pub(super) mod tune;
