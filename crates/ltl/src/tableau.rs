//! From a formula to an automaton: the tableau method with decision diagrams.
//!
//! Couvreur, *On-the-fly verification of linear temporal logic*, FM 1999; in the form of Duret-Lutz, *LTL translation improvements in Spot*, VECoS 2011. A term says something about the
//! first letter and something about the rest. Written as a Boolean function of atoms and of variables `X f`, "the rest satisfies `f`":
//!
//! ```text
//! f U g  =  g  or  (f and X(f U g) and P(g))
//! f R g  =  g and (f or X(f R g))
//! ```
//!
//! Each product of the function is an edge: its atoms are the label, the terms behind `X` together are the next state. `P(g)` is a *promise* that `g` will
//! come: an edge is in the acceptance set of `g` if it makes no such promise, so no promise is postponed for ever. States whose functions are equal are one state.
//!
//! There are two ways to cut a function into products, and neither is always better: all at once ([`Cut::Products`]), which gives few edges, or for each
//! combination of atoms on its own ([`Cut::Letters`]), which gives edges that overlap less.
use crate::automaton::{Automaton, Edge, Marks, add_edge};
use crate::bdd::{Bdd, Bdds};
use crate::hash::QuickMap;
use crate::mistake::Mistake;
use crate::terms::{Term, TermId, Terms};
use crate::translate::{Options, TooLarge};

/// How a function is cut into products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// As an irredundant sum.
    Products,
    /// As an irredundant sum for each combination of atoms.
    Letters,
}

/// A function with more nodes has more products than anybody can use.
const MOST_NODES: usize = 500_000;

/// What a variable behind the atoms stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Meaning {
    Next(TermId),
    Promise(TermId),
}

/// The automaton of a term over `atoms` atoms.
pub fn tableau(
    terms: &mut Terms,
    term: TermId,
    atoms: u32,
    cut: Cut,
    options: &Options,
) -> Result<Automaton, TooLarge> {
    let mut tableau = Tableau {
        terms,
        atoms,
        functions: Bdds::default(),
        meanings: Vec::new(),
        variables: QuickMap::default(),
        expansions: QuickMap::default(),
        states: QuickMap::default(),
        waiting: Vec::new(),
        promises: Vec::new(),
        most_edges: options.edges,
    };
    let initial = tableau.state(term)?;
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while let Some(&function) = tableau.waiting.get(edges.len()) {
        if tableau.waiting.len() > options.states {
            return Err(TooLarge::States(options.states));
        }
        edges.push(tableau.edges(function, cut, options)?);
    }
    let sets = tableau.promises.len() as u32;
    // Which promises exist is known only now: marks so far are the promises that are made.
    edges.iter_mut().flatten().for_each(|it| it.marks = Marks::all(sets).without(it.marks));
    Ok(Automaton { atoms, sets, initial, edges, labels: tableau.functions }.tidied())
}

struct Tableau<'t> {
    terms: &'t mut Terms,
    atoms: u32,
    functions: Bdds,
    meanings: Vec<Meaning>,
    variables: QuickMap<Meaning, u32>,
    expansions: QuickMap<TermId, Bdd>,
    states: QuickMap<Bdd, usize>,
    waiting: Vec<Bdd>,
    promises: Vec<TermId>,
    most_edges: usize,
}

