//! Models of guarded commands, run as users run them: the turntable, the other case studies, what is said about wrong texts.
//!
//! `TURNTABLE_DRILLS` is up to how many drills the explicit engine counts states; 2 if nothing is said.
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use num_bigint::BigUint;
use serde_json::Value;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/gcl").join(name)
}

fn prom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prom")).args(arguments).output().expect("the program")
}

/// The results of a check of an example.
#[track_caller]
fn results(name: &str, arguments: &[&str]) -> Vec<Value> {
    let model = example(name);
    let out = prom(&[&["check", model.to_str().expect("a name"), "--format", "json"], arguments].concat());
    let report: Value = serde_json::from_slice(&out.stdout)
        .unwrap_or_else(|_| panic!("{name} {arguments:?}: {}", String::from_utf8_lossy(&out.stderr)));
    report["results"].as_array().expect("results").clone()
}

/// The verdicts of a check of an example, by property.
#[track_caller]
fn verdicts(name: &str, arguments: &[&str]) -> BTreeMap<String, String> {
    let text = |it: &Value| it.as_str().unwrap_or_default().to_string();
    results(name, arguments).iter().map(|it| (text(&it["property"]), text(&it["verdict"]))).collect()
}

/// A number that may be too large for a number.
fn states(result: &Value) -> BigUint {
    let states = &result["states"];
    states.as_str().map_or_else(|| states.to_string(), ToString::to_string).parse().expect("a number")
}

/// `583·17^n + 5·(1 + 17 + … + 17^n) + 4·(n + 7)`, what other tools found as far as they came.
fn known(n: u32) -> BigUint {
    let power = |k: u32| BigUint::from(17u32).pow(k);
    power(n) * 583u32 + (0..=n).map(power).sum::<BigUint>() * 5u32 + BigUint::from(4 * (n + 7))
}

// The turntable.

