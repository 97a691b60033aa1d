//! Counterexamples of C programs, kept in files and shown again; executions and graphs in terms of the program.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use model::semantics::Semantics;
use promenade::c_program::{Program, Reading, check_program};
use promenade::{Checked, Input, Opened, Options, Replayed, open, replay};
use report::{Answer, Violation};
use simulate::Walk;

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("c_replay");
    fs::create_dir_all(&folder).expect("a folder for scratch files");
    folder.join(name)
}

fn file(name: &str, content: &str) -> PathBuf {
    let path = scratch(name);
    fs::write(&path, content).expect("a scratch file");
    path
}

fn reading() -> Reading {
    Reading { stub_headers: true, ..Reading::default() }
}

/// Checks a program and keeps what is found in a file, which is not there before.
fn checked(program: &Path, reading: &Reading, trace: &Path) -> Checked {
    // It may never have been there.
    let _ = fs::remove_file(trace);
    let options = Options { trace: Some(trace.to_path_buf()), steps: usize::MAX, ..Options::default() };
    check_program(program, reading, &options, &mut ())
}

fn replayed(program: &Path, reading: &Reading, trace: &Path) -> Result<Replayed, String> {
    let program = Program { file: program.to_path_buf(), reading: reading.clone(), ends: true };
    let (checked, replayed) = replay(&Input::Program(Box::new(program)), trace, &front_promela::Options::default());
    let says = || checked.diagnostics.iter().map(|it| format!("{}: {} {:?}", it.code, it.message, it.help)).collect();
    replayed.ok_or_else(says)
}

fn violation(checked: Checked) -> Violation {
    let report = checked.report.expect("a report");
    assert_eq!(report.results[0].answer, Answer::Violated);
    report.results.into_iter().next().and_then(|it| it.violations.into_iter().next()).expect("a violation")
}

/// The programs of the examples that have a bug, and its line.
fn bugs() -> Vec<(PathBuf, u32)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c");
    let mut list = Vec::new();
    for entry in fs::read_dir(folder).expect("examples") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a text");
        let line = text.lines().position(|it| it.contains("/* found here */"));
        list.extend(line.map(|line| (path, line as u32 + 1)));
    }
    list.sort();
    assert!(list.len() >= 10, "{list:?}");
    list
}

fn trace_of(program: &Path) -> PathBuf {
    scratch(&format!("{}.trace", program.file_stem().expect("a name").to_string_lossy()))
}

#[test]
fn every_bug_of_the_examples_is_shown_again_as_it_was_found() {
    for (program, line) in bugs() {
        let trace = trace_of(&program);
        let found = violation(checked(&program, &Reading::default(), &trace));
        let again = replayed(&program, &Reading::default(), &trace).expect("it fits");
        let name = program.display();
        assert_eq!(again.violation.place.as_ref().map(|it| it.line), Some(line), "{name}");
        assert_eq!(again.violation.message, found.message, "{name}");
        assert!(found.message.contains("(certain"), "{name}: {}", found.message);
        assert_eq!(format!("{:?}", again.violation), format!("{found:?}"), "{name}");
        assert_eq!(again.says, format!("safety: {}", found.message), "{name}");
        let scenes = again.story.scenes.iter().map(|it| format!("{:?}", it.shown));
        assert_eq!(scenes.collect::<Vec<_>>(), found.steps.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>());
        let sources: Vec<&str> = again.story.sources.iter().map(|it| &*it.0).collect();
        assert_eq!(sources, [&*program.display().to_string()]);
    }
}

#[test]
fn a_trail_of_every_bug_is_shown_again() {
    for (program, line) in bugs() {
        let trace = trace_of(&program).with_extension("for_spin");
        let found = violation(checked(&program, &Reading::default(), &trace));
        let again = replayed(&program, &Reading::default(), &promenade::trail_of(&trace)).expect("it fits");
        assert_eq!(again.violation.place.map(|it| it.line), Some(line), "{}", program.display());
        assert!(again.says.starts_with("a trail; here: ") && again.says.ends_with(&found.message), "{}", again.says);
    }
}

#[test]
fn a_step_that_is_not_what_it_was_is_refused_by_its_number() {
    for (program, _) in bugs() {
        let trace = trace_of(&program).with_extension("damaged");
        checked(&program, &Reading::default(), &trace);
        let text = fs::read_to_string(&trace).expect("a trace");
        let lines: Vec<&str> = text.lines().collect();
        let count = lines.len() - 2;
        for row in [1, count.div_ceil(2), count] {
            let mut damaged = lines.clone();
            let other = lines[row].replace("\"statement\":\"", "\"statement\":\"x ");
            damaged[row] = &other;
            fs::write(&trace, damaged.join("\n")).expect("a scratch file");
            let refused = replayed(&program, &Reading::default(), &trace).expect_err("another statement");
            let begins = format!("trace-mismatch: step {row} in ");
            assert!(refused.starts_with(&begins), "{}: {refused}", program.display());
        }
        // Without its first step, none of the others is where it was.
        let shorter: Vec<&str> = lines.iter().enumerate().filter(|it| it.0 != 1).map(|it| *it.1).collect();
        fs::write(&trace, shorter.join("\n")).expect("a scratch file");
        let refused = replayed(&program, &Reading::default(), &trace).expect_err("a step is missing");
        assert!(refused.starts_with("trace-mismatch: step "), "{}: {refused}", program.display());
    }
}

