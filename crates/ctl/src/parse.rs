//! Formulas from text, as NuSMV and the papers write them.
//!
//! ```text
//! loosest  <->   ->   || or | or or   && or & or and   ! AX EX AF EF AG EG [R] <R> (prefix)  tightest
//! A[f U g]  E[f U g]  A[f W g]  E[f W g]  (f)  true  TRUE  1  false  FALSE  0  atom
//! restricted to actions   EAX(a) f  AAX(a) f  EAF(a) f  AAF(a) f  EAG(a) f  AAG(a) f  EA(a)[f U g]  AA(a)[f W g] …
//!                         AASX(a) f: a step of a is possible, and all lead to f    EAWX(a) f: if a step of a is possible, one leads to f
//! regular (see regular)   [R] f   <R> f   inev(a, b, f)
//! sets of actions a       true  false  name  not a  a & b  a | b  (a)
//! sequences of steps R    a   R.R   R|R   (R)   a*  a+  R?
//! ```
//!
//! All operators with two arguments group to the right, which only `->` and `<->` notice. (NuSMV has `<->` tighter than `->`.) The words above are
//! no names; a name starts with a letter or `_`. `not` is `!`. In [`parse_with`] an atom is a comparison of any terms, `x[1].y + 1 == 2`, of which somebody else knows the meaning.
//!
//! An action is called by its name, an index and the values it comes with: `done`, `turn[2]`, `INF !TESTED !TRUE`; blanks do not matter. `INF !TESTED.*` is every action that begins so, with
//! these values or more. In quotes it may contain anything.
use crate::actions::Actions;
use crate::formula::{Formula, Path, Quantifier};
use crate::regular::{Regular, inevitable};

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

/// What atoms and actions are called.
pub trait Names {
    /// The number of the atom that is written like this, at this byte of the text; or what is wrong with it, and where.
    fn atom(&mut self, text: &str, at: usize) -> Result<u32, NotAFormula>;

    /// The actions that a name stands for; or why there is none.
    fn actions(&mut self, name: &ActionName) -> Result<Vec<u32>, String>;
}

/// How an action is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionName {
    /// Without blanks.
    pub text: String,
    /// Every action that begins so.
    pub is_beginning: bool,
}

impl ActionName {
    /// Whether an action is called so.
    pub fn matches(&self, action: &str) -> bool {
        let action = without_blanks(action);
        match action.strip_prefix(&self.text) {
            Some("") => true,
            // A value is taken as a whole: `send !1.*` is not `send !10`.
            Some(rest) => self.is_beginning && (!self.text.contains('!') || rest.starts_with('!')),
            None => false,
        }
    }

    /// The actions of a list that are called so; or that there is none.
    pub fn among(&self, actions: &[String]) -> Result<Vec<u32>, String> {
        let found: Vec<u32> = (0..).zip(actions).filter(|it| self.matches(it.1)).map(|it| it.0).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let begin = ActionName { text: self.text.clone(), is_beginning: true };
        let message = format!("there is no action `{}`", self.text);
        Err(match actions.iter().find(|it| begin.matches(it)) {
            Some(longer) => format!("{message}; `{}.*` would be all that begin so, as `{longer}`", self.text),
            None => message,
        })
    }
}

/// A text without its blanks.
fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Names that get the next number when they are met for the first time; actions may be given.
pub struct Numbered<'n> {
    /// The atoms so far.
    pub atoms: &'n mut Vec<String>,
    /// The actions that there are.
    pub actions: &'n [String],
}

impl Names for Numbered<'_> {
    fn atom(&mut self, text: &str, _: usize) -> Result<u32, NotAFormula> {
        let place = self.atoms.iter().position(|it| it == text).unwrap_or_else(|| {
            self.atoms.push(text.to_string());
            self.atoms.len() - 1
        });
        Ok(place as u32)
    }

    fn actions(&mut self, name: &ActionName) -> Result<Vec<u32>, String> {
        name.among(self.actions)
    }
}

/// Deeper than people write, less deep than the stack.
const DEEPEST: usize = 500;

/// The formula in `text`. Atoms are numbered by their place in `names`; new names are added. There are no actions.
pub fn parse(text: &str, names: &mut Vec<String>) -> Result<Formula, NotAFormula> {
    parse_with(text, &mut Numbered { atoms: names, actions: &[] })
}

