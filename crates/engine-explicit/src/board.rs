//! Who does what in a search for cycles by several workers.
//!
//! States wait in blocks: *inside*, where cycles can violate the property, and *outside*. There is a third thing to do, to *judge* the edges that were
//! written down inside, which takes one worker. Who has finished something hands in what came of it and gets the next thing to do:
//!
//! ```text
//! repeat until nothing waits:
//!     all visit states outside, the oldest first; those that they lead to inside are seeds, and end this when there are many
//!     all visit states inside, the seeds and what they lead to, the newest first
//!     what was written down is complete
//! meanwhile one of them judges, if there is something complete, and forgets it, or if enough is written down, as it is: four times as much
//!     as the last time
//! ```
//!
//! The newest first leads away from the beginning quickly, as depth-first search does: a cycle that is long is found before everything that is
//! near. When nobody is inside and nothing waits there, all that can be reached inside is written down, so that no later cycle leads through it.
//! This is true only because nobody is outside at that time: who is there may have stored a state inside that is not visited yet.
//!
//! What a worker has written down it keeps until it does something else than to visit states inside; so nobody who is not inside has anything that would be missed.
use std::collections::VecDeque;
use std::sync::Arc;

use store::Key;

use crate::frontier::{Keys, Pile};
use crate::recording::{Index, Recording};
use crate::slip::Slip;

/// States of a block inside.
const BLOCK: usize = 256;
/// Blocks outside of so few states are not divided.
const SMALL: usize = 64;
/// So many states are written down before they are judged for the first time.
const FEW: usize = 1024;
/// How many more it takes for the next time.
const MORE: usize = 4;
/// So many seeds end the first visit outside, and how many more the next one.
const MANY: usize = 16;
/// Words of a recording that is handed in though its worker goes on inside.
const LONG: usize = 1 << 14;

/// A block of states.
pub struct Waiting {
    /// How many steps lead to them on the way on which they were found.
    pub depth: u64,
    /// They themselves.
    pub states: Keys,
}

/// Something to do.
pub enum Task {
    /// To visit states where cycles matter, and to write down their edges.
    Inside(Waiting),
    /// To visit other states.
    Outside(Waiting),
    /// To judge edges.
    Judge(Vec<Arc<Recording>>),
}

/// What is next for a worker.
pub enum Next {
    /// This.
    Do(Task),
    /// Others may find something.
    Wait,
    /// Nothing, for anybody.
    Nothing,
}

/// Where a worker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Inside,
    Outside,
    Judge,
}

/// What a worker has before it.
#[derive(Default)]
pub struct Desk {
    /// Which worker it is. The first one does not judge: it looks at limits meanwhile.
    pub worker: usize,
    place: Option<Place>,
    /// Steps to the states in hand.
    depth: u64,
    /// New states, one step further.
    pub inside: Vec<Key>,
    /// The same outside.
    pub outside: Vec<Keys>,
    /// States outside that it had in hand and has not visited.
    pub left: Keys,
    /// Edges that it has written down and keeps for now.
    pub recording: Recording,
    /// Of how many states it has written them down since it was asked.
    pub recorded: usize,
    /// Arrivals at states, since it was asked.
    pub transitions: u64,
    /// What it judges with.
    pub index: Index,
}

/// What waits, and who does what.
#[derive(Default)]
pub struct Board {
    inside: Pile<Waiting>,
    outside: VecDeque<Waiting>,
    /// All visit states inside.
    is_inside: bool,
    /// States inside that were found from outside, and how many are many.
    seeds: usize,
    many: usize,
    /// How many workers are inside, outside, and judging.
    busy: [usize; 3],
    /// What is written down and may not be complete, and what is.
    open: Case,
    complete: Case,
    /// With so many open states it is time to judge, and with how many for the first time.
    enough: usize,
    few: usize,
    /// What is judged with, unless somebody does.
    index: Index,
    slip: Option<Slip>,
    /// States that wait.
    pub waiting: u64,
    /// Arrivals at states.
    pub transitions: u64,
    /// The most steps to a state.
    pub depth: u64,
}

