//! The program as a whole.
use std::collections::BTreeMap;
use std::fmt::Write;

use engine_symbolic::{Cell, Instance, Owner, Slot, Trouble};
use model::{EdgeId, ProcessTypeId};
use text::{Diagnostic, Sources};

use crate::faults::Faults;
use crate::specs::{Formulas, called};
use crate::steps::{Finder, Step, Steps, has_timeout, kept};
use crate::term::{Truth, Word};
use crate::view::{Changes, Value, View};
use crate::world::{Kind, Point, World};
use crate::{Exported, Mistake};

/// The whole program.
pub fn program(instance: &Instance, name: &str, sources: &Sources, mistake: Option<Mistake>) -> Exported {
    let mut world = World::new(instance, sources);
    let rest = world.has_control.then(|| world.names.fresh("rest"));
    let (timeout, happens) = (world.names.fresh("timeout"), world.names.fresh("something_happens"));
    let mut names = world.names.clone();
    let steps = Finder::find(&world, timeout.clone(), mistake);
    let steps = named(steps, &world, &mut names, mistake);
    let mut writer =
        Writer { world: &world, names, steps, rest, timeout, happens, text: String::new(), warnings: Vec::new() };
    writer.header(name);
    writer.declarations();
    writer.definitions();
    writer.first_values();
    writer.next_values();
    writer.choice();
    writer.specifications();
    Exported { text: writer.text, warnings: writer.warnings }
}

/// Steps, with the ones that hand back control, and names for all.
fn named(mut steps: Steps, world: &World<'_>, names: &mut crate::names::Names, mistake: Option<Mistake>) -> Steps {
    for step in &mut steps.list {
        step.name = names.fresh(&step.name);
        step.can = names.fresh(&format!("can_{}", step.name));
    }
    for (name, slot, ..) in &mut steps.faults {
        *name = names.fresh(&format!("{}_goes_wrong", world.slot(*slot)));
    }
    let released: Vec<Step> = (0..world.points.len()).filter_map(|slot| release(&steps, world, names, slot)).collect();
    steps.list.extend(released);
    if mistake == Some(Mistake::FrozenCell) {
        steps.list.iter_mut().for_each(|it| drop(it.changes.pop_last()));
    }
    steps
}

/// A process that goes on alone and cannot loses control.
fn release(steps: &Steps, world: &World<'_>, names: &mut crate::names::Names, slot: Slot) -> Option<Step> {
    let is_kept = |it: &&Point| it.inside.is_none() && kept(world.model().process(it.ty)).contains(&it.location);
    let points: Vec<&str> = world.points[slot].iter().filter(is_kept).map(|it| world.point(*it)).collect();
    if points.is_empty() {
        return None;
    }
    let at = Truth::is_one_of(world.cell(Cell::Location(slot)), &points);
    let alone = Truth::is(&world.alone, &slot.to_string());
    let own = steps.list.iter().filter(|it| it.slot == slot && !it.is_late).map(|it| &it.can);
    let wrong = steps.faults.iter().filter(|it| it.1 == slot && !it.2).map(|it| &it.0);
    let moves: Vec<Truth> = own.chain(wrong).map(Truth::symbol).collect();
    let name = names.fresh(&format!("{}_waits", world.slot(slot)));
    let can = names.fresh(&format!("can_{name}"));
    let note = format!("{} does not go on alone: it has to wait", world.slot(slot));
    let possible = alone.and(&at).minus(&Truth::any(&moves));
    Some(Step { name, can, possible, changes: Changes::new(), alone: None, slot, note, is_late: false })
}

