//! What is deep, long or wide neither overflows nor takes long.
//!
//! Tests run on threads with 2 MiB of stack.
use std::time::{Duration, Instant};

use super::read;
use crate::parse::Dialect;
use crate::print;

/// A model of any shape is read in time, with at most one complaint, which has this code; and its tree is
/// not too deep for whoever walks it.
#[track_caller]
fn check(text: &str, code: Option<&str>) {
    let start = Instant::now();
    let parsed = read(text, Dialect::Spin);
    let codes: Vec<_> = parsed.diagnostics.iter().map(|it| it.code).collect();
    assert_eq!(codes, code.into_iter().collect::<Vec<_>>());
    assert!(!print::tree(&parsed.tree).is_empty());
    let copy = parsed.tree.clone();
    assert!(copy == parsed.tree);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

fn in_body(body: &str) -> String {
    format!("byte x; init {{ {body} }}")
}

fn nested(open: &str, inner: &str, close: &str, times: usize) -> String {
    in_body(&format!("{}{inner}{}", open.repeat(times), close.repeat(times)))
}

#[test]
fn deep_parentheses_are_too_deep() {
    check(&nested("(", "x", ")", 10_000), Some("too-deep"));
    check(&nested("(", "x", ")", 400), None);
}

#[test]
fn deep_brackets_are_too_deep() {
    check(&nested("x[", "x", "]", 10_000), Some("too-deep"));
    check(&nested("x[", "x", "]", 400), None);
}

#[test]
fn deep_blocks_are_too_deep() {
    check(&nested("{ ", "skip", " }", 10_000), Some("too-deep"));
    check(&nested("{ ", "skip", " }", 200), None);
    check(&nested("atomic { ", "skip", " }", 10_000), Some("too-deep"));
}

#[test]
fn deep_selections_are_too_deep() {
    check(&nested("if :: ", "skip", " fi", 10_000), Some("too-deep"));
    check(&nested("do :: skip; ", "skip", " od", 10_000), Some("too-deep"));
    check(&nested("if :: ", "skip", " fi", 200), None);
}

#[test]
fn deep_prefixes_are_too_deep() {
    check(&in_body(&format!("x = {}x", "! ".repeat(10_000))), Some("too-deep"));
    check(&in_body(&format!("x = {}x", "!!".repeat(10_000))), Some("too-deep"));
    check(&in_body(&format!("x = {}x", "- ".repeat(10_000))), Some("too-deep"));
    check(&format!("ltl {{ {}x }}", "[] ".repeat(10_000)), Some("too-deep"));
    check(&format!("ctl {{ {}x }}", "AG ".repeat(10_000)), Some("too-deep"));
    check(&format!("ctl {{ {}x }}", "E[x U ".repeat(10_000)), Some("too-deep"));
}

#[test]
fn long_sums_are_too_deep() {
    check(&in_body(&format!("x = x{}", " + x".repeat(100_000))), Some("too-deep"));
    check(&in_body(&format!("x = x{}", " + x".repeat(400))), None);
    check(&in_body(&format!("x = x{}", " + x * x".repeat(400))), None);
}

#[test]
fn sums_inside_sums_count_together() {
    let sum = |first: &str| format!("({first}{})", " + x".repeat(300));
    check(&in_body(&format!("x = {}", sum("x"))), None);
    check(&in_body(&format!("x = {}", sum(&sum("x")))), Some("too-deep"));
}

#[test]
fn deep_messages_are_too_deep() {
    check(&nested("x?", "x", "", 1), None);
    check(&in_body(&format!("x?{}x{}", "x(".repeat(10_000), ")".repeat(10_000))), Some("too-deep"));
}

#[test]
fn deep_choices_are_too_deep() {
    check(&nested("(x -> ", "x", " : x)", 10_000), Some("too-deep"));
}

#[test]
fn deep_text_that_is_never_closed_is_still_one_complaint() {
    check(&in_body(&"(".repeat(10_000)), Some("too-deep"));
    check(&format!("init {}", "{ ".repeat(10_000)), Some("too-deep"));
    check(&format!("init {{ {}", "if :: ".repeat(10_000)), Some("too-deep"));
}

#[test]
fn length_is_no_depth() {
    check(&in_body(&"x = x + 1; ".repeat(50_000)), None);
    check(&in_body(&format!("L0: {}", (1..2_000).map(|n| format!("L{n}: ")).collect::<String>())), None);
    check(&in_body(&format!("if {} fi", ":: x -> skip ".repeat(20_000))), None);
    check(&in_body(&format!("x{} = 1", ".x".repeat(20_000))), None);
    check(&in_body(&format!("x!x{}", ", x".repeat(20_000))), None);
    check(&format!("byte x{};", ", x".repeat(20_000)), None);
}

#[test]
fn too_many_levels_hide_nothing_that_follows() {
    let text = format!("{} init {{ = }}", nested("(", "x", ")", 1_000));
    let codes: Vec<_> = read(&text, Dialect::Spin).diagnostics.iter().map(|it| it.code).collect();
    assert_eq!(codes, ["too-deep", "unexpected-word"]);
}

#[test]
fn twenty_thousand_lines_are_read_in_a_moment() {
    let line = "    if :: x == 1 && y[x + 1] < 3 -> q!x, y[2]; x = x * 2 :: else -> x = 0 fi;\n";
    let text = format!("init {{\n{}}}\n", line.repeat(20_000));
    let words = super::words(&text).1;
    let start = Instant::now();
    let parsed = crate::parse::parse(&words, Dialect::Spin);
    assert!(parsed.diagnostics.is_empty());
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}
