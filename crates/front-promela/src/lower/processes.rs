//! Processes and traces: bodies and what stands around them.
use std::collections::HashSet;

use model::{Effect, Expr, Monitor, Pattern, ProcessType, ProcessTypeId, Start};
use text::{Diagnostic, Span};

use super::names::Class;
use super::nodes::{Kind, Nodes};
use super::{Body, BodyKind, Lower, graph};
use crate::ast::{self, Block, Ident, Name};

/// The most processes that can exist at once, and the most process types.
const LARGEST: usize = 255;

/// The most control locations that a process type can have.
const LARGEST_PROCESS: usize = u16::MAX as usize;

impl Lower {
    pub fn announce_process(&mut self, process: &ast::Process) {
        let row = self.model.processes.len() as u32;
        self.model.processes.push(ProcessType { span: process.at.0, ..ProcessType::default() });
        if let Some(name) = &process.name {
            self.declare_name(name, super::names::Symbol::Process(row));
        } else if let Some(other) = self.model.processes.iter().find(|it| it.name == "init") {
            let diagnostic = Diagnostic::error("two-inits", process.at.0, "there can be only one `init`");
            self.diagnostics.push(diagnostic.note(other.span, "the other one"));
        }
        let name = process.name.as_ref().map_or("init".to_string(), |it| it.name.to_string());
        self.model.processes[row as usize].name = name;
        if row as usize == LARGEST {
            self.error("too-many-types", process.at.0, format!("there can be at most {LARGEST} process types"));
        }
    }

    pub fn process(&mut self, process: &ast::Process) {
        let row = self.finished.len();
        self.open_body(BodyKind::Process);
        let parameters = self.parameters(process);
        let provided = process.provided.as_ref().map(|it| self.provided(it));
        self.statements(&process.body);
        let body = self.close_body(&process.body);
        let ty = &mut self.model.processes[row];
        ty.parameters = parameters;
        ty.variables = body.variables;
        ty.exclusive = body.exclusive;
        ty.deterministic = process.deterministic;
        ty.provided = provided;
        self.start(process, row);
    }

    pub fn open_body(&mut self, kind: BodyKind) {
        let (nodes, variables) = (Nodes::numbered_from(self.next_statement), Vec::new());
        self.body = Some(Body { kind, nodes, variables, exclusive: Vec::new(), jumps: Vec::new() });
        self.nodes().open();
        self.scopes.open();
        self.fresh = true;
    }

    pub fn close_body(&mut self, block: &Block) -> Body {
        let end = self.add_node(Kind::End, "-end-".into(), block.close.0);
        let sequence = self.nodes().close();
        let first = self.nodes().sequence(sequence).first.unwrap_or(end);
        self.scopes.close();
        self.check_jumps();
        let mut body = self.body.take().expect("the body that was opened");
        self.next_statement = body.nodes.next_statement;
        self.finished.push((std::mem::take(&mut body.nodes), first));
        body
    }

    /// Every jump has a label, and none crosses the border of a `d_step`.
    fn check_jumps(&mut self) {
        let Some(body) = &self.body else { return };
        let mut diagnostics = Vec::new();
        for (label, scope, d_step) in &body.jumps {
            let Some(target) = body.nodes.find_label(&label.name, scope) else {
                let suggest = diagnostics.len() < super::SUGGESTIONS;
                diagnostics.push(unknown_label(label, &body.nodes, suggest));
                continue;
            };
            if target.d_step != *d_step {
                let message = format!("the jump to `{}` crosses the border of a `d_step`", label.name);
                diagnostics
                    .push(Diagnostic::error("jump-across-d-step", label.at.0, message).note(target.span, "the label"));
            }
        }
        self.diagnostics.extend(diagnostics);
    }

    fn parameters(&mut self, process: &ast::Process) -> u32 {
        for declaration in &process.parameters {
            self.declare(declaration);
        }
        self.variables().len() as u32
    }

    fn provided(&mut self, expr: &ast::Expr) -> Expr {
        let condition = self.expr(expr);
        if !super::expressions::is_global(&condition) {
            let message = "a `provided` clause can use only global variables and `_pid`";
            self.error("provided-local", expr.at.0, message);
        }
        condition
    }

    /// `active [n]` and `init` exist from the beginning.
    fn start(&mut self, process: &ast::Process, row: usize) {
        let priority = process.priority.as_ref().map_or(1, |it| self.priority(it));
        let count = match (&process.active, &process.name) {
            (Some(active), _) => active.count.as_ref().map_or(Some(1), |it| self.constant(it)).unwrap_or(0),
            (None, None) => 1,
            (None, Some(_)) => 0,
        };
        if !(0..=LARGEST as i32).contains(&count) {
            let at = process.active.as_ref().and_then(|it| it.count.as_ref()).map_or(process.at.0, |it| it.at.0);
            let message = format!("there can be from 0 to {LARGEST} processes, not {count}");
            self.error("too-many-processes", at, message);
            return;
        }
        let start = Start { process: ProcessTypeId(row as u32), priority };
        self.model.start.extend(std::iter::repeat_n(start, count as usize));
    }

