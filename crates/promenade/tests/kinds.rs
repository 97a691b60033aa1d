//! Every kind of violation: the word that programs rely on, and the phrase for people.
use front_promela::parse::Dialect;
use promenade::{Checked, Input, Options, check};

/// The kind and message of the first violation in a model.
#[track_caller]
fn shows(text: &str, expected: &str) {
    shows_in(Dialect::Spin, text, expected);
}

#[track_caller]
fn shows_in(dialect: Dialect, text: &str, expected: &str) {
    let mut options = Options::default();
    options.front.dialect = dialect;
    let input = Input::Bytes { name: "a.pml".into(), bytes: text.into() };
    let Checked { report, diagnostics, .. } = check(&input, &options, &mut ());
    let Some(report) = report else { panic!("{diagnostics:?}") };
    let violation = report.results[0].violations.first().expect("a violation");
    assert_eq!(format!("{} | {}", violation.kind, violation.message), expected);
}

#[test]
fn assertions_and_ends() {
    shows("byte x; init { assert(x == 1 || (x > 2)) }", "assertion | assertion violated: x == 1 || x > 2");
    shows(
        "byte x; init { x == 1 }",
        "invalid-end-state | invalid end state: process init (0) is waiting at line 1: x == 1",
    );
    let two = "chan q = [1] of { byte }; byte x;\nactive proctype P() {\n\tif\n\t:: q?x\n\t:: x > 0\n\tfi\n}";
    shows(two, "invalid-end-state | invalid end state: process P (0) is waiting at line 3: q?x or x > 0");
}

#[test]
fn invariants() {
    let text = "byte x; invariant small (x < 2)\nactive proctype P() { x = 1; x = 2 }";
    shows_in(Dialect::Pv, text, "invariant | invariant `small` is false");
}

#[test]
fn arithmetic() {
    shows("byte a[3]; byte i = 5; init { a[i] = 1 }", "array-index | array index 5 is outside `a` (size 3)");
    shows(
        "proctype P() { byte b[2]; byte i = 2; b[i] = 1 } init { run P() }",
        "array-index | array index 2 is outside `b` (size 2)",
    );
    shows("byte x; init { x = 1 / x }", "division-by-zero | division by zero: x = 1 / x");
}

#[test]
fn channels() {
    shows("chan q; init { q!1 }", "uninitialised-channel | a channel variable is used that names no channel: q!1");
    let dead = "chan z; proctype C() { chan q = [1] of { byte }; z = q } init { run C(); _nr_pr == 1; z!3 }";
    shows(dead, "dead-channel | a channel is used that vanished with the process that created it: z!3");
    let poll = "chan q = [0] of { byte }; init { q?[1] }";
    shows(poll, "rendezvous-poll | a rendezvous channel cannot be polled: q?[1]");
    let short = "chan q = [1] of { byte, byte }; init { q!1 }";
    shows(short, "message-length | wrong number of message fields: 1 instead of 2: q!1");
}

#[test]
fn limits() {
    let many = "proctype C() { false } init { do :: run C() od }";
    shows(many, "limit | too many processes: at most 255 can exist at once: run C()");
}

#[test]
fn indivisible_regions() {
    let kinds = [
        ("chan q = [0] of { byte }; init { d_step { skip; q!1 } }", "rendezvous-in-d-step"),
        ("byte x; init { d_step { x = 1; x == 2 } }", "d-step-blocked"),
        ("byte x; init { d_step { do :: x = 1 od } }", "d-step-endless"),
    ];
    for (text, kind) in kinds {
        let input = Input::Bytes { name: "a.pml".into(), bytes: text.into() };
        let report = check(&input, &Options::default(), &mut ()).report.expect("a model");
        assert_eq!(report.results[0].violations[0].kind, kind);
    }
}

#[test]
fn declarations_that_processes_do_not_keep() {
    let owned = "chan q = [1] of { byte }; active proctype Owner() { xs q; true } active proctype Other() { q!1 }";
    shows(owned, "xr-xs | Other (1) uses a channel that Owner (0) has declared its own: q!1");
    let choice = "byte x; active D_proctype P() { if :: x = 1 :: x = 2 fi }";
    shows(choice, "nondeterminism | P (0) is declared deterministic, but has a choice: x = 2");
    let wrong = "chan p = [1] of { byte }; trace { p!1 } init { p!2 }";
    shows(wrong, "trace | the trace declaration does not allow this event: p!2");
    let forbidden = "chan p = [1] of { byte }; notrace { p!1 } init { p!1 }";
    shows(forbidden, "trace | this event completes a forbidden sequence (notrace): p!1");
}

#[test]
fn priorities() {
    shows("init { set_priority(0, 300) }", "priority-range | priority 300 is outside 1 to 255: set_priority(0, 300)");
}
