//! A graph in the language of Graphviz, for those who want to lay it out themselves.
use std::fmt::Write;

use crate::{Edge, Graph, Node, Tone};

/// The graph as a `digraph` with a title.
pub fn dot(graph: &Graph, title: &str) -> String {
    let mut out = format!("digraph {} {{\n", quoted(title));
    let _ = writeln!(out, "  label={}; labelloc=t; fontname=monospace", quoted(title));
    out += "  node [shape=box, style=rounded, fontname=monospace]\n  edge [fontname=monospace]\n";
    graph.nodes.iter().enumerate().for_each(|(row, it)| out += &node(row, it));
    graph.edges.iter().for_each(|it| out += &edge(it));
    out + "}\n"
}

fn node(row: usize, it: &Node) -> String {
    let mut line = format!("  {row} [label={}{}", quoted(&it.text), tone(it.tone));
    if it.double {
        line += ", peripheries=2";
    }
    if !it.hint.is_empty() {
        let _ = write!(line, ", tooltip={}", quoted(&it.hint));
    }
    line += "]\n";
    if it.initial {
        let _ = writeln!(line, "  start{row} [shape=point, label=\"\"]\n  start{row} -> {row}");
    }
    line
}

fn edge(it: &Edge) -> String {
    format!("  {} -> {} [label={}{}]\n", it.source, it.target, quoted(&it.lines.join("\n")), tone(it.tone))
}

fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Faint => ", color=gray60, fontcolor=gray60",
        Tone::Strong => ", color=red3, fontcolor=red3, penwidth=2",
    }
}

/// A string of Graphviz; a line ends with `\n`.
fn quoted(text: &str) -> String {
    let plain: String = text.chars().map(|it| if it.is_control() && it != '\n' { ' ' } else { it }).collect();
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
