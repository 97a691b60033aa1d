//! The command `extract`, and `check` for C programs.
use std::path::{Path, PathBuf};

use clap::Args;
use engine::Watch;
use promenade::c_program::{self, Reading};
use promenade::{Checked, Input};

use crate::args::Source;
use crate::exit::Exit;
use crate::plan::Plan;

/// How a C program is read.
#[derive(Args, Clone, Default)]
pub struct Program {
    /// Of a C program: this function becomes a process (repeatable) [default: main and its threads]
    #[arg(short = 'f', long = "function", value_name = "NAME", hide = true)]
    pub functions: Vec<String>,
    /// Of a C program: what its statements become (repeatable)
    #[arg(long = "table", value_name = "FILE.lut", hide = true)]
    pub tables: Vec<PathBuf>,
    /// Of a C program: what stands around the model
    #[arg(long, value_name = "FILE.prx", hide = true)]
    pub harness: Option<PathBuf>,
    /// Of a C program: headers that are missing are replaced
    #[arg(long, hide = true)]
    pub stub_headers: bool,
    /// Of a C program: what the table and the harness say is right
    #[arg(long, hide = true)]
    pub trust_table: bool,
}

#[derive(Args)]
#[command(after_help = "\
Of a C program, here and with `prom check FILE.c`, `replay`, `simulate` and `automata`:
  -f, --function <NAME>    This function becomes a process (repeatable) [default: main and its threads]
      --table <FILE.lut>   What its fragments become (repeatable); sender.lut is for function sender alone
      --harness <FILE.prx> What stands around the model
      --stub-headers       Headers that are missing are replaced
      --trust-table        What the table and the harness say is right

Example: prom extract abp.c -f abp_sender --table abp_sender.lut
Exit code: 0, or 2 for wrong input")]
pub struct ExtractArguments {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub program: Program,
    /// Bring this table up to date: rows of yours stay, new fragments are appended
    #[arg(long, value_name = "FILE.lut")]
    pub update: Option<PathBuf>,
    /// Show the table instead of the model
    #[arg(long)]
    pub show_table: bool,
}

/// What was said about a C program.
pub fn reading(source: &Source, program: &Program) -> Reading {
    let Program { functions, tables, harness, stub_headers, trust_table } = program.clone();
    Reading {
        functions,
        tables,
        harness,
        stub_headers,
        trust_table,
        mistake: None,
        defines: source.define.clone(),
        include_dirs: source.include.clone(),
    }
}

/// The command `extract`.
pub fn run(arguments: &ExtractArguments) -> Exit {
    crate::with_room("the extraction", || extract(arguments))
}

fn extract(arguments: &ExtractArguments) -> Exit {
    let mut reading = reading(&arguments.source, &arguments.program);
    let old = match arguments.update.as_deref() {
        Some(file) if file.exists() => match std::fs::read_to_string(file) {
            Ok(text) => {
                if reading.tables.is_empty() {
                    reading.tables.push(file.to_path_buf());
                }
                text
            }
            Err(error) => {
                return crate::complain(&format!("`{}` cannot be read: {error}", file.display()), Exit::Wrong);
            }
        },
        _ => String::new(),
    };
    let it = c_program::extract_model(&arguments.source.file, &reading);
    let checked = Checked { sources: it.sources, diagnostics: it.diagnostics, report: None };
    crate::show_diagnostics(&checked);
    let Some(model) = it.model else { return Exit::Wrong };
    eprintln!("note: {}", promenade::c_verdict::meaning(&model));
    let (table, fresh) = extract::merge(&it.unit, &old, &model.fragments);
    if let Some(file) = &arguments.update {
        if fresh > 0 && !old.is_empty() {
            eprintln!("warning: {fresh} new rows in `{}`", file.display());
        }
        if let Err(why) = replace(file, &table) {
            return crate::complain(&format!("`{}` cannot be written: {why}", file.display()), Exit::Wrong);
        }
    }
    crate::write_out(if arguments.show_table { &table } else { &model.text }, "the model")
}

/// Writes a file as a whole.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    let beside = file.with_extension(format!("lut.{}.new", std::process::id()));
    std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, file))
}

/// What a file says: a C program, to be shown as it is written, or a model. Whether threads end with the program is seen in executions; in
/// graphs it would be at every node.
pub fn model(source: &Source, program: &Program, ends: bool) -> Result<Input, Exit> {
    match is_program(&source.file) {
        true => {
            let (file, reading) = (source.file.clone(), reading(source, program));
            Ok(Input::Program(Box::new(c_program::Program { file, reading, ends })))
        }
        false => crate::input(&source.file),
    }
}

/// Whether the name of a file says that it is a C program.
fn is_program(file: &Path) -> bool {
    file.extension().is_some_and(|it| it == "c" || it == "i")
}

/// The command `check`: a C program by its model, anything else as it is.
pub fn check(input: &Input, plan: &Plan, watch: &mut dyn Watch) -> Checked {
    match input {
        Input::File(file) if is_program(file) => c_program::check_program(file, &plan.program, &plan.options, watch),
        _ => promenade::check(input, &plan.options, watch),
    }
}
