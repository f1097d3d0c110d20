//! What runs a network: `rten`, or ONNX Runtime where that feature is on.

mod network;
#[cfg(feature = "onnxruntime")]
mod onnxruntime;
#[cfg(not(feature = "onnxruntime"))]
#[path = "onnxruntime_off.rs"]
mod onnxruntime;
#[cfg(feature = "onnxruntime")]
mod onnxruntime_library;
mod rten;
mod workers;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

pub(crate) use network::{Input, Network, Port, Tensor, Values};
pub(crate) use workers::Workers;

/// What runs a network.
///
/// ```
/// use mrmr_models::Runtime;
/// assert_eq!("rten".parse::<Runtime>()?, Runtime::default());
/// assert!("onnx".parse::<Runtime>().unwrap_err().to_string().contains("onnxruntime"));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Runtime {
    /// `rten`: always there, on the processor.
    #[default]
    Rten,
    /// ONNX Runtime, a library found when the program runs; needs the feature `onnxruntime`.
    OnnxRuntime,
}

impl Runtime {
    /// Every name of a runtime.
    pub const NAMES: &'static [&'static str] = &["rten", "onnxruntime"];

    /// Loads a network that so many workers will run at once.
    pub(crate) fn load(self, path: &Path, workers: Workers) -> Result<Box<dyn Network>> {
        match self {
            Runtime::Rten => rten::load(path, workers),
            Runtime::OnnxRuntime => onnxruntime::load(path, workers),
        }
    }
}

impl fmt::Display for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Runtime::Rten => "rten",
            Runtime::OnnxRuntime => "onnxruntime",
        })
    }
}

impl FromStr for Runtime {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "rten" => Ok(Runtime::Rten),
            "onnxruntime" => Ok(Runtime::OnnxRuntime),
            _ => Err(Error::usage(format!(
                "unknown runtime '{text}'; expected {}",
                Self::NAMES.join(" or ")
            ))
            .hint_maybe(
                closest(text, Self::NAMES.iter().copied())
                    .map(|name| format!("did you mean {name}?")),
            )),
        }
    }
}
