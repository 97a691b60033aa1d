//! Properties of whole executions from outside: options, exit codes, reports, automata.
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A client asks, a server grants, and somebody else may keep both from moving.
const SERVER: &str = "\
#define asked (request)
bool request, granted;
active proctype Client() { end: do :: !request && !granted -> request = true :: granted -> granted = false od }
active proctype Server() { end: do :: atomic { request -> request = false; granted = true } od }
active proctype Idler() { end: do :: skip od }
ltl answered { [] (request -> <> granted) }
ltl never_both { [] !(request && granted) }
";

/// A file with this content, in a directory of its own.
fn file(name: &str, content: &str) -> String {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("temporal");
    fs::create_dir_all(&directory).expect("a directory for scratch files");
    let path = directory.join(name);
    fs::write(&path, content).expect("a scratch file");
    path.to_str().expect("a plain path").into()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

/// Runs `prom` and compares the exit code.
#[track_caller]
fn prom(arguments: &[&str], code: i32) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_prom")).args(arguments).output().expect("prom runs");
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
    output
}

/// The results of a check, as scripts see them.
#[track_caller]
fn results(model: &str, options: &[&str], code: i32) -> Vec<Value> {
    let output = prom(&[&["check", model, "--format", "json", "--threads", "1"], options].concat(), code);
    let mut json: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    json["results"].as_array_mut().map(std::mem::take).expect("results")
}

/// The only one of them.
#[track_caller]
fn result(model: &str, options: &[&str], code: i32) -> Value {
    let mut results = results(model, options, code);
    assert_eq!(results.len(), 1);
    results.remove(0)
}

fn verdicts(results: &[Value]) -> Vec<(&str, &str)> {
    results.iter().filter_map(|it| Some((it["property"].as_str()?, it["verdict"].as_str()?))).collect()
}

/// What is said of a run that is refused.
#[track_caller]
fn refused(arguments: &[&str], words: &[&str]) {
    let output = prom(arguments, 2);
    assert_eq!(text(&output.stdout), "");
    for it in words {
        assert!(text(&output.stderr).contains(it), "{it}: {}", text(&output.stderr));
    }
}

#[test]
fn every_property_of_the_model_is_checked_in_turn() {
    let model = file("turn.pml", SERVER);
    let all = results(&model, &[], 1);
    assert_eq!(verdicts(&all), [("safety", "holds"), ("answered", "violated"), ("never_both", "holds")]);
    assert_eq!(verdicts(&results(&model, &["--only", "never_both"], 0)), [("never_both", "holds")]);
    let fair = results(&model, &["--fair"], 0);
    assert_eq!(fair.iter().map(|it| &it["fairness"]).collect::<Vec<_>>(), ["none", "weak", "weak"]);
    let output = prom(&["check", &model, "--only", "answered", "--strongly-fair"], 0);
    assert!(text(&output.stdout).contains(", strongly fair, no reduction"), "{}", text(&output.stdout));
}

#[test]
fn formulas_can_be_added_and_see_the_names_and_macros_of_the_model() {
    let model = file("added.pml", SERVER);
    let options = ["--ltl", "[] (asked -> <> granted)", "--ltl", "often: [] <> granted", "--ltl", "<> asked"];
    let only = ["--only", "formula", "--only", "often", "--only", "formula_2"];
    let all = results(&model, &[&options[..], &only].concat(), 1);
    assert_eq!(verdicts(&all), [("formula", "violated"), ("often", "violated"), ("formula_2", "violated")]);
    let of_process = ["--ltl", "<> Client@end", "--only", "formula"];
    assert_eq!(result(&model, &of_process, 0)["verdict"], "holds");
}

