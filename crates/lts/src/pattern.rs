//! Patterns for labels: `*` stands for any text, `?` for any character.

/// Whether a pattern describes the whole of a text.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut here) = (0, 0);
    // Where the last `*` is, and where what it stands for ends so far.
    let mut star: Option<(usize, usize)> = None;
    while here < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(&it) if it == '?' || it == text[here] => {
                at += 1;
                here += 1;
            }
            _ => {
                let Some((place, end)) = star else { return false };
                star = Some((place, end + 1));
                (at, here) = (place + 1, end + 1);
            }
        }
    }
    pattern[at..].iter().all(|&it| it == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_and_question_marks_stand_for_text() {
        for (pattern, text, expected) in [
            ("a*", "abc", true),
            ("*", "", true),
            ("*b?d*", "abcd", true),
            ("a?", "a", false),
            ("*a*a*b", "aaaaaaaaaaaaaaaaaaab", true),
            ("*a*a*c", "aaaaaaaaaaaaaaaaaaab", false),
            ("", "x", false),
            ("é?", "éè", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
