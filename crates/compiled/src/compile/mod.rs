//! From a process of the model to code for one place in the state.
//!
//! Each location becomes one piece that tries its edges in order: the guard looks at the state itself;
//! if it is true, the effects happen to a copy, which is handed over. The conditions of an effect at
//! the front (a channel with room, a message that fits) belong to the guard, so that a copy is made
//! only of states that have the step.
mod effects;
mod expressions;
mod handshakes;
mod messages;
mod regions;

use model::{
    Direction, Edge, EdgeId, Effect, Expr, Initial, LocationId, Model, Pattern, ProcessType, ProcessTypeId, Scope,
    VariableId,
};

use crate::code::{Comparison, Instr, Label, MOVED, Reg};
use crate::machine::{Act, Tables};
use crate::packing::{Frame, Home, Packing};
use crate::slot::Slot;

/// The code of a process at one place in the state.
#[derive(Debug)]
pub struct ProcessCode {
    /// Which process.
    pub ty: ProcessTypeId,
    /// The row of the program that it is part of.
    pub program: usize,
    /// Where it starts.
    pub entry: Label,
    /// How to go there from the code of another process.
    pub then: Then,
    /// Where the process keeps its location.
    pub location: Slot,
    /// Per location: the edges that can be the second half of a rendezvous.
    pub seconds: Vec<Vec<Second>>,
    /// Per edge: where the process is afterwards.
    pub targets: Vec<Option<LocationId>>,
    /// Per edge: what is cleared then.
    pub forgotten: Vec<Vec<Slot>>,
    /// The condition on every step.
    pub provided: Option<Label>,
    /// Gives variables their first values.
    pub start: Label,
    /// The channels declared as its own: the row if it is known, and code that leaves it in register 0.
    pub exclusive: Vec<(Direction, Option<usize>, Label)>,
    /// No state may offer two steps.
    pub deterministic: bool,
    /// Variables that never change, with the values for which this code was made.
    pub known: Vec<(Slot, i32)>,
}

/// An edge as the second half of a rendezvous.
#[derive(Clone, Copy, Debug)]
pub struct Second {
    /// Which edge.
    pub edge: EdgeId,
    /// All it does then.
    pub code: Label,
    /// The row of the channel, if it is known.
    pub channel: Option<u32>,
    /// The process goes on alone.
    pub keeps_control: bool,
    /// Edges of a group interrupt those of others.
    pub group: u32,
    /// What the first field must be, if that is all there is to know before looking at the others.
    pub wanted: Option<i32>,
}

/// What is known about where code will run.
pub struct Site<'a> {
    /// The number of the process.
    pub pid: usize,
    /// Its type.
    pub ty: ProcessTypeId,
    /// Where its parts lie.
    pub frame: &'a Frame,
    /// Variables that never change, and their values.
    pub known: Vec<(VariableId, i32)>,
    /// The row of the program that the code becomes part of.
    pub program: usize,
    /// Words with bits of its own, and the bits of others in these; only with a fixed place.
    pub keeps: &'a [(usize, u64)],
    /// Where to go on when all edges have been tried, unless only this process is asked.
    pub then: Option<Then>,
}

/// How the code of the next process begins.
#[derive(Clone, Copy, Debug)]
pub enum Then {
    /// By looking at its location: the variable, and the first of the rows that say where to go on.
    Location(Slot, u32),
    /// With something else.
    Code(Label),
}

/// Compiles a process.
pub fn compile(
    model: &Model,
    packing: &Packing,
    tables: &mut Tables,
    site: &Site<'_>,
    program: &mut Vec<Instr>,
) -> ProcessCode {
    let mut compiler = Compiler::new(model, packing, tables, site, std::mem::take(program));
    let code = compiler.process();
    *program = compiler.code;
    code
}

/// Compiles a condition that a process could have.
pub fn compile_condition(
    model: &Model,
    packing: &Packing,
    tables: &mut Tables,
    site: &Site<'_>,
    program: &mut Vec<Instr>,
    condition: &Expr,
) -> Label {
    let mut compiler = Compiler::new(model, packing, tables, site, std::mem::take(program));
    let start = compiler.condition_code(condition);
    compiler.link();
    *program = compiler.code;
    start
}

/// Registers that one expression may need at most.
const REGISTERS: Reg = 200;

