//! Computation tree logic: formulas about the tree of all behaviours.
//!
//! Where linear logic asks what every execution is like, branching logic asks in every state what is still possible: `AG EF home` says that whatever has
//! happened, there is a way home, which no set of executions can say. What paths are meant may depend on the actions of their steps: `EA(!turn)[true U done]`.
//!
//! ```
//! let mut names = Vec::new();
//! let formula = ctl::parse("AG (request -> AF grant)", &mut names)?;
//! let why_not = formula.negated().negation_normal_form();
//! assert_eq!(why_not.text(&names), "EF (request && EG !grant)");
//! # Ok::<(), ctl::NotAFormula>(())
//! ```
//!
//! * [`formula`], [`actions`], [`parse`](mod@parse), [`regular`]: what is written;
//! * [`normal`]: negations before atoms only;
//! * [`base`]: the same over three operators, as engines compute it;
//! * [`forward`]: the same as questions about states that are reached from the initial ones;
//! * [`guide`]: a path that shows why it holds;
//! * [`graph`]: what it means, on graphs that are written down.
pub mod actions;
pub mod base;
pub mod formula;
pub mod forward;
pub mod graph;
pub mod guide;
pub mod normal;
pub mod parse;
pub mod regular;

pub use actions::Actions;
pub use base::{Base, Part};
pub use formula::{Formula, Node, Path, Quantifier};
pub use forward::{Plan, Question, Reach};
pub use graph::Graph;
pub use guide::{Country, Way};
pub use parse::{ActionName, Names, NotAFormula, Numbered, parse, parse_with};
pub use regular::Regular;
