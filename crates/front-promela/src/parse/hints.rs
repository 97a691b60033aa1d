//! What a person may have meant.
//!
//! A misspelt keyword is reported and then read as the keyword; a word of another language is reported
//! with what Promela has instead.
use text::closest;

use super::inline::SUGGESTIONS;
use super::{Logic, Parser};
use crate::ast::{Reference, StatementKind, TypeKind};
use crate::token::{Keyword, Kind, Name, Punct};

/// Where a word stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// At the beginning of a unit.
    Unit,
    /// At the beginning of a statement.
    Statement,
}

/// What a word that is not reserved was probably meant to be.
pub(super) enum Meant {
    /// This reserved word.
    Keyword(Keyword),
    /// A word of another language; this is what to write instead.
    Foreign(&'static str),
}

/// Statements of other languages.
const FOREIGN: &[(&str, &str)] = &[
    ("while", "write `do :: condition -> … :: else -> break od`"),
    ("repeat", "write `do … od` with `break`"),
    ("loop", "write `do … od` with `break`"),
    ("switch", "write `if` with one option `:: x == value -> …` for each case"),
    ("case", "write one option `:: x == value -> …` for each case"),
    ("elsif", "write `:: else -> if … fi`, or one more option `:: condition -> …`"),
    ("elif", "write `:: else -> if … fi`, or one more option `:: condition -> …`"),
    ("elseif", "write `:: else -> if … fi`, or one more option `:: condition -> …`"),
    ("then", "write `->` between a condition and what follows it"),
    ("endif", "write `fi`"),
    ("function", "write `inline name(parameters) { … }`"),
    ("void", "write `inline name(parameters) { … }` or `proctype name(parameters) { … }`"),
    ("process", "write `proctype name(parameters) { … }`"),
];

/// Types of other languages, the nearest type here, and what to say.
const FOREIGN_TYPES: &[(&str, TypeKind, &str)] = &[
    ("char", TypeKind::Byte, "write `byte`: 0 to 255"),
    ("uint8_t", TypeKind::Byte, "write `byte`: 0 to 255"),
    ("boolean", TypeKind::Bool, "write `bool`"),
    ("long", TypeKind::Int, "write `int`: 32 bits"),
    ("integer", TypeKind::Int, "write `int`: 32 bits"),
    ("int32_t", TypeKind::Int, "write `int`: 32 bits"),
    ("int16_t", TypeKind::Short, "write `short`: 16 bits"),
    ("uint", TypeKind::Int, "write `unsigned x : bits`, or `int`"),
    ("float", TypeKind::Int, "Promela has whole numbers only: write `int`"),
    ("double", TypeKind::Int, "Promela has whole numbers only: write `int`"),
    ("string", TypeKind::Byte, "Promela has no strings: name the values in an `mtype` list"),
    ("channel", TypeKind::Chan, "write `chan`"),
];

/// What to say about a temporal operator in the wrong place.
const TEMPORAL: &str = "this operator belongs in `ltl { … }`";

/// Keywords that can stand before a word like `next`.
fn candidates(next: &Kind) -> &'static [Keyword] {
    use Keyword::*;
    match next {
        Kind::Name(_) => &[
            Proctype, DProctype, Never, Ltl, Typedef, Inline, Goto, Run, Bit, Bool, Byte, Pid, Short, Int, Unsigned,
            Chan, Mtype,
        ],
        Kind::Keyword(Proctype | DProctype) => &[Active],
        Kind::Keyword(Bit | Bool | Byte | Short | Int | Chan | Mtype) => &[Hidden, Show, Local],
        Kind::Punct(Punct::LParen) => &[Assert, Printf, Printm, For, Select, SetPriority],
        Kind::Punct(Punct::LBrace) => &[Atomic, DStep, Init, Never, Trace, Notrace],
        Kind::Text(_) => &[CState, CTrack],
        _ => &[],
    }
}

/// Whether a keyword can begin what is read.
fn fits(keyword: Keyword, context: Context) -> bool {
    use Keyword::*;
    match keyword {
        Proctype | DProctype | Never | Ltl | Typedef | Inline | Active | Init | Trace | Notrace | CState | CTrack => {
            context == Context::Unit
        }
        Goto | Run | Assert | Printf | Printm | For | Select | SetPriority | Atomic | DStep => {
            context == Context::Statement
        }
        _ => true,
    }
}

