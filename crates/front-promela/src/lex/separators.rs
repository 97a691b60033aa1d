//! Separators that line breaks imply.
//!
//! Statements are separated by `;` or `->`, but at the end of a line the separator
//! may be left out: a semicolon is added where the last word can end a statement
//! and the next one can begin one. That holds inside the braces of a body or a
//! `typedef`, outside all parentheses, and not in lists of values, types or names.
//! Behind `}` and `else` it holds on the same line, too.
//!
//! SPIN adds some more, which its grammar then has to forgive or which turn a line
//! such as `&& ready` into a syntax error; a line that cannot begin a statement
//! goes on with the last one here.
use std::collections::HashSet;

use text::Span;

use crate::token::{Keyword, Kind, Name, Punct, Token};

/// The tokens with the implied separators among them.
pub(super) fn insert(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + tokens.len() / 4);
    let mut context = Context::default();
    for token in tokens {
        if let Some(last) = out.last() {
            let separator = context.separates(last, &token).then(|| separator_behind(last));
            context.pass(&last.kind, &token.kind);
            out.extend(separator);
        } else {
            context.pass(&Kind::End, &token.kind);
        }
        out.push(token);
    }
    out
}

/// A semicolon without extent.
fn separator_behind(token: &Token) -> Token {
    let span = Span { start: token.span.end, ..token.span };
    Token { kind: Kind::Punct(Punct::Semi), span, origin: None, starts_line: false }
}

/// What stands between braces.
#[derive(Clone, Copy, Default, PartialEq)]
enum Region {
    /// Units of the model; no braces yet.
    #[default]
    Model,
    /// Statements or declarations.
    Sequence,
    /// Values, types, names, or a formula.
    List,
}

/// What is open at one place.
#[derive(Default)]
struct Frame {
    region: Region,
    /// For each open parenthesis or bracket, whether it belongs to `for`.
    parentheses: Vec<bool>,
    /// Inside `?< … >`.
    peeks: bool,
}

/// What must be known of the tokens so far.
#[derive(Default)]
struct Context {
    /// Open braces.
    outer: Vec<Frame>,
    here: Frame,
    /// The word that says what the next body at the level of the model is.
    heading: Option<Keyword>,
    types: HashSet<Name>,
    callables: HashSet<Name>,
    last: Last,
}

/// What is special about the last token.
#[derive(Clone, Copy, Default, PartialEq)]
enum Last {
    #[default]
    Nothing,
    /// The parenthesis that ends the head of a `for`.
    EndOfFor,
    /// The `>` that ends `?< … >`.
    EndOfPeek,
    /// The name behind `run`.
    RunName,
}

impl Context {
    /// Whether a separator is implied between two tokens, the first of which has been passed.
    fn separates(&self, last: &Token, next: &Token) -> bool {
        self.here.region == Region::Sequence
            && self.here.parentheses.is_empty()
            && begins_statement(&next.kind)
            && (next.starts_line && self.ends_statement(&last.kind) || is_closed(&last.kind))
            && !self.belongs_together(&last.kind, &next.kind)
    }

