//! The tokens of a text, cut at the model's limit.

use std::borrow::Cow;

use mrmr_core::{Error, Result};
use tokenizers::{
    Encoding, PostProcessor, Tokenizer, TruncationParams, TruncationStrategy, truncate_encodings,
};

use crate::folder::{ModelConfig, ModelFolder, TokenizerConfig, TransformerConfig};

/// The bytes of a text that are looked at, at most, for so few tokens as a model reads.
const LONGEST: usize = 1 << 20;
/// The bytes of one word that are looked at, at least.
const WORD: usize = 1 << 16;
/// The bytes of a piece, where all of a longer text is read.
const PIECE: usize = 1 << 17;

/// A text as a model reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TokenRow {
    pub(crate) ids: Vec<i32>,
    pub(crate) types: Vec<i32>,
    /// Which tokens others look at; all, unless said otherwise.
    pub(crate) mask: Option<Vec<i32>>,
    /// How many of the first tokens belong to the prompt.
    pub(crate) prompt: usize,
    /// How many tokens are no special ones.
    pub(crate) own: usize,
    pub(crate) truncated: bool,
}

/// A model's tokenizer, with the model's limit.
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
    limit: Option<usize>,
    lower_case: bool,
    special: bool,
}

impl Tokens {
    /// Of a transformer; `asked` lowers its limit.
    pub(crate) fn of_transformer(folder: &ModelFolder, asked: Option<usize>) -> Result<Self> {
        let config: TransformerConfig = folder
            .json("sentence_bert_config.json")?
            .unwrap_or_default();
        let limit = match config.max_seq_length {
            Some(limit) => Some(limit),
            None => limit_of(folder)?,
        };
        let limit = limit.into_iter().chain(asked).min();
        let mut tokens = Tokens::open(folder, "tokenizer.json", limit, true)?;
        tokens.lower_case = config.do_lower_case;
        Ok(tokens)
    }

    /// Of a file, with or without the special tokens that it adds.
    pub(crate) fn open(
        folder: &ModelFolder,
        file: &str,
        limit: Option<usize>,
        special: bool,
    ) -> Result<Self> {
        let path = folder.required(
            file,
            "a fast tokenizer is wanted; transformers writes it with `AutoTokenizer.from_pretrained(ID).save_pretrained(FOLDER)`",
        )?;
        let about = |error: tokenizers::Error| {
            Error::format(format!("expected a tokenizer: {error}")).at(folder.place(file))
        };
        let mut tokenizer = Tokenizer::from_file(path).map_err(about)?;
        // Padding and truncation in the file are what was set last when it was saved, not what the model is.
        tokenizer.with_padding(None);
        // A tokenizer with a limit stops reading at it: then nobody knows whether words near it were whole, or more came.
        tokenizer.with_truncation(None).map_err(about)?;
        Ok(Tokens {
            tokenizer,
            limit,
            lower_case: false,
            special,
        })
    }

    /// The tokens that are read at most.
    pub(crate) fn limit(&self) -> Option<usize> {
        self.limit
    }

    /// The number of a token.
    pub(crate) fn id(&self, token: &str) -> Option<i32> {
        self.tokenizer.token_to_id(token).map(|id| id as i32)
    }

    /// The tokens of a text behind a prompt.
    pub(crate) fn text(&self, prompt: &str, text: &str) -> Result<TokenRow, String> {
        let whole = format!("{prompt}{text}");
        let mut row = self.begin(None, whole.trim())?;
        if !prompt.is_empty() {
            // The special token at the end is the text's.
            let alone = self.finished(self.encode(prompt.trim())?, None)?;
            row.prompt = alone
                .len()
                .saturating_sub(usize::from(self.special))
                .min(row.ids.len());
            row.own = row.own.saturating_sub(own(&alone));
        }
        Ok(row)
    }

