//! What a model wants before a text, by role.

use crate::content_rule::Role;
use crate::folder::SentenceConfig;

/// A prompt for each role; empty where the model has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Prompts {
    query: String,
    document: String,
}

impl Prompts {
    /// As the model's settings have them: by the names that sentence-transformers looks for, then the default.
    pub(crate) fn of(config: &SentenceConfig) -> Self {
        let named = |names: &[&str]| {
            let default = config.default_prompt_name.as_deref();
            let mut found = names
                .iter()
                .copied()
                .chain(default)
                .filter_map(|name| config.prompts.get(name));
            found.find_map(Option::clone).unwrap_or_default()
        };
        Prompts {
            query: named(&["query"]),
            document: named(&["document", "passage", "corpus"]),
        }
    }

    /// With those that the user gave in their place.
    pub(crate) fn with(self, query: Option<&str>, document: Option<&str>) -> Self {
        Prompts {
            query: query.map_or(self.query, str::to_owned),
            document: document.map_or(self.document, str::to_owned),
        }
    }

    /// The prompt of a role.
    pub(crate) fn of_role(&self, role: Role) -> &str {
        match role {
            Role::Query => &self.query,
            Role::Document => &self.document,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompts(json: &str) -> Prompts {
        Prompts::of(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn prompts_are_found_by_the_usual_names_then_by_the_default() {
        let both = prompts(r#"{"prompts": {"query": "query: ", "passage": "passage: "}}"#);
        assert_eq!(both.of_role(Role::Query), "query: ");
        assert_eq!(both.of_role(Role::Document), "passage: ");
        let default =
            prompts(r#"{"prompts": {"query": "q: ", "x": "x: "}, "default_prompt_name": "x"}"#);
        assert_eq!(default.of_role(Role::Document), "x: ");
        let none = prompts(r#"{"prompts": {}, "default_prompt_name": null}"#);
        assert_eq!(none, Prompts::default());
        assert_eq!(both.with(Some(""), None).of_role(Role::Query), "");
    }
}
