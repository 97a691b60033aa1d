//! Swarms from outside: what they say, how they end, and that nobody is left behind.
#![cfg(unix)]
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

const CLEAN: &str =
    "byte v[3]; active [3] proctype P() { do :: v[_pid] < 9 -> v[_pid]++ :: v[_pid] == 9 -> v[_pid] = 0 od }";
const FAULTY: &str = "byte v[3]; active [3] proctype P() { do :: v[_pid] < 9 -> v[_pid]++ od }
active proctype W() { v[0] == 9 && v[1] == 8 && v[2] == 9 -> assert(v[0] != 9) }";
const ENDLESS: &str = "int x, y; active [2] proctype P() { do :: x++ :: y++ :: x != y -> y = x od }";

fn file(name: &str, content: &str) -> String {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("swarm");
    fs::create_dir_all(&directory).expect("a directory for scratch files");
    let path = directory.join(name);
    fs::write(&path, content).expect("a scratch file");
    path.to_str().expect("a plain path").into()
}

fn prom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prom")).args(arguments).output().expect("prom runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

/// Exit code 2, nothing on standard output, and these words.
#[track_caller]
fn refused(arguments: &[&str], words: &str) {
    let output = prom(arguments);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
}

/// Processes whose command line has this word, where the system tells.
fn processes_with(word: &str) -> usize {
    let Ok(entries) = fs::read_dir("/proc") else { return 0 };
    let line = |entry: std::io::Result<fs::DirEntry>| fs::read(entry.ok()?.path().join("cmdline")).ok();
    entries.filter_map(line).filter(|it| String::from_utf8_lossy(it).contains(word)).count()
}

