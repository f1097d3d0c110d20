//! The page of the manual has every convention and option.

use mrmr_models::{Convention, Endpoint};

#[test]
fn the_page_has_every_convention_and_option() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/http-models.md");
    let page = std::fs::read_to_string(path).unwrap();
    for convention in Convention::ALL {
        let key = convention
            .key_variable()
            .map_or(String::new(), |key| format!("`{key}` "));
        let row = format!("| `{convention}` | `{}` | {key}|", convention.default_url());
        assert!(page.contains(&row), "{row}");
    }
    let rows = page.lines().filter(|line| line.starts_with("| `")).count();
    let options: Vec<_> = Endpoint::options().collect();
    assert_eq!(rows, Convention::ALL.len() + options.len());
    for (name, what) in options {
        assert!(page.contains(&format!("| `{name}` | {what} |\n")), "{name}");
    }
}