#[test]
fn the_turntable_has_the_known_number_of_states_one_by_one() {
    let most = std::env::var("TURNTABLE_DRILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(2);
    for n in 1..=most {
        let found =
            &results("turntable.gcl", &["-D", &format!("n={n}"), "--engine", "explicit", "--only", "safety"])[0];
        assert_eq!((states(found), &found["verdict"]), (known(n), &Value::from("holds")), "{n} drills");
    }
}

#[test]
fn the_turntable_has_the_known_number_of_states_as_sets() {
    for n in [1, 2, 3, 4, 10, 20, 40] {
        let found =
            &results("turntable.gcl", &["-D", &format!("n={n}"), "--engine", "symbolic", "--only", "safety"])[0];
        assert_eq!((states(found), &found["verdict"]), (known(n), &Value::from("holds")), "{n} drills");
        let bytes = found["peak_memory_bytes"].as_u64().expect("a number");
        assert!(bytes < 2 << 30, "{n} drills: {bytes} bytes");
    }
}

#[test]
fn the_turntable_has_the_known_number_of_steps() {
    for (n, header) in [("n=1", "des (0,30872,10033)"), ("n=2", "des (0,684209,170058)")] {
        let model = example("turntable.gcl");
        let out = prom(&["lts", model.to_str().expect("a name"), "-D", n, "-o", "-"]);
        assert_eq!(String::from_utf8_lossy(&out.stdout).lines().next(), Some(header));
    }
}

fn properties() -> BTreeSet<String> {
    (1..=13).map(|it| format!("p{it}")).collect()
}

#[test]
fn the_thirteen_properties_hold_by_every_method() {
    for (n, method) in
        [("n=2", "backward"), ("n=2", "forward"), ("n=10", "backward"), ("n=10", "forward"), ("n=10", "forward-por")]
    {
        let found = verdicts("turntable.gcl", &["-D", n, "--engine", "symbolic", "--method", method]);
        let holding = found.iter().filter(|it| it.1 == "holds" && *it.0 != "safety").map(|it| it.0.clone());
        assert_eq!(holding.collect::<BTreeSet<_>>(), properties(), "{n} {method}");
    }
    let found = verdicts("turntable.gcl", &["-D", "n=1", "--engine", "explicit"]);
    assert!(found.values().all(|it| it == "holds") && found.len() == 14, "{found:?}");
}

/// Properties that are nearly those of the model, and false: whoever says that all of them hold says nothing.
#[test]
fn what_is_nearly_a_property_of_the_turntable_is_false_by_every_method() {
    let nearly = [
        // There may be an alarm after a bad test.
        "[true*.INF !TESTED !FALSE.(not INF !TURNED)*.INF !TURNED.(not INF !TURNED)*.ERR] false",
        // It is not always tested before it turns, and what was tested is not removed before the turn.
        "[true*.CMD !TURN] inev(not CMD !TURN, CMD !TEST, true)",
        "[true*.INF !TESTED.*] inev(not CMD !TURN, REQ !REMOVE.*, true)",
        // The strong reading: after a test, a turn is not possible at once.
        "[true*.INF !TESTED.*] AASX(CMD !TURN) true",
        "[true*] (!TT.slot[n + 1] || [CMD !TEST] false)",
    ];
    for formula in nearly {
        for method in ["backward", "forward", "forward-por", "explicit"] {
            let engine = if method == "explicit" {
                vec!["--engine", method]
            } else {
                vec!["--engine", "symbolic", "--method", method]
            };
            let found =
                verdicts("turntable.gcl", &[&["-D", "n=1", "--only", "formula", "--ctl", formula], &*engine].concat());
            assert_eq!(found.get("formula").map(String::as_str), Some("violated"), "{method}: {formula}");
        }
    }
}

/// A detail of the reduced search for `p6`, a number.
#[track_caller]
fn reduced(n: u32, detail: &str) -> u32 {
    let drills = format!("n={n}");
    let found =
        results("turntable.gcl", &["-D", &drills, "--engine", "symbolic", "--method", "forward-por", "--only", "p6"]);
    found[0]["details"][detail].as_str().and_then(|it| it.parse().ok()).expect("a number")
}

/// With the reduction the states grow by some hundred per drill, and not seventeenfold: the table is filled slot by slot, and a drill that works does so alone.
#[test]
fn reduced_states_of_the_turntable_grow_slowly() {
    let counts = [1, 2, 4, 8].map(|n| reduced(n, "reduced states"));
    assert!(counts.windows(2).all(|it| it[0] < it[1] && it[1] < 2 * it[0]), "{counts:?}");
}

/// Drills are only passed while they work: where everybody moves they are at rest, and one drill more is one turn of the table more.
#[test]
fn states_in_which_everybody_moves_grow_linearly() {
    let [few, more, many] = [6, 8, 10].map(|n| reduced(n, "states in which everybody moved"));
    assert!(few < more && more - few == many - more && more - few < 10, "{few}, {more}, {many}");
    assert!(many < reduced(10, "reduced states") / 10, "{many}");
}

#[test]
fn a_run_says_how_a_formula_was_evaluated_and_why() {
    let evaluation = |arguments: &[&str]| {
        let found = results("turntable.gcl", &[&["-D", "n=1", "--engine", "symbolic"], arguments].concat());
        found[0]["details"]["evaluation"].as_str().unwrap_or_default().to_string()
    };
    assert!(evaluation(&["--only", "p6"]).starts_with("backward, chosen because"));
    assert_eq!(evaluation(&["--only", "p6", "--method", "forward-por"]), "forward, reduced");
    let partly = evaluation(&["--only", "formula", "--ctl", "AG EAF(true) EAX(ERR) true", "--method", "forward-por"]);
    assert_eq!(partly, "forward, a part of it not reduced: a condition is still temporal");
}

// Minimisation.

/// The transitions of a file, and how many states it has.
fn transitions(aut: &str) -> (usize, Vec<(usize, String, usize)>) {
    let header = aut.lines().next().expect("a header");
    let count = header.trim_end_matches(')').rsplit(',').next().expect("a count").parse().expect("a number");
    let transition = |line: &str| {
        let inner = line.strip_prefix('(')?.strip_suffix(')')?;
        let ((from, rest), to) = (inner.split_once(',')?, inner.rsplit(',').next()?);
        let label = rest[..rest.len() - to.len() - 1].to_string();
        Some((from.parse().ok()?, label, to.parse().ok()?))
    };
    (count, aut.lines().skip(1).map(|it| transition(it).expect("a transition")).collect())
}

/// The number of classes of strong bisimilarity, by the definition: states are told apart by the labels and classes of their steps until no more are.
fn classes(aut: &str) -> usize {
    let (count, list) = transitions(aut);
    let mut class = vec![0; count];
    let mut known = 1;
    loop {
        let mut signatures: Vec<BTreeSet<(&str, usize)>> = vec![BTreeSet::new(); count];
        list.iter().for_each(|(from, label, to)| _ = signatures[*from].insert((label.as_str(), class[*to])));
        let mut names = HashMap::new();
        let next: Vec<usize> = (0..count)
            .map(|state| {
                let fresh = names.len();
                *names.entry((class[state], &signatures[state])).or_insert(fresh)
            })
            .collect();
        let more = names.len();
        if more == known {
            return known;
        }
        (class, known) = (next, more);
    }
}

#[test]
fn the_minimised_turntable_is_as_small_as_the_definition_says() {
    let model = example("turntable.gcl");
    let written = |more: &[&str]| {
        let out = prom(&[&["lts", model.to_str().expect("a name"), "-D", "n=1", "-o", "-"], more].concat());
        String::from_utf8(out.stdout).expect("a text")
    };
    let small = written(&["--minimise", "strong"]);
    assert_eq!(transitions(&small).0, classes(&written(&[])));
    assert_eq!(classes(&small), transitions(&small).0, "nothing is left to be made smaller");
}

#[test]
fn a_chart_shows_who_takes_part_in_an_action() {
    let (model, trace) = (example("philosophers.gcl"), Path::new(env!("CARGO_TARGET_TMPDIR")).join("forks.trace"));
    let (model, trace) = (model.to_str().expect("a name"), trace.to_str().expect("a name"));
    let found = prom(&["check", model, "-D", "polite=false", "--only", "safety", "--trace", trace]);
    let text = String::from_utf8(found.stdout).expect("a text");
    assert!(text.contains("Fork[3](5)") && !text.contains("at its end"), "forks wait for somebody: {text}");
    let chart = prom(&["replay", model, "-D", "polite=false", trace, "--format", "svg"]);
    let chart = String::from_utf8(chart.stdout).expect("a picture");
    // Three philosophers take a fork each; to become hungry, each needs nobody.
    assert_eq!(chart.matches("stroke-width=\"2.5\"").count(), 3, "{chart}");
    assert_eq!(chart.matches(">left[1]</text>").count(), 2, "{chart}");
    assert_eq!(chart.matches(">hungry[1]</text>").count(), 1, "{chart}");
}

// The other case studies.

#[track_caller]
fn check_all(name: &str, arguments: &[&str], violated: &[&str]) {
    for engine in [
        &["--engine", "explicit"][..],
        &["--engine", "symbolic", "--method", "backward"],
        &["--engine", "symbolic", "--method", "forward"],
        &["--engine", "symbolic", "--method", "forward-por"],
    ] {
        for (property, verdict) in verdicts(name, &[arguments, engine].concat()) {
            let expected = if violated.contains(&&*property) { "violated" } else { "holds" };
            assert_eq!(verdict, expected, "{name} {arguments:?} {engine:?}: {property}");
        }
    }
}

#[test]
fn philosophers_starve_and_those_who_are_not_polite_are_stuck() {
    check_all("philosophers.gcl", &[], &["will_eat"]);
    check_all("philosophers.gcl", &["-D", "polite=false"], &["safety", "will_eat", "no_deadlock", "can_always_eat"]);
}

#[test]
fn a_window_must_be_smaller_than_the_numbers() {
    check_all("sliding_window.gcl", &[], &["inevitable"]);
    check_all("sliding_window.gcl", &["-D", "window=3"], &["inevitable", "in_order"]);
}

#[test]
fn the_arbiter_is_fair() {
    check_all("arbiter.gcl", &[], &[]);
}

#[test]
fn the_lift_can_come_but_need_not() {
    check_all("lift.gcl", &[], &["served"]);
}

// What is wrong.

/// The code and all places that a message about a text names, as line and column.
#[track_caller]
fn check_wrong(text: &str, code: &str, places: &[&str]) {
    let file = std::env::temp_dir().join(format!("prom-gcl-{}-{code}.gcl", std::process::id()));
    std::fs::write(&file, text).expect("a file");
    let out = prom(&["check", file.to_str().expect("a name"), "--only", "safety"]);
    std::fs::remove_file(&file).expect("the file");
    let said = String::from_utf8_lossy(&out.stderr).into_owned() + &String::from_utf8_lossy(&out.stdout);
    assert!(said.contains(code), "{code}: {said}");
    for place in places {
        assert!(said.contains(&format!(".gcl:{place}")), "{code} at {place}: {said}");
    }
}

#[test]
fn a_message_names_both_places() {
    check_wrong(
        "action a(0..3);\nprocess A { [a !1]; }\nprocess B { [a !2]; }",
        "alphabet-mismatch",
        &["2:14", "3:14"],
    );
    check_wrong(
        "action a;\nprocess A { [a]; }\nprocess B { var x: bool; alphabet a; [] x -> ; }",
        "never-offered",
        &["3:35", "2:14"],
    );
    check_wrong("action a;\nprocess A { var x: bool; alphabet a; [] x -> ; }", "offered-by-nobody", &["2:35", "1:8"]);
    check_wrong("process A { var x: 0..3;\n[] true -> x := 7; }", "out-of-range", &["2:17", "1:17"]);
    check_wrong(
        "process A { var x: 0..5; var y: bool[0..3];\n[] true -> y[x] := true; }",
        "unbounded-index",
        &["2:14", "1:30"],
    );
    check_wrong("var x: bool;\nvar x: bool;", "duplicate-name", &["2:5", "1:5"]);
    check_wrong(
        "var x: 0..3; action a;\nprocess A { [a] -> x := 1; }\nprocess B { [a] -> x := 2; }",
        "changed-twice",
        &["3:20", "2:20"],
    );
    check_wrong(
        "action turn;\nprocess A { [turn]; }\nproperty p: [true*.tunr] false;",
        "did you mean `turn`?",
        &["3:20"],
    );
    // A deadlock is one of the composition: all who wait are shown.
    check_wrong(
        "action a, b;\nprocess A { sequence { [a]; [b]; } }\nprocess B { sequence { [b]; [a]; } }",
        "invalid end state",
        &["2", "3"],
    );
}
