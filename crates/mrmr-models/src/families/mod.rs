//! One file a family of models.

mod cross_encoder;
mod dual;
mod hashing;
mod late_interaction;
mod picture_features;
mod pixels;
mod static_table;
mod text_encoder;

pub use cross_encoder::CrossEncoder;
pub use dual::DualEncoder;
pub use hashing::Hashing;
pub use late_interaction::LateInteraction;
pub use picture_features::PictureFeatures;
pub use pixels::Pixels;
pub use static_table::StaticTable;
pub use text_encoder::TextEncoder;

/// The reason of an item whose vector is no vector.
fn finite(vector: Vec<f32>) -> Result<Vec<f32>, String> {
    match vector.iter().find(|number| !number.is_finite()) {
        Some(number) => Err(format!(
            "expected finite numbers from the model, found {number}"
        )),
        None => Ok(vector),
    }
}