const HALVES: &str = "#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *add(void *arg) { pthread_mutex_lock(&lock); x += 2; pthread_mutex_unlock(&lock); return NULL; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    x = 1;
    pthread_join(t, NULL);
    assert(x == 3);
    return 0;
}
";

#[test]
fn a_program_that_has_changed_is_refused_where_it_differs_first() {
    let (program, trace) = (file("changed.c", HALVES), scratch("changed.trace"));
    let found = violation(checked(&program, &reading(), &trace));
    assert_eq!(found.place.map(|it| it.line), Some(12));
    fs::write(&program, HALVES.replace("x = 1;", "x = 3 - 1;")).expect("a scratch file");
    let refused = replayed(&program, &reading(), &trace).expect_err("another statement");
    assert!(refused.contains("`x = 1` in the model of ") && refused.contains("changed.c:10"), "{refused}");
    assert!(refused.contains("it can do this: ") && refused.contains("changed.c:10: x = 3 - 1;"), "{refused}");
    // What does not change the model only moves lines.
    fs::write(&program, format!("/* A remark. */\n{HALVES}")).expect("a scratch file");
    let again = replayed(&program, &reading(), &trace).expect("it fits");
    assert_eq!(again.violation.place.map(|it| it.line), Some(13));
}

#[test]
fn a_trace_needs_the_table_that_it_was_found_with() {
    let text = "#include <assert.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int size = 1;\n    \
                size = atoi(argv[1]);\n    assert(size > 0);\n    return 0;\n}\n";
    let (program, trace) = (file("table.c", text), scratch("table.trace"));
    let with = |row: &str| {
        let table = file("rows.lut", &format!("A: size=atoi(argv[1])  {row}\n"));
        Reading { tables: vec![table], ..reading() }
    };
    let found = violation(checked(&program, &with("size = 0"), &trace));
    let row = "(not certain: it depends on `size=atoi(argv[1])` (a row of the table says so))";
    assert!(found.message.ends_with(row), "{}", found.message);
    let again = replayed(&program, &with("size = 0"), &trace).expect("it fits");
    assert_eq!(again.violation.message, found.message);
    let refused = replayed(&program, &with("size = -1"), &trace).expect_err("another table");
    assert!(refused.contains("size = 0") && refused.contains("size = -1"), "{refused}");
    let refused = replayed(&program, &reading(), &trace).expect_err("no table");
    assert!(refused.contains("trace-mismatch: step 1 in "), "{refused}");
}

/// Somebody waits for ever for `main`, which does not matter if `main` ends; the bug is far behind what looks like one first.
const OUTLIVES: &str = "#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int turn, late, i;
void *waits(void *arg) { pthread_mutex_lock(&lock); return NULL; }
void *fails(void *arg)
{
    turn = 1;
    if (late)
        assert(0);
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    pthread_mutex_lock(&lock);
    pthread_create(&a, NULL, waits, NULL);
    pthread_create(&b, NULL, fails, NULL);
    if (turn) {
        for (i = 0; i < 20; i++)
            ;
        late = 1;
    }
    return 0;
}
";

#[test]
fn a_trace_is_taken_on_the_model_that_it_was_found_in() {
    let (program, trace) = (file("outlives.c", OUTLIVES), scratch("outlives.trace"));
    let found = violation(checked(&program, &reading(), &trace));
    assert_eq!(found.place.as_ref().map(|it| it.line), Some(10), "{}", found.message);
    let kept = fs::read_to_string(&trace).expect("a trace");
    assert!(kept.contains("outlives.c, ending with main\""), "{kept}");
    let again = replayed(&program, &reading(), &trace).expect("it fits");
    assert_eq!(format!("{:?}", again.violation), format!("{found:?}"));
    let trail = replayed(&program, &reading(), &promenade::trail_of(&trace)).expect("it fits");
    assert_eq!(trail.violation.message, found.message);
}

#[test]
fn what_is_no_counterexample_of_the_program_is_not_kept() {
    let trace = scratch("none.trace");
    let holds = file("holds.c", &OUTLIVES.replace("assert(0)", "turn = 2"));
    let report = checked(&holds, &reading(), &trace).report.expect("a report");
    assert_eq!(report.results[0].answer, Answer::Holds);
    assert!(!trace.exists());
    let text = "int main(void) { long long x = 2147483647; x = x + 1; return 0; }\n";
    let report = checked(&file("large.c", text), &reading(), &trace).report.expect("a report");
    assert!(matches!(&report.results[0].answer, Answer::Unknown(it) if it.because.contains("more than 32 bits")));
    assert!(!trace.exists());
}

