//! A network that reads pictures.

use std::path::Path;
use std::sync::Arc;

use image::RgbImage;
use mrmr_core::{Content, Error, Image, Place, Result};

use super::decode::decoded;
use super::prepare::{Preparation, Prepared};
use crate::runtime::{Input, Network, Port, Runtime, Tensor, Values, Workers};

/// A network that reads one picture at a time, run by workers: a picture's numbers have the same bits whatever it is
/// run with.
pub(crate) struct PictureNetwork {
    network: Arc<dyn Network>,
    workers: Workers,
    preparation: Preparation,
    input: usize,
    output: usize,
    width: usize,
    place: Place,
}

impl PictureNetwork {
    /// Loads a network and finds the output by the names that exporters give, else the only one of two axes, else the
    /// tokens of three, of which the first stands for the picture.
    pub(crate) fn load(
        path: &Path,
        runtime: Runtime,
        workers: Workers,
        preparation: Preparation,
        names: &[&str],
    ) -> Result<Self> {
        let network = runtime.load(path, workers)?.into();
        Self::of(network, path, workers, preparation, names)
    }

    /// The same over a network that is loaded, and may serve others.
    pub(crate) fn of(
        network: Arc<dyn Network>,
        path: &Path,
        workers: Workers,
        preparation: Preparation,
        names: &[&str],
    ) -> Result<Self> {
        let place = Place::whole(path.display().to_string());
        let input = input(network.inputs(), &preparation);
        let output = output(network.outputs(), names);
        let mut loaded = PictureNetwork {
            input: input.map_err(|error| error.at(place.clone()))?,
            output: output.map_err(|error| error.at(place.clone()))?,
            network,
            workers,
            preparation,
            width: 0,
            place,
        };
        loaded.width = loaded.measured()?;
        Ok(loaded)
    }

    /// How many numbers a vector has.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// How many threads work at once.
    pub(crate) fn workers(&self) -> Workers {
        self.workers
    }

    /// The vector of a picture, on a worker's own thread; an inner error is the picture's own.
    pub(crate) fn vector(
        &self,
        worker: usize,
        image: &Image,
    ) -> Result<std::result::Result<Vec<f32>, String>> {
        let about = |error: String| format!("the image '{}': {error}", image.label);
        let prepared =
            decoded(image).and_then(|picture| self.preparation.prepare(&picture).map_err(about));
        match prepared {
            Ok(prepared) => self.run(worker, &prepared).map(Ok),
            Err(reason) => Ok(Err(reason)),
        }
    }

    fn run(&self, worker: usize, picture: &Prepared) -> Result<Vec<f32>> {
        // A network that reads texts too wants some, though nothing of them is in a picture's vector: rten takes the size
        // of a batch from any input that has it.
        let no_text = [0i32; 2];
        let ports = self.network.inputs().iter().enumerate();
        let inputs: Vec<Input<'_>> = ports
            .map(|(port, _)| match port == self.input {
                true => Input {
                    port,
                    shape: vec![1, 3, picture.height, picture.width],
                    data: Values::Real(&picture.numbers),
                },
                false => Input {
                    port,
                    shape: vec![1, no_text.len()],
                    data: Values::Whole(&no_text),
                },
            })
            .collect();
        let Tensor { shape, mut data } = self.network.run(worker, &inputs, self.output)?;
        let width = match shape.as_slice() {
            [1, _, width] => *width,
            [1, width] | [1, width, 1, 1] => *width,
            _ => 0,
        };
        if width == 0 || data.len() < width || (self.width != 0 && width != self.width) {
            return Err(Error::format(format!(
                "the model's output '{}' has the shape {shape:?} for a picture",
                self.network.outputs()[self.output].name
            ))
            .at(self.place.clone()));
        }
        data.truncate(width);
        Ok(data)
    }

    /// The width as the network states it, else as found by running it once.
    fn measured(&self) -> Result<usize> {
        let port = &self.network.outputs()[self.output];
        if let (Some(2 | 3), Some(width)) = (port.axes(), port.last()) {
            return Ok(width);
        }
        let probe = self.preparation.prepare(&RgbImage::new(1, 1));
        let probe = probe.map_err(|reason| Error::format(reason).at(self.place.clone()))?;
        self.run(0, &probe).map(|vector| vector.len())
    }
}

/// The one image of a content that has nothing else.
pub(crate) fn image_of(content: &Content) -> std::result::Result<&Image, String> {
    match content.parts() {
        [mrmr_core::Part::Image(image)] => Ok(image),
        parts => Err(format!(
            "expected one image, found {} parts ({})",
            parts.len(),
            content.modality()
        )),
    }
}

fn input(ports: &[Port], preparation: &Preparation) -> Result<usize> {
    let named = ports.iter().position(|port| port.name == "pixel_values");
    let mut of_four = (0..ports.len()).filter(|place| ports[*place].axes() == Some(4));
    let place = match (named, of_four.next(), of_four.next()) {
        (Some(place), ..) | (None, Some(place), None) => place,
        _ => {
            let found: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
            return Err(Error::unsupported(format!(
                "expected an input pixel_values, or one of four axes; found {}",
                found.join(", ")
            )));
        }
    };
    const OF_TEXTS: [&str; 4] = [
        "input_ids",
        "attention_mask",
        "token_type_ids",
        "position_ids",
    ];
    let of_texts = |port: &Port| OF_TEXTS.contains(&port.name.as_str());
    let others = ports
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != place);
    if let Some((_, other)) = others.into_iter().find(|(_, port)| !of_texts(port)) {
        return Err(Error::unsupported(format!(
            "the model has the input '{}' beside '{}'; expected pictures, and texts at most",
            other.name, ports[place].name
        )));
    }
    let fixed = ports[place].shape.as_deref().unwrap_or_default();
    if let [batch, channels, height, width] = fixed {
        let given = preparation.size();
        let differs = |stated: Option<usize>, made: Option<u32>| {
            stated.is_some_and(|stated| made.is_none_or(|made| made as usize != stated))
        };
        if differs(*height, given.map(|given| given.1))
            || differs(*width, given.map(|given| given.0))
        {
            let shown =
                |side: &Option<usize>| side.map_or("any".to_owned(), |side| side.to_string());
            let made = given.map_or(
                "a size that follows the picture".to_owned(),
                |(wide, high)| format!("{wide} x {high}"),
            );
            return Err(Error::format(format!(
                "the model reads pictures of {} x {}; preprocessor_config.json makes {made}",
                shown(width),
                shown(height)
            )));
        }
        if batch.is_some_and(|batch| batch != 1) || channels.is_some_and(|channels| channels != 3) {
            return Err(Error::unsupported(format!(
                "the model reads arrays of the shape {fixed:?}; expected one picture of three colours"
            )));
        }
    }
    Ok(place)
}

fn output(ports: &[Port], names: &[&str]) -> Result<usize> {
    let named = |name: &&str| ports.iter().position(|port| port.name == *name);
    if let Some(found) = names.iter().find_map(named) {
        return Ok(found);
    }
    let only = |axes: usize| {
        let mut fitting = (0..ports.len()).filter(|place| ports[*place].axes() == Some(axes));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    };
    only(2)
        .or_else(|| named(&"last_hidden_state"))
        .or_else(|| only(3))
        .ok_or_else(|| {
            let found: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
            Error::unsupported(format!(
                "expected an output {}, or one output of two axes; found {}",
                names.join(" or "),
                found.join(", ")
            ))
        })
}
