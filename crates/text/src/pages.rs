//! Pages that explain codes of diagnostics, with examples that can be run.
//!
//! ````markdown
//! ## unknown-name
//!
//! What it is about, in a few sentences.
//!
//! ```promela wrong
//! …
//! ```
//!
//! ```promela right
//! …
//! ```
//! ````

/// What there is to say about one code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The code.
    pub code: &'static str,
    /// Markdown: prose and examples.
    pub body: &'static str,
}

/// A text that is wrong in the way of the page, or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Whether the code is expected.
    pub wrong: bool,
    /// The language, the first word of the block: `promela`, `ltl`.
    pub language: &'static str,
    /// The text.
    pub text: &'static str,
}

/// The pages of a Markdown text; what stands before the first is left out.
pub fn pages(markdown: &'static str) -> Vec<Page> {
    let parts = markdown.split("\n## ").skip(usize::from(!markdown.starts_with("## ")));
    let page = |part: &'static str| {
        let (code, body) = part.split_once('\n').unwrap_or((part, ""));
        Page { code: code.trim_start_matches("## ").trim(), body: body.trim() }
    };
    parts.map(page).collect()
}

impl Page {
    /// The first sentence.
    pub fn summary(&self) -> String {
        let paragraph = self.body.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        paragraph.split_once(". ").map_or(paragraph.clone(), |(first, _)| format!("{first}."))
    }

    /// Its examples, in order.
    pub fn examples(&self) -> Vec<Example> {
        let blocks = self.body.split("```").skip(1).step_by(2);
        let example = |block: &'static str| {
            let (words, text) = block.split_once('\n')?;
            let (language, which) = words.trim().split_once(' ')?;
            Some(Example { wrong: which == "wrong", language, text })
        };
        blocks.filter_map(example).collect()
    }

    /// For a terminal: examples are indented and say what they are.
    pub fn shown(&self) -> String {
        let mut out = format!("{}\n\n", self.code);
        let mut inside = false;
        for line in self.body.lines() {
            match line.strip_prefix("```") {
                Some(words) if !inside => {
                    inside = true;
                    out += if words.ends_with("wrong") { "Wrong:\n\n" } else { "Right:\n\n" };
                }
                Some(_) => inside = false,
                None if inside && !line.is_empty() => out += &format!("    {line}\n"),
                None => out += &format!("{line}\n"),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Title\n\n## one-two\n\nA thing. More.\n\n```promela wrong\nbad\n```\n\n```promela right\ngood\n```\n\n## three\n\nProse\n";

    #[test]
    fn pages_are_split_at_their_headings() {
        let pages = pages(TEXT);
        assert_eq!(pages.iter().map(|it| it.code).collect::<Vec<_>>(), ["one-two", "three"]);
        assert_eq!((pages[0].summary(), pages[1].summary()), ("A thing.".to_string(), "Prose".to_string()));
    }

    #[test]
    fn examples_say_whether_they_are_wrong() {
        let examples = pages(TEXT)[0].examples();
        let told: Vec<(bool, &str)> = examples.iter().map(|it| (it.wrong, it.text)).collect();
        assert_eq!(told, [(true, "bad\n"), (false, "good\n")]);
    }

    #[test]
    fn a_terminal_shows_examples_indented() {
        assert_eq!(pages(TEXT)[0].shown(), "one-two\n\nA thing. More.\n\nWrong:\n\n    bad\n\nRight:\n\n    good\n");
    }
}
