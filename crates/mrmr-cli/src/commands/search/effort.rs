//! The efforts of a sweep: `ef=16..512`, `probes=1,4,16`.

use mrmr_core::{Error, Result};

/// How many searches a sweep may be.
const MOST: usize = 64;

/// The efforts that were asked for, ascending; `name` is what the system calls them.
pub(super) fn parse(text: &str, name: &str) -> Result<Vec<usize>> {
    let refuse = || {
        Error::usage(format!(
            "--sweep {text}: expected efforts, as in {name}=16..512 or {name}=16,24,32"
        ))
    };
    let values = match text.split_once('=') {
        Some((given, values)) if given == name => values,
        Some((given, _)) => {
            return Err(Error::usage(format!(
                "--sweep {text}: '{given}' is not the effort of this system; expected {name}"
            )));
        }
        None => text,
    };
    let number = |text: &str| {
        let number = text.trim().parse::<usize>().ok();
        number.filter(|number| *number > 0).ok_or_else(refuse)
    };
    let mut efforts: Vec<usize> = match values.split_once("..") {
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(refuse());
            }
            let doubled = std::iter::successors(Some(first), |effort| effort.checked_mul(2));
            let within = doubled.take_while(|effort| *effort < last);
            within.chain([last]).collect()
        }
        None => values.split(',').map(number).collect::<Result<_>>()?,
    };
    efforts.sort_unstable();
    efforts.dedup();
    if efforts.len() > MOST {
        return Err(Error::usage(format!(
            "--sweep {text}: {} efforts; expected at most {MOST}",
            efforts.len()
        )));
    }
    Ok(efforts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_double_and_lists_are_as_given() {
        for (text, efforts) in [
            ("ef=16..128", &[16, 32, 64, 128][..]),
            ("ef=10..100", &[10, 20, 40, 80, 100]),
            ("ef=7..7", &[7]),
            ("32,16,32", &[16, 32]),
            ("1..3", &[1, 2, 3]),
        ] {
            assert_eq!(parse(text, "ef").unwrap(), efforts);
        }
    }

    #[test]
    fn what_is_no_effort_is_refused() {
        for text in ["", "ef=", "ef=0", "ef=8..4", "ef=a..b", "ef=1..", "ef=-1"] {
            let error = parse(text, "ef").unwrap_err().to_string();
            assert!(error.contains("as in ef=16..512"), "{text}: {error}");
        }
        assert_eq!(
            parse("probes=1..4", "ef").unwrap_err().to_string(),
            "--sweep probes=1..4: 'probes' is not the effort of this system; expected ef"
        );
    }
}