#[test]
fn a_formula_that_is_wrong_is_shown_where_it_is() {
    let model = file("wrong.pml", SERVER);
    let check = |formula: &str, words: &[&str]| refused(&["check", &model, "--ltl", formula], words);
    check("[] (asked -> <> grated)", &["<--ltl>:1:31", "no variable called `grated`", "did you mean `granted`"]);
    check("[] (asked", &["<--ltl>:1:25", "expected `)`"]);
    check("", &["expected an expression"]);
    check("<> request == 1", &["a temporal formula is not a number"]);
    check("answered: [] asked", &["two properties of the name `answered`", "the first one"]);
    check("do: [] asked", &["<--ltl>:1:5"]);
}

#[test]
fn claims_can_be_added_from_files() {
    let model = file("claims.pml", SERVER);
    let claim =
        file("claim.never", "#define both (asked && granted)\nnever clash { do :: both -> break :: else od }\n");
    assert_eq!(result(&model, &["--never", &claim, "--only", "clash"], 0)["verdict"], "holds");
    let early = file("early.never", "never { do :: request -> break :: else od }");
    let found = result(&model, &["--never", &early, "--only", "never_0"], 1);
    assert_eq!(found["violations"][0]["kind"], "claim-end");
    assert_eq!(found["violations"][0]["message"], "the claim comes to its end after the last step");
    refused(&["check", &model, "--never", "/no/such/file"], &["there is no file `/no/such/file`"]);
    let wrong = file("wrong.never", "never { do :: request = 1 od }");
    refused(&["check", &model, "--never", &wrong], &["wrong.never:1:15", "a never claim cannot change anything"]);
}

#[test]
fn automata_are_of_what_must_not_happen() {
    let model = file("automata.pml", SERVER);
    let negated = |formula: &str| {
        let output = prom(&["ltl", formula, "--negate", "--format", "hoa"], 0);
        text(&output.stdout).to_string()
    };
    let fails = file("fails.hoa", &negated("[] (request -> <> granted)"));
    assert_eq!(result(&model, &["--hoa", &fails, "--only", "fails"], 1)["violations"][0]["kind"], "acceptance-cycle");
    assert_eq!(result(&model, &["--never", &fails, "--only", "fails", "--fair"], 0)["verdict"], "holds");
    let unknown = file("unknown.hoa", &negated("[] (asking -> <> granted)"));
    refused(&["check", &model, "--hoa", &unknown], &["unknown.hoa as a never claim>", "no variable called `asking`"]);
    let broken =
        file("broken.hoa", "HOA: v1\nStates: 1\nStart: 0\nAcceptance: 1 Fin(0)\nAP: 0\n--BODY--\nState: 0\n--END--");
    refused(&["check", &model, "--hoa", &broken], &["broken.hoa:4:"]);
}

#[test]
fn scripts_see_where_the_cycle_begins() {
    let model = file("cycle.pml", SERVER);
    let violation = result(&model, &["--only", "answered"], 1)["violations"][0].clone();
    let (first, length) = (violation["cycle_start"].as_u64(), violation["length"].as_u64());
    assert!(first > Some(1) && first <= length, "{violation}");
    assert_eq!(violation["steps"].as_array().map(Vec::len), length.map(|it| it as usize));
    assert_eq!((&violation["file"], &violation["line"]), (&model.clone().into(), &6.into()));
    assert_eq!(violation["statement"], "ltl answered { [] (request -> <> granted) }");
    // Standing still is a cycle without steps.
    let stops = file("stops.pml", "byte x; active proctype P() { x = 1 }\nltl two { <> (x == 2) }");
    let violation = result(&stops, &["--only", "two"], 1)["violations"][0].clone();
    assert_eq!(violation["cycle_start"].as_u64(), violation["length"].as_u64().map(|it| it + 1));
    // What is wrong whatever comes has none.
    let violation = result(&stops, &["--ltl", "[] (x == 0)", "--only", "formula"], 1)["violations"][0].clone();
    assert_eq!((&violation["cycle_start"], &violation["kind"]), (&Value::Null, &"claim-end".into()));
}

