//! A counterexample replays and a damaged one does not.
use certify::{Rejected, replay};
use engine::{Trace, Violation, ViolationKind};
use model::semantics::{Failure, FailureKind, Fault, Semantics, Step};
use model::{
    BinaryOp, Edge, EdgeId, Effect, Expr, Initial, Invariant, Location, LocationId, Model, Place, ProcessType,
    ProcessTypeId, Scope, Start, Type, Variable, VariableId,
};

/// Two processes, each of which runs `x = x + 1; x = x + 1; assert(x != 3)`, the first two in one
/// go if `atomic`. Then each waits for `x == 9`, where it should not stop.
fn counters(atomic: bool) -> Model {
    let mut add = edge(0, 1, vec![Effect::Assign(x(), binary(BinaryOp::Add, Expr::Read(x()), 1))]);
    add.keeps_control = atomic;
    let again = Edge { source: LocationId(1), target: Some(LocationId(2)), keeps_control: false, ..add.clone() };
    let check = edge(2, 3, vec![Effect::Assert(binary(BinaryOp::Ne, Expr::Read(x()), 3))]);
    let wait = Edge { guard: binary(BinaryOp::Eq, Expr::Read(x()), 9), ..edge(3, 0, Vec::new()) };
    let location = |row| Location { number: row, first_edge: row, edge_count: 1, ..Location::default() };
    let process = ProcessType {
        name: "P".into(),
        locations: (0..4).map(location).collect(),
        edges: vec![add, again, check, wait],
        ..ProcessType::default()
    };
    let start = Start { process: ProcessTypeId(0), priority: 1 };
    Model { globals: vec![variable()], processes: vec![process], start: vec![start.clone(), start], ..Model::default() }
}

fn x() -> Place {
    Place { scope: Scope::Global, variable: VariableId(0), indices: Vec::new() }
}

fn binary(op: BinaryOp, left: Expr, right: i32) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(Expr::Constant(right)))
}

fn edge(source: u32, target: u32, effects: Vec<Effect>) -> Edge {
    Edge {
        forgets: Vec::new(),
        source: LocationId(source),
        target: Some(LocationId(target)),
        guard: Expr::TRUE,
        effects,
        otherwise: false,
        keeps_control: false,
        action: None,
        group: 0,
        form: model::Form::default(),
        statement: 0,
        text: String::new(),
        span: text::Span::default(),
    }
}

fn variable() -> Variable {
    Variable {
        name: "x".into(),
        ty: Type::BYTE,
        dimensions: Vec::new(),
        initial: Initial::Zero,
        hidden: false,
        enumeration: None,
        span: text::Span::default(),
    }
}

/// The one place that knows the API: a trace is a list of `(process, edge)`.
#[track_caller]
fn check(model: &Model, steps: &[(u8, u32)], kind: ViolationKind, expected: Result<usize, Rejected>) {
    let step = |&(process, edge)| Step { process, edge: EdgeId(edge), partner: None };
    let violation = Violation { kind, trace: Trace { steps: steps.iter().map(step).collect(), cycle: None } };
    let replayed = replay(&Semantics::new(model), &violation);
    assert_eq!(replayed.map(|it| it.states.len()), expected);
}

fn assertion() -> ViolationKind {
    ViolationKind::Step(Failure { kind: FailureKind::Assertion, process: ProcessTypeId(0), edge: EdgeId(2) })
}

/// Ends with `x == 3` and the failing assertion.
const GOOD: &[(u8, u32)] = &[(0, 0), (1, 0), (0, 1), (0, 2)];

/// Ends with both processes waiting.
const STUCK: &[(u8, u32)] = &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)];

#[test]
fn a_genuine_trace_replays_with_all_its_states() {
    check(&counters(false), GOOD, assertion(), Ok(5));
    check(&counters(false), STUCK, ViolationKind::InvalidEnd { process: 0 }, Ok(7));
}

