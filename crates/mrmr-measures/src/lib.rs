//! Measures of retrieval: grammar, evaluators, values, ties and coverage.
