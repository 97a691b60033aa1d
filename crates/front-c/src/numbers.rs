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

/// The value of a character constant, as GNU's compiler takes it: one of many characters is made of their bytes.
pub fn character(text: &str) -> i64 {
    let wide = text.starts_with(['L', 'u', 'U']);
    let inside = text.trim_start_matches(['L', 'u', 'U', '8']);
    let inside = inside.strip_prefix('\'').unwrap_or(inside);
    let mut rest = inside.strip_suffix('\'').unwrap_or(inside);
    let (mut value, mut count) = (0_i64, 0);
    while let Some(first) = rest.chars().next() {
        let (one, length) = match first {
            '\\' => escape(&rest[1..]),
            other => (i64::from(other as u32), other.len_utf8()),
        };
        (value, count) = if wide { (one, 1) } else { ((value << 8) | (one & 255), count + 1) };
        rest = &rest[length..];
    }
    match (wide, count) {
        (true, _) => value,
        (false, 1) => i64::from(value as i8),
        _ => i64::from(value as i32),
    }
}

/// What stands behind a backslash, and the length of it all.
fn escape(rest: &str) -> (i64, usize) {
    let digits = |text: &str, radix: u32, most: usize| {
        let length = text.chars().take(most).take_while(|it| it.is_digit(radix)).count();
        (i64::from_str_radix(&text[..length], radix).unwrap_or(0), length)
    };
    match rest.chars().next() {
        Some('n') => (10, 2),
        Some('t') => (9, 2),
        Some('r') => (13, 2),
        Some('a') => (7, 2),
        Some('b') => (8, 2),
        Some('f') => (12, 2),
        Some('v') => (11, 2),
        Some('e') => (27, 2),
        Some('x') => {
            let (value, length) = digits(&rest[1..], 16, 8);
            (value, length + 2)
        }
        Some('0'..='7') => {
            let (value, length) = digits(rest, 8, 3);
            (value, length + 1)
        }
        Some(it) => (i64::from(it as u32), 1 + it.len_utf8()),
        None => (i64::from('\\' as u32), 1),
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
        assert_eq!(["'\\xff'", "'ab'", "L'\\xff'", "'\\377'", "''"].map(character), [-1, 24930, 255, -1, 0]);
    }
}
