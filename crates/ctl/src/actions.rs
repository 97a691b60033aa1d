//! Sets of actions: what a path quantifier is restricted to.
//!
//! A step has one action or none. So whatever is said of an action by `true`, `not`, `and` and `or` comes down to a list of names that are meant, or to a list of those that
//! are not; a step without an action has no name, and belongs to sets of the second kind only.
//!
//! ```
//! use ctl::Actions;
//! let (a, b) = (Actions::one(0), Actions::one(1));
//! let neither = a.or(&b).not();
//! assert!(neither.contains(Some(2)) && neither.contains(None) && !neither.contains(Some(1)));
//! assert_eq!(neither.or(&a), b.not());
//! ```
use std::sync::Arc;

/// A set of actions, equal to every other that means the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Actions {
    /// Ascending.
    names: Arc<[u32]>,
    /// The names are those that are meant, not those that are left out.
    is_list: bool,
}

impl Actions {
    /// All steps.
    pub fn all() -> Actions {
        Actions::none().not()
    }

    /// No step.
    pub fn none() -> Actions {
        Actions::list([])
    }

    /// The steps of one action.
    pub fn one(action: u32) -> Actions {
        Actions::list([action])
    }

    /// The steps of these actions.
    pub fn list(actions: impl IntoIterator<Item = u32>) -> Actions {
        let mut names: Vec<u32> = actions.into_iter().collect();
        names.sort_unstable();
        names.dedup();
        Actions { names: names.into(), is_list: true }
    }

    /// Whether a step with this action belongs to it.
    pub fn contains(&self, action: Option<u32>) -> bool {
        action.is_some_and(|it| self.names.binary_search(&it).is_ok()) == self.is_list
    }

    /// The other steps.
    #[must_use]
    pub fn not(&self) -> Actions {
        Actions { names: self.names.clone(), is_list: !self.is_list }
    }

    /// The steps that belong to both.
    #[must_use]
    pub fn and(&self, other: &Actions) -> Actions {
        match (self.is_list, other.is_list) {
            (true, _) => Actions::list(self.names.iter().copied().filter(|&it| other.contains(Some(it)))),
            (false, true) => other.and(self),
            (false, false) => Actions::list(self.names.iter().chain(&*other.names).copied()).not(),
        }
    }

    /// The steps that belong to one of both.
    #[must_use]
    pub fn or(&self, other: &Actions) -> Actions {
        self.not().and(&other.not()).not()
    }

    /// Whether no step belongs to it.
    pub fn is_empty(&self) -> bool {
        self.is_list && self.names.is_empty()
    }

    /// Whether all steps belong to it.
    pub fn is_all(&self) -> bool {
        !self.is_list && self.names.is_empty()
    }

    /// The names in it or out of it: those on which it depends.
    pub fn names(&self) -> &[u32] {
        &self.names
    }

    /// As it is written. Actions without a name are called `a0`, `a1` …
    pub fn text(&self, names: &[String]) -> String {
        let name = |it: &u32| names.get(*it as usize).cloned().unwrap_or_else(|| format!("a{it}"));
        let list: Vec<String> = self.names.iter().map(name).collect();
        match (self.is_list, &*list) {
            (is_list, []) => (!is_list).to_string(),
            (true, list) => list.join(" | "),
            (false, [one]) => format!("!{one}"),
            (false, list) => format!("!({})", list.join(" | ")),
        }
    }
}
