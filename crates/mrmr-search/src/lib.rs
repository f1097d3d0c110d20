//! Vectors and words to rankings: BM25 and exact nearest neighbours.
