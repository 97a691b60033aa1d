//! Runs that are killed, stopped or starved, and go on from their last checkpoint: as if nothing had happened.
#![cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Five counters up to 7, each a step at a time: 16^5 states.
const COUNTERS: &str = "byte v[5];
active [5] proctype P() { do :: v[_pid] < N -> v[_pid]++ :: v[_pid] == N -> v[_pid] = 0 od }
";
/// Somebody who does not like what it sees late.
const WATCHER: &str =
    "active proctype W() { v[0] == N && v[1] == N && v[2] == N && v[3] == N && v[4] == N-1 -> assert(false) }
";

/// A directory of its own for each test.
fn scratch(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("checkpoint").join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory for scratch files");
    directory
}

fn write(directory: &Path, name: &str, text: &str) -> String {
    let path = directory.join(name);
    fs::write(&path, text).expect("a scratch file");
    path.to_str().expect("a plain path").into()
}

fn prom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prom"));
    command
        .args(["check", "--reduction", "none"])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    prom(arguments).output().expect("prom runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

/// What must not depend on how often a run was interrupted.
fn answer(output: &Output) -> Value {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let result = &json["results"][0];
    let fields = ["verdict", "states", "transitions", "depth", "errors", "unreached", "violations", "complete"];
    fields.iter().map(|&name| (name.to_string(), result[name].clone())).collect::<serde_json::Map<_, _>>().into()
}

/// Waits until a checkpoint is there that is more than a beginning.
fn wait_for_checkpoint(path: &str, child: &mut Child) {
    let began = Instant::now();
    while fs::metadata(path).map_or(0, |it| it.len()) < 100_000 {
        assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint in a minute");
        assert!(child.try_wait().expect("a child").is_none(), "it was faster than its checkpoint");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Starts a run, kills it after a checkpoint, goes on, kills it once more, and lets the third come to its end.
fn killed_twice(model: &str, checkpoint: &str, options: &[&str]) -> Output {
    let common = [&[model, "--format", "json", "--every", "40ms"], options].concat();
    let first = [&common[..], &["--checkpoint", checkpoint]].concat();
    let again = [&common[..], &["--resume", checkpoint]].concat();
    let mut child = prom(&first).spawn().expect("prom runs");
    wait_for_checkpoint(checkpoint, &mut child);
    child.kill().expect("it can be killed");
    child.wait().expect("an end");
    let mut child = prom(&again).spawn().expect("prom runs");
    std::thread::sleep(Duration::from_millis(60));
    child.kill().expect("it can be killed");
    child.wait().expect("an end");
    run(&[&[model, "--format", "json", "--resume", checkpoint], options].concat())
}

#[test]
fn a_killed_run_goes_on_and_counts_the_same() {
    let directory = scratch("killed");
    let model = write(&directory, "counters.pml", &format!("#define N 7\n{COUNTERS}"));
    for store in ["exact", "tree", "hash-compact", "bitstate"] {
        let options = ["--store", store, "--memory", "512M"];
        let whole = answer(&run(&[&[&*model, "--format", "json", "--threads", "1"], &options[..]].concat()));
        for threads in ["1", "2"] {
            let checkpoint = directory.join(format!("{store}-{threads}"));
            let checkpoint = checkpoint.to_str().expect("a plain path");
            let output = killed_twice(&model, checkpoint, &[&options[..], &["--threads", threads]].concat());
            if (store, threads) == ("bitstate", "2") {
                // A state that two workers find at once is counted twice.
                let (states, expected) = (answer(&output)["states"].as_f64(), whole["states"].as_f64());
                let ratio = states.zip(expected).map(|(states, expected)| states / expected);
                assert!(ratio.is_some_and(|it| (0.99..1.01).contains(&it)), "{ratio:?}");
            } else {
                assert_eq!(answer(&output), whole, "{store}, {threads} threads");
            }
            assert!(!Path::new(checkpoint).exists(), "nothing is left to do");
        }
    }
}

#[test]
fn a_violation_is_the_same_after_a_kill() {
    let directory = scratch("violation");
    let model = write(&directory, "watched.pml", &format!("#define N 6\n{COUNTERS}{WATCHER}"));
    for store in ["exact", "tree"] {
        let options = ["--store", store, "--threads", "2"];
        let whole = run(&[&[&*model, "--format", "json"], &options[..]].concat());
        let checkpoint = directory.join(store);
        let output = killed_twice(&model, checkpoint.to_str().expect("a plain path"), &options);
        assert_eq!((output.status.code(), whole.status.code()), (Some(1), Some(1)));
        assert_eq!(answer(&output), answer(&whole));
    }
}

#[test]
fn all_errors_are_counted_once() {
    let directory = scratch("errors");
    let text = format!("#define N 6\n{COUNTERS}active proctype W() {{ do :: assert(v[1] != 3 || v[2] != 5) od }}");
    let model = write(&directory, "errors.pml", &text);
    let options = ["--all-errors", "--threads", "2"];
    let whole = answer(&run(&[&[&*model, "--format", "json"], &options[..]].concat()));
    let output = killed_twice(&model, directory.join("c").to_str().expect("a plain path"), &options);
    assert_eq!(answer(&output), whole);
}

#[test]
fn a_limit_leaves_a_checkpoint_and_says_how_to_go_on() {
    let directory = scratch("limits");
    let model = write(&directory, "counters.pml", &format!("#define N 6\n{COUNTERS}"));
    for store in ["exact", "tree", "hash-compact"] {
        let whole = answer(&run(&[&model, "--format", "json", "--store", store]));
        for (row, limit) in [["--time", "60ms"], ["--memory", "3M"], ["--max-depth", "20"]].iter().enumerate() {
            let checkpoint = directory.join(format!("{store}-{row}"));
            let checkpoint = checkpoint.to_str().expect("a plain path");
            let start = [&[&*model, "--store", store, "--checkpoint", checkpoint], &limit[..]].concat();
            let output = run(&start);
            assert_eq!(output.status.code(), Some(3), "{}{}", text(&output.stdout), text(&output.stderr));
            let hint = format!("To go on from here: the same command with --resume {checkpoint}");
            assert!(text(&output.stdout).contains(&hint), "{}", text(&output.stdout));
            let output = run(&[&model, "--store", store, "--format", "json", "--resume", checkpoint]);
            assert_eq!(answer(&output), whole, "{store} {limit:?}");
        }
    }
}

#[test]
fn an_interrupted_run_leaves_a_checkpoint() {
    let directory = scratch("interrupted");
    let model = write(&directory, "counters.pml", &format!("#define N 13\n{COUNTERS}"));
    let whole = answer(&run(&[&model, "--format", "json"]));
    let checkpoint = directory.join("c");
    let checkpoint = checkpoint.to_str().expect("a plain path");
    let child = prom(&[&model, "--format", "json", "--checkpoint", checkpoint, "--threads", "1"]).spawn();
    let child = child.expect("prom runs");
    std::thread::sleep(Duration::from_millis(150));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["checkpoint"], checkpoint);
    assert_eq!(answer(&run(&[&model, "--format", "json", "--resume", checkpoint])), whole);
}

/// Exit code 2, nothing on standard output, and these words.
#[track_caller]
fn refused(arguments: &[&str], words: &str) {
    let output = run(arguments);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
}

#[test]
fn what_is_no_use_is_refused_and_stays_as_it_is() {
    let directory = scratch("refused");
    let model = write(&directory, "counters.pml", &format!("#define N 5\n{COUNTERS}"));
    let other = write(&directory, "other.pml", &format!("#define N 4\n{COUNTERS}"));
    let checkpoint = directory.join("c");
    let checkpoint = checkpoint.to_str().expect("a plain path");
    assert_eq!(run(&[&model, "--checkpoint", checkpoint, "--max-depth", "15"]).status.code(), Some(3));
    let bytes = fs::read(checkpoint).expect("a checkpoint");

    refused(&[&other, "--resume", checkpoint], "is a checkpoint of another model");
    refused(&[&model, "--resume", checkpoint, "--store", "tree"], "was made with other options");
    refused(&[&model, "--resume", checkpoint, "--seed", "4"], "seed 0");
    refused(&[&model, "--resume", checkpoint, "--all-errors"], "was made with other options");
    refused(&[&model, "--resume", checkpoint, "--no-end-states"], "no end states");
    refused(&[&model, "--resume", checkpoint, "--memory", "64k"], "needs more memory than there is");
    refused(&[&model, "--checkpoint", checkpoint], "exists already");
    refused(&[&model, "--checkpoint", &model], "exists already");
    refused(&[&model, "--resume", &model], "is not a checkpoint");
    refused(&[&model, "--resume", "/no/such/file"], "cannot be read");
    refused(&[&model, "--resume", "/"], "cannot be read: it is not a file");
    refused(&[&model, "--checkpoint", "/no/such/directory/c"], "no checkpoint can be written");
    refused(&[&model, "--checkpoint", "/dev/null"], "is not a file for checkpoints");
    assert_eq!(fs::read(checkpoint).expect("still there"), bytes);

    let damaged = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        let path = directory.join(name);
        fs::write(&path, bytes).expect("a scratch file");
        path.to_str().expect("a plain path").to_string()
    };
    let middle = bytes.len() / 2;
    refused(&[&model, "--resume", &damaged("flipped", &|it| it[middle] ^= 1)], "is damaged or incomplete");
    refused(&[&model, "--resume", &damaged("cut", &|it| it.truncate(middle))], "is damaged or incomplete");
    refused(&[&model, "--resume", &damaged("end", &|it| it.truncate(it.len() - 1))], "is damaged or incomplete");
    refused(&[&model, "--resume", &damaged("empty", &Vec::clear)], "is not a checkpoint");
    refused(&[&model, "--resume", &damaged("format", &|it| it[8] = 77)], "was written by another version");
    assert_eq!(run(&[&model, "--resume", checkpoint]).status.code(), Some(0));
}

#[test]
fn contradictory_options_are_refused() {
    refused(&["a.pml", "--every", "1s"], "`--every` is about");
    refused(&["a.pml", "--checkpoint", "c", "--every", "0s"], "expected a time");
    refused(&["a.pml", "--checkpoint", "c", "--engine", "reference"], "checkpoints are taken by the explicit engine");
    refused(&["a.pml", "--resume", "c", "--search", "dfs"], "checkpoints are taken by the explicit engine");
    refused(&["a.pml", "--checkpoint", "c", "--store", "bitstate", "--passes", "2"], "a checkpoint is of one pass");
    let model = write(&scratch("only"), "p.pml", "byte x; active proctype P() { x = 1 } ltl p { <> (x == 1) }");
    refused(&[&model, "--checkpoint", &model, "--only", "p"], "which `--only` leaves out");
    assert!(Path::new(&model).exists());
}

/// `prom check` where no file can be larger than so many blocks of 512 bytes: a disk that is nearly full.
fn on_a_small_disk(blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" check --reduction none \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_prom")]).args(arguments).output().expect("sh runs")
}

