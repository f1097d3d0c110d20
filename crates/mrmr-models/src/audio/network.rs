//! Networks that read a sound.

use mrmr_core::{Error, Place, Result};

use super::Sound;
use super::config::{AudioPlan, Pool, Reads, Window};
use super::log_mel::{Frames, LogMel};
use crate::folder::ModelFolder;
use crate::runtime::{Input, Network, Runtime, Tensor, Values, Workers};

/// How many windows are run together.
const TOGETHER: usize = 32;
const NAMES: [&str; 4] = [
    "audio_embeds",
    "embeddings",
    "pooler_output",
    "last_hidden_state",
];

enum Front {
    Samples { normalized: bool },
    LogMel(LogMel),
    Network { network: Loaded, affine: (f64, f64) },
}

/// A network with one input, of which one output is taken.
struct Loaded {
    network: Box<dyn Network>,
    output: usize,
    place: Place,
}

/// What makes vectors of a sound: its features, then the network; one sound at a time, so that its bits are the same
/// whatever it is run with.
pub(crate) struct AudioNetwork {
    plan: AudioPlan,
    front: Front,
    back: Loaded,
    workers: Workers,
    width: usize,
}

impl AudioNetwork {
    /// Loads the networks of a folder, and runs them once over silence.
    pub(crate) fn load(
        folder: &ModelFolder,
        plan: AudioPlan,
        named: Option<&str>,
        runtime: Runtime,
        workers: Workers,
    ) -> Result<Self> {
        let load = |named: Option<&str>| Loaded::load(folder, named, runtime, workers);
        let front = match &plan.reads {
            Reads::Samples { normalized } => Front::Samples {
                normalized: *normalized,
            },
            Reads::LogMel(settings) => Front::LogMel(LogMel::new(settings.clone())),
            Reads::Network { file, affine } => Front::Network {
                network: load(Some(file))?,
                affine: *affine,
            },
        };
        let mut made = AudioNetwork {
            back: load(named.or(plan.network.as_deref()))?,
            plan,
            front,
            workers,
            width: 0,
        };
        let silence = Sound {
            rate: made.plan.rate,
            samples: vec![0.0; made.plan.rate as usize],
            truncated: false,
        };
        let vector = made.vector(0, &silence)?;
        made.width = vector
            .map_err(|reason| Error::format(reason).at(made.back.place.clone()))?
            .len();
        Ok(made)
    }

    /// How many numbers a vector has.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// How many threads work at once.
    pub(crate) fn workers(&self) -> Workers {
        self.workers
    }

    /// What it does to a sound.
    pub(crate) fn plan(&self) -> &AudioPlan {
        &self.plan
    }

    /// The pooled vector of a sound at the model's rate, on a worker's own thread; an inner error is the sound's own.
    pub(crate) fn vector(
        &self,
        worker: usize,
        sound: &Sound,
    ) -> Result<std::result::Result<Vec<f32>, String>> {
        let least = (self.plan.least * f64::from(self.plan.rate)).round() as usize;
        let mut samples = sound.samples.clone();
        let covered = samples.len() as f64 / samples.len().max(least) as f64;
        samples.resize(samples.len().max(least), 0.0);
        for sample in &mut samples {
            *sample = (f64::from(*sample) * self.plan.scale) as f32;
        }
        let frames = match &self.front {
            Front::Samples { normalized } => {
                if *normalized {
                    standardize(&mut samples, sound.samples.len());
                }
                let tensor = self.back.run(worker, vec![1, samples.len()], &samples)?;
                return Ok(self.pooled(&[tensor], covered));
            }
            Front::LogMel(features) => features.frames(&samples),
            Front::Network { network, affine } => {
                let made = network.run(worker, vec![1, samples.len()], &samples)?;
                let (width, numbers) = (made.shape.last().copied().unwrap_or(0), made.data);
                if width == 0 || numbers.len() < width {
                    return Ok(Err("the model of features gave none".to_owned()));
                }
                let number = |number: f32| (f64::from(number) * affine.0 + affine.1) as f32;
                Frames {
                    width,
                    numbers: numbers.into_iter().map(number).collect(),
                }
            }
        };
        let tensors = match self.plan.window {
            Some(window) => match self.windows(worker, window, &frames)? {
                Ok(tensors) => tensors,
                Err(reason) => return Ok(Err(reason)),
            },
            None => {
                // Mels are rows, as Whisper has them.
                let count = frames.count();
                let turned = (0..frames.width).flat_map(|mel| {
                    let numbers = &frames.numbers;
                    (0..count).map(move |frame| numbers[frame * frames.width + mel])
                });
                let turned: Vec<f32> = turned.collect();
                let shape = vec![1, frames.width, count];
                vec![self.back.run(worker, shape, &turned)?]
            }
        };
        Ok(self.pooled(&tensors, covered))
    }

