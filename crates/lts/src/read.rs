//! Reading the format of Aldebaran, line by line.
//!
//! ```text
//! des (0, 3, 2)          initial state, number of steps, number of states
//! (0, "CMD !LOCK", 1)    from, label, to
//! (1, i, 0)              the silent step: i or tau, with or without quotes
//! (0, PUT, 0)            quotes may be left out
//! ```
//!
//! The label is all that stands between the first comma and the last, so that it may contain commas and quotes. Blanks between parts and empty lines do not
//! matter. Numbers that do not fit what the first line announces are mistakes: a file that ends too early must not pass for a smaller system.
use std::io::{self, BufRead, Read};

use crate::{Builder, Lts, State};

/// The longest line that is read.
const LONGEST: u64 = 1 << 20;

/// What is wrong with a file, and where. Lines and columns count from 1, columns in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The line's text, or its beginning.
    pub text: String,
    /// One phrase, no full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<&'static str>,
}

/// Reads a system. Failing to read is an error of its own.
pub fn read(input: &mut dyn BufRead) -> io::Result<Result<Lts, Mistake>> {
    let mut lines = Lines { input, number: 0, text: String::new() };
    let header = match lines.next()? {
        Some(Ok(())) => lines.header(),
        Some(Err(mistake)) => Err(mistake),
        None => Err(lines.mistake(1, "the file is empty", Some(FIRST_LINE))),
    };
    match header {
        Ok(header) => read_steps(&mut lines, header),
        Err(mistake) => Ok(Err(mistake)),
    }
}

const FIRST_LINE: &str = "the first line is `des (INITIAL STATE, NUMBER OF TRANSITIONS, NUMBER OF STATES)`";
const OTHER_LINES: &str = "write `(FROM, \"LABEL\", TO)`";

/// What the first line says.
#[derive(Clone, Copy)]
struct Header {
    initial: State,
    transitions: u32,
    states: u32,
}

fn read_steps(lines: &mut Lines<'_>, header: Header) -> io::Result<Result<Lts, Mistake>> {
    let mut builder = Builder::default();
    while let Some(line) = lines.next()? {
        let step = line.and_then(|()| lines.step(header.states)).and_then(|it| {
            let too_many = || {
                lines.mistake(
                    1,
                    format!("more than the {} transitions that the first line announces", header.transitions),
                    None,
                )
            };
            if builder.len() < header.transitions as usize { Ok(it) } else { Err(too_many()) }
        });
        match step {
            Ok((source, label, target)) => {
                let label = builder.label(label);
                builder.add(source, label, target);
            }
            Err(mistake) => return Ok(Err(mistake)),
        }
    }
    if builder.len() < header.transitions as usize {
        let message = format!(
            "the file ends after {} of the {} transitions that its first line announces",
            builder.len(),
            header.transitions
        );
        return Ok(Err(lines.mistake(1, message, None)));
    }
    // Nobody can reach more states than there are steps, but their lists would take memory.
    if header.states as usize > 64 * (builder.len() + 1) + (1 << 20) {
        let message = format!("{} states with {} transitions: hardly one can be reached", header.states, builder.len());
        return Ok(Err(Mistake { line: 1, ..lines.mistake(1, message, Some(FIRST_LINE)) }));
    }
    Ok(Ok(builder.finish(header.initial, header.states as usize)))
}

struct Lines<'a> {
    input: &'a mut dyn BufRead,
    number: u32,
    text: String,
}

