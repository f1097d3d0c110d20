//! A query made ready: its vectors in 8 bits, and the bounds of a document's score that follow.

use super::max_sim::Coded;
use crate::exact::coded_query::{CodedQuery, no_codes};
use crate::filter::Filter;
use crate::kernels::greatest::Greatest;
use crate::kernels::{QueryCodes, Reach};
use crate::metric::{Metric, square};

/// More than the roundings in 64 bits of sums over vectors and columns, as a factor of their number.
const ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;

/// A query. Zero vectors are left out: they add 0 to every score.
pub(super) struct Query<'a> {
    /// All its numbers, as they were given.
    pub(super) numbers: &'a [f32],
    pub(super) filter: &'a Filter,
    /// None where a vector has no codes: then every document is scored in 64 bits.
    pub(super) coded: Option<CodedVectors<'a>>,
}

/// The vectors of a query in 8 bits; docs/maxsim.md derives the numbers.
pub(super) struct CodedVectors<'a> {
    pub(super) vectors: Vec<QueryVector<'a>>,
    pub(super) codes: QueryCodes,
    /// The factor of a document's greatest residual in the bound of its score.
    residual: f64,
    /// The factor of its greatest length.
    length: f64,
    /// What every bound is further off, whatever the document.
    slack: f64,
    /// What the mean of the documents' vectors adds to every score.
    centre: f64,
}

pub(super) struct QueryVector<'a> {
    pub(super) vector: &'a [f32],
    pub(super) square: f64,
    code: CodedQuery,
    /// The factors of its bounds; see [`CodedQuery::reach`].
    factors: Reach,
    /// What its bounded numbers are multiplied by to make scores: its norm, at cosine 1.
    weight: f64,
}

impl<'a> Query<'a> {
    pub(super) fn new(
        metric: Metric,
        coded: Option<&Coded>,
        numbers: &'a [f32],
        dimension: usize,
        filter: &'a Filter,
    ) -> Self {
        let vectors = numbers.chunks_exact(dimension);
        let coded = coded.and_then(|coded| CodedVectors::new(metric, coded, vectors));
        Query {
            numbers,
            filter,
            coded,
        }
    }
}

impl<'a> CodedVectors<'a> {
    fn new(
        metric: Metric,
        coded: &Coded,
        vectors: impl ExactSizeIterator<Item = &'a [f32]>,
    ) -> Option<Self> {
        let mut codes = no_codes(&coded.codes, vectors.len());
        let mut ready = Vec::with_capacity(vectors.len());
        for vector in vectors {
            let own = square(vector);
            if own == 0.0 {
                continue;
            }
            let code = CodedQuery::new(metric, vector, &coded.codes, &mut codes)?;
            ready.push(QueryVector {
                vector,
                square: own,
                factors: code.reach(f64::NEG_INFINITY),
                code,
                weight: match metric {
                    Metric::Cosine => 1.0,
                    _ => own.sqrt(),
                },
            });
        }
        let sum = |of: &dyn Fn(&QueryVector<'a>) -> f64| ready.iter().map(of).sum::<f64>();
        let weight = sum(&|vector| vector.weight);
        let dimension = coded.codes.mean.len();
        let rounding = (ready.len() + dimension + 16) as f64 * ROUNDING;
        let once_more = 1.0 + rounding;
        let centre = |vector: &QueryVector<'a>| {
            let score = Metric::Dot.score(vector.vector, &coded.codes.mean);
            score * vector.weight / vector.square.sqrt()
        };
        Some(CodedVectors {
            residual: sum(&|v| v.weight * f64::from(v.factors.residual)) * once_more
                + rounding * weight,
            length: sum(&|v| v.weight * v.of_length()) * once_more + rounding * weight,
            slack: sum(&|v| v.weight * v.code.slack()) * once_more
                + rounding * weight * coded.centre,
            centre: sum(&centre),
            vectors: ready,
            codes,
        })
    }

    /// The least and the greatest that a document's score can be, given the greatest scaled dot products of the
    /// codes of each vector.
    pub(super) fn around(
        &self,
        coded: &Coded,
        document: usize,
        greatest: &[Greatest],
    ) -> (f64, f64) {
        if self.vectors.is_empty() {
            return (0.0, 0.0);
        }
        let pairs = self.vectors.iter().zip(greatest);
        let terms = pairs.map(|(vector, lanes)| vector.weight * vector.scaled(lanes));
        let middle = self.centre + terms.sum::<f64>();
        let radius = self.residual * f64::from(coded.residuals[document])
            + self.length * f64::from(coded.lengths[document])
            + self.slack;
        (middle - radius, middle + radius)
    }
}

impl QueryVector<'_> {
    /// Which of a document's vectors may be the nearest to this one, given the greatest scaled dot products.
    pub(super) fn reach(&self, coded: &Coded, document: usize, greatest: &Greatest) -> Reach {
        let radius = f64::from(self.factors.residual) * f64::from(coded.residuals[document])
            + self.of_length() * f64::from(coded.lengths[document])
            + self.code.slack();
        self.code.reach(self.scaled(greatest) - radius)
    }

    /// The factor of a vector's length: all of its columns have codes, so that the two lengths are one.
    fn of_length(&self) -> f64 {
        f64::from(self.factors.length) + f64::from(self.factors.whole)
    }

    fn scaled(&self, lanes: &Greatest) -> f64 {
        f64::from(self.factors.scale) * f64::from(greatest_of(lanes))
    }
}

/// The greatest of all lanes; as a tree, which vectorises.
fn greatest_of(lanes: &Greatest) -> f32 {
    let mut lanes = *lanes;
    for width in [8, 4, 2, 1] {
        for lane in 0..width {
            let other = lanes[lane + width];
            if other > lanes[lane] {
                lanes[lane] = other;
            }
        }
    }
    lanes[0]
}
