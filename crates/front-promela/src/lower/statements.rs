//! Statements: each becomes one or more nodes of the sequence that is open.
use model::{Direction, Effect, Exclusive, Expr};
use text::Span;

use super::expressions::Run;
use super::names::{Binding, Class, Content};
use super::nodes::{BlockKind, Kind, Label, LoopId, NodeId, Nodes, SequenceId};
use super::{BodyKind, Lower};
use crate::ast::{self, Block, Ident, Reference, Statement, StatementKind};
use crate::print;

/// The most places that are added to a message.
const NOTES: usize = 5;

impl Lower {
    pub fn nodes(&mut self) -> &mut Nodes {
        &mut self.body.as_mut().expect("statements stand inside a process").nodes
    }

    pub fn statements(&mut self, block: &Block) {
        block.statements.iter().for_each(|statement| self.statement(statement));
    }

    /// A block with a scope of its own, as a sequence.
    fn sequence(&mut self, block: &Block, at: Span) -> SequenceId {
        self.nodes().open();
        self.scopes.open();
        self.fresh = false;
        self.statements(block);
        self.scopes.close();
        self.close_sequence(at)
    }

    fn close_sequence(&mut self, at: Span) -> SequenceId {
        let id = self.nodes().close();
        if self.nodes().sequence(id).first.is_none() {
            self.error_help(
                "empty-block",
                at,
                "there is no statement here",
                "write `skip` for a step that does nothing",
            );
            self.nodes().open();
            self.add_step(Expr::TRUE, Vec::new(), "skip".into(), at);
            return self.nodes().close();
        }
        id
    }

    fn statement(&mut self, statement: &Statement) {
        let at = statement.at.0;
        match &statement.kind {
            // The parser lets neither have a label.
            StatementKind::Declaration(declaration) => self.local_declaration(declaration),
            StatementKind::Exclusive { send, channels } => self.exclusive(*send, channels, at),
            kind => {
                self.check_place(kind, at);
                let node = self.node(statement, kind, at);
                self.fresh = false;
                node.into_iter().for_each(|node| self.add_labels(&statement.labels, node));
            }
        }
    }

    fn add_labels(&mut self, labels: &[Ident], node: NodeId) {
        for label in labels {
            let block = self.scopes.block();
            let span = label.at.0;
            let earlier = self.nodes().label_in(&label.name, block).map(|it| it.span);
            if let Some(earlier) = earlier {
                let message = format!("the label `{}` is declared twice", label.name);
                let diagnostic = text::Diagnostic::error("redeclaration", span, message);
                self.diagnostics.push(diagnostic.note(earlier, "the other declaration"));
            }
            self.nodes().node_mut(node).labels.push(label.name.clone());
            let d_step = self.d_step;
            self.nodes().add_label(Label { name: label.name.clone(), block, d_step, node, span });
        }
    }

    /// Creates the nodes of a statement, appends them, and returns the one that a label names.
    fn node(&mut self, statement: &Statement, kind: &StatementKind, at: Span) -> Option<NodeId> {
        let text = || print::statement(statement);
        Some(match kind {
            StatementKind::Condition(condition) => return Some(self.condition(condition, text(), at)),
            StatementKind::Else => {
                self.add_node(Kind::Step { guard: Expr::TRUE, effects: Vec::new(), otherwise: true }, "else".into(), at)
            }
            StatementKind::Assign(target, value) => return self.assign(target, value, text(), at),
            StatementKind::Increment(target) => return self.change(target, model::BinaryOp::Add, text(), at),
            StatementKind::Decrement(target) => return self.change(target, model::BinaryOp::Sub, text(), at),
            StatementKind::Call { name, body, .. } => {
                let body = self.call_body(&name.name, body, at);
                self.add_node(Kind::Block(BlockKind::Plain, body), String::new(), at)
            }
            StatementKind::Send { channel, sorted, arguments } => {
                let effect = self.send(channel, arguments, *sorted, at);
                self.add_step(Expr::TRUE, vec![effect], text(), at)
            }
            StatementKind::Receive { channel, random, keep, arguments } => {
                let (channel, patterns) = self.receive(channel, arguments, at);
                let effect = Effect::Receive { channel, patterns, anywhere: *random, keep: *keep };
                self.add_step(Expr::TRUE, vec![effect], text(), at)
            }
            StatementKind::Assert(condition) => {
                self.run = Run::Allowed;
                let condition = self.expr(condition);
                self.add_effect(Effect::Assert(condition), text(), at)
            }
            StatementKind::Printf(format, arguments) => {
                self.run = Run::Allowed;
                let parts = self.print_parts(format, arguments, at);
                self.add_effect(Effect::Print(parts), text(), at)
            }
            StatementKind::Printm(value) => {
                let part = self.printm_part(value);
                self.add_effect(Effect::Print(vec![part]), text(), at)
            }
            StatementKind::Goto(label) => return Some(self.goto(label, statement, at)),
            StatementKind::Break => return self.break_loop(statement, at),
            StatementKind::Atomic(body) => self.block(BlockKind::Atomic, body, "atomic", at),
            StatementKind::DStep(body) => self.d_step(body, shorten(text()), at),
            StatementKind::Block(body) => self.block(BlockKind::Plain, body, "", at),
            StatementKind::If(options) => self.selection(options, at),
            StatementKind::Do(options) => self.repetition(options, at),
            StatementKind::For { index, from, to, body } => return self.for_range(index, from, to, body, at),
            StatementKind::ForIn { index, container, body } => return self.for_in(index, container, body, at),
            StatementKind::Select { index, from, to } => return self.select(index, from, to, at),
            StatementKind::Unless(main, escape) => self.unless(main, escape, at),
            StatementKind::SetPriority(process, priority) => {
                let effect = Effect::SetPriority(self.expr(process), self.expr(priority));
                self.add_effect(effect, text(), at)
            }
            StatementKind::Code { .. } => {
                self.embedded_code(at);
                self.add_step(Expr::TRUE, Vec::new(), text(), at)
            }
            StatementKind::Lock(target) => return self.lock(target, text(), at),
            StatementKind::Unlock(target) => return self.unlock(target, text(), at),
            StatementKind::RunMany(ranges, run) => return self.run_many(ranges, run, at),
            StatementKind::Declaration(_) | StatementKind::Exclusive { .. } => return None,
        })
    }

