//! Stubborn sets: whose steps are enough in a state where nobody may go first.
//!
//! Valmari, *Stubborn sets for reduced state space generation*, 1989. A set of groups (possible or not) is stubborn in a state if
//!
//! * with a possible group it has all groups that do not accord with it,
//! * with an impossible group it has, for one of its false guards, all groups that can make this guard true,
//! * and at least one of its groups is possible.
//!
//! Whatever the others do, the possible groups of the set can be taken before as well as after. So to find all deadlocks it is enough to
//! take these. What is guarded is looked at part by part (Laarman, Pater, van de Pol, Weber, *Guard-based partial-order reduction*, SPIN
//! 2013); of several false guards the one with the fewest helpers is chosen.
//!
//! ```text
//! for each process that can move:
//!     set := {one of its possible groups}
//!     for each group of the set:
//!         possible:    add those that do not accord with it
//!         impossible:  add the helpers of one false guard
//! take the set with the fewest possible groups
//! ```
//!
//! To find violations that are not deadlocks, nobody may be left out for ever: a set with a *sticky* group that is possible is not
//! taken ([`reduction::Relations::sticky`]).
use compiled::{Condition, Steps};
use reduction::guards::Guard;
use reduction::{GroupSet, Mistake, Relations};

/// A possible group weighs as much as so many others.
const POSSIBLE: u32 = 50;

/// What is known of a guard, or of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Unasked,
    No,
    Yes,
    Perhaps,
}

/// The relations of a stage, and how to ask its guards.
pub struct Surveyed {
    relations: Relations,
    /// Per guard: its condition, if it has one.
    conditions: Vec<Option<Condition>>,
}

impl Surveyed {
    /// For the processes of the state that was taken up.
    pub fn new(relations: Relations, steps: &mut Steps<'_>) -> Surveyed {
        let mut condition = |guard: &Guard| match guard {
            Guard::Holds(actor, condition) | Guard::Fits(_, actor, condition) => Some(steps.condition(*actor, condition)),
            _ => None,
        };
        let conditions = relations.guards.iter().map(&mut condition).collect();
        Surveyed { relations, conditions }
    }
}

/// Finds stubborn sets, in one state after the other.
#[derive(Default)]
pub struct Stubborn {
    /// Ends alone matter, so that nobody needs to be taken care of.
    only_ends: bool,
    /// What is wrong on purpose.
    mistake: Option<Mistake>,
    guards: Vec<Truth>,
    groups: Vec<Truth>,
    possible: GroupSet,
    set: GroupSet,
    waiting: Vec<usize>,
    best: GroupSet,
    processes: Vec<usize>,
}

impl Stubborn {
    /// For one state after the other.
    pub fn new(only_ends: bool, mistake: Option<Mistake>) -> Stubborn {
        Stubborn { only_ends, mistake, ..Stubborn::default() }
    }

    /// The processes whose steps are enough in the state that was taken up, unless all are needed.
    pub fn choose(&mut self, stage: &Surveyed, steps: &mut Steps<'_>) -> Option<&[usize]> {
        let relations = &stage.relations;
        self.begin(relations);
        let seeds = self.seeds(stage, steps);
        let all = self.possible.count_common(&self.possible);
        let mut fewest = all;
        for seed in seeds {
            let count = self.close(seed, fewest, stage, steps);
            let is_taken = self.only_ends || self.set_and_sticky(relations) == 0;
            if count < fewest && is_taken {
                fewest = count;
                std::mem::swap(&mut self.best, &mut self.set);
            }
        }
        (fewest < all).then(|| self.movers(relations))
    }

    fn begin(&mut self, relations: &Relations) {
        let Relations { guards, groups, .. } = relations;
        self.guards.clear();
        self.guards.resize(guards.len(), Truth::Unasked);
        self.groups.clear();
        self.groups.resize(groups.len(), Truth::Unasked);
        for set in [&mut self.possible, &mut self.set, &mut self.best] {
            *set = GroupSet::none_of(groups.len());
        }
    }

    /// A possible group of each process that has one. All possible groups are noted.
    fn seeds(&mut self, stage: &Surveyed, steps: &mut Steps<'_>) -> Vec<usize> {
        let mut seeds = Vec::new();
        for (actor, leaving) in stage.relations.leaving.iter().enumerate() {
            let mut first = None;
            for &group in &leaving[steps.location_of(actor).0 as usize] {
                if self.group(group, stage, steps) != Truth::No {
                    self.possible.insert(group);
                    first = first.or(Some(group));
                }
            }
            seeds.extend(first);
        }
        seeds
    }

    /// Adds what a group needs, and what that needs, and so on. Stops when there are as many possible groups as in the best set.
    fn close(&mut self, seed: usize, most: u32, stage: &Surveyed, steps: &mut Steps<'_>) -> u32 {
        self.set.clear();
        self.set.insert(seed);
        self.waiting.clear();
        self.waiting.push(seed);
        let mut count = 1;
        while let Some(group) = self.waiting.pop() {
            count += match self.group(group, stage, steps) {
                Truth::No => self.add_helpers(group, stage, steps),
                Truth::Yes => self.add(&stage.relations.hinders[group]),
                _ => self.add(&stage.relations.hinders[group]) + self.add_possible_helpers(group, &stage.relations),
            };
            if count >= most {
                break;
            }
        }
        count
    }

