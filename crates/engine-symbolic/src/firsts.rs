//! Who may go first, as sets of states: [`reduction::Roles`], for every stage that a set of states has.
//!
//! Which processes may go first depends on who the others are (`reduction`). The states of a set may differ in that, so it is found out stage by stage:
//! a state is picked about which nothing is known yet, the roles of its processes are computed, and they hold in all states that have the same
//! processes, with the same values that never change, which may create the same others.
use diagram::Function;
use model::variables::{Name, assigned, types};
use model::{ProcessTypeId, VariableId};
use reduction::facts::Facts;
use reduction::{Actor, Condition, Obstacle, Role, Roles, Stage};

use crate::cell::{Cell, ChannelRow, Domain, Owner, Slot};
use crate::encoding::{Changes, Encoding};
use crate::layout::Control;
use crate::pulse::Pulse;
use crate::run::Mistake;
use crate::stop::Result;

/// In states of further stages nobody goes first.
const MOST_STAGES: usize = 500;

/// What is known of the stages so far.
pub struct Firsts<'a> {
    encoding: &'a Encoding<'a>,
    pulse: &'a Pulse,
    facts: Facts<'a>,
    /// Per type: the variables that keep their values.
    lasting: Vec<Vec<VariableId>>,
    /// The states whose stage is known.
    known: Function,
    /// Per slot: where its process may go first, if it can move and nobody goes on alone.
    first: Vec<Function>,
    /// How many stages are known.
    pub stages: usize,
}

/// A stage and the states that have it.
struct Scene {
    stage: Stage,
    /// The channels that exist, by their numbers.
    channels: Vec<ChannelRow>,
    states: Function,
}

impl<'a> Firsts<'a> {
    /// Nothing is known yet; of a model that is not reduced, that nobody goes first.
    pub fn new(encoding: &'a Encoding<'a>, pulse: &'a Pulse) -> Self {
        let facts = Facts::new(encoding.model);
        let written = assigned(encoding.model);
        let lasting = types(encoding.model).map(|(owner, process)| {
            let keeps = |id: &VariableId| {
                let is_scalar = process.variables[id.0 as usize].dimensions.is_empty();
                is_scalar && !written.contains(&Name::Local(owner, *id))
            };
            (0..process.variables.len()).map(|row| VariableId(row as u32)).filter(keeps).collect()
        });
        let lasting = lasting.collect();
        let known = encoding.constant(facts.refusal().is_some());
        let first = vec![encoding.constant(false); encoding.layout.slots()];
        Firsts { encoding, pulse, facts, lasting, known, first, stages: 0 }
    }

    /// The states of a set in which the process of a slot may go first.
    pub fn among(&mut self, slot: Slot, set: &Function) -> Result<Function> {
        self.learn(set)?;
        Ok(set.and(&self.first[slot])?)
    }

    /// Finds out about the stages of all states of a set.
    fn learn(&mut self, set: &Function) -> Result<()> {
        let mut unknown = set.minus(&self.known)?;
        while let Some(state) = self.encoding.space.pick(&unknown) {
            if self.stages == MOST_STAGES {
                self.known = self.encoding.constant(true);
                return Ok(());
            }
            self.pulse.check()?;
            let scene = self.scene(&state)?;
            self.assign_roles(&scene)?;
            self.stages += 1;
            self.known = self.known.or(&scene.states)?;
            unknown = unknown.minus(&scene.states)?;
        }
        Ok(())
    }

    fn assign_roles(&mut self, scene: &Scene) -> Result<()> {
        let roles = Roles::new(&self.facts, &scene.stage);
        if !roles.is_useful() {
            return Ok(());
        }
        for (slot, actor) in scene.stage.actors.iter().enumerate().filter(|it| it.1.number.is_some()) {
            for &control in self.encoding.layout.controls[slot].iter().filter(|it| it.0 == actor.ty) {
                let Some(role) = roles.role(slot, control.1) else { continue };
                let Some(condition) = self.when(slot, role, scene)? else { continue };
                let here = self.encoding.is_at(&Changes::new(), slot, control)?.and(&condition)?;
                self.first[slot] = self.first[slot].or(&here.and(&scene.states)?)?;
            }
        }
        Ok(())
    }

    /// Where a role lets its process go first; `None` for nowhere.
    fn when(&self, slot: Slot, role: &Role, scene: &Scene) -> Result<Option<Function>> {
        let mut all = self.encoding.constant(true);
        match role {
            Role::Always => {}
            Role::If(conditions) => {
                for condition in conditions {
                    all = all.and(&self.condition(slot, *condition, scene)?)?;
                }
            }
            Role::Never(_, Obstacle::Clash(..) | Obstacle::Visible)
                if self.encoding.mistake == Some(Mistake::UnsafeIsSafe) => {}
            Role::Never(..) => return Ok(None),
        }
        Ok(Some(all))
    }

