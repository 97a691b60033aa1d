//! The command `ltl`: the automaton of a formula.
use std::io::{self, Write};

use ltl::{Automaton, Formula, Stuttering};
use promenade::formula::{Understood, understand};
use promenade::{Checked, load};
use text::Sources;

use crate::args::{AutomatonFormat, LtlArguments};
use crate::exit::Exit;
use crate::{complain, show_diagnostics, write_out};

/// Runs the command.
pub fn run(arguments: &LtlArguments) -> Exit {
    let mut sources = Sources::default();
    let root = match (&arguments.formula, &arguments.file) {
        (Some(text), _) => sources.add("<formula>", text.clone()),
        (None, Some(file)) => {
            let name = file.display().to_string();
            match load::bytes(file).and_then(|it| load::decode(&it)) {
                Ok(text) => sources.add(name, text),
                Err(error) => return complain(&load::explain(&name, &error).message, Exit::Wrong),
            }
        }
        (None, None) => return complain("a formula is missing", Exit::Wrong),
    };
    let (understood, diagnostics) = understand(&mut sources, root);
    show_diagnostics(&Checked { sources, diagnostics, report: None });
    let Some(understood) = understood else { return Exit::Wrong };
    match automaton(arguments, understood) {
        Ok((text, summary)) => {
            let _ = writeln!(io::stderr(), "{summary}");
            write_out(&text, "the automaton")
        }
        Err(why) => complain(&why, Exit::Unknown),
    }
}

/// The automaton as text, and what there is to say about it.
fn automaton(arguments: &LtlArguments, understood: Understood) -> Result<(String, String), String> {
    let Understood { formula, conditions, written } = understood;
    let (formula, written) =
        if arguments.negate { (formula.negated(), format!("!({written})")) } else { (formula, written) };
    let translate = if arguments.generalised { ltl::translate } else { ltl::translate_to_buchi };
    let automaton = translate(&formula).map_err(|it| it.to_string())?;
    let text = match arguments.format {
        AutomatonFormat::Never => commented(&ltl::never::claim(&automaton, &conditions), &written),
        AutomatonFormat::Hoa => titled(&ltl::hoa::write(&automaton, &conditions), &written),
        AutomatonFormat::Dot => ltl::dot::dot(&automaton, &conditions),
        AutomatonFormat::Svg => ltl::svg::svg(&automaton, &conditions),
    };
    Ok((text, summary(&automaton, &formula)))
}

/// As SPIN does, with the formula beside the first brace.
fn commented(claim: &str, written: &str) -> String {
    if written.contains("*/") {
        return claim.into();
    }
    claim.replacen("never {", &format!("never {{    /* {written} */"), 1)
}

fn titled(hoa: &str, written: &str) -> String {
    let title = written.replace('\\', "\\\\").replace('"', "\\\"");
    let tool = format!("tool: \"promenade\" \"{}\"", env!("CARGO_PKG_VERSION"));
    hoa.replacen("HOA: v1\n", &format!("HOA: v1\n{tool}\nname: \"{title}\"\n"), 1)
}

fn summary(automaton: &Automaton, formula: &Formula) -> String {
    let it = automaton.statistics();
    let many = |count: usize, thing: &str| format!("{count} {thing}{}", if count == 1 { "" } else { "s" });
    let sets = if it.sets == 1 { String::new() } else { format!(", {}", many(it.sets as usize, "acceptance set")) };
    let deterministic = if it.deterministic { "deterministic" } else { "not deterministic" };
    let weak = if automaton.is_weak() { "weak" } else { "not weak" };
    let stuttering = match ltl::stutter::of_formula(formula) {
        Stuttering::Invariant => "stutter-invariant",
        Stuttering::Sensitive => "not stutter-invariant",
        Stuttering::Unknown => "perhaps not stutter-invariant",
    };
    format!("{}, {}{sets}; {deterministic}, {weak}, {stuttering}", many(it.states, "state"), many(it.edges, "edge"))
}