impl Lines<'_> {
    /// Goes to the next line that is not empty.
    fn next(&mut self) -> io::Result<Option<Result<(), Mistake>>> {
        loop {
            let mut bytes = std::mem::take(&mut self.text).into_bytes();
            bytes.clear();
            let length = (&mut *self.input).take(LONGEST).read_until(b'\n', &mut bytes)?;
            if length == 0 {
                return Ok(None);
            }
            self.number = self.number.saturating_add(1);
            let is_cut = length as u64 == LONGEST && bytes.last() != Some(&b'\n');
            let is_text = std::str::from_utf8(&bytes).is_ok();
            self.text = match is_text {
                true => String::from_utf8(bytes).unwrap_or_default(),
                false => String::from_utf8_lossy(&bytes).into_owned(),
            };
            if is_cut {
                return Ok(Some(Err(self.mistake(1, "a line of more than a megabyte", Some(OTHER_LINES)))));
            }
            if let Some(at) = self.text.find('\0') {
                return Ok(Some(Err(self.mistake(at + 1, "this is not text", None))));
            }
            if !self.text.trim().is_empty() {
                return Ok(Some(Ok(())));
            }
        }
    }

    fn header(&self) -> Result<Header, Mistake> {
        let mut scan = Scan { lines: self, at: 0, help: FIRST_LINE };
        scan.expect("des")?;
        scan.expect("(")?;
        let initial_at = scan.skip();
        let initial = scan.number()?;
        scan.expect(",")?;
        let transitions = scan.number()?;
        scan.expect(",")?;
        let states_at = scan.skip();
        let states = scan.number()?;
        scan.expect(")")?;
        scan.end()?;
        if states == 0 {
            return Err(self.mistake(
                states_at + 1,
                "a system without states",
                Some("there is at least the initial state"),
            ));
        }
        if initial >= states {
            return Err(self.mistake(initial_at + 1, beyond(initial, states), Some(FIRST_LINE)));
        }
        Ok(Header { initial, transitions, states })
    }

    /// The parts of a line that describes a step.
    fn step(&self, states: u32) -> Result<(State, &str, State), Mistake> {
        let mut scan = Scan { lines: self, at: 0, help: OTHER_LINES };
        scan.expect("(")?;
        let source = scan.state(states)?;
        scan.expect(",")?;
        let label_at = scan.skip();
        let comma = match self.text.rfind(',') {
            Some(comma) if comma >= label_at => comma,
            _ => {
                return Err(self.mistake(
                    self.text.trim_end().len() + 1,
                    "the label and the target are missing",
                    Some(OTHER_LINES),
                ));
            }
        };
        let label = self.label(label_at, self.text[label_at..comma].trim_end())?;
        scan.at = comma + 1;
        let target = scan.state(states)?;
        scan.expect(")")?;
        scan.end()?;
        Ok((source, label, target))
    }

    /// A label without its quotes.
    fn label<'t>(&self, at: usize, text: &'t str) -> Result<&'t str, Mistake> {
        match text.strip_prefix('"') {
            None if text.is_empty() => Err(self.mistake(at + 1, "the label is missing", Some(OTHER_LINES))),
            None => Ok(text),
            Some(quoted) => quoted
                .strip_suffix('"')
                .ok_or_else(|| self.mistake(at + 1, "the label has no closing quote", Some(OTHER_LINES))),
        }
    }

    fn mistake(&self, column: usize, message: impl Into<String>, help: Option<&'static str>) -> Mistake {
        let text = self.text.trim_end_matches(['\n', '\r']).chars().take(400).collect();
        Mistake { line: self.number.max(1), column: column as u32, text, message: message.into(), help }
    }
}

fn beyond(state: u32, states: u32) -> String {
    match states {
        1 => format!("there is no state {state}: the first line announces state 0 only"),
        _ => format!("there is no state {state}: the first line announces states 0 to {}", states - 1),
    }
}

/// A place in a line.
struct Scan<'l, 'a> {
    lines: &'l Lines<'a>,
    at: usize,
    help: &'static str,
}

impl Scan<'_, '_> {
    fn rest(&self) -> &str {
        &self.lines.text[self.at..]
    }

    /// Skips blanks; returns where that leads.
    fn skip(&mut self) -> usize {
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.at
    }

    fn wrong<T>(&self, message: String) -> Result<T, Mistake> {
        // At the end of a line is better than after it.
        let column = self.at.min(self.lines.text.trim_end().len()) + 1;
        Err(self.lines.mistake(column, message, Some(self.help)))
    }

    fn found(&self) -> String {
        self.rest().chars().next().map_or("the end of the line".into(), |it| format!("`{}`", it.escape_debug()))
    }

    fn expect(&mut self, word: &str) -> Result<(), Mistake> {
        self.skip();
        if !self.rest().starts_with(word) {
            return self.wrong(format!("expected `{word}`, found {}", self.found()));
        }
        self.at += word.len();
        Ok(())
    }

    fn number(&mut self) -> Result<u32, Mistake> {
        let begin = self.skip();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return self.wrong(format!("expected a number, found {}", self.found()));
        }
        let number = self.rest()[..digits].parse().ok().filter(|&it| it < u32::MAX);
        self.at += digits;
        number.ok_or_else(|| {
            let message = format!("numbers up to {} are understood", u32::MAX - 1);
            self.lines.mistake(begin + 1, message, None)
        })
    }

    fn state(&mut self, states: u32) -> Result<State, Mistake> {
        let begin = self.skip();
        let state = self.number()?;
        if state < states { Ok(state) } else { Err(self.lines.mistake(begin + 1, beyond(state, states), None)) }
    }

    fn end(&mut self) -> Result<(), Mistake> {
        self.skip();
        if self.rest().is_empty() {
            Ok(())
        } else {
            self.wrong(format!("expected the end of the line, found {}", self.found()))
        }
    }
}
