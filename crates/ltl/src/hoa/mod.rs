//! Automata in the Hanoi omega-automata format, version 1.
//!
//! Babiak, Blahoudek, Duret-Lutz, Klein, Křetínský, Müller, Parker, Strejček, *The Hanoi omega-automata format*, CAV 2015. Written is what this crate has: Büchi and generalised
//! Büchi acceptance, on states where possible, explicit labels. Read is every automaton with such a condition, however it is written: aliases, implicit labels,
//! labels on states, several initial states. What is not read is refused with the place and the reason.
mod read;
mod words;

use crate::automaton::{Automaton, Marks};
use crate::text::{self, Signs};

pub use read::{Document, read};
pub use words::Problem;

const SIGNS: Signs = Signs { always: "t", never: "f", not: "!", and: "&", or: " | " };

/// The automaton as text.
pub fn write(automaton: &Automaton, names: &[String]) -> String {
    let state_based = automaton.is_state_based();
    let mut out = header(automaton, names, state_based);
    for (state, edges) in automaton.edges.iter().enumerate() {
        let marks = if state_based && !edges.is_empty() { edges[0].marks } else { Marks::NONE };
        out += &format!("State: {state}{}\n", sets(marks));
        for edge in edges {
            let label = text::label(automaton, edge.label, &SIGNS, |atom| atom.to_string());
            let marks = if state_based { Marks::NONE } else { edge.marks };
            out += &format!("[{label}] {}{}\n", edge.target, sets(marks));
        }
    }
    out + "--END--\n"
}

fn header(automaton: &Automaton, names: &[String], state_based: bool) -> String {
    let atoms: String = (0..automaton.atoms).map(|it| format!(" \"{}\"", escaped(&text::name(names, it)))).collect();
    let condition: Vec<String> = (0..automaton.sets).map(|it| format!("Inf({it})")).collect();
    let (name, condition) = match automaton.sets {
        0 => ("all".to_string(), "t".to_string()),
        1 => ("Buchi".to_string(), "Inf(0)".to_string()),
        sets => (format!("generalized-Buchi {sets}"), condition.join("&")),
    };
    let mut properties = vec!["trans-labels", "explicit-labels", if state_based { "state-acc" } else { "trans-acc" }];
    properties.extend(automaton.is_deterministic().then_some("deterministic"));
    properties.extend(automaton.is_complete().then_some("complete"));
    properties.extend(automaton.is_weak().then_some("weak"));
    format!(
        "HOA: v1\nStates: {}\nStart: {}\nAP: {}{atoms}\nacc-name: {name}\nAcceptance: {} {condition}\nproperties: {}\n--BODY--\n",
        automaton.states(),
        automaton.initial,
        automaton.atoms,
        automaton.sets,
        properties.join(" ")
    )
}

fn sets(marks: Marks) -> String {
    let sets: Vec<String> = marks.sets().map(|it| it.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}

fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}
