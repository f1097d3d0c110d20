//! Lucene's `CJKWidthFilter`: full-width ASCII becomes ASCII, half-width Katakana Katakana.

/// The Katakana of U+FF65 to U+FF9F, in that order.
const KATAKANA: [char; 59] = [
    '・', 'ヲ', 'ァ', 'ィ', 'ゥ', 'ェ', 'ォ', 'ャ', 'ュ', 'ョ', 'ッ', 'ー', 'ア', 'イ', 'ウ', 'エ',
    'オ', 'カ', 'キ', 'ク', 'ケ', 'コ', 'サ', 'シ', 'ス', 'セ', 'ソ', 'タ', 'チ', 'ツ', 'テ', 'ト',
    'ナ', 'ニ', 'ヌ', 'ネ', 'ノ', 'ハ', 'ヒ', 'フ', 'ヘ', 'ホ', 'マ', 'ミ', 'ム', 'メ', 'モ', 'ヤ',
    'ユ', 'ヨ', 'ラ', 'リ', 'ル', 'レ', 'ロ', 'ワ', 'ン', '\u{3099}', '\u{309A}',
];

/// The marks that make a sound voiced and half-voiced, in half width.
const VOICED: char = '\u{FF9E}';
const HALF_VOICED: char = '\u{FF9F}';

/// Appends a word with its widths made one; a half-width mark joins the Katakana before it.
pub(super) fn push_folded(word: &str, folded: &mut Vec<char>) {
    let start = folded.len();
    for c in word.chars() {
        match c {
            '\u{FF01}'..='\u{FF5E}' => folded.extend(char::from_u32(c as u32 - 0xFEE0)),
            VOICED | HALF_VOICED if let Some(joined) = joined(&folded[start..], c) => {
                if let Some(last) = folded.last_mut() {
                    *last = joined;
                }
            }
            '\u{FF65}'..='\u{FF9F}' => folded.push(KATAKANA[c as usize - 0xFF65]),
            _ => folded.push(c),
        }
    }
}

/// The last character with a mark, where there is one character for both.
fn joined(before: &[char], mark: char) -> Option<char> {
    let last = *before.last()?;
    let distance = match (mark, last) {
        (VOICED, 'ウ') => 78,
        (VOICED, 'カ' | 'キ' | 'ク' | 'ケ' | 'コ' | 'サ' | 'シ' | 'ス' | 'セ' | 'ソ') => {
            1
        }
        (VOICED, 'タ' | 'チ' | 'ツ' | 'テ' | 'ト' | 'ハ' | 'ヒ' | 'フ' | 'ヘ' | 'ホ' | 'ヽ') => {
            1
        }
        (VOICED, 'ワ' | 'ヰ' | 'ヱ' | 'ヲ') => 8,
        (HALF_VOICED, 'ハ' | 'ヒ' | 'フ' | 'ヘ' | 'ホ') => 2,
        _ => return None,
    };
    char::from_u32(last as u32 + distance)
}
