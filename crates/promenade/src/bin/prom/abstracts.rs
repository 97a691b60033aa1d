//! The command `abstract`.
use std::path::PathBuf;

use abstraction::decide::{self, Procedure};
use clap::{Args, ValueEnum};
use promenade::abstraction::{Plan, Verdict, abstract_model};

use crate::args::Source;
use crate::exit::Exit;
use crate::{complain, input, plan, show_diagnostics, write_out};

#[derive(Args)]
#[command(after_help = "\
Example: prom abstract counter.pml --predicates counter.pred --refine
Exit code: 0 holds (or the model was written), 1 violated, 2 wrong input, 3 unknown")]
pub struct AbstractArguments {
    #[command(flatten)]
    pub source: Source,
    /// Predicates, one a line: `neg_x := x < 0`, `P:y == 2`; `abstract x, y`; `keep z`
    #[arg(long, value_name = "FILE")]
    pub predicates: PathBuf,
    /// Write the abstract model here
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Check the abstract model, and its counterexample on the concrete one
    #[arg(long)]
    pub check: bool,
    /// Check, and add predicates where a counterexample is spurious
    #[arg(long)]
    pub refine: bool,
    /// How often predicates are added at most
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub rounds: usize,
    /// The most predicates
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub most_predicates: usize,
    /// Preserve assertions and run-time errors only: no ends, no temporal properties
    #[arg(long)]
    pub assertions_only: bool,
    /// Who decides what is possible
    #[arg(long, value_enum, default_value_t)]
    pub solver: Solver,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Solver {
    /// Z3 or cvc5 if installed, else our own
    #[default]
    Auto,
    Own,
    Z3,
    Cvc5,
}

/// Who decides.
fn procedure(solver: Solver) -> Procedure {
    let smt = |name: &str| Procedure::Smt(name.into());
    match solver {
        Solver::Own => Procedure::Own,
        Solver::Z3 => smt("z3"),
        Solver::Cvc5 => smt("cvc5"),
        Solver::Auto => ["z3", "cvc5"].into_iter().find(|it| decide::is_installed(it)).map_or(Procedure::Own, smt),
    }
}

/// Runs the command.
pub fn run(it: &AbstractArguments) -> Exit {
    let input = match input(&it.source.file) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let options = abstraction::Options {
        procedure: procedure(it.solver),
        assertions_only: it.assertions_only,
        ..abstraction::Options::default()
    };
    let check = promenade::Options { front: plan::front(&it.source), ..promenade::Options::default() };
    let rounds = if it.refine { it.rounds } else { 0 };
    let checks = it.check || it.refine;
    let plan = Plan { options, check, checks, rounds, most_predicates: it.most_predicates };
    let done = abstract_model(&input, &it.predicates, &plan, &mut ());
    show_diagnostics(&done.checked);
    let Some(text) = &done.text else { return Exit::Wrong };
    if done.checked.diagnostics.iter().any(text::Diagnostic::is_error) {
        return Exit::Wrong;
    }
    if let Some(Err(error)) = it.output.as_ref().map(|file| std::fs::write(file, text)) {
        return complain(&format!("the abstract model cannot be written: {error}"), Exit::Wrong);
    }
    let Some(verdict) = &done.verdict else {
        return if it.output.is_some() { Exit::Holds } else { write_out(text, "the abstract model") };
    };
    let (word, exit) = match verdict {
        Verdict::Holds if !done.assumed.is_empty() => {
            let list: Vec<String> = done.assumed.iter().map(|it| format!("`{it}`")).collect();
            let word =
                format!("unknown: holds where {} always holds, which is assumed and not checked", list.join(" and "));
            (word, Exit::Unknown)
        }
        Verdict::Holds => ("holds".to_string(), Exit::Holds),
        Verdict::Violated(it) => {
            (format!("violated: {} (certain: replayed on the concrete model)", it.message), Exit::Violated)
        }
        Verdict::Spurious(at) => {
            (format!("unknown: the abstract counterexample is spurious, it breaks at {at}"), Exit::Unknown)
        }
        Verdict::Unknown(why) => (format!("unknown: {why}"), Exit::Unknown),
    };
    let mut out = format!("{word}\nabstract models checked: {}, states of the last: {}\n", done.rounds, done.states);
    for (name, condition) in &done.predicates {
        out += &format!("  {name}: {condition}\n");
    }
    if let Verdict::Violated(violation) = verdict {
        let mut trace = Vec::new();
        let detail = report::Detail { verbose: false, stats: false, colour: false };
        if report::render_trace(violation, detail, &mut trace).is_ok() {
            out += &String::from_utf8_lossy(&trace);
        }
    }
    match write_out(&out, "the report") {
        Exit::Holds => exit,
        other => other,
    }
}
