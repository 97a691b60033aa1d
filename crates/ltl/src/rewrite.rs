//! Laws that make formulas shorter before they are translated.
//!
//! Somenzi, Bloem, *Efficient Büchi automata from LTL formulae*, CAV 2000 (implication); Etessami, Holzmann, *Optimizing Büchi automata*, CONCUR 2000
//! (pure eventualities and purely universal formulas); Babiak, Křetínský, Řehák, Strejček, TACAS 2012 (both together, formulas for which only the
//! infinite part of a word matters). Below, `e` is a pure eventuality, `u` universal, `s` both.
//!
//! Laws are written for `&&` and `U` only; `||` and `R` get them through negation.
use crate::terms::{Term, TermId, Terms};

impl Terms {
    /// A term of the same meaning, parts first.
    pub fn simplified(&mut self, id: TermId) -> TermId {
        if let Some(&known) = self.simple.get(&id) {
            return known;
        }
        let simple = match self.node(id).clone() {
            Term::True | Term::False | Term::Literal(..) => id,
            Term::And(parts) => {
                let parts = self.all_simplified(&parts);
                self.simple_and(&parts)
            }
            Term::Or(parts) => {
                let parts = self.all_simplified(&parts);
                self.simple_or(&parts)
            }
            Term::Next(f) => {
                let f = self.simplified(f);
                self.simple_next(f)
            }
            Term::Until(f, g) => {
                let (f, g) = (self.simplified(f), self.simplified(g));
                self.simple_until(f, g)
            }
            Term::Release(f, g) => {
                let (f, g) = (self.simplified(f), self.simplified(g));
                self.simple_release(f, g)
            }
        };
        self.simple.insert(id, simple);
        simple
    }

    fn all_simplified(&mut self, parts: &[TermId]) -> Vec<TermId> {
        parts.iter().map(|&it| self.simplified(it)).collect()
    }

    /// `X s = s`, and `X` of a constant is that constant.
    pub fn simple_next(&mut self, f: TermId) -> TermId {
        if self.is_suspendable(f) { f } else { self.intern(Term::Next(f)) }
    }

    /// `f R g`, through its negation.
    pub fn simple_release(&mut self, f: TermId, g: TermId) -> TermId {
        let (not_f, not_g) = (self.not(f), self.not(g));
        let until = self.simple_until(not_f, not_g);
        self.not(until)
    }

    /// The disjunction, through its negation.
    pub fn simple_or(&mut self, parts: &[TermId]) -> TermId {
        let opposite: Vec<TermId> = parts.iter().map(|&it| self.not(it)).collect();
        let none = self.simple_and(&opposite);
        self.not(none)
    }

    /// `f U g`.
    pub fn simple_until(&mut self, f: TermId, g: TermId) -> TermId {
        let not_g = self.not(g);
        // f U e = e, f U g = g if f -> g.
        if self.is_eventual(g) || self.implies(f, g) {
            return g;
        }
        // f U g = <>g if !g -> f.
        if f != Self::TRUE && self.implies(not_g, f) {
            return self.simple_until(Self::TRUE, g);
        }
        let f = self.without_parts_implying(f, g);
        self.until_of_until(f, g)
            .or_else(|| self.until_of_parts(f, g))
            .or_else(|| self.until_of_next(f, g))
            .or_else(|| self.at_last_always(f, g))
            .unwrap_or_else(|| self.intern(Term::Until(f, g)))
    }

    /// `(f || h) U g = f U g` if `h -> g`.
    fn without_parts_implying(&mut self, f: TermId, g: TermId) -> TermId {
        let Term::Or(parts) = self.node(f).clone() else { return f };
        let kept: Vec<TermId> = parts.into_iter().filter(|&it| !self.implies(it, g)).collect();
        self.or(&kept)
    }

    /// `f U (h U g)` is `h U g` if `f -> h`, and `f U g` if `h -> f`; `(h U g) U g` is `h U g`.
    fn until_of_until(&mut self, f: TermId, g: TermId) -> Option<TermId> {
        if let Term::Until(first, second) = *self.node(g) {
            if self.implies(f, first) {
                return Some(g);
            }
            if self.implies(first, f) {
                return Some(self.simple_until(f, second));
            }
        }
        match *self.node(f) {
            Term::Until(_, second) if second == g => Some(f),
            _ => None,
        }
    }