impl Parser<'_> {
    /// What the name here was probably meant to be, if it cannot be a name.
    pub(super) fn meant(&self) -> Option<Meant> {
        let name = self.at_name()?;
        let next = self.ahead(1);
        if candidates(next).is_empty() || FOREIGN_TYPES.iter().any(|it| it.0 == &**name) {
            return None;
        }
        if self.known.types.contains(name) || self.known.inlines.contains_key(name) {
            return None;
        }
        if let Some(foreign) = FOREIGN.iter().find(|it| it.0 == &**name) {
            return Some(Meant::Foreign(foreign.1));
        }
        let calls = matches!(next, Kind::Punct(Punct::LParen));
        let inlines =
            self.known.all_inlines.keys().filter(|_| calls && self.diagnostics.len() < SUGGESTIONS).map(|it| &**it);
        let keywords = candidates(next).iter().map(|it| it.text());
        closest(name, keywords.chain(inlines)).and_then(Keyword::from_text).map(Meant::Keyword)
    }

    /// Reports the word here if it cannot be a name; true if it is now the keyword that was meant.
    pub(super) fn correct_word(&mut self, context: Context) -> bool {
        match self.meant() {
            Some(Meant::Keyword(keyword)) if fits(keyword, context) => {
                let message = format!("{} is not a word of Promela", self.found());
                self.broken("misspelt-keyword", message).help(format!("did you mean `{}`?", keyword.text()));
                self.correct(Kind::Keyword(keyword));
                true
            }
            Some(Meant::Foreign(help)) => {
                let message = format!("{} is not a word of Promela", self.found());
                self.broken("foreign-word", message).help(help);
                false
            }
            _ => false,
        }
    }

    /// A type of another language: reported, and read as the nearest type.
    pub(super) fn foreign_type(&mut self) -> Option<TypeKind> {
        let name = self.at_name().filter(|name| !self.known.types.contains(*name))?;
        let (_, kind, help) = FOREIGN_TYPES.iter().find(|it| it.0 == &**name)?;
        let message = format!("{} is not a type of Promela", self.found());
        self.error("foreign-type", message).help(*help);
        self.advance();
        Some(kind.clone())
    }

    /// What to do about an operator that has no place in an expression.
    pub(super) fn misused_operator(&self) -> Option<&'static str> {
        let formula = self.in_formula;
        if self.logic == Logic::Branching
            && let Some(help) = self.misused_in_ctl().or_else(|| self.forgotten_quantifier())
        {
            return Some(help);
        }
        match self.kind() {
            Kind::Punct(Punct::Assign) => {
                Some("write `==` to compare; an assignment is a statement, not an expression")
            }
            Kind::Punct(Punct::Increment | Punct::Decrement) => Some("`x++` and `x--` are statements, not expressions"),
            Kind::Punct(Punct::Query) => Some("a choice between two values is `(condition -> value : value)`"),
            Kind::Punct(Punct::Equiv | Punct::Conj | Punct::Disj) if !formula => Some(TEMPORAL),
            Kind::Punct(_) if !formula && self.temporal_prefix().is_some() => Some(TEMPORAL),
            Kind::Punct(Punct::Colon) if formula => {
                Some("`->` is implication here: `(c -> a : b)` cannot stand in a formula")
            }
            kind if is_type(kind) && self.previous().is_some_and(|it| is_type(&it.kind)) => {
                Some("a type is one word: write `unsigned x : bits`, or `int x`")
            }
            Kind::Name(name) => misused_word(name, formula && self.logic != Logic::Branching),
            _ => None,
        }
    }

    /// Complains that two statements are not separated. If an operator is misused, what follows it is no
    /// statement.
    pub(super) fn missing_separator(&mut self) {
        let usual = "separate statements with `;`, `->` or a new line";
        let help = self.misused_operator().unwrap_or(usual);
        let message = format!("expected `;` or `->`, found {}", self.found());
        let misused = help != usual;
        self.error("missing-separator", message).help(help);
        self.trouble.broken |= misused;
    }

    /// Warns of an infix operator at the beginning of a line: SPIN takes the line before for a statement.
    pub(super) fn warn_of_line_start(&mut self) {
        if self.in_body && self.word().starts_line && self.open_brackets() == 0 {
            let message = format!("SPIN takes a line that begins with {} for a new statement", self.found());
            let help = "put the expression in parentheses, or end the line before with the operator";
            self.warn("operator-at-line-start", self.span(), message).help(help);
        }
    }

    /// Whether `+=`, `:=` or the like stands here.
    pub(super) fn at_foreign_assignment(&self) -> bool {
        let arithmetic = self.punct().and_then(super::expressions::infix).is_some() || self.at(Punct::Colon);
        arithmetic && *self.ahead(1) == Kind::Punct(Punct::Assign)
    }

    /// `x += e`, `x := e`; `x` has been read.
    pub(super) fn foreign_assignment(&mut self, target: Reference) -> StatementKind {
        let name = crate::print::reference(&target);
        let operator = self.punct().map_or("", Punct::text);
        let help = match operator {
            ":" => format!("write `{name} = …`"),
            _ => format!("write `{name} = {name} {operator} …`"),
        };
        self.error("assignment-operator", format!("`{operator}=` is not an operator of Promela")).help(help);
        self.advance();
        self.assignment(target)
    }
}

/// Whether a word is the name of a type.
fn is_type(kind: &Kind) -> bool {
    use Keyword::*;
    matches!(kind, Kind::Keyword(Bit | Bool | Byte | Pid | Short | Int | Unsigned | Chan))
}

/// What to do about a word that is an operator elsewhere.
fn misused_word(name: &Name, formula: bool) -> Option<&'static str> {
    match &**name {
        "and" => Some("write `&&`"),
        "or" => Some("write `||`"),
        "not" => Some("write `!`"),
        "then" => Some("write `->` between a condition and what follows it"),
        "U" | "V" | "W" | "X" | "until" | "release" | "weakuntil" | "always" | "eventually" if !formula => {
            Some(TEMPORAL)
        }
        "R" if formula => Some("release is written `V`"),
        "F" if formula => Some("eventually is written `<>`"),
        "G" if formula => Some("always is written `[]`"),
        _ => None,
    }
}
