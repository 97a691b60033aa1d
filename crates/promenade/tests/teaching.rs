//! Explanations, warnings, completions and the manual page.
use std::process::{Command, Output};

fn prom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prom")).args(arguments).output().expect("prom runs")
}

fn out(arguments: &[&str]) -> String {
    String::from_utf8(prom(arguments).stdout).expect("text")
}

/// A model in a folder of its own.
fn model(name: &str, text: &str) -> String {
    let file = std::env::temp_dir().join(format!("prom-teaching-{}-{name}.pml", std::process::id()));
    std::fs::write(&file, text).expect("a place for a model");
    file.display().to_string()
}

#[test]
fn a_code_is_explained_with_a_wrong_and_a_right_example() {
    let page = out(&["explain", "unknown-name"]);
    assert!(page.contains("Wrong:") && page.contains("Right:"), "{page}");
    let list = out(&["explain", "--list"]);
    let rows = list.lines().filter(|it| it.starts_with("unknown-name ") || it.starts_with("blocking-choice "));
    assert_eq!(rows.count(), 2, "{list}");
}

#[test]
fn a_code_that_nobody_knows_is_refused_with_the_nearest() {
    let refused = prom(&["explain", "unknown-nam"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("did you mean `unknown-name`?"));
}

#[test]
fn warnings_change_neither_report_nor_exit_code_and_can_be_silenced() {
    let file = model("silent", "byte x;\nactive proctype P() { x = 1 }\n");
    let run = |more: &[&str]| prom(&[&["check", &file, "--format", "spin"], more].concat());
    let (with, without) = (run(&[]), run(&["--no-warnings"]));
    assert!(String::from_utf8_lossy(&with.stderr).contains("warning[never-read]"));
    assert!(without.stderr.is_empty(), "{}", String::from_utf8_lossy(&without.stderr));
    assert_eq!((with.status.code(), without.status.code()), (Some(0), Some(0)));
    let counts = |it: &Output| {
        let text = String::from_utf8_lossy(&it.stdout).into_owned();
        text.lines().filter(|it| it.contains("states, stored")).map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(counts(&with), counts(&without));
    assert_eq!(counts(&with).len(), 1);
    let json = prom(&["check", &file, "--format", "json"]);
    serde_json::from_slice::<serde_json::Value>(&json.stdout).expect("one object, with nothing beside it");
    std::fs::remove_file(file).expect("the model");
}

#[test]
fn completions_and_the_manual_page_know_every_command() {
    let man = out(&["man"]);
    for command in ["check", "replay", "explain", "completions"] {
        assert!(man.contains(&format!("COMMAND {}", command.to_uppercase())), "{command}");
        for shell in ["bash", "zsh", "fish"] {
            assert!(out(&["completions", shell]).contains(command), "{shell}: {command}");
        }
    }
    assert!(man.contains("all\\-errors"), "{man}");
}
