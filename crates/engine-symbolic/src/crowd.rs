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

/// Walks until there have not been more processes for so many steps; tells of every state, and returns how it went if there was no end.
pub fn crowd(
    system: &Semantics<'_>,
    initial: &State,
    patience: usize,
    tell: &mut dyn FnMut(&State),
) -> Option<Crowded> {
    let (mut state, mut steps, mut random) = (initial.clone(), Vec::new(), Random::new(0));
    let (mut most, mut since) = (0, if creates(system) { 0 } else { patience });
    let mut creator = None;
    while since < patience {
        let mut full = None;
        let mut next = following(system, &state, &mut |it| full = full.or(too_many(&it)));
        if let Some((step, failure)) = full {
            steps.push(step);
            let span = system.model().process(failure.process).edge(failure.edge).span;
            return Some(Crowded { steps, failure, span });
        }
        let crowd = next.iter().map(|it| it.1.process_count()).max()?;
        next.retain(|it| it.1.process_count() == crowd);
        let is_creators = |it: &(Option<Step>, State)| it.0.is_some_and(|it| Some(it.process) == creator);
        if since % 2 == 0 && next.iter().any(is_creators) {
            next.retain(is_creators);
        }
        let (step, next) = next.swap_remove(random.below(next.len())?);
        since += 1;
        if crowd > most {
            (most, since, creator) = (crowd, 0, step.map(|it| it.process));
        }
        steps.extend(step);
        state = next;
        tell(&state);
    }
    None
}

fn creates(system: &Semantics<'_>) -> bool {
    let mut effects = system.model().processes.iter().flat_map(|it| &it.edges).flat_map(|it| &it.effects);
    effects.any(|it| matches!(it, Effect::Spawn { .. }))
}

fn too_many(it: &Move<'_>) -> Option<(Step, Failure)> {
    let is_meant = |it: &&Failure| it.kind == FailureKind::Fault(Fault::TooManyProcesses);
    Some((it.step, *it.failures.iter().find(is_meant)?))
}

/// All that follows a state; who goes on alone and cannot move lets the others move. Tells of every step, those that go wrong included.
pub fn following(system: &Semantics<'_>, state: &State, tell: &mut dyn FnMut(Move<'_>)) -> Vec<(Option<Step>, State)> {
    let mut list = Vec::new();
    let moved = system.moves(state, &mut |it| {
        list.extend(it.next.map(|next| (Some(it.step), next.clone())));
        tell(it);
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