/// Edges that are judged together.
#[derive(Default)]
struct Case {
    recordings: Vec<Arc<Recording>>,
    /// How many states they are of, those that are in the hands of workers included.
    states: usize,
}

impl Case {
    fn append(&mut self, mut other: Case) {
        self.recordings.append(&mut other.recordings);
        self.states += other.states;
    }
}

impl Desk {
    /// Of a worker that has done nothing yet.
    pub fn new(worker: usize) -> Desk {
        Desk { worker, ..Desk::default() }
    }
}

impl Board {
    /// Nothing to do yet.
    pub fn new(slip: Option<Slip>) -> Board {
        Board { enough: FEW, few: FEW, many: MANY, slip, ..Board::default() }
    }

    /// Takes what a worker has done, and says what it does next.
    pub fn next(&mut self, desk: &mut Desk) -> Next {
        self.hand_in(desk);
        match self.choose(desk) {
            Some((place, task)) => {
                self.busy[place as usize] += 1;
                desk.place = Some(place);
                Next::Do(task)
            }
            None if self.is_over() => Next::Nothing,
            None => Next::Wait,
        }
    }

    /// States whose edges are written down.
    pub fn recorded(&self) -> usize {
        self.open.states + self.complete.states
    }

    /// Bytes of all that waits and is written down, what is being judged and forgotten not included.
    pub fn memory(&self) -> u64 {
        let recordings = self.open.recordings.iter().chain(&self.complete.recordings);
        recordings.map(|it| it.memory()).sum::<u64>() + self.waiting * 4 + self.index.memory()
    }

    /// Takes what a worker has done.
    pub fn hand_in(&mut self, desk: &mut Desk) {
        let place = desk.place.take();
        place.into_iter().for_each(|it| self.busy[it as usize] -= 1);
        if place == Some(Place::Judge) {
            self.index = std::mem::take(&mut desk.index);
        }
        let (left, depth) = (std::mem::take(&mut desk.left), desk.depth);
        self.waits(left, depth).into_iter().for_each(|it| self.outside.push_front(it));
        for states in std::mem::take(&mut desk.outside) {
            self.waits(states, depth + 1).into_iter().for_each(|it| self.outside.push_back(it));
        }
        for states in desk.inside.chunks(BLOCK) {
            let block = self.waits(states.iter().copied().collect(), depth + 1);
            block.into_iter().for_each(|it| self.inside.add(desk.worker, it));
        }
        self.seeds += desk.inside.len();
        desk.inside.clear();
        self.open.states += std::mem::take(&mut desk.recorded);
        self.transitions += std::mem::take(&mut desk.transitions);
        if desk.recording.len() > LONG {
            self.keep(desk);
        }
    }

    /// A block from now on, unless it is empty.
    fn waits(&mut self, states: Keys, depth: u64) -> Option<Waiting> {
        self.waiting += states.len() as u64;
        (states.len() > 0).then_some(Waiting { depth, states })
    }

    /// Takes over what a worker has written down.
    fn keep(&mut self, desk: &mut Desk) {
        if desk.recording.len() > 0 {
            self.open.recordings.push(Arc::new(std::mem::take(&mut desk.recording)));
        }
    }

    fn choose(&mut self, desk: &mut Desk) -> Option<(Place, Task)> {
        let can_judge = desk.worker > 0 && self.busy[Place::Judge as usize] == 0;
        if can_judge && self.complete.states >= self.few {
            return Some(self.judge_complete(desk));
        }
        if can_judge && self.open.states >= self.enough {
            return Some(self.judge_open(desk));
        }
        if let Some(task) = self.visit(desk) {
            return Some(task);
        }
        (can_judge && self.complete.states > 0).then(|| self.judge_complete(desk))
    }

