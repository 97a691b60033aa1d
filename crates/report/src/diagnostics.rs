//! Messages about the source, for people: where, the line itself, what is wrong with it, what to do.
//!
//! ```text
//! error[unknown-name]: there is no variable `trun`
//!   --> peterson.pml:3:5
//!    |
//!  3 |     trun = 1;
//!    |     ^^^^
//!    |
//!   ::: peterson.pml:1:6: `turn` is declared here
//!    = help: did you mean `turn`?
//! ```
//!
//! Any text can be shown: tabs become spaces, wide characters count as two columns, control
//! characters are made visible, very long lines are cut around the place in question.
use std::io::{self, Write};

use text::{Diagnostic, Severity, Sources, Span};
use unicode_width::UnicodeWidthChar;

/// Messages that are shown; the rest is only counted.
const MOST: usize = 50;

/// Columns between two tab stops.
const TAB: usize = 4;

/// Columns of a source line that are shown.
const WIDTH: usize = 120;

/// Columns kept before the place in question when a line is cut.
const BEFORE: usize = 40;

/// Writes all messages. If they are too many: first the errors, no more than fifty, and how many more there are.
pub fn write(diagnostics: &[Diagnostic], sources: &Sources, colour: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut order: Vec<&Diagnostic> = diagnostics.iter().collect();
    if order.len() > MOST {
        order.sort_by_key(|it| !it.is_error());
    }
    for it in order.into_iter().take(MOST) {
        Page { sources, colour, out }.diagnostic(it)?;
    }
    match diagnostics.len().saturating_sub(MOST) {
        0 => Ok(()),
        more => writeln!(out, "… and {more} more"),
    }
}

struct Page<'a> {
    sources: &'a Sources,
    colour: bool,
    out: &'a mut dyn Write,
}

impl Page<'_> {
    fn diagnostic(&mut self, it: &Diagnostic) -> io::Result<()> {
        let (word, colour) = match it.severity {
            Severity::Error => ("error", "31"),
            Severity::Warning => ("warning", "33"),
        };
        let word = self.paint(colour, &format!("{word}[{}]", it.code));
        writeln!(self.out, "{word}: {}", visible(&it.message))?;
        let margin = it.span.map_or(1, |span| self.sources.place(span).line.to_string().len());
        if let Some(span) = it.span {
            self.excerpt(span, margin, colour)?;
        }
        for (span, phrase) in &it.notes {
            writeln!(self.out, "{:margin$} ::: {}: {}", "", self.place(*span), visible(phrase))?;
        }
        if let Some(help) = &it.help {
            writeln!(self.out, "{:margin$}  = help: {}", "", visible(help))?;
        }
        writeln!(self.out)
    }

    /// The place, its line, and marks below what is meant.
    fn excerpt(&mut self, span: Span, margin: usize, colour: &str) -> io::Result<()> {
        let line = Line::of(self.sources, span);
        let number = self.sources.place(span).line;
        let marks = self.paint(colour, &"^".repeat(line.width));
        writeln!(self.out, "{:margin$} --> {}", "", self.place(span))?;
        writeln!(self.out, "{:margin$}  |", "")?;
        writeln!(self.out, "{}", format!(" {number:>margin$} | {}", line.text).trim_end())?;
        writeln!(self.out, "{:margin$}  | {:indent$}{marks}", "", "", indent = line.indent)
    }

    fn place(&self, span: Span) -> String {
        let place = self.sources.place(span);
        format!("{}:{}:{}", visible(place.file), place.line, place.column)
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.colour { format!("\x1b[1;{colour}m{text}\x1b[0m") } else { text.into() }
    }
}

/// A source line made ready for a screen, and which of its columns are meant.
struct Line {
    text: String,
    indent: usize,
    width: usize,
}

impl Line {
    fn of(sources: &Sources, span: Span) -> Line {
        let source = sources.files().nth(span.file.0 as usize).map_or("", |file| &file.text);
        let start = boundary(source, span.start as usize);
        let end = boundary(source, span.end as usize).max(start);
        let first = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let last = source[start..].find('\n').map_or(source.len(), |at| start + at);
        let last = first + source[first..last].trim_end_matches('\r').len();
        let (start, end) = (start.min(last), end.min(last));
        let before = Screen::default().push(&source[first..start]);
        let meant = before.clone().push(&source[start..end]);
        let whole = meant.clone().push(&source[end..last]);
        let width = meant.columns - before.columns;
        Line { text: whole.text, indent: before.columns, width: width.max(1) }.cut()
    }

    /// Keeps what fits, around the place that is meant.
    fn cut(mut self) -> Line {
        let left_out = if self.indent + self.width <= WIDTH { 0 } else { self.indent.saturating_sub(BEFORE) };
        if left_out > 0 {
            self.text = format!("…{}", columns(&self.text, left_out + 1, usize::MAX));
            self.indent -= left_out;
        }
        let shown = columns(&self.text, 0, WIDTH);
        if shown.len() < self.text.len() {
            self.text = format!("{shown}…");
        }
        self.width = self.width.min((WIDTH + 1).saturating_sub(self.indent)).max(1);
        self
    }
}

/// Text as a screen shows it.
#[derive(Clone, Default)]
struct Screen {
    text: String,
    columns: usize,
}

impl Screen {
    fn push(mut self, text: &str) -> Self {
        for it in text.chars() {
            if it == '\t' {
                let spaces = TAB - self.columns % TAB;
                self.text.extend(std::iter::repeat_n(' ', spaces));
                self.columns += spaces;
            } else {
                let it = visible_char(it);
                self.columns += it.width().unwrap_or(0);
                self.text.push(it);
            }
        }
        self
    }
}