struct Writer<'w> {
    world: &'w World<'w>,
    names: crate::names::Names,
    steps: Steps,
    rest: Option<String>,
    timeout: String,
    /// The definition of states in which some step is possible.
    happens: String,
    text: String,
    warnings: Vec<Diagnostic>,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn header(&mut self, name: &str) {
        self.line(&format!("-- {name}, as a program of SMV."));
        match &self.world.instance.proof {
            Ok(proof) => {
                let states = proof.states.clone();
                self.line(&format!("-- States that can be reached and in which everybody may move: {states}."));
            }
            Err(why) => {
                let why = format!("{why:?}");
                self.line(&format!("-- It is not proved that there is room for all that happens ({why})."));
                self.line("-- As long as the invariants `room_…` are true, there is.");
            }
        }
        if self.rest.is_some() {
            self.line("-- Inside `atomic` and `d_step` a process goes on `alone`; only where nobody does (`rest`) is there a state of the model.");
        }
        self.line("MODULE main");
    }

    // Variables.

    fn declarations(&mut self) {
        self.line("VAR");
        for slot in 0..self.world.points.len() {
            let world = self.world;
            let places = world.points[slot].iter().map(|it| world.point(*it));
            let list: Vec<&str> = std::iter::once(&*world.none).chain(places).collect();
            let types: Vec<&str> =
                world.instance.layout.types[slot].iter().map(|it| &*world.model().process(*it).name).collect();
            let name = world.cell(Cell::Location(slot));
            self.line(&format!("  {name} : {{{}}}; -- where process {slot} is: {}", list.join(", "), types.join(", ")));
        }
        for cell in self.world.variables().collect::<Vec<_>>() {
            let (name, note) = (self.world.cell(cell), self.described(cell));
            let line = format!("  {name} : {};{note}", declared(self.world.kind(cell)));
            self.line(&line);
        }
        if self.world.has_control {
            let last = self.world.points.len() as i64 - 1;
            let line = format!("  {} : -1..{last}; -- the process that goes on alone, -1 for nobody", self.world.alone);
            self.line(&line);
        }
        self.line("IVAR");
        let names: Vec<&str> = self.steps.list.iter().map(|it| &*it.name).collect();
        let line = format!("  {} : {{{}}};", self.world.step, [&["stand_still"], &names[..]].concat().join(", "));
        self.line(&line);
    }

    /// What a cell is, in the words of the model.
    fn described(&self, cell: Cell) -> String {
        let model = self.world.model();
        match cell {
            Cell::Variable(owner, id, _) => {
                let variable = match owner {
                    Owner::Global => &model.globals[id.0 as usize],
                    Owner::Process(_, ty) => &model.process(ty).variables[id.0 as usize],
                };
                format!(" -- `{}`, line {}", variable.name, self.world.line(variable.span))
            }
            Cell::Field(row, place, field) => {
                let fields = self.world.fields(row).len();
                format!(" -- message {}, field {} of {fields}", place + 1, field + 1)
            }
            Cell::Length(row) => {
                format!(" -- messages in it, at most {}", self.world.shape(row).capacity)
            }
            Cell::Monitor | Cell::LastMover | Cell::Location(_) => String::new(),
            Cell::Control | Cell::Claim | Cell::Turn => String::new(),
        }
    }

    fn first_values(&mut self) {
        self.line("ASSIGN");
        for slot in 0..self.world.points.len() {
            let cell = Cell::Location(slot);
            let code = self.world.instance.start.get(&cell).copied().unwrap_or(0);
            let place = self.initial_point(slot, code);
            let line = format!("  init({}) := {};", self.world.cell(cell), self.world.place(place));
            self.line(&line);
        }
        for cell in self.world.variables().collect::<Vec<_>>() {
            let value = if self.exists(cell) { self.world.instance.start.get(&cell).copied().unwrap_or(0) } else { 0 };
            let kind = self.world.kind(cell);
            let line = format!(
                "  init({}) := {};",
                self.world.cell(cell),
                assigned(&Word::constant(value, kind.bits()), kind)
            );
            self.line(&line);
        }
        if self.world.has_control {
            let line = format!("  init({}) := -1;", self.world.alone);
            self.line(&line);
        }
    }

    fn initial_point(&self, slot: Slot, code: i32) -> Option<Point> {
        let control = self.world.instance.layout.controls[slot].get(usize::try_from(code).ok()?.checked_sub(1)?)?;
        Some(Point { ty: control.0, inside: None, location: control.1 })
    }

    /// Whether what a cell belongs to exists at the beginning.
    fn exists(&self, cell: Cell) -> bool {
        let layout = &self.world.instance.layout;
        let owner = match cell {
            Cell::Variable(owner, ..) => owner,
            Cell::Length(row) | Cell::Field(row, ..) => layout.channels[row].owner,
            _ => Owner::Global,
        };
        let Owner::Process(slot, ty) = owner else { return true };
        let code = self.world.instance.start.get(&Cell::Location(slot)).copied().unwrap_or(0);
        self.initial_point(slot, code).is_some_and(|it| it.ty == ty)
    }

    // What happens.

    fn definitions(&mut self) {
        self.line("DEFINE");
        if let Some(rest) = &self.rest {
            let line = format!("  {rest} := {} = -1; -- everybody may move", self.world.alone);
            self.line(&line);
        }
        for row in 0..self.steps.list.len() {
            let step = &self.steps.list[row];
            let lines = format!("  -- {}\n  {} := {};", step.note, step.can, step.possible.text());
            self.line(&lines);
        }
        for row in 0..self.steps.faults.len() {
            let (name, _, _, condition) = &self.steps.faults[row];
            let line = format!("  {name} := {};", condition.text());
            self.line(&line);
        }
        if has_timeout(self.world) {
            let early = self.happening(|late| !late).or(&self.going_wrong(|late| !late));
            let moves = self.rest_truth().minus(&early);
            let line = format!("  {} := {}; -- nothing else is possible", self.timeout, moves.text());
            self.line(&line);
        }
        let line = format!("  {} := {};", self.happens, self.happening(|_| true).text());
        self.line(&line);
    }

    /// Where everybody may move.
    fn rest_truth(&self) -> Truth {
        self.rest.as_ref().map_or(Truth::constant(true), Truth::symbol)
    }

    /// Where some step is possible, of all that are late or are not.
    fn happening(&self, which: impl Fn(bool) -> bool) -> Truth {
        let all: Vec<Truth> =
            self.steps.list.iter().filter(|it| which(it.is_late)).map(|it| Truth::symbol(&it.can)).collect();
        Truth::any(&all)
    }

    /// Where a step is tried that has no meaning.
    fn going_wrong(&self, which: impl Fn(bool) -> bool) -> Truth {
        let all: Vec<Truth> =
            self.steps.faults.iter().filter(|it| which(it.2)).map(|it| Truth::symbol(&it.0)).collect();
        Truth::any(&all)
    }

    fn next_values(&mut self) {
        for slot in 0..self.world.points.len() {
            self.next_value(Cell::Location(slot));
        }
        for cell in self.world.variables().collect::<Vec<_>>() {
            self.next_value(cell);
        }
        if self.world.has_control {
            let alone = self.world.alone.clone();
            let moved: Vec<(String, String)> =
                self.steps.list.iter().map(|it| (it.name.clone(), shown(it.alone))).collect();
            self.cases(&alone, moved);
        }
    }

    fn next_value(&mut self, cell: Cell) {
        let changed = self.steps.list.iter().filter_map(|it| {
            let value = it.changes.get(&cell)?;
            Some((it.name.clone(), self.value(cell, value)))
        });
        let name = self.world.cell(cell).to_string();
        let changed: Vec<(String, String)> = changed.filter(|it| it.1 != name).collect();
        self.cases(&name, changed);
    }

    /// A list of the steps that change a variable.
    fn cases(&mut self, name: &str, changed: Vec<(String, String)>) {
        if changed.is_empty() {
            self.line(&format!("  next({name}) := {name};"));
            return;
        }
        self.line(&format!("  next({name}) := case"));
        let mut by_value: BTreeMap<String, Vec<String>> = BTreeMap::new();
        changed.into_iter().for_each(|(step, value)| by_value.entry(value).or_default().push(step));
        for (value, steps) in by_value {
            let steps: Vec<&str> = steps.iter().map(|it| &**it).collect();
            let line = format!("    {} : {value};", Truth::is_one_of(&self.world.step, &steps).text());
            self.line(&line);
        }
        self.line(&format!("    TRUE : {name};\n  esac;"));
    }

    fn value(&self, cell: Cell, value: &Value) -> String {
        match value {
            Value::Word(word) => assigned(word, self.world.kind(cell)),
            Value::Point(list) => self.point(self.world.cell(cell), list),
        }
    }

    fn point(&self, name: &str, list: &[(Truth, Option<Point>)]) -> String {
        list.iter().rev().fold(name.to_string(), |otherwise, (here, point)| {
            let place = self.world.place(*point);
            match here.known() {
                Some(true) => place.to_string(),
                Some(false) => otherwise,
                None => format!("({} ? {place} : {otherwise})", here.text()),
            }
        })
    }

    fn choice(&mut self) {
        self.line("TRANS case");
        for row in 0..self.steps.list.len() {
            let step = &self.steps.list[row];
            let line = format!("  {} = {} : {};", self.world.step, step.name, step.can);
            self.line(&line);
        }
        let line = format!("  TRUE : !{};\nesac", self.happens);
        self.line(&line);
    }

    // What should hold.

    fn specifications(&mut self) {
        let errors = std::mem::take(&mut self.steps.errors);
        for (key, conditions) in errors {
            self.error(key, &conditions);
        }
        self.invariants();
        self.end_states();
        for row in 0..self.steps.needs.len() {
            let condition = self.steps.needs[row].not();
            self.invariant("room", "", &condition);
        }
        self.formulas();
    }

    fn invariant(&mut self, name: &str, note: &str, holds: &Truth) {
        let name = self.names.fresh(name);
        self.line(&format!("INVARSPEC NAME {name} := {};{note}", holds.text()));
    }

    fn error(&mut self, (trouble, ty, edge): (Trouble, ProcessTypeId, EdgeId), conditions: &[Truth]) {
        let process = self.world.model().process(ty);
        let edge = process.edge(edge);
        let line = self.world.line(edge.span);
        let note = format!(" -- {}", edge.text.replace('\n', " "));
        self.invariant(
            &format!("{}_{}_line{line}", called(trouble), process.name),
            &note,
            &Truth::any(conditions).not(),
        );
    }

    fn invariants(&mut self) {
        for invariant in &self.world.model().invariants {
            let none = Changes::new();
            let view = View { world: self.world, changes: &none, me: None, timeout: false, spawned: None };
            let mut faults = Faults::default();
            view.faults(&invariant.condition, &Truth::constant(true), &mut faults);
            let holds = view.truth(&invariant.condition).minus(&faults.any);
            let holds = self.rest_truth().not().or(&holds);
            let note = format!(" -- line {}", self.world.line(invariant.span));
            self.invariant(&format!("invariant_{}", invariant.name), &note, &holds);
        }
    }

    /// Where nobody can move, everybody is at a valid end.
    fn end_states(&mut self) {
        let world = self.world;
        let mut unfinished = Truth::constant(false);
        for (slot, points) in world.points.iter().enumerate() {
            let waits = |it: &&Point| !world.model().process(it.ty).location(it.location).valid_end;
            let names: Vec<&str> = points.iter().filter(waits).map(|it| world.point(*it)).collect();
            unfinished = unfinished.or(&Truth::is_one_of(world.cell(Cell::Location(slot)), &names));
        }
        let stuck = self.rest_truth().minus(&Truth::symbol(&self.happens)).minus(&self.going_wrong(|_| true));
        self.invariant("valid_end_states", "", &stuck.and(&unfinished).not());
    }

    fn formulas(&mut self) {
        let formulas = Formulas { world: self.world, rest: self.rest.clone() };
        let mut lines = Vec::new();
        for property in &self.world.model().temporal_properties {
            match formulas.property(property) {
                Ok((word, text)) => {
                    let name = self.names.fresh(&property.name);
                    lines.push(format!("{word} NAME {name} := {text}; -- line {}", self.world.line(property.span)));
                }
                Err(warning) => self.warnings.push(warning),
            }
        }
        // Branching time first, as NuSMV answers.
        lines.sort_by_key(|it: &String| it.starts_with("LTLSPEC"));
        if let Some(rest) = self.rest.clone().filter(|_| !lines.is_empty()) {
            self.line(&format!("FAIRNESS {rest};"));
        }
        lines.iter().for_each(|it| self.line(it));
    }
}

/// The type of a variable.
fn declared(kind: Kind) -> String {
    match kind {
        Kind::Boolean | Kind::Fixed(_) => "boolean".into(),
        Kind::Unsigned(bits) => format!("unsigned word[{bits}]"),
        Kind::Signed(bits) => format!("signed word[{bits}]"),
    }
}

/// A word as a value of a variable.
fn assigned(word: &Word, kind: Kind) -> String {
    match kind {
        Kind::Boolean => word.is_true().text().to_string(),
        Kind::Signed(_) => word.signed(),
        Kind::Unsigned(_) | Kind::Fixed(_) => word.text().to_string(),
    }
}

fn shown(alone: Option<Slot>) -> String {
    alone.map_or("-1".into(), |it| it.to_string())
}
