//! Parts of the JSON form that several reports share.

use mrmr_core::RankingPolicy;
use mrmr_measures::{Coverage, Evaluation, GateOutcome, MeasureSpec, MeasureValues, Policies};
use serde_json::{Map, Value, json};

use crate::score::QrelsFacts;

/// The qrels' file.
pub(crate) fn qrels(qrels: &QrelsFacts) -> Value {
    json!({ "source": qrels.source, "blake3": qrels.hash, "notes": qrels.notes })
}

/// Conditions and whether they were met.
pub(crate) fn gates(gates: &[GateOutcome]) -> Value {
    let gates = gates.iter().map(|gate| {
        json!({
            "run": gate.run,
            "condition": gate.condition,
            "passed": gate.passed,
            "sentence": gate.sentence,
        })
    });
    Value::Array(gates.collect())
}

/// Policies by name.
pub(crate) fn policies(policies: &Policies) -> Value {
    let RankingPolicy { ties, precision } = policies.ranking;
    json!({
        "ties": ties.name(),
        "score_precision": precision.name(),
        "missing": policies.missing.name(),
        "no_relevant": policies.no_relevant.name(),
        "unjudged": policies.unjudged.name(),
    })
}

/// A measure with all its parameters.
pub(crate) fn measure(spec: &MeasureSpec) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("measure".to_owned(), json!(spec.to_string()));
    out.insert("name".to_owned(), json!(spec.definition().name));
    out.insert("cutoff".to_owned(), json!(spec.cutoff()));
    out.insert("parameters".to_owned(), named(spec.parameters()));
    out
}

/// Parameters by name, numbers as numbers.
fn named(parameters: impl Iterator<Item = (&'static str, String)>) -> Value {
    let parameters = parameters.map(|(name, value)| {
        let value = value
            .parse::<f64>()
            .map_or(json!(value), |number| json!(number));
        (name.to_owned(), value)
    });
    Value::Object(parameters.collect())
}

/// A measure with its values.
pub(crate) fn measured(values: &MeasureValues) -> Value {
    let mut out = measure(&values.spec);
    out.insert(
        "parameters".to_owned(),
        named(values.parameters.iter().cloned()),
    );
    if let Some(residual) = values.residual {
        out.insert("residual".to_owned(), json!(residual));
    }
    for (key, value) in [
        (
            "aggregate",
            json!(values.spec.definition().aggregate.name()),
        ),
        ("value", json!(values.value)),
        ("tie_averaged", json!(values.tie_averaged)),
        ("tie_averaged_by", json!(values.averaged_by.name())),
        ("lowest_over_ties", json!(values.lowest)),
        ("highest_over_ties", json!(values.highest)),
        ("extremes_over_ties_by", json!(values.extremes_by.name())),
        ("in_other_score_precision", json!(values.other_precision)),
        ("queries_tied_at_cutoff", json!(values.tied_at_cutoff)),
    ] {
        out.insert(key.to_owned(), value);
    }
    Value::Object(out)
}

/// Coverage and ties of an evaluation.
pub(crate) fn coverage(evaluation: &Evaluation) -> Value {
    let Coverage {
        judged,
        scored,
        missing,
        extra,
        without_relevant,
        empty,
        top10,
        top10_unjudged,
    } = &evaluation.coverage;
    json!({
        "judged_queries": judged,
        "scored_queries": scored,
        "missing_queries": missing,
        "extra_queries": extra,
        "queries_without_relevant": without_relevant,
        "queries_with_empty_ranking": empty,
        "top10_documents": top10,
        "top10_unjudged_documents": top10_unjudged,
        "queries_with_ties": evaluation.tied_queries,
        "queries_with_all_scores_equal": evaluation.all_equal_queries,
        "queries_sensitive_to_score_precision": evaluation.precision_queries,
    })
}

/// The values of each query, by measure.
pub(crate) fn by_query(evaluation: &Evaluation) -> Value {
    let rows = evaluation.queries.iter().enumerate().map(|(at, query)| {
        let values: Map<String, Value> = evaluation
            .measures
            .iter()
            .map(|measure| (measure.spec.to_string(), json!(measure.values[at])))
            .collect();
        json!({ "query": query, "values": values })
    });
    Value::Array(rows.collect())
}

/// A document's score. JSON has no word for what is infinite: that is the text `inf` or `-inf`, as in CSV.
pub(crate) fn score(score: f64) -> Value {
    if score.is_infinite() {
        Value::from(score.to_string())
    } else {
        Value::from(score)
    }
}

/// Pretty JSON with a line end.
pub(crate) fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
