//! From nodes to the graph of a process.
//!
//! A location is a node where control can rest; its edges are the steps that can be taken from it.
//! A choice or a block offers the steps of what it begins with; a signpost is skipped, except where
//! the way leads out of an `atomic` through it: then it is a step of its own. Steps that interrupt
//! (`unless`) come first, those of the outermost escape before all others.
use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};

use model::{Edge, Effect, Expr, Form, Location, LocationId, ProcessType};
use text::{Diagnostic, Span};

use super::nodes::{BlockKind, Kind, NodeId, Nodes};

/// Joints in a row, or choices in choices: no text nests that deep.
const PATIENCE: usize = 500;

/// Fills in the locations and edges of a process; its body is the sequence that starts with `first`.
pub fn build(
    nodes: &mut Nodes,
    first: NodeId,
    remote_labels: &HashSet<&str>,
    process: &mut ProcessType,
) -> Vec<Diagnostic> {
    keep_remote_labels(nodes, remote_labels);
    link_blocks(nodes);
    patch_jumps(nodes);
    let offered = vec![false; nodes.nodes.len()];
    let (rows, waiting) = (HashMap::new(), VecDeque::new());
    let ends = RefCell::default();
    let mut graph = Graph { nodes, rows, waiting, offered, ends, diagnostics: Vec::new(), process };
    graph.process.entry = graph.location(first, false);
    graph.explore();
    graph.add_unreachable();
    graph.mark_labels();
    graph.diagnostics
}

/// Keeps the labels that were asked for before the process was read.
fn keep_remote_labels(nodes: &mut Nodes, remote_labels: &HashSet<&str>) {
    for row in 0..nodes.labels.len() {
        if remote_labels.contains(&*nodes.labels[row].name) {
            nodes.keep_label(row, nodes.next_statement);
        }
    }
}

/// The last node of a block goes on behind the block. Outer blocks were created after inner ones.
fn link_blocks(nodes: &mut Nodes) {
    for row in (0..nodes.nodes.len()).rev() {
        if let Kind::Block(_, body) = nodes.nodes[row].kind
            && let Some(last) = nodes.sequence(body).last
        {
            nodes.node_mut(last).next = nodes.nodes[row].next;
        }
    }
}

/// A jump out of an `atomic` gives up control, one into an `atomic` keeps it.
fn patch_jumps(nodes: &mut Nodes) {
    for row in 0..nodes.nodes.len() as u32 {
        let id = NodeId(row);
        if !matches!(nodes.node(id).kind, Kind::Goto { .. } | Kind::Break(_)) {
            continue;
        }
        let Some(target) = nodes.points_to(id) else { continue };
        let inside = |node: NodeId| nodes.node(node).atomic || nodes.node(node).ends_atomic;
        if inside(id) {
            let keeps = inside(target);
            let node = nodes.node_mut(id);
            (node.atomic, node.ends_atomic) = (keeps, !keeps);
        }
    }
}

struct Graph<'a> {
    nodes: &'a Nodes,
    /// The location of each node that has one.
    rows: HashMap<NodeId, LocationId>,
    waiting: VecDeque<NodeId>,
    /// Whether some location offers a node's step.
    offered: Vec<bool>,
    /// Where the signposts lead that have been followed, outside and inside an `atomic`; nowhere if they
    /// go round in circles.
    ends: RefCell<[HashMap<NodeId, Option<NodeId>>; 2]>,
    diagnostics: Vec<Diagnostic>,
    process: &'a mut ProcessType,
}