    // Steps.

    pub fn add_node(&mut self, kind: Kind, text: String, at: Span) -> NodeId {
        let node = self.nodes().create(kind, text, at);
        self.nodes().append(node);
        node
    }

    pub fn add_step(&mut self, guard: Expr, effects: Vec<Effect>, text: String, at: Span) -> NodeId {
        self.add_node(Kind::Step { guard, effects, otherwise: false }, text, at)
    }

    /// A step with one effect, after the process that its expressions create, if any.
    pub fn add_effect(&mut self, effect: Effect, text: String, at: Span) -> NodeId {
        let mut effects = self.take_run();
        effects.push(effect);
        self.add_step(Expr::TRUE, effects, text, at)
    }

    /// What an expression has to do before it has a value.
    fn take_run(&mut self) -> Vec<Effect> {
        match std::mem::replace(&mut self.run, Run::Forbidden(super::NO_STATEMENT)) {
            Run::Used(effect) => vec![effect],
            Run::Allowed | Run::Forbidden(_) => Vec::new(),
        }
    }

    pub fn condition(&mut self, condition: &ast::Expr, text: String, at: Span) -> NodeId {
        self.run = Run::Allowed;
        let guard = self.expr(condition);
        let mut effects = self.take_run();
        if effects.is_empty() {
            return self.add_step(guard, effects, text, at);
        }
        if guard != Expr::Spawned {
            effects.push(Effect::Require(guard));
        }
        self.add_step(Expr::TRUE, effects, text, at)
    }

    fn assign(&mut self, target: &Reference, value: &ast::Expr, text: String, at: Span) -> Option<NodeId> {
        self.run = Run::Allowed;
        let (value, value_at) = (self.value(value), value.at.0);
        match &*target.segments[0].name.name {
            "_" => return Some(self.add_effect(Effect::Evaluate(value.expr), text, at)),
            "_priority" => return Some(self.add_effect(Effect::SetPriority(Expr::Me, value.expr), text, at)),
            _ => {}
        }
        let Some((place, class)) = self.assignable(target) else {
            return Some(self.add_effect(Effect::Evaluate(value.expr), text, at));
        };
        self.check_assignable(class, &value, value_at);
        Some(self.add_effect(Effect::Assign(place, value.expr), text, at))
    }

    fn change(&mut self, target: &Reference, op: model::BinaryOp, text: String, at: Span) -> Option<NodeId> {
        let (place, class) = self.assignable(target)?;
        if matches!(class, Class::Channel(_)) {
            self.error("type-clash", at, "a channel cannot be counted up or down");
        }
        let value = Expr::Binary(op, Box::new(Expr::Read(place.clone())), Box::new(Expr::Constant(1)));
        Some(self.add_step(Expr::TRUE, vec![Effect::Assign(place, value)], text, at))
    }

    // Declarations among statements.

