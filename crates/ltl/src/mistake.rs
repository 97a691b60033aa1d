//! Deliberate mistakes. A test suite that does not notice them proves nothing.

/// Something that the translation gets wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Mistake {
    /// An eventuality may be postponed for ever.
    Promises,
    /// A degeneralised automaton counts a set as seen without waiting for it.
    Waiting,
    /// Simulation does not look at acceptance.
    Acceptance,
    /// Every automaton is an obligation: the weak candidate is kept unchecked.
    Obligation,
    /// Every automaton has a deterministic one on its powerset automaton: the candidate is kept unchecked.
    Recurrence,
    /// Repeated letters are never left out.
    Stuttering,
}
