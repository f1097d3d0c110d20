//! Content to what a system reads: content rules, captions.