    fn windows(
        &self,
        worker: usize,
        window: Window,
        frames: &Frames,
    ) -> Result<std::result::Result<Vec<Tensor>, String>> {
        let Some(beyond) = frames.count().checked_sub(window.frames) else {
            return Ok(Err(format!(
                "expected {} frames for a window, found {}",
                window.frames,
                frames.count()
            )));
        };
        // Convolutions over pictures want one colour at the end.
        let colours = self.back.network.inputs()[0].axes() == Some(4);
        let firsts: Vec<usize> = (0..=beyond).step_by(window.step).collect();
        let tensors = firsts.chunks(TOGETHER).map(|together| {
            let mut numbers = Vec::with_capacity(together.len() * window.frames * frames.width);
            for first in together {
                let from = first * frames.width;
                numbers.extend(&frames.numbers[from..from + window.frames * frames.width]);
            }
            let mut shape = vec![together.len(), window.frames, frames.width];
            if colours {
                shape.push(1);
            }
            self.back.run(worker, shape, &numbers)
        });
        tensors.collect::<Result<_>>().map(Ok)
    }

    /// All vectors along the last axis as one, but for those of the silence that a sound was filled up with.
    fn pooled(&self, tensors: &[Tensor], covered: f64) -> std::result::Result<Vec<f32>, String> {
        let width = tensors
            .first()
            .and_then(|tensor| tensor.shape.last().copied())
            .unwrap_or(0);
        if width == 0 || (self.width != 0 && width != self.width) {
            return Err(format!("the model gave vectors of {width} numbers"));
        }
        let all: Vec<&[f32]> = tensors
            .iter()
            .flat_map(|tensor| tensor.data.chunks_exact(width))
            .collect();
        let kept = match self.plan.window {
            Some(_) => all.len(),
            None => (all.len() as f64 * covered).ceil().max(1.0) as usize,
        };
        let all = all.get(..kept).unwrap_or(&all);
        if all.is_empty() {
            return Err("the model gave no vector".to_owned());
        }
        let number = |place: usize| {
            let each = all.iter().map(|vector| f64::from(vector[place]));
            match self.plan.pool {
                Pool::Mean => (each.sum::<f64>() / all.len() as f64) as f32,
                Pool::Max => each.fold(f64::NEG_INFINITY, f64::max) as f32,
            }
        };
        Ok((0..width).map(number).collect())
    }
}

impl Loaded {
    fn load(
        folder: &ModelFolder,
        named: Option<&str>,
        runtime: Runtime,
        workers: Workers,
    ) -> Result<Self> {
        let path = folder.network(named)?;
        let network = runtime.load(&path, workers)?;
        let place = Place::whole(path.display().to_string());
        let named = |ports: &[crate::runtime::Port]| {
            let names: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
            names.join(", ")
        };
        if network.inputs().len() != 1 {
            return Err(Error::unsupported(format!(
                "expected a network with one input, found {}",
                named(network.inputs())
            ))
            .at(place));
        }
        let outputs = network.outputs();
        let usual = NAMES
            .iter()
            .find_map(|name| outputs.iter().position(|port| port.name == *name));
        let output = usual.or((outputs.len() == 1).then_some(0)).ok_or_else(|| {
            Error::unsupported(format!(
                "expected one output, or one of {}; found {}",
                NAMES.join(", "),
                named(outputs)
            ))
            .at(place.clone())
        })?;
        Ok(Loaded {
            network,
            output,
            place,
        })
    }

    fn run(&self, worker: usize, shape: Vec<usize>, numbers: &[f32]) -> Result<Tensor> {
        let input = Input {
            port: 0,
            shape,
            data: Values::Real(numbers),
        };
        self.network.run(worker, &[input], self.output)
    }
}

/// The mean 0 and the variance 1 over the first so many samples; the silence after them stays 0.
fn standardize(samples: &mut [f32], own: usize) {
    let samples = &mut samples[..own];
    let count = own.max(1) as f64;
    let mean = samples.iter().map(|sample| f64::from(*sample)).sum::<f64>() / count;
    let square = |sample: &f32| (f64::from(*sample) - mean).powi(2);
    let variance = samples.iter().map(square).sum::<f64>() / count;
    for sample in samples {
        *sample = ((f64::from(*sample) - mean) / (variance + 1e-7).sqrt()) as f32;
    }
}
