//! Formulas of computation tree logic, as they are written.
//!
//! Clarke, Emerson, *Design and synthesis of synchronization skeletons using branching time temporal logic*, 1981. A formula speaks about a state and the
//! paths that begin there. Every temporal operator stands behind a *path quantifier*: `A`, on all paths; `E`, on some path. `X f`: `f` holds in the next
//! state of the path; `F f`: in some state; `G f`: in all states; `[f U g]`: in some state `g`, and `f` until then; `[f W g]`: `U`, or for ever `f`.
//!
//! A quantifier may be *restricted to actions* (Pecheur, Raimondi, *Symbolic model checking of logics with actions*, 2006): `EA(a)` and `AA(a)` speak of the paths all
//! of whose steps have an action of the set `a`, and which end only where there is no such step. A path that ends counts:
//!
//! ```text
//! EAX(a) f   some step of a leads to f                AAX(a) f   all steps of a, however many there are, lead to f
//! EAG(a) f   f, for ever or up to an end              AAF(a) f   f comes, before any end
//! ```
//!
//! so that `AA` is the dual of `EA`. Without a restriction, a system that cannot move stands still, and its last state is followed by itself; to stand still is no step with an action.
//!
//! A [`Formula`] is a shared tree and cheap to clone. Quantifier and path are apart ([`Node::Path`]).
use std::fmt;
use std::sync::Arc;

use crate::actions::Actions;

/// A formula.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(Arc<Node>);

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// Holds in every state.
    True,
    /// Holds in no state.
    False,
    /// The atom is true.
    Atom(u32),
    /// `!f`
    Not(Formula),
    /// `f && g`
    And(Formula, Formula),
    /// `f || g`
    Or(Formula, Formula),
    /// `f -> g`
    Implies(Formula, Formula),
    /// `f <-> g`
    Equivalent(Formula, Formula),
    /// All or some paths are like this.
    Path(Quantifier, Path),
}

/// Which of the paths that begin in a state are meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Quantifier {
    /// All of them, or at least one.
    pub is_universal: bool,
    /// Only those whose steps have one of these actions.
    pub actions: Option<Actions>,
}

/// What a path is like.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Path {
    /// `X f`
    Next(Formula),
    /// `F f`
    Finally(Formula),
    /// `G f`
    Globally(Formula),
    /// `[f U g]`
    Until(Formula, Formula),
    /// `[f W g]`
    WeakUntil(Formula, Formula),
}

impl Quantifier {
    /// `A`
    pub const ALL: Quantifier = Quantifier { is_universal: true, actions: None };
    /// `E`
    pub const SOME: Quantifier = Quantifier { is_universal: false, actions: None };

    /// The same of paths whose steps have one of these actions.
    #[must_use]
    pub fn by(&self, actions: Actions) -> Quantifier {
        Quantifier { is_universal: self.is_universal, actions: Some(actions) }
    }

    /// Not all paths are like this: some path is not.
    #[must_use]
    pub fn dual(&self) -> Quantifier {
        Quantifier { is_universal: !self.is_universal, actions: self.actions.clone() }
    }

    /// How it is written.
    pub fn letter(&self) -> char {
        if self.is_universal { 'A' } else { 'E' }
    }

    /// How it is written before an operator: `AG`, `EAX(a)`, and for an operator with two arguments `A`, `EA(a)`.
    fn before(&self, operator: Option<char>, actions: &[String]) -> String {
        let (letter, operator) = (self.letter(), operator.map_or(String::new(), String::from));
        match &self.actions {
            None => format!("{letter}{operator}"),
            Some(set) => format!("{letter}A{operator}({})", set.text(actions)),
        }
    }
}

impl Path {
    /// Its parts, one or two.
    pub fn parts(&self) -> impl Iterator<Item = &Formula> {
        let (first, second) = match self {
            Path::Next(f) | Path::Finally(f) | Path::Globally(f) => (f, None),
            Path::Until(f, g) | Path::WeakUntil(f, g) => (f, Some(g)),
        };
        std::iter::once(first).chain(second)
    }
}

macro_rules! constructors {
    (binary: $($two:ident $node:ident $two_doc:literal)*; one: $($one:ident $one_quantifier:ident $one_path:ident $one_doc:literal)*;
     two: $($until:ident $quantifier:ident $path:ident $doc:literal)*) => {
        impl Formula {
            $(#[doc = $two_doc] #[must_use] pub fn $two(self, other: Formula) -> Formula { Node::$node(self, other).into() })*
            $(#[doc = $one_doc] #[must_use] pub fn $one(self) -> Formula {
                Node::Path(Quantifier::$one_quantifier, Path::$one_path(self)).into()
            })*
            $(#[doc = $doc] #[must_use] pub fn $until(self, other: Formula) -> Formula {
                Node::Path(Quantifier::$quantifier, Path::$path(self, other)).into()
            })*
        }
    };
}

constructors! {
    binary:
        and And "`self && other`"
        or Or "`self || other`"
        implies Implies "`self -> other`"
        equivalent Equivalent "`self <-> other`";
    one:
        all_next ALL Next "`AX self`"
        some_next SOME Next "`EX self`"
        all_finally ALL Finally "`AF self`"
        some_finally SOME Finally "`EF self`"
        all_globally ALL Globally "`AG self`"
        some_globally SOME Globally "`EG self`";
    two:
        all_until ALL Until "`A[self U other]`"
        some_until SOME Until "`E[self U other]`"
        all_weak_until ALL WeakUntil "`A[self W other]`"
        some_weak_until SOME WeakUntil "`E[self W other]`"
}