struct Compiler<'a> {
    model: &'a Model,
    packing: &'a Packing,
    tables: &'a mut Tables,
    site: &'a Site<'a>,
    pid: usize,
    ty: ProcessTypeId,
    frame: &'a Frame,
    graph: &'a ProcessType,
    /// A message is handed over in registers.
    at_once: bool,
    /// The edge and which of its effects is being translated.
    effect: Option<(EdgeId, usize)>,
    has_exclusive: bool,
    /// Rows of the edges of this type among all edges of the model.
    first_edge: usize,
    code: Vec<Instr>,
    /// Where the code of this process begins.
    begin: usize,
    labels: Vec<Label>,
}

/// A place in the code that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark(u32);

impl<'a> Compiler<'a> {
    fn new(
        model: &'a Model,
        packing: &'a Packing,
        tables: &'a mut Tables,
        site: &'a Site<'a>,
        code: Vec<Instr>,
    ) -> Self {
        let first_edge = first_edge(model, site.ty);
        let begin = code.len();
        let has_exclusive = model.checks_exclusive();
        let graph = model.process(site.ty);
        Compiler {
            model,
            packing,
            tables,
            site,
            pid: site.pid,
            ty: site.ty,
            frame: site.frame,
            graph,
            at_once: false,
            effect: None,
            has_exclusive,
            first_edge,
            code,
            begin,
            labels: Vec::new(),
        }
    }

    fn process(&mut self) -> ProcessCode {
        let entry = self.here();
        let end = self.mark();
        if let Some(provided) = &self.graph.provided {
            self.jump_unless(provided, end, 0);
        }
        let ids = (0..self.graph.locations.len()).map(|row| LocationId(row as u32));
        let first_jump = self.tables.jumps.len() as u32;
        self.tables.jumps.extend(ids.clone().map(|_| 0));
        self.emit(Instr::Switch(self.frame.location, first_jump));
        let marks: Vec<Mark> = ids.clone().map(|_| self.mark()).collect();
        ids.clone().zip(&marks).for_each(|(location, &mark)| self.location_code(location, mark, end));
        self.set(end);
        self.end();
        for (row, mark) in marks.iter().enumerate() {
            self.tables.jumps[first_jump as usize + row] = self.labels[mark.0 as usize];
        }
        let seconds = ids.map(|it| self.seconds(it)).collect();
        let provided = self.graph.provided.as_ref().map(|it| self.condition_code(it));
        let start = self.start();
        let exclusive = self.graph.exclusive.iter().map(|it| self.exclusive(it)).collect();
        self.link();
        ProcessCode {
            ty: self.ty,
            program: self.site.program,
            entry,
            then: match self.graph.provided {
                None => Then::Location(self.frame.location, first_jump),
                Some(_) => Then::Code(entry),
            },
            location: self.frame.location,
            seconds,
            targets: self.graph.edges.iter().map(|it| it.target).collect(),
            forgotten: self.graph.edges.iter().map(|it| self.forgotten(it)).collect(),
            provided,
            start,
            exclusive,
            deterministic: self.graph.deterministic,
            known: self.known_slots(),
        }
    }

    fn exclusive(&mut self, declared: &model::Exclusive) -> (Direction, Option<usize>, Label) {
        let number = self.known_channel(&declared.channel).and(self.constant(&declared.channel));
        (declared.direction, number.map(|it| it as usize - 1), self.channel_code(&declared.channel))
    }

    fn known_slots(&self) -> Vec<(Slot, i32)> {
        let slot = |&(variable, value): &(VariableId, i32)| match self.frame.variables[variable.0 as usize] {
            Home::Bits { bit, width } => Some((Slot::new(bit, width), value)),
            Home::Constant(_) => None,
        };
        self.site.known.iter().filter_map(slot).collect()
    }

    fn here(&self) -> Label {
        self.code.len() as Label
    }

    fn emit(&mut self, instr: Instr) {
        self.code.push(instr);
    }

    /// A place to jump to that is set later.
    fn mark(&mut self) -> Mark {
        self.labels.push(Label::MAX);
        Mark(self.labels.len() as u32 - 1)
    }

    fn set(&mut self, mark: Mark) {
        self.labels[mark.0 as usize] = self.here();
    }

    /// Jumps hold marks until every place is known.
    fn link(&mut self) {
        let labels = &self.labels;
        let targets = self.code[self.begin..].iter_mut().filter_map(Instr::target_mut);
        targets.for_each(|to| *to = labels[*to as usize]);
    }

