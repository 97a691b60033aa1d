//! The tree of a text, as it was written: nothing is resolved.
use text::Span;

/// A whole text.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Constants that the caller may choose, and others.
    pub constants: Vec<Constant>,
    /// Types that list their values.
    pub enumerations: Vec<Enumeration>,
    /// Names for types.
    pub types: Vec<Alias>,
    /// Names for expressions.
    pub definitions: Vec<Definition>,
    /// Variables that everybody sees.
    pub variables: Vec<Declaration>,
    /// Shared actions.
    pub actions: Vec<Action>,
    /// Processes.
    pub processes: Vec<Process>,
    /// How they are put together; all in parallel if nothing is said.
    pub systems: Vec<System>,
    /// Conditions of every state.
    pub invariants: Vec<Invariant>,
    /// Formulas.
    pub properties: Vec<Property>,
}

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// `const name = value;` or `param name = value;`
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Name,
    /// Its value, or the value it has if the caller gives none.
    pub value: Expr,
    /// The caller may choose it.
    pub is_parameter: bool,
}

/// `enum name { a, b }`
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: Name,
    /// Its values, from 0.
    pub values: Vec<Name>,
}

/// `type name = type;`
#[derive(Clone, Debug)]
pub struct Alias {
    /// The new name.
    pub name: Name,
    /// What it stands for.
    pub ty: Type,
}

/// `define name(a, b) = expression;`
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: Name,
    /// Stand for what is given.
    pub parameters: Vec<Name>,
    /// What it stands for.
    pub value: Expr,
}

/// `var a, b: type = initial;`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The variables.
    pub names: Vec<Name>,
    /// Their type.
    pub ty: Type,
    /// What they start with; one value, or one per element of an array.
    pub initial: Vec<Expr>,
}

/// Values that a variable can have.
#[derive(Clone, Debug)]
pub struct Type {
    /// Of one element.
    pub element: Element,
    /// The dimensions of an array.
    pub dimensions: Vec<Range>,
    /// Where.
    pub span: Span,
}

/// Values of one element.
#[derive(Clone, Debug)]
pub enum Element {
    /// `bool`
    Bool,
    /// `low..high`
    Range(Range),
    /// An enumeration or a name for a type.
    Named(Name),
}

/// `low..high`; a single number `n` as a dimension is `0..n - 1`.
#[derive(Clone, Debug)]
pub struct Range {
    /// Lowest.
    pub low: Expr,
    /// Highest.
    pub high: Expr,
}

/// `name in low..high`
#[derive(Clone, Debug)]
pub struct Binding {
    /// Stands for each of the values in turn.
    pub name: Name,
    /// The values.
    pub range: Bounds,
}

/// What a binding ranges over.
#[derive(Clone, Debug)]
pub enum Bounds {
    /// `low..high`
    Range(Range),
    /// All values of an enumeration or of `bool`.
    Type(Name),
}

/// `action name[1..n](bool);` A name may be declared several times, with different lists of values.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name.
    pub name: Name,
    /// One gate for each combination of these.
    pub indices: Vec<Range>,
    /// The values that go with it.
    pub fields: Vec<Field>,
}

/// What one value of an action can be.
#[derive(Clone, Debug)]
pub enum Field {
    /// Any value of a type; a name may be that of a value, too.
    Type(Type),
    /// This value alone.
    Value(Expr),
}

/// `process name[i in 1..n] { … }`
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// One instance for each combination of these.
    pub bindings: Vec<Binding>,
    /// Own variables.
    pub variables: Vec<Declaration>,
    /// Own actions.
    pub actions: Vec<Action>,
    /// Gates in which it takes part, whether it ever offers them or not.
    pub alphabet: Vec<Gates>,
    /// Where it may stop.
    pub finals: Vec<Expr>,
    /// Commands that are possible wherever it is.
    pub commands: Vec<Command>,
    /// Named places with the commands that are possible there.
    pub states: Vec<StateSection>,
    /// What it does, step by step.
    pub behaviour: Option<Vec<Step>>,
    /// Where it is declared.
    pub span: Span,
}

/// `state name: commands`
#[derive(Clone, Debug)]
pub struct StateSection {
    /// Its name.
    pub name: Name,
    /// `final` stands before it.
    pub is_final: bool,
    /// What is possible there.
    pub commands: Vec<Command>,
}

/// `[action] condition -> updates goto state;`
#[derive(Clone, Debug)]
pub struct Command {
    /// What happens; `None` for a step that nobody sees.
    pub event: Option<Event>,
    /// Must be true.
    pub condition: Option<Expr>,
    /// What changes, all at once.
    pub updates: Vec<Update>,
    /// Where it leads.
    pub target: Option<Name>,
    /// Where.
    pub span: Span,
}