impl Formula {
    /// A path of this kind that is like this.
    pub fn path(quantifier: Quantifier, path: Path) -> Formula {
        Node::Path(quantifier, path).into()
    }

    /// `EAX(actions) self`
    #[must_use]
    pub fn some_next_by(self, actions: Actions) -> Formula {
        Formula::path(Quantifier::SOME.by(actions), Path::Next(self))
    }

    /// `AAX(actions) self`
    #[must_use]
    pub fn all_next_by(self, actions: Actions) -> Formula {
        Formula::path(Quantifier::ALL.by(actions), Path::Next(self))
    }
}

impl From<Node> for Formula {
    fn from(node: Node) -> Formula {
        Formula(Arc::new(node))
    }
}

impl std::ops::Not for Formula {
    type Output = Formula;
    fn not(self) -> Formula {
        self.negated()
    }
}

impl Formula {
    /// `true` or `false`.
    pub fn constant(value: bool) -> Formula {
        if value { Node::True.into() } else { Node::False.into() }
    }

    /// An atom.
    pub fn atom(atom: u32) -> Formula {
        Node::Atom(atom).into()
    }

    /// `!self`
    #[must_use]
    pub fn negated(self) -> Formula {
        Node::Not(self).into()
    }

    /// What it is made of.
    pub fn node(&self) -> &Node {
        &self.0
    }

    /// Its parts, none, one or two.
    pub fn parts(&self) -> Vec<&Formula> {
        match self.node() {
            Node::True | Node::False | Node::Atom(_) => Vec::new(),
            Node::Not(f) => vec![f],
            Node::And(f, g) | Node::Or(f, g) | Node::Implies(f, g) | Node::Equivalent(f, g) => vec![f, g],
            Node::Path(_, path) => path.parts().collect(),
        }
    }

    /// One more than the greatest atom in it.
    pub fn atoms(&self) -> u32 {
        match self.node() {
            Node::Atom(atom) => atom + 1,
            _ => self.parts().into_iter().map(Formula::atoms).max().unwrap_or(0),
        }
    }

    /// Whether it speaks about the state alone, and about no path.
    pub fn is_propositional(&self) -> bool {
        !matches!(self.node(), Node::Path(..)) && self.parts().into_iter().all(Formula::is_propositional)
    }

    /// Whether it speaks of actions.
    pub fn has_actions(&self) -> bool {
        let restricted = matches!(self.node(), Node::Path(Quantifier { actions: Some(_), .. }, _));
        restricted || self.parts().into_iter().any(Formula::has_actions)
    }

    /// Calls `visit` for every set of actions in it.
    pub fn visit_actions(&self, visit: &mut dyn FnMut(&Actions)) {
        if let Node::Path(Quantifier { actions: Some(actions), .. }, _) = self.node() {
            visit(actions);
        }
        self.parts().into_iter().for_each(|it| it.visit_actions(visit));
    }

    /// With as few parentheses as can be. Atoms without a name are called `p0`, `p1` …, actions `a0`, `a1` …; names with blanks in them are put in parentheses.
    pub fn text(&self, atoms: &[String]) -> String {
        self.text_with(atoms, &[])
    }

    /// The same, where actions have names, too.
    pub fn text_with(&self, atoms: &[String], actions: &[String]) -> String {
        self.at_level(0, Names { atoms, actions })
    }

    /// What is written where operators of this level and tighter ones need no parentheses; see [`crate::parse`](mod@crate::parse).
    fn at_level(&self, level: u8, names: Names<'_>) -> String {
        let two = |own: u8, f: &Formula, operator: &str, g: &Formula| {
            let text = format!("{} {operator} {}", f.at_level(own + 1, names), g.at_level(own, names));
            if own < level { format!("({text})") } else { text }
        };
        match self.node() {
            Node::True => "true".into(),
            Node::False => "false".into(),
            Node::Atom(atom) => name(*atom, names.atoms, level),
            Node::Not(f) => format!("!{}", f.at_level(TIGHT, names)),
            Node::Equivalent(f, g) => two(0, f, "<->", g),
            Node::Implies(f, g) => two(1, f, "->", g),
            Node::Or(f, g) => two(2, f, "||", g),
            Node::And(f, g) => two(3, f, "&&", g),
            Node::Path(quantifier, path) => path.text(quantifier, names),
        }
    }
}

/// The level of operators with one argument.
const TIGHT: u8 = 4;

/// What atoms and actions are called.
#[derive(Clone, Copy)]
struct Names<'n> {
    atoms: &'n [String],
    actions: &'n [String],
}

impl Path {
    fn text(&self, quantifier: &Quantifier, names: Names<'_>) -> String {
        let before = |operator| quantifier.before(operator, names.actions);
        let one = |operator: char, f: &Formula| format!("{} {}", before(Some(operator)), f.at_level(TIGHT, names));
        let two = |f: &Formula, operator: char, g: &Formula| {
            format!("{}[{} {operator} {}]", before(None), f.at_level(0, names), g.at_level(0, names))
        };
        match self {
            Path::Next(f) => one('X', f),
            Path::Finally(f) => one('F', f),
            Path::Globally(f) => one('G', f),
            Path::Until(f, g) => two(f, 'U', g),
            Path::WeakUntil(f, g) => two(f, 'W', g),
        }
    }
}

fn name(atom: u32, names: &[String], level: u8) -> String {
    let Some(name) = names.get(atom as usize) else { return format!("p{atom}") };
    let is_simple = !name.contains(char::is_whitespace);
    if is_simple || level == 0 { name.clone() } else { format!("({name})") }
}

impl fmt::Display for Formula {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.text(&[]))
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, to)
    }
}
