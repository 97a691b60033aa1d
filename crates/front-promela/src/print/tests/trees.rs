//! Trees that a model can have.
//!
//! Only what the parser can return is made: blocks are not empty, labels stand on statements, channel tests
//! stand where conditions may. Uses of inlines are left out, because their expansion is not free.
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::ast::*;
use crate::token::Keyword;

fn ident(names: &'static [&'static str]) -> impl Strategy<Value = Ident> + Clone {
    select(names).prop_map(|name| Ident { name: name.into(), at: At::default() })
}

fn variable() -> impl Strategy<Value = Ident> + Clone {
    ident(&["x", "y", "counter", "_pid", "U", "in"])
}

fn process() -> impl Strategy<Value = Ident> + Clone {
    ident(&["P", "Node"])
}

fn code() -> impl Strategy<Value = Name> + Clone {
    select(&["x", "x > 0", "f(x, \"]\")"][..]).prop_map(Name::from)
}

fn format() -> impl Strategy<Value = Name> + Clone {
    select(&["", "%d\\n", "say \\\"x\\\""][..]).prop_map(Name::from)
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, at: At::default() }
}

fn simple(name: Ident, index: Option<Expr>) -> Reference {
    Reference { segments: vec![Segment { name, index: index.map(Box::new) }], at: At::default() }
}

fn reference(index: BoxedStrategy<Expr>) -> impl Strategy<Value = Reference> {
    let segment = (variable(), option::weighted(0.3, index.prop_map(Box::new)));
    let segment = segment.prop_map(|(name, index)| Segment { name, index });
    vec(segment, 1..3).prop_map(|segments| Reference { segments, at: At::default() })
}

fn receive_argument(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = ReceiveArgument> {
    let number = any::<i32>().prop_map(|value| expr(ExprKind::Number(value)));
    let negative = number.clone().prop_map(|it| expr(ExprKind::Unary(UnaryOp::Negate, Box::new(it))));
    prop_oneof![
        reference(inner.clone()).prop_map(ReceiveArgument::Reference),
        prop_oneof![number, negative].prop_map(ReceiveArgument::Constant),
        inner.prop_map(ReceiveArgument::Eval),
    ]
}

fn leaf() -> impl Strategy<Value = Expr> {
    prop_oneof![
        any::<i32>().prop_map(ExprKind::Number),
        variable().prop_map(|name| ExprKind::Reference(simple(name, None))),
        Just(ExprKind::Timeout),
        Just(ExprKind::NonProgress),
        (option::of(code()), code()).prop_map(|(precondition, text)| ExprKind::Code { precondition, text }),
        (process(), ident(&["L", "end"])).prop_map(|(process, label)| ExprKind::RemoteLabel {
            process,
            index: None,
            label
        }),
    ]
    .prop_map(expr)
}

fn arithmetic() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    select(vec![Or, And, BitOr, BitXor, BitAnd, Eq, Ne, Lt, Le, Gt, Ge, Shl, Shr, Add, Sub, Mul, Div, Rem])
}

/// An expression without channel tests.
fn operand() -> BoxedStrategy<Expr> {
    leaf().prop_recursive(4, 24, 3, |inner| compound(inner.boxed()).prop_map(expr)).boxed()
}

