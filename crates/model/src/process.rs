//! Process types as graphs of guarded edges.
use crate::{Expr, Place, Variable};
use text::Span;

/// A kind of process: a graph and the variables each instance has.
#[derive(Clone, Debug, Default)]
pub struct ProcessType {
    /// Its name.
    pub name: String,
    /// Own variables; the parameters come first.
    pub variables: Vec<Variable>,
    /// How many of the variables are parameters.
    pub parameters: u32,
    /// Control locations.
    pub locations: Vec<Location>,
    /// Edges; those of one location stand together.
    pub edges: Vec<Edge>,
    /// Where an instance starts.
    pub entry: LocationId,
    /// A condition on every step of an instance.
    pub provided: Option<Expr>,
    /// No state may offer two steps.
    pub deterministic: bool,
    /// Channels on which only one process may send or receive.
    pub exclusive: Vec<Exclusive>,
    /// Where it is declared.
    pub span: Span,
}

/// A control location.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// The number by which programs may ask for it.
    pub number: u32,
    /// First of its edges in [`ProcessType::edges`]; in the order in which they are tried.
    pub first_edge: u32,
    /// How many.
    pub edge_count: u32,
    /// Names it has in the source.
    pub labels: Vec<String>,
    /// A process may stop here.
    pub valid_end: bool,
    /// To be here again and again is good.
    pub progress: bool,
    /// To be here again and again is what a property looks for.
    pub accepting: bool,
    /// Inside an indivisible region: no state of the system is ever seen here.
    pub internal: bool,
    /// Where it stands.
    pub span: Span,
}

/// A step: from one location to another if the guard is true and the effects can happen.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From.
    pub source: LocationId,
    /// To; `None` when the process ceases to exist.
    pub target: Option<LocationId>,
    /// Must be true.
    pub guard: Expr,
    /// What happens, in order. A send or receive at the front adds its own condition.
    pub effects: Vec<Effect>,
    /// Own variables that become 0 after everything else, because nobody will look at what they hold.
    pub forgets: Vec<crate::VariableId>,
    /// Only if no other edge of the location can be taken.
    pub otherwise: bool,
    /// The process goes on alone afterwards, as long as it can.
    pub keeps_control: bool,
    /// Edges of one location come in groups: 0 is the normal one, others interrupt it. If an edge of a
    /// group can be taken, those of later groups cannot.
    pub group: u32,
    /// What an observer sees when it is taken.
    pub action: Option<ActionId>,
    /// How the source writes it.
    pub form: Form,
    /// Its number among the statements of the whole source, by which other programs know it.
    pub statement: u32,
    /// The step as the source writes it.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// How a step is written: nothing that changes what it does, but other checkers take steps together, or not, according to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// It only leads on: a jump, or the joint behind a choice.
    pub jump: bool,
    /// It has a label.
    pub labelled: bool,
    /// It stands in a region without interleaving, be it the last step there.
    pub atomic: bool,
    /// Where it leads there is a label, or a statement that contains others.
    pub apart: bool,
    /// It counts a variable up or down, without an expression.
    pub counts: bool,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Stores a value.
    Assign(Place, Expr),
    /// Computes a value and forgets it.
    Evaluate(Expr),
    /// Blocks the whole step if the value is 0.
    Require(Expr),
    /// Sends a message.
    Send {
        /// The channel.
        channel: Expr,
        /// The fields.
        message: Vec<Expr>,
        /// Before the first greater message instead of at the end.
        sorted: bool,
    },
    /// Receives a message.
    Receive {
        /// The channel.
        channel: Expr,
        /// What to do with each field.
        patterns: Vec<Pattern>,
        /// The first message that matches, not just the oldest.
        anywhere: bool,
        /// The message stays in the channel.
        keep: bool,
    },
    /// A condition that should be true here.
    Assert(Expr),
    /// Writes a text for the reader of a trace.
    Print(Vec<PrintPart>),
    /// Creates a process.
    Spawn {
        /// Its type.
        process: crate::ProcessTypeId,
        /// Its first variables.
        arguments: Vec<Expr>,
        /// Its priority.
        priority: Expr,
    },
    /// Changes a process's priority.
    SetPriority(Expr, Expr),
    /// Takes steps from this location on, always the first that is possible, without interruption,
    /// until a location is reached that is not [`Location::internal`].
    Indivisible(LocationId),
    /// Ends the process; possible only for the youngest.
    Terminate,
}

/// What a receive does with a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Must be equal.
    Match(Expr),
    /// Is stored.
    Store(Place),
    /// Is ignored.
    Any,
}

