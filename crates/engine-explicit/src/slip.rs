//! Mistakes that engines can be asked to make in questions about whole executions, so that tests can show that they would be noticed.

/// Something that is got wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Slip {
    /// The search inside the search begins when a state is entered, not when it is left.
    Nesting,
    /// When components are joined, what the edges between them count for is forgotten.
    Between,
    /// Edges that were judged are forgotten, though others of the same cycle are not written down yet.
    Early,
    /// States that a search for cycles comes to, where none matter, are forgotten.
    Exits,
    /// Branching: a system that cannot move has no next state.
    Ends,
    /// Branching: a path on which something is true for ever may end.
    Ending,
    /// Branching: what a path has to satisfy until the end is not asked.
    Way,
    /// Branching: one constraint is forgotten.
    Constraint,
}
