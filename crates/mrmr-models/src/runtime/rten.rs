//! Networks through `rten`.

use std::path::Path;
use std::sync::Arc;

use ::rten::{
    Dimension, LoadErrorKind, Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueOrView,
    ValueView,
};
use mrmr_core::{Error, ErrorKind, Place, Result};
use rten_tensor::Layout;

use super::network::{Input, Network, Port, Tensor, Values};
use super::workers::Workers;

const OTHER_RUNTIME: &str = "the runtime onnxruntime knows more operators: build with --features onnxruntime, install \
                             the PyPI package onnxruntime, and choose it";

struct RtenNetwork {
    model: Model,
    place: Place,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    /// One thread for each worker: a network run on several has less to do on each, and waits.
    pools: Vec<Arc<ThreadPool>>,
}

/// Loads an ONNX file, and its external data beside it.
pub(super) fn load(path: &Path, workers: Workers) -> Result<Box<dyn Network>> {
    let place = Place::whole(path.display().to_string());
    // Weights are packed once instead of once a batch; it costs their size in memory again.
    let model = ModelOptions::with_all_ops()
        .prepack_weights(true)
        .load_file(path)
        .map_err(|error| {
            let (kind, hint) = match error.kind() {
                LoadErrorKind::IoError => (ErrorKind::Io, None),
                LoadErrorKind::OperatorInvalid => (ErrorKind::Unsupported, Some(OTHER_RUNTIME)),
                LoadErrorKind::ExternalDataError => (
                    ErrorKind::Format,
                    Some("weights beside the file (model.onnx_data) belong in the same folder under the same name"),
                ),
                _ => (
                    ErrorKind::Format,
                    Some("the file may be cut off, or a Git LFS pointer: compare its size with the Hub's"),
                ),
            };
            Error::new(kind, format!("rten cannot load this model: {error}"))
                .at(place.clone())
                .hint_maybe(hint.map(str::to_owned))
                .because(error)
        })?;
    let ports = |ids: &[NodeId]| ids.iter().map(|id| port(&model, *id)).collect();
    let (inputs, outputs) = (ports(model.input_ids()), ports(model.output_ids()));
    let pools = (0..workers.count())
        .map(|_| Arc::new(ThreadPool::with_num_threads(1)))
        .collect();
    Ok(Box::new(RtenNetwork {
        model,
        place,
        inputs,
        outputs,
        pools,
    }))
}

fn port(model: &Model, id: NodeId) -> Port {
    let info = model.node_info(id);
    let shape = info.as_ref().and_then(|info| info.shape());
    Port {
        name: info
            .and_then(|info| info.name())
            .unwrap_or_default()
            .to_owned(),
        shape: shape.map(|sizes| {
            let fixed = |size| match size {
                Dimension::Fixed(size) => Some(size),
                Dimension::Symbolic(_) => None,
            };
            sizes.into_iter().map(fixed).collect()
        }),
    }
}

impl RtenNetwork {
    fn failed(&self, error: impl std::error::Error + Send + Sync + 'static) -> Error {
        Error::unsupported(format!("rten cannot run this model: {error}"))
            .at(self.place.clone())
            .hint(OTHER_RUNTIME)
            .because(error)
    }
}

impl Network for RtenNetwork {
    fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    fn run(&self, worker: usize, inputs: &[Input<'_>], output: usize) -> Result<Tensor> {
        let mut values: Vec<(NodeId, ValueOrView<'_>)> = Vec::with_capacity(inputs.len());
        for input in inputs {
            let shape = input.shape.as_slice();
            let value = match input.data {
                Values::Whole(numbers) => {
                    ValueView::from_shape(shape, numbers).map_err(|error| self.failed(error))?
                }
                Values::Real(numbers) => {
                    ValueView::from_shape(shape, numbers).map_err(|error| self.failed(error))?
                }
            };
            values.push((self.model.input_ids()[input.port], value.into()));
        }
        let options = RunOptions::default().with_thread_pool(Some(self.pools[worker].clone()));
        let outputs = [self.model.output_ids()[output]];
        let [value] = self
            .model
            .run_n(values, outputs, Some(options))
            .map_err(|error| self.failed(error))?;
        let value: rten_tensor::Tensor<f32> =
            value.try_into().map_err(|error| self.failed(error))?;
        Ok(Tensor {
            shape: value.shape().to_vec(),
            data: value.into_data(),
        })
    }
}