impl Graph<'_> {
    /// The location where control rests when it comes to `node`.
    fn location(&mut self, node: NodeId, from_atomic: bool) -> LocationId {
        let node = self.settle(node, from_atomic);
        if let Some(&row) = self.rows.get(&node) {
            return row;
        }
        let it = self.nodes.node(node);
        let row = LocationId(self.process.locations.len() as u32);
        let internal = it.indivisible;
        self.process.locations.push(Location { number: it.number, internal, span: it.span, ..Location::default() });
        self.rows.insert(node, row);
        self.waiting.push_back(node);
        row
    }

    fn settle(&mut self, node: NodeId, from_atomic: bool) -> NodeId {
        self.follow(node, from_atomic).unwrap_or_else(|| {
            let span = self.nodes.node(node).span;
            self.error("endless-goto", span, "this jump leads back to itself and never to a statement");
            node
        })
    }

    /// Follows signposts. From inside an `atomic`, the last one inside is a place to rest.
    fn follow(&self, node: NodeId, from_atomic: bool) -> Option<NodeId> {
        let ends = &mut self.ends.borrow_mut()[usize::from(from_atomic)];
        let (mut here, mut path) = (node, Vec::new());
        let end = loop {
            if let Some(&end) = ends.get(&here) {
                break end;
            }
            // Whoever comes here again before the end is known goes round in circles.
            ends.insert(here, None);
            path.push(here);
            match self.nodes.points_to(here) {
                Some(next) if !from_atomic || self.nodes.node(next).atomic => here = next,
                _ => break Some(here),
            }
        };
        ends.extend(path.into_iter().map(|node| (node, end)));
        end
    }

    /// What a sequence begins with.
    fn start(&self, first: NodeId) -> NodeId {
        let mut here = first;
        for _ in 0..PATIENCE {
            match self.nodes.node(here).kind {
                Kind::Joint | Kind::Unless { .. } => match self.nodes.points_to(here) {
                    Some(next) => here = next,
                    None => return here,
                },
                _ => return here,
            }
        }
        here
    }

    fn explore(&mut self) {
        while let Some(node) = self.waiting.pop_front() {
            let first_edge = self.process.edges.len() as u32;
            let steps = self.steps(node);
            self.check_else(&steps, node);
            let source = self.rows[&node];
            let steps = self.with_escapes(steps);
            let mut edges: Vec<Edge> = steps.into_iter().map(|(group, step)| self.edge(source, group, step)).collect();
            // `else` is tried last, also where it stands inside a block.
            edges.sort_by_key(|edge| edge.group == 0 && edge.otherwise);
            self.process.edges.append(&mut edges);
            let location = &mut self.process.locations[source.0 as usize];
            location.first_edge = first_edge;
            location.edge_count = self.process.edges.len() as u32 - first_edge;
        }
    }

    /// The nodes whose steps can be taken from `node`.
    fn steps(&self, node: NodeId) -> Vec<NodeId> {
        let mut list = Vec::new();
        self.collect_steps(node, &mut list, 0);
        list
    }

    fn collect_steps(&self, node: NodeId, list: &mut Vec<NodeId>, depth: usize) {
        if depth > PATIENCE {
            return;
        }
        let begins = |sequence| self.nodes.sequence(sequence).first.map(|first| self.start(first));
        match &self.nodes.node(node).kind {
            Kind::Choice(options) => {
                options.iter().filter_map(|&it| begins(it)).for_each(|it| self.collect_steps(it, list, depth + 1));
            }
            Kind::Block(BlockKind::Plain | BlockKind::Atomic, body) => {
                begins(*body).into_iter().for_each(|it| self.collect_steps(it, list, depth + 1));
            }
            _ => list.push(node),
        }
    }

    /// Puts the steps that interrupt first; 0 is the group of those that do not.
    fn with_escapes(&self, steps: Vec<NodeId>) -> Vec<(u32, NodeId)> {
        let mut escapes = Vec::new();
        for &step in steps.iter().filter(|&&step| !matches!(self.nodes.node(step).kind, Kind::Joint)) {
            for &escape in self.nodes.node(step).escapes.iter().rev() {
                if !escapes.contains(&escape) {
                    escapes.insert(0, escape);
                }
            }
        }
        let mut list: Vec<(u32, NodeId)> = Vec::new();
        for (group, escape) in escapes.into_iter().enumerate() {
            let Some(first) = self.nodes.sequence(escape).first else { continue };
            let atomic = steps.first().is_some_and(|&step| self.nodes.node(step).atomic);
            for step in self.steps(self.follow(first, atomic).unwrap_or(first)) {
                if !list.iter().any(|&(_, known)| known == step) && !steps.contains(&step) {
                    list.push((group as u32 + 1, step));
                }
            }
        }
        list.extend(steps.into_iter().map(|step| (0, step)));
        list
    }

    fn edge(&mut self, source: LocationId, group: u32, step: NodeId) -> Edge {
        self.offered[step.0 as usize] = true;
        let node = self.nodes.node(step).clone();
        let inside = self.process.location(source).internal;
        let target = self.target(step, node.atomic && !inside);
        let (guard, effects, otherwise) = match node.kind {
            Kind::Step { guard, effects, otherwise } => (guard, effects, otherwise),
            Kind::Block(BlockKind::Indivisible, body) => (Expr::TRUE, self.region(body), self.begins_with_else(body)),
            Kind::End => (Expr::TRUE, vec![Effect::Terminate], false),
            _ => (Expr::TRUE, Vec::new(), false),
        };
        let form = self.form(step);
        let text = if node.text.is_empty() { "goto".to_string() } else { node.text };
        let (keeps_control, forgets, statement, span) = (node.atomic, Vec::new(), node.statement, node.span);
        Edge {
            source,
            target,
            guard,
            effects,
            forgets,
            otherwise,
            keeps_control,
            group,
            action: None,
            form,
            statement,
            text,
            span,
        }
    }

    fn target(&mut self, step: NodeId, from_atomic: bool) -> Option<LocationId> {
        self.next(step).map(|next| self.location(next, from_atomic))
    }

    /// What stands behind a step.
    fn next(&self, step: NodeId) -> Option<NodeId> {
        let node = self.nodes.node(step);
        match node.kind {
            Kind::End => None,
            Kind::Goto { .. } | Kind::Break(_) => self.nodes.points_to(step),
            _ => node.next,
        }
    }

    fn form(&self, step: NodeId) -> Form {
        let node = self.nodes.node(step);
        Form {
            jump: !matches!(node.kind, Kind::Step { .. } | Kind::Block(BlockKind::Indivisible, _) | Kind::End),
            labelled: !node.labels.is_empty(),
            atomic: node.atomic || node.ends_atomic,
            apart: self.leads_apart(step),
            counts: node.text.ends_with("++") || node.text.ends_with("--"),
        }
    }

    /// Whether there is a label or a statement with others inside on the way to where a step leads.
    fn leads_apart(&self, step: NodeId) -> bool {
        let mut here = self.next(step);
        for _ in 0..PATIENCE {
            let Some(node) = here else { return false };
            let compound =
                matches!(self.nodes.node(node).kind, Kind::Choice(_) | Kind::Block(..) | Kind::Unless { .. });
            if compound || !self.nodes.node(node).labels.is_empty() {
                return true;
            }
            here = self.nodes.points_to(node);
        }
        true
    }

    /// A `d_step` that begins with `else` is itself the `else` of the choice it stands in.
    fn begins_with_else(&self, body: super::nodes::SequenceId) -> bool {
        let first = self.nodes.sequence(body).first.map(|first| self.start(first));
        first.is_some_and(|first| matches!(self.nodes.node(first).kind, Kind::Step { otherwise: true, .. }))
    }

    fn region(&mut self, body: super::nodes::SequenceId) -> Vec<Effect> {
        let first = self.nodes.sequence(body).first.expect("a block is not empty");
        vec![Effect::Indivisible(self.location(first, false))]
    }

    fn check_else(&mut self, steps: &[NodeId], node: NodeId) {
        let is_else = |step: &&NodeId| matches!(self.nodes.node(**step).kind, Kind::Step { otherwise: true, .. });
        let mut found = steps.iter().filter(is_else);
        if let (Some(first), Some(second)) = (found.next(), found.next()) {
            let (first, second) = (self.nodes.node(*first).span, self.nodes.node(*second).span);
            let message = "a second `else` at the same point of control";
            let at = self.nodes.node(node).span;
            let diagnostic = Diagnostic::error("two-else", second, message)
                .note(first, "the first")
                .note(at, "both belong to this statement");
            self.diagnostics.push(diagnostic);
        }
    }

    /// Statements that no way leads to are kept: they are reported as unreached.
    fn add_unreachable(&mut self) {
        for row in 0..self.nodes.nodes.len() as u32 {
            let node = NodeId(row);
            let rests = matches!(
                self.nodes.node(node).kind,
                Kind::Step { .. } | Kind::End | Kind::Block(BlockKind::Indivisible, _)
            );
            if rests && !self.offered[row as usize] {
                self.location(node, false);
                self.explore();
            }
        }
    }

    fn mark_labels(&mut self) {
        for (&node, &row) in &self.rows {
            let labels = self.labels(node);
            let has = |prefix: &str| labels.iter().any(|name| name.starts_with(prefix));
            let location = &mut self.process.locations[row.0 as usize];
            location.valid_end = matches!(self.nodes.node(node).kind, Kind::End) || has("end");
            location.progress = has("progress");
            location.accepting = has("accept");
            location.labels = labels;
        }
    }

    /// The labels of a node; a block also has those of the statement it begins with.
    fn labels(&self, node: NodeId) -> Vec<String> {
        let mut labels = Vec::new();
        let mut here = Some(node);
        for _ in 0..PATIENCE {
            let Some(node) = here else { break };
            labels.extend(self.nodes.node(node).labels.iter().map(ToString::to_string));
            here = match self.nodes.node(node).kind {
                Kind::Block(_, body) => self.nodes.sequence(body).first.map(|first| self.start(first)),
                _ => None,
            };
        }
        labels
    }

    fn error(&mut self, code: &'static str, span: Span, message: &str) {
        if !self.diagnostics.iter().any(|it| it.code == code && it.span == Some(span)) {
            self.diagnostics.push(Diagnostic::error(code, span, message));
        }
    }
}

/// The location of each label; of a block and its first statement, which share labels, that of the statement.
pub fn label_locations(process: &ProcessType) -> HashMap<&str, LocationId> {
    let mut rows: Vec<(usize, &Location)> = process.locations.iter().enumerate().collect();
    // Of two with the same label the one with the smaller number is entered last, and stays.
    rows.sort_by_key(|(_, location)| std::cmp::Reverse(location.number));
    let labels = rows.into_iter().flat_map(|(row, location)| location.labels.iter().map(move |label| (label, row)));
    labels.map(|(label, row)| (&**label, LocationId(row as u32))).collect()
}
