//! The command `slice`.
use std::path::PathBuf;

use clap::Args;
use engine::{Fairness, Question};
use promenade::{Options, slice_text};

use crate::args::Source;
use crate::exit::Exit;
use crate::{input, plan, show_diagnostics, write_to};

#[derive(Args)]
#[command(after_help = "\
Example: prom slice wordcount.pml --property enough
Exit code: 0, or 2 for wrong input or a property for which every step can matter")]
pub struct SliceArguments {
    #[command(flatten)]
    pub source: Source,
    /// For this: safety, deadlock (a part of it), or the name of a formula
    #[arg(long, value_name = "NAME", default_value = "safety")]
    pub property: String,
    /// One more property: FORMULA, `name: FORMULA`, or @FILE with one (repeatable)
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// Safety without ends: only what can be reached matters (pan -E)
    #[arg(long)]
    pub no_end_states: bool,
    /// For executions in which who can move again and again does so in the end
    #[arg(long)]
    pub strongly_fair: bool,
    /// No comments
    #[arg(long)]
    pub bare: bool,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(it: &SliceArguments) -> Exit {
    let input = match input(&it.source.file) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let options = Options {
        front: plan::front(&it.source),
        extras: plan::formulas(&it.ltl).collect(),
        question: Question { end_states: !it.no_end_states, ..Question::default() },
        fairness: if it.strongly_fair { Fairness::Strong } else { Fairness::None },
        ..Options::default()
    };
    let (checked, sliced) = slice_text(&input, &options, &it.property);
    show_diagnostics(&checked);
    let Some(sliced) = sliced else { return Exit::Wrong };
    let name = it.source.file.display().to_string();
    write_to(&sliced.text(&name, !it.bare), it.output.as_deref(), "the slice")
}
