//! Processes without end: a walk to where there are as many of them as possible.
//!
//! A model that goes on creating processes has states of every size up to the greatest number that can exist. There are too many of them to compute with, and there is no
//! smaller number that room could be made for. A walk that creates a process wherever one can be created, and otherwise takes any step after which none is missing, every second time one
//! of who created the last process, comes to that number soon if creating is what the model does all the time. The way there is a counterexample: its last step creates one process too many.
use model::Effect;
use model::semantics::{Failure, FailureKind, Fault, Move, Semantics, State, Step};
use text::Span;

/// A way to where one more process is one too many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crowded {
    /// The steps, the last one included.
    pub steps: Vec<Step>,
    /// What goes wrong in it.
    pub failure: Failure,
    /// The statement that creates one process too many.
    pub span: Span,
}

/// A step, unless one process only lets the others move, and where it leads.
type Hop = (Option<Step>, State);

/// Walks until there have not been more processes for so many steps; tells of every state, and returns how it went if there was no end. Steps that go wrong are not taken.
pub fn crowd(
    system: &Semantics<'_>,
    initial: &State,
    patience: usize,
    tell: &mut dyn FnMut(&State),
) -> Option<Crowded> {
    let (mut state, mut steps, mut random) = (initial.clone(), Vec::new(), Random::new(0));
    let (mut most, mut creator) = (0, None);
    let mut since = if creates(system) { 0 } else { patience };
    while since < patience {
        let mut full = None;
        let next = following(system, &state, &mut |it| {
            full = full.or(too_many(it));
            it.failures.is_empty()
        });
        if let Some((step, failure)) = full {
            steps.push(step);
            let span = system.model().process(failure.process).edge(failure.edge).span;
            return Some(Crowded { steps, failure, span });
        }
        let preferred = creator.filter(|_| since % 2 == 0);
        let (step, next) = chosen(next, preferred, &mut random)?;
        since += 1;
        if next.process_count() > most {
            (most, since, creator) = (next.process_count(), 0, step.map(|it| it.process));
        }
        steps.extend(step);
        state = next;
        tell(&state);
    }
    None
}

/// One of those after which there are most processes, a step of the preferred one if there is any.
fn chosen(mut hops: Vec<Hop>, preferred: Option<u8>, random: &mut Random) -> Option<Hop> {
    let most = hops.iter().map(|it| it.1.process_count()).max()?;
    hops.retain(|it| it.1.process_count() == most);
    let is_preferred = |it: &Hop| preferred.is_some() && it.0.map(|it| it.process) == preferred;
    if hops.iter().any(is_preferred) {
        hops.retain(is_preferred);
    }
    let row = random.below(hops.len())?;
    Some(hops.swap_remove(row))
}

fn creates(system: &Semantics<'_>) -> bool {
    let mut effects = system.model().processes.iter().flat_map(|it| &it.edges).flat_map(|it| &it.effects);
    effects.any(|it| matches!(it, Effect::Spawn { .. }))
}

fn too_many(it: &Move<'_>) -> Option<(Step, Failure)> {
    let is_meant = |it: &&Failure| it.kind == FailureKind::Fault(Fault::TooManyProcesses);
    Some((it.step, *it.failures.iter().find(is_meant)?))
}

/// All that follows a state by steps that are accepted, of which each is asked for; who goes on alone and cannot move lets the others move.
pub fn following(system: &Semantics<'_>, state: &State, accept: &mut dyn FnMut(&Move<'_>) -> bool) -> Vec<Hop> {
    let mut list = Vec::new();
    let moved = system.moves(state, &mut |it| {
        let accepted = accept(&it);
        list.extend(it.next.filter(|_| accepted).map(|next| (Some(it.step), next.clone())));
    });
    if !moved && state.exclusive.is_some() {
        let mut released = state.clone();
        system.release(&mut released);
        list.push((None, released));
    }
    list
}

/// Numbers by chance, the same in every run (Marsaglia, *Xorshift RNGs*, Journal of Statistical Software 8(14), 2003).
pub struct Random(u64);

impl Random {
    /// Each seed has its own numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below this one, if there is any.
    pub fn below(&mut self, count: usize) -> Option<usize> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.checked_rem(count as u64).map(|it| it as usize)
    }
}
