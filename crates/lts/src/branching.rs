//! Branching bisimilarity by signatures.
//!
//! Blom, van de Pol, *Distributed branching bisimulation minimization by inductive signatures*, 2009. The *signature* of a state says what it can
//! do in terms of the blocks that are known: all pairs (label, block) of steps that it can take after silent steps inside its own block, except
//! silent steps that stay in it. States of a block with different signatures are not bisimilar and are parted; when no block has two signatures, each is a class.
//!
//! Whoever can reach each other by silent steps is bisimilar, so first each such component becomes one state ([`Condensed`]). What is left of silent steps has no
//! cycles, and signatures are computed from the ends of silent ways to their beginnings, each from its own steps and the signatures behind its silent ones.
//! Whether a component can go on silently for ever is remembered, if it matters, as a step to itself with a label that nothing else has.
//!
//! A signature is computed again only where it may have changed. When a block is parted, the largest part keeps its number, so that a state changes its number
//! at most log n times; only those with steps to such states have to look again, and those with silent ways to them inside their block. All others of a block
//! still have the signature that the block had when it was last looked at, which is kept. Without silent steps that makes O(d m log n) for at most d steps out of a state; with them
//! a long silent way may be looked at again for each of its states, O(n m) at worst.
use rustc_hash::FxHashMap as HashMap;

use crate::partition::{Partition, Renumber};
use crate::{Builder, Label, Lts, State, Step};

/// What a state can do: labels and blocks, sorted, each pair once.
pub type Signature = Vec<(Label, u32)>;

/// A system whose silent steps have no cycles: each component of them is one state. Silent steps lead from greater numbers to smaller ones.
pub struct Condensed {
    /// The system; its initial state is that of the original.
    pub lts: Lts,
    /// Per state of the original: its component.
    pub component_of: Vec<State>,
    /// The label of the steps of components to themselves that can go on silently.
    pub divergence: Label,
}

impl Condensed {
    /// Condenses a system; `diverging` if it matters who can go on silently for ever.
    pub fn new(lts: &Lts, diverging: bool) -> Condensed {
        let (component_of, count) = silent_components(lts);
        let divergence = Label(lts.labels.len() as u32);
        let mut steps: Vec<(State, Step)> = Vec::with_capacity(lts.transitions());
        for (state, it) in lts.all_steps() {
            let (source, target) = (component_of[state as usize], component_of[it.target as usize]);
            let is_inner = it.label == Label::SILENT && source == target;
            let label = if is_inner { divergence } else { it.label };
            if !is_inner || diverging {
                steps.push((source, Step { label, target }));
            }
        }
        steps.sort_unstable();
        steps.dedup();
        let mut builder = Builder::default();
        steps.into_iter().for_each(|(source, it)| builder.add(source, it.label, it.target));
        let initial = component_of[lts.initial as usize];
        Condensed { lts: builder.finish(initial, count), component_of, divergence }
    }

    /// The states that can go on silently for ever, if that matters.
    pub fn divergent(&self) -> impl Iterator<Item = State> {
        self.lts.all_steps().filter(|it| it.1.label == self.divergence).map(|it| it.0)
    }
}

/// The strongly connected components of the silent steps, those that others lead to first (Tarjan 1972, without recursion).
fn silent_components(lts: &Lts) -> (Vec<State>, usize) {
    const NONE: u32 = u32::MAX;
    let states = lts.states();
    let (mut index, mut component) = (vec![NONE; states], vec![NONE; states]);
    let (mut low, mut stack, mut path) = (vec![0u32; states], Vec::new(), Vec::new());
    let (mut clock, mut count) = (0u32, 0u32);
    for root in 0..states as State {
        if index[root as usize] == NONE {
            path.push((root, 0));
        }
        while let Some((state, row)) = path.last_mut() {
            let here = *state as usize;
            if *row == 0 {
                (index[here], low[here]) = (clock, clock);
                clock += 1;
                stack.push(*state);
            }
            let Some(step) = lts.outgoing(*state).get(*row) else {
                path.pop();
                if low[here] == index[here] {
                    let at = stack.iter().rposition(|&it| it as usize == here).expect("the root is on the stack");
                    stack.drain(at..).for_each(|it| component[it as usize] = count);
                    count += 1;
                } else if let Some(&(before, _)) = path.last() {
                    low[before as usize] = low[before as usize].min(low[here]);
                }
                // A state without steps is new only once.
                continue;
            };
            *row += 1;
            let next = step.target as usize;
            match step.label {
                Label::SILENT if index[next] == NONE => path.push((step.target, 0)),
                Label::SILENT if component[next] == NONE => low[here] = low[here].min(index[next]),
                _ => {}
            }
        }
    }
    (component, count as usize)
}