    /// The next block to visit, if there is one.
    fn visit(&mut self, desk: &mut Desk) -> Option<(Place, Task)> {
        if self.is_inside
            && let Some(block) = self.inside.take(desk.worker)
        {
            return Some((Place::Inside, Task::Inside(self.begin(block, desk))));
        }
        self.keep(desk);
        if self.busy[Place::Inside as usize] > 0 {
            return None;
        }
        if std::mem::take(&mut self.is_inside) {
            self.complete();
        }
        if self.seeds < self.many
            && let Some(block) = self.take_outside()
        {
            return Some((Place::Outside, Task::Outside(self.begin(block, desk))));
        }
        if self.busy[Place::Outside as usize] > 0 || self.inside.is_empty() {
            return None;
        }
        (self.is_inside, self.seeds) = (true, 0);
        self.many *= MORE;
        self.visit(desk)
    }

    /// All that can be reached inside is written down.
    fn complete(&mut self) {
        self.complete.append(std::mem::take(&mut self.open));
        (self.enough, self.seeds) = (self.few, 0);
    }

    /// The oldest block outside; half of it if there is no other.
    fn take_outside(&mut self) -> Option<Waiting> {
        let mut block = self.outside.pop_front()?;
        if self.outside.is_empty() && block.states.len() >= 2 * SMALL {
            let rest = Waiting { depth: block.depth, states: block.states.halve() };
            self.outside.push_front(rest);
        }
        Some(block)
    }

    fn begin(&mut self, block: Waiting, desk: &mut Desk) -> Waiting {
        self.waiting -= block.states.len() as u64;
        self.depth = self.depth.max(block.depth);
        desk.depth = block.depth;
        block
    }

    /// What is complete is judged, and forgotten.
    fn judge_complete(&mut self, desk: &mut Desk) -> (Place, Task) {
        self.keep(desk);
        desk.index = std::mem::take(&mut self.index);
        (Place::Judge, Task::Judge(std::mem::take(&mut self.complete).recordings))
    }

    /// What is open is judged, and kept.
    fn judge_open(&mut self, desk: &mut Desk) -> (Place, Task) {
        self.keep(desk);
        self.enough = self.open.states * MORE;
        desk.index = std::mem::take(&mut self.index);
        let recordings = self.open.recordings.clone();
        if self.slip == Some(Slip::Early) {
            self.open.recordings.clear();
        }
        (Place::Judge, Task::Judge(recordings))
    }

