//! Sizes of memory as people write them: `"512 B"`, `"4 KiB"`.

use std::ops::RangeInclusive;

use crate::reader::{Reader, Spot};

const UNITS: [(&str, u64); 3] = [("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

/// A size within a range of bytes; nothing where it is wrong, which is reported.
pub fn size(
    reader: &Reader,
    key: &str,
    text: &Spot<String>,
    range: &RangeInclusive<u64>,
) -> Option<u64> {
    let Some(bytes) = parse(&text.value) else {
        let message = format!("`{key}` is no size of memory");
        let help = "write a whole number and its unit, B, KiB or MiB: \"4 KiB\"";
        reader.report(text.span.clone(), "no-size", message, "no size", help);
        return None;
    };
    if !range.contains(&bytes) {
        let message = format!("`{key}` is out of range");
        let help = format!("give {} to {} bytes", range.start(), range.end());
        reader.report(text.span.clone(), "out-of-range", message, "out of range", help);
        return None;
    }
    Some(bytes)
}

fn parse(text: &str) -> Option<u64> {
    let (digits, unit) =
        UNITS.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))?;
    let digits = digits.strip_suffix(' ').unwrap_or(digits);
    let all_digits = digits.bytes().all(|digit| digit.is_ascii_digit());
    let number: u64 = digits.parse().ok().filter(|_| all_digits)?;
    number.checked_mul(*unit)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sizes_are_numbers_with_units() {
        assert_eq!(parse("512 B"), Some(512));
        assert_eq!(parse("4KiB"), Some(4096));
        assert_eq!(parse("2 MiB"), Some(2 << 20));
        for wrong in
            ["4", "4 KB", "4  KiB", "+4 KiB", "-4 KiB", "KiB", "4 GiB", "99999999999999999999 B"]
        {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert_eq!(parse("18446744073709551615 MiB"), None);
    }
}
