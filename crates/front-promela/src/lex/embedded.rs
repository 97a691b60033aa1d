//! Embedded C: `c_code`, `c_expr` and `c_decl`.
//!
//! Behind these words stands, perhaps, a condition in brackets, and then C in
//! braces. Promela does not look inside; the code ends where its braces balance.
//! Braces in strings and character constants do not count, because those are
//! single words.
use text::Diagnostic;

use super::Lexer;
use crate::preprocess::{RawWord, join};
use crate::token::{Kind, Punct, Token};

impl Lexer {
    /// Adds the code behind `keyword`, if there is any.
    pub(super) fn embedded_code(&mut self, keyword: &RawWord) {
        if let Some(open) = self.words.next_if(|word| word.is(Punct::LBracket)) {
            let (inside, close) = self.balanced(&open, Punct::LBracket, Punct::RBracket, keyword);
            self.push(Kind::Punct(Punct::LBracket), &open);
            self.push_code(&open, &inside, &close);
            self.push(Kind::Punct(Punct::RBracket), &close);
        }
        if let Some(open) = self.words.next_if(|word| word.is(Punct::LBrace)) {
            let (inside, close) = self.balanced(&open, Punct::LBrace, Punct::RBrace, keyword);
            self.push_code(&open, &inside, &close);
        }
    }

    fn push_code(&mut self, open: &RawWord, inside: &[RawWord], close: &RawWord) {
        let (span, kind) = (open.span.to(close.span), Kind::Code(join(inside).into()));
        self.tokens.push(Token { kind, span, origin: open.origin, starts_line: open.starts_line });
    }

    /// The words up to the partner of `open`, and the partner.
    fn balanced(&mut self, open: &RawWord, opens: Punct, closes: Punct, keyword: &RawWord) -> (Vec<RawWord>, RawWord) {
        let (mut inside, mut depth) = (Vec::new(), 0_usize);
        for word in self.words.by_ref() {
            if word.is(closes) && depth == 0 {
                return (inside, word);
            }
            depth = depth + usize::from(word.is(opens)) - usize::from(word.is(closes));
            inside.push(word);
        }
        let message = format!("the C code behind `{}` does not end", keyword.spelling());
        let error = Diagnostic::error("unterminated-code", open.span, message);
        self.diagnostics.push(error.help(format!("close it with `{}`", closes.text())));
        let last = inside.last().unwrap_or(open).clone();
        (inside, last)
    }
}