    /// At the beginning of a process variables start with their values; later, control passing the
    /// declaration gives them their values (again), in one step.
    fn local_declaration(&mut self, declaration: &ast::Declaration) {
        let fresh = self.fresh;
        let from = self.variables().len();
        let declared = self.declare(declaration);
        if fresh {
            return;
        }
        for (name, binding) in declared {
            let Some(declarator) = declaration.variables.iter().find(|it| it.name.name == name.name) else { continue };
            if matches!(declarator.initial, Some(ast::Initial::Channel { .. })) {
                self.error_help(
                    "late-channel",
                    name.at.0,
                    format!("the channel `{}` is created after the first statement", name.name),
                    "move the declaration to the beginning of the process",
                );
                continue;
            }
            let effects = self.reset(&binding, name.at.0);
            let text = format!("{} = {}", name.name, initial_text(declarator));
            self.add_step(Expr::TRUE, effects, text, name.at.0);
        }
        // What the step assigns is not the value at creation.
        for variable in &mut self.variables()[from..] {
            if !matches!(variable.initial, model::Initial::Channels(_)) {
                variable.initial = model::Initial::Zero;
            }
        }
    }

    fn reset(&mut self, binding: &Binding, at: Span) -> Vec<Effect> {
        let mut effects = Vec::new();
        for element in 0..binding.array.unwrap_or(1) {
            // Without a place in the budget there is no model, and the rest does not matter.
            if self.budget.is_spent() {
                break;
            }
            let index: Vec<Expr> = binding.array.map(|_| Expr::Constant(element as i32)).into_iter().collect();
            let element_count = effects.len();
            for (position, (place, _)) in self.leaves(&element_of(binding), &index, at).into_iter().enumerate() {
                let row = if matches!(binding.content, Content::Record { .. }) { position } else { element_count };
                let value = self.initial_value(place.variable, row);
                effects.push(Effect::Assign(place, value));
            }
        }
        effects
    }

    fn initial_value(&mut self, variable: model::VariableId, element: usize) -> Expr {
        match &self.variables()[variable.0 as usize].initial {
            model::Initial::Values(values) => values[element.min(values.len() - 1)].clone(),
            _ => Expr::Constant(0),
        }
    }

    fn exclusive(&mut self, send: bool, channels: &[Reference], span: Span) {
        for channel in channels {
            let (channel, _) = self.channel(channel);
            let direction = if send { Direction::Send } else { Direction::Receive };
            if let Some(body) = &mut self.body {
                body.exclusive.push(Exclusive { direction, channel, span });
            }
        }
    }

    // Jumps.

    fn goto(&mut self, label: &Ident, statement: &Statement, at: Span) -> NodeId {
        let scope = self.scopes.path().to_vec();
        let kind = Kind::Goto { label: label.name.clone(), scope };
        let jumps = &mut self.body.as_mut().expect("inside a process").jumps;
        jumps.push((label.clone(), self.scopes.path().to_vec(), self.d_step));
        self.add_jump(kind, statement, at)
    }

    fn break_loop(&mut self, statement: &Statement, at: Span) -> Option<NodeId> {
        let Some(&(exit, d_step)) = self.loops.last() else {
            self.error("misplaced-break", at, "`break` stands outside any loop");
            return None;
        };
        if d_step != self.d_step {
            self.error("jump-across-d-step", at, "this `break` leaves a `d_step`");
        }
        Some(self.add_jump(Kind::Break(exit), statement, at))
    }

    fn add_jump(&mut self, kind: Kind, statement: &Statement, at: Span) -> NodeId {
        let node = self.nodes().create(kind, print::statement(statement), at);
        if statement.labels.iter().any(|label| super::nodes::is_special(&label.name)) {
            // The label goes to a step of its own before the jump.
            let step = self.add_step(Expr::TRUE, Vec::new(), "skip".into(), at);
            self.nodes().append(node);
            return step;
        }
        self.nodes().append(node);
        node
    }

    // Blocks and choices.

    fn block(&mut self, kind: BlockKind, body: &Block, text: &str, at: Span) -> NodeId {
        let body = self.sequence(body, at);
        let node = self.nodes().create(Kind::Block(kind, body), text, at);
        if kind == BlockKind::Atomic {
            self.nodes().make_atomic(body, false);
        }
        self.nodes().append(node);
        node
    }

    /// The body of an inline that is used here. What is wrong in it is said to be so in this use.
    fn call_body(&mut self, name: &str, body: &Block, at: Span) -> SequenceId {
        let known = self.diagnostics.len();
        let sequence = self.sequence(body, at);
        for diagnostic in self.diagnostics[known..].iter_mut().filter(|it| it.notes.len() < NOTES) {
            diagnostic.notes.push((at, format!("in this use of `{name}`")));
        }
        sequence
    }

    /// A `d_step` inside another is no more than braces.
    fn d_step(&mut self, body: &Block, text: String, at: Span) -> NodeId {
        self.d_steps += 1;
        let outer = self.d_step;
        self.d_step = outer.or(Some(self.d_steps));
        let body = self.sequence(body, at);
        self.d_step = outer;
        let kind = if outer.is_some() { BlockKind::Plain } else { BlockKind::Indivisible };
        let node = self.nodes().create(Kind::Block(kind, body), text, at);
        self.nodes().make_atomic(body, true);
        self.nodes().append(node);
        node
    }

