//! Names that Promela keeps for itself get an underscore.

const RESERVED: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "chan",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "fi",
    "for",
    "full",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "od",
    "of",
    "pid",
    "printf",
    "priority",
    "proctype",
    "provided",
    "run",
    "select",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "notrace",
    "D_proctype",
    "c_track",
    "get_priority",
    "set_priority",
    "pc_value",
    "always",
    "eventually",
    "until",
    "weakuntil",
    "stronguntil",
    "release",
    "implies",
    "equivalent",
    "next",
];

/// The name of a C object in the model.
pub(crate) fn safe(name: &str) -> String {
    let ours = matches!(
        name,
        "self"
            | "threads"
            | "done"
            | "running"
            | "exited"
            | "true"
            | "false"
            | "c_code"
            | "c_expr"
            | "c_decl"
            | "c_state"
            | "np_"
            | "_"
            | "STDIN"
    );
    if ours || RESERVED.contains(&name) { format!("{name}_") } else { name.to_string() }
}
