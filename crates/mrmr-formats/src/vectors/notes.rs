//! What a file of vectors says of itself: how they were made, and which records have none.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

use mrmr_core::{Error, ErrorKind, Place, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::dtype::Dtype;
use super::read::size_of;
use super::safetensors;
use crate::parquet_table::Table;

/// The form of the notes; another one is not read.
pub(crate) const SCHEMA: &str = "mrmr.vectors/1";
/// The key of the notes in the metadata of safetensors and Parquet.
pub(crate) const KEY: &str = "mrmr";

/// A record without a vector, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorFailure {
    /// The record.
    pub id: String,
    /// What was expected and what was found.
    pub reason: String,
}

/// How the vectors of a file were made.
///
/// They stand in the metadata `mrmr` of safetensors and Parquet, and beside `X.npy` in `X.npy.json`, as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorNotes {
    /// The model, as it was named.
    pub model: String,
    /// `query` or `document`.
    pub role: String,
    /// What it was run with, as (name, value): content rule, prompt, dimension and so on.
    pub settings: Vec<(String, String)>,
    /// The type of the numbers.
    pub dtype: Dtype,
    /// How many records there were, with those that failed.
    pub records: usize,
    /// Texts that were cut at the model's limit.
    pub truncated: usize,
    /// Records that have no vector, in their order.
    pub failures: Vec<VectorFailure>,
}

impl VectorNotes {
    /// Whether every record has a vector.
    pub fn is_complete(&self) -> bool {
        self.failures.is_empty()
    }

    pub(crate) fn to_json(&self) -> Value {
        let settings = self.settings.iter().cloned();
        let settings: Map<String, Value> = settings
            .map(|(name, value)| (name, Value::String(value)))
            .collect();
        serde_json::json!({
            "schema": SCHEMA,
            "model": self.model,
            "role": self.role,
            "settings": settings,
            "dtype": self.dtype.name(),
            "records": self.records,
            "complete": self.is_complete(),
            "truncated": self.truncated,
            "failures": self.failures,
        })
    }

    /// The notes of an object; none where it is none of ours.
    fn from_json(value: &Value) -> Option<Self> {
        if value.get("schema")?.as_str()? != SCHEMA {
            return None;
        }
        let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
        let count = |key: &str| usize::try_from(value.get(key)?.as_u64()?).ok();
        let settings = value.get("settings")?.as_object()?.iter();
        Some(VectorNotes {
            model: text("model")?,
            role: text("role")?,
            settings: settings
                .map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
                .collect::<Option<_>>()?,
            dtype: text("dtype")?.parse().ok()?,
            records: count("records")?,
            truncated: count("truncated")?,
            failures: serde_json::from_value(value.get("failures")?.clone()).ok()?,
        })
    }
}

/// The file of notes and ids beside a `.npy` file.
pub(crate) fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(".json");
    PathBuf::from(name)
}

/// BLAKE3 of an array's file, which what stands beside it names: an array that was written anew has other rows.
pub(crate) fn array_hash(path: &Path) -> Result<String> {
    let place = || Place::whole(path.display().to_string());
    let file = File::open(path).map_err(|error| Error::io(error).at(place()))?;
    let mut hasher = blake3::Hasher::new();
    let hashed = hasher.update_reader(file);
    hashed.map_err(|error| Error::io(error).at(place()))?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// What stands beside a `.npy` file: its notes as JSON, with `ids`; none where there is nothing, or nothing of ours.
pub(crate) fn read_beside(path: &Path) -> Result<Option<Value>> {
    let file = beside(path);
    let place = || Place::whole(file.display().to_string());
    let bytes = match std::fs::read(&file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io(error).at(place())),
    };
    let Ok(value) = serde_json::from_slice::<Value>(&bytes) else {
        return Ok(None);
    };
    Ok((value.get("schema").and_then(Value::as_str) == Some(SCHEMA)).then_some(value))
}

/// Reads what a file of vectors says of itself, of one vector a record or of many; none where it says nothing.
///
/// # Errors
/// If the file cannot be read.
pub fn read_vector_notes(path: impl AsRef<Path>) -> Result<Option<VectorNotes>> {
    let path = path.as_ref();
    let place = || Place::whole(path.display().to_string());
    let io = |error| Error::io(error).at(place());
    let mut file = File::open(path).map_err(io)?;
    // A pipe is read once, for its vectors.
    let Some(size) = size_of(&file).map_err(|error| error.at(place()))? else {
        return Ok(None);
    };
    let mut head = [0; 9];
    let length = super::bytes::fill(&mut file, &mut head)?;
    let head = &head[..length];
    if head.starts_with(super::npy::MAGIC) {
        return Ok(read_beside(path)?.as_ref().and_then(VectorNotes::from_json));
    }
    let text = if head.starts_with(b"PAR1") {
        Table::open(path)?.metadata(KEY)
    } else if safetensors::is_here(head) {
        let mut file = File::open(path).map_err(io)?;
        match safetensors::read_header(&mut file, Some(size)) {
            Ok((header, _)) => safetensors::metadata(&header, KEY).map(str::to_owned),
            Err(error) if error.kind() == ErrorKind::Io => return Err(error.at(place())),
            // Reading the vectors says what is wrong.
            Err(_) => None,
        }
    } else {
        None
    };
    let value = text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    Ok(value.as_ref().and_then(VectorNotes::from_json))
}
