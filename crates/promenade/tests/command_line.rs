//! The binary from outside: exit codes, and what goes where.
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const HOLDS: &str = "byte x; active proctype P() { x = 1 }";
const VIOLATED: &str = "byte x; active proctype P() { x = 1; assert(x == 2) }";
const TEMPORAL: &str = "byte x; active proctype P() { x = 1 } ltl p { <> (x == 1) }";
const WRONG: &str = "byte x; active proctype P() { x = ; }";
const ENDLESS: &str = "int x, y; active [2] proctype P() { do :: x++ :: y++ :: x != y -> y = x od }";

/// A file with this content, in a directory of its own.
fn file(name: &str, content: &[u8]) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("command_line");
    let path = directory.join(name);
    fs::create_dir_all(path.parent().unwrap_or(&directory)).expect("a directory for scratch files");
    fs::write(&path, content).expect("a scratch file");
    path
}

fn prom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prom")).args(arguments).output().expect("prom runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

/// Runs `prom check` on a model and compares the exit code.
#[track_caller]
fn check(name: &str, content: &str, options: &[&str], code: i32) -> Output {
    let path = file(name, content.as_bytes());
    let output = prom(&[&["check", path.to_str().expect("a plain path")], options].concat());
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
    output
}

#[test]
fn every_step_says_why_it_may_go_first_or_not() {
    let model = "chan q[2] = [1] of { byte }; byte g; active proctype S() { byte x; x++; q[1]!x; g = 1 }
        active proctype R() { byte y; q[1]?y; g = 2 }";
    let path = file("independence.pml", model.as_bytes());
    let output = prom(&["automata", path.to_str().expect("a plain path"), "--independence"]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let lines: Vec<String> =
        text(&output.stdout).lines().map(|it| it.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        "S (0)",
        "line 1 x++ local",
        "line 1 q[1]!x safe while `q[1]` has room",
        "line 1 g = 1 not safe: shares `g` with R (1)",
        "line 1 -end- safe while it is the youngest process",
        "R (1)",
        "line 2 q[1]?y safe while `q[1]` has a message",
        "line 2 g = 2 not safe: shares `g` with S (0)",
        "line 2 -end- safe while it is the youngest process",
    ];
    assert_eq!(lines, expected);
    refused(&["automata", path.to_str().expect("a plain path"), "--independence", "--state-space"], "--independence");
    refused(&["automata", "/no/such/file.pml", "--independence"], "there is no file");
}

/// Runs `prom` with wrong usage or input: exit code 2, nothing on standard output, and these words.
#[track_caller]
fn refused(arguments: &[&str], words: &str) {
    let output = prom(arguments);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
    assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
}

#[test]
fn the_exit_code_is_the_verdict() {
    check("holds.pml", HOLDS, &[], 0);
    check("violated.pml", VIOLATED, &[], 1);
    check("violated-all.pml", VIOLATED, &["--all-errors"], 1);
    check("unknown.pml", HOLDS, &["--max-depth", "1"], 3);
    check("temporal.pml", TEMPORAL, &[], 0);
    check("temporal-false.pml", TEMPORAL, &["--ltl", "[] (x == 0)"], 1);
    check("temporal-bits.pml", TEMPORAL, &["--store", "bitstate", "--memory", "8M"], 3);
    check("temporal-only.pml", TEMPORAL, &["--only", "safety"], 0);
    check("wrong.pml", WRONG, &[], 2);
}

#[test]
fn what_counts_as_a_violation_can_be_chosen() {
    check("ignored.pml", VIOLATED, &["--no-assertions"], 0);
    let stuck = "byte x; active proctype P() { x == 1 }";
    check("stuck.pml", stuck, &[], 1);
    check("stuck-fine.pml", stuck, &["--no-end-states"], 0);
}

#[test]
fn the_report_is_on_standard_output_and_complaints_are_not() {
    let output = check("report.pml", HOLDS, &["--no-warnings"], 0);
    assert!(text(&output.stdout).contains("report.pml: safety holds\n"));
    assert_eq!(text(&output.stderr), "");
    let output = check("complaint.pml", WRONG, &["--format", "json"], 2);
    assert_eq!(text(&output.stdout), "");
    assert!(text(&output.stderr).contains("complaint.pml:1:35"), "{}", text(&output.stderr));
}

#[test]
fn json_has_the_fields_that_scripts_rely_on() {
    let output = check("fields.pml", VIOLATED, &["--format", "json"], 1);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let result = &json["results"][0];
    assert_eq!(
        (&json["tool"], &result["property"], &result["verdict"]),
        (&"promenade".into(), &"safety".into(), &"violated".into())
    );
    for number in ["states", "transitions", "depth", "seconds", "setup_seconds", "peak_memory_bytes", "threads"] {
        assert!(result[number].is_number(), "{number}");
    }
    for word in ["engine", "reduction", "store", "search"] {
        assert!(result[word].is_string(), "{word}");
    }
    let violation = &result["violations"][0];
    assert_eq!(
        (&violation["kind"], &violation["line"], &violation["length"]),
        (&"assertion".into(), &1.into(), &2.into())
    );
    assert_eq!(violation["message"], "assertion violated: x == 2");
}

#[test]
fn every_format_can_be_asked_for() {
    for (format, words) in [("text", "VIOLATED"), ("spin", "pan:1: assertion violated (x==2) (at depth 1)")] {
        assert!(text(&check("format.pml", VIOLATED, &["--format", format], 1).stdout).contains(words));
    }
    for (format, words) in [("sarif", "\"2.1.0\""), ("junit", "<testsuites"), ("json", "{\"tool\"")] {
        assert!(text(&check("format.pml", VIOLATED, &["--format", format], 1).stdout).contains(words));
    }
}

#[test]
fn macros_come_from_the_command_line() {
    let model = "active proctype P() { assert(N == 3) }";
    check("macro.pml", model, &["-DN=3"], 0);
    check("macro-wrong.pml", model, &["-D", "N=4"], 1);
    check("macro-one.pml", model, &["-D", "N"], 1);
}

#[test]
fn included_files_are_found() {
    let part = file("parts/part.h", b"#define N 3");
    let model = "#include \"part.h\"\nactive proctype P() { assert(N == 3) }";
    check("include.pml", model, &[], 2);
    check("include.pml", model, &["-I", part.parent().and_then(|it| it.to_str()).expect("a directory")], 0);
}

#[test]
fn a_file_that_cannot_be_a_model_is_refused_in_one_sentence() {
    refused(&["check", "/no/such/file.pml"], "there is no file `/no/such/file.pml`");
    refused(&["check", "/"], "`/` is a directory");
    let binary = file("binary.pml", b"\x7fELF\x02\x01\0\0\0\x03");
    refused(&["check", binary.to_str().expect("a plain path")], "is not a text file");
}

#[test]
fn odd_letters_in_a_comment_do_not_matter() {
    let path = file("latin1.pml", b"/* Andr\xe9 */ active proctype P() { skip }");
    assert_eq!(prom(&["check", path.to_str().expect("a plain path")]).status.code(), Some(0));
}

#[test]
fn an_empty_file_is_refused_or_holds_but_does_no_harm() {
    let path = file("empty.pml", b"");
    let output = prom(&["check", path.to_str().expect("a plain path")]);
    assert!(matches!(output.status.code(), Some(0 | 2)), "{}", text(&output.stderr));
}

#[test]
fn wrong_usage_is_refused() {
    refused(&[], "Usage: prom");
    refused(&["check"], "<FILE>");
    refused(&["check", "a.pml", "--frobnicate"], "--frobnicate");
    refused(&["check", "a.pml", "b.pml"], "b.pml");
    refused(&["check", "a.pml", "--memory", "4X"], "expected a size like 512M or 4G");
    refused(&["check", "a.pml", "--memory", "0"], "expected a size");
    refused(&["check", "a.pml", "--time", "soon"], "expected a time like 60s or 5m");
    refused(&["check", "a.pml", "--max-depth", "-1"], "-1");
    refused(&["check", "a.pml", "-D", "1N"], "expected NAME or NAME=VALUE");
    refused(&["check", "a.pml", "--format", "pdf"], "pdf");
}

#[test]
fn what_is_still_to_come_says_so() {
    refused(
        &["check", "a.pml", "--engine", "symbolic", "--search", "dfs"],
        "the symbolic engine has no depth-first search",
    );
    refused(&["check", "a.pml", "--search", "saturation"], "are about `--engine symbolic`");
    refused(&["check", "a.pml", "--reduction", "improviso"], "`--reduction improviso` is about `--engine symbolic`");
    let sets = ["check", "a.pml", "--engine", "symbolic"];
    refused(&[&sets[..], &["--reduction", "twophase"]].concat(), "it has `--reduction improviso`");
    let reduced = [&sets[..], &["--reduction", "improviso"]].concat();
    refused(&[&reduced[..], &["--search", "saturation"]].concat(), "goes breadth first");
    refused(&[&reduced[..], &["--cache", "none"]].concat(), "`--cache` is about `--reduction twophase`");
    refused(&["check", "a.pml", "--method", "forward"], "`--method` is about `--engine symbolic`");
    refused(&["check", "a.pml", "--reduction", "ample"], "`--reduction ample` looks at the stack of `--search dfs`");
    refused(&["check", "a.pml", "--cache", "none"], "`--cache` is about `--reduction twophase`");
    let no_ends = ["check", "a.pml", "--only", "deadlock", "--no-end-states"];
    refused(&no_ends, "`--only deadlock` and `--no-end-states` leave nothing to check");
    let twophase = ["check", "a.pml", "--reduction", "twophase"];
    refused(
        &[&twophase[..], &["--max-depth", "9"]].concat(),
        "`--max-depth` counts steps, and a reduction leaves some out",
    );
    refused(&[&twophase[..], &["--engine", "reference"]].concat(), "the reference engine has no reduction");
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    refused(&["check", "a.pml", "--engine", "reference", "--threads", "2"], "the reference engine has");
    refused(&["check", "a.pml", "--engine", "reference", "--store", "tree"], "the reference engine has");
    refused(&["check", "a.pml", "--search", "dfs", "--threads", "2"], "a depth-first search has one thread");
    refused(&["check", "a.pml", "--max-switches", "1", "--threads", "2"], "a depth-first search has one thread");
    refused(&["check", "a.pml", "--search", "bfs", "--shorten"], "`--shorten` is about `--search dfs`");
    refused(&["check", "a.pml", "--search", "bfs", "--max-switches", "1"], "`--max-switches` is about `--search dfs`");
    refused(&["check", "a.pml", "--engine", "reference", "--max-switches", "1"], "does not know `--max-switches`");
    refused(&["check", "a.pml", "--shorten", "--all-errors"], "`--shorten` looks for one counterexample");
    refused(&["check", "a.pml", "--shorten=a-lot"], "a-lot");
    refused(&["check", "a.pml", "--hashes", "2"], "`--hashes` is about `--store bitstate`");
    refused(&["check", "a.pml", "--threads", "0"], "`--threads 0` leaves nobody");
    refused(&["check", "a.pml", "--threads", "1000000"], "`--threads` can be at most 1024");
    refused(&["check", "a.pml", "--memory", "1k"], "`--memory` is too small: no search can begin with less than 64K");
    refused(&["check", "a.pml", "--passes", "2"], "`--passes` is about stores that may leave out states");
    refused(&["check", "a.pml", "--store", "bitstate", "--hashes", "0"], "0 is not in 1..=64");
}

#[test]
fn a_store_that_may_leave_out_states_never_says_that_a_property_holds() {
    let path = file("lossy.pml", b"byte x; active proctype P() { x = 1 }");
    for store in ["hash-compact", "bitstate"] {
        let output = prom(&["check", path.to_str().expect("a plain path"), "--store", store, "--memory", "64M"]);
        assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
        assert!(text(&output.stdout).contains("may have left out states"), "{}", text(&output.stdout));
    }
}

/// The only result of a run, as scripts see it.
fn result(name: &str, content: &str, options: &[&str], code: i32) -> serde_json::Value {
    let output = check(name, content, &[&["--format", "json"], options].concat(), code);
    let mut json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    json["results"][0].take()
}

#[test]
fn the_report_says_who_searched_and_how() {
    let fast = result("dfs.pml", HOLDS, &["--search", "dfs"], 0);
    assert_eq!((&fast["engine"], &fast["search"], &fast["threads"]), (&"explicit".into(), &"dfs".into(), &1.into()));
    let plain = result("dfs-reference.pml", HOLDS, &["--search", "dfs", "--engine", "reference"], 0);
    assert_eq!((&plain["engine"], &plain["search"]), (&"reference".into(), &"dfs".into()));
    assert_eq!(result("auto.pml", HOLDS, &["--max-switches", "3"], 0)["search"], "dfs");
}

/// The youngest process moves first, which is the long way.
const ROUNDABOUT: &str = "byte x; active proctype P() { skip; assert(x != 0) }
active proctype Q() { do :: x < 9 -> x++ :: else -> break od; assert(false) }";

#[test]
fn a_counterexample_can_be_shortened() {
    let length = |name: &str, options: &[&str]| {
        result(name, ROUNDABOUT, options, 1)["violations"][0]["length"].as_u64().expect("a number")
    };
    assert!(length("long.pml", &["--search", "dfs", "--reduction", "none"]) > 10);
    assert_eq!(length("shorten.pml", &["--shorten"]), 2);
    assert!(length("halving.pml", &["--search", "dfs", "--shorten=halving"]) < 4);
}

#[test]
fn bounds_are_reasons() {
    let busy = "byte x; active [2] proctype P() { x++; x++; x++; assert(x > 0) }";
    let output = check("deep.pml", busy, &["--search", "dfs", "--max-depth", "3"], 3);
    assert!(text(&output.stdout).contains("paths longer than 3 steps were not followed"));
    check("deep-enough.pml", busy, &["--search", "dfs", "--max-depth", "12"], 0);
    let output = check("switches.pml", busy, &["--max-switches", "1"], 3);
    let words = "behaviours that interrupt a process more than 1 times were not followed";
    assert!(text(&output.stdout).contains(words), "{}", text(&output.stdout));
    check("switches-enough.pml", busy, &["--max-switches", "9"], 0);
}

#[test]
fn an_unknown_property_is_refused_with_those_that_exist() {
    let path = file("properties.pml", TEMPORAL.as_bytes());
    refused(
        &["check", path.to_str().expect("a plain path"), "--only", "q"],
        "the properties of this model are: safety, deadlock, p",
    );
}

#[test]
fn help_and_version_are_not_errors() {
    for arguments in [&["--help"][..], &["--version"], &["check", "--help"]] {
        let output = prom(arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).lines().count() <= 48, "one screen");
    }
    assert!(text(&prom(&["check", "--help"]).stdout).contains("Example: prom check"));
    let (short, long) = (prom(&["check", "--help"]), prom(&["check", "--help-all"]));
    assert!(!text(&short.stdout).contains("--trust-xr-xs") && text(&long.stdout).contains("--trust-xr-xs"));
}