/// For each state of a condensed system the number of its class.
pub fn branching(condensed: &Condensed) -> Vec<u32> {
    let mut refinement = Refinement::new(&condensed.lts);
    while let Some(block) = refinement.waiting.pop() {
        refinement.look_at(block);
    }
    refinement.blocks.into_sets()
}

struct Refinement<'a> {
    lts: &'a Lts,
    blocks: Partition,
    /// Per block: the signature of those that are not stale.
    signatures: Vec<Signature>,
    /// Per block: states whose signature may have changed.
    stale: Vec<Vec<State>>,
    is_stale: Vec<bool>,
    /// Blocks with stale states.
    waiting: Vec<u32>,
    backward: Backward,
}

impl<'a> Refinement<'a> {
    fn new(lts: &'a Lts) -> Self {
        let all = (0..lts.states() as State).collect();
        Refinement {
            lts,
            blocks: Partition::whole(lts.states()),
            signatures: vec![Vec::new()],
            stale: vec![all],
            is_stale: vec![true; lts.states()],
            waiting: vec![0],
            backward: Backward::new(lts),
        }
    }

    /// Computes the stale signatures of a block, and parts it if they differ.
    fn look_at(&mut self, block: u32) {
        let stale = self.with_silent_ways(block);
        let groups = self.group(block, &stale);
        stale.iter().for_each(|&it| self.is_stale[it as usize] = false);
        let moved = self.part(block, groups, stale.len());
        moved.into_iter().for_each(|it| self.tell(it));
    }

    /// The stale states of a block and those with a silent way to one inside it, ends of ways first.
    fn with_silent_ways(&mut self, block: u32) -> Vec<State> {
        let mut stale = std::mem::take(&mut self.stale[block as usize]);
        let mut next = 0;
        while let Some(&state) = stale.get(next) {
            next += 1;
            for &before in self.backward.silent(state) {
                if self.blocks.set_of(before) == block && !self.is_stale[before as usize] {
                    self.is_stale[before as usize] = true;
                    stale.push(before);
                }
            }
        }
        stale.sort_unstable();
        stale
    }

    /// The stale states by their new signatures.
    fn group(&self, block: u32, stale: &[State]) -> HashMap<Signature, Vec<State>> {
        let mut groups: HashMap<Signature, Vec<State>> = HashMap::default();
        let mut known: HashMap<State, Signature> = HashMap::default();
        for &state in stale {
            let signature = signature(
                self.lts,
                state,
                |it| self.blocks.set_of(it),
                |it| known.get(&it).unwrap_or(&self.signatures[block as usize]),
            );
            // Only those with silent steps into the block ask for what is behind them.
            if self.backward.silent(state).iter().any(|&it| self.blocks.set_of(it) == block) {
                known.insert(state, signature.clone());
            }
            groups.entry(signature).or_default().push(state);
        }
        groups
    }

