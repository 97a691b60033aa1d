//! The sliced model.
use model::variables::{Name, all, types};
use model::{Edge, Effect, Expr, Form, Initial, LocationId, Model, Pattern, ProcessType, ProcessTypeId, VariableId};

use crate::Criterion;
use crate::needs::{Needs, Search};
use crate::shape::{Shape, way};

/// The model without what does not matter.
pub fn build(model: &Model, needs: &Needs, shapes: &[Shape], criterion: Criterion) -> Model {
    let search = Search::given(model, criterion, needs.clone());
    let mut sliced = model.clone();
    for ((owner, process), shape) in types(model).zip(shapes) {
        let it = &mut sliced.processes[owner.0 as usize];
        it.entry = shape.stops[process.entry.0 as usize].0;
        for (row, edge) in process.edges.iter().enumerate() {
            let building = Building { search: &search, needs, owner, process, shape, prints: criterion.idle };
            it.edges[row] = building.edge(edge, row);
        }
    }
    for name in all(model).into_iter().filter(|it| !needs.variables.contains(it)) {
        let variable = match name {
            Name::Global(id) => &mut sliced.globals[id.0 as usize],
            Name::Local(owner, id) => &mut sliced.processes[owner.0 as usize].variables[id.0 as usize],
        };
        if !matches!(variable.initial, Initial::Channels(_)) {
            variable.initial = Initial::Zero;
        }
    }
    sliced
}

struct Building<'a> {
    search: &'a Search<'a>,
    needs: &'a Needs,
    owner: ProcessTypeId,
    process: &'a ProcessType,
    shape: &'a Shape,
    /// What prints does so in the slice.
    prints: bool,
}

impl Building<'_> {
    fn edge(&self, edge: &Edge, row: usize) -> Edge {
        let source = edge.source.0 as usize;
        let gone = Edge { guard: Expr::Constant(0), effects: Vec::new(), otherwise: false, ..edge.clone() };
        if !self.shape.kept[source] || self.shape.cut[source] {
            return gone;
        }
        let inside = edge.target.is_some_and(|it| self.process.location(it).internal);
        let (target, keeps) = match way(&self.shape.stops, edge) {
            Some((stop, keeps)) if !inside => (Some(stop), keeps),
            _ => (edge.target, edge.keeps_control),
        };
        if !self.shape.decides[source] {
            let is_first = self.process.locations[source].first_edge as usize == row;
            let guard = Expr::Constant(i32::from(is_first));
            return Edge { guard, target, keeps_control: keeps, ..gone };
        }
        let mut effects = Vec::new();
        edge.effects.iter().for_each(|it| self.effect(it, &mut effects));
        let begins = |it: Option<&Effect>| {
            matches!(it, Some(Effect::Send { .. } | Effect::Receive { .. } | Effect::Indivisible(_)))
        };
        if begins(effects.first()) && !begins(edge.effects.first()) {
            effects.insert(0, Effect::Evaluate(Expr::Constant(0)));
        }
        let form = Form { apart: self.leads_apart(edge), ..edge.form };
        Edge { target, keeps_control: keeps, effects, form, ..edge.clone() }
    }

    /// Whether there is a label or a statement with others inside on the way to where an edge leads in the slice.
    fn leads_apart(&self, edge: &Edge) -> bool {
        let passed = |it: &LocationId| self.shape.stops[it.0 as usize].0 != *it;
        let next = |it: &&Edge| {
            let here = it.target.filter(passed)?;
            self.process.outgoing(here).next().map(|it| it.1)
        };
        std::iter::successors(Some(edge), next).take(self.process.edges.len()).any(|it| it.form.apart)
    }

    fn effect(&self, effect: &Effect, list: &mut Vec<Effect>) {
        let (owner, search) = (self.owner, self.search);
        let stays = match effect {
            Effect::Terminate => true,
            Effect::Print(_) => self.prints,
            _ => false,
        };
        if !stays && !search.matters(owner, self.process, effect) {
            return;
        }
        match effect {
            Effect::Assign(place, value) if !self.needs.variables.contains(&Name::of(owner, place)) => {
                if search.can_fault(owner, value) {
                    list.push(Effect::Evaluate(value.clone()));
                }
                if !search.is_there(owner, place) {
                    list.push(Effect::Evaluate(Expr::Read(place.clone())));
                }
            }
            Effect::Send { channel, message, sorted } => list.push(Effect::Send {
                channel: channel.clone(),
                message: message.iter().enumerate().map(|it| self.sent(channel, it)).collect(),
                sorted: *sorted,
            }),
            Effect::Receive { channel, patterns, anywhere, keep } => {
                let (channel, anywhere, keep) = (channel.clone(), *anywhere, *keep);
                let patterns = patterns.iter().map(|it| self.received(it)).collect();
                list.push(Effect::Receive { channel, patterns, anywhere, keep });
            }
            Effect::Spawn { process, arguments, priority } => {
                let argument = |(row, it): (usize, &Expr)| {
                    let parameter = Name::Local(*process, VariableId(row as u32));
                    let stays = self.needs.variables.contains(&parameter) || search.can_fault(owner, it);
                    if stays { it.clone() } else { Expr::Constant(0) }
                };
                let arguments = arguments.iter().enumerate().map(argument).collect();
                list.push(Effect::Spawn { process: *process, arguments, priority: priority.clone() });
            }
            other => list.push(other.clone()),
        }
    }

    fn sent(&self, channel: &Expr, (field, value): (usize, &Expr)) -> Expr {
        let stays = self.search.is_sent(self.owner, channel, field) || self.search.can_fault(self.owner, value);
        if stays { value.clone() } else { Expr::Constant(0) }
    }

    fn received(&self, pattern: &Pattern) -> Pattern {
        match pattern {
            Pattern::Store(place)
                if !self.needs.variables.contains(&Name::of(self.owner, place))
                    && self.search.is_there(self.owner, place) =>
            {
                Pattern::Any
            }
            other => other.clone(),
        }
    }
}
