//! The words that Verilog reserves, for everything that writes Verilog.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Reserved by Verilog-2001, and by the SystemVerilog that most tools read today.
static RESERVED: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("reserved.txt").split_whitespace().collect());

/// Returns true if the name is a reserved word, which must be escaped.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    RESERVED.contains(name)
}

#[cfg(test)]
mod tests {
    use super::is_reserved;

    #[test]
    fn keywords_of_both_languages_are_reserved() {
        assert!(["always", "wire", "logic", "interface"].into_iter().all(is_reserved));
        assert!(!["Always", "n1", ""].into_iter().any(is_reserved));
    }
}
