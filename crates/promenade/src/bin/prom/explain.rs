//! The command `explain`: what a code means, with a wrong and a right example.
use std::io::{self, Write};

use clap::Args;

use crate::exit::Exit;

#[derive(Args)]
#[command(after_help = "\
Example: prom explain unknown-name
Exit code: 0, or 2 if there is no page about the code")]
pub struct ExplainArguments {
    /// What stands in brackets in a message, as in `error[unknown-name]`
    #[arg(required_unless_present = "list", conflicts_with = "list")]
    pub code: Option<String>,
    /// All codes, each with a sentence
    #[arg(long)]
    pub list: bool,
}

pub fn run(arguments: &ExplainArguments) -> Exit {
    let text = match &arguments.code {
        None => promenade::explanations().iter().map(|it| format!("{:26} {}\n", it.code, it.summary())).collect(),
        Some(code) => match promenade::explanation(code) {
            Ok(page) => page.shown(),
            Err(near) => {
                let meant = near.map_or("`prom explain --list` shows all".into(), |it| format!("did you mean `{it}`?"));
                return crate::complain(&format!("there is no page about `{code}`; {meant}"), Exit::Wrong);
            }
        },
    };
    // That the reader stops reading is no error.
    let _ = io::stdout().write_all(text.as_bytes());
    Exit::Holds
}