#[test]
fn a_full_disk_at_the_start_is_an_error() {
    let directory = scratch("full-at-the-start");
    let model = write(&directory, "counters.pml", &format!("#define N 3\n{COUNTERS}"));
    let checkpoint = directory.join("c");
    let output = on_a_small_disk(0, &[&model, "--checkpoint", checkpoint.to_str().expect("a plain path")]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
    assert!(text(&output.stderr).contains("no checkpoint can be written to"), "{}", text(&output.stderr));
    assert_eq!(fs::read_dir(&directory).expect("a directory").count(), 1, "nothing is left behind");
}

#[test]
fn a_full_disk_later_is_a_warning_and_the_last_checkpoint_stays() {
    let directory = scratch("full-later");
    let model = write(&directory, "counters.pml", &format!("#define N 6\n{COUNTERS}"));
    let checkpoint = directory.join("c");
    let name = checkpoint.to_str().expect("a plain path");
    let whole = answer(&run(&[&model, "--format", "json"]));
    let output = on_a_small_disk(64, &[&model, "--format", "json", "--checkpoint", name, "--every", "20ms"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(answer(&output), whole);
    let warning = "warning: the checkpoint cannot be written: ";
    assert!(text(&output.stderr).contains(warning), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("the search goes on, and the one before stays"));
    let output = on_a_small_disk(64, &[&model, "--checkpoint", name, "--max-depth", "20"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains(warning) && checkpoint.exists());
    assert_eq!(answer(&run(&[&model, "--format", "json", "--resume", name])), whole, "from the beginning again");
}
