//! The tree of a model, as written: names are not resolved, nothing is simplified.
//!
//! Two trees are equal when they say the same, wherever it stands: [`At`] takes
//! no part in comparisons. Printing a tree ([`crate::print`]) and parsing the
//! text again gives an equal tree.
pub use crate::token::Name;
use text::Span;

/// A place that does not count when trees are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct At(pub Span);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

/// A name where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// Its text.
    pub name: Name,
    /// Where.
    pub at: At,
}

/// A whole model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// In the order of the text.
    pub units: Vec<Unit>,
}

/// What can stand at the top level. There are few of them, so their size does not matter.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)]
pub enum Unit {
    /// `proctype`, `D_proctype` or `init`.
    Process(Process),
    /// `never { … }`.
    Never(Never),
    /// `ltl name { formula }`.
    Ltl(Ltl),
    /// `ctl name { formula }`, an extension.
    Ctl(Ctl),
    /// `fairness { condition }`, an extension.
    Fairness(Fairness),
    /// `trace { … }` or `notrace { … }`.
    Trace(Trace),
    /// Global variables.
    Declaration(Declaration),
    /// `mtype = { … }`.
    Mtype(Mtype),
    /// `typedef T { … }`.
    Typedef(Typedef),
    /// `inline f(a, b) { … }`.
    Inline(Inline),
    /// `c_decl`, `c_code`, `c_state`, `c_track`.
    Embedded(Embedded),
    /// PV: `typedef enum { a, b } T`.
    Enumeration(Enumeration),
    /// PV: `invariant name expression`.
    Invariant(Invariant),
}

/// A process type.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    /// `None` for `init`.
    pub name: Option<Ident>,
    /// `D_proctype`.
    pub deterministic: bool,
    /// `active` with its count, if any.
    pub active: Option<Active>,
    /// Parameter groups.
    pub parameters: Vec<Declaration>,
    /// `priority n`.
    pub priority: Option<Expr>,
    /// `provided (e)`.
    pub provided: Option<Expr>,
    /// What it does.
    pub body: Block,
    /// The head, without the body.
    pub at: At,
}

/// `active` or `active [n]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Active {
    /// How many instances; one if absent.
    pub count: Option<Expr>,
}

/// A never claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Never {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// What it does.
    pub body: Block,
    /// The head.
    pub at: At,
}

/// A property of the tree of all executions.
#[derive(Clone, Debug, PartialEq)]
pub struct Ctl {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// With [`ExprKind::Quantified`].
    pub formula: Expr,
    /// The whole.
    pub at: At,
}

/// What is true again and again on the paths that `ctl` speaks about.
#[derive(Clone, Debug, PartialEq)]
pub struct Fairness {
    /// The condition.
    pub condition: Expr,
    /// The whole.
    pub at: At,
}

/// A temporal property.
#[derive(Clone, Debug, PartialEq)]
pub struct Ltl {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// With the temporal operators of [`ExprKind`].
    pub formula: Expr,
    /// The head.
    pub at: At,
}

/// Which sequences of events are required (`trace`) or forbidden (`notrace`).
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// `notrace`.
    pub forbidden: bool,
    /// Sends and receives.
    pub body: Block,
    /// The head.
    pub at: At,
}

/// `mtype [:subtype] [=] { a, b }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mtype {
    /// The subtype, if named.
    pub subtype: Option<Ident>,
    /// The constants in the order of the text.
    pub names: Vec<Ident>,
    /// All of it.
    pub at: At,
}

/// `typedef T { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Typedef {
    /// Its name.
    pub name: Ident,
    /// Its fields.
    pub fields: Vec<Declaration>,
}

/// `inline f(a, b) { … }`: text with holes. A use carries its own expansion ([`StatementKind::Call`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Inline {
    /// Its name.
    pub name: Ident,
    /// The holes.
    pub parameters: Vec<Ident>,
    /// The body's words, separated so that they can be read again.
    pub body: String,
}

/// Embedded C at the top level.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    /// The keyword.
    pub keyword: crate::token::Keyword,
    /// What follows: code, or the strings of `c_state` and `c_track`.
    pub texts: Vec<Name>,
    /// All of it.
    pub at: At,
}

/// PV: `typedef enum { a, b } T`.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    /// The type's name.
    pub name: Ident,
    /// The constants; the first is 0.
    pub names: Vec<Ident>,
}

/// PV: `invariant name expression`.
#[derive(Clone, Debug, PartialEq)]
pub struct Invariant {
    /// Its name.
    pub name: Ident,
    /// What must always be true.
    pub condition: Expr,
}

/// Variables declared together.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// `hidden`, `show` or `local`.
    pub prefix: Option<Prefix>,
    /// Their type.
    pub ty: Type,
    /// Each with its own size and value.
    pub variables: Vec<Declarator>,
    /// All of it.
    pub at: At,
}

