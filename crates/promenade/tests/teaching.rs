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

/// The codes in the sources of a folder, tests left out.
fn codes_in(folder: &std::path::Path, codes: fn(&str) -> Vec<String>, found: &mut std::collections::BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path()) {
        if entry.is_dir() && !entry.ends_with("tests") {
            codes_in(&entry, codes, found);
        }
        if entry.extension().is_some_and(|it| it == "rs") && !entry.ends_with("tests.rs") {
            let text = std::fs::read_to_string(&entry).expect("a text");
            found.extend(codes(text.split("#[cfg(test)]").next().unwrap_or_default()));
        }
    }
}

/// Words with hyphens in quotes, and what stands first in a diagnostic.
fn codes_of(text: &str) -> Vec<String> {
    let is_code =
        |it: &str| it.split('-').all(|part| !part.is_empty() && part.bytes().all(|it| it.is_ascii_lowercase()));
    let quoted = text.split('"').skip(1).step_by(2).filter(|it| it.contains('-') && is_code(it));
    quoted.map(str::to_string).chain(said_first(text)).collect()
}

/// What stands first in a diagnostic.
fn said_first(text: &str) -> Vec<String> {
    let calls = ["Diagnostic::error(", "Diagnostic::warning(", "Diagnostic::global("].into_iter();
    let first = calls.flat_map(|call| text.split(call).skip(1)).filter_map(|it| it.trim_start().strip_prefix('"'));
    first.filter_map(|it| it.split('"').next()).map(str::to_string).collect()
}

#[test]
fn every_code_has_a_page() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut said = std::collections::BTreeSet::new();
    for name in ["front-promela", "front-gcl", "advice", "front-c", "extract"] {
        codes_in(&crates.join(name).join("src"), codes_of, &mut said);
    }
    // Elsewhere words with hyphens are more often something else.
    for name in ["abstraction", "export-smv", "promenade"] {
        codes_in(&crates.join(name).join("src"), said_first, &mut said);
    }
    let explained: std::collections::BTreeSet<String> =
        promenade::explanations().iter().map(|it| it.code.to_string()).collect();
    let missing: Vec<&String> = said.iter().filter(|it| !explained.contains(*it)).collect();
    assert_eq!(missing, Vec::<&String>::new());
    assert!(said.len() > 150, "only {} codes", said.len());
    assert_eq!(explained.len(), promenade::explanations().len(), "two pages about one code");
}

#[test]
fn a_code_is_found_wherever_it_stands() {
    let text = "self.error(\"new-code\", span, \"a sentence\"); Diagnostic::error(\n  \"type\", 1)";
    assert_eq!(codes_of(text), ["new-code", "type"]);
    assert_eq!(said_first(text), ["type"]);
}
