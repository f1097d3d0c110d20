//! Charts as SVG: one file, readable without colour, in light and in dark.

mod axis;
mod line_chart;
mod text;
mod ticks;

pub(crate) use axis::{Axis, Scale};
pub(crate) use line_chart::{LineChart, Point, Series};
