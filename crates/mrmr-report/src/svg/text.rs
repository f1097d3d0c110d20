//! Text and numbers in SVG.

use crate::export::escaped;

/// A coordinate: two digits are less than anyone sees, and the same on every machine.
pub(super) fn at(value: f64) -> String {
    let text = format!("{:.2}", value + 0.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" | "" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// A text at a place.
pub(super) fn label(class: &str, x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!(
        "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>\n",
        at(x),
        at(y),
        escaped(text)
    )
}
