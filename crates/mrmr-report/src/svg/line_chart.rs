//! Points joined by lines, each with its label.

use super::axis::{Axis, Laid};
use super::text::{at, label};
use super::ticks;
use crate::export::escaped;

/// Series of points over two axes.
#[derive(Clone, Debug)]
pub(crate) struct LineChart {
    /// What it shows, in a few words.
    pub(crate) title: String,
    /// The same for those who do not see it, values included.
    pub(crate) description: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
}

/// Points of one kind; their order is that of the line.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
}

/// A value of each axis.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// What stands beside it.
    pub(crate) label: String,
    /// What it says where the pointer rests on it.
    pub(crate) said: String,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 660.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 376.0;
/// How near labels may come to each other.
const LABEL_ROOM: (f64, f64) = (44.0, 14.0);
/// Where a label may stand beside its point: the first that is free.
const LABEL_PLACES: [(f64, f64, &str); 4] = [
    (8.0, -8.0, "start"),
    (-8.0, 18.0, "end"),
    (8.0, 18.0, "start"),
    (-8.0, -8.0, "end"),
];

/// Dark on light, or light on dark where the reader's system is.
const STYLE: &str = "\
svg{color-scheme:light dark;background:#fff;--ink:#1a1a1a;--soft:#595959;--grid:#d9d9d9;--a:#0b5cad;--b:#a33b00}
@media (prefers-color-scheme:dark){svg{background:#16181b;--ink:#f0f0f0;--soft:#b4b4b4;--grid:#3a3d42;--a:#7fb8ff;--b:#ffb38a}}
text{font:13px system-ui,'DejaVu Sans',sans-serif;fill:var(--ink)}
.title{font-size:17px;font-weight:600}
.tick{fill:var(--soft)}
.grid{stroke:var(--grid)}
.axis{stroke:var(--ink)}
.s0{stroke:var(--a);fill:var(--a)}
.s1{stroke:var(--b);fill:var(--b)}
.line{fill:none;stroke-width:2}
.s1.line{stroke-dasharray:6 4}
";

impl LineChart {
    /// The chart as a file.
    pub(crate) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = self.x.over(points().map(|point| point.x));
        let y = self.y.over(points().map(|point| point.y));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n<style>\n{STYLE}</style>\n",
            escaped(&self.title),
            escaped(&self.description)
        );
        out += &label("title", LEFT, 26.0, "start", &self.title);
        out += &self.key();
        out += &self.axes(&x, &y);
        let mut taken = Vec::new();
        for (at, series) in self.series.iter().enumerate() {
            out += &drawn(series, at, &x, &y, &mut taken);
        }
        out + "</svg>\n"
    }

    /// Which sign is which series.
    fn key(&self) -> String {
        let mut out = String::new();
        let mut x = LEFT + 6.0;
        for (place, series) in self.series.iter().enumerate() {
            out += &sign(place, x, 48.0);
            out += &label("tick", x + 12.0, 52.5, "start", &series.name);
            x += 36.0 + 7.5 * series.name.chars().count() as f64;
        }
        out
    }

    fn axes(&self, x: &Laid, y: &Laid) -> String {
        let mut out = String::new();
        let line = |class: &str, x1: f64, y1: f64, x2: f64, y2: f64| {
            let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(at);
            format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>\n")
        };
        for tick in &x.ticks {
            let place = across(x, *tick);
            out += &line("grid", place, TOP, place, BOTTOM);
            out += &label(
                "tick",
                place,
                BOTTOM + 20.0,
                "middle",
                &ticks::number(*tick),
            );
        }
        for tick in &y.ticks {
            let place = up(y, *tick);
            out += &line("grid", LEFT, place, RIGHT, place);
            out += &label(
                "tick",
                LEFT - 10.0,
                place + 4.5,
                "end",
                &ticks::number(*tick),
            );
        }
        out += &line("axis", LEFT, BOTTOM, RIGHT, BOTTOM);
        out += &line("axis", LEFT, TOP, LEFT, BOTTOM);
        let middle = f64::midpoint(LEFT, RIGHT);
        out += &label("name", middle, BOTTOM + 48.0, "middle", &self.x.label);
        out += &format!(
            "<text class=\"name\" transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            at(f64::midpoint(TOP, BOTTOM)),
            escaped(&self.y.label)
        );
        out
    }
}

fn across(axis: &Laid, value: f64) -> f64 {
    LEFT + axis.share(value) * (RIGHT - LEFT)
}

fn up(axis: &Laid, value: f64) -> f64 {
    BOTTOM - axis.share(value) * (BOTTOM - TOP)
}

/// A series: its line, then a sign and a label a point, where `taken` has no other label.
fn drawn(series: &Series, place: usize, x: &Laid, y: &Laid, taken: &mut Vec<(f64, f64)>) -> String {
    let spots: Vec<(f64, f64)> = series
        .points
        .iter()
        .map(|point| (across(x, point.x), up(y, point.y)))
        .collect();
    let mut out = String::new();
    if spots.len() > 1 {
        let path: Vec<String> = spots
            .iter()
            .map(|(x, y)| format!("{} {}", at(*x), at(*y)))
            .collect();
        let class = place % 2;
        out += &format!(
            "<path class=\"s{class} line\" d=\"M{}\"/>\n",
            path.join(" L")
        );
    }
    for (point, (x, y)) in series.points.iter().zip(&spots) {
        out += &format!(
            "<g><title>{}</title>{}</g>\n",
            escaped(&point.said),
            sign(place, *x, *y).trim_end()
        );
        let near = |a: &(f64, f64), b: (f64, f64)| {
            (a.0 - b.0).abs() < LABEL_ROOM.0 && (a.1 - b.1).abs() < LABEL_ROOM.1
        };
        let free = LABEL_PLACES.iter().find(|(right, down, _)| {
            let spot = (x + right, y + down);
            spot.1 < BOTTOM && !taken.iter().any(|other| near(other, spot))
        });
        if let Some((right, down, anchor)) = free {
            taken.push((x + right, y + down));
            out += &label("point", x + right, y + down, anchor, &point.label);
        }
    }
    out
}

/// A circle, a square: series differ in shape, not by colour alone.
fn sign(place: usize, x: f64, y: f64) -> String {
    let class = place % 2;
    match class {
        0 => format!(
            "<circle class=\"s{class}\" cx=\"{}\" cy=\"{}\" r=\"4.5\"/>\n",
            at(x),
            at(y)
        ),
        _ => format!(
            "<rect class=\"s{class}\" x=\"{}\" y=\"{}\" width=\"9\" height=\"9\"/>\n",
            at(x - 4.5),
            at(y - 4.5)
        ),
    }
}
