//! Deliberate mistakes, one or two per pass. A test suite that does not notice them proves nothing.

/// Something that a pass gets wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Mistake {
    /// A division by zero is taken for a zero.
    FoldDivision,
    /// A variable that is assigned to keeps its first value.
    FoldAssigned,
    /// Reads in conditions do not count.
    HideTested,
    /// A right side that goes wrong is left out with the variable.
    HideFault,
    /// Reads in conditions do not count.
    DeadTested,
    /// The other ways out of a location are forgotten.
    DeadBranch,
    /// Received values are not looked at.
    RangeReceived,
    /// A condition is believed to hold on its other branch, too.
    RangeOtherwise,
    /// Globals count as locals.
    MergeGlobals,
    /// Nobody is taken to notice that a process is ready to receive.
    MergeReady,
    /// Loops are merged as a whole.
    MergeLoops,
}
