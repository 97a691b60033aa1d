//! Long labels in several lines.

/// A text in lines of at most so many letters, broken where there are blanks if possible.
pub fn wrapped(text: &str, longest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace().flat_map(|it| pieces(it, longest)) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= longest => *line += &format!(" {word}"),
            _ => lines.push(word),
        }
    }
    lines
}

/// A word, or its parts if it is too long for a line.
fn pieces(word: &str, longest: usize) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    letters.chunks(longest.max(1)).map(|it| it.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_too_long_and_no_letter_is_lost() {
        let text = format!("12: a && {} && b", "c".repeat(70));
        let lines = wrapped(&text, 30);
        assert!(lines.iter().all(|it| it.chars().count() <= 30) && lines.len() > 2, "{lines:?}");
        assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        assert_eq!(wrapped("1: x = 1", 30), ["1: x = 1"]);
    }
}
