//! Linear temporal logic, and small Büchi automata for it.
//!
//! A model checker asks whether a system has a run that violates a formula. It translates the *negation* of the formula into an automaton
//! that accepts exactly those runs, and searches the product of both for an accepting cycle (Vardi, Wolper, LICS 1986). Each state of the automaton multiplies the
//! states of the system, so most of this crate is about having few.
//!
//! ```
//! let mut names = Vec::new();
//! let formula = ltl::parse("[](request -> <>grant)", &mut names)?;
//! let automaton = ltl::translate_to_buchi(&formula.negated())?;
//! assert_eq!(automaton.states(), 2);
//! assert!(ltl::never::claim(&automaton, &names).starts_with("never {"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The way of a formula:
//!
//! * [`formula`], [`parse`](mod@parse), [`lasso`]: what is written and what it means;
//! * [`terms`], [`implication`], [`containment`], [`rewrite`]: the same, shorter;
//! * [`tableau`]: a transition-based generalised automaton whose labels are [`bdd`]s;
//! * [`components`], [`simulation`], [`obligation`], [`recurrence`]: fewer states;
//! * [`degeneralise`]: one set of accepting states; [`translate`](mod@translate) puts the steps together;
//! * [`product`](mod@product), [`stutter`]: questions about languages;
//! * [`hoa`], [`never`](mod@never), [`dot`], [`svg`]: automata as text and pictures.
pub mod automaton;
pub mod bdd;
pub mod components;
pub mod containment;
pub mod degeneralise;
pub mod dot;
pub mod formula;
mod hash;
pub mod hoa;
pub mod implication;
pub mod lasso;
mod mistake;
pub mod never;
pub mod obligation;
pub mod parse;
mod powerset;
pub mod product;
pub mod recurrence;
pub mod rewrite;
pub mod simulation;
pub mod stutter;
pub mod svg;
pub mod tableau;
pub mod terms;
mod text;
pub mod translate;

pub use automaton::{Automaton, Edge, Marks, Statistics};
pub use bdd::{Bdd, Bdds, Cube};
pub use components::{Components, Strength, is_empty};
pub use formula::{Formula, Node};
pub use lasso::{Lasso, Letter};
pub use mistake::Mistake;
pub use parse::{NotAFormula, parse};
pub use product::{are_disjoint, product};
pub use stutter::Stuttering;
pub use translate::{
    Options, TooLarge, buchi, buchi_with, translate, translate_to_buchi, translate_to_buchi_with, translate_with,
};