    /// The tokens of two texts.
    pub(crate) fn pair(&self, first: &str, second: &str) -> Result<TokenRow, String> {
        // Of the first text too, no more is read than can matter.
        let first = first.trim();
        let first = match self.limit {
            Some(limit) => {
                let bytes = bytes_for(limit).saturating_mul(4);
                beginning(first, bytes, bytes.max(WORD)).text
            }
            None => Cow::Borrowed(first),
        };
        self.begin(Some(self.encode(&first)?), second.trim())
    }

    fn cased(&self, text: &str) -> String {
        if self.lower_case {
            text.to_lowercase()
        } else {
            text.to_owned()
        }
    }

    /// All tokens of a text, without special ones.
    fn encode(&self, text: &str) -> Result<Encoding, String> {
        let encoded = self.tokenizer.encode(self.cased(text), false);
        encoded.map_err(|error| format!("the tokenizer failed: {error}"))
    }

    /// Cut at the limit, with special tokens.
    fn finished(&self, first: Encoding, second: Option<Encoding>) -> Result<Encoding, String> {
        let failed = |error| format!("the tokenizer failed: {error}");
        let (mut first, mut second) = (first, second);
        if let Some(limit) = self.limit {
            let processor = self.tokenizer.get_post_processor();
            let added = match self.special {
                true => processor.map_or(0, |with| with.added_tokens(second.is_some())),
                false => 0,
            };
            let truncation = TruncationParams {
                max_length: limit.saturating_sub(added),
                strategy: TruncationStrategy::LongestFirst,
                ..TruncationParams::default()
            };
            (first, second) = truncate_encodings(first, second, &truncation).map_err(failed)?;
        }
        let done = self.tokenizer.post_process(first, second, self.special);
        done.map_err(failed)
    }

    /// Reads as much of a text, behind another or not, as its first tokens need: a text of any length costs what the
    /// model reads of it.
    fn begin(&self, first: Option<Encoding>, text: &str) -> Result<TokenRow, String> {
        let Some(limit) = self.limit else {
            return self.whole(first, text);
        };
        let mut bytes = bytes_for(limit);
        let run = bytes.max(WORD);
        loop {
            let part = beginning(text, bytes, run);
            let encoding = self.encode(&part.text)?;
            // The last word may be cut, but words near the limit are whole where enough tokens follow.
            if part.is_whole || encoding.len() > limit + 64 || bytes >= LONGEST {
                let mut row = TokenRow::of(&self.joined(first, encoding)?);
                row.truncated |= part.is_cut || !part.is_whole;
                return Ok(row);
            }
            bytes = bytes.saturating_mul(4).min(LONGEST);
        }
    }

    fn joined(&self, first: Option<Encoding>, mut last: Encoding) -> Result<Encoding, String> {
        match first {
            Some(first) => {
                last.set_type_ids(vec![1; last.len()]);
                self.finished(first, Some(last))
            }
            None => self.finished(last, None),
        }
    }

    /// All tokens of a text, of a long one piece by piece: a tokenizer wants fifty times the size of what it is given.
    fn whole(&self, first: Option<Encoding>, text: &str) -> Result<TokenRow, String> {
        if self.special || first.is_some() || text.len() <= LONGEST {
            return Ok(TokenRow::of(&self.joined(first, self.encode(text)?)?));
        }
        let mut all = TokenRow::default();
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.floor_char_boundary(PIECE);
            // A space belongs to the word after it, as tokenizers have it; a word without end is cut.
            let space = rest[..end]
                .rfind(char::is_whitespace)
                .filter(|space| *space > 0 && end < rest.len());
            let (piece, after) = rest.split_at(space.unwrap_or(end));
            let row = TokenRow::of(&self.encode(piece)?);
            all.ids.extend(row.ids);
            all.types.extend(row.types);
            all.own += row.own;
            rest = after;
        }
        Ok(all)
    }
}

