//! A picture of a record as it stands on a page.

use image::RgbImage;
use mrmr_core::{Error, Image, Result};

use crate::pictures::{Filter, Window, decoded, resample};

/// The picture on white, the right way up, no larger than `width` x `height`: scaled down in its shape, never up.
pub(super) fn fitted(image: &Image, width: u32, height: u32) -> Result<RgbImage> {
    let picture = decoded(image).map_err(Error::data)?;
    if picture.width() <= width && picture.height() <= height {
        return Ok(picture);
    }
    let (wide, high) = within(picture.dimensions(), (width, height));
    let all = Window {
        columns: 0..wide,
        rows: 0..high,
    };
    // A cubic has no sines in it, which platforms round in their own ways.
    Ok(resample(&picture, (wide, high), &all, Filter::Bicubic))
}

/// The largest size of this shape within the other; the side that is too large by more decides.
fn within((wide, high): (u32, u32), (width, height): (u32, u32)) -> (u32, u32) {
    let [wide, high, width, height] = [wide, high, width, height].map(u64::from);
    let (wide, high) = if wide * height >= high * width {
        (width, (high * width + wide / 2) / wide)
    } else {
        ((wide * height + high / 2) / high, height)
    };
    (wide.max(1) as u32, high.max(1) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_is_kept_and_no_side_is_nothing() {
        assert_eq!(within((2000, 1000), (920, 7920)), (920, 460));
        assert_eq!(within((1000, 20_000), (920, 7920)), (396, 7920));
        assert_eq!(within((30_000, 1), (920, 7920)), (920, 1));
    }
}
