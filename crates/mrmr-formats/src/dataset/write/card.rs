//! What `datasets` must know to load the three parts by name.

pub(super) const CARD: &str = "\
---
configs:
- config_name: corpus
  data_files:
  - split: test
    path: corpus/test-*
- config_name: query
  data_files:
  - split: test
    path: query/test-*
- config_name: qrels
  data_files:
  - split: test
    path: qrels/test-*
---
";
