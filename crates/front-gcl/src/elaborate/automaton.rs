//! What a process does as a graph: places, and commands that lead from one to another.
//!
//! A sequence first becomes a graph in which one may also go from place to place without a step, if conditions allow it (Thompson 1968). Then such
//! moves are followed to the commands behind them, whose conditions they join, and only places where a command can end remain: these are the
//! values of the program counter. So `if`, `while` and `choose` cost no states.
use std::collections::BTreeMap;

use crate::ast::{Command, Expr, Process, Step};

/// A condition or its opposite.
pub type Condition<'t> = (&'t Expr, bool);

/// A command of a process with its place.
#[derive(Clone, Debug)]
pub struct Arc<'t> {
    /// Where it is possible; `None` for everywhere.
    pub from: Option<usize>,
    /// What must be true beside its own condition.
    pub conditions: Vec<Condition<'t>>,
    /// What happens.
    pub command: &'t Command,
    /// Where it leads; `None` if the place stays the same.
    pub to: Option<usize>,
}

/// The graph of a process.
#[derive(Clone, Debug, Default)]
pub struct Automaton<'t> {
    /// How many places there are; none for a process without a program counter.
    pub size: usize,
    /// Names of places and their numbers; `None` for one where the process never stays.
    pub places: Vec<(String, Option<usize>)>,
    /// Whether all places have names.
    pub is_named: bool,
    /// All commands.
    pub arcs: Vec<Arc<'t>>,
    /// Where it may stop, and under which conditions.
    pub ends: Vec<(usize, Vec<Condition<'t>>)>,
}

impl<'t> Automaton<'t> {
    /// The graph of a process, and the commands whose targets do not exist.
    pub fn new(process: &'t Process) -> (Automaton<'t>, Vec<&'t Command>) {
        let mut automaton = match &process.behaviour {
            Some(steps) => Thompson::default().automaton(steps),
            None => of_states(process),
        };
        let (mut arcs, mut wrong) = (Vec::new(), Vec::new());
        let named = process.states.iter().flat_map(|it| &it.commands).chain(&process.commands);
        for command in named {
            let from = process.states.iter().position(|it| it.commands.iter().any(|own| std::ptr::eq(own, command)));
            let goal = command.target.as_ref().map(|it| automaton.places.iter().find(|place| place.0 == it.text));
            match goal {
                Some(None) => wrong.push(command),
                Some(Some((_, to))) => arcs.push(Arc { from, conditions: Vec::new(), command, to: *to }),
                None => arcs.push(Arc { from, conditions: Vec::new(), command, to: None }),
            }
        }
        automaton.arcs.extend(arcs);
        (automaton, wrong)
    }
}

/// A process with named states.
fn of_states(process: &Process) -> Automaton<'_> {
    let places = process.states.iter().enumerate().map(|(row, it)| (it.name.text.clone(), Some(row))).collect();
    let finals = process.states.iter().enumerate().filter(|it| it.1.is_final);
    Automaton {
        size: process.states.len(),
        places,
        is_named: true,
        arcs: Vec::new(),
        ends: finals.map(|it| (it.0, Vec::new())).collect(),
    }
}

/// A place of the first graph.
#[derive(Default)]
struct Node<'t> {
    moves: Vec<(Option<Condition<'t>>, usize)>,
    commands: Vec<(&'t Command, usize)>,
    ends: bool,
}

#[derive(Default)]
struct Thompson<'t> {
    nodes: Vec<Node<'t>>,
    labels: Vec<(String, usize)>,
}