/// What can stand before a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// Not part of the state.
    Hidden,
    /// To be shown in message charts.
    Show,
    /// Used by one process only.
    Local,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// Which.
    pub kind: TypeKind,
    /// Where.
    pub at: At,
}

/// The types.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum TypeKind {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Chan,
    /// With the subtype, if named.
    Mtype(Option<Ident>),
    /// A `typedef`, or a PV enumeration.
    Named(Ident),
    /// PV: a lock.
    Lock,
    /// PV: a counting semaphore.
    Sema,
}

/// One variable of a declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    /// Its name.
    pub name: Ident,
    /// `: n`, the bits of an `unsigned`.
    pub width: Option<Expr>,
    /// `[n]`.
    pub size: Option<Expr>,
    /// `= …`.
    pub initial: Option<Initial>,
}

/// What a variable starts with.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// A value (for every element of an array).
    Value(Expr),
    /// `{ a, b }`: the last is repeated.
    List(Vec<Expr>),
    /// `[capacity] of { types }`.
    Channel {
        /// Slots.
        capacity: Expr,
        /// Fields of a message.
        fields: Vec<Type>,
    },
}

/// Statements between braces (or between `::` and the next one).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// In order.
    pub statements: Vec<Statement>,
    /// Where it closes.
    pub close: At,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// `a: b: statement`.
    pub labels: Vec<Ident>,
    /// Which.
    pub kind: StatementKind,
    /// All of it, without its labels.
    pub at: At,
}

/// The statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// An expression as a condition; also `skip`, `run P()` and `timeout`.
    Condition(Expr),
    /// `else`.
    Else,
    /// `x = e`.
    Assign(Reference, Expr),
    /// `x++`.
    Increment(Reference),
    /// `x--`.
    Decrement(Reference),
    /// A use of an `inline`, with its expansion.
    Call {
        /// Its name.
        name: Ident,
        /// Actual arguments, each as text that can be read again.
        arguments: Vec<String>,
        /// `result = f(…)`.
        result: Option<Reference>,
        /// The expansion, parsed; `return e` has become an assignment to `result`.
        body: Block,
    },
    /// `q!…` or `q!!…`.
    Send {
        /// The channel.
        channel: Reference,
        /// `!!`.
        sorted: bool,
        /// The message.
        arguments: Vec<Expr>,
    },
    /// `q?…`, `q??…`, `q?<…>`, `q??<…>`.
    Receive {
        /// The channel.
        channel: Reference,
        /// `??`.
        random: bool,
        /// `<…>`: the message stays.
        keep: bool,
        /// What to do with each field.
        arguments: Vec<ReceiveArgument>,
    },
    /// `assert(e)`.
    Assert(Expr),
    /// `printf("…", …)`.
    Printf(Name, Vec<Expr>),
    /// `printm(e)`.
    Printm(Expr),
    /// `goto L`.
    Goto(Ident),
    /// `break`.
    Break,
    /// `atomic { … }`.
    Atomic(Block),
    /// `d_step { … }`.
    DStep(Block),
    /// `{ … }`.
    Block(Block),
    /// `if :: … fi`.
    If(Vec<Block>),
    /// `do :: … od`.
    Do(Vec<Block>),
    /// `for (i : a .. b) { … }`.
    For {
        /// The counter.
        index: Reference,
        /// First value.
        from: Expr,
        /// Last value.
        to: Expr,
        /// The body.
        body: Block,
    },
    /// `for (i in a) { … }`, over an array's indices or a channel's messages.
    ForIn {
        /// The counter or the message.
        index: Reference,
        /// The array or channel.
        container: Reference,
        /// The body.
        body: Block,
    },
    /// `select (i : a .. b)`.
    Select {
        /// The variable.
        index: Reference,
        /// First value.
        from: Expr,
        /// Last value.
        to: Expr,
    },
    /// `main unless escape`.
    Unless(Box<Statement>, Box<Statement>),
    /// `xr q, r` or `xs q`.
    Exclusive {
        /// `xs`: the right to send; else the right to receive.
        send: bool,
        /// Which channels.
        channels: Vec<Reference>,
    },
    /// `set_priority(p, n)`.
    SetPriority(Expr, Expr),
    /// `c_code [precondition] { … }`.
    Code {
        /// Text between `[` and `]`.
        precondition: Option<Name>,
        /// Text between the braces.
        text: Name,
    },
    /// Variables declared among the statements.
    Declaration(Declaration),
    /// PV: `lock(l)`.
    Lock(Reference),
    /// PV: `unlock(l)`.
    Unlock(Reference),
    /// PV: `run [i < n] [j < m] P(…)`.
    RunMany(Vec<(Ident, Expr)>, Expr),
}

/// What a receive does with a field.
#[derive(Clone, Debug, PartialEq)]
pub enum ReceiveArgument {
    /// A name: stored there, or matched if it names a constant. `_` is such a name.
    Reference(Reference),
    /// A constant that must match.
    Constant(Expr),
    /// `eval(e)`: a value that must match.
    Eval(Expr),
}

