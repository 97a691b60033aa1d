//! Properties: what must hold in every state, and formulas of linear and branching time.
//!
//! Points at which a process goes on alone are no states, but SMV sees them. A formula is therefore *relativised* to the states in which everybody may move (`rest`): it is said of the sequence of these alone.
//! `F f` becomes `F (rest & f)`, `G f` becomes `G (rest -> f)`, and `X f` means the next of them: `X [!rest U (rest & f)]`. That everybody comes to rest again and
//! again is a fairness constraint; it excludes nothing, because a model in which somebody goes on alone for ever is not exported with formulas.
use ctl::{Formula, Node, Path, Quantifier};
use engine_symbolic::Trouble;
use model::{Branching, Expr, Formula as Linear, Meaning, TemporalProperty};
use text::Diagnostic;

use crate::faults::Faults;
use crate::term::Truth;
use crate::view::{Changes, View};
use crate::world::World;

/// What a kind of trouble is called.
pub fn called(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::Assertion => "assertion",
        Trouble::Index => "array_index",
        Trouble::Division => "division_by_zero",
        Trouble::NoChannel => "uninitialised_channel",
        Trouble::DeadChannel => "channel_is_gone",
        Trouble::MessageLength => "message_length",
        Trouble::RendezvousPoll => "poll_of_rendezvous",
        Trouble::RendezvousInside => "rendezvous_in_d_step",
        Trouble::BlockedInside => "blocked_in_d_step",
        Trouble::Exclusive => "exclusive_use",
        Trouble::Nondeterminism => "choice",
        Trouble::Monitor => "trace",
        Trouble::TooManyProcesses => "too_many_processes",
        Trouble::TooManyChannels => "too_many_channels",
        Trouble::Other => "fault",
    }
}

/// Formulas of a world.
pub struct Formulas<'w> {
    /// The cells.
    pub world: &'w World<'w>,
    /// The definition of states in which everybody may move, if there are others.
    pub rest: Option<String>,
}

