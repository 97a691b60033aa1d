//! How deep a tree may become.
//!
//! A level is a statement inside a statement, an expression inside an expression or a statement, or one
//! more operator in a left-associative chain: `a + b + c` is `(a + b) + c`, so `a` is two levels down.
//! The parser keeps the number of levels that are open (`depth`) and the deepest level that any node
//! since the last [`Nesting::mark`] has reached (`deepest`). Wrapping what has been read into one more
//! operator pushes all of it one level down, which is a matter of `deepest` alone.
use super::Parser;

/// Levels of statements and expressions in a tree.
pub const LEVELS: u32 = 500;

/// The levels of what is being read.
#[derive(Default)]
pub(super) struct Nesting {
    depth: u32,
    deepest: u32,
    /// The message about the limit is given once.
    reported: bool,
    /// The limit is reached, and what goes beyond it has not been skipped yet.
    exceeded: bool,
}

impl Nesting {
    /// Starts measuring afresh; returns what [`Nesting::unmark`] needs.
    pub(super) fn mark(&mut self) -> u32 {
        std::mem::replace(&mut self.deepest, self.depth)
    }

    /// Goes back to the measurement before [`Nesting::mark`].
    pub(super) fn unmark(&mut self, before: u32) {
        self.deepest = self.deepest.max(before);
    }

    /// Pushes everything since the last mark one level down; false if that is too deep.
    pub(super) fn push_down(&mut self) -> bool {
        self.deepest += 1;
        self.deepest <= LEVELS
    }
}

impl Parser<'_> {
    /// Opens a level. If there are too many, complains, leaves the level closed and returns false.
    pub(super) fn enter(&mut self) -> bool {
        if self.nesting.exceeded || self.nesting.depth >= LEVELS {
            self.too_deep();
            return false;
        }
        let nesting = &mut self.nesting;
        nesting.depth += 1;
        nesting.deepest = nesting.deepest.max(nesting.depth);
        true
    }

    /// Closes a level.
    pub(super) fn leave(&mut self) {
        self.nesting.depth -= 1;
    }

    /// Says that the limit is reached, the first time; what follows in the statement is not worth a message.
    pub(super) fn too_deep(&mut self) {
        if !std::mem::replace(&mut self.nesting.reported, true) {
            let message = format!("this nests more than {LEVELS} levels deep");
            self.error("too-deep", message).help("split it: name a part with a variable, a macro or an `inline`");
        }
        self.trouble.broken = true;
        self.nesting.exceeded = true;
    }

    /// What was too deep has been skipped. The word here is not worth a message: it may have lost its partner.
    pub(super) fn below_limit(&mut self) {
        if std::mem::take(&mut self.nesting.exceeded) {
            self.stay_silent_here();
        }
    }
}
