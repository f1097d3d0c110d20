//! A network of any runtime: named arrays in, one array out.

use mrmr_core::Result;

/// An input or an output of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Port {
    pub(crate) name: String,
    /// The sizes of its axes, where the network states them; an axis may be of any size.
    pub(crate) shape: Option<Vec<Option<usize>>>,
}

impl Port {
    /// How many axes it has, where stated.
    pub(crate) fn axes(&self) -> Option<usize> {
        self.shape.as_ref().map(Vec::len)
    }

    /// The size of the last axis, where stated.
    pub(crate) fn last(&self) -> Option<usize> {
        self.shape.as_ref()?.last().copied().flatten()
    }
}

/// The numbers of an input, row after row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values<'a> {
    /// Of tokens.
    Whole(&'a [i32]),
    /// Of pictures.
    Real(&'a [f32]),
}

/// A value for an input.
#[derive(Clone, Debug)]
pub(crate) struct Input<'a> {
    /// Which input, by its place.
    pub(crate) port: usize,
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Values<'a>,
}

/// A value of an output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor {
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Vec<f32>,
}

/// A loaded network; several workers may run it at once.
pub(crate) trait Network: Send + Sync {
    /// What it reads.
    fn inputs(&self) -> &[Port];

    /// What it gives.
    fn outputs(&self) -> &[Port];

    /// Runs it for one output, on a worker's own thread.
    fn run(&self, worker: usize, inputs: &[Input<'_>], output: usize) -> Result<Tensor>;
}
