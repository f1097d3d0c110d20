//! The part of JSON Schema that the fixtures use, read strictly: an unknown keyword is an error of the fixture.

use serde_json::Value;

/// Where and how a value departs from a schema.
pub(crate) fn check(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    for (keyword, rule) in schema.as_object().unwrap() {
        let good = match keyword.as_str() {
            "type" => match rule.as_str().unwrap() {
                "string" => value.is_string(),
                "integer" => value.is_i64(),
                "number" => value.is_number(),
                "boolean" => value.is_boolean(),
                "array" => value.is_array(),
                "object" => value.is_object(),
                other => panic!("type {other}"),
            },
            "enum" => rule.as_array().unwrap().contains(value),
            "minLength" => value
                .as_str()
                .is_none_or(|text| text.len() as u64 >= rule.as_u64().unwrap()),
            "minItems" => value
                .as_array()
                .is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value
                .as_array()
                .is_none_or(|list| list.len() as u64 <= rule.as_u64().unwrap()),
            "anyOf" => rule
                .as_array()
                .unwrap()
                .iter()
                .any(|one| check(one, value, at).is_ok()),
            "required" => rule
                .as_array()
                .unwrap()
                .iter()
                .all(|key| value.get(key.as_str().unwrap()).is_some()),
            "additionalProperties" => value.as_object().is_none_or(|fields| {
                fields
                    .keys()
                    .all(|key| schema["properties"].get(key).is_some())
            }),
            "properties" => {
                for (key, one) in rule.as_object().unwrap() {
                    if let Some(field) = value.get(key) {
                        check(one, field, &format!("{at}.{key}"))?;
                    }
                }
                true
            }
            "items" => {
                for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(rule, item, &format!("{at}[{number}]"))?;
                }
                true
            }
            other => panic!("keyword {other}"),
        };
        if !good {
            return Err(format!("{at}: {keyword}: expected {rule}"));
        }
    }
    Ok(())
}