impl Formulas<'_> {
    /// A property as `CTLSPEC` or `LTLSPEC`, without its name; or why it is left out.
    pub fn property(&self, property: &TemporalProperty) -> Result<(&'static str, String), Diagnostic> {
        let atoms = self.atoms(property)?;
        match &property.meaning {
            Meaning::Formula(formula) => Ok(("LTLSPEC", self.linear(formula, &atoms))),
            Meaning::Branching(Branching { fairness, .. }) if !fairness.is_empty() => {
                Err(left_out(property, "its fairness constraints would hold for all properties"))
            }
            Meaning::Branching(branching) if branching.formula.has_actions() => {
                Err(left_out(property, "SMV has no actions"))
            }
            Meaning::Branching(branching) => Ok(("CTLSPEC", self.branching(&branching.formula, &atoms))),
            Meaning::Claim(_) => Err(left_out(property, "it is an automaton, and SMV knows formulas")),
        }
    }

    /// The conditions at which a property looks.
    fn atoms(&self, property: &TemporalProperty) -> Result<Vec<Truth>, Diagnostic> {
        let proof = self.world.instance.proof.as_ref();
        if self.rest.is_some() && proof.is_ok_and(|it| it.never_rests) {
            return Err(left_out(property, "some process can go on alone for ever inside `atomic`"));
        }
        if self.rest.is_some() && proof.is_err() {
            return Err(left_out(property, "it is not known whether every `atomic` comes to its end"));
        }
        property.observes.iter().map(|it| self.atom(it, property)).collect()
    }

    fn atom(&self, expr: &Expr, property: &TemporalProperty) -> Result<Truth, Diagnostic> {
        let asks = |it: &Expr| matches!(it, Expr::Timeout | Expr::Enabled(_) | Expr::PriorityOf(_));
        if expr.any(&asks) {
            return Err(left_out(property, "`timeout`, `enabled` and priorities are no conditions of SMV"));
        }
        let none = Changes::new();
        let view = View { world: self.world, changes: &none, me: None, timeout: false, spawned: None };
        let mut faults = Faults::default();
        view.faults(expr, &Truth::constant(true), &mut faults);
        match faults.any.is_false() {
            true => Ok(view.truth(expr)),
            false => Err(left_out(property, "one of its conditions may have no value in some state")),
        }
    }

    /// `f` where everybody may move, if there.
    fn at_rest(&self, f: &str) -> String {
        self.rest.as_ref().map_or_else(|| f.to_string(), |rest| format!("({rest} & {f})"))
    }

    /// `f` wherever everybody may move.
    fn if_at_rest(&self, f: &str) -> String {
        self.rest.as_ref().map_or_else(|| f.to_string(), |rest| format!("({rest} -> {f})"))
    }

    // Linear time.

    fn linear(&self, formula: &Linear, atoms: &[Truth]) -> String {
        let part = |it: &Linear| self.linear(it, atoms);
        match formula {
            Linear::Atom(row) => format!("({})", atoms[*row as usize].text()),
            Linear::Not(it) => format!("!{}", part(it)),
            Linear::And(one, two) => format!("({} & {})", part(one), part(two)),
            Linear::Or(one, two) => format!("({} | {})", part(one), part(two)),
            Linear::Implies(one, two) => format!("({} -> {})", part(one), part(two)),
            Linear::Equivalent(one, two) => format!("({} <-> {})", part(one), part(two)),
            Linear::Next(it) => self.next(&part(it)),
            Linear::Always(it) => format!("(G {})", self.if_at_rest(&part(it))),
            Linear::Eventually(it) => format!("(F {})", self.at_rest(&part(it))),
            Linear::Until(one, two) => self.until(&part(one), &part(two)),
            Linear::Release(one, two) => {
                format!("({} V {})", self.at_rest(&part(one)), self.if_at_rest(&part(two)))
            }
            Linear::WeakUntil(one, two) => {
                let (one, two) = (part(one), part(two));
                format!("({} | G {})", self.until(&one, &two), self.if_at_rest(&one))
            }
        }
    }

    fn next(&self, f: &str) -> String {
        match &self.rest {
            Some(rest) => format!("(X (!{rest} U {}))", self.at_rest(f)),
            None => format!("(X {f})"),
        }
    }

    fn until(&self, f: &str, g: &str) -> String {
        format!("({} U {})", self.if_at_rest(f), self.at_rest(g))
    }

    // Branching time.

    fn branching(&self, formula: &Formula, atoms: &[Truth]) -> String {
        let part = |it: &Formula| self.branching(it, atoms);
        match formula.node() {
            Node::True => "TRUE".into(),
            Node::False => "FALSE".into(),
            Node::Atom(row) => format!("({})", atoms[*row as usize].text()),
            Node::Not(it) => format!("!{}", part(it)),
            Node::And(one, two) => format!("({} & {})", part(one), part(two)),
            Node::Or(one, two) => format!("({} | {})", part(one), part(two)),
            Node::Implies(one, two) => format!("({} -> {})", part(one), part(two)),
            Node::Equivalent(one, two) => format!("({} <-> {})", part(one), part(two)),
            Node::Path(quantifier, path) => self.path(quantifier, path, atoms),
        }
    }

    fn path(&self, quantifier: &Quantifier, path: &Path, atoms: &[Truth]) -> String {
        let part = |it: &Formula| self.branching(it, atoms);
        let letter = quantifier.letter();
        let until = |f: &str, g: &str| format!("{letter} [{} U {}]", self.if_at_rest(f), self.at_rest(g));
        match path {
            Path::Next(f) => match &self.rest {
                Some(rest) => format!("({letter}X {letter} [!{rest} U {}])", self.at_rest(&part(f))),
                None => format!("({letter}X {})", part(f)),
            },
            Path::Finally(f) => format!("({letter}F {})", self.at_rest(&part(f))),
            Path::Globally(f) => format!("({letter}G {})", self.if_at_rest(&part(f))),
            Path::Until(f, g) => format!("({})", until(&part(f), &part(g))),
            // Not the contrary: until `!g`, in the end neither.
            Path::WeakUntil(f, g) => {
                let (f, g) = (part(f), part(g));
                let other = quantifier.dual().letter();
                let neither = format!("(!{f} & !{g})");
                format!("(!{other} [{} U {}])", self.if_at_rest(&format!("!{g}")), self.at_rest(&neither))
            }
        }
    }
}

/// That a property is not in the file, and why.
fn left_out(property: &TemporalProperty, why: &str) -> Diagnostic {
    let message = format!("the property `{}` is not exported: {why}", property.name);
    Diagnostic::warning("not-exported", property.span, message)
}
