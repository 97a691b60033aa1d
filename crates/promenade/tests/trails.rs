//! Trails that pan wrote, with claims and merged statements, and what a replay makes of them.
use std::path::PathBuf;

use promenade::{Input, replay};

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
