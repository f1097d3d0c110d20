//! The tokens of a text, cut at the model's limit.

use mrmr_core::{Error, Result};
use tokenizers::{EncodeInput, Encoding, Tokenizer, TruncationParams, TruncationStrategy};

use crate::folder::{ModelConfig, ModelFolder, TokenizerConfig, TransformerConfig};

/// The bytes of a text that are looked at for so few tokens as a model reads.
const LONGEST: usize = 1 << 20;

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
        let truncation = limit.map(|max_length| TruncationParams {
            max_length,
            strategy: TruncationStrategy::LongestFirst,
            ..TruncationParams::default()
        });
        tokenizer.with_truncation(truncation).map_err(about)?;
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
        let mut row = self.begin(whole.trim(), |text| self.encode(text.into()))?;
        if !prompt.is_empty() {
            // The special token at the end is the text's.
            let alone = self.encode(self.cased(prompt.trim()).into())?;
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
        let first = self.cased(first.trim());
        // Of the first text too, no more is read than can matter.
        let first = match self.limit {
            Some(limit) => beginning(&first, bytes_for(limit).saturating_mul(4)),
            None => &first,
        };
        self.begin(second.trim(), |second| self.encode((first, second).into()))
    }

    fn cased(&self, text: &str) -> String {
        if self.lower_case {
            text.to_lowercase()
        } else {
            text.to_owned()
        }
    }

    fn encode(&self, input: EncodeInput<'_>) -> Result<Encoding, String> {
        let encoded = self.tokenizer.encode(input, self.special);
        encoded.map_err(|error| format!("the tokenizer failed: {error}"))
    }

    /// Reads as much of a text as its first tokens need: a text of any length costs what the model reads of it.
    fn begin(
        &self,
        text: &str,
        encode: impl Fn(String) -> Result<Encoding, String>,
    ) -> Result<TokenRow, String> {
        let mut bytes = self.limit.map_or(usize::MAX, bytes_for);
        loop {
            let part = beginning(text, bytes);
            let encoding = encode(self.cased(part))?;
            let left: usize = encoding.get_overflowing().iter().map(Encoding::len).sum();
            // The last word may be cut, but words near the limit are whole where enough tokens follow.
            if part.len() == text.len() || left > 64 {
                return Ok(TokenRow::of(&encoding));
            }
            // A word of megabytes is one unknown token, and a hundred times its size in memory.
            if bytes >= LONGEST {
                let mut row = TokenRow::of(&encoding);
                row.truncated = true;
                return Ok(row);
            }
            bytes = bytes.saturating_mul(4);
        }
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

/// About so many bytes of a text, cut where a word begins if that is near.
fn beginning(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let end = text.floor_char_boundary(bytes);
    let near = text.floor_char_boundary(end.saturating_sub(256));
    match text[near..end].rfind(char::is_whitespace) {
        Some(space) => &text[..near + space],
        None => &text[..end],
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
        assert_eq!(beginning(&text, 13), "word word");
        assert_eq!(beginning(&text, 1000), text);
        assert_eq!(beginning("ääää", 3), "ä");
    }
}
