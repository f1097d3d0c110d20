//! What describes pictures in words.

use mrmr_core::{Image, Result};

use crate::http::Traffic;

/// Takes the caption of the image of a number, or why there is none; an error ends the work.
pub type EachCaption<'a> = dyn Fn(usize, Result<String, String>) -> Result<()> + Sync + 'a;

/// Describes pictures in words.
pub trait Captioner: Send + Sync {
    /// Its name, as the user gave it.
    fn name(&self) -> &str;

    /// What it is asked about each picture.
    fn prompt(&self) -> &str;

    /// Calls `each` with the caption of every image as it comes, from any thread and in any order.
    ///
    /// # Errors
    /// If the captioner itself fails, or `each` does; what is wrong with one image is told to `each`.
    fn caption(&self, images: &[Image], each: &EachCaption<'_>) -> Result<()>;

    /// What asking took so far, where it is behind a network.
    fn traffic(&self) -> Option<Traffic> {
        None
    }
}