#[test]
fn a_trace_with_a_step_dropped_does_not_replay() {
    check(&counters(false), &[(0, 0), (1, 0), (0, 2)], assertion(), Err(Rejected::NoSuchStep { at: 2 }));
    check(&counters(false), &GOOD[..3], assertion(), Err(Rejected::NotAViolation));
}

#[test]
fn a_trace_with_two_steps_swapped_does_not_replay() {
    check(&counters(false), &[(0, 1), (0, 0), (1, 0), (0, 2)], assertion(), Err(Rejected::NoSuchStep { at: 0 }));
    check(&counters(false), &[(0, 0), (0, 1), (0, 2), (1, 0)], assertion(), Err(Rejected::NotAViolation));
}

#[test]
fn a_trace_does_not_show_another_violation() {
    let model = counters(false);
    check(&model, GOOD, ViolationKind::InvalidEnd { process: 0 }, Err(Rejected::NotAViolation));
    check(&model, STUCK, ViolationKind::InvalidEnd { process: 1 }, Err(Rejected::NotAViolation));
    check(&model, STUCK, assertion(), Err(Rejected::NotAViolation));
    check(&model, &[], ViolationKind::Start(Fault::DivisionByZero), Err(Rejected::NotAViolation));
    let elsewhere = Failure { kind: FailureKind::Assertion, process: ProcessTypeId(0), edge: EdgeId(1) };
    check(&model, GOOD, ViolationKind::Step(elsewhere), Err(Rejected::NotAViolation));
}

#[test]
fn nobody_else_moves_while_a_process_goes_on_alone() {
    check(&counters(true), GOOD, assertion(), Err(Rejected::NoSuchStep { at: 1 }));
    check(&counters(true), STUCK, ViolationKind::InvalidEnd { process: 0 }, Ok(7));
}

#[test]
fn a_process_that_cannot_go_on_alone_loses_control() {
    let mut model = counters(true);
    model.processes[0].edges[1].guard = binary(BinaryOp::Eq, Expr::Read(x()), 2);
    check(&model, &[(0, 0), (1, 0), (1, 1), (1, 2)], assertion(), Ok(5));
}

#[test]
fn nothing_follows_a_step_that_leads_nowhere() {
    let mut model = counters(false);
    model.processes[0].edges[0].effects = vec![Effect::Evaluate(binary(BinaryOp::Div, Expr::Constant(1), 0))];
    let kind = FailureKind::Fault(Fault::DivisionByZero);
    let kind = ViolationKind::Step(Failure { kind, process: ProcessTypeId(0), edge: EdgeId(0) });
    check(&model, &[(0, 0)], kind, Ok(1));
    check(&model, &[(0, 0), (1, 0)], kind, Err(Rejected::NoSuchStep { at: 1 }));
}

#[test]
fn an_invariant_counts_only_where_everybody_may_move() {
    let claim = ViolationKind::Invariant { invariant: 0, fault: None };
    for (atomic, expected) in [(false, Ok(2)), (true, Err(Rejected::NotAViolation))] {
        let mut model = counters(atomic);
        let condition = binary(BinaryOp::Ne, Expr::Read(x()), 1);
        model.invariants = vec![Invariant { name: "even".into(), condition, span: text::Span::default() }];
        check(&model, &[(0, 0)], claim, expected);
        check(&model, &[], claim, Err(Rejected::NotAViolation));
    }
}

#[test]
fn a_system_that_cannot_start_is_a_violation_without_a_trace() {
    let mut model = counters(false);
    model.globals[0].initial = Initial::Values(vec![binary(BinaryOp::Div, Expr::Constant(1), 0)]);
    check(&model, &[], ViolationKind::Start(Fault::DivisionByZero), Ok(0));
    check(&model, &[], ViolationKind::Start(Fault::NoChannel), Err(Rejected::NotAViolation));
    check(&model, GOOD, assertion(), Err(Rejected::NoStart(Fault::DivisionByZero)));
}
