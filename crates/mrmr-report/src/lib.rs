//! An evaluation to tables and result files.
