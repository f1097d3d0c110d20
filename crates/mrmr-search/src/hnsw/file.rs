//! The graph in a file.

use std::io::{self, Write};
use std::path::Path;

use mrmr_core::Result;

use super::graph::{Graph, Layer, NONE};
use super::index::HnswIndex;
use super::params::HnswParams;
use super::points::Points;
use super::scratch::Scratches;
use super::space::Space;
use crate::index_file::{Content, Kind, contradiction, write_length, write_numbers, write_rows};
use crate::kernels::Kernels;
use crate::rows::Rows;

const KIND: Kind = Kind {
    magic: *b"mrmrHNSW",
    version: 1,
    name: "HNSW",
    writer: "HnswIndex::save",
};

impl HnswIndex {
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        KIND.seal(path, |out| self.write_content(out))
    }

    fn write_content(&self, out: &mut dyn Write) -> io::Result<()> {
        write_rows(out, &self.rows)?;
        write_length(out, self.params.m)?;
        write_length(out, self.params.ef_construction)?;
        write_length(out, self.params.ef)?;
        out.write_all(&self.params.seed.to_le_bytes())?;
        write_length(out, self.graph.layers.len())?;
        let mut layers = self.graph.layers.iter();
        layers.try_for_each(|layer| write_numbers(out, &layer.links))
    }

    /// Points are made again from the rows: they are theirs if the checksum is.
    pub(super) fn read(path: &Path, rows: Rows, kernels: Kernels) -> Result<Self> {
        KIND.unseal(path, |content| {
            content.check_rows(&rows)?;
            let params = read_params(content)?;
            let space = Space::new(&rows);
            let (points, sizes) = Points::new(&rows, &space, &params, kernels)?;
            let graph = read_graph(content, &params, &sizes)?;
            Ok(HnswIndex {
                rows,
                space,
                points,
                graph,
                params,
                scratches: Scratches::default(),
            })
        })
    }
}

fn read_params(content: &mut Content<'_>) -> Result<HnswParams> {
    let params = HnswParams {
        m: content.length()?,
        ef_construction: content.length()?,
        ef: content.length()?,
        seed: u64::from_le_bytes(content.array()?),
    };
    params.check()?;
    Ok(params)
}

fn read_graph(content: &mut Content<'_>, params: &HnswParams, sizes: &[usize]) -> Result<Graph> {
    if content.length()? != sizes.len() {
        return Err(contradiction());
    }
    let mut layers = Vec::new();
    for (number, size) in sizes.iter().enumerate() {
        let (degree, links) = (params.degree(number), content.numbers()?);
        let there = |link: &u32| *link == NONE || (*link as usize) < *size;
        if links.len() != size * degree || !links.iter().all(there) {
            return Err(contradiction());
        }
        layers.push(Layer { degree, links });
    }
    Ok(Graph { layers })
}
