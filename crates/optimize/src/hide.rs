//! Hiding: a variable that nobody ever looks at is not stored.
//!
//! The states of a model differ in what can be observed or can influence an observation; a counter that is
//! only counted is neither. A variable is *needed* if it is read where its value matters: in a condition, an assertion, an
//! index, a message, an argument, a property, or in the value for a variable that is needed itself. The rest is
//! *faint*: R. Giegerich, U. Möncke, R. Wilhelm, *Invariance of approximative semantics with respect to program
//! transformations*, 1981; SPIN's `-o2` switches off the simpler case of globals that no expression reads.
//! Assignments to variables that are not needed go away; what could go wrong in one (an index, a division) is
//! still evaluated. So do first values and arguments: otherwise states would differ in what they started with.
//! Printed values are not looked at: a trace is printed from the model as it was.
use std::collections::HashSet;

use model::access::effect_expressions;
use model::{Effect, Expr, Initial, Model, Pattern, Place, ProcessTypeId, Variable, VariableId};

use crate::Mistake;
use crate::faults::Types;
use model::observers::{Observers, outside};
use model::variables::{Name, all, every_part, reads, types};

/// Removes what is stored in variables that are not needed.
pub fn hide(model: &mut Model, mistake: Option<Mistake>) {
    if Observers::new(model).any_local {
        return;
    }
    let mut needs = Needs { needed: HashSet::new(), mistake };
    needs.outside(model);
    needs.inside(model);
    while needs.grow(model) {}
    remove(model, &needs);
}

/// Removes what is stored in variables that are not among the needed ones.
pub fn remove(model: &mut Model, needs: &Needs) {
    for row in 0..model.processes.len() {
        let owner = ProcessTypeId(row as u32);
        let effects = new_effects(model, owner, needs);
        let process = &mut model.processes[row];
        process.edges.iter_mut().zip(effects).for_each(|(edge, effects)| edge.effects = effects);
        for (row, variable) in process.variables.iter_mut().enumerate() {
            if !needs.needed.contains(&Name::Local(owner, VariableId(row as u32))) {
                variable.initial = Initial::Zero;
            }
        }
    }
}

/// What is needed.
pub struct Needs {
    pub needed: HashSet<Name>,
    pub mistake: Option<Mistake>,
}

impl Needs {
    fn read(&mut self, owner: ProcessTypeId, expr: &Expr) {
        reads(owner, expr, &mut |name| _ = self.needed.insert(name));
    }

    /// What properties and first values look at, and what names channels.
    fn outside(&mut self, model: &Model) {
        outside(model, &mut |expr| self.read(ProcessTypeId(0), expr));
        let creates = |variable: &Variable| matches!(variable.initial, Initial::Channels(_));
        self.needed.extend(all(model).into_iter().filter(|it| creates(it.declared(model))));
        for values in model.globals.iter().filter_map(first_values) {
            values.iter().for_each(|value| self.read(ProcessTypeId(0), value));
        }
    }

    /// A variable has to stay if its first value may be a fault.
    fn first_values(&mut self, model: &Model, owner: ProcessTypeId) {
        let types = Types::new(model, owner);
        for (row, variable) in model.process(owner).variables.iter().enumerate() {
            if first_values(variable).is_some_and(|values| values.iter().any(|it| types.can_fault(it))) {
                self.needed.insert(Name::Local(owner, VariableId(row as u32)));
            }
        }
    }

    /// What steps look at, whatever becomes of it.
    fn inside(&mut self, model: &Model) {
        for (owner, process) in types(model) {
            self.first_values(model, owner);
            process.provided.iter().for_each(|it| self.read(owner, it));
            process.exclusive.iter().for_each(|it| self.read(owner, &it.channel));
            for edge in &process.edges {
                if self.mistake != Some(Mistake::HideTested) {
                    self.read(owner, &edge.guard);
                }
                edge.effects.iter().for_each(|effect| self.effect(model, owner, effect));
            }
        }
    }

    fn effect(&mut self, model: &Model, owner: ProcessTypeId, effect: &Effect) {
        let types = Types::new(model, owner);
        match effect {
            Effect::Assign(place, value) => {
                place.indices.iter().for_each(|index| self.read(owner, index));
                self.if_it_can_fault(&types, owner, value);
            }
            Effect::Spawn { process, arguments, priority } => {
                self.read(owner, priority);
                for (row, _) in arguments.iter().enumerate().filter(|it| types.can_fault(it.1)) {
                    self.needed.insert(Name::Local(*process, VariableId(row as u32)));
                }
            }
            Effect::Print(_) => effect_expressions(effect, &mut |expr| self.if_it_can_fault(&types, owner, expr)),
            _ => effect_expressions(effect, &mut |expr| self.read(owner, expr)),
        }
        if let Effect::Receive { patterns, .. } = effect {
            for pattern in patterns {
                // A message that does not fit its place is a fault: the place has to stay.
                if let Pattern::Store(place) = pattern
                    && !types.is_always_there(place)
                {
                    self.needed.insert(Name::of(owner, place));
                }
            }
        }
    }

