//! Names by number, and numbers by name, in bytes that can lie in a file.

use super::section::Section;

/// Names, numbered from 0.
pub(super) struct Names {
    /// For each name where it ends in the text.
    pub(super) ends: Section,
    pub(super) text: Section,
}

impl Names {
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let (mut text, mut ends) = (Vec::new(), Vec::new());
        for name in names {
            text.extend_from_slice(name.as_bytes());
            ends.push(text.len() as u64);
        }
        Names {
            ends: Section::of_u64(ends),
            text: Section::Owned(text),
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.numbers::<8>().len()
    }

    /// Whether every name is text and lies in its place.
    pub(super) fn are_sound(&self) -> bool {
        let ends = self
            .ends
            .numbers()
            .iter()
            .map(|end| u64::from_le_bytes(*end));
        let Ok(text) = str::from_utf8(&self.text) else {
            return false;
        };
        ends.clone().is_sorted()
            && ends.clone().next_back().unwrap_or(0) == text.len() as u64
            && ends
                .into_iter()
                .all(|end| text.is_char_boundary(end as usize))
    }

    fn bytes(&self, number: usize) -> &[u8] {
        let start = number
            .checked_sub(1)
            .map_or(0, |before| self.ends.place(before));
        &self.text[start..self.ends.place(number)]
    }

    /// The name of a number that is there.
    pub(super) fn get(&self, number: usize) -> &str {
        // Never empty for want of UTF-8: `are_sound` is asked when a file is opened.
        str::from_utf8(self.bytes(number)).unwrap_or_default()
    }

    /// All names, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.get(number))
    }
}

/// Names that can be looked up, at the cost of about one place in memory each.
pub(super) struct Dictionary {
    pub(super) names: Names,
    /// A hash table with open addresses: 0, or the number of a name plus 1. At most half is in use.
    pub(super) slots: Section,
}

impl Dictionary {
    pub(super) fn new(names: Names) -> Self {
        let size = (names.len() * 2).next_power_of_two();
        let mut slots = vec![0u32; size];
        for (number, name) in names.iter().enumerate() {
            let mut slot = hash(name.as_bytes()) & (size - 1);
            while slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = number as u32 + 1;
        }
        Dictionary {
            names,
            slots: Section::of_u32(slots),
        }
    }

    /// Whether every look-up ends at a name or at an empty slot.
    pub(super) fn is_sound(&self) -> bool {
        let slots = self.slots.numbers();
        let names = self.names.len();
        let known = |slot: &[u8; 4]| u32::from_le_bytes(*slot) as usize <= names;
        self.names.are_sound() && slots.len().is_power_of_two() && slots.iter().all(known)
    }

    /// The number of a name.
    pub(super) fn get(&self, name: &str) -> Option<usize> {
        let slots = self.slots.numbers();
        let mut slot = hash(name.as_bytes());
        for _ in 0..slots.len() {
            slot &= slots.len() - 1;
            let number = u32::from_le_bytes(slots[slot]).checked_sub(1)? as usize;
            if self.names.bytes(number) == name.as_bytes() {
                return Some(number);
            }
            slot += 1;
        }
        None
    }
}

/// FNV-1a with a last mixing; part of the format of the file.
fn hash(name: &[u8]) -> usize {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = name.iter().fold(0xcbf2_9ce4_8422_2325, mix);
    (hash ^ (hash >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_by_its_number_and_no_other_is() {
        let names: Vec<String> = (0..500).map(|number| format!("é{number}")).collect();
        let dictionary = Dictionary::new(Names::new(names.iter().map(String::as_str)));
        assert!(dictionary.is_sound());
        for (number, name) in names.iter().enumerate() {
            assert_eq!(dictionary.get(name), Some(number));
            assert_eq!(dictionary.names.get(number), name);
        }
        assert_eq!(dictionary.get("é500"), None);
        assert_eq!(Dictionary::new(Names::new([].into_iter())).get(""), None);
    }
}
