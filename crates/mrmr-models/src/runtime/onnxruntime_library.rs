//! Where the library of ONNX Runtime is.

use std::env;
use std::path::{Path, PathBuf};

use mrmr_core::{Error, Result};

/// The library: `ORT_DYLIB_PATH`, else that of the PyPI package `onnxruntime` in the active virtual environment, in
/// `.venv`, or in the Python beside a `python3` of the path.
pub(super) fn library() -> Result<PathBuf> {
    if let Some(named) = env::var_os("ORT_DYLIB_PATH").filter(|path| !path.is_empty()) {
        let path = PathBuf::from(named);
        return if path.is_file() {
            Ok(path)
        } else {
            Err(Error::usage(format!(
                "expected the library of ONNX Runtime at {} (ORT_DYLIB_PATH), found no file",
                path.display()
            )))
        };
    }
    prefixes().iter().find_map(|prefix| of_wheel(prefix)).ok_or_else(|| {
        Error::usage("expected the library of ONNX Runtime, found none")
            .hint("install it with `pip install onnxruntime`, or set ORT_DYLIB_PATH to libonnxruntime.so")
    })
}

/// Folders that hold a Python: the roots of virtual environments and installations.
fn prefixes() -> Vec<PathBuf> {
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"]
        .into_iter()
        .filter_map(env::var_os)
        .map(PathBuf::from);
    let near = env::current_dir()
        .into_iter()
        .map(|folder| folder.join(".venv"));
    let search = env::var_os("PATH").unwrap_or_default();
    let beside: Vec<PathBuf> = env::split_paths(&search)
        .filter(|folder| folder.join("python3").exists())
        .filter_map(|folder| folder.join("python3").canonicalize().ok())
        .filter_map(|python| python.parent()?.parent().map(Path::to_owned))
        .collect();
    active.chain(near).chain(beside).collect()
}

/// The library in a Python's `site-packages/onnxruntime/capi`.
fn of_wheel(prefix: &Path) -> Option<PathBuf> {
    let mut packages = vec![prefix.join("Lib/site-packages")];
    let libraries = prefix.join("lib");
    for python in sorted(&libraries).filter(|path| starts(path, "python")) {
        packages.extend(["site-packages", "dist-packages"].map(|name| python.join(name)));
    }
    let inside = packages
        .iter()
        .map(|packages| packages.join("onnxruntime/capi"));
    inside.into_iter().find_map(|capi| {
        let names = ["libonnxruntime.so", "libonnxruntime.", "onnxruntime.dll"];
        let library = |path: &PathBuf| names.iter().any(|name| starts(path, name));
        sorted(&capi).find(library)
    })
}

fn sorted(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter()
}

fn starts(path: &Path, name: &str) -> bool {
    path.file_name()
        .is_some_and(|file| file.to_string_lossy().starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_of_a_wheel_is_found_below_its_python() {
        let folder = tempfile::tempdir().unwrap();
        let capi = folder
            .path()
            .join("lib/python3.12/site-packages/onnxruntime/capi");
        std::fs::create_dir_all(&capi).unwrap();
        assert_eq!(of_wheel(folder.path()), None);
        std::fs::write(capi.join("libonnxruntime_providers_shared.so"), "").unwrap();
        assert_eq!(of_wheel(folder.path()), None);
        std::fs::write(capi.join("libonnxruntime.so.1.30.0"), "").unwrap();
        assert_eq!(
            of_wheel(folder.path()),
            Some(capi.join("libonnxruntime.so.1.30.0"))
        );
    }
}