    /// Makes a block of each group but the largest; the rest of the block counts as one. Returns the new blocks.
    fn part(&mut self, block: u32, mut groups: HashMap<Signature, Vec<State>>, stale: usize) -> Vec<u32> {
        let rest = self.blocks.elements(block).len() - stale;
        let unchanged = if rest > 0 { groups.remove(&self.signatures[block as usize]) } else { None };
        let rest = rest + unchanged.map_or(0, |it| it.len());
        if groups.is_empty() {
            return Vec::new();
        }
        let mut groups: Vec<(Signature, Vec<State>)> = groups.into_iter().collect();
        groups.sort_unstable_by(|one, other| other.1.len().cmp(&one.1.len()).then_with(|| one.0.cmp(&other.0)));
        let mut groups = groups.into_iter();
        let largest = if groups.as_slice()[0].1.len() > rest { groups.next() } else { None };
        let mut moved: Vec<u32> = groups.map(|(signature, states)| self.split_off(&states, signature)).collect();
        if let Some((signature, states)) = largest {
            let old = std::mem::replace(&mut self.signatures[block as usize], signature);
            if rest > 0 {
                states.iter().for_each(|&it| self.blocks.mark(it));
                moved.extend(self.split(Renumber::Unmarked, old));
            }
        }
        moved
    }

    fn split_off(&mut self, states: &[State], signature: Signature) -> u32 {
        states.iter().for_each(|&it| self.blocks.mark(it));
        self.split(Renumber::Marked, signature).expect("not all states of the block are in the group")
    }

    fn split(&mut self, renumber: Renumber, signature: Signature) -> Option<u32> {
        let mut new = None;
        self.blocks.split(renumber, |_, it| new = Some(it));
        if new.is_some() {
            self.signatures.push(signature);
            self.stale.push(Vec::new());
        }
        new
    }

    /// Tells everybody whom it may concern that the states of a set have left their block.
    fn tell(&mut self, set: u32) {
        for row in 0..self.blocks.elements(set).len() {
            let state = self.blocks.elements(set)[row];
            for row in 0..self.backward.all(state).len() {
                let before = self.backward.all(state)[row];
                self.look_again(before);
            }
            let leaves = |it: &Step| it.label == Label::SILENT && self.blocks.set_of(it.target) != set;
            if self.lts.outgoing(state).iter().any(leaves) {
                self.look_again(state);
            }
        }
    }

    fn look_again(&mut self, state: State) {
        if std::mem::replace(&mut self.is_stale[state as usize], true) {
            return;
        }
        let block = self.blocks.set_of(state);
        if self.stale[block as usize].is_empty() {
            self.waiting.push(block);
        }
        self.stale[block as usize].push(state);
    }
}

/// What a state can do: its own steps, and what is `behind` its silent steps inside its block.
pub fn signature<'s>(
    lts: &Lts,
    state: State,
    block_of: impl Fn(State) -> u32,
    behind: impl Fn(State) -> &'s Signature,
) -> Signature {
    let own = block_of(state);
    let mut signature = Signature::new();
    for step in lts.outgoing(state) {
        let block = block_of(step.target);
        if step.label == Label::SILENT && block == own {
            signature.extend_from_slice(behind(step.target));
        } else {
            signature.push((step.label, block));
        }
    }
    signature.sort_unstable();
    signature.dedup();
    signature
}

/// Who leads to whom.
struct Backward {
    starts: Vec<u32>,
    sources: Vec<State>,
    /// Per state: how many of its predecessors lead to it silently; they come first.
    silent: Vec<u32>,
}

impl Backward {
    fn new(lts: &Lts) -> Self {
        let mut pairs: Vec<(State, bool, State)> =
            lts.all_steps().map(|(state, it)| (it.target, it.label != Label::SILENT, state)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let (mut starts, mut silent) = (vec![0u32; lts.states() + 1], vec![0u32; lts.states()]);
        for &(target, is_seen, _) in &pairs {
            starts[target as usize + 1] += 1;
            silent[target as usize] += u32::from(!is_seen);
        }
        for state in 0..lts.states() {
            starts[state + 1] += starts[state];
        }
        Backward { starts, sources: pairs.into_iter().map(|it| it.2).collect(), silent }
    }

    fn all(&self, state: State) -> &[State] {
        &self.sources[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }

    fn silent(&self, state: State) -> &[State] {
        &self.all(state)[..self.silent[state as usize] as usize]
    }
}
