//! Mistakes that searches for cycles can be asked to make, so that tests can show that they would be noticed.

/// Something that a search for cycles gets wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Slip {
    /// The search inside the search begins when a state is entered, not when it is left.
    Nesting,
    /// When components are joined, what the edges between them count for is forgotten.
    Between,
    /// States that a search for cycles comes to, where none matter, are forgotten.
    Exits,
}
