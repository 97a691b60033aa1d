//! What constants are worth.

/// An integer constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Its value.
    pub value: u64,
    /// Whether it ends with `u`.
    pub unsigned: bool,
    /// Whether it ends with `l` or needs 64 bits.
    pub long: bool,
}

/// The value of an integer constant; `None` if it is none.
pub fn integer(text: &str) -> Option<Integer> {
    let lower = text.to_ascii_lowercase();
    let (radix, rest) = match &lower {
        it if it.starts_with("0x") => (16, &it[2..]),
        it if it.starts_with("0b") => (2, &it[2..]),
        it if it.starts_with('0') && it.len() > 1 => (8, &it[1..]),
        it => (10, &it[..]),
    };
    let length = rest.find(|it: char| !it.is_digit(radix)).unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(length);
    if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu") {
        return None;
    }
    let digits = if digits.is_empty() && radix == 8 { "0" } else { digits };
    let value = u64::from_str_radix(digits, radix).ok()?;
    let long = suffix.contains('l')
        || value > u64::from(u32::MAX)
        || (radix == 10 && value > i32::MAX as u64 && !suffix.contains('u'));
    let unsigned = suffix.contains('u') || (radix != 10 && !long && value > i32::MAX as u64) || value > i64::MAX as u64;
    Some(Integer { value, unsigned, long })
}

/// The value of a character constant.
pub fn character(text: &str) -> i64 {
    let quoted = text.trim_start_matches(['L', 'u', 'U']);
    let inside = quoted.strip_prefix('\'').map_or(quoted, |it| it.strip_suffix('\'').unwrap_or(it));
    let mut letters = inside.chars();
    match letters.next() {
        Some('\\') => escape(letters.as_str()),
        Some('"') | None if inside.is_empty() => 0,
        Some(it) => i64::from(it as u32),
        None => 0,
    }
}

fn escape(rest: &str) -> i64 {
    match rest.chars().next() {
        Some('n') => 10,
        Some('t') => 9,
        Some('r') => 13,
        Some('a') => 7,
        Some('b') => 8,
        Some('f') => 12,
        Some('v') => 11,
        Some('x') => i64::from_str_radix(&rest[1..], 16).unwrap_or(0),
        Some('0'..='7') => {
            let length = rest.find(|it: char| !it.is_digit(8)).unwrap_or(rest.len());
            i64::from_str_radix(&rest[..length], 8).unwrap_or(0)
        }
        Some(it) => i64::from(it as u32),
        None => i64::from('\\' as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_radix_and_suffix() {
        let value = |text| integer(text).map(|it| it.value);
        assert_eq!(
            [value("10"), value("0x1F"), value("017"), value("0"), value("7ul")].map(|it| it.unwrap_or(99)),
            [10, 31, 15, 0, 7]
        );
        assert_eq!(value("1.5"), None);
        assert!(integer("0xffffffff").is_some_and(|it| it.unsigned && !it.long));
    }

    #[test]
    fn characters_have_escapes() {
        assert_eq!(["'a'", "'\\n'", "'\\0'", "'\\x41'", "'\\''"].map(character), [97, 10, 0, 65, 39]);
    }
}
