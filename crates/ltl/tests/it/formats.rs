//! Automata as text and back.
use ltl::{hoa, translate, translate_to_buchi};

use crate::chance::for_formulas;

#[test]
fn what_is_written_in_hoa_is_read_again() {
    for_formulas(300, 7, |seed, formula, atoms, chance| {
        let both = [translate(formula), translate_to_buchi(formula)];
        for automaton in both.into_iter().map(|it| it.expect("small enough")) {
            let text = hoa::write(&automaton, &[]);
            let read = hoa::read(&text).unwrap_or_else(|wrong| panic!("{seed}: {formula}: {wrong} in\n{text}"));
            assert_eq!(hoa::write(&read.automaton, &read.names), text, "{seed}: {formula}");
            for _ in 0..5 {
                let word = chance.lasso(atoms);
                assert_eq!(read.automaton.accepts(&word), word.satisfies(formula), "{seed}: {formula} on {word:?}");
            }
        }
    });
}

/// A text with one automaton over two atoms, without header and end.
#[track_caller]
fn check(rest: &str, expected: &str) {
    let text = format!("HOA: v1\nAP: 2 \"a\" \"b\"\n{rest}");
    let got = match hoa::read(&text) {
        Ok(document) => {
            let written = hoa::write(&document.automaton, &document.names);
            let (_, body) = written.split_once("Start").expect("a start");
            body.lines().filter(|it| !it.contains("AP:") && !it.contains("propert")).collect::<Vec<_>>().join("\n")
        }
        Err(wrong) => wrong.to_string(),
    };
    assert_eq!(got, expected);
}

#[test]
fn many_ways_to_write_an_automaton() {
    check(
        "Start: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 {0} [0&!1] 0 --END--",
        ": 0\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[0&!1] 0\n--END--",
    );
    check(
        "States: 1 Start: 0 Alias: @x 0 | !1 Acceptance: 2 (Inf(1)&Inf(0)) --BODY-- State: 0 \"home\" [@x] 0 {1} [!@x] 0 {0 1} --END--",
        ": 0\nacc-name: generalized-Buchi 2\nAcceptance: 2 Inf(0)&Inf(1)\n--BODY--\nState: 0\n[!1 | 0] 0 {0}\n[!0&1] 0 {0 1}\n--END--",
    );
    check(
        "Start: 0 Start: 1 Acceptance: 0 t --BODY-- State: [0] 0 1 /* a /* nested */ comment */ State: 1 0 1 0 1 --END--",
        ": 2\nacc-name: all\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 1\nState: 1\n[!0] 0\n[0] 1\nState: 2\n[0] 1\n[!0] 0\n--END--",
    );
}

#[test]
fn what_is_not_read_is_refused_with_place_and_reason() {
    let known = "Büchi (`Inf(0)`), generalised Büchi (`Inf(0)&Inf(1)`) and `t` are";
    check(
        "Start: 0\nAcceptance: 2 Fin(0)&Inf(1)",
        &format!("4:15: an acceptance condition with `Fin` is not read; {known}"),
    );
    check(
        "Start: 0\nAcceptance: 2 Inf(0)|Inf(1)",
        &format!("4:21: an acceptance condition with `|` is not read; {known}"),
    );
    check("Start: 0&1", "3:9: alternating automata (`&` between states) are not read");
    check("Start: 0 --BODY--", "3:18: `Acceptance:` is missing in the header");
    check("Start: 0 Acceptance: 0 t --BODY-- State: 0 [2] 0", "3:45: there is no atom 2, only 2 are announced");
    check(
        "Start: 0 Acceptance: 0 t --BODY-- State: 0 [0] 0 {0}",
        "3:51: there is no acceptance set 0, only 0 are announced",
    );
    check("Start: 0 Acceptance: 0 t --BODY-- State: 0 [@x] 0", "3:45: there is no alias `@x`");
    check(
        "Start: 0 Acceptance: 0 t --BODY-- State: 0 0 0 0",
        "3:49: a state without labels needs an edge for each combination of 2 atoms, not 3",
    );
    check(
        "Start: 0 Acceptance: 0 t --BODY-- State: 0 [0] 0",
        "3:49: `State:` or `--END--` is expected here, but the text ends",
    );
    check("States: 1 Start: 0 Acceptance: 0 t --BODY-- State: 1", "3:52: there is no state 1, only 1 are announced");
    check("States: 99999999999999999999", "3:9: the number is too large");
    check("Start: 7 Acceptance: 0 t --BODY-- --ABORT--", "3:35: the automaton was not finished by who wrote it");
    check("/* never closed", "3:1: the comment that starts here does not end");
    check("Controllable: 1", "3:1: `Controllable:` may change what the automaton means, and is not known here");
}

#[test]
fn no_damaged_text_brings_the_reader_down() {
    let automaton = translate(&ltl::parse("[]<>a && (b U X c)", &mut Vec::new()).expect("a formula")).expect("small");
    let text = hoa::write(&automaton, &[]);
    for_formulas(2000, 1, |_, _, _, chance| {
        let mut damaged: Vec<char> = text.chars().collect();
        for _ in 0..=chance.below(4) {
            let (place, other) = (chance.below(damaged.len()), chance.below(damaged.len()));
            match chance.below(3) {
                0 => drop(damaged.remove(place)),
                1 => damaged.swap(place, other),
                _ => damaged.insert(place, ['9', '&', '{', '"', 'é'][other % 5]),
            }
        }
        let _ = hoa::read(&damaged.into_iter().collect::<String>());
    });
}

#[test]
fn pictures_have_every_state_and_label() {
    let mut names = Vec::new();
    let formula = ltl::parse("!([](p -> <>q))", &mut names).expect("a formula");
    let automaton = translate_to_buchi(&formula).expect("small");
    let svg = ltl::svg::svg(&automaton, &names);
    assert_eq!(svg.matches("rx=\"8\"").count(), 3, "two states, one of them accepting");
    assert!(svg.contains("p &amp;&amp; !q") && svg.ends_with("</svg>\n"));
    let dot = ltl::dot::dot(&automaton, &names);
    assert!(dot.contains("0 -> 1 [label=\"p && !q\"]") && dot.contains("1 [shape=doublecircle]"));
}