    fn condition(&self, slot: Slot, condition: Condition, scene: &Scene) -> Result<Function> {
        let (encoding, none) = (self.encoding, Changes::new());
        let length = |channel: u8| {
            let row = *scene.channels.get(usize::from(channel).checked_sub(1)?)?;
            encoding.layout.cells.contains_key(&Cell::Length(row)).then_some(row)
        };
        match condition {
            Condition::IsYoungest => Ok(encoding.exists(&none, slot + 1)?.not()),
            Condition::HasMessage(channel) => match length(channel) {
                Some(row) => Ok(encoding.has_code(&none, Cell::Length(row), 0)?.not()),
                None => Ok(encoding.constant(false)),
            },
            Condition::HasRoom(channel) => match length(channel) {
                Some(row) => {
                    let channel = encoding.layout.channels[row];
                    let capacity = encoding.model.shape(channel.shape).capacity;
                    if channel.places < capacity {
                        // There is no state in which it is full.
                        return Ok(encoding.constant(true));
                    }
                    Ok(encoding.has_code(&none, Cell::Length(row), capacity)?.not())
                }
                None => Ok(encoding.constant(false)),
            },
        }
    }

    /// The stage of a state.
    fn scene(&self, state: &[bool]) -> Result<Scene> {
        let (encoding, layout) = (self.encoding, self.encoding.layout);
        let present: Vec<Control> = (0..layout.slots()).map_while(|slot| self.control(state, slot)).collect();
        let (mut actors, mut states) = (Vec::new(), encoding.exists(&Changes::new(), present.len())?.not());
        for (slot, &control) in present.iter().enumerate() {
            states = states.and(&self.alike(slot, control)?)?;
            let known = self.lasting_values(state, slot, control.0);
            for &(cell, code, _) in &known {
                states = states.and(&encoding.has_code(&Changes::new(), cell, code)?)?;
            }
            let known = known.into_iter().filter_map(|(cell, _, value)| Some((variable(cell)?, value))).collect();
            actors.push(Actor { ty: control.0, number: u8::try_from(slot).ok(), known });
        }
        actors.extend(self.unborn(&present));
        let exists = |row: &ChannelRow| match layout.channels[*row].owner {
            Owner::Global => true,
            Owner::Process(slot, ty) => present.get(slot).is_some_and(|it| it.0 == ty),
        };
        let channels: Vec<ChannelRow> = (0..layout.channels.len()).filter(exists).collect();
        let capacity = |row: &ChannelRow| encoding.model.shape(layout.channels[*row].shape).capacity;
        let capacities = channels.iter().map(capacity).collect();
        Ok(Scene { stage: Stage { actors, capacities }, channels, states })
    }

    /// Two of each kind that may still be created, since they may get into each other's way.
    fn unborn(&self, present: &[Control]) -> Vec<Actor> {
        let mut kinds: Vec<ProcessTypeId> =
            present.iter().flat_map(|it| self.facts.offspring(it.0, it.1)).copied().collect();
        kinds.sort_unstable();
        kinds.dedup();
        let actor = |ty| Actor { ty, number: None, known: Vec::new() };
        kinds.into_iter().flat_map(|ty| [actor(ty), actor(ty)]).collect()
    }

    /// Where the process of a slot has the type of this one and may create the same others.
    fn alike(&self, slot: Slot, (ty, location): Control) -> Result<Function> {
        let offspring = self.facts.offspring(ty, location);
        let is_alike = |it: &&Control| it.0 == ty && self.facts.offspring(ty, it.1) == offspring;
        let mut any = self.encoding.constant(false);
        for &control in self.encoding.layout.controls[slot].iter().filter(is_alike) {
            any = any.or(&self.encoding.is_at(&Changes::new(), slot, control)?)?;
        }
        Ok(any)
    }

    /// The values that the process of a slot keeps, with their cells and codes, as far as they are listed.
    fn lasting_values(&self, state: &[bool], slot: Slot, ty: ProcessTypeId) -> Vec<(Cell, u32, i32)> {
        let value = |&id: &VariableId| {
            let cell = Cell::Variable(Owner::Process(slot, ty), id, 0);
            let Some(Domain::Listed(values)) = self.encoding.layout.cells.get(&cell) else { return None };
            let code = self.code(state, cell);
            Some((cell, code, *values.get(code as usize)?))
        };
        self.lasting[ty.0 as usize].iter().filter_map(value).collect()
    }

    /// Where the process of a slot is in a state.
    fn control(&self, state: &[bool], slot: Slot) -> Option<Control> {
        let row = self.code(state, Cell::Location(slot)).checked_sub(1)?;
        self.encoding.layout.controls[slot].get(row as usize).copied()
    }

    fn code(&self, state: &[bool], cell: Cell) -> u32 {
        let bits = self.encoding.layout.bits[&cell].iter().enumerate();
        bits.map(|(row, &bit)| u32::from(state[bit]) << row).sum()
    }
}

fn variable(cell: Cell) -> Option<VariableId> {
    if let Cell::Variable(_, id, _) = cell { Some(id) } else { None }
}
