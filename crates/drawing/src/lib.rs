//! Graphs as pictures: boxes in layers, labelled arrows between them.
//!
//! [`layout`] decides where everything stands, [`svg`] draws it, [`dot`] leaves both to Graphviz. No program is needed for it, and nothing of models or automata is known here.
mod dot;
mod layout;
mod svg;
mod wrap;

pub use dot::dot;
pub use layout::{Layout, Place, layout};
pub use svg::{svg, svg_of_all};
pub use wrap::wrapped;

/// A graph to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// What stands in boxes.
    pub nodes: Vec<Node>,
    /// Arrows.
    pub edges: Vec<Edge>,
}

/// A box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Its text.
    pub text: String,
    /// What is shown when somebody points at it; may be empty.
    pub hint: String,
    /// An arrow from nowhere leads to it.
    pub initial: bool,
    /// It has two borders.
    pub double: bool,
    /// How it is drawn.
    pub tone: Tone,
}

/// An arrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// The node where it begins.
    pub source: usize,
    /// The node where it ends.
    pub target: usize,
    /// Its text, lines from top to bottom.
    pub lines: Vec<String>,
    /// How it is drawn.
    pub tone: Tone,
}

/// How something is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Black.
    #[default]
    Plain,
    /// Grey: nobody comes here.
    Faint,
    /// Red and wide: this is what it is about.
    Strong,
}