impl TokenRow {
    fn of(encoding: &Encoding) -> Self {
        let signed = |numbers: &[u32]| numbers.iter().map(|number| *number as i32).collect();
        TokenRow {
            ids: signed(encoding.get_ids()),
            types: signed(encoding.get_type_ids()),
            mask: None,
            prompt: 0,
            own: own(encoding),
            truncated: !encoding.get_overflowing().is_empty(),
        }
    }
}

fn own(encoding: &Encoding) -> usize {
    let special = encoding.get_special_tokens_mask();
    special.iter().filter(|special| **special == 0).count()
}

fn bytes_for(tokens: usize) -> usize {
    tokens.saturating_mul(16).saturating_add(4096)
}

/// What is looked at of a text.
struct Beginning<'a> {
    text: Cow<'a, str>,
    /// Whether the text ends there.
    is_whole: bool,
    /// Whether a word was cut on the way.
    is_cut: bool,
}

/// About so many bytes of a text, cut where a word begins if that is near, with no more than the first `run` bytes of
/// each word (or of each stretch of white space): that many are more tokens than the model reads, or one unknown one.
fn beginning(text: &str, bytes: usize, run: usize) -> Beginning<'_> {
    if text.len() <= bytes.min(run) {
        return Beginning {
            text: Cow::Borrowed(text),
            is_whole: true,
            is_cut: false,
        };
    }
    let mut taken = String::new();
    let (mut is_cut, mut rest) = (false, text);
    while !rest.is_empty() && taken.len() < bytes {
        let is_space = rest.starts_with(char::is_whitespace);
        let end = rest.find(|c: char| c.is_whitespace() != is_space);
        let (stretch, after) = rest.split_at(end.unwrap_or(rest.len()));
        let kept = &stretch[..stretch.floor_char_boundary(run)];
        is_cut |= kept.len() < stretch.len();
        taken.push_str(kept);
        rest = after;
    }
    if !rest.is_empty() && taken.len() > bytes {
        // The last stretch goes, where it is short.
        let near = taken.floor_char_boundary(bytes.saturating_sub(256));
        let end = taken.floor_char_boundary(bytes);
        let end = taken[near..end]
            .rfind(char::is_whitespace)
            .map_or(end, |space| near + space);
        taken.truncate(end);
    }
    Beginning {
        text: Cow::Owned(taken),
        is_whole: rest.is_empty(),
        is_cut,
    }
}

/// The limit that a model's own settings give where sentence-transformers has none: the smaller of the two.
fn limit_of(folder: &ModelFolder) -> Result<Option<usize>> {
    let tokenizer: TokenizerConfig = folder.json("tokenizer_config.json")?.unwrap_or_default();
    let config: ModelConfig = folder.json("config.json")?.unwrap_or_default();
    let stated = tokenizer
        .model_max_length
        .filter(|limit| (1.0..1e9).contains(limit));
    // These families count positions from the number after that of padding.
    let kind = config.model_type.as_deref().unwrap_or_default();
    let shifted = ["roberta", "camembert", "mpnet"]
        .iter()
        .any(|family| kind.contains(family));
    let positions = config
        .max_position_embeddings
        .map(|all| if shifted { all.saturating_sub(2) } else { all });
    Ok(stated
        .map(|limit| limit as usize)
        .into_iter()
        .chain(positions)
        .min())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_where_a_word_begins() {
        let text = "word ".repeat(100);
        let part = beginning(&text, 13, 13);
        assert_eq!(
            (&*part.text, part.is_whole, part.is_cut),
            ("word word", false, false)
        );
        assert_eq!(beginning(&text, 1000, 1000).text, text);
        assert_eq!(beginning("ääää", 3, 3).text, "ä");
    }

    #[test]
    fn a_word_without_end_is_passed_over() {
        let text = format!("a {} b{}c", "x".repeat(1_000_000), " ".repeat(1_000_000));
        let part = beginning(&text, 400, 50);
        assert_eq!(
            part.text,
            format!("a {} b{}c", "x".repeat(50), " ".repeat(50))
        );
        assert!(part.is_whole && part.is_cut);
    }
}
