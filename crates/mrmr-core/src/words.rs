//! Numbers in words.

/// A count with what is counted.
///
/// ```
/// use mrmr_core::counted;
/// assert_eq!(counted(1, "query", "queries"), "1 query");
/// assert_eq!(counted(0, "query", "queries"), "0 queries");
/// ```
pub fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}