impl Tableau<'_> {
    /// The state of a term: the one of its function.
    fn state(&mut self, term: TermId) -> Result<usize, TooLarge> {
        let function = self.expand(term)?;
        Ok(*self.states.entry(function).or_insert_with(|| {
            self.waiting.push(function);
            self.waiting.len() - 1
        }))
    }

    fn variable(&mut self, meaning: Meaning) -> Bdd {
        let number = *self.variables.entry(meaning).or_insert_with(|| {
            self.meanings.push(meaning);
            self.atoms + self.meanings.len() as u32 - 1
        });
        self.functions.variable(number)
    }

    /// The term as a function of atoms, next terms and promises.
    fn expand(&mut self, term: TermId) -> Result<Bdd, TooLarge> {
        if let Some(&known) = self.expansions.get(&term) {
            return Ok(known);
        }
        let function = match self.terms.node(term).clone() {
            Term::True => Bdd::TRUE,
            Term::False => Bdd::FALSE,
            Term::Literal(atom, positive) => self.functions.literal(atom, positive),
            Term::And(parts) => self.expand_all(&parts, Bdd::TRUE, Bdds::and)?,
            Term::Or(parts) => self.expand_all(&parts, Bdd::FALSE, Bdds::or)?,
            Term::Next(f) => self.next(f),
            Term::Until(f, g) => {
                let (now, f, again) = (self.expand(g)?, self.expand(f)?, self.next(term));
                let promise = self.variable(Meaning::Promise(g));
                let later = self.functions.and(f, again);
                let later = self.functions.and(later, promise);
                self.functions.or(now, later)
            }
            Term::Release(f, g) => {
                let (g, f, again) = (self.expand(g)?, self.expand(f)?, self.next(term));
                let or_later = self.functions.or(f, again);
                self.functions.and(g, or_later)
            }
        };
        self.expansions.insert(term, function);
        Ok(function)
    }

    /// All parts joined, as long as the function does not grow out of bounds.
    fn expand_all(
        &mut self,
        parts: &[TermId],
        start: Bdd,
        join: fn(&mut Bdds, Bdd, Bdd) -> Bdd,
    ) -> Result<Bdd, TooLarge> {
        parts.iter().try_fold(start, |all, &part| {
            let part = self.expand(part)?;
            let joined = join(&mut self.functions, all, part);
            if self.functions.nodes() <= MOST_NODES { Ok(joined) } else { Err(TooLarge::Edges(self.most_edges)) }
        })
    }

    /// "The rest satisfies the term"; a conjunction part by part, so that equal sets of terms are equal states.
    fn next(&mut self, term: TermId) -> Bdd {
        match self.terms.node(term).clone() {
            Term::True => Bdd::TRUE,
            Term::False => Bdd::FALSE,
            Term::And(parts) => parts.iter().fold(Bdd::TRUE, |all, &part| {
                let part = self.variable(Meaning::Next(part));
                self.functions.and(all, part)
            }),
            _ => self.variable(Meaning::Next(term)),
        }
    }

    /// The edges of a state. Their marks are the promises they make.
    fn edges(&mut self, function: Bdd, cut: Cut, options: &Options) -> Result<Vec<Edge>, TooLarge> {
        let too_many = TooLarge::Edges(options.edges);
        let regions = match cut {
            Cut::Products => vec![(Bdd::TRUE, function)],
            Cut::Letters => self.functions.split(function, self.atoms, options.edges).ok_or(too_many)?,
        };
        let mut edges = Vec::new();
        for (region, rest) in regions {
            for product in self.functions.cubes_within(rest, options.edges).ok_or(too_many)? {
                let edge = self.edge(region, &product, options)?;
                add_edge(&mut edges, &mut self.functions, edge);
            }
            if edges.len() > options.edges {
                return Err(too_many);
            }
        }
        Ok(edges)
    }

    fn edge(&mut self, region: Bdd, product: &[(u32, bool)], options: &Options) -> Result<Edge, TooLarge> {
        let (letters, rest) = product.split_at(product.partition_point(|it| it.0 < self.atoms));
        let letters = self.functions.cube(letters);
        let (mut next, mut marks) = (Vec::new(), Marks::NONE);
        for &(variable, _) in rest {
            match self.meanings[(variable - self.atoms) as usize] {
                Meaning::Next(term) => next.push(term),
                Meaning::Promise(_) if options.mistake == Some(Mistake::Promises) => {}
                Meaning::Promise(term) => marks = marks.with(Marks::one(self.set(term)?)),
            }
        }
        // By the laws of sets only: a part that another one implies may be the one that promises.
        let next = self.terms.and(&next);
        let label = self.functions.and(region, letters);
        Ok(Edge { label, marks, target: self.state(next)? })
    }

    /// The acceptance set of a promise.
    fn set(&mut self, promise: TermId) -> Result<u32, TooLarge> {
        let place = self.promises.iter().position(|&it| it == promise);
        let set = place.unwrap_or_else(|| {
            self.promises.push(promise);
            self.promises.len() - 1
        }) as u32;
        if set < Marks::MOST { Ok(set) } else { Err(TooLarge::Sets) }
    }
}