fn compound(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = ExprKind> {
    let boxed = inner.clone().prop_map(Box::new);
    let prefix = select(vec![UnaryOp::Not, UnaryOp::Negate, UnaryOp::Complement]);
    prop_oneof![
        4 => (arithmetic(), boxed.clone(), boxed.clone()).prop_map(|(op, left, right)| ExprKind::Binary(op, left, right)),
        2 => (prefix, boxed.clone()).prop_map(|(op, operand)| ExprKind::Unary(op, operand)),
        1 => (boxed.clone(), boxed.clone(), boxed.clone()).prop_map(|(c, a, b)| ExprKind::Conditional(c, a, b)),
        1 => reference(inner.clone()).prop_map(ExprKind::Reference),
        1 => reference(inner.clone()).prop_map(|channel| ExprKind::Channel(ChannelTest::Len, channel)),
        1 => boxed.clone().prop_map(ExprKind::Enabled),
        1 => boxed.clone().prop_map(ExprKind::PcValue),
        1 => boxed.clone().prop_map(ExprKind::GetPriority),
        1 => (reference(inner.clone()), any::<bool>(), vec(receive_argument(inner.clone()), 1..3))
            .prop_map(|(channel, random, arguments)| ExprKind::Poll { channel, random, arguments }),
        1 => (process(), vec(inner.clone(), 0..3), option::of(Just(expr(ExprKind::Number(3))).prop_map(Box::new)))
            .prop_map(|(process, arguments, priority)| ExprKind::Run { process, arguments, priority }),
        1 => (process(), option::of(boxed), variable()).prop_map(|(process, index, name)| ExprKind::RemoteVariable {
            process,
            index,
            variable: simple(name, None),
        }),
    ]
}

/// An expression where a channel test may stand.
fn condition() -> BoxedStrategy<Expr> {
    let test = select(vec![ChannelTest::Full, ChannelTest::NotFull, ChannelTest::Empty, ChannelTest::NotEmpty]);
    let test = (test, variable()).prop_map(|(test, name)| expr(ExprKind::Channel(test, simple(name, None))));
    let leaf = prop_oneof![4 => operand(), 1 => test];
    leaf.prop_recursive(2, 4, 2, |inner| {
        let boxed = inner.prop_map(Box::new);
        (select(vec![BinaryOp::And, BinaryOp::Or]), boxed.clone(), boxed)
            .prop_map(|(op, left, right)| expr(ExprKind::Binary(op, left, right)))
    })
    .boxed()
}

/// A formula of branching time. Names of operators are no variables here.
fn branching() -> BoxedStrategy<Expr> {
    use BinaryOp::*;
    let atom = ident(&["p", "q"]).prop_map(|name| expr(ExprKind::Reference(simple(name, None))));
    atom.prop_recursive(4, 16, 2, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let one = select(vec![PathOp::Next, PathOp::Finally, PathOp::Globally]);
        let two = select(vec![PathOp::Until, PathOp::WeakUntil]);
        let paths = prop_oneof![(one, vec(inner.clone(), 1)), (two, vec(inner, 2))];
        prop_oneof![
            (select(vec![Or, And, Implies, Equivalent]), boxed.clone(), boxed.clone())
                .prop_map(|(op, left, right)| expr(ExprKind::Binary(op, left, right))),
            boxed.prop_map(|operand| expr(ExprKind::Unary(UnaryOp::Not, operand))),
            (any::<bool>(), paths).prop_map(|(universal, (path, parts))| expr(ExprKind::Quantified {
                universal,
                path,
                parts
            })),
        ]
    })
    .boxed()
}

/// A formula. Names of temporal operators are no variables here.
fn formula() -> BoxedStrategy<Expr> {
    use BinaryOp::*;
    let atom = ident(&["p", "q"]).prop_map(|name| expr(ExprKind::Reference(simple(name, None))));
    atom.prop_recursive(4, 16, 2, |inner| {
        let boxed = inner.prop_map(Box::new);
        let infix = select(vec![Or, And, Implies, Equivalent, Until, Release, WeakUntil]);
        let prefix = select(vec![UnaryOp::Not, UnaryOp::Always, UnaryOp::Eventually, UnaryOp::Next]);
        prop_oneof![
            (infix, boxed.clone(), boxed.clone()).prop_map(|(op, left, right)| expr(ExprKind::Binary(op, left, right))),
            (prefix, boxed).prop_map(|(op, operand)| expr(ExprKind::Unary(op, operand))),
        ]
    })
    .boxed()
}

fn ty() -> impl Strategy<Value = Type> {
    use TypeKind::*;
    let plain = select(vec![Bit, Bool, Byte, Pid, Short, Int, Chan, Lock, Sema, Mtype(None)]);
    let named = ident(&["T"]).prop_map(Named);
    let subtype = ident(&["kind"]).prop_map(|name| Mtype(Some(name)));
    prop_oneof![4 => plain, 1 => named, 1 => subtype].prop_map(|kind| Type { kind, at: At::default() })
}

