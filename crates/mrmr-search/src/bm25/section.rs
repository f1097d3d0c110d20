//! Bytes of an index, built here or lying in a file: the same form in both, little-endian.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::mapped::Mapped;

/// A part of an index.
pub(super) enum Section {
    Owned(Vec<u8>),
    Mapped(Arc<Mapped>, Range<usize>),
}

impl Section {
    /// Numbers of 32 bits.
    pub(super) fn of_u32(numbers: impl IntoIterator<Item = u32>) -> Self {
        let bytes: Vec<[u8; 4]> = numbers.into_iter().map(u32::to_le_bytes).collect();
        Section::Owned(bytes.into_flattened())
    }

    /// Numbers of 64 bits.
    pub(super) fn of_u64(numbers: impl IntoIterator<Item = u64>) -> Self {
        let bytes: Vec<[u8; 8]> = numbers.into_iter().map(u64::to_le_bytes).collect();
        Section::Owned(bytes.into_flattened())
    }

    /// As numbers of `N` bytes.
    pub(super) fn numbers<const N: usize>(&self) -> &[[u8; N]] {
        self.as_chunks().0
    }

    /// A number of 32 bits.
    pub(super) fn u32(&self, place: usize) -> u32 {
        u32::from_le_bytes(self.numbers()[place])
    }

    /// A number of 64 bits as a place in memory.
    pub(super) fn place(&self, place: usize) -> usize {
        u64::from_le_bytes(self.numbers()[place]) as usize
    }
}

impl Deref for Section {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Section::Owned(bytes) => bytes,
            Section::Mapped(map, range) => &map[range.clone()],
        }
    }
}
