//! Networks through ONNX Runtime, loaded when the first one is.

use std::path::Path;
use std::sync::{Mutex, OnceLock};

use mrmr_core::{Error, Place, Result};
use ort::environment::Environment;
use ort::session::{Session, SessionInputValue, builder::GraphOptimizationLevel};
use ort::value::{Outlet, Tensor as OrtTensor, ValueType};

use super::network::{Input, Network, Port, Tensor, Values};
use super::onnxruntime_library::library;
use super::workers::Workers;

/// One session with threads of its own: a session for each worker would hold the weights again.
struct OrtNetwork {
    session: Mutex<Session>,
    place: Place,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
}

/// Loads an ONNX file.
pub(super) fn load(path: &Path, workers: Workers) -> Result<Box<dyn Network>> {
    let place = Place::whole(path.display().to_string());
    let environment = environment()?;
    let opened = || -> ort::Result<Session> {
        Session::builder(environment)?
            .with_optimization_level(GraphOptimizationLevel::All)?
            .with_intra_threads(workers.count())?
            .with_inter_threads(1)?
            .commit_from_file(path)
    };
    let session = opened().map_err(|error| failed(&place, error))?;
    let (inputs, outputs) = (ports(session.inputs()), ports(session.outputs()));
    Ok(Box::new(OrtNetwork {
        session: Mutex::new(session),
        place,
        inputs,
        outputs,
    }))
}

/// The one environment of the process; an error is the same each time.
fn environment() -> Result<&'static Environment> {
    static ENVIRONMENT: OnceLock<std::result::Result<Environment, String>> = OnceLock::new();
    let library = library()?;
    let made = ENVIRONMENT.get_or_init(|| {
        let builder = ort::init_from(&library).map_err(|error| error.to_string())?;
        builder.build().map_err(|error| error.to_string())
    });
    made.as_ref().map_err(|error| {
        Error::unsupported(format!(
            "expected the library of ONNX Runtime 1.22 or later: {error}"
        ))
        .at(Place::whole(library.display().to_string()))
        .hint("install it with `pip install -U onnxruntime`, or set ORT_DYLIB_PATH")
    })
}

fn failed(place: &Place, error: ort::Error) -> Error {
    Error::unsupported(format!("ONNX Runtime cannot run this model: {error}")).at(place.clone())
}

fn ports(outlets: &[Outlet]) -> Vec<Port> {
    let port = |outlet: &Outlet| Port {
        name: outlet.name().to_owned(),
        shape: match outlet.dtype() {
            ValueType::Tensor { shape, .. } => Some(
                shape
                    .iter()
                    .map(|size| usize::try_from(*size).ok())
                    .collect(),
            ),
            _ => None,
        },
    };
    outlets.iter().map(port).collect()
}

impl Network for OrtNetwork {
    fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    fn run(&self, _: usize, inputs: &[Input<'_>], output: usize) -> Result<Tensor> {
        let about = |error| failed(&self.place, error);
        let mut values: Vec<(&str, SessionInputValue<'_>)> = Vec::with_capacity(inputs.len());
        for input in inputs {
            let shape = input.shape.clone();
            let value: SessionInputValue<'_> = match input.data {
                Values::Whole(numbers) => {
                    let wide: Vec<i64> = numbers.iter().map(|number| i64::from(*number)).collect();
                    OrtTensor::from_array((shape, wide)).map_err(about)?.into()
                }
                Values::Real(numbers) => OrtTensor::from_array((shape, numbers.to_vec()))
                    .map_err(about)?
                    .into(),
            };
            values.push((&self.inputs[input.port].name, value));
        }
        let mut session = self
            .session
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let outputs = session.run(values).map_err(about)?;
        let value = &outputs[self.outputs[output].name.as_str()];
        let (shape, data) = value.try_extract_tensor::<f32>().map_err(about)?;
        Ok(Tensor {
            shape: shape.iter().map(|size| *size as usize).collect(),
            data: data.to_vec(),
        })
    }
}
