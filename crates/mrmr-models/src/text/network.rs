//! A network that reads tokens.

use std::path::Path;
use std::sync::Arc;

use mrmr_core::{Error, Place, Result};

use super::batches::batches;
use super::tokens::TokenRow;
use crate::runtime::{Input, Network, Port, Runtime, Values, Workers};

/// Which output of a network is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// One vector a token, of three axes.
    Tokens,
    /// One vector a text, or one number, of two axes.
    Texts,
}

/// What a network reads at an input.
#[derive(Clone, Copy, Debug)]
enum Reads {
    Ids,
    Mask,
    Types,
    Positions,
}

/// A network that reads tokens, run by workers over batches of rows of one length.
pub(crate) struct TextNetwork {
    network: Arc<dyn Network>,
    workers: Workers,
    /// What is read at which input; one of pictures is left alone, since no text depends on it.
    reads: Vec<(usize, Reads)>,
    output: usize,
    place: Place,
    axes: usize,
    width: usize,
}

impl TextNetwork {
    /// Loads a network and finds the output by the names that exporters give, else the only one with as many axes.
    pub(crate) fn load(
        path: &Path,
        runtime: Runtime,
        workers: Workers,
        output: Output,
        names: &[&str],
    ) -> Result<Self> {
        let network = runtime.load(path, workers)?.into();
        Self::of(network, path, workers, output, names)
    }

    /// The same over a network that is loaded, and may serve others.
    pub(crate) fn of(
        network: Arc<dyn Network>,
        path: &Path,
        workers: Workers,
        output: Output,
        names: &[&str],
    ) -> Result<Self> {
        let place = Place::whole(path.display().to_string());
        let read =
            |(place, port): (usize, &Port)| Some(reads(port).transpose()?.map(|of| (place, of)));
        let ports = network.inputs().iter().enumerate();
        let reads = ports.filter_map(read).collect::<Result<_>>();
        let output = chosen(network.outputs(), output, names);
        let mut loaded = TextNetwork {
            reads: reads.map_err(|error| error.at(place.clone()))?,
            output: output.map_err(|error| error.at(place.clone()))?,
            network,
            workers,
            place,
            axes: 0,
            width: 0,
        };
        let port = &loaded.network.outputs()[loaded.output];
        (loaded.axes, loaded.width) = match (port.axes(), port.last()) {
            (Some(axes), Some(width)) => (axes, width),
            _ => loaded.measured()?,
        };
        Ok(loaded)
    }

    /// The axes of the output and the size of the last, where the network does not state them: those of one run.
    fn measured(&self) -> Result<(usize, usize)> {
        let probe = TokenRow {
            ids: vec![0; 2],
            types: vec![0; 2],
            ..TokenRow::default()
        };
        let shape = self.run_batch(0, 2, &[&probe])?.shape;
        let width = if shape.len() < 2 { None } else { shape.last() };
        Ok((shape.len(), width.copied().unwrap_or(1)))
    }

    /// What is run.
    pub(crate) fn network(&self) -> &Arc<dyn Network> {
        &self.network
    }

    /// How many threads work at once.
    pub(crate) fn workers(&self) -> Workers {
        self.workers
    }

    /// How many numbers a vector of the output has.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Whether the output has a vector for each token.
    pub(crate) fn gives_tokens(&self) -> bool {
        self.axes == 3
    }