fn initial() -> impl Strategy<Value = Initial> {
    let channel = (operand(), vec(ty(), 1..3));
    prop_oneof![
        operand().prop_map(Initial::Value),
        vec(operand(), 1..3).prop_map(Initial::List),
        channel.prop_map(|(capacity, fields)| Initial::Channel { capacity, fields }),
    ]
}

fn declaration(declarator: impl Strategy<Value = Declarator>) -> impl Strategy<Value = Declaration> {
    let prefix = option::weighted(0.2, select(vec![Prefix::Hidden, Prefix::Show, Prefix::Local]));
    (prefix, ty(), vec(declarator, 1..3)).prop_map(|(prefix, ty, variables)| Declaration {
        prefix,
        ty,
        variables,
        at: At::default(),
    })
}

fn local() -> impl Strategy<Value = Declaration> {
    let declarator = (variable(), option::weighted(0.3, operand()), option::weighted(0.4, initial()));
    declaration(declarator.prop_map(|(name, size, initial)| Declarator { name, width: None, size, initial }))
}

fn parameter() -> impl Strategy<Value = Declaration> {
    declaration(variable().prop_map(|name| Declarator { name, width: None, size: None, initial: None }))
}

fn block(statement: BoxedStrategy<Statement>) -> impl Strategy<Value = Block> {
    vec(statement, 1..3).prop_map(|statements| Block { statements, close: At::default() })
}

/// A statement that may have labels.
fn labelled(kind: impl Strategy<Value = StatementKind>) -> impl Strategy<Value = Statement> {
    (vec(ident(&["L", "end", "progress_1"]), 0..2), kind).prop_map(|(labels, kind)| Statement {
        labels,
        kind,
        at: At::default(),
    })
}

fn unlabelled(kind: StatementKind) -> Statement {
    Statement { labels: Vec::new(), kind, at: At::default() }
}

fn basic() -> impl Strategy<Value = StatementKind> {
    use StatementKind::*;
    let place = || reference(operand());
    let value = prop_oneof![variable().prop_map(|it| ExprKind::Reference(simple(it, None))), Just(ExprKind::Number(2))];
    let run = (process(), vec(operand(), 0..2))
        .prop_map(|(process, arguments)| expr(ExprKind::Run { process, arguments, priority: None }));
    prop_oneof![
        condition().prop_map(Condition),
        Just(Else),
        Just(Break),
        (place(), condition()).prop_map(|(target, value)| Assign(target, value)),
        place().prop_map(Increment),
        place().prop_map(Decrement),
        (place(), any::<bool>(), vec(operand(), 1..3)).prop_map(|(channel, sorted, arguments)| Send {
            channel,
            sorted,
            arguments
        }),
        (place(), any::<bool>(), any::<bool>(), vec(receive_argument(operand()), 1..3))
            .prop_map(|(channel, random, keep, arguments)| Receive { channel, random, keep, arguments }),
        condition().prop_map(Assert),
        (format(), vec(operand(), 0..2)).prop_map(|(format, arguments)| Printf(format, arguments)),
        value.prop_map(|kind| Printm(expr(kind))),
        ident(&["L", "end"]).prop_map(Goto),
        (operand(), operand()).prop_map(|(process, priority)| SetPriority(process, priority)),
        (option::of(code()), code()).prop_map(|(precondition, text)| Code { precondition, text }),
        (place(), operand(), operand()).prop_map(|(index, from, to)| Select { index, from, to }),
        place().prop_map(Lock),
        place().prop_map(Unlock),
        (vec((variable(), operand()), 1..3), run).prop_map(|(ranges, run)| RunMany(ranges, run)),
    ]
}

fn nested(inner: BoxedStrategy<Statement>) -> impl Strategy<Value = StatementKind> {
    use StatementKind::*;
    let body = || block(inner.clone());
    let place = || reference(operand());
    prop_oneof![
        body().prop_map(Atomic),
        body().prop_map(DStep),
        body().prop_map(Block),
        vec(body(), 1..3).prop_map(If),
        vec(body(), 1..3).prop_map(Do),
        (place(), operand(), operand(), body()).prop_map(|(index, from, to, body)| For { index, from, to, body }),
        (place(), place(), body()).prop_map(|(index, container, body)| ForIn { index, container, body }),
    ]
}