/// `name[i] !value ?variable`
#[derive(Clone, Debug)]
pub struct Event {
    /// The action.
    pub name: Name,
    /// Which of its gates.
    pub indices: Vec<Expr>,
    /// Its values.
    pub data: Vec<Datum>,
    /// Where.
    pub span: Span,
}

/// A value of an event.
#[derive(Clone, Debug)]
pub enum Datum {
    /// `!value`
    Offer(Expr),
    /// `?place`: any value that the place can have, which is stored there.
    Store(Expr),
    /// `?name: type`: any value of the type, which has this name in the command.
    Bind(Name, Type),
    /// `?_`: any value.
    Any(Span),
}

/// What changes.
#[derive(Clone, Debug)]
pub enum Update {
    /// `place := value`
    Assign(Expr, Expr),
    /// `for k in 1..n: place := value`
    For(Binding, Vec<Update>),
}

/// A piece of a sequence.
#[derive(Clone, Debug)]
pub enum Step {
    /// `[action] …;`
    Command(Command),
    /// `name:`, a name for the place between two steps.
    Label(Name),
    /// `when condition;` adds a condition to what follows.
    When(Expr),
    /// `choose { … } or { … }`
    Choose(Vec<Vec<Step>>),
    /// `if condition { … } else { … }`
    If(Expr, Vec<Step>, Vec<Step>),
    /// `while condition { … }`
    While(Expr, Vec<Step>),
    /// `cycle { … }`
    Cycle(Vec<Step>),
    /// `end;` here the process may stop.
    End(Span),
    /// `stop;` here nothing happens any more, which is a deadlock.
    Stop(Span),
}

/// `name`, `name[2]`, `name[1..3]`, `name !value`: some gates of an action.
#[derive(Clone, Debug)]
pub struct Gates {
    /// The action.
    pub name: Name,
    /// Which of its gates; all if nothing is said.
    pub indices: Option<Vec<GateIndex>>,
    /// The values that its lists begin with.
    pub values: Vec<Expr>,
    /// Where.
    pub span: Span,
}

/// An index of gates.
#[derive(Clone, Debug)]
pub enum GateIndex {
    /// One.
    One(Expr),
    /// Several.
    Range(Range),
}

/// `system composition;`
#[derive(Clone, Debug)]
pub struct System {
    /// What the system is.
    pub composition: Composition,
    /// Where.
    pub span: Span,
}

/// Processes put together.
#[derive(Clone, Debug)]
pub enum Composition {
    /// A process, or all processes of an array.
    Process(Name, Vec<Expr>),
    /// Two or more.
    Parallel(Operator, Vec<Composition>),
    /// One for each value, put together in the same way.
    Replicated(Operator, Binding, Box<Composition>),
    /// `… hide { gates }`
    Hide(Box<Composition>, Vec<Gates>),
    /// `… rename { old -> new }`
    Rename(Box<Composition>, Vec<(Gates, Gates)>),
}

/// How processes meet.
#[derive(Clone, Debug)]
pub enum Operator {
    /// `||`: on what both have in their alphabets.
    Together,
    /// `|||`: on nothing.
    Interleaved,
    /// `|[ gates ]|`: on these.
    On(Vec<Gates>),
}

/// `invariant name: condition;`
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name.
    pub name: Name,
    /// What must be true in every state.
    pub condition: Expr,
    /// Where.
    pub span: Span,
}

/// `property name: formula;`
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: Name,
    /// Where the formula stands, without the semicolon.
    pub formula: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Number(i64),
    /// `true` or `false`
    Bool(bool),
    /// A constant, a variable, a definition without parameters.
    Name(String),
    /// `a[i]`
    Index(Box<Expr>, Vec<Expr>),
    /// `p.x`: a variable of a process.
    Member(Box<Expr>, Name),
    /// `p at s`: whether a process is in a state.
    At(Box<Expr>, Name),
    /// `d(a, b)`: a definition.
    Call(Name, Vec<Expr>),
    /// A prefix operator.
    Unary(Unary, Box<Expr>),
    /// An infix operator.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall k in 1..n: …` and its relatives.
    Quantified(Quantifier, Box<Binding>, Box<Expr>),
    /// What could not be read.
    Wrong,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    Not,
    Minus,
}

/// Infix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Equivalent,
    Implies,
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Divided,
    Remainder,
}

/// What is asked of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// All are true.
    ForAll,
    /// One is true.
    Exists,
    /// How many are true.
    Count,
    /// Their sum.
    Sum,
}
