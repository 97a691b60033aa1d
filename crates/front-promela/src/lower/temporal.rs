//! Formulas and never claims.
//!
//! What has no temporal operator in it is one condition. A claim is read like the body of a process; since it changes nothing, all steps that it
//! makes at once are one edge, whose condition is that of all of them.
use model::{
    Claim, ClaimEdge, ClaimLocation, Cube, Effect, Expr, Formula, Literal, Meaning, ProcessType, TemporalProperty,
};
use text::Span;

use super::{BodyKind, Lower};
use crate::ast::{self, BinaryOp, ExprKind, UnaryOp};
use crate::parse::ltl::is_temporal;

/// Steps that a claim may make at once.
const LONGEST: usize = 64;

impl Lower {
    /// `ltl name { … }`.
    pub fn formula(&mut self, row: usize, ltl: &ast::Ltl) {
        self.in_claim = true;
        let mut observes = Vec::new();
        let meaning = Meaning::Formula(self.temporal(&ltl.formula, &mut observes));
        self.in_claim = false;
        let name = ltl.name.as_ref().map_or_else(|| format!("ltl_{row}"), |it| it.name.to_string());
        self.property(TemporalProperty { name, meaning, observes, span: ltl.at.0 });
    }

    fn temporal(&mut self, expr: &ast::Expr, observes: &mut Vec<Expr>) -> Formula {
        let mut part = |it: &ast::Expr| Box::new(self.temporal(it, observes));
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, it) => Formula::Not(part(it)),
            ExprKind::Unary(UnaryOp::Always, it) => Formula::Always(part(it)),
            ExprKind::Unary(UnaryOp::Eventually, it) => Formula::Eventually(part(it)),
            ExprKind::Unary(UnaryOp::Next, it) => Formula::Next(part(it)),
            ExprKind::Binary(op, left, right) if is_temporal(expr) => {
                let (left, right) = (part(left), part(right));
                match op {
                    BinaryOp::And => Formula::And(left, right),
                    BinaryOp::Implies => Formula::Implies(left, right),
                    BinaryOp::Equivalent => Formula::Equivalent(left, right),
                    BinaryOp::Until => Formula::Until(left, right),
                    BinaryOp::Release => Formula::Release(left, right),
                    BinaryOp::WeakUntil => Formula::WeakUntil(left, right),
                    // Nothing else is temporal.
                    _ => Formula::Or(left, right),
                }
            }
            _ => {
                let condition = self.expr(expr);
                Formula::Atom(row_of(condition, observes))
            }
        }
    }

    /// `never { … }`.
    pub fn never(&mut self, never: &ast::Never) {
        self.in_claim = true;
        self.open_body(BodyKind::Claim);
        self.statements(&never.body);
        self.close_body(&never.body);
        let graph = self.build_alone("never", never.at.0);
        self.in_claim = false;
        let mut reader = Reader { graph: &graph, observes: Vec::new(), refused: Vec::new() };
        let claim = reader.claim();
        let Reader { observes, refused, .. } = reader;
        // A statement that was refused as such is not refused once more.
        let told: Vec<_> = self.diagnostics.iter().filter(|it| it.is_error()).map(|it| it.span).collect();
        for (span, message) in refused.into_iter().filter(|it| !told.contains(&Some(it.0))) {
            self.error_help("claim-step", span, message, "a never claim only watches: conditions, `assert`, `printf`");
        }
        let row = self.model.temporal_properties.len();
        let name = never.name.as_ref().map_or_else(|| format!("never_{row}"), |it| it.name.to_string());
        let meaning = Meaning::Claim(claim);
        self.property(TemporalProperty { name, meaning, observes, span: never.at.0 });
    }

    /// Adds a property. Two of one name could not be told apart.
    pub(super) fn property(&mut self, property: TemporalProperty) {
        if let Some(first) = self.model.temporal_properties.iter().find(|it| it.name == property.name) {
            let message = format!("there are two properties of the name `{}`", property.name);
            let wrong = text::Diagnostic::error("duplicate-property", property.span, message);
            self.diagnostics.push(wrong.note(first.span, "the first one"));
        }
        self.model.temporal_properties.push(property);
    }
}

