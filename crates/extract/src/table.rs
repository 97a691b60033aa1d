//! Abstraction tables: what fragments become.
//!
//! ```text
//! Substitute BOOL bit              rewrites what is kept, in this order
//! Default A: print                 for fragments of a class without a row
//! Irrelevant cnt log               what touches these is hidden, and conditions on them are free
//! C: !(s==E)    keep               one row per fragment
//! F: memcpy(... hide               one row for all that begins like this
//! ```
//! `default` is what a fragment becomes without a row. What stands between the fragment and the right-hand side are blanks: at least two, or a tab. `#` begins a comment, and `/* … */` ends a row.
use std::cell::OnceCell;

use front_c::ast::{Expr, ExprKind, Unit};
use front_c::{fragment, print};

use crate::Fragment;

/// One row.
#[derive(Clone, Debug)]
pub struct Row {
    /// `D`, `A`, `C`, `F`, `R` or `E`; a blank for any.
    pub class: char,
    /// The fragment as it is written in the table.
    pub text: String,
    /// The right-hand side.
    pub becomes: String,
    /// The fragment in its one spelling.
    key: OnceCell<String>,
}

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// In their order.
    pub rows: Vec<Row>,
    /// Rewriting rules, in their order.
    pub substitutes: Vec<(String, String)>,
    /// Right-hand sides for classes.
    pub defaults: Vec<(char, String)>,
    /// Data objects that do not matter.
    pub irrelevant: Vec<String>,
}

const CLASSES: &str = "DACFRE";
const WORDS: [&str; 10] = ["default", "keep", "hide", "print", "comment", "true", "false", "skip", "else", "timeout"];

impl Table {
    /// Reads a table. A line that is none becomes its number and a reason.
    pub fn read(text: &str) -> (Table, Vec<(usize, String)>) {
        let (mut table, mut wrong) = (Table::default(), Vec::new());
        for (at, line) in text.lines().enumerate() {
            let line = without_comment(line);
            if line.is_empty() || line.starts_with('%') {
                continue;
            }
            if let Err(why) = table.line(line) {
                wrong.push((at + 1, why));
            }
        }
        (table, wrong)
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "Substitute" => {
                let pair = split(rest)
                    .or_else(|| rest.split_once(char::is_whitespace))
                    .ok_or("`Substitute` takes two texts")?;
                self.substitutes.push((pair.0.trim().into(), pair.1.trim().into()));
            }
            "Default" => {
                let (class, becomes) = rest.split_once(':').ok_or("write `Default A: hide`")?;
                let class =
                    class.chars().next().filter(|it| CLASSES.contains(*it)).ok_or("a class is one of D A C F R E")?;
                self.defaults.push((class, becomes.trim().into()));
            }
            "Irrelevant" | "NonState" => {
                self.irrelevant.extend(rest.split_whitespace().filter(|it| *it != "hidden").map(String::from))
            }
            _ => {
                let classed = line.chars().next().filter(|it| CLASSES.contains(*it) && line[1..].starts_with(':'));
                let row = if classed.is_some() { line[2..].trim() } else { line };
                let (text, becomes) = split(row)
                    .or_else(|| by_word(row))
                    .ok_or("a row needs a right-hand side behind at least two blanks")?;
                self.rows.push(Row {
                    class: classed.unwrap_or(' '),
                    text: text.trim().into(),
                    becomes: becomes.trim().into(),
                    key: OnceCell::new(),
                });
            }
        }
        Ok(())
    }

    /// The right-hand side for a fragment, if a row says one.
    pub fn find(&self, unit: &Unit, class: char, text: &str) -> Option<&str> {
        let wanted = spelling(unit, text);
        let fits = |it: &&Row| (it.class == ' ' || same_class(it.class, class)) && it.matches(unit, &wanted);
        self.rows.iter().find(fits).map(|it| &*it.becomes)
    }

    /// The right-hand side for a class.
    pub fn default_of(&self, class: char) -> Option<&str> {
        self.defaults.iter().find(|it| it.0 == class).map(|it| &*it.1)
    }

    /// A kept text, rewritten.
    pub fn substituted(&self, text: &str) -> String {
        self.substitutes.iter().fold(text.to_string(), |text, (from, to)| replace_words(&text, from, to))
    }
}

/// Replaces a text where it is not part of a longer name.
fn replace_words(text: &str, from: &str, to: &str) -> String {
    let wordy = |it: char| it.is_alphanumeric() || it == '_';
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(from).filter(|_| !from.is_empty()) {
        let (before, behind) = (&rest[..at], &rest[at + from.len()..]);
        let inside = (from.starts_with(wordy)
            && (before.ends_with(wordy) || before.is_empty() && out.ends_with(wordy)))
            || (from.ends_with(wordy) && behind.starts_with(wordy));
        out += before;
        out += if inside { from } else { to };
        rest = behind;
    }
    out + rest
}

/// A call may be a condition, and a condition a call.
fn same_class(row: char, class: char) -> bool {
    row == class || (matches!(row, 'F' | 'C' | 'E') && matches!(class, 'F' | 'C' | 'E'))
}

