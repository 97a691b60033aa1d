//! Strong bisimilarity, in time O(m log n) for n states and m steps.
//!
//! Paige, Tarjan, *Three partition refinement algorithms*, 1987, in the form for labels of Valmari, *Bisimilarity minimization in O(m log n) time*, 2009.
//! Three partitions are refined until they agree:
//!
//! * states into *blocks*: what was not told apart yet;
//! * steps into *cords*: one label, and targets that were one block when the cord was made;
//! * steps into *bundles*: those of a cord that begin in one state.
//!
//! Blocks never disagree about a cord: if one state of a block has a step in it, all have. When a block has been split, the steps into its *smaller*
//! part leave their cords and become new ones. A state may now have steps in the new cord, in what is left of the old one, or in both: a bundle that
//! became empty tells the first from the last. As a state is in the smaller part at most log n times, so often is a step looked at.
use crate::partition::{Partition, Renumber};
use crate::{Label, Lts, State};

/// The classes of states that are strongly bisimilar: for each state the number of its class.
pub fn strong(lts: &Lts) -> Vec<u32> {
    let mut refinement = Refinement::new(lts);
    refinement.start(lts);
    // Block 0 is what all others were taken from; it needs no cords of its own.
    let mut next = 1;
    while next < refinement.blocks.sets() as u32 {
        refinement.carve(next);
        next += 1;
    }
    refinement.blocks.into_sets()
}

struct Refinement {
    blocks: Partition,
    cords: Partition,
    /// Per step: where it begins.
    sources: Vec<State>,
    /// Per step: its bundle.
    bundle_of: Vec<u32>,
    /// Per bundle: how many steps it has.
    bundles: Vec<u32>,
    /// Bundles that can be used again.
    free: Vec<u32>,
    /// Per bundle: where those of its steps go that leave it; only while a cord is split.
    leaves_for: Vec<u32>,
    /// The steps into each state.
    incoming: Incoming,
}

const NOWHERE: u32 = u32::MAX;

impl Refinement {
    fn new(lts: &Lts) -> Self {
        Refinement {
            blocks: Partition::whole(lts.states()),
            cords: Partition::whole(lts.transitions()),
            sources: lts.all_steps().map(|it| it.0).collect(),
            bundle_of: Vec::new(),
            bundles: Vec::new(),
            free: Vec::new(),
            leaves_for: Vec::new(),
            incoming: Incoming::new(lts),
        }
    }

    /// One cord for each label, one bundle for each label of each state; states with different labels are told apart.
    fn start(&mut self, lts: &Lts) {
        let mut by_label: Vec<(Label, State, u32)> =
            lts.all_steps().enumerate().map(|(row, (state, it))| (it.label, state, row as u32)).collect();
        by_label.sort_unstable();
        self.bundle_of = vec![0; by_label.len()];
        for same in by_label.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            same.iter().for_each(|it| self.bundle_of[it.2 as usize] = self.bundles.len() as u32);
            self.bundles.push(same.len() as u32);
        }
        self.leaves_for = vec![NOWHERE; self.bundles.len()];
        for cord in by_label.chunk_by(|one, other| one.0 == other.0) {
            cord.iter().for_each(|it| self.cords.mark(it.2));
            self.cords.split(Renumber::Marked, |_, _| {});
            cord.iter().for_each(|it| self.blocks.mark(it.1));
            self.blocks.split(Renumber::Smaller, |_, _| {});
        }
    }

    /// Gives the steps into a block cords of their own.
    fn carve(&mut self, block: u32) {
        for &state in self.blocks.elements(block) {
            self.incoming.of(state).iter().for_each(|&it| self.cords.mark(it));
        }
        let mut new = Vec::new();
        self.cords.split(Renumber::Marked, |_, cord| new.push(cord));
        new.into_iter().for_each(|it| self.stabilise(it));
    }

    /// Tells apart who has steps in a new cord and who has not, and who has steps only there.
    fn stabilise(&mut self, cord: u32) {
        for row in 0..self.cords.elements(cord).len() {
            let step = self.cords.elements(cord)[row];
            self.blocks.mark(self.sources[step as usize]);
        }
        self.blocks.split(Renumber::Smaller, |_, _| {});
        for (bundle, source) in self.part_bundles(cord) {
            self.leaves_for[bundle as usize] = NOWHERE;
            if self.bundles[bundle as usize] == 0 {
                self.free.push(bundle);
                self.blocks.mark(source);
            }
        }
        self.blocks.split(Renumber::Smaller, |_, _| {});
    }

    /// Moves the steps of a cord to bundles of their own; returns those that they left, and the states these belong to.
    fn part_bundles(&mut self, cord: u32) -> Vec<(u32, State)> {
        let mut left = Vec::new();
        for row in 0..self.cords.elements(cord).len() {
            let step = self.cords.elements(cord)[row] as usize;
            let old = self.bundle_of[step];
            if self.leaves_for[old as usize] == NOWHERE {
                self.leaves_for[old as usize] = self.new_bundle();
                left.push((old, self.sources[step]));
            }
            let new = self.leaves_for[old as usize];
            self.bundle_of[step] = new;
            self.bundles[old as usize] -= 1;
            self.bundles[new as usize] += 1;
        }
        left
    }

    fn new_bundle(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.bundles.push(0);
            self.leaves_for.push(NOWHERE);
            self.bundles.len() as u32 - 1
        })
    }
}

/// The steps into each state, one list behind the other.
struct Incoming {
    starts: Vec<u32>,
    steps: Vec<u32>,
}

impl Incoming {
    fn new(lts: &Lts) -> Self {
        let mut starts = vec![0u32; lts.states() + 1];
        lts.all_steps().for_each(|(_, it)| starts[it.target as usize + 1] += 1);
        for state in 0..lts.states() {
            starts[state + 1] += starts[state];
        }
        let (mut place, mut steps) = (starts.clone(), vec![0; lts.transitions()]);
        for (row, (_, it)) in lts.all_steps().enumerate() {
            steps[place[it.target as usize] as usize] = row as u32;
            place[it.target as usize] += 1;
        }
        Incoming { starts, steps }
    }

    fn of(&self, state: State) -> &[u32] {
        &self.steps[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }
}