#[test]
fn a_violation_is_found_and_shown_as_usual() {
    let model = file("faulty.pml", FAULTY);
    let options = ["--swarm", "4", "--memory", "256M", "--time", "60s", "--threads", "2", "--no-end-states"];
    let output = prom(&[&["check", &model], &options[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}{}", text(&output.stdout), text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("safety is VIOLATED: assertion violated: v[0] != 9"), "{shown}");
    assert!(shown.contains("How to get there") && shown.contains("The members of the swarm:"), "{shown}");
    let output = prom(&[&["check", &model, "--format", "json"], &options[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    let json = json(&output);
    let exact = prom(&["check", &model, "--format", "json", "--no-end-states"]);
    assert_eq!(json["results"][0]["violations"].as_array().map(Vec::len), Some(1));
    assert_eq!(exact.status.code(), Some(1));
    assert!(json["swarm"].as_array().is_some_and(|it| it.iter().any(|it| it["verdict"] == "violated")));
    assert_eq!(processes_with(&model), 0, "nobody is left behind");
}

#[test]
fn a_swarm_that_finds_nothing_never_says_that_a_property_holds() {
    let model = file("clean.pml", CLEAN);
    let output = prom(&["check", &model, "--swarm", "7", "--reduction", "none", "--memory", "64M", "--format", "json"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let json = json(&output);
    let result = &json["results"][0];
    assert_eq!((&json["tool"], &result["verdict"]), (&"promenade".into(), &"unknown".into()));
    assert_eq!((&result["store"], &result["property"]), (&"bitstate".into(), &"safety".into()));
    assert!(result["why"].as_str().is_some_and(|it| it.starts_with("7 searches found no violation")));
    let members = json["swarm"].as_array().expect("members");
    assert_eq!(members.len(), 7);
    assert!(members.iter().all(|it| it["states"].as_u64() > Some(7000) && it["verdict"] == "unknown"), "{members:?}");
    let coverage = result["expected_coverage"].as_f64().expect("an estimate");
    assert!(members.iter().all(|it| it["expected_coverage"].as_f64() <= Some(coverage)) && coverage <= 1.0);
    let names: Vec<_> = members.iter().map(|it| it["name"].as_str()).collect();
    assert!((0..7).all(|row| !names[row + 1..].contains(&names[row])), "all differ: {names:?}");
}

#[test]
fn time_is_shared_by_all_members() {
    let model = file("time.pml", ENDLESS);
    let began = std::time::Instant::now();
    let output = prom(&["check", &model, "--swarm", "4", "--threads", "2", "--memory", "256M", "--time", "1s"]);
    assert_eq!(output.status.code(), Some(3), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(began.elapsed() < Duration::from_secs(20), "two rounds of half a second, and some");
    assert!(text(&output.stdout).contains("--time 500ms"), "{}", text(&output.stdout));
}

#[test]
fn commands_can_be_run_elsewhere_and_their_reports_merged() {
    for (name, content, code) in [("else-clean.pml", CLEAN, 3), ("else-faulty.pml", FAULTY, 1)] {
        let model = file(name, content);
        let arguments = ["check", &model, "--swarm=3", "--print-commands", "--memory", "64M", "--no-end-states"];
        let output = prom(&arguments);
        assert_eq!(output.status.code(), Some(0));
        let commands: Vec<&str> = text(&output.stdout).lines().collect();
        assert_eq!(commands.len(), 3);
        let mut files = Vec::new();
        for (row, command) in commands.iter().enumerate() {
            let words: Vec<&str> = command.split(' ').collect();
            assert_eq!(words[0], "prom");
            let output = prom(&words[1..]);
            files.push(file(&format!("{name}-{row}.json"), text(&output.stdout)));
        }
        let files: Vec<&str> = files.iter().map(|it| &**it).collect();
        let output = prom(&[&["merge"], &files[..]].concat());
        assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
        let merged = json(&prom(&[&["merge", "--format", "json"], &files[..]].concat()));
        assert_eq!(merged["swarm"].as_array().map(Vec::len), Some(3));
    }
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let (clean, other) = (file("merge-a.pml", CLEAN), file("merge-b.pml", FAULTY));
    let report = |model: &str, store: &str| {
        let output = prom(&["check", model, "--store", store, "--memory", "64M", "--format", "json"]);
        file(&format!("merge-{store}-{}.json", model.len() + model.matches('b').count()), text(&output.stdout))
    };
    let (bits, exact) = (report(&clean, "bitstate"), report(&clean, "exact"));
    let of_other = report(&other, "bitstate");
    refused(&["merge", &bits, &of_other], "is about another model");
    refused(&["merge", &exact], "says that a property holds");
    refused(&["merge", &clean], "cannot be merged: it is not JSON");
    refused(&["merge", "/no/such/file.json"], "cannot be read");
    refused(&["merge"], "<FILES>");
}

#[test]
fn what_a_swarm_cannot_be_is_refused() {
    refused(&["check", "a.pml", "--swarm", "0"], "`--swarm 0` leaves nobody");
    refused(&["check", "a.pml", "--swarm", "-3"], "-3");
    refused(&["check", "a.pml", "--swarm", "4", "--store", "exact"], "have bitstate stores");
    refused(&["check", "a.pml", "--swarm", "4", "--store", "tree"], "have bitstate stores");
    refused(&["check", "a.pml", "--swarm", "4", "--engine", "reference"], "have the explicit engine");
    refused(&["check", "a.pml", "--swarm", "4", "--threads", "0"], "`--threads 0` leaves nobody");
    refused(&["check", "a.pml", "--swarm", "4", "--store", "bitstate", "--passes", "2"], "exclude each other");
    refused(&["check", "a.pml", "--swarm", "4", "--store", "bitstate", "--hashes", "2"], "choose their `--hashes`");
    refused(&["check", "a.pml", "--swarm", "4", "--checkpoint", "c"], "takes no checkpoints");
    refused(&["check", "a.pml", "--swarm", "40", "--memory", "64K"], "each member of a swarm needs 64K");
    refused(&["check", "a.pml", "--swarm", "4", "--hashes", "2"], "choose their `--hashes`");
    refused(&["check", "-", "--swarm", "4"], "cannot share standard input");
    refused(&["check", "a.pml", "--print-commands"], "is about `--swarm`");
    refused(&["check", "/no/such/model.pml", "--swarm", "4"], "there is no file");
    let wrong = file("wrong.pml", "byte x; active proctype P() { x = ; }");
    refused(&["check", &wrong, "--swarm", "4"], "wrong.pml:1:35");
}

#[test]
fn an_interrupted_swarm_leaves_nobody_behind() {
    let model = file("interrupted.pml", ENDLESS);
    let mut command = Command::new(env!("CARGO_BIN_EXE_prom"));
    let command = command.args(["check", &model, "--swarm", "5", "--threads", "2", "--memory", "256M"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("prom runs");
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130), "{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(processes_with(&model), 0);
}
