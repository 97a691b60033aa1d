//! The dialect of PV.
use super::{complaints, words};
use crate::parse::{Dialect, parse};
use crate::print;

/// A model in the dialect is understood, and this is it.
#[track_caller]
fn accepts(text: &str, expected: &str) {
    let (sources, words, _) = words(text);
    let parsed = parse(&words, Dialect::Pv);
    assert_eq!(complaints(&sources, &parsed.diagnostics), "");
    assert_eq!(print::tree(&parsed.tree), expected);
}

#[test]
fn locks_and_semaphores_are_types() {
    accepts("lock l, m[2]; sema s = 2", "lock l, m[2];\nsema s = 2;\n");
}

#[test]
fn locks_are_taken_and_given_back() {
    accepts("init { lock(l); unlock(m[1]) }", "init {\n    lock(l);\n    unlock(m[1]);\n}\n");
}

#[test]
fn enumerations_may_have_braces() {
    accepts("typedef enum { a, b } T; T x", "typedef enum { a, b } T;\nT x;\n");
    accepts("typedef enum a, b, c T; T x", "typedef enum { a, b, c } T;\nT x;\n");
}

#[test]
fn invariants_are_units() {
    accepts("invariant SAFE x + y < 3; byte z", "invariant SAFE x + y < 3;\nbyte z;\n");
}

#[test]
fn a_process_may_be_started_many_times() {
    accepts(
        "init { run [i < N] [j < 2 * N] node(q[i], (j + 1) % N); run P() }",
        "init {\n    run [i < N] [j < 2 * N] node(q[i], (j + 1) % N);\n    run P();\n}\n",
    );
}
