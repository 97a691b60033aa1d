//! Satisfiability of clauses by conflict-driven clause learning.
//!
//! Two watched literals per clause, learning of the first unique implication point, decisions by activity with
//! saved phases, restarts after growing numbers of conflicts (Marques-Silva, Sakallah, GRASP, 1999; Moskewicz et al.,
//! Chaff, DAC 2001; Eén, Sörensson, SAT 2003). Nothing is ever forgotten: the questions asked here are small.

/// A variable with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    fn row(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// Clauses, and the search for values that satisfy them all.
#[derive(Debug, Default)]
pub struct Solver {
    clauses: Vec<Vec<Literal>>,
    /// Per literal: the clauses that watch for it to become false.
    watches: Vec<Vec<u32>>,
    values: Vec<Option<bool>>,
    phases: Vec<bool>,
    levels: Vec<u32>,
    reasons: Vec<Option<u32>>,
    activity: Vec<f64>,
    bump: f64,
    trail: Vec<Literal>,
    /// Where each level of decisions begins in the trail.
    limits: Vec<usize>,
    /// How much of the trail has been propagated.
    done: usize,
    contradiction: bool,
}

impl Solver {
    /// A new variable.
    pub fn variable(&mut self) -> Literal {
        let row = self.values.len() as u32;
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.push(None);
        self.phases.push(false);
        self.levels.push(0);
        self.reasons.push(None);
        self.activity.push(0.0);
        Literal(row << 1)
    }

    /// One of these must be true.
    pub fn clause(&mut self, literals: &[Literal]) {
        self.back_to(0);
        let mut clause = literals.to_vec();
        clause.sort_unstable();
        clause.dedup();
        let is_true = |it: &Literal| self.value(*it) == Some(true);
        if clause.windows(2).any(|it| it[0] == !it[1]) || clause.iter().any(is_true) {
            return;
        }
        clause.retain(|it| self.value(*it).is_none());
        match clause[..] {
            [] => self.contradiction = true,
            [unit] => self.assign(unit, None),
            _ => drop(self.add(clause)),
        }
    }

    /// Values that satisfy all clauses, if there are any; ask with [`Solver::is_true`].
    pub fn solve(&mut self) -> bool {
        self.back_to(0);
        self.bump = self.bump.max(1.0);
        let (mut conflicts, mut restart) = (0u32, 100u32);
        while !self.contradiction {
            if let Some(conflict) = self.propagate() {
                conflicts += 1;
                self.learn(conflict);
            } else if conflicts >= restart {
                (conflicts, restart) = (0, restart + restart / 2);
                self.back_to(0);
            } else if !self.decide() {
                return true;
            }
        }
        false
    }

    /// The value of a literal in the solution.
    pub fn is_true(&self, literal: Literal) -> bool {
        self.value(literal) == Some(true)
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        self.values[literal.variable()].map(|it| it == literal.is_positive())
    }

    /// Adds a clause of two or more literals; the first two are watched.
    fn add(&mut self, clause: Vec<Literal>) -> u32 {
        let row = self.clauses.len() as u32;
        clause[..2].iter().for_each(|it| self.watches[it.row()].push(row));
        self.clauses.push(clause);
        row
    }

    fn assign(&mut self, literal: Literal, reason: Option<u32>) {
        let row = literal.variable();
        self.values[row] = Some(literal.is_positive());
        self.phases[row] = literal.is_positive();
        self.levels[row] = self.limits.len() as u32;
        self.reasons[row] = reason;
        self.trail.push(literal);
    }

    fn back_to(&mut self, level: usize) {
        let Some(&start) = self.limits.get(level) else { return };
        self.trail.drain(start..).for_each(|it| self.values[it.variable()] = None);
        self.limits.truncate(level);
        self.done = self.done.min(start);
    }

    /// Gives the most active free variable its last value; false if there is none.
    fn decide(&mut self) -> bool {
        let free = (0..self.values.len()).filter(|&it| self.values[it].is_none());
        let Some(row) = free.max_by(|&a, &b| self.activity[a].total_cmp(&self.activity[b])) else { return false };
        self.limits.push(self.trail.len());
        self.assign(Literal((row as u32) << 1 | u32::from(!self.phases[row])), None);
        true
    }