#[test]
fn a_model_can_come_from_standard_input() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prom"));
    let command = command.args(["check", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("prom runs");
    child.stdin.take().expect("a pipe").write_all(VIOLATED.as_bytes()).expect("somebody reads");
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("<stdin>: safety is VIOLATED"));
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let path = file("pipe.pml", VIOLATED.as_bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_prom"));
    let command = command.arg("check").arg(path).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("prom runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("an end");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""));
}

#[test]
fn the_least_memory_is_enough_to_say_so() {
    for store in ["exact", "tree", "hash-compact"] {
        let output = check("least.pml", ENDLESS, &["--memory", "64K", "--store", store, "--slice", "off"], 3);
        assert!(text(&output.stdout).contains("the memory limit of 64 KB was reached"), "{}", text(&output.stdout));
    }
}

#[test]
fn a_limit_is_an_answer() {
    let output = check("time.pml", ENDLESS, &["--time", "200ms"], 3);
    assert!(text(&output.stdout).contains("the time limit of 0.2 s was reached"));
    let output = check("memory.pml", ENDLESS, &["--memory", "1M", "--slice", "off"], 3);
    assert!(text(&output.stdout).contains("the memory limit of 1 MB was reached"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_what_was_done() {
    let path = file("interrupt.pml", ENDLESS.as_bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_prom"));
    let child = command.arg("check").arg(path).stdout(Stdio::piped()).spawn().expect("prom runs");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130));
    assert!(text(&output.stdout).contains("safety is unknown: the run was interrupted"));
}

#[test]
fn optimisations_can_be_chosen() {
    const IDLE: &str = "byte x; active proctype P() { byte i; x = 1; i = 1; i = 2; x == 1 }";
    let done = |options: &[&str]| {
        let output = check("optimized.pml", IDLE, &[options, &["--format", "json"]].concat(), 0);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let result = &report["results"][0];
        (result["optimizations"].to_string(), result["states"].as_u64())
    };
    assert_eq!(done(&["--no-optimize"]), ("[]".to_string(), Some(6)));
    assert_eq!(done(&["--optimize", "merge,fold"]).0, r#"["fold","merge"]"#);
    assert_eq!(done(&["--optimize", "merge"]).1, Some(4));
    assert_eq!(done(&["--engine", "reference"]), done(&["--no-optimize"]));
    assert_eq!(done(&["--no-optimize", "--optimize", "dead"]).0, r#"["dead"]"#);
    assert_eq!(done(&["--slice", "off"]).0, r#"["fold","hide","dead","range","merge"]"#);
    assert_eq!(done(&[]).0, r#"["fold","hide","dead","range","merge","slice"]"#);
    assert_eq!(done(&["--reduction", "none"]).0, done(&["--slice", "off"]).0);
    refused(&["check", "a.pml", "--optimize", "magic"], "possible values: fold, hide, dead, range, merge");
}

#[test]
fn formulas_are_asked_about_slices_unless_somebody_wants_all_steps() {
    const TWO: &str =
        "byte x, y; ltl small { [] (x < 2) } active proctype P() { x = 1; do :: y < 200 -> y++ :: break od }";
    let of = |options: &[&str]| {
        let output = check("two.pml", TWO, &[&["--only", "small", "--format", "json"], options].concat(), 0);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let is_sliced = report["results"][0]["optimizations"].to_string().contains("slice");
        (is_sliced, report["results"][0]["states"].as_u64().expect("a number"))
    };
    let (is_sliced, states) = of(&[]);
    assert!(is_sliced && states < 10, "{states}");
    for whole in [&["--slice", "off"][..], &["--no-optimize"], &["--reduction", "none"], &["--max-depth", "900"]] {
        let (is_sliced, states) = of(whole);
        assert!(!is_sliced && states > 200, "{whole:?}: {states}");
    }
    // Which statements are never reached is a part of safety, and all of them are looked at.
    const DEAD: &str = "byte x, y; active proctype P() { if :: y == 1 -> x = 1 :: else fi }";
    let output = check("dead.pml", DEAD, &[], 0);
    assert!(text(&output.stdout).contains("Never reached:") && text(&output.stdout).contains("x = 1"));
}

#[test]
fn the_reduction_is_chosen_and_the_report_says_why() {
    let of = |name: &str, text: &str, options: &[&str], code: i32| {
        let result = result(name, text, options, code);
        (result["reduction"].clone(), result["reduction_because"].clone())
    };
    assert_eq!(of("auto.pml", HOLDS, &[], 0), ("twophase".into(), "safety alone matters".into()));
    assert_eq!(of("ends.pml", HOLDS, &["--only", "deadlock"], 0), ("stubborn".into(), "only ends matter".into()));
    assert_eq!(of("none.pml", HOLDS, &["--reduction", "none"], 0), ("none".into(), serde_json::Value::Null));
    assert_eq!(of("bound.pml", HOLDS, &["--max-depth", "100"], 0).0, "none");
    let sets = ["--engine", "symbolic", "--reduction", "improviso"];
    assert_eq!(of("sets.pml", HOLDS, &sets[..2], 0).0, "none");
    assert_eq!(of("reduced-sets.pml", HOLDS, &sets, 0), ("improviso".into(), serde_json::Value::Null));
    assert_eq!(result("bfs.pml", HOLDS, &sets, 0)["search"], "bfs");
    let last = "active proctype P() { assert(_last < 9) } active proctype Q() { skip }";
    assert_eq!(of("last-of-sets.pml", last, &sets, 0).0, "none");
    let (reduction, because) = of("last.pml", last, &["--reduction", "twophase"], 0);
    assert!(reduction == "none" && because.as_str().is_some_and(|it| it.contains("every single step")));
}

/// Two processes with local steps before an assertion fails: without reduction it fails after two steps.
#[test]
fn a_reduced_search_shows_a_short_counterexample_all_the_same() {
    let model = "byte g; active proctype P() { byte x; x++; x++; x++; x++; g = 1 }
        active proctype Q() { g = 2; assert(g == 1) }";
    let length = |name: &str, options: &[&str]| result(name, model, options, 1)["violations"][0]["length"].as_u64();
    assert_eq!(length("short.pml", &[]), Some(2));
    assert!(length("longer.pml", &["--reduction", "twophase", "--no-optimize"]) > Some(2));
}

/// A file beside those of [`file`] that is not there yet.
fn absent(name: &str) -> PathBuf {
    let path = file(name, b"");
    fs::remove_file(&path).expect("the file just written");
    path
}

/// Runs `prom replay` on a model and a trace; what it wrote to both outputs.
#[track_caller]
fn replay(model: &str, trace: &std::path::Path, code: i32) -> String {
    let path = file(model, b"");
    let path = path.with_file_name(format!("{}.kept", path.file_name().expect("a name").to_string_lossy()));
    let output = prom(&["replay", path.to_str().expect("a plain path"), trace.to_str().expect("a plain path")]);
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

/// Checks a model with `--trace`; the trace, and SPIN's.
fn traced(name: &str, content: &str, options: &[&str]) -> (PathBuf, PathBuf) {
    let (trace, model) = (absent(&format!("{name}.trace")), file(&format!("{name}.kept"), content.as_bytes()));
    let (trace_name, model) = (trace.to_str().expect("a plain path"), model.to_str().expect("a plain path"));
    let output = prom(&[&["check", model, "--trace", trace_name], options].concat());
    assert_eq!(output.status.code(), Some(1), "{}{}", text(&output.stdout), text(&output.stderr));
    let trail = PathBuf::from(format!("{trace_name}.trail"));
    (trace, trail)
}

#[test]
fn a_trace_goes_to_two_files_and_both_can_be_replayed() {
    let (trace, trail) = traced("kept.pml", VIOLATED, &[]);
    assert_eq!(fs::read_to_string(&trail).expect("a trail"), "1:0:0\n2:0:1\n");
    for file in [trace, trail] {
        let said = replay("kept.pml", &file, 0);
        assert!(said.contains("assertion violated: x == 2") && said.contains("x = 1  "), "{said}");
    }
}

#[test]
fn a_trail_marks_where_its_cycle_begins() {
    let model = "byte x; active proctype P() { x = 1; do :: x = 2 :: x = 3 od } ltl p { <> (x == 4) }";
    let (trace, trail) = traced("lasso.pml", model, &["--only", "p"]);
    let text = fs::read_to_string(&trail).expect("a trail");
    assert!(text.starts_with("1:0:0\n") && text.contains("\n-1:-1:-1\n3:0:"), "{text}");
    for file in [trace, trail] {
        let said = replay("lasso.pml", &file, 0);
        assert!(said.contains("for ever:") && said.contains("p: it is false when the last"), "{said}");
    }
}

#[test]
fn a_trail_of_spin_with_a_claim_and_merged_statements_is_understood() {
    // As it would be if `x = 1` and what follows it were merged, and process 0 were a claim.
    let model = "byte x; active proctype P() { byte i; x = 1; i = 1; i = 2; x = 2; assert(i == 1) }";
    file("merged.pml.kept", model.as_bytes());
    let trail = file("merged.pml.trail", b"-2:1:-2\n-4:-4:-4\n1:0:9\n2:1:0\n3:0:9\n4:1:3\n5:0:9\n6:1:4\n");
    let said = replay("merged.pml", &trail, 0);
    assert!(said.contains("5 steps") && said.contains("assertion violated: i == 1"), "{said}");
}

#[test]
fn a_trace_that_does_not_fit_says_where() {
    let (trace, trail) = traced("changed.pml", VIOLATED, &[]);
    file("changed.pml.kept", VIOLATED.replace("x == 2", "x == 3").as_bytes());
    let said = replay("changed.pml", &trace, 2);
    assert!(said.contains("step 2 in") && said.contains("it can do this: assert(x == 3)"), "{said}");
    file("changed.pml.kept", b"byte x; active proctype P() { x = 1; x == 3 }");
    let said = replay("changed.pml", &trail, 2);
    assert!(said.contains("step 2 of the trail") && said.contains("it can do nothing here"), "{said}");
    let said = replay("changed.pml", &file("no.trace", b"nonsense"), 2);
    assert!(said.contains("neither a trace nor a trail: line 1 is not `depth:process:statement`"), "{said}");
}

#[test]
fn a_trace_that_cannot_be_written_is_told_before_the_search() {
    let output = check("unwritten.pml", ENDLESS, &["--trace", "/no/such/folder/trace"], 2);
    assert!(text(&output.stderr).contains("the trace cannot be written to `/no/such/folder/trace`"));
    assert!(output.stdout.is_empty());
}

#[test]
fn without_a_violation_there_is_no_trace() {
    let trace = absent("holds.trace");
    check("untraced.pml", HOLDS, &["--trace", trace.to_str().expect("a plain path")], 0);
    let folder = trace.parent().expect("a folder");
    let names: Vec<String> =
        fs::read_dir(folder).expect("a folder").flatten().map(|it| it.file_name().to_string_lossy().into()).collect();
    assert!(!names.iter().any(|it| it.starts_with("holds.trace")), "{names:?}");
}

#[test]
fn formulas_are_read_from_files() {
    let path = file("at_last.ltl", b"<> (x == 1) /* in the end */\n");
    let option = format!("@{}", path.display());
    check("formula_file.pml", HOLDS, &["--ltl", &option, "--only", "at_last"], 0);
    check("formula_file2.pml", HOLDS, &["--ltl", "@/no/such/file"], 2);
}

#[test]
fn what_has_no_room_as_a_list_of_states_may_have_room_as_a_set() {
    let many = "active [20] proctype P() { byte b = 1; if :: b = 2 :: b = 3 fi; end: 0 }";
    let options = ["--reduction", "none", "--no-optimize", "--memory", "2M"];
    let full = result("many.pml", many, &[&options[..], &["--engine", "explicit"]].concat(), 3);
    assert_eq!((full["engine"].as_str(), full["engine_because"].as_str()), (Some("explicit"), None));
    let handed = result("many.pml", many, &options, 0);
    // Three states of each process, and nobody ever ends.
    assert_eq!((handed["engine"].as_str(), handed["states"].as_u64()), (Some("symbolic"), Some(3u64.pow(20))));
    let because = handed["engine_because"].as_str().unwrap_or("");
    assert!(because.starts_with("The explicit engine had no room for more than"), "{because}");
    let words = text(&check("many.pml", many, &options, 0).stdout).to_string();
    assert!(words.contains("So the symbolic engine was asked."), "{words}");
}

#[test]
fn whole_executions_and_branching_time_are_handed_over_too() {
    let many = "byte at; active [18] proctype P() { byte b = 1; if :: b = 2 :: b = 3 fi; at++; end: 0 }";
    let options = ["--reduction", "none", "--no-optimize", "--memory", "4M"];
    for (formula, code) in [("p: [] (at <= 18)", 0), ("p: <> (at == 18)", 0), ("p: [] (at < 18)", 1)] {
        let handed = result("many_lines.pml", many, &[&options[..], &["--ltl", formula, "--only", "p"]].concat(), code);
        assert_eq!(handed["engine"].as_str(), Some("symbolic"), "{formula}");
        assert!(handed["engine_because"].as_str().is_some_and(|it| it.contains("no room")), "{formula}");
    }
    for (formula, code) in [("p: AG EF (at == 18)", 0), ("p: EF (at == 19)", 1)] {
        let handed = result("many_trees.pml", many, &[&options[..], &["--ctl", formula, "--only", "p"]].concat(), code);
        assert_eq!(handed["engine"].as_str(), Some("symbolic"), "{formula}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn few_addresses_are_a_limit_and_no_crash() {
    let path = file("addresses.pml", HOLDS.as_bytes());
    let run = |kilobytes: u32, engine: &str| {
        let (prom, path) = (env!("CARGO_BIN_EXE_prom"), path.display());
        let line = format!("ulimit -v {kilobytes}; {prom} check {path} --engine {engine}");
        let output = Command::new("sh").args(["-c", &line]).output().expect("a shell");
        (output.status.code(), text(&output.stdout).to_string())
    };
    assert_eq!(run(6_000_000, "symbolic").0, Some(0));
    let (code, words) = run(2_000_000, "symbolic");
    assert_eq!(code, Some(3));
    assert!(words.contains("the system gives no more memory") && !words.contains("0 bytes"), "{words}");
    assert_eq!(run(2_000_000, "auto").0, Some(0));
}

#[test]
fn what_has_room_as_a_list_of_states_is_not_handed_over() {
    // Squares of numbers of 32 bits are large as functions of bits.
    let squares = "active proctype P() { int x = 3; byte i; do :: i < 99 -> x = x * x + i; i++ :: else -> break od }";
    let options = ["--memory", "16M", "--time", "20s", "--no-optimize"];
    let sets = result("squares.pml", squares, &[&options[..], &["--engine", "symbolic"]].concat(), 3);
    assert_eq!(sets["engine"].as_str(), Some("symbolic"));
    let listed = result("squares.pml", squares, &options, 0);
    let explicit = result("squares.pml", squares, &[&options[..], &["--engine", "explicit"]].concat(), 0);
    assert_eq!((listed["engine"].as_str(), &listed["engine_because"]), (Some("explicit"), &serde_json::Value::Null));
    assert_eq!(listed["states"], explicit["states"]);
}

#[test]
fn what_neither_engine_can_answer_says_what_both_said() {
    let refused = "int x, y; active [2] proctype P() priority 2 { do :: x++ :: y++ od }";
    let result = result("neither.pml", refused, &["--memory", "1M", "--no-optimize"], 3);
    let because = result["engine_because"].as_str().unwrap_or("");
    assert!(because.contains("The symbolic engine cannot do this: processes with priorities"), "{because}");
    assert_eq!(result["engine"].as_str(), Some("explicit"));
}

#[test]
fn a_model_is_exported_as_a_program_of_smv() {
    let path = file("exported.pml", b"byte x; active proctype P() { do :: x < 3 -> x++ :: else -> break od }");
    let (path, out) = (path.to_str().expect("a plain path"), path.with_extension("smv"));
    let output = prom(&["export", path, "--to", "smv", "--ctl", "grows: AF (x == 3)", "--ltl", "small: [] (x < 4)"]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let program = text(&output.stdout);
    for line in [
        "-- States that can be reached and in which everybody may move: 9.",
        "CTLSPEC NAME grows := (AF (x = 0ud8_3));",
    ] {
        assert!(program.contains(line), "`{line}` is missing in\n{program}");
    }
    let written = prom(&["export", path, "--to", "smv", "-o", out.to_str().expect("a plain path")]);
    assert_eq!((written.status.code(), &*written.stdout), (Some(0), &b""[..]));
    assert!(fs::read_to_string(&out).expect("a program").contains("MODULE main"));
}

#[test]
fn what_smv_cannot_say_is_said_with_its_place() {
    let path = file("priority.pml", b"byte x;\nactive proctype P() priority 3 { x = 1 }");
    let output = prom(&["export", path.to_str().expect("a plain path"), "--to", "smv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("priority.pml:2"), "{}", text(&output.stderr));
    let path = file("claim.pml", b"byte x; active proctype P() { x = 1 }\nnever { do :: x == 0 od }");
    let output = prom(&["export", path.to_str().expect("a plain path"), "--to", "smv"]);
    assert_eq!(output.status.code(), Some(0));
    let warning = text(&output.stderr);
    assert!(warning.contains("is not exported: it is an automaton") && warning.contains("claim.pml:2"), "{warning}");
}

#[test]
fn sets_are_drawn_round_by_round() {
    let model = "byte x; active [2] proctype P() { do :: x < 9 -> x++ od }";
    let picture = file("growth.svg", b"");
    let out = picture.to_str().expect("a plain path");
    let options = ["--engine", "symbolic", "--search", "bfs", "--stats", "--stats-svg", out, "--no-end-states"];
    let output = check("growth.pml", model, &options, 0);
    for detail in ["nodes of the relations: ", "most nodes at once: ", "reaching: ", "order: "] {
        assert!(text(&output.stdout).contains(detail), "{}", text(&output.stdout));
    }
    let svg = fs::read_to_string(&picture).expect("a picture");
    assert!(svg.starts_with("<svg") && svg.contains("nodes over rounds"), "{svg}");
    refused(&["check", "a.pml", "--engine", "explicit", "--stats-svg", "a.svg"], "about `--engine symbolic`");
}
