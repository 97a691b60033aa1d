//! Sets of bit vectors, relations between them, and what can be reached, as binary decision diagrams.
//!
//! This crate knows nothing of models. A *vector* gives a value to every bit of a [`Space`]. A [`Function`] is true or
//! false for the current values of all bits and the next ones; one of current values alone is a *set* of vectors. A
//! [`Relation`] is a function of both, and the bits that a step touches; all others keep their values and are never
//! mentioned. A [`Search`] finds what relations lead to.
//!
//! ```
//! use diagram::{Decision, Full, Limits, Method, Relation, Search, Space};
//!
//! # fn main() -> Result<(), Full> {
//! // Two bits; the first one may be set, and the second one after it.
//! let space = Space::new(2, Limits { nodes: 1000, cache: 100, ..Limits::default() });
//! let first = Relation::new(&space, space.next(0)?, &[])?;
//! let second = Relation::new(&space, space.current(0)?.and(&space.next(1)?)?, &[])?;
//! let from = space.vector(&[false, false])?;
//! let reached = Search::forward(&space, &from, &[first, second]).run(Method::Saturation, &mut |_| Decision::Continue);
//! assert_eq!(space.count(&reached.set), 3u8.into());
//! # Ok(())
//! # }
//! ```
//!
//! # Room
//!
//! A space holds a given number of nodes. When there is no room left, garbage is collected; when there is none, the answer
//! is [`Full`], or [`Outcome::Full`] with what was reached by then. Operations recurse as deep as there are bits: with many
//! of them, work inside [`Space::run`], which has a large stack.
//!
//! # The order of bits matters
//!
//! A diagram decides one bit after the other, in an order that is the same for all. What a node stands for is all that the
//! bits above it tell about the bits below, so a set is small if bits that depend on each other are neighbours: that pairs
//! of bits are equal takes three nodes a pair if the two lie side by side, and two to the power of the number of pairs if
//! all first ones come before all second ones. For a system of processes this means: the bits of one variable together, the
//! variables of one process together, a channel between the processes that use it, and processes that talk to each other
//! side by side. Saturation gains from it twice, because a relation begins at its topmost bit and all below it takes part.
//! Next values are never far: the current and the next variable of a bit are always neighbours, the current one first.
//!
//! Bits are ordered by their numbers until [`Space::reorder`] or [`Space::sift`] say otherwise. Functions stay what they
//! are, whatever the order.
mod copy;
mod exchange;
mod function;
mod manager;
mod nodes;
mod order;
mod product;
mod reach;
mod relation;
mod set;
mod sift;
mod simplify;
mod space;

pub use function::{Function, Support, Which};
pub use reach::{Decision, Direction, Growth, Layers, Method, Outcome, Path, Progress, Reached, Search};
pub use relation::Relation;
pub use set::Members;
pub use space::{Full, Limits, Space};