    /// `f U (g || e) = (f U g) || e`, `f U (g && s) = (f U g) && s`, `<>(g || u) = <>g || <>u`.
    fn until_of_parts(&mut self, f: TermId, g: TermId) -> Option<TermId> {
        match self.node(g).clone() {
            Term::Or(parts) => {
                let moves = |it: &TermId| self.is_eventual(*it) || (f == Self::TRUE && self.is_universal(*it));
                let (out, inside): (Vec<_>, Vec<_>) = parts.into_iter().partition(moves);
                (!out.is_empty()).then(|| {
                    let out: Vec<TermId> = out.into_iter().map(|it| self.simple_until(f, it)).collect();
                    let inner = self.simple_or(&inside);
                    let until = self.simple_until(f, inner);
                    self.simple_or(&[out, vec![until]].concat())
                })
            }
            Term::And(parts) => {
                let (out, inside): (Vec<_>, Vec<_>) = parts.into_iter().partition(|&it| self.is_suspendable(it));
                (!out.is_empty()).then(|| {
                    let inner = self.simple_and(&inside);
                    let until = self.simple_until(f, inner);
                    self.simple_and(&[out, vec![until]].concat())
                })
            }
            _ => None,
        }
    }

    /// `X f U X g = X (f U g)`, also for a constant `f`.
    fn until_of_next(&mut self, f: TermId, g: TermId) -> Option<TermId> {
        let Term::Next(g) = *self.node(g) else { return None };
        let f = match *self.node(f) {
            Term::True => f,
            Term::Next(f) => f,
            _ => return None,
        };
        let until = self.simple_until(f, g);
        Some(self.simple_next(until))
    }

    /// `<>[](h R g) = <>[]g`, `<>[](g || u) = <>[]g || <>u`, `<>[](g U u) = <>u`.
    fn at_last_always(&mut self, f: TermId, g: TermId) -> Option<TermId> {
        let Term::Release(Self::FALSE, always) = *self.node(g) else { return None };
        if f != Self::TRUE {
            return None;
        }
        match self.node(always).clone() {
            Term::Release(_, inner) => {
                let always = self.simple_release(Self::FALSE, inner);
                Some(self.simple_until(f, always))
            }
            Term::Until(_, inner) if self.is_universal(inner) => Some(self.simple_until(f, inner)),
            Term::Or(parts) if parts.iter().any(|&it| self.is_universal(it)) => {
                let (out, inside): (Vec<_>, Vec<_>) = parts.into_iter().partition(|&it| self.is_universal(it));
                let inner = self.simple_or(&inside);
                let always = self.simple_release(Self::FALSE, inner);
                let all: Vec<TermId> =
                    [out, vec![always]].concat().into_iter().map(|it| self.simple_until(f, it)).collect();
                Some(self.simple_or(&all))
            }
            _ => None,
        }
    }

    /// The conjunction.
    pub fn simple_and(&mut self, parts: &[TermId]) -> TermId {
        let set = self.and(parts);
        let Term::And(parts) = self.node(set).clone() else { return set };
        if parts.iter().any(|&f| parts.iter().any(|&g| f < g && self.excludes(f, g))) {
            return Self::FALSE;
        }
        let needed = self.without_implied(&parts);
        if let Some(changed) = self.without_excluded_parts(&needed).or_else(|| self.and_of_same_operator(&needed)) {
            return self.simple_and(&changed);
        }
        self.and(&needed)
    }

    /// What another part implies is not needed; of parts that imply each other the first stays.
    fn without_implied(&mut self, parts: &[TermId]) -> Vec<TermId> {
        let mut kept = parts.to_vec();
        for &part in parts.iter().rev() {
            if kept.iter().any(|&it| it != part && self.implies(it, part)) {
                kept.retain(|&it| it != part);
            }
        }
        kept
    }

