//! Automata as pictures: states in layers, labels on edges, accepting states with two borders.
use drawing::{Edge, Graph, Node};

use crate::automaton::Automaton;
use crate::dot::caption;

/// The longest line of a label.
const LINE: usize = 40;

/// The automaton as a picture.
pub fn svg(automaton: &Automaton, names: &[String]) -> String {
    drawing::svg(&graph(automaton, names), "automaton")
}

fn graph(automaton: &Automaton, names: &[String]) -> Graph {
    let state_based = automaton.is_state_based();
    let node = |state: usize| Node {
        text: state.to_string(),
        initial: state == automaton.initial,
        double: state_based && automaton.sets > 0 && automaton.is_accepting(state),
        ..Node::default()
    };
    let mut edges: Vec<Edge> = Vec::new();
    for (source, own) in automaton.edges.iter().enumerate() {
        let first = edges.len();
        for it in own {
            let lines = drawing::wrapped(&caption(automaton, it, names, state_based), LINE);
            match edges[first..].iter_mut().find(|known| known.target == it.target) {
                Some(known) => known.lines.extend(lines),
                None => edges.push(Edge { source, target: it.target, lines, ..Edge::default() }),
            }
        }
    }
    Graph { nodes: (0..automaton.states()).map(node).collect(), edges }
}