fn is_joined(statement: &Statement) -> bool {
    matches!(
        statement.kind,
        StatementKind::Unless(..) | StatementKind::Declaration(_) | StatementKind::Exclusive { .. }
    )
}

fn statement() -> BoxedStrategy<Statement> {
    let exclusive = (any::<bool>(), vec(reference(operand()), 1..3));
    let leaf = prop_oneof![
        6 => labelled(basic()),
        1 => local().prop_map(|it| unlabelled(StatementKind::Declaration(it))),
        1 => exclusive.prop_map(|(send, channels)| unlabelled(StatementKind::Exclusive { send, channels })),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let single = inner.clone().prop_filter("unless joins plain statements", |it| !is_joined(it)).boxed();
        prop_oneof![
            3 => labelled(nested(inner.boxed())),
            1 => (single.clone(), single)
                .prop_map(|(main, escape)| unlabelled(StatementKind::Unless(Box::new(main), Box::new(escape)))),
        ]
    })
    .boxed()
}

fn some_process() -> impl Strategy<Value = Unit> {
    let active = option::of(option::of(operand()).prop_map(|count| Active { count }));
    let head = (process(), any::<bool>(), active, vec(parameter(), 0..3));
    let rest = (option::of(Just(expr(ExprKind::Number(4)))), option::weighted(0.3, condition()), block(statement()));
    (head, rest).prop_map(|((name, deterministic, active, parameters), (priority, provided, body))| {
        let name = Some(name);
        let at = At::default();
        Unit::Process(Process { name, deterministic, active, parameters, priority, provided, body, at })
    })
}

fn other_unit() -> impl Strategy<Value = Unit> {
    let names = || vec(ident(&["red", "green"]), 1..3);
    let at = At::default();
    let name = || option::of(ident(&["claim"]));
    let embedded = (select(vec![Keyword::CDecl, Keyword::CCode]), code());
    prop_oneof![
        (name(), block(statement())).prop_map(move |(name, body)| Unit::Never(Never { name, body, at })),
        (name(), formula()).prop_map(move |(name, formula)| Unit::Ltl(Ltl { name, formula, at })),
        (name(), branching()).prop_map(move |(name, formula)| Unit::Ctl(Ctl { name, formula, at })),
        ident(&["p", "q"]).prop_map(move |name| {
            let condition = expr(ExprKind::Reference(simple(name, None)));
            Unit::Fairness(Fairness { condition, at })
        }),
        (any::<bool>(), block(statement())).prop_map(move |(forbidden, body)| Unit::Trace(Trace {
            forbidden,
            body,
            at
        })),
        local().prop_map(Unit::Declaration),
        (option::of(ident(&["kind"])), names()).prop_map(move |(subtype, names)| Unit::Mtype(Mtype {
            subtype,
            names,
            at
        })),
        embedded.prop_map(move |(keyword, text)| Unit::Embedded(Embedded { keyword, texts: vec![text], at })),
        names().prop_map(|names| Unit::Enumeration(Enumeration {
            name: Ident { name: "Colour".into(), at: At::default() },
            names
        })),
        (ident(&["SAFE"]), operand()).prop_map(|(name, condition)| Unit::Invariant(Invariant { name, condition })),
    ]
}

/// A type and two processes, so that their names are known, and more.
fn heading() -> Vec<Unit> {
    let text = "typedef T { byte a; unsigned b : 3 } proctype P() { skip } proctype Node() { skip }";
    crate::parse::tests::read(text, crate::parse::Dialect::Pv).tree.units
}

/// A whole model.
pub(super) fn tree() -> impl Strategy<Value = Tree> {
    vec(prop_oneof![some_process(), other_unit()], 1..4)
        .prop_map(|units| Tree { units: heading().into_iter().chain(units).collect() })
}
