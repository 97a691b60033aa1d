//! Formulas from text, as NuSMV and the papers write them.
//!
//! ```text
//! loosest  <->   ->   || or | or or   && or & or and   ! AX EX AF EF AG EG (prefix)  tightest
//! A[f U g]  E[f U g]  A[f W g]  E[f W g]  (f)  true  TRUE  1  false  FALSE  0  name
//! ```
//!
//! All operators with two arguments group to the right, which only `->` and `<->` notice. (NuSMV has `<->` tighter than `->`.) The words above are
//! no names; a name starts with a letter or `_`. `not` is `!`.
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

type One = fn(Formula) -> Formula;
type Two = fn(Formula, Formula) -> Formula;

/// Operators with two arguments by level, the loosest first.
const LEVELS: [&[(&str, Two)]; 4] = [
    &[("<->", Formula::equivalent)],
    &[("->", Formula::implies)],
    &[("||", Formula::or), ("|", Formula::or), ("or", Formula::or)],
    &[("&&", Formula::and), ("&", Formula::and), ("and", Formula::and)],
];

const PREFIX: [(&str, One); 8] = [
    ("!", Formula::negated),
    ("not", Formula::negated),
    ("AX", Formula::all_next),
    ("EX", Formula::some_next),
    ("AF", Formula::all_finally),
    ("EF", Formula::some_finally),
    ("AG", Formula::all_globally),
    ("EG", Formula::some_globally),
];

const BRACKETS: [(&str, &str, Two); 4] = [
    ("A", "U", Formula::all_until),
    ("E", "U", Formula::some_until),
    ("A", "W", Formula::all_weak_until),
    ("E", "W", Formula::some_weak_until),
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

    /// Everything of this level or tighter.
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
        if let Some((_, build)) = PREFIX.iter().find(|it| it.0 == word) {
            self.at += 1;
            return self.deeper(Self::single).map(build);
        }
        match word {
            "(" => self.parenthesis(),
            "A" | "E" => self.bracket(word),
            "true" | "TRUE" | "1" => self.constant(true),
            "false" | "FALSE" | "0" => self.constant(false),
            name if is_name(name) => {
                self.at += 1;
                Ok(Formula::atom(self.number(name)))
            }
            other => Err(self.wrong(format!("`{other}` cannot start a formula"))),
        }
    }

    fn constant(&mut self, value: bool) -> Result<Formula, NotAFormula> {
        self.at += 1;
        Ok(Formula::constant(value))
    }

    fn parenthesis(&mut self) -> Result<Formula, NotAFormula> {
        self.at += 1;
        let inner = self.deeper(|parser| parser.level(0))?;
        self.expect(")").map(|()| inner)
    }

    /// `A[f U g]` and its relatives.
    fn bracket(&mut self, quantifier: &str) -> Result<Formula, NotAFormula> {
        self.at += 1;
        self.expect("[")?;
        let left = self.deeper(|parser| parser.level(0))?;
        let found = BRACKETS.iter().find(|it| it.0 == quantifier && Some(it.1) == self.peek());
        let Some((_, _, build)) = found else { return Err(self.wrong("`U` or `W` is missing")) };
        self.at += 1;
        let right = self.deeper(|parser| parser.level(0))?;
        self.expect("]").map(|()| build(left, right))
    }

    fn expect(&mut self, word: &str) -> Result<(), NotAFormula> {
        if self.peek() != Some(word) {
            return Err(self.wrong(format!("`{word}` is missing")));
        }
        self.at += 1;
        Ok(())
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
    let is_operator = LEVELS.iter().copied().flatten().any(|it| it.0 == word) || ["U", "W"].contains(&word);
    !is_operator && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The words of a text and where they start.
fn words(text: &str) -> Result<Vec<(usize, &str)>, NotAFormula> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let length = match first {
            _ if first.is_whitespace() => 0,
            _ if is_letter(first) => text[at..].find(|c: char| !is_letter(c)).unwrap_or(text.len() - at),
            _ => {
                sign(&text[at..]).ok_or_else(|| NotAFormula { at, message: format!("`{first}` means nothing here") })?
            }
        };
        if length > 0 {
            words.push((at, &text[at..at + length]));
        }
        at += if length == 0 { first.len_utf8() } else { length };
    }
    Ok(words)
}

fn is_letter(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}

/// The length of the sign at the start.
fn sign(text: &str) -> Option<usize> {
    const SIGNS: [&str; 11] = ["<->", "->", "&&", "||", "&", "|", "!", "(", ")", "[", "]"];
    SIGNS.iter().find(|it| text.starts_with(**it)).map(|it| it.len())
}