    fn if_moved(&mut self, to: Mark) {
        self.if_register(MOVED, Comparison::Ne, 0, to);
    }

    /// All edges of the process have been tried.
    fn end(&mut self) {
        self.emit(match self.site.then {
            Some(Then::Location(slot, first)) => Instr::Next(slot, first),
            Some(Then::Code(label)) => Instr::NextAt(label),
            None => Instr::End,
        });
    }

    /// Tries the edges of a location, with the rules of groups and of `otherwise`.
    fn location_code(&mut self, location: LocationId, start: Mark, end: Mark) {
        self.set(start);
        if self.graph.location(location).internal {
            return self.emit(Instr::Trouble);
        }
        let edges: Vec<(EdgeId, &Edge)> = self.graph.outgoing(location).collect();
        if self.graph.deterministic || edges.iter().any(|it| it.1.otherwise || it.1.group > 0) {
            self.emit(Instr::Const(MOVED, 0));
        }
        let mut group = 0;
        for (id, edge) in edges {
            if group > 0 && edge.group != group {
                self.if_moved(end);
            }
            group = edge.group;
            self.edge(id, edge);
        }
        self.end();
    }

    /// The row of a step in the tables.
    fn act(&mut self, id: EdgeId) -> u32 {
        self.tables.acts.push(Act { process: self.pid, edge: self.first_edge + id.0 as usize, id });
        self.tables.acts.len() as u32 - 1
    }

    fn edge(&mut self, id: EdgeId, edge: &Edge) {
        let (next, blocked) = (self.mark(), self.mark());
        if edge.otherwise {
            self.if_moved(next);
        }
        self.handshake(id, edge, next);
        if let [Effect::Indivisible(entry)] = edge.effects[..]
            && edge.guard.is_true()
        {
            self.whole_region(id, edge, entry);
            return self.set(next);
        }
        if !edge.guard.is_true() {
            self.jump_unless(&edge.guard, next, 0);
        }
        if let Some(effect) = edge.effects.first() {
            self.condition(effect, next);
        }
        self.emit(Instr::Fork);
        for (row, effect) in edge.effects.iter().enumerate() {
            if row > 0 {
                self.condition(effect, blocked);
            }
            self.effect = Some((id, row));
            self.action(effect, edge.target, blocked);
        }
        self.forget(edge);
        self.arrive(id, edge, edge.target, next);
        self.set(blocked);
        self.emit(Instr::Drop);
        self.set(next);
    }

    /// The copy, in which the process goes to `target`, is a successor; goes on elsewhere.
    pub(super) fn arrive(&mut self, id: EdgeId, edge: &Edge, target: Option<LocationId>, next: Mark) {
        if self.graph.deterministic {
            let (fine, choice) = (self.mark(), self.mark());
            self.if_moved(choice);
            self.jump(fine);
            self.set(choice);
            self.emit(Instr::Trouble);
            self.set(fine);
        }
        if let Some(slot) = self.packing.last_mover {
            self.emit(Instr::StoreConst(slot, self.pid as i32));
        }
        let location = self.frame.location;
        if let (Some(target), true, false) = (target, self.packing.same_length, edge.keeps_control) {
            let row = (self.first_edge + id.0 as usize) as u32;
            return self.emit(Instr::Arrive(location, target.0 as u16, row, next.0));
        }
        if let Some(target) = target {
            self.emit(Instr::StoreConst(location, target.0 as i32));
        }
        let act = self.act(id);
        self.emit(if edge.keeps_control { Instr::EmitInner(act) } else { Instr::Emit(act) });
        self.jump(next);
    }

    /// Clears the variables that nobody will look at after a step.
    pub(super) fn forget(&mut self, edge: &Edge) {
        self.forgotten(edge).into_iter().for_each(|slot| self.emit(Instr::StoreConst(slot, 0)));
    }

    /// Where the variables lie that nobody will look at after a step.
    fn forgotten(&self, edge: &Edge) -> Vec<Slot> {
        let mut slots = Vec::new();
        for row in edge.forgets.iter().filter(|_| edge.target.is_some()).map(|it| it.0 as usize) {
            if let Home::Bits { bit, width } = self.frame.variables[row] {
                let elements = 0..self.graph.variables[row].elements() as u32;
                slots.extend(elements.map(|element| Slot::new(bit + element * width, width)));
            }
        }
        slots
    }

