//! Formulas from text, in SPIN's syntax.
//!
//! From loose to tight: `<->`, `->` (to the right), `||`, `&&`, then `U V R W M` (to the right), then the operators with one argument:
//! `!`, `X`, `<>` or `F`, `[]` or `G`. The parser descends by these levels (precedence climbing: Richards, Whitby-Strevens, *BCPL*, 1979).
//! Capital letters that are operators are no names. Names start with a letter or `_`.
use crate::formula::Formula;

/// Why a text is not a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAFormula {
    /// Where, in bytes from the start.
    pub at: usize,
    /// What is wrong, one phrase.
    pub message: String,
}

impl std::fmt::Display for NotAFormula {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{} (at byte {})", self.message, self.at)
    }
}

impl std::error::Error for NotAFormula {}

/// Deeper than people write, less deep than the stack.
const DEEPEST: usize = 500;

/// The formula in `text`. Atoms are numbered by their place in `names`; new names are added.
pub fn parse(text: &str, names: &mut Vec<String>) -> Result<Formula, NotAFormula> {
    let mut parser = Parser { words: words(text)?, at: 0, end: text.len(), depth: 0, names };
    let formula = parser.level(0)?;
    match parser.peek() {
        None => Ok(formula),
        Some(word) => Err(parser.wrong(format!("`{word}` is not expected here"))),
    }
}

type Binary = fn(Formula, Formula) -> Formula;

/// Operators with two arguments by level, the loosest first.
const LEVELS: [&[(&str, Binary)]; 5] = [
    &[("<->", Formula::equivalent)],
    &[("->", Formula::implies)],
    &[("||", Formula::or), ("|", Formula::or)],
    &[("&&", Formula::and), ("&", Formula::and)],
    &[
        ("U", Formula::until),
        ("V", Formula::release),
        ("R", Formula::release),
        ("W", Formula::weak_until),
        ("M", Formula::strong_release),
    ],
];

struct Parser<'t> {
    words: Vec<(usize, &'t str)>,
    at: usize,
    end: usize,
    depth: usize,
    names: &'t mut Vec<String>,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.words.get(self.at).map(|it| it.1)
    }

    fn wrong(&self, message: impl Into<String>) -> NotAFormula {
        NotAFormula { at: self.words.get(self.at).map_or(self.end, |it| it.0), message: message.into() }
    }

    /// Everything of this level or tighter; all operators group to the right, which only `->` and `U` and its relatives notice.
    fn level(&mut self, level: usize) -> Result<Formula, NotAFormula> {
        let Some(operators) = LEVELS.get(level) else { return self.single() };
        let left = self.level(level + 1)?;
        let found = self.peek().and_then(|word| operators.iter().find(|it| it.0 == word));
        let Some((_, build)) = found else { return Ok(left) };
        self.at += 1;
        let right = self.deeper(|parser| parser.level(level))?;
        Ok(build(left, right))
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Result<Formula, NotAFormula>) -> Result<Formula, NotAFormula> {
        if self.depth == DEEPEST {
            return Err(self.wrong(format!("the formula is nested deeper than {DEEPEST} levels")));
        }
        self.depth += 1;
        let formula = read(self);
        self.depth -= 1;
        formula
    }

    fn single(&mut self) -> Result<Formula, NotAFormula> {
        let Some(word) = self.peek() else { return Err(self.wrong("the formula ends too early")) };
        let unary: Option<fn(Formula) -> Formula> = match word {
            "!" => Some(Formula::negated),
            "X" => Some(Formula::next),
            "<>" | "F" => Some(Formula::finally),
            "[]" | "G" => Some(Formula::globally),
            _ => None,
        };
        if let Some(build) = unary {
            self.at += 1;
            return self.deeper(Self::single).map(build);
        }
        match word {
            "(" => self.parenthesis(),
            "true" | "false" | "1" | "0" => {
                self.at += 1;
                Ok(Formula::constant(word == "true" || word == "1"))
            }
            name if is_name(name) => {
                self.at += 1;
                Ok(Formula::atom(self.number(name)))
            }
            other => Err(self.wrong(format!("`{other}` cannot start a formula"))),
        }
    }

    fn parenthesis(&mut self) -> Result<Formula, NotAFormula> {
        self.at += 1;
        let inner = self.deeper(|parser| parser.level(0))?;
        match self.peek() {
            Some(")") => {
                self.at += 1;
                Ok(inner)
            }
            _ => Err(self.wrong("`)` is missing")),
        }
    }

    fn number(&mut self, name: &str) -> u32 {
        let place = self.names.iter().position(|it| it == name).unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        });
        place as u32
    }
}

fn is_name(word: &str) -> bool {
    let reserved = ["U", "V", "R", "W", "M", "X", "F", "G"].contains(&word);
    !reserved && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The words of a text and where they start.
fn words(text: &str) -> Result<Vec<(usize, &str)>, NotAFormula> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let length = match first {
            _ if first.is_whitespace() => 0,
            _ if first.is_ascii_alphanumeric() || first == '_' => {
                text[at..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len() - at)
            }
            _ => {
                sign(&text[at..]).ok_or_else(|| NotAFormula { at, message: format!("`{first}` means nothing here") })?
            }
        };
        if length > 0 {
            words.push((at, &text[at..at + length]));
        }
        at += length.max(if length == 0 { first.len_utf8() } else { 0 });
    }
    Ok(words)
}

/// The length of the sign at the start.
fn sign(text: &str) -> Option<usize> {
    let signs = ["<->", "->", "<>", "[]", "&&", "||", "!", "(", ")", "&", "|"];
    signs.iter().find(|it| text.starts_with(**it)).map(|it| it.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut names = Vec::new();
        let got = match parse(text, &mut names) {
            Ok(formula) => formula.text(&names),
            Err(wrong) => format!("{}: {}", wrong.at, wrong.message),
        };
        assert_eq!(got, expected);
    }

    #[test]
    fn levels_and_groups() {
        check("a U b U c && d -> e || f", "(((a U (b U c)) && d) -> (e || f))");
        check("[]<>a <-> !X(b V c)", "([]<>a <-> !X (b V c))");
        check("G(a -> F b)", "[](a -> <>b)");
        check("a W b M false", "(a W (b M false))");
    }

    #[test]
    fn what_is_wrong_is_said_where_it_is() {
        check("a U", "3: the formula ends too early");
        check("(a", "2: `)` is missing");
        check("a b", "2: `b` is not expected here");
        check("a # b", "2: `#` means nothing here");
        check("U a", "0: `U` cannot start a formula");
        check("é", "0: `é` means nothing here");
        check(&"!".repeat(2000), "501: the formula is nested deeper than 500 levels");
    }
}
