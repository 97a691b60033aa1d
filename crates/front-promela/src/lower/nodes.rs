//! Statements as nodes of sequences: the form between tree and graph.
//!
//! Control flow in Promela is defined by how SPIN links statements. A sequence is a chain of nodes;
//! `if`, `do`, `unless` and blocks are nodes with sequences inside. Some nodes are only signposts
//! (`goto`, `break`, the joint behind an `if`): control does not rest there, unless an `atomic` ends
//! exactly at that point. Which nodes exist, how they are linked and in which order they are
//! numbered is reproduced here, because it decides which states a process can be in.
use std::collections::HashMap;

use model::{Effect, Expr};
use text::Span;

use crate::ast::Name;

/// A row of [`Nodes::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A row of [`Nodes::sequences`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceId(pub u32);

/// A loop that can be left with `break`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopId(pub u32);

/// A statement or a signpost.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub next: Option<NodeId>,
    /// Inside `atomic` or `d_step`, and not its last node: the process keeps control afterwards.
    pub atomic: bool,
    /// The last node of an `atomic` or `d_step`.
    pub ends_atomic: bool,
    /// Inside `d_step`.
    pub indivisible: bool,
    /// Sequences that can interrupt here, the outermost first.
    pub escapes: Vec<SequenceId>,
    pub labels: Vec<Name>,
    /// Its number in this body, in the order in which SPIN creates nodes; from 1.
    pub number: u32,
    /// The same for the whole text; from 0.
    pub statement: u32,
    pub text: String,
    pub span: Span,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A step.
    Step { guard: Expr, effects: Vec<Effect>, otherwise: bool },
    /// Go on at a label.
    Goto { label: Name, scope: Vec<u32> },
    /// Go on behind a loop.
    Break(LoopId),
    /// Where the options of an `if` or `unless` join, or where a loop begins again.
    Joint,
    /// Where a loop is left to.
    Exit,
    /// `if` or `do`.
    Choice(Vec<SequenceId>),
    /// Braces.
    Block(BlockKind, SequenceId),
    /// `unless`; the escape is also attached to every node of the main sequence.
    Unless { main: SequenceId, escape: SequenceId },
    /// The closing brace of a process.
    End,
}

/// Three kinds of braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    Plain,
    Atomic,
    Indivisible,
}

/// A chain of nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequence {
    pub first: Option<NodeId>,
    /// The last node, joints appended by an enclosing statement included.
    pub last: Option<NodeId>,
    /// The last node that was written in the sequence itself.
    pub extent: Option<NodeId>,
}

/// A label and the block it stands in.
#[derive(Clone, Debug)]
pub struct Label {
    pub name: Name,
    pub block: u32,
    /// The `d_step` around it.
    pub d_step: Option<u32>,
    pub node: NodeId,
    pub span: Span,
}

/// The body of one process while it is built.
#[derive(Debug, Default)]
pub struct Nodes {
    pub nodes: Vec<Node>,
    pub sequences: Vec<Sequence>,
    pub labels: Vec<Label>,
    /// The row of each label, by name and block, and of the first one of each name.
    places: HashMap<(Name, u32), usize>,
    names: HashMap<Name, usize>,
    /// The number that the next node gets.
    pub next_statement: u32,
    /// Per loop: where it is left to.
    pub exits: Vec<Option<NodeId>>,
    open: Vec<SequenceId>,
}

