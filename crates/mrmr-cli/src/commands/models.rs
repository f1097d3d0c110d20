//! From the names of models to what encodes records, and what tells it from others.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use mrmr_bench::store::{fingerprint, fonts_fingerprint};
use mrmr_core::{Error, Result};
use mrmr_formats::Input;
use mrmr_formats::captions::{Captions, read_captions};
use mrmr_models::{ContentRule, ModelOptions, RecordEncoder, open_encoder};

use crate::arguments::{EncoderArguments, ModelArguments};
use crate::reading::FileCaptions;

/// An encoder of records that was opened.
pub(crate) struct OpenEncoder {
    pub(crate) encoder: RecordEncoder,
    /// A short name for tables.
    pub(crate) name: String,
    /// What its vectors depend on.
    pub(crate) identity: Vec<(String, String)>,
    /// What people want to know, as (name, value).
    pub(crate) settings: Vec<(String, String)>,
}

/// What stands before texts.
#[derive(Clone, Copy, Default)]
pub(crate) struct Prompts<'a> {
    pub(crate) query: Option<&'a str>,
    pub(crate) document: Option<&'a str>,
}

/// How a model is opened.
pub(crate) fn options(given: &ModelArguments, prompts: Prompts<'_>) -> Result<ModelOptions> {
    Ok(ModelOptions {
        threads: NonZero::new(rayon::current_num_threads()),
        runtime: match &given.runtime {
            Some(runtime) => runtime.parse()?,
            None => Default::default(),
        },
        network: given.network.clone(),
        dimension: given.dimension.map(NonZero::get),
        tokens: given.tokens.map(NonZero::get),
        query_prompt: prompts.query.map(str::to_owned),
        document_prompt: prompts.document.map(str::to_owned),
    })
}

/// Opens what encodes records under a rule.
pub(crate) fn open(
    given: &EncoderArguments,
    rule: ContentRule,
    prompts: Prompts<'_>,
) -> Result<OpenEncoder> {
    let Some(texts) = &given.encoder else {
        return Err(
            Error::usage("--encoder is missing: what makes the vectors?").hint(
                "a model's folder, its id in the local Hugging Face cache, hashing or pixels",
            ),
        );
    };
    let options = options(&given.model, prompts)?;
    if texts == "pixels" && options.dimension.is_some() {
        return Err(Error::usage("--dimension has no effect with pixels"));
    }
    let main = open_encoder(texts, &options)?;
    let encoder = match &given.image_encoder {
        None => RecordEncoder::new(rule.clone(), Arc::from(main))?,
        Some(images) => {
            // Cutting vectors and texts is for the model that it was said for.
            let own = ModelOptions {
                dimension: None,
                tokens: None,
                network: None,
                ..options.clone()
            };
            RecordEncoder::of_two(
                rule.clone(),
                Arc::from(main),
                Arc::from(open_encoder(images, &own)?),
            )?
        }
    };
    let mut identity = vec![("model".to_owned(), fingerprint(texts)?)];
    let mut settings = vec![("model".to_owned(), texts.clone())];
    if let Some(images) = &given.image_encoder {
        identity.push(("image model".to_owned(), fingerprint(images)?));
        settings.push(("image model".to_owned(), images.clone()));
    }
    settings.push(("content".to_owned(), rule.to_string()));
    identity.extend(fonts_fingerprint(&rule)?.map(|fonts| ("fonts".to_owned(), fonts)));
    let number = |number: Option<usize>| number.map(|number| number.to_string());
    for (name, value) in [
        ("dimension", number(options.dimension)),
        ("tokens", number(options.tokens)),
        ("network", options.network.clone()),
        ("query prompt", options.query_prompt.clone()),
        ("document prompt", options.document_prompt.clone()),
        ("runtime", given.model.runtime.clone()),
    ] {
        if let Some(value) = value {
            identity.push((name.to_owned(), value.clone()));
            settings.push((name.to_owned(), value));
        }
    }
    let mut name = short(texts);
    if let Some(images) = &given.image_encoder {
        name = format!("{name} + {}", short(images));
    }
    Ok(OpenEncoder {
        encoder,
        name,
        identity,
        settings,
    })
}

/// The last part of a model's name.
pub(crate) fn short(model: &str) -> String {
    let name = Path::new(model).file_name();
    name.map_or_else(
        || model.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// The captions of a file, where the rule reads them.
pub(crate) fn captions(rule: &ContentRule, file: Option<&Path>) -> Result<FileCaptions> {
    match (rule, file) {
        (ContentRule::Captions, None) => {
            Err(Error::usage("--content captions needs --captions FILE"))
        }
        (ContentRule::Captions | ContentRule::Page(_), Some(file)) => {
            Ok(FileCaptions(read_captions(&Input::new(file))?))
        }
        (_, Some(_)) => Err(Error::usage(format!(
            "--captions has no effect under --content {rule}"
        ))
        .hint("add --content captions")),
        (_, None) => Ok(FileCaptions(Captions::new())),
    }
}