    fn seconds(&mut self, location: LocationId) -> Vec<Second> {
        if self.graph.location(location).internal {
            return Vec::new();
        }
        let edges: Vec<(EdgeId, &Edge)> = self.graph.outgoing(location).collect();
        edges.into_iter().filter_map(|(id, edge)| self.second(id, edge)).collect()
    }

    fn move_to(&mut self, edge: &Edge) {
        if let Some(target) = edge.target
            && !matches!(edge.effects.last(), Some(Effect::Indivisible(_)))
        {
            self.emit(Instr::StoreConst(self.frame.location, target.0 as i32));
        }
    }

    fn condition_code(&mut self, condition: &Expr) -> Label {
        let start = self.here();
        let blocked = self.mark();
        self.jump_unless(condition, blocked, 0);
        self.emit(Instr::Done);
        self.set(blocked);
        self.emit(Instr::Blocked);
        start
    }

    fn channel_code(&mut self, channel: &Expr) -> Label {
        let start = self.here();
        self.channel(channel, 0);
        self.emit(Instr::Done);
        start
    }

    /// The first values of all variables but the channels, which are known only when it happens.
    fn start(&mut self) -> Label {
        let start = self.here();
        self.initial_values();
        self.emit(Instr::Done);
        start
    }

    fn initial_values(&mut self) {
        for (row, variable) in self.graph.variables.iter().enumerate() {
            if let Initial::Values(values) = &variable.initial {
                for element in 0..variable.elements() {
                    self.expr(&values[element.min(values.len() - 1)], 0);
                    self.store_element(row, element, 0);
                }
            }
        }
    }

    /// The numbers of the channels that are created with a process that has a fixed place.
    fn initial_channels(&mut self) {
        let older = self.packing.fixed[..self.pid].iter().map(|it| it.1.channels.len()).sum::<usize>();
        let mut number = (self.packing.globals.channels.len() + older) as i32;
        for (row, variable) in self.graph.variables.iter().enumerate() {
            if let Initial::Channels(_) = variable.initial {
                for element in 0..variable.elements() {
                    number += 1;
                    self.emit(Instr::Const(0, number));
                    self.store_element(row, element, 0);
                }
            }
        }
    }

    fn store_element(&mut self, row: usize, element: usize, from: Reg) {
        if let Home::Bits { bit, width } = self.frame.variables[row] {
            let ty = self.graph.variables[row].ty;
            self.narrow(from, ty, width);
            self.emit(Instr::Store(Slot::new(bit + element as u32 * width, width), from));
        }
    }

    /// Trouble if the next register is not there.
    fn next(&mut self, register: Reg) -> Reg {
        if register >= REGISTERS {
            self.emit(Instr::Trouble);
            return register;
        }
        register + 1
    }

    fn variable(&self, scope: Scope, id: VariableId) -> (&'a Home, &'a model::Variable) {
        let row = id.0 as usize;
        match scope {
            Scope::Global => (&self.packing.globals.variables[row], &self.model.globals[row]),
            Scope::Local => (&self.frame.variables[row], &self.graph.variables[row]),
        }
    }

    fn trouble_unless(&mut self, condition: &Expr) {
        let (bad, good) = (self.mark(), self.mark());
        self.jump_unless(condition, bad, 0);
        self.jump(good);
        self.set(bad);
        self.emit(Instr::Trouble);
        self.set(good);
    }

    fn jump(&mut self, to: Mark) {
        self.emit(Instr::Jump(to.0));
    }

    fn if_register(&mut self, register: Reg, comparison: Comparison, value: i32, to: Mark) {
        self.emit(Instr::IfRegConst(register, comparison, value, to.0));
    }
}

/// The row of the first edge of a type among all edges of the model.
fn first_edge(model: &Model, ty: ProcessTypeId) -> usize {
    model.processes[..ty.0 as usize].iter().map(|it| it.edges.len()).sum()
}

/// Whether an edge could be the second half of a rendezvous.
fn begins_with_receive(graph: &ProcessType, edge: &Edge) -> bool {
    match edge.effects.first() {
        Some(Effect::Receive { .. }) => true,
        Some(Effect::Indivisible(entry)) => graph
            .outgoing(*entry)
            .any(|(_, it)| it.guard == Expr::TRUE && matches!(it.effects.first(), Some(Effect::Receive { .. }))),
        _ => false,
    }
}

/// The values that a pattern compares with.
fn wanted(patterns: &[Pattern]) -> impl Iterator<Item = &Expr> {
    patterns.iter().filter_map(Pattern::value)
}
