//! The tree of a random model: text with holes, so that it can be printed and made smaller.
//!
//! Shrinking needs no knowledge of the language: an item of a list may be left out, a node may be
//! replaced by one of the same [`Sort`] inside it, or by the plainest node of its sort. Whether the
//! result still means something is asked of those who read it.

/// What a node is; two nodes of one sort can stand for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A declaration, process or definition at the top level.
    Unit,
    /// A statement.
    Statement,
    /// An alternative of a selection or repetition.
    Branch,
    /// An expression.
    Expression,
    /// Anything else: a parameter, a field, a prefix.
    Other,
}

/// A piece of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub sort: Sort,
    /// Printed one after the other.
    pub parts: Vec<Part>,
    /// A label may be put before it.
    pub labelable: bool,
}

/// A piece of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// As it is.
    Text(String),
    /// Exactly one.
    Node(Node),
    /// Some, of which any may be left out.
    List(List),
}

/// Nodes with something between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// In order.
    pub nodes: Vec<Node>,
    /// Printed between them.
    pub separator: &'static str,
    /// How many have to stay.
    pub least: usize,
}

impl Node {
    /// A node without parts.
    pub fn new(sort: Sort) -> Node {
        Node { sort, parts: Vec::new(), labelable: false }
    }

    /// An expression that is just text.
    pub fn expression(text: impl Into<String>) -> Node {
        Node::new(Sort::Expression).text(text)
    }

    /// A statement that is just text.
    pub fn statement(text: impl Into<String>) -> Node {
        Node::new(Sort::Statement).text(text)
    }

    /// Adds text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Node {
        self.parts.push(Part::Text(text.into()));
        self
    }

    /// Adds a node.
    #[must_use]
    pub fn node(mut self, node: Node) -> Node {
        self.parts.push(Part::Node(node));
        self
    }

    /// Adds a list.
    #[must_use]
    pub fn list(mut self, nodes: Vec<Node>, separator: &'static str, least: usize) -> Node {
        self.parts.push(Part::List(List { nodes, separator, least }));
        self
    }

    /// Allows a label before it.
    #[must_use]
    pub fn labelable(mut self) -> Node {
        self.labelable = true;
        self
    }

    /// The text, indented by the words that open and close blocks.
    pub fn print(&self) -> String {
        let mut flat = String::new();
        self.write(&mut flat);
        indent(&flat)
    }

    fn write(&self, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Node(node) => node.write(out),
                Part::List(list) => {
                    for (row, node) in list.nodes.iter().enumerate() {
                        if row > 0 {
                            out.push_str(list.separator);
                        }
                        node.write(out);
                    }
                }
            }
        }
    }

    /// Direct sub-nodes.
    pub fn children(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().flat_map(|part| match part {
            Part::Text(_) => &[][..],
            Part::Node(node) => std::slice::from_ref(node),
            Part::List(list) => &list.nodes,
        })
    }

    /// Direct sub-nodes.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.parts.iter_mut().flat_map(|part| match part {
            Part::Text(_) => &mut [][..],
            Part::Node(node) => std::slice::from_mut(node),
            Part::List(list) => &mut list.nodes,
        })
    }

    /// How many nodes there are, this one included.
    pub fn size(&self) -> usize {
        1 + self.children().map(Node::size).sum::<usize>()
    }

    /// Node number `row` in preorder; 0 is this one.
    pub fn nth(&mut self, row: usize) -> Option<&mut Node> {
        let mut left = row;
        self.descend(&mut left)
    }

    fn descend(&mut self, left: &mut usize) -> Option<&mut Node> {
        if *left == 0 {
            return Some(self);
        }
        *left -= 1;
        self.children_mut().find_map(|child| child.descend(left))
    }
}

fn indent(flat: &str) -> String {
    let mut out = String::new();
    let mut depth = 0usize;
    for line in flat.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let first = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let closes = line.starts_with('}') || first == "fi" || first == "od";
        depth = depth.saturating_sub(usize::from(closes));
        let option = usize::from(line.starts_with("::") && depth > 0);
        out.push_str(&"  ".repeat(depth - option));
        out.push_str(line);
        out.push('\n');
        let last = line.rsplit(|c: char| !c.is_alphanumeric() && c != '{').next().unwrap_or("");
        depth += usize::from(last.ends_with('{') || last == "if" || last == "do");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_prints_with_separators_and_blocks_are_indented() {
        let body = vec![Node::statement("x = 1"), Node::statement("skip")];
        let node = Node::new(Sort::Unit).text("init {\n").list(body, ";\n", 1).text("\n}\n");
        assert_eq!(node.print(), "init {\n  x = 1;\n  skip\n}\n");
    }

    #[test]
    fn nodes_are_numbered_in_preorder() {
        let mut node = Node::new(Sort::Unit).node(Node::expression("a")).list(vec![Node::expression("b")], ",", 0);
        assert_eq!(node.size(), 3);
        assert_eq!(node.nth(2).map(|it| it.print()), Some("b\n".to_string()));
        assert!(node.nth(3).is_none());
    }
}