    fn if_it_can_fault(&mut self, types: &Types<'_>, owner: ProcessTypeId, expr: &Expr) {
        if types.can_fault(expr) {
            self.read(owner, expr);
        }
    }

    /// What goes into something that is needed is needed; false if that was known.
    fn grow(&mut self, model: &Model) -> bool {
        let before = self.needed.len();
        for (owner, process) in types(model) {
            for effect in process.edges.iter().flat_map(|it| &it.effects) {
                self.grow_by(owner, effect);
            }
            for (row, variable) in process.variables.iter().enumerate() {
                if self.needed.contains(&Name::Local(owner, VariableId(row as u32))) {
                    first_values(variable).into_iter().flatten().for_each(|value| self.read(owner, value));
                }
            }
        }
        self.needed.len() > before
    }

    fn grow_by(&mut self, owner: ProcessTypeId, effect: &Effect) {
        match effect {
            Effect::Assign(place, value) if !self.is_hidden(owner, place) => self.read(owner, value),
            Effect::Spawn { process, arguments, .. } => {
                for (row, argument) in arguments.iter().enumerate() {
                    if self.needed.contains(&Name::Local(*process, VariableId(row as u32))) {
                        self.read(owner, argument);
                    }
                }
            }
            _ => {}
        }
    }

    fn is_hidden(&self, owner: ProcessTypeId, place: &Place) -> bool {
        !self.needed.contains(&Name::of(owner, place))
    }
}

/// Per edge: its effects without what is not needed.
fn new_effects(model: &Model, owner: ProcessTypeId, needs: &Needs) -> Vec<Vec<Effect>> {
    let types = Types::new(model, owner);
    let edge = |edge: &model::Edge| {
        let mut list = Vec::new();
        edge.effects.iter().for_each(|effect| new_effect(&types, owner, effect, needs, &mut list));
        // What stands first decides whether this is half of a rendezvous or a region.
        let is_first = |effects: &[Effect]| matches!(effects.first(), Some(it) if begins(it));
        if is_first(&list) && !is_first(&edge.effects) {
            list.insert(0, Effect::Evaluate(Expr::Constant(0)));
        }
        list
    };
    model.process(owner).edges.iter().map(edge).collect()
}

fn begins(effect: &Effect) -> bool {
    matches!(effect, Effect::Send { .. } | Effect::Receive { .. } | Effect::Indivisible(_))
}

fn new_effect(types: &Types<'_>, owner: ProcessTypeId, effect: &Effect, needs: &Needs, list: &mut Vec<Effect>) {
    match effect {
        Effect::Assign(place, value) if needs.is_hidden(owner, place) => {
            if needs.mistake == Some(Mistake::HideFault) {
                return;
            }
            if types.can_fault(value) || spawned(value) {
                list.push(Effect::Evaluate(value.clone()));
            }
            if !types.is_always_there(place) {
                list.push(Effect::Evaluate(Expr::Read(place.clone())));
            }
        }
        Effect::Receive { channel, patterns, anywhere, keep } => {
            let (channel, anywhere, keep) = (channel.clone(), *anywhere, *keep);
            let pattern = |it: &Pattern| match it {
                Pattern::Store(place) if needs.is_hidden(owner, place) => Pattern::Any,
                other => other.clone(),
            };
            let patterns = patterns.iter().map(pattern).collect();
            list.push(Effect::Receive { channel, patterns, anywhere, keep });
        }
        Effect::Spawn { process, arguments, priority } => {
            let argument = |(row, it): (usize, &Expr)| {
                let needed = needs.needed.contains(&Name::Local(*process, VariableId(row as u32)));
                if needed { it.clone() } else { Expr::Constant(0) }
            };
            let arguments = arguments.iter().enumerate().map(argument).collect();
            list.push(Effect::Spawn { process: *process, arguments, priority: priority.clone() });
        }
        other => list.push(other.clone()),
    }
}

fn first_values(variable: &Variable) -> Option<&[Expr]> {
    match &variable.initial {
        Initial::Values(values) => Some(values),
        Initial::Zero | Initial::Channels(_) => None,
    }
}

/// Whether an expression has to do with a process that was just created; better left where it is.
fn spawned(expr: &Expr) -> bool {
    let mut found = false;
    every_part(expr, &mut |part| found |= *part == Expr::Spawned);
    found
}
