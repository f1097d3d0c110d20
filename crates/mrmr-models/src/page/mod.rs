//! The content rule `page`: a record as one picture.

mod characters;
mod drawer;
mod finished;
mod fonts;
mod notes;
mod options;
mod pen;
mod picture;
mod sheet;

pub use drawer::PageDrawer;
pub use finished::Page;
pub use notes::PageNotes;
pub use options::{Fonts, PageOptions};