    fn ends_statement(&self, last: &Kind) -> bool {
        match last {
            Kind::Name(_) | Kind::Number(_) | Kind::Code(_) => true,
            Kind::Keyword(word) => matches!(
                word,
                Keyword::Od
                    | Keyword::Fi
                    | Keyword::Else
                    | Keyword::Break
                    | Keyword::True
                    | Keyword::False
                    | Keyword::Skip
                    | Keyword::Timeout
                    | Keyword::Np
            ),
            Kind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket | Punct::Increment | Punct::Decrement) => true,
            _ => self.last == Last::EndOfPeek,
        }
    }

    /// Whether two tokens are one construct although a separator would fit between them.
    fn belongs_together(&self, last: &Kind, next: &Kind) -> bool {
        match (last, next) {
            (Kind::Name(name), Kind::Name(_)) => self.types.contains(name),
            (Kind::Name(name), Kind::Punct(Punct::LParen)) => {
                self.last == Last::RunName || self.callables.contains(name)
            }
            (_, Kind::Punct(Punct::LBrace)) => self.last == Last::EndOfFor,
            _ => false,
        }
    }

    /// Takes a token in; `last` is the one before it.
    fn pass(&mut self, last: &Kind, token: &Kind) {
        self.last = Last::Nothing;
        match token {
            Kind::Punct(punct) => self.pass_punct(*punct, last),
            Kind::Keyword(word) => self.pass_keyword(*word),
            Kind::Name(name) => self.pass_name(name, last),
            _ => {}
        }
    }

    fn pass_punct(&mut self, punct: Punct, last: &Kind) {
        match punct {
            Punct::LBrace => self.open_brace(last),
            Punct::RBrace => self.close_brace(),
            Punct::LParen => self.here.parentheses.push(*last == Kind::Keyword(Keyword::For)),
            Punct::LBracket => self.here.parentheses.push(false),
            Punct::RParen | Punct::RBracket => {
                let of_for = self.here.parentheses.pop() == Some(true);
                self.last = if of_for { Last::EndOfFor } else { Last::Nothing };
            }
            Punct::Semi | Punct::ColonColon => self.end_statement(),
            Punct::Lt if is_receive(last) => self.here.peeks = true,
            Punct::Gt if self.here.parentheses.is_empty() && std::mem::take(&mut self.here.peeks) => {
                self.last = Last::EndOfPeek;
            }
            _ => {}
        }
    }

    fn pass_keyword(&mut self, word: Keyword) {
        match word {
            Keyword::Fi | Keyword::Od => self.end_statement(),
            _ if self.here.region == Region::Model && self.here.parentheses.is_empty() && is_heading(word) => {
                self.heading = Some(word);
            }
            _ => {}
        }
    }

    fn pass_name(&mut self, name: &Name, last: &Kind) {
        // PV writes `typedef enum { … } T`.
        let behind_enum = *last == Kind::Punct(Punct::RBrace) && self.heading == Some(Keyword::Typedef);
        match last {
            _ if behind_enum || *last == Kind::Keyword(Keyword::Typedef) => {
                self.types.insert(name.clone());
            }
            Kind::Keyword(Keyword::Proctype | Keyword::DProctype | Keyword::Inline) => {
                self.callables.insert(name.clone());
            }
            Kind::Keyword(Keyword::Run) => self.last = Last::RunName,
            Kind::Keyword(_) => {}
            // `ctl name { … }` and `fairness { … }` are not reserved, but what they hold is a formula.
            _ if self.here.region == Region::Model && matches!(&**name, "ctl" | "fairness") => {
                self.heading = Some(Keyword::Ltl);
            }
            _ => {}
        }
    }

    /// Forgets parentheses that cannot be closed any more, lest one slip spoil the rest of the body.
    fn end_statement(&mut self) {
        if self.here.region == Region::Sequence {
            self.here.parentheses.clear();
            self.here.peeks = false;
        }
    }

    fn open_brace(&mut self, last: &Kind) {
        let listed = matches!(last, Kind::Punct(Punct::Assign) | Kind::Keyword(Keyword::Of));
        let region = match self.here.region {
            _ if listed => Region::List,
            Region::Model if matches!(self.heading, Some(Keyword::Ltl | Keyword::Mtype)) => Region::List,
            Region::List => Region::List,
            Region::Model | Region::Sequence => Region::Sequence,
        };
        let inner = Frame { region, ..Frame::default() };
        self.outer.push(std::mem::replace(&mut self.here, inner));
    }

    fn close_brace(&mut self) {
        self.here = self.outer.pop().unwrap_or_default();
    }
}

/// `}` and `else` are followed by a separator even on their own line.
fn is_closed(last: &Kind) -> bool {
    matches!(last, Kind::Punct(Punct::RBrace) | Kind::Keyword(Keyword::Else))
}

fn is_receive(kind: &Kind) -> bool {
    matches!(kind, Kind::Punct(Punct::Query | Punct::QueryQuery))
}

fn begins_statement(next: &Kind) -> bool {
    match next {
        Kind::Name(_) | Kind::Number(_) => true,
        Kind::Keyword(word) => !matches!(
            word,
            Keyword::Unless | Keyword::Of | Keyword::Fi | Keyword::Od | Keyword::Priority | Keyword::Provided
        ),
        Kind::Punct(punct) => {
            matches!(punct, Punct::LParen | Punct::LBrace | Punct::Minus | Punct::Bang | Punct::BangBang | Punct::Tilde)
        }
        Kind::Text(_) | Kind::Code(_) | Kind::End => false,
    }
}

/// Words that say what the braces behind them hold.
fn is_heading(word: Keyword) -> bool {
    matches!(
        word,
        Keyword::Proctype
            | Keyword::DProctype
            | Keyword::Init
            | Keyword::Never
            | Keyword::Trace
            | Keyword::Notrace
            | Keyword::Typedef
            | Keyword::Inline
            | Keyword::Ltl
            | Keyword::Mtype
    )
}
