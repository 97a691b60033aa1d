//! What a piece of a random model can refer to.

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Ty {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned(u8),
    Pid,
    /// A row of the model's lists of names.
    Mtype(usize),
}

impl Ty {
    /// Its word; an `unsigned` needs its width after the variable.
    pub fn word(self) -> &'static str {
        match self {
            Ty::Bit => "bit",
            Ty::Bool => "bool",
            Ty::Byte => "byte",
            Ty::Short => "short",
            Ty::Int => "int",
            Ty::Unsigned(_) => "unsigned",
            Ty::Pid => "pid",
            Ty::Mtype(0) => "mtype",
            Ty::Mtype(_) => "mtype:kind",
        }
    }

    /// Whether its values are few anyhow.
    pub fn is_small(self) -> bool {
        matches!(self, Ty::Bit | Ty::Bool | Ty::Unsigned(1..=3))
    }

    /// Whether every value of the other type fits. Where it does not, SPIN puts a received value back
    /// wrongly when it backtracks.
    pub fn holds(self, other: Ty) -> bool {
        let bits = |ty: Ty| match ty {
            Ty::Bit | Ty::Bool => 1,
            Ty::Unsigned(width) => u32::from(width),
            Ty::Byte | Ty::Pid | Ty::Mtype(_) => 8,
            Ty::Short => 16,
            Ty::Int => 32,
        };
        bits(self) >= bits(other)
    }

    /// Whether its values have names.
    pub fn is_mtype(self) -> bool {
        matches!(self, Ty::Mtype(_))
    }
}

/// A variable or a field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Names on the way to it, each with the size if it is an array.
    pub path: Vec<(String, Option<u32>)>,
    /// What it holds.
    pub ty: Ty,
    /// Whether statements may change it.
    pub writable: bool,
    /// Everybody sees it.
    pub global: bool,
}

impl Variable {
    /// A variable that is no array.
    pub fn plain(name: &str, ty: Ty, global: bool) -> Variable {
        Variable { path: vec![(name.to_string(), None)], ty, writable: true, global }
    }

    /// The name before any dot or bracket.
    pub fn base(&self) -> &str {
        &self.path[0].0
    }

    /// Whether the name alone is the variable.
    pub fn is_plain(&self) -> bool {
        self.path.len() == 1 && self.path[0].1.is_none()
    }
}

/// A field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A value.
    Value(Ty),
    /// A channel that carries one byte.
    Channel,
    /// A struct: a row of the model's typedefs.
    Struct(usize),
}

/// A channel, or an array of them.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// How many, if an array.
    pub size: Option<u32>,
    /// What a message holds.
    pub fields: Vec<Field>,
    /// No buffer; `None` if only known at run time.
    pub rendezvous: Option<bool>,
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name.
    pub name: String,
    /// Ways to its values, relative to a variable of the type.
    pub leaves: Vec<Variable>,
    /// Can be sent.
    pub message: bool,
    /// Can be a parameter.
    pub parameter: bool,
}

/// What a process looks like from outside.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// Types of its parameters.
    pub parameters: Vec<Parameter>,
    /// Labels that can be asked for.
    pub labels: Vec<String>,
    /// Plain variables that can be asked for.
    pub variables: Vec<String>,
    /// Numbers of the instances that exist from the start.
    pub pids: Vec<usize>,
}

/// A parameter of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A value.
    Value(Ty),
    /// A channel that carries one byte.
    Channel,
    /// A struct.
    Struct(usize),
}

/// All that is visible at one place.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Variables and fields.
    pub variables: Vec<Variable>,
    /// Channels that exist.
    pub channels: Vec<Channel>,
    /// Variables that can hold a channel, and perhaps hold none.
    pub channel_variables: Vec<String>,
    /// Variables of a struct type: name and row.
    pub structs: Vec<(String, usize)>,
    /// Counters of `for` that are not in use.
    pub counters: Vec<String>,
    /// Labels that `goto` may name.
    pub labels: Vec<String>,
    /// Processes that may be started here.
    pub startable: Vec<usize>,
    /// Numbers that the process itself may have at the start.
    pub own_pids: Vec<usize>,
    /// May ask whether others can move. Two processes that ask each other have no answer.
    pub curious: bool,
}