impl Row {
    /// Whether it is about a fragment in its one spelling.
    fn matches(&self, unit: &Unit, wanted: &str) -> bool {
        match self.text.strip_suffix("...") {
            Some(prefix) => squeezed(wanted).starts_with(&squeezed(prefix)),
            None => self.key.get_or_init(|| spelling(unit, &self.text)) == wanted,
        }
    }
}

/// One spelling for all ways to write a fragment: no outer parentheses, no double negation, no blanks.
fn spelling(unit: &Unit, text: &str) -> String {
    let Some(expr) = fragment(unit, text) else { return squeezed(text.trim_end_matches(';')) };
    let (mut expr, mut negative): (&Expr, bool) = (&expr, false);
    while let ExprKind::Unary(operator, of) = &expr.kind
        && &**operator == "!"
    {
        (expr, negative) = (of, !negative);
    }
    let text = print::expression(unit, expr);
    if negative { format!("!({text})") } else { text }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("").replace(' ', "")
}

/// A line as it is, without strings: what stands in them becomes `"`.
fn masked(line: &str) -> String {
    let (mut out, mut open, mut escaped) = (String::new(), None, false);
    for it in line.chars() {
        let quote = matches!(it, '"' | '\'') && !escaped && open.is_none_or(|open| open == it);
        let inside = open.is_some();
        if quote {
            open = if inside { None } else { Some(it) };
        }
        escaped = it == '\\' && !escaped && inside;
        let width = it.len_utf8();
        out += &if inside || quote { "\"".repeat(width) } else { it.to_string() };
    }
    // A quote without an end is none.
    if open.is_some() { line.to_string() } else { out }
}

fn without_comment(line: &str) -> &str {
    let line = if line.trim_start().starts_with('#') { "" } else { line };
    line[..masked(line).find("/*").unwrap_or(line.len())].trim()
}

/// At a tab or two blanks.
fn split(line: &str) -> Option<(&str, &str)> {
    let plain = masked(line);
    let at = plain.find('\t').into_iter().chain(plain.find("  ")).min()?;
    let (left, right) = line.split_at(at);
    (!right.trim().is_empty()).then_some((left, right))
}

/// At the last blank, if a known word follows.
fn by_word(line: &str) -> Option<(&str, &str)> {
    let (left, right) = line.rsplit_once(' ')?;
    (WORDS.contains(&right) || right.contains(['!', '?'])).then_some((left, right))
}

/// A table brought up to date: every line of the old one stays; rows of fragments that are gone are commented out, and new fragments are
/// appended. Returns the text and how many are new.
pub fn merge(unit: &Unit, old: &str, fragments: &[Fragment]) -> (String, usize) {
    let (mut text, mut known) = (String::new(), Table::default());
    let keys: Vec<(char, String)> = fragments.iter().map(|it| (it.class, spelling(unit, &it.text))).collect();
    for line in old.lines() {
        // What has come back counts again.
        let revived = line.strip_prefix("# gone: ").filter(|it| in_use(unit, it, &keys));
        let line = revived.unwrap_or(line);
        let gone = !line.starts_with('#') && is_row(line) && !in_use(unit, line, &keys);
        text += &if gone { format!("# gone: {line}\n") } else { format!("{line}\n") };
        if !gone && !line.starts_with('#') {
            // What is no row is the user's business.
            let _ = known.line(without_comment(line));
        }
    }
    let fresh: Vec<&Fragment> = fragments.iter().filter(|it| known.find(unit, it.class, &it.text).is_none()).collect();
    if !fresh.is_empty() && !old.is_empty() {
        text += "# new:\n";
    }
    for it in &fresh {
        // A row that says nothing new, where `keep` would mean the words of the program.
        let conservative = matches!(it.quality, crate::Quality::More | crate::Quality::Less) && it.becomes == "keep";
        let becomes = if conservative { "default" } else { &it.becomes };
        let note = match it.quality {
            crate::Quality::Exact => "",
            crate::Quality::More => "  /* over-approximates */",
            crate::Quality::Less => "  /* restricts */",
            crate::Quality::Yours => "",
        };
        // Two blanks end a fragment.
        let shown = it.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = if masked(&it.text).contains("  ") { shown } else { it.text.clone() };
        text += &format!("{}: {shown:<40}  {becomes}{note}\n", it.class);
    }
    (text, fresh.len())
}

fn is_row(line: &str) -> bool {
    let mut table = Table::default();
    let line = without_comment(line);
    !line.is_empty() && !line.starts_with('%') && table.line(line).is_ok() && !table.rows.is_empty()
}

fn in_use(unit: &Unit, line: &str, keys: &[(char, String)]) -> bool {
    let mut table = Table::default();
    // A row of any kind; others are not asked for.
    let _ = table.line(without_comment(line));
    let Some(row) = table.rows.first() else { return true };
    keys.iter().any(|(class, text)| (row.class == ' ' || same_class(row.class, *class)) && row.matches(unit, text))
}
