//! ONNX Runtime where the feature is off: an error that names it.

use std::path::Path;

use mrmr_core::{Error, Place, Result};

use super::network::Network;
use super::workers::Workers;

/// Nothing can be loaded.
pub(super) fn load(path: &Path, _: Workers) -> Result<Box<dyn Network>> {
    Err(
        Error::unsupported("this build has no onnxruntime: the feature onnxruntime is off")
            .at(Place::whole(path.display().to_string()))
            .hint("build with --features onnxruntime, or choose the runtime rten"),
    )
}