#[test]
fn labels_are_properties_too() {
    let model = "byte x; active proctype P() { do :: x = 0 :: x = 1; progress: x = 0 :: x = 2; accept: x = 0 od }";
    let model = file("labels.pml", model);
    let only = |name: &str| result(&model, &["--only", name], 1)["violations"][0].clone();
    let (accept, progress) = (only("accept-labels"), only("non-progress"));
    assert_eq!((&accept["kind"], &progress["kind"]), (&"acceptance-cycle".into(), &"non-progress-cycle".into()));
    assert!(accept["message"].as_str().is_some_and(|it| it.contains("at an accept label again and again")), "{accept}");
    assert!(progress["message"].as_str().is_some_and(|it| it.contains("nobody makes progress")), "{progress}");
    let output = prom(&["check", &model, "--only", "non-progress", "--format", "spin", "--threads", "1"], 1);
    assert!(text(&output.stdout).starts_with("pan:1: non-progress cycle (at depth "), "{}", text(&output.stdout));
}

#[test]
fn a_property_that_holds_for_nothing_says_so() {
    let model = file("vacuous.pml", SERVER);
    let vacuous = |formula: &str| {
        let name = ["--ltl", formula, "--only", "formula"];
        result(&model, &name, 0)["vacuous"].as_str().map(|it| it.rsplit(": ").next().unwrap_or(it).to_string())
    };
    assert_eq!(vacuous("[] (request -> !granted)"), None);
    assert_eq!(vacuous("[] (request && granted -> <> request)").as_deref(), Some("`request && granted`"));
    assert_eq!(vacuous("request -> [] request").as_deref(), Some("`request` (not at the start)"));
    assert_eq!(vacuous("[] !(request && granted)"), None);
    let output = prom(&["check", &model, "--ltl", "[] (asked && granted -> false)", "--only", "formula"], 0);
    let note = "Note: the left side of an implication is never true, so that its right side does not matter: `asked && granted`";
    assert!(text(&output.stdout).contains(note), "{}", text(&output.stdout));
}

#[test]
fn reports_of_cycles_can_be_merged() {
    let model = file("merged.pml", SERVER);
    let options = ["--only", "answered", "--store", "bitstate", "--memory", "8M", "--threads", "1", "--format", "json"];
    let output = prom(&[&["check", &model], &options[..]].concat(), 1);
    let report = file("merged.json", text(&output.stdout));
    let merged = prom(&["merge", &report], 1);
    assert!(text(&merged.stdout).contains("this step is repeated for ever:"), "{}", text(&merged.stdout));
}

#[test]
fn a_formula_is_shown_as_an_automaton() {
    let output = prom(&["ltl", "[] (request -> <> granted)", "--negate"], 0);
    let claim = "\
never {    /* !([] (request -> <> granted)) */
T0_init:
	do
	:: (1) -> goto T0_init
	:: ((request) && !(granted)) -> goto accept_S1
	od;
accept_S1:
	do
	:: (!(granted)) -> goto accept_S1
	od;
}
";
    assert_eq!(text(&output.stdout), claim);
    assert_eq!(text(&output.stderr), "2 states, 3 edges; not deterministic, weak, stutter-invariant\n");
    for (format, words) in [("hoa", "HOA: v1\n"), ("dot", "digraph"), ("svg", "<svg")] {
        let output = prom(&["ltl", "x == 1 U X y", "--format", format], 0);
        assert!(text(&output.stdout).starts_with(words), "{}", text(&output.stdout));
        assert!(text(&output.stderr).ends_with("not stutter-invariant\n"), "{}", text(&output.stderr));
    }
    let generalised = prom(&["ltl", "[]<>a && []<>b", "--generalised", "--format", "hoa"], 0);
    assert!(
        text(&generalised.stdout).contains("States: 1\n") && text(&generalised.stderr).contains("2 acceptance sets")
    );
}

