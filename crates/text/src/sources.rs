//! Source files and places in them.

/// A file in [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both; `self` if they are in different files.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A span as a person names it. Lines and columns count from one; columns count characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The file's name as it was given.
    pub file: &'a str,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// One file: its name, its text, and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Name as the user would write it.
    pub name: String,
    /// Whole content.
    pub text: String,
    line_starts: Vec<u32>,
    /// The number of the first line.
    first_line: u32,
}

impl SourceFile {
    /// Number of the line that holds `offset`, from 0.
    pub fn line_index(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }
}

/// Every file a run has read, in the order in which it read them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file and returns its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.add_from(name, text, 1)
    }

    /// Adds a piece of a file that begins with this line, and returns its id.
    pub fn add_from(&mut self, name: impl Into<String>, text: impl Into<String>, first_line: u32) -> FileId {
        let text = text.into();
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts, first_line });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// The text a span covers; empty if the span does not fit the file.
    pub fn slice(&self, span: Span) -> &str {
        let text = self.files.get(span.file.0 as usize).map_or("", |file| &file.text);
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Where a span starts, in a person's terms.
    pub fn place(&self, span: Span) -> Place<'_> {
        let Some(file) = self.files.get(span.file.0 as usize) else {
            return Place { file: "", line: 0, column: 0 };
        };
        let line = file.line_index(span.start);
        let start = file.line_starts[line] as usize;
        let before = file.text.get(start..span.start as usize).unwrap_or("");
        Place { file: &file.name, line: line as u32 + file.first_line, column: before.chars().count() as u32 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, at: &str, line: u32, column: u32) {
        let mut sources = Sources::default();
        let file = sources.add("a", text);
        let start = text.find(at).expect("a place in the text") as u32;
        let place = sources.place(Span { file, start, end: start + 1 });
        assert_eq!((place.line, place.column), (line, column));
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        check("ab\ncd\n", "a", 1, 1);
        check("ab\ncd\n", "d", 2, 2);
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        check("é = x", "x", 1, 5);
    }

    #[test]
    fn spans_of_two_files_do_not_join() {
        let one = Span { file: FileId(0), start: 1, end: 2 };
        let two = Span { file: FileId(1), start: 5, end: 6 };
        assert_eq!(one.to(two), one);
        assert_eq!(one.to(Span { file: FileId(0), start: 5, end: 6 }).end, 6);
    }
}
