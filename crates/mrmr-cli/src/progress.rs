//! Progress: a bar in a terminal, else a line a step.

use std::io::IsTerminal;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mrmr_core::{Event, Observer};

use crate::printer::Printer;

/// Shows progress on stderr.
pub(crate) struct Progress {
    printer: Printer,
    bars: bool,
    bar: Mutex<Option<ProgressBar>>,
}

impl Progress {
    pub(crate) fn new(printer: Printer) -> Self {
        Progress {
            printer,
            bars: std::io::stderr().is_terminal() && !printer.is_quiet(),
            bar: Mutex::new(None),
        }
    }

    fn start(&self, label: &str, total: Option<u64>, unit: &str) {
        if !self.bars {
            let size = total.map_or(String::new(), |total| format!(": {}", counted(total, unit)));
            self.printer.say(&format!("{label}{size}"));
            return;
        }
        let bar = match total {
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::new_spinner(),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr());
        let template = "{msg} {wide_bar} {pos}/{len} {per_sec} {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(label.to_owned());
        if let Ok(mut slot) = self.bar.lock() {
            *slot = Some(bar);
        }
    }
}

impl Observer for Progress {
    fn observe(&self, event: Event<'_>) {
        match event {
            Event::StepStarted {
                number,
                of,
                name,
                total,
                unit,
            } => {
                let label = if of > 1 {
                    format!("step {number}/{of} {name}")
                } else {
                    name.to_owned()
                };
                self.start(&label, total, unit);
            }
            Event::Advanced(units) => {
                if let Ok(slot) = self.bar.lock()
                    && let Some(bar) = &*slot
                {
                    bar.inc(units);
                }
            }
            Event::StepFinished => {
                if let Ok(mut slot) = self.bar.lock()
                    && let Some(bar) = slot.take()
                {
                    bar.finish_and_clear();
                }
            }
            Event::Warning(text) => self.printer.warning(text),
            _ => {}
        }
    }
}

/// So many units; a unit is named in the plural.
fn counted(count: u64, units: &str) -> String {
    let one = match units.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => units.strip_suffix('s').unwrap_or(units).to_owned(),
    };
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {units}"),
    }
}
