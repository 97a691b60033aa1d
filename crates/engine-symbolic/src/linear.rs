//! Linear time: the product of a system and a claim has no path that the claim accepts.
//!
//! ```text
//! reach everything that system and claim reach together                          claims
//! if something forbidden is among it: a violation
//! left := all of it
//! repeat, until nothing changes:
//!     for each set of the claim: left := what leads, within left, to an edge of the set that stays in left
//! if something is left: a violation; find a way to a cycle with edges of all sets      roads
//! ```
//!
//! Emerson, Lei, *Efficient model checking in fragments of the propositional mu-calculus*, LICS 1986, with sets of edges in place of sets of states. What leads to an edge is found by a
//! search backward, by saturation if the run has it.
use std::time::Instant;

use diagram::{Function, Relation, Search};
use engine::{Fairness, Finding, Limits, Property, Statistics, Trace, Verdict, Violation, ViolationKind, Watch, Why};
use model::Model;
use model::semantics::Forbidden;

use crate::claims::{Both, Product, Together};
use crate::explore::{Explored, explore, reach};
use crate::roads::{Alone, Hop, Roads, Visit, before};
use crate::run::{Mistake, Plan, Run, unknown, watched};
use crate::stop::{Refusal, Result, Stop};
use crate::symbolic::NAME;

/// Checks a property of whole executions on sets of states.
pub fn temporal(
    model: &Model,
    property: Property<'_>,
    limits: &Limits,
    plan: Plan,
    watch: &mut dyn Watch,
) -> std::result::Result<Finding, Refusal> {
    let began = Instant::now();
    if property.fairness != Fairness::None {
        let why = "the symbolic engine does not know who moves, which fairness asks; `--engine explicit` does";
        return Ok(finding(Verdict::Unknown(Why::Unsupported(why.into())), None, Statistics::default()));
    }
    let places = property.watcher.claim.locations.len().max(1);
    let answer = watched(limits, watch, |pulse| {
        let run = Run { model, limits, plan, pulse, began, places };
        explore(&run, &mut |explored| answered(explored, property))
    });
    let statistics = Statistics { elapsed: began.elapsed(), ..Statistics::default() };
    match answer {
        Ok(finding) => Ok(finding),
        Err((Stop::NoStart(fault), _)) => {
            let violation = Violation { kind: ViolationKind::Start(fault), trace: Trace::default() };
            Ok(finding(Verdict::Violated, Some(violation), statistics))
        }
        Err((stop, why)) => Ok(finding(Verdict::Unknown(unknown(stop, why, limits)?), None, statistics)),
    }
}

fn finding(verdict: Verdict, violation: Option<Violation>, statistics: Statistics) -> Finding {
    let (complete, violations) = (verdict == Verdict::Holds, Vec::from_iter(violation));
    let errors = violations.len() as u64;
    Finding { engine: NAME, verdict, violations, errors, complete, unreached: Vec::new(), statistics }
}

/// The answer, once everything is reached by the system alone.
fn answered(explored: &Explored<'_>, property: Property<'_>) -> Result<Finding> {
    let product = Product::new(explored, property.watcher)?;
    let search = Search::forward(explored.space(), &product.start, &product.relations);
    let reached = reach(explored.run, search)?;
    let walk = Together {
        alone: Alone { encoding: explored.encoding, reference: explored.reference, by: None },
        watcher: property.watcher,
    };
    let task = Task { explored, product: &product, reached: &reached, walk };
    let violation = match task.forbidden()? {
        Some(violation) => Some(violation),
        None => task.cycle()?,
    };
    let verdict = if violation.is_some() { Verdict::Violated } else { Verdict::Holds };
    Ok(finding(verdict, violation, task.statistics()?))
}

/// A product and what it reaches.
struct Task<'a> {
    explored: &'a Explored<'a>,
    product: &'a Product,
    reached: &'a Function,
    walk: Together<'a>,
}