    fn options(&mut self, options: &[Block], at: Span) -> Vec<SequenceId> {
        let mut list: Vec<SequenceId> = options.iter().map(|option| self.sequence(option, at)).collect();
        // `else` is tried last, wherever it stands.
        let is_else = |lower: &mut Lower, id: SequenceId| {
            let first = lower.nodes().sequence(id).first;
            first.is_some_and(|first| matches!(lower.nodes().node(first).kind, Kind::Step { otherwise: true, .. }))
        };
        list.sort_by_cached_key(|&id| is_else(self, id));
        list.iter().for_each(|&id| self.nodes().prune_skips(id));
        list
    }

    fn selection(&mut self, options: &[Block], at: Span) -> NodeId {
        let options = self.options(options, at);
        self.nodes().append_if(options, "if", at)
    }

    fn repetition(&mut self, options: &[Block], at: Span) -> NodeId {
        let exit = self.open_loop();
        let options = self.options(options, at);
        self.loops.pop();
        self.nodes().append_do(options, exit, "do", at)
    }

    pub fn open_loop(&mut self) -> LoopId {
        let exit = self.nodes().new_loop();
        self.loops.push((exit, self.d_step));
        exit
    }

    /// SPIN has the nodes of a block when it has read the block; that of another statement, though not of what stands inside it, only when
    /// it has read the whole `unless`.
    fn unless(&mut self, main: &Statement, escape: &Statement, at: Span) -> NodeId {
        let is_late = !is_sequence(main);
        let main = self.unless_part(main);
        let own = self.nodes().oldest(main).filter(|_| is_late);
        let next = NodeId(self.nodes().nodes.len() as u32);
        let escape = self.unless_part(escape);
        if let Some(own) = own {
            self.nodes().number_after_escape(own, next);
        }
        self.nodes().append_unless(main, escape, at)
    }

    /// Braces give the sequence itself; any other statement is a sequence of one.
    fn unless_part(&mut self, part: &Statement) -> SequenceId {
        match &part.kind {
            StatementKind::Block(body) if is_sequence(part) => self.sequence(body, part.at.0),
            StatementKind::Call { name, body, .. } if is_sequence(part) => self.call_body(&name.name, body, part.at.0),
            _ => {
                self.nodes().open();
                self.statement(part);
                self.close_sequence(part.at.0)
            }
        }
    }

    // Rules about where statements may stand.

    fn check_place(&mut self, kind: &StatementKind, at: Span) {
        let kind_of_body = self.body.as_ref().map_or(BodyKind::Process, |body| body.kind);
        match (kind_of_body, kind) {
            (BodyKind::Claim, StatementKind::Send { .. } | StatementKind::Receive { .. }) => {
                self.error("claim-step", at, "a never claim cannot send or receive");
            }
            (BodyKind::Trace, StatementKind::Send { .. } | StatementKind::Receive { .. }) => {}
            (
                BodyKind::Trace,
                StatementKind::Goto(_) | StatementKind::Break | StatementKind::If(_) | StatementKind::Do(_),
            ) => {}
            (BodyKind::Trace, StatementKind::Block(_)) => {}
            (BodyKind::Trace, StatementKind::Condition(condition))
                if matches!(condition.kind, ast::ExprKind::Number(1)) => {}
            (BodyKind::Trace, _) => self.error("not-an-event", at, "a trace can contain only sends and receives"),
            _ => {}
        }
        if self.d_step.is_some() && matches!(kind, StatementKind::Unless(..)) {
            self.error("unless-in-d-step", at, "`unless` cannot be used inside `d_step`");
        }
    }
}

/// Whether a part of an `unless` is a sequence itself.
fn is_sequence(part: &Statement) -> bool {
    matches!(part.kind, StatementKind::Block(_) | StatementKind::Call { .. }) && part.labels.is_empty()
}

/// A long statement, cut where it still says what it is.
fn shorten(text: String) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text;
    }
    let short: String = text.chars().take(LONGEST).collect();
    format!("{short}… }}")
}

/// The binding of one element: the same without its outermost dimension.
fn element_of(binding: &Binding) -> Binding {
    Binding { array: None, ..binding.clone() }
}

fn initial_text(declarator: &ast::Declarator) -> String {
    match &declarator.initial {
        Some(ast::Initial::Value(value)) => print::expression(value),
        Some(ast::Initial::List(values)) => {
            let values: Vec<String> = values.iter().map(print::expression).collect();
            format!("{{{}}}", values.join(", "))
        }
        _ => "0".to_string(),
    }
}
