//! Writing the format of Aldebaran.
//!
//! Labels are quoted, which every reader understands. The format has neither quotes nor other alphabets in labels: `"` becomes `'`, anything
//! that is not printable ASCII `?`. Labels that would become the same get a number, so that different ones stay different.
use std::collections::HashSet;
use std::io::{self, Write};

use crate::{Label, Lts};

/// How the silent step is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Silent {
    /// `i`, as Aldebaran and CADP do.
    #[default]
    I,
    /// `tau`, as mCRL2 and LTSmin do.
    Tau,
}

/// Writes a system.
pub fn write(lts: &Lts, silent: Silent, out: &mut dyn Write) -> io::Result<()> {
    let labels = names(lts, silent);
    writeln!(out, "des ({},{},{})", lts.initial, lts.transitions(), lts.states())?;
    for (state, step) in lts.all_steps() {
        writeln!(out, "({state},{},{})", labels[step.label.0 as usize], step.target)?;
    }
    Ok(())
}

/// Labels as they are written.
fn names(lts: &Lts, silent: Silent) -> Vec<String> {
    let mut used = HashSet::new();
    let seen = lts.labels.iter().skip(Label::SILENT.0 as usize + 1).map(|name| {
        let plain: String = name.chars().map(plain).collect();
        let numbered = (2..).map(|number| format!("{plain} #{number}"));
        let unused = std::iter::once(plain.clone()).chain(numbered).find(|it| used.insert(it.clone()));
        format!("\"{}\"", unused.unwrap_or(plain))
    });
    let silent = match silent {
        Silent::I => "i",
        Silent::Tau => "\"tau\"",
    };
    std::iter::once(silent.to_string()).chain(seen).collect()
}

fn plain(it: char) -> char {
    match it {
        '"' => '\'',
        '\n' | '\r' | '\t' => ' ',
        it if it.is_ascii() && !it.is_ascii_control() => it,
        _ => '?',
    }
}