#[test]
fn a_formula_can_stand_in_a_file() {
    let formula = file("formula.ltl", "#define p (x > 3)\n[] (p ->\n  <> q)\n");
    let output = prom(&["ltl", "--file", &formula, "--format", "hoa"], 0);
    assert!(text(&output.stdout).contains("AP: 2 \"x > 3\" \"q\""), "{}", text(&output.stdout));
    refused(&["ltl", "--file", "/no/such/file"], &["there is no file"]);
    refused(&["ltl", "p", "--file", &formula], &["cannot be used with"]);
    refused(&["ltl"], &["FORMULA"]);
}

#[test]
fn a_formula_that_spin_reads_differently_is_warned_of() {
    let output = prom(&["ltl", "<> a -> <> b || <> c"], 0);
    let help = "here it is `<>a -> (<>b || <>c)`, for `spin -f` it is `(<>a -> <>b) || <>c`";
    assert!(text(&output.stderr).contains(help), "{}", text(&output.stderr));
    assert!(!text(&prom(&["ltl", "[] (a -> <> b)"], 0).stderr).contains("spin -f"));
    refused(&["ltl", "[] (p"], &["<formula>:1:6", "expected `)`"]);
    refused(&["ltl", "p q"], &["expected the end of the formula, found `q`"]);
    refused(&["ltl", "p", "--generalised"], &["a never claim has one set"]);
}

#[test]
fn the_patterns_of_the_manual_are_formulas() {
    let manual =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/manual/temporal.md")).expect("the manual");
    let block = manual.split("```ltl\n").nth(1).and_then(|it| it.split("```").next()).expect("the patterns");
    let formulas: Vec<&str> = block.lines().filter_map(|it| it.strip_prefix("  ")?.rsplit("   ").next()).collect();
    assert!(formulas.len() > 30);
    let of = |formula: &str| text(&prom(&["ltl", formula], 0).stdout).to_string();
    assert!(formulas.iter().all(|it| of(it).starts_with("never {")));
}

#[test]
fn formulas_of_branching_time_come_from_the_command_line() {
    let model = file("branching.pml", SERVER);
    let options = ["--ctl", "AG EF granted", "--ctl", "soon: AF granted", "--only", "formula", "--only", "soon"];
    let all = results(&model, &options, 1);
    assert_eq!(verdicts(&all), [("formula", "holds"), ("soon", "violated")]);
    assert_eq!(all[1]["violations"][0]["kind"], "ctl");
    assert_eq!(all[1]["reduction"], "none");
    let fair = ["--ctl", "AF granted", "--only", "formula", "--fair"];
    assert_eq!(result(&model, &fair, 0)["verdict"], "holds");
    let constrained = ["--ctl", "AF granted", "--fairness", "asked", "--fairness", "!asked", "--only", "formula"];
    assert_eq!(result(&model, &constrained, 0)["verdict"], "holds");
}

#[test]
fn a_wrong_formula_of_branching_time_is_shown_where_it_stands() {
    let model = file("branching-wrong.pml", SERVER);
    let check = |formula: &str, words: &[&str]| refused(&["check", &model, "--ctl", formula], words);
    check("AG (asked -> AF grated)", &["<--ctl>:1:31", "no variable called `grated`", "did you mean `granted`"]);
    check("[] asked", &["<--ctl>:1:15", "here always is `AG`"]);
    refused(&["check", &model, "--fairness", "AF asked"], &["<--fairness>:1:12", "a condition on states"]);
}

#[test]
fn limits_are_no_answers_about_branching_time() {
    let model = file("branching-limits.pml", "byte x, y; active [3] proctype P() { do :: x++ :: y++ od }");
    let check = |options: &[&str]| {
        let options = [&["--ctl", "AG EF (x == y)", "--only", "formula"], options].concat();
        result(&model, &options, 3)["why"].as_str().expect("a reason").to_string()
    };
    assert!(check(&["--memory", "256K"]).contains("memory"));
    assert!(check(&["--max-depth", "3"]).contains("3 steps"), "{}", check(&["--max-depth", "3"]));
    assert!(check(&["--store", "bitstate", "--memory", "1M"]).contains("tells all states apart"));
    assert!(check(&["--strongly-fair"]).contains("strong fairness"));
}