impl Nodes {
    /// A body whose nodes are numbered from here on.
    pub fn numbered_from(next_statement: u32) -> Self {
        Nodes { next_statement, ..Nodes::default() }
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    pub fn sequence(&self, id: SequenceId) -> Sequence {
        self.sequences[id.0 as usize]
    }

    pub fn create(&mut self, kind: Kind, text: impl Into<String>, span: Span) -> NodeId {
        let text = text.into();
        let (escapes, labels) = (Vec::new(), Vec::new());
        let (number, statement) = (self.nodes.len() as u32 + 1, self.next_statement);
        self.next_statement += 1;
        self.nodes.push(Node {
            kind,
            next: None,
            atomic: false,
            ends_atomic: false,
            indivisible: false,
            escapes,
            labels,
            number,
            statement,
            text,
            span,
        });
        NodeId(self.nodes.len() as u32 - 1)
    }

    // Building sequences.

    /// Starts a sequence; what is appended goes there until it is closed.
    pub fn open(&mut self) {
        self.sequences.push(Sequence::default());
        self.open.push(SequenceId(self.sequences.len() as u32 - 1));
    }

    pub fn close(&mut self) -> SequenceId {
        let id = self.open.pop().expect("a sequence that was opened");
        let sequence = &mut self.sequences[id.0 as usize];
        sequence.extent = sequence.last;
        id
    }

    /// Appends to the open sequence.
    pub fn append(&mut self, node: NodeId) {
        let sequence = *self.open.last().expect("an open sequence");
        self.append_to(node, sequence);
    }

    fn append_to(&mut self, node: NodeId, sequence: SequenceId) {
        let sequence = &mut self.sequences[sequence.0 as usize];
        match sequence.last {
            Some(last) => self.nodes[last.0 as usize].next = Some(node),
            None => sequence.first = Some(node),
        }
        sequence.last = Some(node);
    }

    /// `if`: the options join behind it.
    pub fn append_if(&mut self, options: Vec<SequenceId>, text: &str, span: Span) -> NodeId {
        let choice = self.create(Kind::Choice(options.clone()), text, span);
        let joint = self.create(Kind::Joint, "", span);
        options.into_iter().for_each(|option| self.append_to(joint, option));
        self.append(choice);
        self.append(joint);
        choice
    }

    /// `do`: the options go back to a joint before it.
    pub fn append_do(&mut self, options: Vec<SequenceId>, exit: LoopId, text: &str, span: Span) -> NodeId {
        let choice = self.create(Kind::Choice(options.clone()), text, span);
        let joint = self.create(Kind::Joint, "", span);
        options.into_iter().for_each(|option| self.append_to(joint, option));
        self.append(joint);
        let out = self.create(Kind::Exit, "", span);
        self.exits[exit.0 as usize] = Some(out);
        self.append(choice);
        self.append(out);
        choice
    }

    pub fn append_unless(&mut self, main: SequenceId, escape: SequenceId, span: Span) -> NodeId {
        let unless = self.create(Kind::Unless { main, escape }, "unless", span);
        let joint = self.create(Kind::Joint, "", span);
        self.append_to(joint, main);
        self.append_to(joint, escape);
        self.attach_escape(main, escape);
        self.append(unless);
        self.append(joint);
        unless
    }

    /// The node of a sequence that was created first.
    pub fn oldest(&self, sequence: SequenceId) -> Option<NodeId> {
        self.written(sequence).into_iter().min()
    }

    /// Of the nodes from `main` on, those before `escape` are numbered after the others.
    pub fn number_after_escape(&mut self, main: NodeId, escape: NodeId) {
        let (main, escape) = (main.0 as usize, escape.0 as usize);
        let mut rows: Vec<usize> = (main..self.nodes.len()).collect();
        rows.sort_by_key(|&row| self.nodes[row].number);
        let numbers: Vec<(u32, u32)> =
            rows.iter().map(|&row| (self.nodes[row].number, self.nodes[row].statement)).collect();
        rows.sort_by_key(|&row| row < escape);
        for (row, (number, statement)) in rows.into_iter().zip(numbers) {
            (self.nodes[row].number, self.nodes[row].statement) = (number, statement);
        }
    }

    /// A jump whose label others ask for becomes a step, or nobody could ever be there. The jump itself is a new node behind it.
    pub fn keep_label(&mut self, row: usize, statement: u32) -> bool {
        let node = self.labels[row].node;
        if !matches!(self.node(node).kind, Kind::Goto { .. } | Kind::Break(_)) {
            return false;
        }
        let jump = self.node(node).clone();
        let moved = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { number: moved.0 + 1, statement, labels: Vec::new(), escapes: Vec::new(), ..jump });
        let step = self.node_mut(node);
        step.kind = Kind::Step { guard: Expr::TRUE, effects: Vec::new(), otherwise: false };
        step.next = Some(moved);
        true
    }

    pub fn new_loop(&mut self) -> LoopId {
        self.exits.push(None);
        LoopId(self.exits.len() as u32 - 1)
    }

    /// The nodes of a sequence, without the joints appended by others.
    fn written(&self, sequence: SequenceId) -> Vec<NodeId> {
        let Sequence { first, extent, .. } = self.sequence(sequence);
        self.chain(first, extent)
    }

    fn chain(&self, first: Option<NodeId>, last: Option<NodeId>) -> Vec<NodeId> {
        let mut list = Vec::new();
        let mut here = first;
        while let Some(node) = here {
            list.push(node);
            here = if here == last { None } else { self.node(node).next };
        }
        list
    }

    /// Consecutive `skip`s inside an option count once, as in SPIN.
    pub fn prune_skips(&mut self, option: SequenceId) {
        let Sequence { first, last, extent } = self.sequence(option);
        let mut before: Option<NodeId> = None;
        let mut idle = 0;
        for node in self.written(option) {
            idle = if self.is_idle(node) && self.node(node).labels.is_empty() { idle + 1 } else { 0 };
            let boundary = [first, last, extent].contains(&Some(node));
            if let Some(before) = before
                && idle > 1
                && !boundary
                && self.is_skip(node)
            {
                self.node_mut(before).next = self.node(node).next;
                continue;
            }
            before = Some(node);
        }
    }