impl Effect {
    /// Where an indivisible effect begins.
    pub fn entry(&self) -> Option<LocationId> {
        if let Effect::Indivisible(entry) = self { Some(*entry) } else { None }
    }
}

impl Pattern {
    /// The value that a field must equal.
    pub fn value(&self) -> Option<&Expr> {
        match self {
            Pattern::Match(value) => Some(value),
            Pattern::Store(_) | Pattern::Any => None,
        }
    }
}

impl Pattern {
    /// Calls `visit` for every expression in it.
    pub fn expressions_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Pattern::Match(value) => visit(value),
            Pattern::Store(place) => place.indices.iter_mut().for_each(visit),
            Pattern::Any => {}
        }
    }
}

/// A piece of a printed text.
#[derive(Clone, Debug, PartialEq)]
pub enum PrintPart {
    /// As it is.
    Text(String),
    /// A value: decimal, unsigned, octal, hexadecimal, a character (`d u o x c`).
    Value(char, Expr),
    /// A value with a name.
    Name(crate::EnumerationId, Expr),
}

/// A process declares that nobody else uses a channel in a direction.
#[derive(Clone, Debug)]
pub struct Exclusive {
    /// Which use.
    pub direction: Direction,
    /// Which channel.
    pub channel: Expr,
    /// Where it is declared.
    pub span: Span,
}

/// Two uses of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Direction {
    Send,
    Receive,
}

/// A process that exists at the beginning.
#[derive(Clone, Debug)]
pub struct Start {
    /// Its type.
    pub process: ProcessTypeId,
    /// Its priority.
    pub priority: i32,
}

/// An automaton that moves with every message sent to or received from the channels it names.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// Its graph; each edge has one send or receive. A send's fields are matched like a receive's.
    pub graph: ProcessType,
    /// Reaching the end is the error; otherwise a message that no edge matches is.
    pub forbidden: bool,
}

/// A row of [`crate::Model::processes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessTypeId(pub u32);

/// A row of [`crate::Model::actions`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

/// A row of [`ProcessType::locations`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(pub u32);

/// A row of [`ProcessType::edges`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

impl Location {
    /// Whether it is marked so.
    pub fn is_marked(&self, mark: crate::Mark) -> bool {
        match mark {
            crate::Mark::Progress => self.progress,
            crate::Mark::Accepting => self.accepting,
        }
    }
}

impl ProcessType {
    /// The location with this id.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.0 as usize]
    }

    /// The edge with this id.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    /// The edges out of a location, in the order in which they are tried.
    pub fn outgoing(&self, id: LocationId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let location = self.location(id);
        let range = location.first_edge..location.first_edge + location.edge_count;
        range.map(|row| (EdgeId(row), &self.edges[row as usize]))
    }

    /// Per location: whether others may move while the process is there. Where it goes on alone and never has to wait, they
    /// cannot.
    pub fn resting(&self) -> Vec<bool> {
        let reachable = self.reachable();
        let mut rests = vec![false; self.locations.len()];
        rests[self.entry.0 as usize] = true;
        for edge in self.edges.iter().filter(|it| reachable[it.source.0 as usize]) {
            let hands_over = edge.effects.iter().any(|it| matches!(it, Effect::Send { .. }));
            let loses = |it: &LocationId| !edge.keeps_control || hands_over || self.may_wait(*it);
            edge.target.filter(loses).into_iter().for_each(|it| rests[it.0 as usize] = true);
        }
        rests
    }

    /// Whether a process that goes on alone may have to wait at a location.
    fn may_wait(&self, location: LocationId) -> bool {
        let goes = |edge: &Edge| {
            let waits = edge.effects.first().is_some_and(crate::variables::can_wait);
            edge.otherwise || edge.guard.is_true() && !waits
        };
        self.provided.is_some() || !self.outgoing(location).any(|it| goes(it.1))
    }

    /// Per location: whether there is a way to it, whatever guards say.
    pub fn reachable(&self) -> Vec<bool> {
        let (mut seen, mut waiting) = (vec![false; self.locations.len()], vec![self.entry]);
        while let Some(location) = waiting.pop() {
            if !std::mem::replace(&mut seen[location.0 as usize], true) {
                for (_, edge) in self.outgoing(location).filter(|it| it.1.guard != Expr::Constant(0)) {
                    let inside = edge.effects.iter().filter_map(Effect::entry);
                    waiting.extend(edge.target.into_iter().chain(inside));
                }
            }
        }
        seen
    }
}