    /// What `take` makes of each row and its part of the output, in order of the rows.
    pub(crate) fn run<R: Send>(
        &self,
        rows: &[&TokenRow],
        take: impl Fn(&TokenRow, &[f32]) -> R + Sync,
    ) -> Result<Vec<R>> {
        let lengths: Vec<usize> = rows.iter().map(|row| row.ids.len()).collect();
        let batches = batches(&lengths, !self.gives_tokens());
        let done = self.workers.run(batches.len(), |worker, task| {
            let batch = &batches[task];
            let together: Vec<&TokenRow> = batch.rows.iter().map(|row| rows[*row]).collect();
            let tensor = self.run_batch(worker, batch.length, &together)?;
            let share = tensor.data.len() / together.len();
            let parts = together.iter().zip(tensor.data.chunks_exact(share));
            Ok::<_, Error>(parts.map(|(row, part)| take(row, part)).collect::<Vec<R>>())
        })?;
        let mut placed: Vec<Option<R>> = rows.iter().map(|_| None).collect();
        for (batch, made) in batches.iter().zip(done) {
            for (row, result) in batch.rows.iter().zip(made) {
                placed[*row] = Some(result);
            }
        }
        Ok(placed.into_iter().flatten().collect())
    }

    fn run_batch(
        &self,
        worker: usize,
        length: usize,
        rows: &[&TokenRow],
    ) -> Result<crate::runtime::Tensor> {
        let joined = |(_, reads): &(usize, Reads)| -> Vec<i32> {
            let each = rows.iter().flat_map(|row| -> Vec<i32> {
                match reads {
                    Reads::Ids => row.ids.clone(),
                    Reads::Types => row.types.clone(),
                    Reads::Mask => row.mask.clone().unwrap_or_else(|| vec![1; length]),
                    Reads::Positions => (0..length as i32).collect(),
                }
            });
            each.collect()
        };
        let values: Vec<Vec<i32>> = self.reads.iter().map(joined).collect();
        let inputs = values
            .iter()
            .zip(&self.reads)
            .map(|(data, (port, _))| Input {
                port: *port,
                shape: vec![rows.len(), length],
                data: Values::Whole(data),
            });
        let tensor = self
            .network
            .run(worker, &inputs.collect::<Vec<_>>(), self.output)?;
        let fits = match tensor.shape.as_slice() {
            [texts, tokens, width] => *texts == rows.len() && *tokens == length && *width > 0,
            [texts, width] => *texts == rows.len() && *width > 0,
            [texts] => *texts == rows.len(),
            _ => false,
        };
        if !fits || tensor.data.is_empty() {
            return Err(Error::format(format!(
                "the model's output '{}' has the shape {:?} for {} texts of {length} tokens",
                self.network.outputs()[self.output].name,
                tensor.shape,
                rows.len()
            ))
            .at(self.place.clone()));
        }
        Ok(tensor)
    }
}

fn reads(port: &Port) -> Result<Option<Reads>> {
    let reads = match port.name.as_str() {
        "input_ids" => Reads::Ids,
        "attention_mask" => Reads::Mask,
        "token_type_ids" => Reads::Types,
        "position_ids" => Reads::Positions,
        "pixel_values" => return Ok(None),
        name => {
            return Err(Error::unsupported(format!(
                "the model has the input '{name}'; expected input_ids, attention_mask, token_type_ids, position_ids"
            ))
            .hint("a model of text alone is wanted, exported for feature extraction or text classification"));
        }
    };
    if let Some(size) = port.shape.iter().flatten().find_map(|size| *size) {
        return Err(Error::unsupported(format!(
            "the model's input '{}' has an axis of fixed size {size}; expected axes of any size",
            port.name
        ))
        .hint("export it with dynamic axes, as optimum does"));
    }
    Ok(Some(reads))
}

fn chosen(ports: &[Port], output: Output, names: &[&str]) -> Result<usize> {
    if let Some(found) = names
        .iter()
        .find_map(|name| ports.iter().position(|port| port.name == *name))
    {
        return Ok(found);
    }
    let axes = match output {
        Output::Tokens => 3,
        Output::Texts => 2,
    };
    let mut fitting = (0..ports.len()).filter(|place| ports[*place].axes() == Some(axes));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(only),
        _ => {
            let found: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
            Err(Error::unsupported(format!(
                "expected an output {}, or one output of {axes} axes; found {}",
                names.join(" or "),
                found.join(", ")
            )))
        }
    }
}
