//! Bubbles as the source defines them (Holzmann, *Software model checking*, 2000, §5.1), found by dominators of the graph and of the reversed graph: every
//! one of them collapses in a slice.
use std::collections::BTreeSet;

use model::variables::{Name, every_part};
use model::{Edge, Effect, Expr, LocationId, ProcessType, ProcessTypeId, UnaryOp};
use slice::{Criterion, Keep, Slice, slice};
use testkit::random::{self, Language};
use testkit::run;
use testkit::suite::random_seeds;

/// Per node: the nodes without which it cannot be reached from the roots; `next` says where edges lead.
fn dominators(count: usize, roots: &[usize], next: &dyn Fn(usize) -> Vec<usize>) -> Vec<BTreeSet<usize>> {
    let reached = |without: Option<usize>| {
        let mut seen = vec![false; count];
        let mut waiting: Vec<usize> = roots.to_vec();
        while let Some(here) = waiting.pop() {
            if Some(here) != without && !std::mem::replace(&mut seen[here], true) {
                waiting.extend(next(here));
            }
        }
        seen
    };
    let all = reached(None);
    let mut list = vec![BTreeSet::new(); count];
    for node in 0..count {
        let left = reached(Some(node));
        (0..count).filter(|&it| all[it] && !left[it]).for_each(|it| _ = list[it].insert(node));
    }
    list
}

struct Graph<'a> {
    process: &'a ProcessType,
    owner: ProcessTypeId,
    slice: &'a Slice,
}

impl Graph<'_> {
    fn count(&self) -> usize {
        self.process.locations.len()
    }

    fn edges(&self, row: usize) -> Vec<&Edge> {
        self.process.outgoing(LocationId(row as u32)).map(|it| it.1).collect()
    }

    /// One more node than locations: where a process no longer exists.
    fn next(&self, row: usize) -> Vec<usize> {
        if row == self.count() {
            return Vec::new();
        }
        self.edges(row).iter().map(|it| it.target.map_or(self.count(), |it| it.0 as usize)).collect()
    }

    fn previous(&self, row: usize) -> Vec<usize> {
        (0..self.count()).filter(|&it| self.next(it).contains(&row)).collect()
    }

    /// Nobody waits here, and no step does anything but store what is not needed.
    fn is_idle(&self, row: usize) -> bool {
        let edges = self.edges(row);
        let is_plain = |it: &Expr| {
            let mut plain = true;
            every_part(it, &mut |part| {
                plain &= match part {
                    Expr::Constant(_) | Expr::Unary(..) => true,
                    Expr::Read(place) => place.indices.is_empty(),
                    Expr::Binary(op, ..) => !matches!(op, model::BinaryOp::Div | model::BinaryOp::Rem),
                    _ => false,
                }
            });
            plain
        };
        let harmless = |it: &Effect| match it {
            Effect::Assign(place, value) => {
                let name = Name::of(self.owner, place);
                place.indices.is_empty() && is_plain(value) && !self.slice.needs.variables.contains(&name)
            }
            Effect::Print(parts) => parts.iter().all(|it| matches!(it, model::PrintPart::Text(_))),
            _ => false,
        };
        let negates = |a: &Expr, b: &Expr| matches!(a, Expr::Unary(UnaryOp::Not, it) if **it == *b);
        let goes_on = |it: &&Edge| {
            it.otherwise || it.guard == Expr::Constant(1) || edges.iter().any(|other| negates(&it.guard, &other.guard))
        };
        !self.process.locations[row].internal
            && !edges.is_empty()
            && edges.iter().all(|it| it.group == 0 && !it.keeps_control && is_plain(&it.guard) && it.target.is_some())
            && edges.iter().flat_map(|it| &it.effects).all(harmless)
            && edges.iter().any(goes_on)
    }

    /// The bubbles: entry and exit.
    fn bubbles(&self) -> Vec<(usize, usize)> {
        let count = self.count();
        let entry = self.process.entry.0 as usize;
        let forwards = dominators(count + 1, &[entry], &|it| self.next(it));
        let backwards = dominators(count + 1, &[count], &|it| self.previous(it));
        let mut list = Vec::new();
        for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))) {
            let is_between = from != to && forwards[to].contains(&from) && backwards[from].contains(&to);
            if is_between && self.is_bubble(from, to, &forwards) {
                list.push((from, to));
            }
        }
        list
    }

    fn is_bubble(&self, from: usize, to: usize, forwards: &[BTreeSet<usize>]) -> bool {
        let mut inside: BTreeSet<usize> = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(here) = waiting.pop() {
            if here != to && here < self.count() && inside.insert(here) {
                waiting.extend(self.next(here));
            }
        }
        // Without cycles nodes can be taken away one by one, those first that lead only out.
        let mut left = inside.clone();
        while let Some(&row) = left.iter().find(|&&row| self.next(row).iter().all(|it| !left.contains(it))) {
            left.remove(&row);
        }
        left.is_empty() && inside.iter().all(|&it| self.is_idle(it) && forwards[it].contains(&from))
    }
}

/// How many bubbles there are in random models, and those that do not collapse; if every place counts, none may.
fn standing(coverage: bool) -> (usize, Vec<String>) {
    let (mut bubbles, mut standing) = (0, Vec::new());
    for seed in random_seeds("PROM_BUBBLES", 900_000, 300) {
        let text = random::model_with_properties(seed, Language::Ours).text();
        let Some(mut model) = run::compile_text(&text).0.model else { continue };
        model.temporal_properties.truncate(1);
        let criterion = Criterion { assertions: false, keep: Keep::Cycles, coverage, idle: false, mistake: None };
        let Ok(slice) = slice(&model, criterion) else { continue };
        let watched = model::observers::Observers::new(&model);
        for (row, process) in model.processes.iter().enumerate() {
            let owner = ProcessTypeId(row as u32);
            let graph = Graph { process, owner, slice: &slice };
            let shape = &slice.shapes[row];
            // Whoever is seen does not disappear.
            if watched.locations.iter().any(|it| it.0 == owner) {
                continue;
            }
            for (from, to) in graph.bubbles() {
                bubbles += 1;
                if !shape.cut[from] && shape.stops[from].0 != shape.stops[to].0 && !receives(process, to) {
                    standing.push(format!("MODEL_SEED={seed} {}: from {from} to {to}\n{text}", process.name));
                }
            }
        }
    }
    (bubbles, standing)
}

#[test]
fn every_bubble_of_the_dominators_collapses() {
    let (bubbles, wrong) = standing(false);
    println!("{bubbles} bubbles");
    assert!(wrong.is_empty(), "{} of {bubbles} do not collapse\n{}", wrong.len(), wrong[0]);
    assert!(bubbles > 100, "only {bubbles}");
    assert!(!standing(true).1.is_empty(), "one that does not collapse would not be noticed");
}

/// Somebody may notice that a process has become ready for a handshake.
fn receives(process: &ProcessType, row: usize) -> bool {
    let effects = process.outgoing(LocationId(row as u32)).flat_map(|it| &it.1.effects).collect::<Vec<_>>();
    effects.iter().any(|it| matches!(it, Effect::Receive { .. } | Effect::Indivisible(_)))
}