    /// Builds the graphs of all processes, and returns the labels of each.
    pub fn build_graphs(&mut self) -> Vec<Vec<Name>> {
        let finished = std::mem::take(&mut self.finished);
        let mut all = Vec::new();
        for (row, (mut nodes, first)) in finished.into_iter().enumerate() {
            all.push(nodes.labels.iter().map(|it| it.name.clone()).collect());
            let labels = self.wanted.labels_of(ProcessTypeId(row as u32));
            let process = &mut self.model.processes[row];
            self.diagnostics.extend(graph::build(&mut nodes, first, &labels, process));
            if process.locations.len() > LARGEST_PROCESS {
                let message = format!("`{}` has more than {LARGEST_PROCESS} statements", process.name);
                self.diagnostics.push(
                    Diagnostic::error("process-too-large", process.span, message)
                        .help("split it into several processes"),
                );
            }
        }
        all
    }

    /// The graph of the body just closed, which is not a process of the model.
    pub fn build_alone(&mut self, name: &str, span: Span) -> ProcessType {
        let (mut nodes, first) = self.finished.pop().expect("the body just closed");
        let mut process = ProcessType { name: name.into(), span, ..ProcessType::default() };
        self.diagnostics.extend(graph::build(&mut nodes, first, &HashSet::new(), &mut process));
        process
    }

    pub fn check_calls(&mut self) {
        for call in std::mem::take(&mut self.calls) {
            let process = self.model.process(call.process);
            let (wanted, given) = (process.parameters as usize, call.given.len());
            if wanted != given {
                let plural = if wanted == 1 { "" } else { "s" };
                let message = format!("`{}` takes {wanted} argument{plural}, not {given}", call.name);
                let diagnostic = Diagnostic::error("argument-count", call.span, message);
                self.diagnostics.push(diagnostic.note(process.span, "declared here"));
                continue;
            }
            let parameters: Vec<_> = process.variables[..wanted].iter().map(|it| it.enumeration).collect();
            for ((value, at), parameter) in call.given.iter().zip(parameters) {
                parameter.into_iter().for_each(|id| self.check_assignable(Class::Enumerated(id), value, *at));
            }
        }
    }

    pub fn check_start(&mut self) {
        let errors = self.diagnostics.iter().any(Diagnostic::is_error);
        if self.model.start.len() > LARGEST {
            let count = self.model.start.len();
            let message = format!("there can be at most {LARGEST} processes, but {count} exist at the beginning");
            let diagnostic = Diagnostic::global("too-many-processes", message);
            self.diagnostics.push(diagnostic.help("start fewer with `active [n]`"));
        } else if self.channels_at_start() > LARGEST {
            let message = format!("there can be at most {LARGEST} channels, not {}", self.channels_at_start());
            self.diagnostics.push(Diagnostic::global("too-many-channels", message));
        } else if self.model.processes.iter().all(|it| it.name.is_empty()) && !errors {
            let diagnostic = Diagnostic::global("no-process", "the model has no process");
            self.diagnostics.push(diagnostic.help("add an `init { … }` or an `active proctype`"));
        } else if self.model.start.is_empty() && !errors {
            let diagnostic = Diagnostic::global("no-process", "no process exists at the beginning");
            self.diagnostics.push(diagnostic.help("write `active proctype`, or start processes from `init`"));
        }
    }

    fn channels_at_start(&self) -> usize {
        let of = |variables: &[model::Variable]| -> usize {
            let creates = |it: &&model::Variable| matches!(it.initial, model::Initial::Channels(_));
            variables.iter().filter(creates).map(model::Variable::elements).sum()
        };
        let own = self.model.start.iter().map(|start| of(&self.model.process(start.process).variables));
        of(&self.model.globals) + own.sum::<usize>()
    }

    // Traces.

    pub fn trace(&mut self, trace: &ast::Trace) {
        if let Some(other) = &self.model.monitor {
            let diagnostic = Diagnostic::error("two-traces", trace.at.0, "there can be only one `trace` or `notrace`");
            self.diagnostics.push(diagnostic.note(other.graph.span, "the other one"));
            return;
        }
        self.open_body(BodyKind::Trace);
        self.statements(&trace.body);
        self.close_body(&trace.body);
        let mut process = self.build_alone("trace", trace.at.0);
        process.edges.iter_mut().for_each(|edge| edge.effects.iter_mut().for_each(only_look));
        remove_ends(&mut process);
        self.model.monitor = Some(Monitor { graph: process, forbidden: trace.forbidden });
    }
}

/// An event is matched, not executed: sends become looks at the message, and nothing is stored.
fn only_look(effect: &mut Effect) {
    let look = |value: Expr| if value == Expr::Spawned { Pattern::Any } else { Pattern::Match(value) };
    match effect {
        Effect::Send { channel, message, .. } => {
            let patterns = std::mem::take(message).into_iter().map(look).collect();
            *effect = Effect::Receive { channel: channel.clone(), patterns, anywhere: false, keep: true };
        }
        Effect::Receive { patterns, .. } => {
            patterns.iter_mut().filter(|it| matches!(it, Pattern::Store(_))).for_each(|it| *it = Pattern::Any);
        }
        _ => {}
    }
}

/// The closing brace of a trace is the end: nothing leads on from there.
fn remove_ends(process: &mut ProcessType) {
    for location in &mut process.locations {
        let edges = &process.edges[location.first_edge as usize..][..location.edge_count as usize];
        if edges.iter().any(|edge| edge.effects == [Effect::Terminate]) {
            location.edge_count = 0;
        }
    }
}

fn unknown_label(label: &Ident, nodes: &Nodes, suggest: bool) -> Diagnostic {
    let message = format!("there is no label `{}` in this process", label.name);
    let diagnostic = Diagnostic::error("unknown-label", label.at.0, message);
    match text::closest(&label.name, nodes.labels.iter().filter(|_| suggest).map(|it| &*it.name)) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}
