//! Which ONNX file of a folder is meant.

use std::path::{Path, PathBuf};

use mrmr_core::{Error, Result, closest};

use super::ModelFolder;

const EXPORT: &str =
    "export it once with `optimum-cli export onnx --model ID FOLDER` (PyPI optimum-onnx)";

impl ModelFolder {
    /// The ONNX file: `onnx/model.onnx` or `model.onnx`, else the only one there is. With a name, `NAME`,
    /// `model_NAME.onnx` or `NAME.onnx` (`int8`, `quantized`, `O2`).
    ///
    /// # Errors
    /// If there is none, several and none asked for, or none of that name.
    pub fn network(&self, named: Option<&str>) -> Result<PathBuf> {
        let files = self.networks()?;
        let names: Vec<String> = files.iter().map(|file| self.within(file)).collect();
        let at = |error: Error| error.at(self.place(""));
        if files.is_empty() {
            let others = ["model.safetensors", "pytorch_model.bin"]
                .into_iter()
                .find(|file| self.has(file));
            let found = others.map_or("none".to_owned(), |other| format!("only {other}"));
            return Err(at(Error::format(format!(
                "expected an ONNX file (onnx/model.onnx or model.onnx), found {found}"
            ))
            .hint(EXPORT)));
        }
        if let Some(named) = named {
            let wanted = [
                named.to_owned(),
                format!("{named}.onnx"),
                format!("model_{named}.onnx"),
            ];
            let of_name = |file: &&PathBuf| {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                wanted.iter().any(|wanted| *wanted == *name) || self.within(file) == named
            };
            return files.iter().find(of_name).cloned().ok_or_else(|| {
                let near = closest(named, names.iter().map(String::as_str)).map(str::to_owned);
                at(Error::usage(format!(
                    "there is no ONNX file '{named}'; found {}",
                    names.join(", ")
                ))
                .hint_maybe(near.map(|near| format!("did you mean {near}?"))))
            });
        }
        let usual = ["onnx/model.onnx", "model.onnx"].map(|file| self.path.join(file));
        match (
            usual.into_iter().find(|file| files.contains(file)),
            files.as_slice(),
        ) {
            (Some(file), _) => Ok(file),
            (None, [only]) => Ok(only.clone()),
            (None, _) => Err(at(Error::usage(format!(
                "expected onnx/model.onnx or model.onnx, found {}",
                names.join(", ")
            ))
            .hint("name the one to use"))),
        }
    }

    fn within(&self, file: &Path) -> String {
        let within = file.strip_prefix(&self.path).unwrap_or(file);
        within.display().to_string().replace('\\', "/")
    }

    fn networks(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for folder in [self.path.join("onnx"), self.path.clone()] {
            if !folder.is_dir() {
                continue;
            }
            let failed = |error| Error::io(error).at(self.place(""));
            for entry in std::fs::read_dir(&folder).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                if path.extension().is_some_and(|ending| ending == "onnx") && path.is_file() {
                    files.push(path);
                }
            }
        }
        files.sort();
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_of(files: &[&str]) -> (tempfile::TempDir, ModelFolder) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("onnx")).unwrap();
        for file in files {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let opened = ModelFolder::open(folder.path()).unwrap();
        (folder, opened)
    }

    fn found(files: &[&str], named: Option<&str>) -> Result<String> {
        let (_kept, folder) = folder_of(files);
        folder.network(named).map(|path| folder.within(&path))
    }

    #[test]
    fn the_usual_name_comes_first_then_the_only_one() {
        let all = ["onnx/model.onnx", "onnx/model_int8.onnx"];
        assert_eq!(found(&all, None).unwrap(), "onnx/model.onnx");
        assert_eq!(
            found(&["onnx/model_int8.onnx"], None).unwrap(),
            "onnx/model_int8.onnx"
        );
        assert_eq!(found(&["model.onnx"], None).unwrap(), "model.onnx");
        for name in [
            "int8",
            "model_int8",
            "model_int8.onnx",
            "onnx/model_int8.onnx",
        ] {
            assert_eq!(
                found(&all, Some(name)).unwrap(),
                "onnx/model_int8.onnx",
                "{name}"
            );
        }
    }

    #[test]
    fn what_is_missing_or_meant_twice_is_named() {
        let none = found(&["model.safetensors"], None).unwrap_err();
        assert!(
            none.to_string().ends_with("found only model.safetensors"),
            "{none}"
        );
        assert!(none.hints()[0].contains("optimum-cli"));
        let several = found(&["onnx/a.onnx", "onnx/b.onnx"], None).unwrap_err();
        assert!(
            several
                .to_string()
                .ends_with("found onnx/a.onnx, onnx/b.onnx"),
            "{several}"
        );
        let other = found(&["onnx/model_int8.onnx"], Some("uint8")).unwrap_err();
        assert!(
            other.to_string().contains("no ONNX file 'uint8'"),
            "{other}"
        );
    }
}
