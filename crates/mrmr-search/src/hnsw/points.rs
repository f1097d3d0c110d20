//! What the graph links: places in the space, each with the rows that lie there.

use std::hash::{DefaultHasher, Hash, Hasher};

use mrmr_core::{Error, Result};
use rayon::prelude::*;

use super::order::Order;
use super::params::HnswParams;
use super::space::{Position, Space};
use crate::kernels::{CodedRow, Kernels, MAX_COLUMNS, STRIP, Strip, prefetch};
use crate::rows::Rows;

/// Points in codes. Rows with the same codes are one point, however many they are: links among them would
/// lead nowhere else.
pub(super) struct Points {
    /// Strips of a point.
    pub(super) width: usize,
    strips: Vec<Strip>,
    positions: Vec<Position>,
    /// Where the rows of each point start among all; one more at the end.
    starts: Vec<u32>,
    rows: Vec<u32>,
    pub(super) kernels: Kernels,
}

/// From where distances are measured: a point or a query.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    row: CodedRow<'a>,
    position: Position,
    /// What half the square of a point counts.
    weight: f32,
}

impl<'a> Origin<'a> {
    /// A query, as [`Space::query`] made it.
    pub(super) fn query(strips: &'a [Strip], position: Position) -> Self {
        Origin {
            weight: position.half,
            ..Origin::point(strips, position)
        }
    }

    fn point(strips: &'a [Strip], position: Position) -> Self {
        let sum = position.sum;
        Origin {
            row: CodedRow { strips, sum },
            position,
            weight: 1.0,
        }
    }

    /// What distances from a point are short of half the square.
    pub(super) fn half(&self) -> f32 {
        self.position.half
    }
}

impl Points {
    /// The points in their order, and how many are on each layer.
    ///
    /// # Errors
    /// If the rows are too long for sums of products of codes, or too many.
    pub(super) fn new(
        rows: &Rows,
        space: &Space,
        params: &HnswParams,
        kernels: Kernels,
    ) -> Result<(Self, Vec<usize>)> {
        let dimension = rows.vectors.dimension();
        if dimension > MAX_COLUMNS {
            return Err(Error::unsupported(format!(
                "vectors have {dimension} dimensions; a graph takes up to {MAX_COLUMNS}"
            ))
            .hint("search exactly"));
        }
        if rows.len() > (u32::MAX >> 1) as usize {
            return Err(Error::unsupported(format!(
                "there are {} vectors; a graph takes fewer than 2^31",
                rows.len()
            )));
        }
        let width = dimension.div_ceil(STRIP);
        let mut strips = vec![Strip([0; STRIP]); rows.len() * width];
        let coded = strips.par_chunks_exact_mut(width).zip(&rows.squares);
        let positions: Vec<Position> = coded
            .enumerate()
            .map_init(Vec::new, |numbers, (row, (strips, square))| {
                space.row(rows.vectors.row(row), *square, numbers, strips)
            })
            .collect();
        let firsts = firsts_of_places(&strips, width, &positions);
        let distinct = (0..rows.len() as u32).filter(|row| firsts[*row as usize] == *row);
        let order = Order::new(distinct.collect(), params.m, params.seed);
        let mut points = Points {
            width,
            strips: vec![Strip([0; STRIP]); order.rows.len() * width],
            positions: order
                .rows
                .iter()
                .map(|row| positions[*row as usize])
                .collect(),
            starts: Vec::new(),
            rows: Vec::new(),
            kernels,
        };
        let ordered = points.strips.par_chunks_exact_mut(width);
        ordered.zip(&order.rows).for_each(|(point, row)| {
            point.copy_from_slice(&strips[*row as usize * width..][..width]);
        });
        (points.starts, points.rows) = members(&firsts, &order.rows);
        Ok((points, order.sizes))
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// The rows of a point, ascending.
    pub(super) fn rows(&self, point: u32) -> &[u32] {
        let [start, end] = [point, point + 1].map(|at| self.starts[at as usize] as usize);
        &self.rows[start..end]
    }

    pub(super) fn origin(&self, point: u32) -> Origin<'_> {
        let at = point as usize * self.width;
        Origin::point(
            &self.strips[at..at + self.width],
            self.positions[point as usize],
        )
    }

    /// Starts to fetch what comes with a point's codes.
    #[inline]
    pub(super) fn prefetch_position(&self, point: u32) {
        prefetch(&self.positions[point as usize..][..1]);
    }

    /// How far some points are from an origin: half the square of the distance, less what is the same for all
    /// points. In 32 bits, in a fixed order of operations.
    pub(super) fn distances(
        &self,
        origin: Origin<'_>,
        points: &[u32],
        dots: &mut Vec<i32>,
        mut found: impl FnMut(u32, f32),
    ) {
        dots.resize(points.len(), 0);
        (self.kernels.row_dots)(&self.strips, origin.row, points, dots);
        let from = origin.position;
        for (point, dot) in points.iter().zip(dots.iter()) {
            let to = &self.positions[*point as usize];
            let product = *dot as f32 * (from.scale * to.scale) + from.extra * to.extra;
            found(*point, origin.weight * to.half - product);
        }
    }
}

/// For each row the first row at its place.
fn firsts_of_places(strips: &[Strip], width: usize, positions: &[Position]) -> Vec<u32> {
    let codes = |row: u32| &strips[row as usize * width..][..width];
    let bits = |row: u32| {
        let position = positions[row as usize];
        [position.scale, position.half, position.extra].map(f32::to_bits)
    };
    let mut hashes: Vec<(u64, u32)> = (0..positions.len() as u32)
        .into_par_iter()
        .map(|row| {
            let mut hasher = DefaultHasher::new();
            (codes(row), bits(row)).hash(&mut hasher);
            (hasher.finish(), row)
        })
        .collect();
    hashes.par_sort_unstable();
    let mut firsts: Vec<u32> = (0..positions.len() as u32).collect();
    for alike in hashes.chunk_by(|left, right| left.0 == right.0) {
        let mut distinct: Vec<u32> = Vec::new();
        for (_, row) in alike {
            let same = |first: &&u32| bits(**first) == bits(*row) && codes(**first) == codes(*row);
            match distinct.iter().find(same) {
                Some(first) => firsts[*row as usize] = *first,
                None => distinct.push(*row),
            }
        }
    }
    firsts
}

/// The rows of each point, one point after another, and where each point's start.
fn members(firsts: &[u32], points: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut point_of = vec![0u32; firsts.len()];
    for (point, row) in points.iter().enumerate() {
        point_of[*row as usize] = point as u32;
    }
    let mut starts = vec![0u32; points.len() + 1];
    for first in firsts {
        starts[point_of[*first as usize] as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let (mut next, mut rows) = (starts.clone(), vec![0u32; firsts.len()]);
    for (row, first) in firsts.iter().enumerate() {
        let place = &mut next[point_of[*first as usize] as usize];
        rows[*place as usize] = row as u32;
        *place += 1;
    }
    (starts, rows)
}