#[test]
fn the_model_in_terms_of_the_program_takes_the_same_steps() {
    for (program, _) in bugs() {
        let trace = trace_of(&program).with_extension("walked");
        checked(&program, &Reading::default(), &trace);
        let again = replayed(&program, &Reading::default(), &trace).expect("it fits");
        let Opened { checked, model, .. } = open(&again.model, &front_promela::Options::default(), &[]);
        let model = model.expect("a model");
        let system = Semantics::new(&model);
        let mut walk = Walk::new(&system).expect("an initial state");
        for &step in &again.violation.trace.steps {
            let edge = model.process(walk.here().type_of(step.process.into())).edge(step.edge);
            let place = checked.sources.place(edge.span);
            assert_eq!(place.file, program.display().to_string(), "{} at line {}", edge.text, place.line);
            assert!(walk.follow(step), "{}: {}", program.display(), edge.text);
        }
        assert!(walk.end().is_some_and(simulate::End::is_error), "{}", program.display());
    }
}

fn prom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prom")).args(arguments).output().expect("prom runs")
}

/// What a run writes, and its exit code.
#[track_caller]
fn said(arguments: &[&str], code: i32) -> String {
    let output = prom(arguments);
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{error}");
    format!("{out}{error}")
}

#[test]
fn every_format_shows_the_program() {
    let (program, trace) = (file("formats.c", HALVES), scratch("formats.trace"));
    let (program, trace) = (program.to_str().expect("a path"), trace.to_str().expect("a path"));
    let found = said(&["check", program, "--stub-headers", "--trace", trace], 1);
    let show = |format| said(&["replay", program, trace, "--stub-headers", "--format", format], 0);
    let text = show("text");
    let steps = |it: &str| {
        it.lines()
            .skip_while(|it| !it.starts_with("How to get"))
            .take_while(|it| !it.contains("states,"))
            .map(String::from)
            .collect::<Vec<_>>()
    };
    let shown: Vec<String> = steps(&found).into_iter().take(steps(&text).len()).collect();
    assert!(shown.len() > 10 && steps(&text) == shown, "{text}\n{found}");
    assert!(text.contains("(certain: every step is one of the program)"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&show("json")).expect("json");
    assert_eq!((&json["line"], &json["process"]), (&12.into(), &"main(0)".into()));
    let page = show("html");
    for part in ["held by thread 1", "pthread_mutex_lock(&amp;lock);", "add(1)"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("value_1") && !page.contains("threads = ") && !page.contains("model of"), "{page}");
    let chart = show("svg");
    assert!(chart.contains("main(0)") && chart.contains("add(1)"), "{chart}");
    let columns = show("columns");
    assert!(columns.starts_with("proc 0 = main\nproc 1 = add\n"), "{columns}");
}

#[test]
fn a_program_is_run_and_drawn_as_it_is_written() {
    let (program, trace) = (file("run.c", HALVES), scratch("run.trace"));
    let (program, trace) = (program.to_str().expect("a path"), trace.to_str().expect("a path"));
    said(&["check", program, "--stub-headers", "--trace", trace], 1);
    let along = said(&["simulate", program, "--stub-headers", "-t", trace, "-p", "-g"], 1);
    assert!(
        along.contains("run.c:5   pthread_mutex_lock(&lock)  ") && along.contains("→ lock = held by thread 1"),
        "{along}"
    );
    assert!(along.contains("assertion violated: x == 3\n"), "{along}");
    assert!(!along.contains("threads") && !along.contains("value_1"), "{along}");
    let chance = prom(&["simulate", program, "--stub-headers", "-n", "1", "-p"]).stdout;
    let chance = String::from_utf8_lossy(&chance);
    assert!(chance.contains("after step ") && chance.contains("run.c:11  pthread_join(t, NULL)"), "{chance}");
    let drawn = said(&["automata", program, "--stub-headers", "--trace", trace], 0);
    assert!(drawn.contains("digraph \"add\"") && drawn.contains("10: x = 1") && drawn.contains("red"), "{drawn}");
    let refused = said(&["simulate", "no_such_file.c"], 2);
    assert!(refused.contains("no_such_file.c"), "{refused}");
    let missing = said(&["replay", program, "--stub-headers", "no_such_trace"], 2);
    assert!(missing.contains("no_such_trace"), "{missing}");
}

#[test]
fn a_harness_is_needed_again() {
    let program = file("harness.c", "int step(int n)\n{\n    check(n);\n    return 0;\n}\n");
    let rows = "%F harness.c\n%X -a step\n%L step\nD: int n  hide\nF: check(n)  assert(false)\n%%\n";
    let (harness, trace) = (file("harness.prx", rows), scratch("harness.trace"));
    let (program, trace) = (program.to_str().expect("a path"), trace.to_str().expect("a path"));
    let harness = ["--harness", harness.to_str().expect("a path")];
    let found = said(&["check", program, harness[0], harness[1], "--trace", trace], 1);
    assert!(found.contains("assertion violated: check(n); (not certain: it depends on `check(n)`"), "{found}");
    let again = said(&["replay", program, trace, harness[0], harness[1]], 0);
    assert!(again.contains("harness.c:3  check(n);") && again.contains("it depends on `check(n)`"), "{again}");
    said(&["replay", program, trace], 2);
}
