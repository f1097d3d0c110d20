//! Development support: the order of the crates, and the check that holds them to it.
//!
//! ```
//! assert!(mrmr_dev::may_use("mrmr-search", "mrmr-core"));
//! assert!(!mrmr_dev::may_use("mrmr-core", "mrmr-search"));
//! ```

/// The crates in the order of the data flow: each uses only those before it.
pub const LADDER: &[&str] = &[
    "mrmr-core",
    "mrmr-measures",
    "mrmr-formats",
    "mrmr-search",
    "mrmr-models",
    "mrmr-train",
    "mrmr-engines",
    "mrmr-bench",
    "mrmr-report",
    "mrmr-cli",
    "mrmr-python",
    "mrmr-dev",
];

/// Whether one crate of the workspace may use another.
pub fn may_use(user: &str, used: &str) -> bool {
    let place = |name: &str| LADDER.iter().position(|rung| *rung == name);
    matches!((place(user), place(used)), (Some(user), Some(used)) if used < user)
}