    /// `h && (f || g) = h && f` if `h` excludes `g`; `h && (f R g) = h && g` if `h -> f`;
    /// `h && (f U g) = h && f U g` is left alone.
    fn without_excluded_parts(&mut self, parts: &[TermId]) -> Option<Vec<TermId>> {
        for (place, &part) in parts.iter().enumerate() {
            let shorter = match self.node(part).clone() {
                Term::Or(inner) => {
                    let kept: Vec<TermId> = inner
                        .iter()
                        .copied()
                        .filter(|&it| !parts.iter().any(|&h| h != part && self.excludes(h, it)))
                        .collect();
                    if kept.len() < inner.len() { Some(self.simple_or(&kept)) } else { None }
                }
                Term::Release(f, g) if parts.iter().any(|&h| h != part && self.implies(h, f)) => Some(g),
                _ => None,
            };
            if let Some(shorter) = shorter {
                let mut changed = parts.to_vec();
                changed[place] = shorter;
                return Some(changed);
            }
        }
        None
    }

    /// `X f && X g = X (f && g)`, `(h R f) && (h R g) = h R (f && g)`, `(f U h) && (g U h) = (f && g) U h`;
    /// `[]<>f` stays as it is.
    fn and_of_same_operator(&mut self, parts: &[TermId]) -> Option<Vec<TermId>> {
        for (place, &first) in parts.iter().enumerate() {
            for &second in &parts[place + 1..] {
                if let Some(joined) = self.joined(first, second) {
                    let others = parts.iter().copied().filter(|&it| it != first && it != second);
                    return Some(others.chain([joined]).collect());
                }
            }
        }
        None
    }

    fn joined(&mut self, first: TermId, second: TermId) -> Option<TermId> {
        if self.is_suspendable(first) || self.is_suspendable(second) {
            return None;
        }
        match (self.node(first).clone(), self.node(second).clone()) {
            (Term::Next(f), Term::Next(g)) => {
                let both = self.simple_and(&[f, g]);
                Some(self.simple_next(both))
            }
            (Term::Release(h, f), Term::Release(same, g)) if h == same => {
                let both = self.simple_and(&[f, g]);
                Some(self.simple_release(h, both))
            }
            (Term::Until(f, h), Term::Until(g, same)) if h == same => {
                let both = self.simple_and(&[f, g]);
                Some(self.simple_until(both, h))
            }
            _ => None,
        }
    }

    /// The term with suspendable parts inside the operator beside them: `<>f || <>g || s = <>(f || g || s)`,
    /// `[]f && []g && s = [](f && g && s)`.
    /// It is mostly longer and sometimes has the smaller automaton: whoever waits for `f` can go on with `s` too.
    pub fn gathered(&mut self, id: TermId) -> TermId {
        match self.node(id).clone() {
            Term::True | Term::False | Term::Literal(..) => id,
            Term::Or(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|&it| self.gathered(it)).collect();
                self.gathered_or(&parts)
            }
            Term::And(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|&it| self.gathered(it)).collect();
                let opposite: Vec<TermId> = parts.iter().map(|&it| self.not(it)).collect();
                let none = self.gathered_or(&opposite);
                self.not(none)
            }
            Term::Next(f) => {
                let f = self.gathered(f);
                self.intern(Term::Next(f))
            }
            Term::Until(f, g) => {
                let (f, g) = (self.gathered(f), self.gathered(g));
                self.intern(Term::Until(f, g))
            }
            Term::Release(f, g) => {
                let (f, g) = (self.gathered(f), self.gathered(g));
                self.intern(Term::Release(f, g))
            }
        }
    }

    /// All parts that wait become one, and the suspendable ones go into it.
    fn gathered_or(&mut self, parts: &[TermId]) -> TermId {
        let (mut inside, mut out, mut waits) = (Vec::new(), Vec::new(), false);
        for &part in parts {
            match *self.node(part) {
                Term::Until(Self::TRUE, awaited) => {
                    inside.push(awaited);
                    waits = true;
                }
                _ if self.is_suspendable(part) => inside.push(part),
                _ => out.push(part),
            }
        }
        if !waits {
            return self.or(parts);
        }
        let either = self.or(&inside);
        out.push(self.intern(Term::Until(Self::TRUE, either)));
        self.or(&out)
    }
}
