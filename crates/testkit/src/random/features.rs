//! What a random model can contain. A table counts it, so that nothing is silently never generated.
use std::collections::BTreeMap;

/// Every construct the generator knows by name.
pub const FEATURES: &[&str] = &[
    // Variables.
    "global bit",
    "global bool",
    "global byte",
    "global short",
    "global int",
    "global unsigned",
    "global mtype",
    "global pid",
    "local bit",
    "local bool",
    "local byte",
    "local short",
    "local int",
    "local unsigned",
    "local mtype",
    "local pid",
    "array",
    "array initialiser list",
    "computed index",
    "index out of range",
    "typedef",
    "nested typedef",
    "struct array",
    "mtype subtype",
    "initial expression",
    "hidden",
    "show",
    "local prefix",
    "block-local declaration",
    "late declaration",
    // Channels.
    "buffered channel",
    "rendezvous channel",
    "channel array",
    "several fields",
    "struct message",
    "channel in message",
    "channel parameter",
    "local channel",
    "send",
    "send with type first",
    "sorted send",
    "receive",
    "random receive",
    "peek",
    "random peek",
    "eval",
    "constant in receive",
    "_ in receive",
    "poll",
    "random poll",
    "len",
    "full",
    "nfull",
    "empty",
    "nempty",
    // Control.
    "if",
    "do",
    "else",
    "break",
    "goto",
    "atomic",
    "d_step",
    "receive starts d_step",
    "unless",
    "nested unless",
    "atomic in unless",
    "unless in atomic",
    "timeout",
    "end label",
    "progress label",
    "accept label",
    "skip",
    "block",
    "nested selection as guard",
    "for range",
    "for in array",
    "for in channel",
    "select",
    "select computed",
    "send inside d_step",
    // Processes.
    "active",
    "active several",
    "init",
    "run",
    "run with arguments",
    "run result",
    "struct parameter",
    "provided",
    "priority",
    "run priority",
    "set_priority",
    "get_priority",
    "_priority",
    "D_proctype",
    "_pid",
    "_nr_pr",
    "_last",
    "enabled",
    "remote label",
    "remote variable",
    "waits for children",
    // Expressions.
    "arithmetic",
    "division",
    "shift",
    "bitwise",
    "comparison",
    "logic",
    "unary",
    "conditional",
    "without parentheses",
    "division by zero",
    "character",
    // The rest.
    "inline",
    "inline with channel",
    "inline return",
    "macro constant",
    "macro statement",
    "macro condition",
    "conditional compilation",
    "assertion",
    "false assertion",
    "printf",
    "printm",
    "increment",
    "comment",
];

/// How many models used each construct.
#[derive(Clone, Debug)]
pub struct Coverage(BTreeMap<&'static str, usize>);

impl Default for Coverage {
    fn default() -> Self {
        Coverage(FEATURES.iter().map(|&name| (name, 0)).collect())
    }
}

impl Coverage {
    /// Counts the constructs of one model.
    pub fn add<'a>(&mut self, used: impl IntoIterator<Item = &'a &'static str>) {
        for name in used {
            *self.0.get_mut(name).expect("a construct of the table") += 1;
        }
    }

    /// Constructs that no model used.
    pub fn missing(&self) -> Vec<&'static str> {
        self.0.iter().filter(|it| *it.1 == 0).map(|it| *it.0).collect()
    }

    /// The table, four constructs a line, in the order of [`FEATURES`].
    pub fn table(&self) -> String {
        let cells: Vec<String> = FEATURES.iter().map(|name| format!("{:>6} {name:<26}", self.0[name])).collect();
        cells.chunks(4).map(|row| row.concat().trim_end().to_string() + "\n").collect()
    }
}