impl Task<'_> {
    fn roads(&self) -> Roads<'_, Together<'_>> {
        let (space, pulse) = (self.explored.space(), self.explored.run.pulse);
        Roads { space, relations: &self.product.relations, pulse, walk: self.walk }
    }

    fn begin(&self) -> Both {
        self.walk.begin(self.explored.initial)
    }

    /// The nearest state in which whatever comes is forbidden.
    fn forbidden(&self) -> Result<Option<Violation>> {
        let states = self.reached.and(&self.product.rests)?.and(&self.product.forbidden)?;
        if states.is_false() {
            return Ok(None);
        }
        let hops = self.roads().way(&self.begin(), None, &states, false)?;
        let hops = hops.ok_or(Stop::Inconsistent("a state that was reached is in no layer"))?;
        let last = hops.last().map_or_else(|| self.begin(), |it| it.1.clone());
        let kind = ViolationKind::Forbidden(self.what(&last)?);
        Ok(Some(Violation { kind, trace: Trace { steps: steps(&hops), cycle: None } }))
    }

    /// What is forbidden, by the reference.
    fn what(&self, both: &Both) -> Result<Forbidden> {
        let still = self.walk.stands_still(&both.state);
        let moves = self.walk.alone.reference.claim_moves(&both.state, self.walk.watcher, both.place, still);
        moves.err().ok_or(Stop::Inconsistent("nothing is forbidden where something should be"))
    }

    /// A cycle that the claim accepts.
    fn cycle(&self) -> Result<Option<Violation>> {
        let sets = self.sets();
        let mut left = self.reached.clone();
        loop {
            let before = left.clone();
            for set in &sets {
                left = self.leading_to(set, &left)?;
            }
            if left.is_false() {
                return Ok(None);
            }
            if left == before {
                return self.lasso(&left, &sets).map(Some);
            }
        }
    }

    /// The relations of each set of the claim; all of them if it has no sets, so that it moves at all.
    fn sets(&self) -> Vec<Vec<Relation>> {
        let claim = self.product.claim();
        let mut sets = self.walk.watcher.claim.sets;
        if self.explored.run.plan.mistake == Some(Mistake::Constraint) {
            sets = sets.saturating_sub(1);
        }
        let members = |set: u32| {
            let rows = self.product.sets.iter().zip(claim).filter(move |it| it.0 >> set & 1 == 1);
            rows.map(|it| it.1.clone()).collect()
        };
        if sets == 0 { vec![claim.to_vec()] } else { (0..sets).map(members).collect() }
    }

    /// Where one of these edges leads back into a set.
    fn sources(&self, edges: &[Relation], left: &Function) -> Result<Function> {
        Ok(before(self.explored.space(), edges, left, self.explored.run.pulse)?.and(left)?)
    }

    /// What leads, within a set, to one of these edges that stays there.
    fn leading_to(&self, edges: &[Relation], left: &Function) -> Result<Function> {
        let from = self.sources(edges, left)?;
        let search = Search::backward(self.explored.space(), &from, &self.product.relations).within(left);
        reach(self.explored.run, search)
    }

    fn lasso(&self, left: &Function, sets: &[Vec<Relation>]) -> Result<Violation> {
        let mut visits = Vec::new();
        for edges in sets {
            visits.push(Visit { at: self.sources(edges, left)?, by: edges });
        }
        let (way, round) = self.roads().round(&self.begin(), left, left, &visits)?;
        let mut steps = steps(&way);
        let begin = steps.len();
        steps.extend(self::steps(&round));
        Ok(Violation { kind: ViolationKind::Cycle, trace: Trace { steps, cycle: Some(begin) } })
    }

    /// What it took; states are those of system and claim together.
    fn statistics(&self) -> Result<Statistics> {
        let count = self.explored.space().count(&self.reached.and(&self.product.rests)?);
        let mut statistics = self.explored.statistics()?;
        statistics.states = u64::try_from(&count).unwrap_or(u64::MAX);
        statistics.many_states = u64::try_from(&count).is_err().then(|| count.to_string());
        statistics.details.push(("nodes of system and claim", self.reached.nodes().to_string()));
        Ok(statistics)
    }
}

/// The steps of the system on a way.
fn steps(hops: &[Hop<Both>]) -> Vec<model::semantics::Step> {
    hops.iter().filter_map(|it| it.0).collect()
}
