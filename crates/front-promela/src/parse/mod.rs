//! From words to tree.
//!
//! # Method
//!
//! Recursive descent: one function per production, and precedence climbing for expressions
//! (Richards 1979). A production takes the words that belong to it and returns a node; it never
//! fails. What it cannot understand it reports once, leaves where it stands, and marks the statement
//! as *broken*; while a statement is broken nothing more is said about it. The loop over statements
//! (or units) then skips to the next place where one can begin. So every broken statement costs one
//! message and hides no other.
//!
//! ```text
//! tree      : unit*                                              units
//! unit      : process | claim | formula | declaration | inline   units, ltl, ctl, declarations, inline
//! sequence  : step ((';' | '->')+ step)*                         statements
//! step      : declaration | statement ['unless' statement]       statements, control, messages
//! expression: operand (operator operand)*                        expressions, ltl, ctl
//! ```
//!
//! # Bounds
//!
//! Statements and expressions nest at most [`LEVELS`] deep in all, counting the chains that
//! left-associative operators make: whoever walks the tree may recurse. Time and memory are linear in
//! the number of words, those of expanded inlines included, and these are bounded too.
mod control;
pub(crate) mod ctl;
mod declarations;
mod expressions;
mod hints;
mod inline;
mod known;
pub(crate) mod ltl;
mod messages;
mod nesting;
mod pv;
mod recovery;
mod statements;
mod units;
mod words;

#[cfg(test)]
pub(crate) mod tests;

use std::collections::HashMap;

use text::Diagnostic;

use crate::ast::Tree;
use crate::token::Token;

pub(crate) use expressions::strength;
pub use nesting::LEVELS;

/// A tree together with everything wrong with it.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// As much as could be understood.
    pub tree: Tree,
    /// In the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Which language the words are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Promela as SPIN reads it.
    #[default]
    Spin,
    /// The same with the extensions of PV: locks, semaphores, enumerations, invariants, repeated `run`.
    Pv,
}

/// Parses a whole model. `words` end with [`crate::token::Kind::End`].
pub fn parse(words: &[Token], dialect: Dialect) -> Parsed {
    let mut parser = Parser::new(words, dialect);
    parser.units();
    Parsed { tree: Tree { units: parser.units }, diagnostics: parser.diagnostics }
}

/// Parses a formula that stands alone, or an `ltl` unit. With `flat`, as `spin -f` reads it: `&&`, `||`, `->` and `<->` bind equally strongly.
pub fn parse_formula(words: &[Token], flat: bool) -> Parsed {
    let mut parser = Parser::new(words, Dialect::Spin);
    parser.flat = flat;
    parser.formula_alone();
    Parsed { tree: Tree { units: parser.units }, diagnostics: parser.diagnostics }
}

/// Which operators are known beside those on numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    /// None.
    Numbers,
    /// Those of `ltl`.
    Linear,
    /// Those of `ctl`.
    Branching,
}

/// The state of a parse.
struct Parser<'w> {
    /// What is read at the moment: the model, or an inline's expansion.
    words: words::Words<'w>,
    dialect: Dialect,
    /// Finished units.
    units: Vec<crate::ast::Unit>,
    diagnostics: Vec<Diagnostic>,
    trouble: recovery::Trouble,
    nesting: nesting::Nesting,
    /// Constructs that are open around the current word.
    open: control::Open,
    /// Names that change how words are read.
    known: known::Known,
    /// Inlines that are being expanded, outermost first.
    expansions: Vec<inline::Expansion>,
    /// Words produced by inlines so far.
    expanded: usize,
    /// In how many uses of each inline something is wrong.
    failed: HashMap<crate::token::Name, u32>,
    /// Whether the body of a process or claim is being read.
    in_body: bool,
    /// Whether an `ltl` or `ctl` unit is being read.
    in_formula: bool,
    /// The operators that may stand here beside those on numbers.
    logic: Logic,
    /// Whether operators bind as `spin -f` has it.
    flat: bool,
}

impl<'w> Parser<'w> {
    fn new(words: &'w [Token], dialect: Dialect) -> Self {
        Parser {
            words: words::Words::new(words),
            dialect,
            units: Vec::new(),
            diagnostics: Vec::new(),
            trouble: recovery::Trouble::default(),
            nesting: nesting::Nesting::default(),
            open: control::Open::default(),
            known: known::Known::scan(words),
            expansions: Vec::new(),
            expanded: 0,
            failed: HashMap::new(),
            in_body: false,
            in_formula: false,
            logic: Logic::Numbers,
            flat: false,
        }
    }
}
