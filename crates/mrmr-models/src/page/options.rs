//! How a page is made, and its text form.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

/// Where glyphs come from. The embedded fonts are always asked first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fonts {
    /// The embedded fonts alone: the same bits on every machine.
    #[default]
    Embedded,
    /// The fonts of the system too.
    System,
    /// The fonts of a folder too, and of the folders in it.
    Folder(PathBuf),
}

/// How a page is made.
///
/// ```
/// use mrmr_models::PageOptions;
/// let options: PageOptions = "page:drawn,system-fonts,width=800".parse()?;
/// assert_eq!(options.width, 800);
/// assert_eq!(options.to_string(), "page:drawn,system-fonts,width=800");
/// assert_eq!(PageOptions::default().to_string(), "page");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageOptions {
    /// Draw a record even where the data set has a page of it.
    pub drawn: bool,
    /// Where glyphs come from.
    pub fonts: Fonts,
    /// The width of a page in pixels.
    pub width: u32,
    /// The most height of a page in pixels; what does not fit is cut and counted.
    pub height: u32,
    /// The white around a page in pixels.
    pub margin: u32,
    /// The size of the text in pixels.
    pub font_size: u32,
}

impl Default for PageOptions {
    fn default() -> Self {
        PageOptions {
            drawn: false,
            fonts: Fonts::Embedded,
            width: 1000,
            height: 8000,
            margin: 40,
            font_size: 20,
        }
    }
}

/// A page has no more pixels than this: 384 MiB.
const MOST_PIXELS: u64 = 1 << 27;

/// The settings that are numbers: name, smallest, largest.
const NUMBERS: [(&str, u32, u32); 4] = [
    ("width", 64, 16_384),
    ("height", 64, 32_768),
    ("margin", 0, 1_000),
    ("font-size", 4, 200),
];

impl PageOptions {
    /// Every setting behind `page:`.
    pub const SETTINGS: &'static [&'static str] = &[
        "drawn",
        "system-fonts",
        "width=N",
        "height=N",
        "margin=N",
        "font-size=N",
        "fonts=DIR",
    ];

    /// Whether such a page can be drawn.
    ///
    /// # Errors
    /// If a number is out of its range, or the margins leave no room for text.
    pub fn check(&self) -> Result<()> {
        for ((name, least, most), value) in NUMBERS.iter().zip(self.numbers()) {
            if !(*least..=*most).contains(&value) {
                return Err(Error::usage(format!(
                    "expected {name} of a page between {least} and {most} pixels, found {value}"
                )));
            }
        }
        if u64::from(self.width) * u64::from(self.height) > MOST_PIXELS {
            return Err(Error::usage(format!(
                "expected a page of at most {MOST_PIXELS} pixels, found {} x {}",
                self.width, self.height
            )));
        }
        let least = 2 * self.margin + 2 * self.font_size;
        if least > self.width.min(self.height) {
            return Err(Error::usage(format!(
                "expected room for text: at least {least} x {least} pixels with margins of {} and text of {}, found {} x {}",
                self.margin, self.font_size, self.width, self.height
            )));
        }
        Ok(())
    }

    fn numbers(&self) -> [u32; 4] {
        [self.width, self.height, self.margin, self.font_size]
    }

    fn set(&mut self, setting: &str) -> Result<()> {
        let unknown = || {
            let names = Self::SETTINGS.iter().copied();
            Error::usage(format!(
                "unknown setting '{setting}' of a page; expected {}",
                Self::SETTINGS.join(", ")
            ))
            .hint_maybe(closest(setting, names).map(|name| format!("did you mean {name}?")))
        };
        match setting.split_once('=') {
            None if setting == "drawn" => self.drawn = true,
            None if setting == "system-fonts" => self.fonts = Fonts::System,
            Some((name, value)) => {
                let number = match name {
                    "width" => &mut self.width,
                    "height" => &mut self.height,
                    "margin" => &mut self.margin,
                    "font-size" => &mut self.font_size,
                    _ => return Err(unknown()),
                };
                *number = value.parse().map_err(|_| {
                    Error::usage(format!(
                        "expected a whole number of pixels for {name} of a page, found '{value}'"
                    ))
                })?;
            }
            None => return Err(unknown()),
        }
        Ok(())
    }
}

impl fmt::Display for PageOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings = Vec::new();
        if self.drawn {
            settings.push("drawn".to_owned());
        }
        if self.fonts == Fonts::System {
            settings.push("system-fonts".to_owned());
        }
        let usual = PageOptions::default().numbers();
        for (((name, ..), value), usual) in NUMBERS.iter().zip(self.numbers()).zip(usual) {
            if value != usual {
                settings.push(format!("{name}={value}"));
            }
        }
        // The last, since a name of a folder may hold a comma.
        if let Fonts::Folder(folder) = &self.fonts {
            settings.push(format!("fonts={}", folder.display()));
        }
        if settings.is_empty() {
            return f.pad("page");
        }
        f.pad(&format!("page:{}", settings.join(",")))
    }
}

impl FromStr for PageOptions {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let mut options = PageOptions::default();
        let mut rest = match text.split_once(':') {
            None if text == "page" => return Ok(options),
            Some(("page", settings)) => settings,
            _ => {
                return Err(Error::usage(format!(
                    "expected page or page:SETTING,..., found '{text}'"
                )));
            }
        };
        loop {
            if let Some(folder) = rest.strip_prefix("fonts=") {
                options.fonts = Fonts::Folder(PathBuf::from(folder));
                break;
            }
            let (setting, others) = match rest.split_once(',') {
                Some((setting, others)) => (setting, Some(others)),
                None => (rest, None),
            };
            options.set(setting)?;
            match others {
                Some(others) => rest = others,
                None => break,
            }
        }
        options.check()?;
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_round_trip() {
        for text in [
            "page",
            "page:drawn",
            "page:system-fonts",
            "page:drawn,width=800,height=4000,margin=10,font-size=16",
            "page:drawn,fonts=/usr/share/fonts, mine",
        ] {
            assert_eq!(text.parse::<PageOptions>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let message = |text: &str| text.parse::<PageOptions>().unwrap_err().to_string();
        assert!(message("page:drawm").contains("unknown setting 'drawm'"));
        assert!(message("page:width=wide").contains("whole number"));
        assert!(message("page:width=1").contains("between 64 and 16384"));
        assert!(message("page:margin=490").contains("expected room for text"));
        assert!(message("page:width=16384,height=32768").contains("at most"));
        assert!(message("paper").contains("found 'paper'"));
    }
}
