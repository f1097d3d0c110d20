//! Gains by grade, and the ideal order of them.

use super::judged::Judged;
use super::number::leading_integer;
use super::options::Version;

/// What a grade is worth, and how many judged documents have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gain {
    grade: i64,
    documents: i64,
    pub(super) gain: f64,
}

/// The gains of a query, in trec_eval's order: from the lowest, where those that differ by less than 1 are equal.
#[derive(Clone, Debug)]
pub(super) struct Gains(pub(super) Vec<Gain>);

impl Gains {
    /// A grade's gain is the one given as `grade=gain`, else the grade.
    pub(super) fn new(query: &Judged, given: &[(String, f64)]) -> Self {
        let given = given
            .iter()
            .filter(|(name, _)| query.version == Version::V9 || is_integer(name));
        let mut gains: Vec<Gain> = given
            .map(|(name, gain)| Gain {
                grade: leading_integer(name),
                documents: 0,
                gain: *gain,
            })
            .collect();
        for (grade, documents) in query.levels.iter().enumerate() {
            let (grade, documents) = (grade as i64, *documents);
            match gains.iter_mut().find(|gain| gain.grade == grade) {
                Some(gain) => gain.documents = documents,
                None => gains.push(Gain {
                    grade,
                    documents,
                    gain: grade as f64,
                }),
            }
        }
        Gains(merge_sort(gains))
    }

    /// What a grade is worth; 0 for one that is not known.
    pub(super) fn of(&self, grade: i64) -> f64 {
        self.known(grade).unwrap_or(0.0)
    }

    /// What a grade is worth, if it is known.
    pub(super) fn known(&self, grade: i64) -> Option<f64> {
        let found = self.0.iter().find(|gain| gain.grade == grade);
        found.map(|gain| gain.gain)
    }
}

/// Goes through the judged documents from the highest gain on.
#[derive(Clone, Debug)]
pub(super) struct Ideal<'a> {
    gains: &'a [Gain],
    taken: i64,
    /// The gain at the current rank; before the first, the highest there is.
    pub(super) gain: f64,
}

impl<'a> Ideal<'a> {
    pub(super) fn new(gains: &'a Gains) -> Self {
        Ideal {
            gains: &gains.0,
            taken: 0,
            gain: gains.0.last().map_or(0.0, |gain| gain.gain),
        }
    }

    /// Goes on to the next rank.
    pub(super) fn advance(&mut self) {
        self.taken += 1;
        while let Some((last, rest)) = self.gains.split_last() {
            if self.taken <= last.documents {
                break;
            }
            self.taken = 1;
            self.gains = rest;
            self.gain = rest.last().map_or(0.0, |gain| gain.gain);
        }
    }
}

/// What a gain counts at a place from 0.
pub(super) fn discounted(gain: f64, place: usize) -> f64 {
    gain / ((place + 2) as f64).log2()
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// C's `qsort` in glibc. Its result matters since the comparison is no order: 0 < 1.5, but 0 = 0.5 = 1.
fn merge_sort(mut gains: Vec<Gain>) -> Vec<Gain> {
    if gains.len() < 2 {
        return gains;
    }
    let right = gains.split_off(gains.len() / 2);
    let mut left = merge_sort(gains).into_iter().peekable();
    let mut right = merge_sort(right).into_iter().peekable();
    let mut merged = Vec::new();
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let from = if ((a.gain - b.gain) as i32) <= 0 {
            &mut left
        } else {
            &mut right
        };
        merged.extend(from.next());
    }
    merged.extend(left);
    merged.extend(right);
    merged
}
