//! Trails that pan wrote, with claims and merged statements, and what a replay makes of them.
use std::path::PathBuf;

use promenade::{Input, Options, check, replay, trail_of};

/// What pan was asked about; the trails below are its own (`spin -a`, `pan -a -N p` and `-N q`).
const MODEL: &str = "byte x;
active proctype P() { byte i; do :: x = 1; i = 1; i = 2; i = 3; x = 0; i = 0 od }
";

/// A cycle of four lines and six steps, with a claim that moves before each.
const CYCLE: &str = "-2:1:-2\n-4:-4:-4\n-1:-1:-1\n1:0:10\n2:1:0\n3:0:10\n4:1:1\n5:0:10\n6:1:4\n7:0:10\n8:1:5\n";

/// An end that the claim of an invariant comes to.
const END: &str = "-2:2:-2\n-4:-4:-4\n1:0:19\n2:1:0\n3:0:16\n";

/// The first line of a replay, and how many steps were taken.
fn said(name: &str, formulas: &str, trail: &str) -> (String, usize) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.trail"));
    std::fs::write(&file, trail).expect("a place for the trail");
    let input = Input::Bytes { name: "m.pml".into(), bytes: format!("{MODEL}{formulas}").into_bytes() };
    let (checked, replayed) = replay(&input, &file, &front_promela::Options::default());
    let replayed = replayed.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    (replayed.says, replayed.violation.length)
}

const BOTH: &str = "ltl p { <> (x == 3) }\nltl q { [] (x != 1) }\n";

#[test]
fn the_cycle_of_a_claim_is_closed_and_its_property_named() {
    let says = "a trail; here: p: it is false when the last 6 steps are repeated for ever";
    assert_eq!(said("cycle", BOTH, CYCLE), (says.to_string(), 6));
}

#[test]
fn the_end_of_a_claim_is_told_with_its_property() {
    assert_eq!(said("end", BOTH, END), ("a trail; here: q: it is false whatever comes after the last step".into(), 1));
}

/// Twins: what is not violated, or not yet, is not said to be.
#[test]
fn a_property_that_is_not_violated_is_not_named() {
    let harmless = "ltl p { <> (x == 1) }\nltl q { [] (x != 3) }\n";
    let (says, _) = said("harmless-cycle", harmless, CYCLE);
    assert_eq!(says, "a trail; here: its cycle leads back to where it began");
    // `<> (x == 3)` is false if nothing happens any more, but something may.
    let (says, _) = said("open-end", "ltl p { <> (x == 3) }\nltl q { [] (x != 3) }\n", END);
    assert_eq!(says, "a trail; here: no step goes wrong, and its end is not an invalid one");
}

#[test]
fn a_trail_of_another_model_is_refused_with_its_first_wrong_step() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("other.trail");
    std::fs::write(&file, CYCLE.replace("4:1:1\n", "4:1:9\n")).expect("a place for the trail");
    let input = Input::Bytes { name: "m.pml".into(), bytes: format!("{MODEL}{BOTH}").into_bytes() };
    let (checked, replayed) = replay(&input, &file, &front_promela::Options::default());
    let error = checked.diagnostics.last().expect("a complaint");
    assert!(replayed.is_none() && error.code == "trace-mismatch", "{error:?}");
    assert!(error.message.starts_with("step 2 of the trail"), "{}", error.message);
}

/// Trails of pan's, which stops where somebody asks about a channel that another process has declared its own.
#[test]
fn a_question_about_a_channel_of_others_is_told_at_the_end() {
    let replayed = |name: &str, more: &str, trail: &str| {
        let text = format!("chan q = [2] of {{ byte }};\nactive proctype A() {{ xs q; q!1; q!2 }}\n{more}\n");
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.trail"));
        std::fs::write(&file, trail).expect("a place for the trail");
        let input = Input::Bytes { name: "m.pml".into(), bytes: text.into_bytes() };
        let (checked, replayed) = replay(&input, &file, &front_promela::Options::default());
        let replayed = replayed.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
        (replayed.violation.kind, replayed.says)
    };
    let process = replayed("asks", "active proctype B() { xr q; empty(q) -> q?_ }", "-4:-4:-4\n1:1:3\n");
    let says = "a trail; here: B(1) asks about a channel that A(0) has declared its own: empty(q)";
    assert_eq!(process, ("xr-xs", says.to_string()));
    let claim = replayed("claim-asks", "ltl p { [] (len(q) < 3) }", "-2:1:-2\n-4:-4:-4\n1:0:3\n");
    let says = "a trail; here: the claim asks about a channel that A(0) has declared its own: p";
    assert_eq!(claim, ("xr-xs", says.to_string()));
    // Twins: another channel, and nobody to whom it belongs.
    let other = replayed("other", "chan r = [1] of { byte }; active proctype B() { empty(r) -> r!1 }", "1:1:3\n");
    let own = replayed("own", "", "1:0:0\n");
    assert!(other.0 != "xr-xs" && own.0 != "xr-xs", "{other:?} {own:?}");
}

/// The trail that pan writes about the same error (`spin -o3 -a`, `pan -a`), line by line.
#[test]
fn the_moves_of_a_never_claim_are_written() {
    let text = "byte x;\nnever { do :: x == 2 -> break :: else od; assert(x == 2); x == 2 }\nactive proctype P() { x = 1; x = 2 }\n";
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("never");
    let input = Input::Bytes { name: "m.pml".into(), bytes: text.into() };
    let options = Options { only: vec!["never_0".into()], trace: Some(file.clone()), ..Options::default() };
    check(&input, &options, &mut ()).report.expect("a report");
    let trail = std::fs::read_to_string(trail_of(&file)).expect("a trail");
    assert_eq!(trail, "-2:0:-2\n1:0:2\n2:1:9\n3:0:2\n4:1:10\n5:0:0\n6:1:11\n7:0:6\n8:0:7\n");
    let (_, replayed) = replay(&input, &trail_of(&file), &front_promela::Options::default());
    assert_eq!(replayed.map(|it| it.violation.kind), Some("claim-end"));
}
