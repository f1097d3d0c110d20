//! Numbers in words.

pub(crate) use mrmr_core::counted;
use mrmr_core::{Error, Result};

const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];

/// Bytes for people.
pub(crate) fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for next in UNITS {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, next);
    }
    match unit {
        "bytes" => format!("{bytes} bytes"),
        unit => format!("{value:.1} {unit}"),
    }
}

/// Bytes as people write them: `512M`, `8G`, `1.5 GiB`; units are powers of 1,024.
pub(crate) fn parse_size(option: &str, text: &str) -> Result<u64> {
    let number_end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(number_end);
    let unit = unit.trim().to_ascii_lowercase();
    let power = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => -1,
    };
    match number.parse::<f64>() {
        Ok(number) if power >= 0 && number > 0.0 => Ok((number * 1024f64.powi(power)) as u64),
        _ => Err(Error::usage(format!(
            "{option} {text}: expected a size above 0, as in 512M or 8G"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_shown() {
        for (text, bytes) in [
            ("512", 512),
            ("1.5k", 1536),
            ("2 MiB", 2 << 20),
            ("8G", 8 << 30),
            ("1tb", 1 << 40),
        ] {
            assert_eq!(parse_size("--memory", text).unwrap(), bytes);
        }
        assert_eq!(size(3 << 29), "1.5 GiB");
        for text in ["", "G", "0", "-1G", "1.2.3", "8 bits"] {
            assert!(parse_size("--memory", text).is_err(), "{text}");
        }
    }
}
