//! Deliberate mistakes. A test suite that does not notice them proves nothing.

/// Something that the analysis, or who uses it, gets wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Mistake {
    /// What a property observes does not matter.
    Visibility,
    /// A receive from an empty channel and a send to a full one are safe.
    Conditions,
    /// The first phase forgets where it has been.
    Cycles,
    /// Who declares a channel his own is believed.
    Declarations,
    /// What is not possible needs nobody's help.
    Helpers,
}
