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
//! 2013). The set is found by *deletion* (Valmari; Varpaaniemi, *On the stubborn set method*, 1998):
//!
//! ```text
//! set := all groups
//! for each process that can move:
//!     take its possible groups out of the set, and then, as long as there are any,
//!         possible groups that do not accord with one that is out,
//!         impossible groups of which every false guard has a helper that is out
//!     if no possible group is left: put them back
//! ```
//!
//! To find violations that are not deadlocks, nobody may be left out for ever: a set with a *sticky* group that is possible is not
//! taken ([`reduction::Relations::sticky`]).
use compiled::{Condition, Steps};
use reduction::guards::Guard;
use reduction::{Mistake, Relations, Rows};

/// The relations of a stage, and how to ask its guards.
pub struct Surveyed {
    relations: Relations,
    /// Guards that are more than a look at a location; those with a condition have it.
    others: Vec<(usize, Option<Condition>)>,
    /// Per actor and location: guards that are false because the actor is there.
    elsewhere: Vec<Vec<Rows>>,
    /// Per group: its guards, and those of others that it can make true.
    needs: Vec<Rows>,
    helps: Vec<Rows>,
    /// Per guard: the groups that wait for it.
    users: Vec<Rows>,
    /// All groups.
    all: Rows,
}

impl Surveyed {
    /// For the processes of the state that was taken up.
    pub fn new(relations: Relations, steps: &mut Steps<'_>) -> Surveyed {
        let Relations { groups, guards, leaving, .. } = &relations;
        let mut others = Vec::new();
        for (row, guard) in guards.iter().enumerate() {
            match guard {
                Guard::At(..) => {}
                Guard::Holds(actor, it) | Guard::Fits(_, actor, it) => {
                    others.push((row, Some(steps.condition(*actor, it))))
                }
                _ => others.push((row, None)),
            }
        }
        // Whether nothing else can be taken is known last.
        others.sort_by_key(|it| matches!(guards[it.0], Guard::Else(..)));
        let is_false = |row: usize, here: (usize, usize)| match guards[row] {
            Guard::At(actor, location) => actor == here.0 && location.0 as usize != here.1,
            _ => false,
        };
        let locations = |actor: usize| (0..leaving[actor].len()).map(move |it| (actor, it));
        let elsewhere =
            |actor| locations(actor).map(|here| Rows::of(guards.len(), |row| is_false(row, here))).collect();
        Surveyed {
            elsewhere: (0..leaving.len()).map(elsewhere).collect(),
            needs: relations.needs.iter().map(|it| Rows::of(guards.len(), |row| it.contains(&row))).collect(),
            helps: (0..groups.len())
                .map(|group| Rows::of(guards.len(), |row| relations.helpers[row].contains(group)))
                .collect(),
            users: (0..guards.len())
                .map(|row| Rows::of(groups.len(), |group| relations.needs[group].contains(&row)))
                .collect(),
            all: Rows::of(groups.len(), |_| true),
            others,
            relations,
        }
    }
}

/// Finds stubborn sets, in one state after the other.
#[derive(Default)]
pub struct Stubborn {
    /// Ends alone matter, so that nobody needs to be taken care of.
    only_ends: bool,
    /// What is wrong on purpose.
    mistake: Option<Mistake>,
    /// Guards that are false, and those of which it cannot be told.
    no: Rows,
    perhaps: Rows,
    /// Groups that are not possible. All others may be.
    impossible: Rows,
    possible: Rows,
    /// The set, and false guards that have lost a helper.
    set: Rows,
    broken: Rows,
    /// Possible groups without which no possible one would stay in the set.
    needed: Rows,
    /// The same after another deletion.
    next: (Rows, Rows),
    /// Groups that are out of it, and whom nobody asked yet: possible ones, and others.
    waiting: (Vec<usize>, Vec<usize>),
    seeds: Vec<usize>,
    processes: Vec<usize>,
}

impl Stubborn {
    /// For one state after the other.
    pub fn new(only_ends: bool, mistake: Option<Mistake>) -> Stubborn {
        Stubborn { only_ends, mistake, ..Stubborn::default() }
    }

    /// The processes whose steps are enough in the state that was taken up, unless all are needed.
    pub fn choose(&mut self, stage: &Surveyed, steps: &mut Steps<'_>) -> Option<&[usize]> {
        self.look(stage, steps);
        self.find_seeds(stage, steps);
        let mut is_smaller = false;
        for seed in 0..self.seeds.len() {
            let seed = self.seeds[seed];
            if self.set.contains(seed) {
                match self.delete(seed, stage) {
                    true => is_smaller = true,
                    false => self.needed.insert(seed),
                }
            }
        }
        (is_smaller && self.is_taken(&stage.relations)).then(|| self.movers(&stage.relations))
    }