/// The row of a condition, a new one if it is not there.
pub(super) fn row_of(condition: Expr, observes: &mut Vec<Expr>) -> u32 {
    let row = observes.iter().position(|it| *it == condition).unwrap_or(observes.len());
    if row == observes.len() {
        observes.push(condition);
    }
    row as u32
}

/// Makes an automaton of the body of a claim.
struct Reader<'g> {
    graph: &'g ProcessType,
    observes: Vec<Expr>,
    refused: Vec<(Span, &'static str)>,
}

impl Reader<'_> {
    fn claim(&mut self) -> Claim {
        let locations = (0..self.graph.locations.len() as u32).map(|it| self.location(it)).collect();
        Claim { entry: self.graph.entry.0, locations, sets: 1, only_moving: false }
    }

    fn location(&mut self, location: u32) -> ClaimLocation {
        let mut edges = Vec::new();
        if !self.is_end(location) {
            self.follow(location, &ClaimEdge { label: vec![Cube::default()], ..ClaimEdge::default() }, 0, &mut edges);
        }
        let sets = u32::from(self.graph.locations[location as usize].accepting);
        edges.iter_mut().for_each(|it| it.sets = sets);
        ClaimLocation { edges }
    }

    /// The closing brace.
    fn is_end(&self, location: u32) -> bool {
        self.graph.outgoing(model::LocationId(location)).any(|it| it.1.effects == [Effect::Terminate])
    }

    /// Adds all that can be done at once from a location, after what has been done already. What is blocked inside `atomic` does not wait.
    fn follow(&mut self, location: u32, before: &ClaimEdge, steps: usize, edges: &mut Vec<ClaimEdge>) {
        let graph = self.graph;
        let outgoing: Vec<&model::Edge> = graph.outgoing(model::LocationId(location)).map(|it| it.1).collect();
        let guards: Vec<Option<u32>> = outgoing.iter().map(|edge| self.guard(edge)).collect();
        let mut others: Vec<Literal> = Vec::new();
        for row in guards.iter().zip(&outgoing).filter(|it| !it.1.otherwise).filter_map(|it| *it.0) {
            others.push(Literal { row, is_true: false });
        }
        // Beside what is always possible, `else` never is.
        let is_sure = |it: (&&model::Edge, &Option<u32>)| !it.0.otherwise && it.1.is_none();
        let no_else = outgoing.iter().zip(&guards).any(is_sure);
        for (edge, guard) in outgoing.iter().zip(&guards).filter(|it| !(it.0.otherwise && no_else)) {
            let mut taken = before.clone();
            match (edge.otherwise, guard) {
                (true, _) => taken.label[0].0.extend(&others),
                (false, Some(row)) => taken.label[0].0.push(Literal { row: *row, is_true: true }),
                (false, None) => {}
            }
            taken.statements.push(edge.statement);
            self.asserts(edge, &mut taken);
            let target = edge.target.map(|it| it.0).filter(|&it| !self.is_end(it));
            match target.filter(|_| edge.keeps_control && steps < LONGEST) {
                Some(next) => self.follow(next, &taken, steps + 1, edges),
                None => edges.push(ClaimEdge { target, ..taken }),
            }
        }
    }

    /// The condition of an edge, if it has one.
    fn guard(&mut self, edge: &model::Edge) -> Option<u32> {
        let mut guard = edge.guard.clone();
        for effect in &edge.effects {
            if let Effect::Require(condition) = effect {
                guard = Expr::Binary(model::BinaryOp::And, Box::new(guard), Box::new(condition.clone()));
            }
        }
        let is_true = matches!(guard, Expr::Constant(value) if value != 0);
        (!is_true).then(|| row_of(guard, &mut self.observes))
    }

    fn asserts(&mut self, edge: &model::Edge, taken: &mut ClaimEdge) {
        for effect in &edge.effects {
            match effect {
                Effect::Assert(condition) => {
                    taken.asserts.push((row_of(condition.clone(), &mut self.observes), edge.span));
                }
                Effect::Require(_) | Effect::Print(_) | Effect::Evaluate(_) | Effect::Terminate => {}
                // Refused where it was read.
                Effect::Send { .. } | Effect::Receive { .. } => {}
                Effect::Indivisible(_) => {
                    self.refused.push((edge.span, "a never claim has no `d_step`: write `atomic`"))
                }
                _ => self.refused.push((edge.span, "a never claim cannot change anything")),
            }
        }
    }
}
