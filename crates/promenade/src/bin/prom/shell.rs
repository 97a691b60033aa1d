//! What is generated from the table of options: completions for shells, and the manual page.
use std::io::{self, Write};

use clap::{Args, CommandFactory};

use crate::args::Arguments;
use crate::exit::Exit;

#[derive(Args)]
#[command(after_help = "Example: prom completions bash > ~/.local/share/bash-completion/completions/prom")]
pub struct CompletionsArguments {
    /// Which shell
    pub shell: clap_complete::Shell,
}

/// The command `completions`.
pub fn completions(arguments: &CompletionsArguments) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "prom", &mut script);
    written(&script)
}

/// The command `man`: one page for the program and all its commands.
pub fn man() -> Exit {
    let mut command = Arguments::command();
    command.build();
    let mut page = Vec::new();
    let whole = clap_mangen::Man::new(command.clone()).render(&mut page);
    let parts = command.get_subcommands().filter(|it| it.get_name() != "help").try_for_each(|it| {
        writeln!(page, ".SH \"COMMAND {}\"", it.get_name().to_uppercase())?;
        let man = clap_mangen::Man::new(it.clone());
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)
    });
    match whole.and(parts) {
        Ok(()) => written(&page),
        Err(error) => crate::complain(&format!("the page cannot be written: {error}"), Exit::Wrong),
    }
}

/// That the reader stops reading is no error.
fn written(text: &[u8]) -> Exit {
    let _ = io::stdout().write_all(text);
    Exit::Holds
}