/// The formula in `text`, where somebody knows the names.
pub fn parse_with(text: &str, names: &mut dyn Names) -> Result<Formula, NotAFormula> {
    let mut parser = Parser { text, words: words(text)?, at: 0, depth: 0, names };
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

const SOME: Quantifier = Quantifier::SOME;
const ALL: Quantifier = Quantifier::ALL;

/// Operators that are restricted to actions.
/// What a restricted operator makes of its actions and its formula.
type Restricted = fn(Actions, Formula) -> Formula;

const RESTRICTED: [(&str, Restricted); 10] = [
    ("EAX", |by, f| f.some_next_by(by)),
    ("EASX", |by, f| f.some_next_by(by)),
    ("EAWX", |by, f| f.some_next_by(by.clone()).or(Formula::constant(false).all_next_by(by))),
    ("AAX", |by, f| f.all_next_by(by)),
    ("AAWX", |by, f| f.all_next_by(by)),
    ("AASX", |by, f| f.all_next_by(by.clone()).and(Formula::constant(true).some_next_by(by))),
    ("EAF", |by, f| Formula::path(SOME.by(by), Path::Finally(f))),
    ("AAF", |by, f| Formula::path(ALL.by(by), Path::Finally(f))),
    ("EAG", |by, f| Formula::path(SOME.by(by), Path::Globally(f))),
    ("AAG", |by, f| Formula::path(ALL.by(by), Path::Globally(f))),
];

/// Between the terms of an atom.
const TERMS: [&str; 11] = ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%"];

struct Parser<'t> {
    text: &'t str,
    words: Vec<(usize, &'t str)>,
    at: usize,
    depth: usize,
    names: &'t mut dyn Names,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.ahead(0)
    }

    fn ahead(&self, words: usize) -> Option<&'t str> {
        self.words.get(self.at + words).map(|it| it.1)
    }

    /// Whether the next word is one of these.
    fn is_one_of(&self, words: &[&str]) -> bool {
        self.peek().is_some_and(|it| words.contains(&it))
    }

    /// Takes the next word if it is one of these.
    fn takes(&mut self, words: &[&str]) -> bool {
        let found = self.is_one_of(words);
        self.at += usize::from(found);
        found
    }

    /// Where the next word is.
    fn place(&self) -> usize {
        self.words.get(self.at).map_or(self.text.len(), |it| it.0)
    }

    fn wrong(&self, message: impl Into<String>) -> NotAFormula {
        NotAFormula { at: self.place(), message: message.into() }
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

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, NotAFormula>) -> Result<T, NotAFormula> {
        if self.depth == DEEPEST {
            return Err(self.wrong(format!("the formula is nested deeper than {DEEPEST} levels")));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    fn single(&mut self) -> Result<Formula, NotAFormula> {
        let Some(word) = self.peek() else { return Err(self.wrong("the formula ends too early")) };
        if let Some((_, build)) = PREFIX.iter().find(|it| it.0 == word) {
            self.at += 1;
            return self.deeper(Self::single).map(build);
        }
        if let Some((_, build)) = RESTRICTED.iter().find(|it| it.0 == word) {
            self.at += 1;
            let actions = self.actions()?;
            return self.deeper(Self::single).map(|it| build(actions, it));
        }
        match word {
            _ if self.is_term() => self.atom(),
            "(" => self.parenthesis(),
            "[" => self.after_all(),
            "<" => self.after_some(),
            "A" | "E" | "AA" | "EA" => self.bracket(word),
            "inev" if self.ahead(1) == Some("(") => self.inevitable(),
            "true" | "TRUE" | "1" => self.constant(true),
            "false" | "FALSE" | "0" => self.constant(false),
            name if is_name(name) => self.atom(),
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
    fn bracket(&mut self, word: &str) -> Result<Formula, NotAFormula> {
        self.at += 1;
        let plain = if word.starts_with('A') { ALL } else { SOME };
        let quantifier = if word.len() == 2 { plain.by(self.actions()?) } else { plain };
        self.expect("[")?;
        let left = self.deeper(|parser| parser.level(0))?;
        let path: fn(Formula, Formula) -> Path = match self.peek() {
            Some("U") => Path::Until,
            Some("W") => Path::WeakUntil,
            _ => return Err(self.wrong("`U` or `W` is missing")),
        };
        self.at += 1;
        let right = self.deeper(|parser| parser.level(0))?;
        self.expect("]").map(|()| Formula::path(quantifier, path(left, right)))
    }

    fn expect(&mut self, word: &str) -> Result<(), NotAFormula> {
        if !self.takes(&[word]) {
            return Err(self.wrong(format!("`{word}` is missing")));
        }
        Ok(())
    }

    // Atoms.

    /// Whether a comparison or the like begins here, with something that could as well be a formula: a constant, a number, a parenthesis.
    fn is_term(&self) -> bool {
        let behind = match self.peek() {
            Some("(") => match closing(&self.words[self.at..]) {
                Some(length) => self.ahead(length),
                None => None,
            },
            Some("-") => return true,
            Some(word) if is_letter(word.chars().next().unwrap_or(' ')) => self.ahead(1),
            _ => None,
        };
        behind.is_some_and(|it| TERMS.contains(&it))
    }

    fn atom(&mut self) -> Result<Formula, NotAFormula> {
        let start = self.place();
        self.term()?;
        while self.takes(&TERMS) {
            self.term()?;
        }
        let (last, word) = self.words[self.at - 1];
        let text = &self.text[start..last + word.len()];
        self.names.atom(text, start).map(Formula::atom)
    }

    /// A name or number with whatever belongs to it, or something in parentheses.
    fn term(&mut self) -> Result<(), NotAFormula> {
        while self.takes(&["-"]) {}
        match self.peek() {
            None => return Err(self.wrong("the formula ends too early")),
            Some("(") => self.skip()?,
            Some(word) if word.starts_with(is_letter) => self.at += 1,
            Some(word) => return Err(self.wrong(format!("`{word}` is not expected here"))),
        }
        loop {
            match self.peek() {
                Some("[" | "(") => self.skip()?,
                Some(".") if self.ahead(1).is_some_and(|it| it.starts_with(is_letter)) => self.at += 2,
                _ => return Ok(()),
            }
        }
    }

    /// Passes what is in parentheses or brackets.
    fn skip(&mut self) -> Result<(), NotAFormula> {
        let bracket = if self.peek() == Some("(") { ")" } else { "]" };
        let length = closing(&self.words[self.at..])
            .ok_or_else(|| NotAFormula { at: self.text.len(), message: format!("`{bracket}` is missing") })?;
        self.at += length;
        Ok(())
    }

    // Actions.

    /// A value that comes with an action. What follows a `.` is the next step and no part of it.
    fn value(&mut self) -> Result<(), NotAFormula> {
        while self.takes(&["-"]) {}
        match self.peek() {
            Some("(") => self.skip(),
            Some(word) if word.starts_with(is_letter) => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.wrong("a value is missing")),
        }
    }

    /// A set of actions in parentheses.
    fn actions(&mut self) -> Result<Actions, NotAFormula> {
        self.expect("(")?;
        let actions = self.set()?;
        self.expect(")").map(|()| actions)
    }

    fn set(&mut self) -> Result<Actions, NotAFormula> {
        let start = self.place();
        let regular = self.regular()?;
        single_step(regular, start)
    }

    /// `[R] f`
    fn after_all(&mut self) -> Result<Formula, NotAFormula> {
        let regular = self.between("]")?;
        self.deeper(Self::single).map(|it| regular.after_all(it))
    }

    /// `<R> f`
    fn after_some(&mut self) -> Result<Formula, NotAFormula> {
        let regular = self.between(">")?;
        self.deeper(Self::single).map(|it| regular.after_some(it))
    }

    fn between(&mut self, end: &str) -> Result<Regular, NotAFormula> {
        self.at += 1;
        let regular = self.regular()?;
        self.expect(end).map(|()| regular)
    }

    fn inevitable(&mut self) -> Result<Formula, NotAFormula> {
        self.at += 2;
        let before = self.set()?;
        self.expect(",")?;
        let last = self.set()?;
        self.expect(",")?;
        let formula = self.deeper(|parser| parser.level(0))?;
        self.expect(")").map(|()| inevitable(&before, &last, formula))
    }

    fn regular(&mut self) -> Result<Regular, NotAFormula> {
        let mut all = self.sequence()?;
        while self.takes(&["|", "||", "or"]) {
            all = all.or(self.sequence()?);
        }
        Ok(all)
    }

    fn sequence(&mut self) -> Result<Regular, NotAFormula> {
        let first = self.both()?;
        match self.takes(&["."]) {
            true => Ok(first.then(self.deeper(Self::sequence)?)),
            false => Ok(first),
        }
    }

    fn both(&mut self) -> Result<Regular, NotAFormula> {
        let start = self.place();
        let mut all = self.repetition()?;
        while self.takes(&["&", "&&", "and"]) {
            let place = self.place();
            let (left, right) = (single_step(all, start)?, self.repetition()?);
            all = Regular::Step(left.and(&single_step(right, place)?));
        }
        Ok(all)
    }

    fn repetition(&mut self) -> Result<Regular, NotAFormula> {
        let start = self.place();
        let mut all = self.step()?;
        while let Some(sign) = self.peek().filter(|it| ["*", "+", "?"].contains(it)) {
            let steps = all.repeated().ok_or_else(|| NotAFormula {
                at: start,
                message: "only single steps can be repeated: this logic has no word for more".into(),
            });
            all = match sign {
                "*" => steps?,
                "+" => all.clone().then(steps?),
                _ => Regular::Maybe(Box::new(all)),
            };
            self.at += 1;
        }
        Ok(all)
    }

    fn step(&mut self) -> Result<Regular, NotAFormula> {
        let start = self.place();
        let Some(word) = self.peek() else { return Err(self.wrong("the formula ends too early")) };
        match word {
            "!" | "not" => {
                self.at += 1;
                let inner = self.deeper(Self::step)?;
                single_step(inner, start).map(|it| Regular::Step(it.not()))
            }
            "(" => {
                self.at += 1;
                let inner = self.deeper(Self::regular)?;
                self.expect(")").map(|()| inner)
            }
            "true" | "TRUE" => self.known(Actions::all()),
            "false" | "FALSE" => self.known(Actions::none()),
            _ if is_name(word) || is_quoted(word) => {
                let name = self.action_name(word)?;
                let found = self.names.actions(&name).map_err(|message| NotAFormula { at: start, message })?;
                Ok(Regular::Step(Actions::list(found)))
            }
            other => Err(self.wrong(format!("`{other}` is no action"))),
        }
    }

    fn known(&mut self, actions: Actions) -> Result<Regular, NotAFormula> {
        self.at += 1;
        Ok(Regular::Step(actions))
    }

    /// A name, its index, and the values that come with it.
    fn action_name(&mut self, word: &str) -> Result<ActionName, NotAFormula> {
        let start = self.place();
        self.at += 1;
        if is_quoted(word) {
            let inner = &word[1..word.len() - 1];
            let beginning = inner.strip_suffix(".*");
            let text = without_blanks(beginning.unwrap_or(inner));
            return Ok(ActionName { text, is_beginning: beginning.is_some() });
        }
        loop {
            match self.peek() {
                Some("[") => self.skip()?,
                Some("!") if self.ahead(1).is_some_and(|it| it.starts_with(is_letter) || it == "-" || it == "(") => {
                    self.at += 1;
                    self.value()?;
                }
                _ => break,
            }
        }
        let (last, end) = self.words[self.at - 1];
        let text = without_blanks(&self.text[start..last + end.len()]);
        let is_beginning = self.peek() == Some(".") && self.ahead(1) == Some("*");
        self.at += 2 * usize::from(is_beginning);
        Ok(ActionName { text, is_beginning })
    }
}

/// The actions of a sequence of one step.
fn single_step(regular: Regular, at: usize) -> Result<Actions, NotAFormula> {
    match regular {
        Regular::Step(actions) => Ok(actions),
        _ => Err(NotAFormula { at, message: "only the actions of a single step can stand here".into() }),
    }
}

/// How many words there are up to the bracket that closes the first one.
fn closing(words: &[(usize, &str)]) -> Option<usize> {
    let mut open = 0;
    for (row, (_, word)) in words.iter().enumerate() {
        match *word {
            "(" | "[" => open += 1,
            ")" | "]" => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(row + 1);
        }
    }
    None
}

fn is_name(word: &str) -> bool {
    let is_operator = LEVELS.iter().copied().flatten().any(|it| it.0 == word) || ["U", "W"].contains(&word);
    !is_operator && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_quoted(word: &str) -> bool {
    word.starts_with(['"', '\''])
}

/// The words of a text and where they start.
fn words(text: &str) -> Result<Vec<(usize, &str)>, NotAFormula> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let nothing = |message: String| NotAFormula { at, message };
        let length = match first {
            _ if first.is_whitespace() => 0,
            _ if is_letter(first) => text[at..].find(|c: char| !is_letter(c)).unwrap_or(text.len() - at),
            '"' | '\'' => {
                let end = text[at + 1..].find(first).ok_or_else(|| nothing(format!("`{first}` is not closed")))?;
                end + 2
            }
            _ => sign(&text[at..]).ok_or_else(|| nothing(format!("`{first}` means nothing here")))?,
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
    const SIGNS: [&str; 25] = [
        "<->", "->", "&&", "||", "==", "!=", "<=", ">=", "&", "|", "!", "(", ")", "[", "]", "<", ">", "+", "-", "*",
        "/", "%", ".", ",", "?",
    ];
    SIGNS.iter().find(|it| text.starts_with(**it)).map(|it| it.len())
}
