//! Printing and reading again.
mod trees;

use proptest::prelude::*;

use crate::ast::Tree;
use crate::parse::tests::read;
use crate::parse::{Dialect, Parsed};
use crate::print;

/// What comes back when a tree is printed and read.
fn again(tree: &Tree) -> (String, Parsed) {
    let text = print::tree(tree);
    let parsed = read(&text, Dialect::Pv);
    (text, parsed)
}

/// A tree that a failing test does not spell out: its text says more.
struct Opaque(Tree);

impl std::fmt::Debug for Opaque {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a tree")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn printing_and_reading_again_gives_the_same_tree(Opaque(tree) in trees::tree().prop_map(Opaque)) {
        let (text, parsed) = again(&tree);
        prop_assert!(parsed.diagnostics.is_empty(), "{}\n{:?}", text, parsed.diagnostics);
        prop_assert!(parsed.tree == tree, "{}\nis read as\n{}", text, print::tree(&parsed.tree));
    }
}

/// A test of the test: a tree that is not what was printed is noticed.
#[test]
fn the_comparison_sees_a_difference() {
    let (_, parsed) = again(&read("init { x = 1; y = 2 }", Dialect::Pv).tree);
    assert!(parsed.tree != read("init { x = 1; y = 3 }", Dialect::Pv).tree);
}

/// A statement is printed so on one line.
#[track_caller]
fn check(text: &str, expected: &str) {
    let parsed = read(&format!("init {{ {text} }}"), Dialect::Spin);
    let Some(crate::ast::Unit::Process(process)) = parsed.tree.units.first() else { panic!("no process") };
    assert_eq!(print::statement(&process.body.statements[0]), expected);
}

#[test]
fn a_statement_stands_on_one_line_without_its_labels() {
    check("L: x = (1+2)*3", "x = (1 + 2) * 3");
    check("atomic { x++; y-- }", "atomic { x++; y-- }");
    check("if :: x == 1 -> y; z :: else fi", "if :: x == 1 -> y; z :: else fi");
    check("do :: a = 1; break :: { b; c } unless d od", "do :: a = 1; break :: { b; c } unless d od");
}

#[test]
fn parentheses_stand_only_where_they_are_needed() {
    check("((a + b) + (c)) * d", "(a + b + c) * d");
    check("a - (b - c)", "a - (b - c)");
    check("!(a && b) || -(-c) > !(!d)", "!(a && b) || -(-c) > !(!d)");
}

#[test]
fn negative_numbers_are_printed_as_large_ones() {
    check("x = 4294967295 - 1", "x = 4294967295 - 1");
}