/// The part of a text between two columns.
fn columns(text: &str, from: usize, to: usize) -> &str {
    let mut column = 0;
    let (mut start, mut end) = (text.len(), text.len());
    for (at, it) in text.char_indices() {
        if column >= from {
            start = start.min(at);
        }
        column += it.width().unwrap_or(0);
        if column > to {
            end = at;
            break;
        }
    }
    &text[start.min(end)..end]
}

/// The nearest start of a character at or before an offset.
fn boundary(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// A text without anything that a terminal could obey.
fn visible(text: &str) -> String {
    text.chars().map(|it| if it == '\n' { it } else { visible_char(it) }).collect()
}

fn visible_char(it: char) -> char {
    match it {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + it as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        // Marks that reorder text on a screen can hide what a line says.
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        it => it,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use text::FileId;

    /// Shows one error about the part of `source` between two `$` signs, or at the only one.
    fn show(source: &str) -> String {
        let marks: Vec<usize> = source.match_indices('$').map(|(at, _)| at).collect();
        let end = marks.get(1).map_or(marks[0], |at| at - 1);
        let mut sources = Sources::default();
        let file = sources.add("a.pml", source.replace('$', ""));
        let span = Span { file, start: marks[0] as u32, end: end as u32 };
        rendered(&[Diagnostic::error("code", span, "it is wrong")], &sources)
    }

    fn rendered(diagnostics: &[Diagnostic], sources: &Sources) -> String {
        let mut out = Vec::new();
        write(diagnostics, sources, false, &mut out).expect("memory can be written to");
        String::from_utf8(out).expect("text")
    }

    #[track_caller]
    fn check(source: &str, line: &str, marks: &str) {
        let shown = show(source);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!((lines[3], lines[4]), (line, marks), "{shown}");
    }

    #[test]
    fn a_message_shows_its_place_its_line_its_notes_and_its_help() {
        let mut sources = Sources::default();
        let file = sources.add("a.pml", "byte turn;\ninit { trun = 1 }\n");
        let span = Span { file, start: 18, end: 22 };
        let note = Span { file, start: 5, end: 9 };
        let it = Diagnostic::error("unknown-name", span, "there is no variable `trun`");
        let it = it.note(note, "`turn` is declared here").help("did you mean `turn`?");
        insta::assert_snapshot!(rendered(&[it], &sources), @r"
        error[unknown-name]: there is no variable `trun`
          --> a.pml:2:8
           |
         2 | init { trun = 1 }
           |        ^^^^
          ::: a.pml:1:6: `turn` is declared here
           = help: did you mean `turn`?
        ");
    }

    #[test]
    fn tabs_become_spaces() {
        check("\t$x$ = 1", " 1 |     x = 1", "   |     ^");
        check("ab\t$x$", " 1 | ab  x", "   |     ^");
        check("$\t$x", " 1 |     x", "   | ^^^^");
    }

    #[test]
    fn wide_and_odd_characters_keep_the_marks_in_place() {
        check("/* é */ $x$", " 1 | /* é */ x", "   |         ^");
        check("/* 漢 */ $x$", " 1 | /* 漢 */ x", "   |          ^");
        check("\u{1b}[31m$x$", " 1 | ␛[31mx", "   |      ^");
    }

    #[test]
    fn a_place_may_be_at_the_end_of_a_line_or_file_or_in_no_line_at_all() {
        check("$", " 1 |", "   | ^");
        check("x$", " 1 | x", "   |  ^");
        check("x\n$", " 2 |", "   | ^");
        check("x$\r\ny", " 1 | x", "   |  ^");
        check("x\r$\ny", " 1 | x", "   |  ^");
    }

    #[test]
    fn of_several_lines_the_first_is_shown() {
        check("a\nb $c\nd$ e", " 2 | b c", "   |   ^");
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_place() {
        let shown = show(&format!("{}$here${}", "a".repeat(500), "b".repeat(500)));
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[3].chars().count(), 5 + WIDTH + 1);
        let mark = lines[4].find('^').expect("a mark");
        assert_eq!(lines[3].chars().skip(mark).take(4).collect::<String>(), "here");
        let wide = show(&format!("${}$", "a".repeat(500)));
        assert!(wide.lines().all(|line| line.chars().count() <= 5 + WIDTH + 1), "{wide}");
    }

    #[test]
    fn a_span_that_fits_no_text_does_no_harm() {
        let mut sources = Sources::default();
        let file = sources.add("a.pml", "é");
        for (file, start, end) in [(file, 1, 1), (file, 5, 9), (file, 2, 0), (FileId(7), 0, 1)] {
            rendered(&[Diagnostic::error("code", Span { file, start, end }, "it is wrong")], &sources);
        }
    }

    #[test]
    fn a_message_without_a_place_is_one_line() {
        let it = Diagnostic::global("no-file", "cannot read `x`").help("check the name");
        assert_eq!(
            rendered(&[it], &Sources::default()),
            "error[no-file]: cannot read `x`\n   = help: check the name\n\n"
        );
    }

    #[test]
    fn of_many_messages_fifty_are_shown() {
        let mut many = vec![Diagnostic::global("code", "it is wrong"); 53];
        many[..10].iter_mut().for_each(|it| it.severity = Severity::Warning);
        let shown = rendered(&many, &Sources::default());
        assert_eq!((shown.matches("error[code]").count(), shown.matches("warning[code]").count()), (43, 7));
        assert!(shown.ends_with("… and 3 more\n"));
    }
}
