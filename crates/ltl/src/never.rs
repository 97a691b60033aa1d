//! Automata as never claims of SPIN.
//!
//! Holzmann, *The SPIN model checker*, 2003, chapter 4. Accepting states have labels that start with `accept`; the state where runs start comes first. A state that is
//! left by nothing and accepts everything is `accept_all`, at which `skip` lets the claim end, which is a violation for SPIN; and a state without edges cannot be written
//! as an empty choice, so it blocks by `false`.
use crate::automaton::{Automaton, Marks};
use crate::bdd::Bdd;
use crate::text::{self, Signs};

const SIGNS: Signs = Signs { always: "1", never: "0", not: "!", and: " && ", or: " || " };

/// The never claim of a state-based automaton. Others are degeneralised first.
pub fn claim(automaton: &Automaton, names: &[String]) -> String {
    if automaton.is_state_based() && automaton.sets == 1 {
        return state_based(automaton, names);
    }
    state_based(&crate::translate::buchi(automaton), names)
}

fn state_based(automaton: &Automaton, names: &[String]) -> String {
    let others = (0..automaton.states()).filter(|&it| it != automaton.initial);
    let states: String =
        std::iter::once(automaton.initial).chain(others).map(|it| state(automaton, it, names)).collect();
    format!("never {{\n{states}}}\n")
}

fn state(automaton: &Automaton, state: usize, names: &[String]) -> String {
    let title = title(automaton, state);
    if accepts_all(automaton, state) {
        return format!("{title}:\n\tskip\n");
    }
    if automaton.edges[state].is_empty() {
        return format!("{title}:\n\tfalse;\n");
    }
    let choices: String = automaton.edges[state]
        .iter()
        .map(|edge| {
            let guard = text::label(automaton, edge.label, &SIGNS, |atom| format!("({})", text::name(names, atom)));
            format!("\t:: ({guard}) -> goto {}\n", self::title(automaton, edge.target))
        })
        .collect();
    format!("{title}:\n\tdo\n{choices}\tod;\n")
}

/// The label of a state: its number, whether it accepts and whether runs start there.
fn title(automaton: &Automaton, state: usize) -> String {
    let initial = state == automaton.initial;
    match (automaton.is_accepting(state), initial) {
        (true, false) if accepts_all(automaton, state) => "accept_all".to_string(),
        (true, true) => "accept_init".to_string(),
        (false, true) => "T0_init".to_string(),
        (true, false) => format!("accept_S{state}"),
        (false, false) => format!("T0_S{state}"),
    }
}

/// Whether a state does nothing but accept.
fn accepts_all(automaton: &Automaton, state: usize) -> bool {
    let here = |it: &crate::automaton::Edge| it.target == state && it.label == Bdd::TRUE && it.marks != Marks::NONE;
    matches!(&automaton.edges[state][..], [only] if here(only))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut names = Vec::new();
        let formula = crate::parse(text, &mut names).expect("a formula");
        let automaton = crate::translate_to_buchi(&formula).expect("a small automaton");
        assert_eq!(claim(&automaton, &names), expected);
    }

    #[test]
    fn claims_look_like_those_of_spin() {
        check(
            "!([] (p -> <>q))",
            "never {\nT0_init:\n\tdo\n\t:: (1) -> goto T0_init\n\t:: ((p) && !(q)) -> goto accept_S1\n\tod;\n\
             accept_S1:\n\tdo\n\t:: (!(q)) -> goto accept_S1\n\tod;\n}\n",
        );
        check(
            "<>p",
            "never {\nT0_init:\n\tdo\n\t:: (!(p)) -> goto T0_init\n\t:: ((p)) -> goto accept_all\n\tod;\naccept_all:\n\tskip\n}\n",
        );
        check("false", "never {\nT0_init:\n\tfalse;\n}\n");
        check("true", "never {\naccept_init:\n\tskip\n}\n");
    }
}
