//! Words of the language: from files to tokens.
//!
//! Four steps, one file each: the [preprocessor](crate::preprocess) makes raw
//! words of the files; `classify` says what each is in Promela; `embedded`
//! gathers C code into one word; `separators` adds the semicolons that line
//! breaks stand for. What is no word of Promela is reported and left out.
mod classify;
mod embedded;
mod separators;

use text::{Diagnostic, FileId, Sources, Span};

use crate::preprocess::{Loader, Options, RawWord, preprocess};
use crate::token::{Kind, Token};

/// The tokens of `root` and all that it includes, the last one [`Kind::End`], and everything wrong with them.
pub fn read(
    sources: &mut Sources,
    root: FileId,
    options: &Options,
    loader: &mut dyn Loader,
) -> (Vec<Token>, Vec<Diagnostic>) {
    let preprocessed = preprocess(sources, root, options, loader);
    let end = preprocessed.end;
    let mut lexer = Lexer::new(preprocessed.words, preprocessed.diagnostics);
    while let Some(word) = lexer.words.next() {
        lexer.take(&word);
    }
    let mut tokens = separators::insert(lexer.tokens);
    tokens.push(end_of(sources, end));
    lexer.diagnostics.sort_by_key(|it| it.span);
    (tokens, lexer.diagnostics)
}

/// Words in, tokens out.
struct Lexer {
    words: std::iter::Peekable<std::vec::IntoIter<RawWord>>,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer {
    fn new(words: Vec<RawWord>, diagnostics: Vec<Diagnostic>) -> Lexer {
        let tokens = Vec::with_capacity(words.len() + 1);
        Lexer { words: words.into_iter().peekable(), tokens, diagnostics }
    }

    /// Adds a token that stands where `word` does.
    fn push(&mut self, kind: Kind, word: &RawWord) {
        let RawWord { span, origin, starts_line, .. } = *word;
        self.tokens.push(Token { kind, span, origin, starts_line });
    }
}

/// The token behind all others. It stands behind the last word, where something may be missing.
fn end_of(sources: &Sources, file: FileId) -> Token {
    let end = sources.file(file).text.trim_end().len() as u32;
    Token { kind: Kind::End, span: Span { file, start: end, end }, origin: None, starts_line: true }
}

#[cfg(test)]
mod tests;
