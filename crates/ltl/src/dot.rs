//! Automata as graphs for Graphviz.
use crate::automaton::Automaton;
use crate::text::{self, Signs};

const SIGNS: Signs = Signs { always: "true", never: "false", not: "!", and: " && ", or: " || " };

/// The label of an edge for people, followed by its sets if acceptance is on edges.
pub(crate) fn caption(
    automaton: &Automaton,
    edge: &crate::automaton::Edge,
    names: &[String],
    state_based: bool,
) -> String {
    let label = text::label(automaton, edge.label, &SIGNS, |atom| text::name(names, atom));
    let sets: Vec<String> = edge.marks.sets().map(|it| it.to_string()).collect();
    if state_based || sets.is_empty() { label } else { format!("{label} {{{}}}", sets.join(",")) }
}

/// The automaton in the language of Graphviz. Accepting states have two circles; otherwise the sets of an edge are in braces.
pub fn dot(automaton: &Automaton, names: &[String]) -> String {
    let state_based = automaton.is_state_based();
    let mut out = String::from("digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n  start [shape=point]\n");
    out += &format!("  start -> {}\n", automaton.initial);
    for (state, edges) in automaton.edges.iter().enumerate() {
        if state_based && automaton.is_accepting(state) {
            out += &format!("  {state} [shape=doublecircle]\n");
        }
        for edge in edges {
            let caption = caption(automaton, edge, names, state_based).replace('\\', "\\\\").replace('"', "\\\"");
            out += &format!("  {state} -> {} [label=\"{caption}\"]\n", edge.target);
        }
    }
    out + "}\n"
}