/// A variable, an element, a field: `a`, `a[i]`, `a[i].b.c[j]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// At least one.
    pub segments: Vec<Segment>,
    /// All of it.
    pub at: At,
}

/// One step of a reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// The name.
    pub name: Ident,
    /// `[i]`.
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// All of it.
    pub at: At,
}

/// The expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number, a character, `true`, `false`, `skip`.
    Number(i32),
    /// A variable or a named constant, also `_pid`, `_nr_pr`, `_last`, `_priority`.
    Reference(Reference),
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len`, `full`, `nfull`, `empty`, `nempty`.
    Channel(ChannelTest, Reference),
    /// `q?[…]` or `q??[…]`.
    Poll {
        /// The channel.
        channel: Reference,
        /// `??`.
        random: bool,
        /// What the message must be.
        arguments: Vec<ReceiveArgument>,
    },
    /// `run P(…) [priority n]`.
    Run {
        /// The process type.
        process: Ident,
        /// Actual arguments.
        arguments: Vec<Expr>,
        /// `priority n`.
        priority: Option<Box<Expr>>,
    },
    /// `enabled(p)`.
    Enabled(Box<Expr>),
    /// `pc_value(p)`.
    PcValue(Box<Expr>),
    /// `get_priority(p)`.
    GetPriority(Box<Expr>),
    /// `P[i]@label` or `P@label`.
    RemoteLabel {
        /// The process type.
        process: Ident,
        /// Which instance.
        index: Option<Box<Expr>>,
        /// The label.
        label: Ident,
    },
    /// `P[i]:x` or `P:x`.
    RemoteVariable {
        /// The process type.
        process: Ident,
        /// Which instance.
        index: Option<Box<Expr>>,
        /// The variable.
        variable: Reference,
    },
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `c_expr [precondition] { … }`.
    Code {
        /// Text between `[` and `]`.
        precondition: Option<Name>,
        /// Text between the braces.
        text: Name,
    },
    /// `AG e`, `E[e U e]` and their relatives, only inside `ctl`.
    Quantified {
        /// `A`: all paths.
        universal: bool,
        /// What they are like.
        path: PathOp,
        /// One part, or two for [`PathOp::Until`] and [`PathOp::WeakUntil`].
        parts: Vec<Expr>,
    },
    /// What could not be understood; an error has been reported.
    Missing,
}

/// What a path is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PathOp {
    Next,
    Finally,
    Globally,
    Until,
    WeakUntil,
}

/// Prefix operators. The last three only inside `ltl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Not,
    Negate,
    Complement,
    Always,
    Eventually,
    Next,
}

/// Infix operators. Those from `Implies` on only inside `ltl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Implies,
    Equivalent,
    Until,
    Release,
    WeakUntil,
}

impl UnaryOp {
    /// The operator of the model, unless it is a temporal one.
    pub fn of_numbers(self) -> Option<model::UnaryOp> {
        Some(match self {
            UnaryOp::Not => model::UnaryOp::Not,
            UnaryOp::Negate => model::UnaryOp::Negate,
            UnaryOp::Complement => model::UnaryOp::Complement,
            UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => return None,
        })
    }
}

impl BinaryOp {
    /// The operator of the model, unless it is one of formulas.
    pub fn of_numbers(self) -> Option<model::BinaryOp> {
        Some(match self {
            BinaryOp::Or => model::BinaryOp::Or,
            BinaryOp::And => model::BinaryOp::And,
            BinaryOp::BitOr => model::BinaryOp::BitOr,
            BinaryOp::BitXor => model::BinaryOp::BitXor,
            BinaryOp::BitAnd => model::BinaryOp::BitAnd,
            BinaryOp::Eq => model::BinaryOp::Eq,
            BinaryOp::Ne => model::BinaryOp::Ne,
            BinaryOp::Lt => model::BinaryOp::Lt,
            BinaryOp::Le => model::BinaryOp::Le,
            BinaryOp::Gt => model::BinaryOp::Gt,
            BinaryOp::Ge => model::BinaryOp::Ge,
            BinaryOp::Shl => model::BinaryOp::Shl,
            BinaryOp::Shr => model::BinaryOp::Shr,
            BinaryOp::Add => model::BinaryOp::Add,
            BinaryOp::Sub => model::BinaryOp::Sub,
            BinaryOp::Mul => model::BinaryOp::Mul,
            BinaryOp::Div => model::BinaryOp::Div,
            BinaryOp::Rem => model::BinaryOp::Rem,
            BinaryOp::Implies | BinaryOp::Equivalent | BinaryOp::Until | BinaryOp::Release | BinaryOp::WeakUntil => {
                return None;
            }
        })
    }
}

/// Questions about a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ChannelTest {
    Len,
    Full,
    NotFull,
    Empty,
    NotEmpty,
}
