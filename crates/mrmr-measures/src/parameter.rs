//! The parameters of a measure.

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// A finite number that is at least `min` (or above it, where `open`).
    Number {
        /// The value when none is given.
        default: f64,
        /// The lower bound.
        min: f64,
        /// Whether the bound itself is excluded.
        open: bool,
    },
    /// A number from 0 to 1 (or between them, where `open`).
    Share {
        /// The value when none is given.
        default: f64,
        /// Whether 0 and 1 are excluded.
        open: bool,
    },
    /// A finite number that is at least `min` (or above it, where `open`), and that need not be given.
    Optional {
        /// The lower bound.
        min: f64,
        /// Whether the bound itself is excluded.
        open: bool,
        /// What holds when none is given.
        otherwise: Otherwise,
    },
    /// One of a few names.
    Choice {
        /// The names; the first is the value when none is given.
        names: &'static [&'static str],
    },
}

/// What holds when a parameter is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// The highest grade of the qrels.
    MaxGrade,
    /// The parameter has no effect.
    Unused,
}

/// A parameter of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in the text form.
    pub name: &'static str,
    /// What values it takes.
    pub kind: ParameterKind,
    /// What it does.
    pub summary: &'static str,
}

impl Parameter {
    /// `rel (default 1)`, for messages.
    pub fn describe(&self) -> String {
        let names = match self.kind {
            ParameterKind::Choice { names } => format!("{}; ", names.join(" or ")),
            _ => String::new(),
        };
        match self.kind {
            ParameterKind::Optional {
                otherwise: Otherwise::Unused,
                ..
            } => format!("{} (optional)", self.name),
            _ => format!("{} ({names}default {})", self.name, self.default_text()),
        }
    }

    /// What holds where it has no default and is not given.
    pub(crate) fn otherwise(&self) -> Option<Otherwise> {
        match self.kind {
            ParameterKind::Optional { otherwise, .. } => Some(otherwise),
            _ => None,
        }
    }

    /// What holds when it is not given.
    pub fn default_text(&self) -> String {
        match self.kind {
            ParameterKind::Number { default, .. } | ParameterKind::Share { default, .. } => {
                default.to_string()
            }
            ParameterKind::Choice { names } => names[0].to_owned(),
            ParameterKind::Optional { otherwise, .. } => match otherwise {
                Otherwise::MaxGrade => "the highest grade of the qrels".to_owned(),
                Otherwise::Unused => "none".to_owned(),
            },
        }
    }
}

/// The lowest grade that counts as relevant.
pub(crate) const REL: Parameter = Parameter {
    name: "rel",
    kind: ParameterKind::Number {
        default: 1.0,
        min: f64::MIN,
        open: false,
    },
    summary: "the lowest grade that counts as relevant",
};

/// The grade that gains most.
pub(crate) const MAX_REL: Parameter = Parameter {
    name: "max_rel",
    kind: ParameterKind::Optional {
        min: 0.0,
        open: true,
        otherwise: Otherwise::MaxGrade,
    },
    summary: "the highest grade there is",
};