    /// Adds the helpers of a group that is not possible.
    fn add_helpers(&mut self, group: usize, stage: &Surveyed, steps: &mut Steps<'_>) -> u32 {
        if self.mistake == Some(Mistake::Helpers) {
            return 0;
        }
        self.cheapest(group, stage, steps).map_or(0, |guard| self.add(&stage.relations.helpers[guard]))
    }

    /// Adds whoever might help a group of which it is not known whether it is possible.
    fn add_possible_helpers(&mut self, group: usize, relations: &Relations) -> u32 {
        let mut count = 0;
        for &guard in &relations.needs[group] {
            if self.guards[guard] == Truth::Perhaps {
                count += self.add(&relations.helpers[guard]);
            }
        }
        count
    }

    /// Adds groups to the set; says how many of them are possible.
    fn add(&mut self, groups: &GroupSet) -> u32 {
        let Stubborn { set, waiting, possible, .. } = self;
        let mut count = 0;
        set.extend(groups, |group| {
            waiting.push(group);
            count += u32::from(possible.contains(group));
        });
        count
    }

    /// Of the false guards of a group, the one whose helpers weigh least.
    fn cheapest(&mut self, group: usize, stage: &Surveyed, steps: &mut Steps<'_>) -> Option<usize> {
        let mut best = None;
        for &guard in &stage.relations.needs[group] {
            if self.guard(guard, stage, steps) == Truth::No {
                let (all, possible) = stage.relations.helpers[guard].count_beyond(&self.set, &self.possible);
                let weight = all + POSSIBLE * possible;
                if best.is_none_or(|(least, _)| weight < least) {
                    best = Some((weight, guard));
                }
            }
        }
        best.map(|it| it.1)
    }

    /// Whether a group is possible.
    fn group(&mut self, group: usize, stage: &Surveyed, steps: &mut Steps<'_>) -> Truth {
        if self.groups[group] == Truth::Unasked {
            let mut truth = Truth::Yes;
            for &guard in &stage.relations.needs[group] {
                match self.guard(guard, stage, steps) {
                    Truth::No => {
                        truth = Truth::No;
                        break;
                    }
                    Truth::Perhaps => truth = Truth::Perhaps,
                    _ => {}
                }
            }
            self.groups[group] = truth;
        }
        self.groups[group]
    }

    fn guard(&mut self, guard: usize, stage: &Surveyed, steps: &mut Steps<'_>) -> Truth {
        if self.guards[guard] == Truth::Unasked {
            self.guards[guard] = self.ask(guard, stage, steps);
        }
        self.guards[guard]
    }

    fn ask(&mut self, guard: usize, stage: &Surveyed, steps: &mut Steps<'_>) -> Truth {
        let known = |it: bool| if it { Truth::Yes } else { Truth::No };
        let asked = |steps: &mut Steps<'_>| match stage.conditions[guard].and_then(|it| steps.holds(it)) {
            Some(it) => known(it),
            None => Truth::Perhaps,
        };
        match stage.relations.guards[guard] {
            Guard::At(actor, location) => known(steps.location_of(actor) == location),
            Guard::Holds(..) => asked(steps),
            Guard::HasMessage(channel) => known(steps.messages(channel) > 0),
            Guard::HasRoom(channel) => known(steps.messages(channel) < steps.capacity_of(channel)),
            Guard::Fits(channel, ..) if steps.messages(channel) == 0 => Truth::Yes,
            Guard::Fits(..) => asked(steps),
            Guard::IsYoungest(actor) => known(actor + 1 == steps.process_count()),
            Guard::Else(..) => match &stage.relations.rivals[guard] {
                Some(rivals) => self.none_of(rivals, stage, steps),
                None => Truth::Perhaps,
            },
            Guard::Unknown(_) => Truth::Perhaps,
        }
    }

    /// Whether none of these groups is possible.
    fn none_of(&mut self, groups: &[usize], stage: &Surveyed, steps: &mut Steps<'_>) -> Truth {
        let mut truth = Truth::Yes;
        for &group in groups {
            match self.group(group, stage, steps) {
                Truth::Yes => return Truth::No,
                Truth::Perhaps => truth = Truth::Perhaps,
                _ => {}
            }
        }
        truth
    }

    /// How many groups of the set are possible and sticky.
    fn set_and_sticky(&self, relations: &Relations) -> usize {
        self.set.iter().filter(|&it| self.possible.contains(it) && relations.sticky.contains(it)).count()
    }

    /// The processes that move by possible groups of the best set.
    fn movers(&mut self, relations: &Relations) -> &[usize] {
        self.processes.clear();
        let groups = self.best.iter().filter(|&it| self.possible.contains(it));
        self.processes.extend(groups.map(|it| relations.groups[it].actor()));
        self.processes.sort_unstable();
        self.processes.dedup();
        self.processes.reverse();
        &self.processes
    }
}