    fn is_skip(&self, node: NodeId) -> bool {
        matches!(&self.node(node).kind, Kind::Step { guard: Expr::Constant(1), effects, otherwise: false } if effects.is_empty())
    }

    fn is_idle(&self, node: NodeId) -> bool {
        let prints =
            matches!(&self.node(node).kind, Kind::Step { effects, .. } if matches!(effects[..], [Effect::Print(_)]));
        prints || self.is_skip(node)
    }

    // Escapes.

    fn attach_escape(&mut self, main: SequenceId, escape: SequenceId) {
        for node in self.written(main) {
            self.attach_escape_to(node, escape);
        }
    }

    fn attach_escape_to(&mut self, node: NodeId, escape: SequenceId) {
        if self.node(node).escapes.contains(&escape) {
            return;
        }
        for inner in self.node(node).escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.node_mut(node).escapes.insert(0, escape);
        match self.node(node).kind.clone() {
            Kind::Unless { main, .. } => self.attach_escape(main, escape),
            Kind::Choice(options) => options.into_iter().for_each(|option| self.attach_escape(option, escape)),
            Kind::Block(BlockKind::Indivisible, body) => {
                let first = self.sequence(body).first;
                first.into_iter().for_each(|guard| self.attach_escape_to(guard, escape));
            }
            Kind::Block(_, body) => self.attach_escape(body, escape),
            _ => {}
        }
    }

    // Atomicity.

    /// Marks a sequence as `atomic`, or as `d_step` if `indivisible`.
    pub fn make_atomic(&mut self, sequence: SequenceId, indivisible: bool) {
        let Sequence { first, last, .. } = self.sequence(sequence);
        self.mark_atomic(first, last, indivisible);
        let Some(last) = last else { return };
        match self.node(last).kind {
            Kind::Block(BlockKind::Plain | BlockKind::Atomic, body) | Kind::Unless { main: body, .. } => {
                self.make_atomic(body, indivisible);
            }
            _ => {
                self.node_mut(last).atomic = false;
                self.node_mut(last).ends_atomic = true;
            }
        }
    }

    fn mark_atomic(&mut self, first: Option<NodeId>, last: Option<NodeId>, indivisible: bool) {
        for node in self.chain(first, last) {
            let it = self.node_mut(node);
            it.atomic = true;
            it.indivisible |= indivisible;
            match it.kind.clone() {
                Kind::Block(BlockKind::Indivisible, _) if !indivisible => {}
                Kind::Block(_, body) => {
                    it.kind = Kind::Block(BlockKind::Plain, body);
                    self.mark_sequence(body, indivisible);
                }
                Kind::Choice(options) => options.into_iter().for_each(|option| self.mark_sequence(option, indivisible)),
                Kind::Unless { main, escape } => {
                    [main, escape].into_iter().for_each(|part| self.mark_sequence(part, indivisible));
                }
                _ => {}
            }
        }
    }

    fn mark_sequence(&mut self, sequence: SequenceId, indivisible: bool) {
        let Sequence { first, last, .. } = self.sequence(sequence);
        self.mark_atomic(first, last, indivisible);
    }

    // Jumps.

    /// Where a jump goes: the label in the same block, else in the nearest block around, else anywhere.
    pub fn find_label(&self, name: &Name, scope: &[u32]) -> Option<&Label> {
        let first = *self.names.get(name)?;
        let around = scope.iter().rev().find_map(|&block| self.label_in(name, block));
        around.or_else(|| self.labels.get(first))
    }

    /// The label in a block.
    pub fn label_in(&self, name: &Name, block: u32) -> Option<&Label> {
        self.places.get(&(name.clone(), block)).map(|&row| &self.labels[row])
    }

    pub fn add_label(&mut self, label: Label) {
        let row = self.labels.len();
        self.places.insert((label.name.clone(), label.block), row);
        self.names.entry(label.name.clone()).or_insert(row);
        self.labels.push(label);
    }

    /// Where a signpost points to; `None` for everything else.
    pub fn points_to(&self, node: NodeId) -> Option<NodeId> {
        match &self.node(node).kind {
            Kind::Goto { label, scope } => self.find_label(label, scope).map(|label| label.node),
            Kind::Break(exit) => self.exits[exit.0 as usize],
            Kind::Joint | Kind::Exit => self.node(node).next,
            Kind::Unless { main, .. } => self.sequence(*main).first,
            _ => None,
        }
    }
}

/// Whether a label's name has a meaning of its own.
pub fn is_special(name: &str) -> bool {
    ["accept", "end", "progress"].iter().any(|prefix| name.starts_with(prefix))
}