    /// Asks all guards.
    fn look(&mut self, stage: &Surveyed, steps: &mut Steps<'_>) {
        let (groups, guards) = (stage.relations.groups.len(), stage.relations.guards.len());
        [&mut self.no, &mut self.perhaps, &mut self.broken].into_iter().for_each(|it| it.reset(guards));
        [&mut self.impossible, &mut self.possible, &mut self.needed].into_iter().for_each(|it| it.reset(groups));
        self.set.copy(&stage.all);
        for (actor, locations) in stage.elsewhere.iter().enumerate() {
            self.no.extend(&locations[steps.location_of(actor).0 as usize]);
        }
        for &(guard, condition) in &stage.others {
            match self.ask(guard, condition, stage, steps) {
                Some(true) => {}
                Some(false) => self.no.insert(guard),
                None => self.perhaps.insert(guard),
            }
        }
        let Stubborn { no, impossible, .. } = self;
        no.iter().for_each(|guard| impossible.extend(&stage.users[guard]));
    }

    /// Whether a guard is true, if that can be told.
    fn ask(&self, guard: usize, condition: Option<Condition>, stage: &Surveyed, steps: &mut Steps<'_>) -> Option<bool> {
        match stage.relations.guards[guard] {
            Guard::Fits(channel, ..) if steps.messages(channel) == 0 => Some(true),
            Guard::At(..) | Guard::Holds(..) | Guard::Fits(..) => steps.holds(condition?),
            Guard::HasMessage(channel) => Some(steps.messages(channel) > 0),
            Guard::HasRoom(channel) => Some(steps.messages(channel) < steps.capacity_of(channel)),
            Guard::IsYoungest(actor) => Some(actor + 1 == steps.process_count()),
            Guard::Else(..) => self.none_of(stage.relations.rivals[guard].as_ref()?, stage),
            Guard::Unknown(_) => None,
        }
    }

    /// Whether none of these groups is possible, if that can be told.
    fn none_of(&self, groups: &[usize], stage: &Surveyed) -> Option<bool> {
        let mut all = true;
        for &group in groups {
            if !stage.needs[group].meets(&self.no) {
                if !stage.needs[group].meets(&self.perhaps) {
                    return Some(false);
                }
                all = false;
            }
        }
        all.then_some(true)
    }

    /// A possible group of each process that has one, from the youngest on. All possible groups are noted.
    fn find_seeds(&mut self, stage: &Surveyed, steps: &Steps<'_>) {
        self.seeds.clear();
        for (actor, leaving) in stage.relations.leaving.iter().enumerate().rev() {
            let mut first = None;
            for &group in &leaving[steps.location_of(actor).0 as usize] {
                if !self.impossible.contains(group) {
                    self.possible.insert(group);
                    first = first.or(Some(group));
                }
            }
            self.seeds.extend(first);
        }
    }

    /// Takes a possible group out of the set, and whoever cannot stay without it. Says whether a possible one stays.
    fn delete(&mut self, seed: usize, stage: &Surveyed) -> bool {
        self.next.0.copy(&self.set);
        self.next.1.copy(&self.broken);
        self.next.0.remove(seed);
        self.waiting.0.clear();
        self.waiting.1.clear();
        self.waiting.0.push(seed);
        while let Some(group) = self.waiting.0.pop().or_else(|| self.waiting.1.pop()) {
            if self.possible.contains(group) && (self.needed.contains(group) || !self.next.0.meets(&self.possible)) {
                return false;
            }
            self.drop_hindered(group, stage);
            if self.mistake != Some(Mistake::Helpers) {
                self.drop_unhelped(group, stage);
            }
        }
        std::mem::swap(&mut self.set, &mut self.next.0);
        std::mem::swap(&mut self.broken, &mut self.next.1);
        true
    }

    /// Possible groups leave the set if somebody who does not accord with them is not in it, or somebody who might help.
    fn drop_hindered(&mut self, group: usize, stage: &Surveyed) {
        let Stubborn { perhaps, possible, next: (set, _), waiting: (waiting, _), .. } = self;
        set.take(&stage.relations.hinders[group], possible, |it| waiting.push(it));
        stage.helps[group].common(perhaps, |guard| set.take(&stage.users[guard], possible, |it| waiting.push(it)));
    }

    /// Impossible groups leave the set if none of their false guards has all its helpers in it.
    fn drop_unhelped(&mut self, group: usize, stage: &Surveyed) {
        let Stubborn { no, impossible, next: (set, broken), waiting: (_, waiting), .. } = self;
        let first = waiting.len();
        stage.helps[group].common(no, |guard| {
            if !broken.contains(guard) {
                broken.insert(guard);
                stage.users[guard].common(impossible, |it| waiting.push(it));
            }
        });
        let mut kept = first;
        for row in first..waiting.len() {
            let it = waiting[row];
            if set.contains(it) && !stage.needs[it].meets_without(no, broken) {
                set.remove(it);
                waiting[kept] = it;
                kept += 1;
            }
        }
        waiting.truncate(kept);
    }

    /// Whether nobody can be forgotten because of the set.
    fn is_taken(&self, relations: &Relations) -> bool {
        self.only_ends || !self.set.iter().any(|it| self.possible.contains(it) && relations.sticky.contains(it))
    }

    /// The processes that move by possible groups of the set.
    fn movers(&mut self, relations: &Relations) -> &[usize] {
        let Stubborn { set, possible, processes, .. } = self;
        processes.clear();
        set.common(possible, |group| processes.push(relations.groups[group].actor()));
        processes.sort_unstable();
        processes.dedup();
        processes.reverse();
        processes
    }
}