impl<'t> Thompson<'t> {
    fn node(&mut self) -> usize {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    fn go(&mut self, from: usize, condition: Option<Condition<'t>>, to: usize) {
        self.nodes[from].moves.push((condition, to));
    }

    /// A sequence that begins at one place and ends at another.
    fn sequence(&mut self, steps: &'t [Step], from: usize, to: usize) {
        let mut here = from;
        for (row, step) in steps.iter().enumerate() {
            let next = if row + 1 == steps.len() { to } else { self.node() };
            self.step(step, here, next);
            here = next;
        }
        if steps.is_empty() {
            self.go(from, None, to);
        }
    }

    fn inside(&mut self, from: usize, condition: Option<Condition<'t>>, steps: &'t [Step], to: usize) {
        let start = self.node();
        self.go(from, condition, start);
        self.sequence(steps, start, to);
    }

    fn step(&mut self, step: &'t Step, from: usize, to: usize) {
        match step {
            Step::Command(command) => self.nodes[from].commands.push((command, to)),
            Step::Label(name) => {
                self.labels.push((name.text.clone(), from));
                self.go(from, None, to);
            }
            Step::When(condition) => self.go(from, Some((condition, true)), to),
            Step::Choose(list) => list.iter().for_each(|it| self.inside(from, None, it, to)),
            Step::If(condition, yes, no) => {
                self.inside(from, Some((condition, true)), yes, to);
                self.inside(from, Some((condition, false)), no, to);
            }
            Step::While(condition, steps) => {
                let head = self.node();
                self.go(from, None, head);
                self.inside(head, Some((condition, true)), steps, head);
                self.go(head, Some((condition, false)), to);
            }
            Step::Cycle(steps) => {
                let head = self.node();
                self.go(from, None, head);
                self.sequence(steps, head, head);
            }
            Step::End(_) => self.nodes[from].ends = true,
            Step::Stop(_) => {}
        }
    }

    fn automaton(mut self, steps: &'t [Step]) -> Automaton<'t> {
        let (start, end) = (self.node(), self.node());
        self.sequence(steps, start, end);
        self.nodes[end].ends = true;
        let start = self.same(start);
        let stays = self.stays(start);
        let mut automaton = Automaton { size: stays.len(), ..Automaton::default() };
        for (&node, &number) in &stays {
            let mut found = Found { commands: Vec::new(), ends: Vec::new() };
            self.follow(node, &mut Vec::new(), &mut vec![node], &mut found);
            for (conditions, command, target) in found.commands {
                let to = stays.get(&self.same(target)).copied();
                automaton.arcs.push(Arc { from: Some(number), conditions, command, to });
            }
            automaton.ends.extend(found.ends.into_iter().map(|it| (number, it)));
        }
        automaton.places = self.labels.iter().map(|it| (it.0.clone(), stays.get(&self.same(it.1)).copied())).collect();
        automaton
    }

    /// The places where commands end, with their numbers; the first is where the process begins.
    fn stays(&self, start: usize) -> BTreeMap<usize, usize> {
        let (mut seen, mut waiting) = (vec![start], vec![start]);
        while let Some(node) = waiting.pop() {
            let mut found = Found { commands: Vec::new(), ends: Vec::new() };
            self.follow(node, &mut Vec::new(), &mut vec![node], &mut found);
            for target in found.commands.iter().map(|it| self.same(it.2)) {
                if !seen.contains(&target) {
                    seen.push(target);
                    waiting.push(target);
                }
            }
        }
        seen[1..].sort_unstable();
        seen.into_iter().enumerate().map(|(number, node)| (node, number)).collect()
    }

    /// A place from which one can only go on to another is that other one.
    fn same(&self, mut node: usize) -> usize {
        let mut passed = Vec::new();
        while let Node { moves, commands, ends: false } = &self.nodes[node]
            && let ([(None, next)], true, false) = (&moves[..], commands.is_empty(), passed.contains(&node))
        {
            passed.push(node);
            node = *next;
        }
        node
    }

    /// All commands behind moves, with the conditions of the moves.
    fn follow(&self, node: usize, conditions: &mut Vec<Condition<'t>>, path: &mut Vec<usize>, found: &mut Found<'t>) {
        let it = &self.nodes[node];
        found.commands.extend(it.commands.iter().map(|(command, to)| (conditions.clone(), *command, *to)));
        if it.ends {
            found.ends.push(conditions.clone());
        }
        for &(condition, next) in it.moves.iter().filter(|it| !path.contains(&it.1)).collect::<Vec<_>>() {
            let length = conditions.len();
            conditions.extend(condition);
            path.push(next);
            self.follow(next, conditions, path, found);
            path.pop();
            conditions.truncate(length);
        }
    }
}

struct Found<'t> {
    commands: Vec<(Vec<Condition<'t>>, &'t Command, usize)>,
    ends: Vec<Vec<Condition<'t>>>,
}
