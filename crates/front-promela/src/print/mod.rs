//! From tree to text.
//!
//! Parsing what is printed here gives the tree again: parentheses stand where precedence needs them, every
//! statement ends with an explicit `;`, and no line ends where a separator would be implied that the tree
//! does not have. A tree is printed with one statement per line, a statement on its own on one line.
mod expressions;
mod statements;
mod units;
pub(crate) mod words;

#[cfg(test)]
mod tests;

use crate::ast::{Expr, Reference, Statement, Tree};

pub(crate) use expressions::channel_test;

/// A whole model.
pub fn tree(tree: &Tree) -> String {
    let mut printer = Printer::new(true);
    tree.units.iter().for_each(|unit| printer.unit(unit));
    printer.text
}

/// A statement without its labels, on one line.
pub fn statement(statement: &Statement) -> String {
    let mut printer = Printer::new(false);
    printer.statement_kind(&statement.kind);
    printer.text
}

/// An expression.
pub fn expression(expr: &Expr) -> String {
    let mut printer = Printer::new(false);
    printer.expression(expr);
    printer.text
}

/// A variable, an element or a field.
pub fn reference(reference: &Reference) -> String {
    let mut printer = Printer::new(false);
    printer.reference(reference);
    printer.text
}

/// Text that grows.
struct Printer {
    text: String,
    /// Whether statements begin new lines.
    lines: bool,
    indent: usize,
}

impl Printer {
    fn new(lines: bool) -> Self {
        Printer { text: String::new(), lines, indent: 0 }
    }

    /// Adds text.
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Begins a line, or leaves a blank if everything stands on one.
    fn line(&mut self) {
        if self.lines {
            self.text.push('\n');
            (0..self.indent).for_each(|_| self.text.push_str("    "));
        } else {
            self.text.push(' ');
        }
    }

    /// Prints items with a text between them.
    fn separated<T>(&mut self, items: &[T], separator: &str, mut print: impl FnMut(&mut Self, &T)) {
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                self.put(separator);
            }
            print(self, item);
        }
    }

    /// Prints something with a text before it, if it is there.
    fn optional<T>(&mut self, before: &str, item: Option<&T>, print: impl FnOnce(&mut Self, &T)) {
        if let Some(item) = item {
            self.put(before);
            print(self, item);
        }
    }
}
