//! The words of the format, and what can be wrong with a text.

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// One phrase.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Problem {}

/// A word of the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// `States:`, without the colon.
    Header(String),
    /// `t`, `Inf`, `weak` …
    Name(String),
    /// `@a`, without the sign.
    Alias(String),
    Number(usize),
    Text(String),
    /// `--BODY--` and its relatives.
    Mark(String),
    Sign(char),
}

impl std::fmt::Display for Word {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Word::Header(name) => write!(to, "`{name}:`"),
            Word::Name(name) | Word::Mark(name) => write!(to, "`{name}`"),
            Word::Alias(name) => write!(to, "`@{name}`"),
            Word::Number(number) => write!(to, "`{number}`"),
            Word::Text(text) => write!(to, "\"{text}\""),
            Word::Sign(sign) => write!(to, "`{sign}`"),
        }
    }
}

/// A word and where it starts.
pub(super) struct Placed {
    pub word: Word,
    pub line: usize,
    pub column: usize,
}

/// All words of a text, and one place behind the last.
pub(super) fn words(text: &str) -> Result<(Vec<Placed>, (usize, usize)), Problem> {
    let mut reader = Reader { rest: text, line: 1, column: 1 };
    let mut words = Vec::new();
    loop {
        reader.skip_blanks()?;
        let (line, column) = (reader.line, reader.column);
        match reader.word()? {
            Some(word) => words.push(Placed { word, line, column }),
            None => return Ok((words, (line, column))),
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
    column: usize,
}

impl<'t> Reader<'t> {
    fn problem(&self, message: impl Into<String>) -> Problem {
        Problem { line: self.line, column: self.column, message: message.into() }
    }

    fn step(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = &self.rest[next.len_utf8()..];
        (self.line, self.column) = if next == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        Some(next)
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let (all, mut length) = (self.rest, 0);
        while let Some(next) = self.rest.chars().next().filter(|&it| belongs(it)) {
            length += next.len_utf8();
            self.step();
        }
        &all[..length]
    }

    /// White space and comments, which may be nested.
    fn skip_blanks(&mut self) -> Result<(), Problem> {
        let (mut depth, mut start) = (0, self.problem(""));
        loop {
            if self.rest.starts_with("/*") {
                if depth == 0 {
                    start = self.problem("the comment that starts here does not end");
                }
                depth += 1;
                self.step();
                self.step();
            } else if depth > 0 && self.rest.starts_with("*/") {
                depth -= 1;
                self.step();
                self.step();
            } else if depth > 0 || self.rest.starts_with(char::is_whitespace) {
                if self.step().is_none() {
                    return Err(start);
                }
            } else {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> Result<Option<Word>, Problem> {
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let word = match first {
            '0'..='9' => self.number()?,
            '"' => self.text()?,
            '@' => {
                self.step();
                Word::Alias(self.take_while(is_of_name).to_string())
            }
            '-' => Word::Mark(self.take_while(|it| it == '-' || it.is_ascii_uppercase()).to_string()),
            _ if first.is_ascii_alphabetic() || first == '_' => self.name(),
            '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => {
                self.step();
                Word::Sign(first)
            }
            _ => return Err(self.problem(format!("`{first}` means nothing here"))),
        };
        Ok(Some(word))
    }

    fn name(&mut self) -> Word {
        let name = self.take_while(is_of_name).to_string();
        if self.rest.starts_with(':') {
            self.step();
            return Word::Header(name);
        }
        Word::Name(name)
    }

    fn number(&mut self) -> Result<Word, Problem> {
        let start = self.problem("the number is too large");
        self.take_while(|it| it.is_ascii_digit()).parse().map(Word::Number).map_err(|_| start)
    }

    fn text(&mut self) -> Result<Word, Problem> {
        let start = self.problem("the text that starts here does not end");
        let mut text = String::new();
        self.step();
        loop {
            match self.step() {
                Some('"') => return Ok(Word::Text(text)),
                Some('\\') => text.extend(self.step()),
                Some(other) => text.push(other),
                None => return Err(start),
            }
        }
    }
}

fn is_of_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_' || sign == '-'
}