    /// What follows from the trail; a clause that is false, if there is one.
    fn propagate(&mut self) -> Option<u32> {
        while let Some(&literal) = self.trail.get(self.done) {
            self.done += 1;
            let falsified = !literal;
            let mut watching = std::mem::take(&mut self.watches[falsified.row()]);
            let mut conflict = None;
            watching.retain(|&row| conflict.is_some() || !self.moves_on(row, falsified, &mut conflict));
            let added = std::mem::replace(&mut self.watches[falsified.row()], watching);
            self.watches[falsified.row()].extend(added);
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Whether a clause finds something else to watch; otherwise it gives a value, or is false.
    fn moves_on(&mut self, row: u32, falsified: Literal, conflict: &mut Option<u32>) -> bool {
        let mut clause = std::mem::take(&mut self.clauses[row as usize]);
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let first = clause[0];
        let moved = self.value(first) != Some(true) && {
            let other = (2..clause.len()).find(|&it| self.value(clause[it]) != Some(false));
            other.inspect(|&it| {
                clause.swap(1, it);
                self.watches[clause[1].row()].push(row);
            });
            other.is_some()
        };
        self.clauses[row as usize] = clause;
        match self.value(first) {
            None if !moved => self.assign(first, Some(row)),
            Some(false) if !moved => *conflict = Some(row),
            _ => {}
        }
        moved
    }

    /// Learns why there was a conflict, and goes back to where that would have been known.
    fn learn(&mut self, conflict: u32) {
        if self.limits.is_empty() {
            self.contradiction = true;
            return;
        }
        let mut learned = self.analyse(conflict);
        self.bump *= 1.05;
        let level = |it: &Literal| self.levels[it.variable()];
        let deepest = (1..learned.len()).max_by_key(|&it| level(&learned[it]));
        let back = deepest.map_or(0, |it| level(&learned[it]) as usize);
        self.back_to(back);
        let asserted = learned[0];
        let reason = deepest.map(|it| {
            learned.swap(1, it);
            self.add(std::mem::take(&mut learned))
        });
        self.assign(asserted, reason);
    }

    /// The clause of the first unique implication point; the literal that it asserts stands first.
    fn analyse(&mut self, conflict: u32) -> Vec<Literal> {
        let here = self.limits.len() as u32;
        let mut seen = vec![false; self.values.len()];
        let (mut learned, mut open, mut reason, mut at) = (vec![Literal(0)], 0, Some(conflict), self.trail.len());
        loop {
            let clause = self.clauses[reason.expect("a reason") as usize].clone();
            for it in clause {
                let row = it.variable();
                if seen[row] || self.levels[row] == 0 || self.value(it) == Some(true) {
                    continue;
                }
                seen[row] = true;
                self.excite(row);
                if self.levels[row] == here { open += 1 } else { learned.push(it) }
            }
            at = self.trail[..at].iter().rposition(|it| seen[it.variable()]).expect("a literal of this level");
            let literal = self.trail[at];
            (open, reason) = (open - 1, self.reasons[literal.variable()]);
            if open == 0 {
                learned[0] = !literal;
                return learned;
            }
        }
    }

    fn excite(&mut self, row: usize) {
        self.activity[row] += self.bump;
        if self.activity[row] > 1e100 {
            self.activity.iter_mut().for_each(|it| *it *= 1e-100);
            self.bump *= 1e-100;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random clauses of three literals over ten variables, compared with trying all values.
    #[test]
    fn what_the_search_says_is_what_trying_everything_says() {
        let mut seed = 1u64;
        let mut next = move |below: u32| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u32 % below
        };
        let (mut yes, mut no) = (0, 0);
        for _ in 0..400 {
            let mut solver = Solver::default();
            let variables: Vec<Literal> = (0..10).map(|_| solver.variable()).collect();
            let clauses: Vec<Vec<(usize, bool)>> =
                (0..44).map(|_| (0..3).map(|_| (next(10) as usize, next(2) == 0)).collect()).collect();
            for clause in &clauses {
                let literals: Vec<Literal> =
                    clause.iter().map(|&(row, sign)| if sign { variables[row] } else { !variables[row] }).collect();
                solver.clause(&literals);
            }
            let holds = |values: &dyn Fn(usize) -> bool| {
                clauses.iter().all(|clause| clause.iter().any(|&(row, sign)| values(row) == sign))
            };
            let expected = (0..1 << 10).any(|bits: u32| holds(&|row| bits >> row & 1 == 1));
            assert_eq!(solver.solve(), expected);
            if expected {
                assert!(holds(&|row| solver.is_true(variables[row])));
                yes += 1;
            } else {
                no += 1;
            }
        }
        assert!(yes > 50 && no > 50, "{yes} {no}");
    }
}