    /// Nobody has or will have anything to do.
    fn is_over(&self) -> bool {
        self.busy == [0; 3] && self.inside.is_empty() && self.outside.is_empty() && self.recorded() == 0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::recording::culprit;

    const WORKERS: usize = 3;
    const NODES: u64 = 40;

    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) % limit
        }
    }

    /// Where edges lead, and what those count for that stay inside.
    struct Graph(Vec<Vec<(u64, u32)>>);

    impl Graph {
        fn new(random: &mut Random) -> Graph {
            let edges = |random: &mut Random| {
                let count = 1 + random.below(3);
                (0..count).map(|_| (random.below(NODES), u32::from(random.below(25) == 0))).collect()
            };
            Graph((0..NODES).map(|_| edges(random)).collect())
        }

        /// One of four is outside.
        fn is_inside(node: u64) -> bool {
            !node.is_multiple_of(4)
        }

        fn reach(&self, from: u64, stays_inside: bool) -> BTreeSet<u64> {
            let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
            while let Some(node) = waiting.pop() {
                if seen.insert(node) {
                    let next = self.0[node as usize].iter().map(|it| it.0);
                    waiting.extend(next.filter(|&it| !stays_inside || Graph::is_inside(it)));
                }
            }
            seen
        }

        /// Whether a cycle inside can be reached that has an edge with a mark.
        fn is_violated(&self) -> bool {
            let inner = |&from: &u64| self.0[from as usize].iter().map(move |it| (from, *it));
            let edges = self.reach(0, false).into_iter().filter(|&it| Graph::is_inside(it)).flat_map(|it| inner(&it));
            let mut marked = edges.filter(|(_, (to, marks))| *marks == 1 && Graph::is_inside(*to));
            marked.any(|(from, (to, _))| self.reach(to, true).contains(&from))
        }
    }

    /// Workers that take turns at random; each has something in hand for a while before it is done.
    struct Play<'g> {
        graph: &'g Graph,
        board: Board,
        desks: Vec<Desk>,
        hands: Vec<Option<Task>>,
        known: BTreeSet<u64>,
        is_found: bool,
    }

    impl Play<'_> {
        fn new(graph: &Graph, slip: Option<Slip>) -> Play<'_> {
            let mut board = Board { few: 3, enough: 3, many: 2, ..Board::new(slip) };
            let mut desks: Vec<Desk> = (0..WORKERS).map(Desk::new).collect();
            desks[0].outside.push([Key(0)].into_iter().collect());
            board.hand_in(&mut desks[0]);
            let hands = (0..WORKERS).map(|_| None).collect();
            Play { graph, board, desks, hands, known: BTreeSet::from([0]), is_found: false }
        }

        /// Whether a violation is found.
        fn play(mut self, random: &mut Random) -> bool {
            loop {
                let row = random.below(WORKERS as u64) as usize;
                match self.hands[row].take() {
                    Some(task) => self.work(row, &task),
                    None => match self.board.next(&mut self.desks[row]) {
                        Next::Do(task) => self.hands[row] = Some(task),
                        Next::Wait => {}
                        Next::Nothing => break,
                    },
                }
            }
            assert!(self.hands.iter().all(Option::is_none), "somebody still works");
            assert_eq!(self.known, self.graph.reach(0, false));
            assert_eq!((self.board.waiting, self.board.recorded()), (0, 0));
            self.is_found
        }

        fn work(&mut self, row: usize, task: &Task) {
            match task {
                Task::Inside(block) => block.states.keys().for_each(|it| self.visit(row, it, true)),
                Task::Outside(block) => block.states.keys().for_each(|it| self.visit(row, it, false)),
                Task::Judge(recordings) => {
                    self.is_found |= culprit(recordings, &mut self.desks[row].index, 1, None).is_some();
                }
            }
        }

        fn visit(&mut self, row: usize, Key(node): Key, is_inside: bool) {
            let (desk, mut outside) = (&mut self.desks[row], Keys::default());
            desk.recording.begin(Key(node));
            for &(to, marks) in &self.graph.0[node as usize] {
                let (is_new, stays) = (self.known.insert(to), Graph::is_inside(to));
                if is_inside && stays {
                    desk.recording.edge(marks, Key(to));
                }
                match (is_new, stays) {
                    (true, true) => desk.inside.push(Key(to)),
                    (true, false) => outside.add(Key(to)),
                    (false, _) => {}
                }
            }
            desk.recording.end();
            desk.recorded += usize::from(is_inside);
            desk.outside.push(outside);
        }
    }

    /// How many of some random plays have a wrong end.
    fn wrong_ends(slip: Option<Slip>) -> usize {
        let mut random = Random(7);
        let plays = (0..2_000).map(|_| {
            let graph = Graph::new(&mut random);
            let is_found = Play::new(&graph, slip).play(&mut random);
            is_found != graph.is_violated()
        });
        plays.filter(|it| *it).count()
    }

    #[test]
    fn whoever_is_first_all_is_visited_and_every_cycle_is_judged() {
        assert_eq!(wrong_ends(None), 0);
    }

    #[test]
    fn edges_that_are_forgotten_too_early_are_missed() {
        let wrong = wrong_ends(Some(Slip::Early));
        println!("{wrong} plays end wrong");
        assert!(wrong > 20);
    }

    #[test]
    fn the_graphs_are_neither_all_violated_nor_all_fine() {
        let mut random = Random(7);
        let violated = (0..2_000).filter(|_| Graph::new(&mut random).is_violated()).count();
        assert!((400..1_600).contains(&violated), "{violated}");
    }
}
