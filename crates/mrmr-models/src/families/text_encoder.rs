//! Transformers whose tokens are pooled to one vector.

use mrmr_core::{Content, Error, Modality, Result};

use super::finite;
use crate::content_rule::Role;
use crate::embeddings::Embeddings;
use crate::encoder::{Encoder, Limits};
use crate::folder::{ModelFolder, PoolingConfig, SentenceConfig};
use crate::notes::EncodeNotes;
use crate::options::ModelOptions;
use crate::runtime::Workers;
use crate::text::{
    Output, Pooling, Prompts, TEXT, TextNetwork, TokenRow, Tokens, WINDOW, normalize, text_of,
};

/// A model such as BERT, MiniLM, E5, BGE or GTE, in the layout of sentence-transformers.
///
/// Where the folder does not say how tokens become one vector, it is their mean, not normalised, as in
/// sentence-transformers.
///
/// ```
/// use mrmr_models::{Encoder, ModelFolder, ModelOptions, Role, TextEncoder};
/// let folder = ModelFolder::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tiny-bert"))?;
/// let encoder = TextEncoder::open(&folder, &ModelOptions::default())?;
/// let made = encoder.encode(&["a red circle".into(), "two circles".into()], Role::Document)?;
/// assert_eq!((made.len(), made.dimension()), (2, encoder.dimension()));
/// assert_eq!(made.notes().to_string(), "2 items, 12 tokens");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct TextEncoder {
    name: String,
    tokens: Tokens,
    network: TextNetwork,
    prompts: Prompts,
    pooling: Pooling,
    normalized: bool,
    width: usize,
    dimension: usize,
}

impl TextEncoder {
    /// Opens a model.
    ///
    /// # Errors
    /// If a file is missing or not what was expected, a step of the model is not known, or fewer dimensions are asked
    /// for than there are.
    pub fn open(folder: &ModelFolder, options: &ModelOptions) -> Result<Self> {
        let sentence: SentenceConfig = folder
            .json("config_sentence_transformers.json")?
            .unwrap_or_default();
        let (pooling, normalized) = steps(folder)?;
        let network = TextNetwork::load(
            &folder.network(options.network.as_deref())?,
            options.runtime,
            Workers::new(options.threads),
            Output::Tokens,
            &[
                "last_hidden_state",
                "token_embeddings",
                "sentence_embedding",
            ],
        )?;
        let width = network.width();
        let full = if network.gives_tokens() {
            pooling.dimension(width)
        } else {
            width
        };
        let dimension = options.dimension.unwrap_or(full);
        if dimension == 0 || dimension > full {
            return Err(Error::usage(format!(
                "expected a dimension of 1 to {full}, found {dimension}"
            ))
            .at(folder.place("")));
        }
        Ok(TextEncoder {
            name: folder.name().to_owned(),
            tokens: Tokens::of_transformer(folder, options.tokens)?,
            network,
            prompts: Prompts::of(&sentence).with(
                options.query_prompt.as_deref(),
                options.document_prompt.as_deref(),
            ),
            pooling,
            normalized,
            width,
            dimension,
        })
    }

    fn vector(&self, row: &TokenRow, output: &[f32]) -> Result<Vec<f32>, String> {
        let mut vector = if self.network.gives_tokens() {
            self.pooling.pool(output, self.width, row.prompt)
        } else {
            output.to_vec()
        };
        vector.truncate(self.dimension);
        if self.normalized {
            normalize(&mut vector);
        }
        finite(vector)
    }
}

impl Encoder for TextEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn takes(&self) -> Modality {
        TEXT
    }

    fn limits(&self) -> Limits {
        Limits {
            tokens: self.tokens.limit(),
            parts: None,
        }
    }

    fn encode(&self, contents: &[Content], role: Role) -> Result<Embeddings> {
        let prompt = self.prompts.of_role(role);
        let (rows, notes) = encoded(
            &self.network,
            contents,
            |text| self.tokens.text(prompt, text),
            |row, output| self.vector(row, output),
        )?;
        Ok(Embeddings::single(self.dimension, rows, notes))
    }
}

/// A vector a text, or why there is none.
type Rows = Vec<Result<Vec<f32>, String>>;

/// What the network makes of texts, a window at a time; texts that cannot be read are told apart.
pub(super) fn encoded(
    network: &TextNetwork,
    contents: &[Content],
    read: impl Fn(&str) -> Result<TokenRow, String> + Sync,
    take: impl Fn(&TokenRow, &[f32]) -> Result<Vec<f32>, String> + Sync,
) -> Result<(Rows, EncodeNotes)> {
    let mut notes = EncodeNotes::default();
    let mut made = Vec::with_capacity(contents.len());
    for window in contents.chunks(WINDOW) {
        let rows = network.workers().run(window.len(), |_, item| {
            Ok::<_, Error>(text_of(&window[item]).and_then(|text| read(&text)))
        })?;
        let readable: Vec<&TokenRow> = rows.iter().flatten().collect();
        for row in &readable {
            notes.tokens += row.ids.len();
            notes.truncated += usize::from(row.truncated);
            notes.empty += usize::from(row.own == 0);
        }
        // A row without any token (a tokenizer that adds none, an empty text) has nothing to run.
        let present: Vec<&TokenRow> = readable
            .into_iter()
            .filter(|row| !row.ids.is_empty())
            .collect();
        let mut vectors = network.run(&present, &take)?.into_iter();
        made.extend(rows.into_iter().map(|row| {
            match row?.ids.is_empty() {
                true => Err(
                    "expected a text, found none: the tokenizer makes no token of it".to_owned(),
                ),
                false => vectors
                    .next()
                    .unwrap_or_else(|| Err("the model gave no vector".to_owned())),
            }
        }));
    }
    Ok((made, notes))
}

/// How the tokens become one vector, and whether it gets the length 1.
fn steps(folder: &ModelFolder) -> Result<(Pooling, bool)> {
    let modules = folder.modules()?;
    let mut pooling_file = "1_Pooling/config.json".to_owned();
    let mut normalized = false;
    for module in &modules {
        match module.kind() {
            "Transformer" | "MLMTransformer" => {}
            "Pooling" => pooling_file = module.file("config.json"),
            "Normalize" => normalized = true,
            kind => {
                return Err(Error::unsupported(format!(
                    "the model has a step of the kind '{kind}'; expected Transformer, Pooling, Normalize"
                ))
                .at(folder.place("modules.json")));
            }
        }
    }
    let pooling = match folder.json::<PoolingConfig>(&pooling_file)? {
        Some(config) => {
            Pooling::of(&config).map_err(|error| error.at(folder.place(&pooling_file)))?
        }
        None if modules.iter().any(|module| module.kind() == "Pooling") => {
            return Err(
                Error::format(format!("expected the file {pooling_file}, found none"))
                    .at(folder.place(""))
                    .hint("modules.json names this step; get the folder of the step too"),
            );
        }
        None => Pooling::default(),
    };
    Ok((pooling, normalized))
}
