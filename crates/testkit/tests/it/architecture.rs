//! ARCHITECTURE.md is true: its crate graph is that of the manifests, and the language stays in the front end.
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).expect("the crates");
    let names = entries.map(|entry| entry.expect("a folder").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| manifest(name).exists()).collect();
    names.sort();
    names
}

fn manifest(name: &str) -> PathBuf {
    root().join("crates").join(name).join("Cargo.toml")
}

/// The workspace crates that a manifest names under `[dependencies]`.
fn dependencies(manifest: &str, names: &[String]) -> Vec<String> {
    let section = manifest.split("[dependencies]").nth(1).unwrap_or("").split("\n[").next().unwrap_or("");
    let keys = section.lines().filter_map(|line| line.split(['=', '.']).next()).map(str::trim);
    let mut used: Vec<String> = keys.filter(|key| names.iter().any(|name| name == key)).map(str::to_string).collect();
    used.sort();
    used
}

/// One line per crate: `name -> the workspace crates it uses`.
fn graph() -> String {
    let names = crates();
    let line = |name: &String| {
        let text = fs::read_to_string(manifest(name)).expect("a manifest");
        format!("{name} -> {}", dependencies(&text, &names).join(" ")).trim_end().to_string()
    };
    names.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_crate_graph_in_the_document_is_the_one_in_the_manifests() {
    let document = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    assert!(document.contains(&graph()), "ARCHITECTURE.md should contain\n{}", graph());
}

#[test]
fn no_source_language_is_named_behind_the_front_end() {
    for name in ["model", "engine", "engine-explicit", "certify"] {
        let mut folders = vec![root().join("crates").join(name).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a source folder") {
                let path = entry.expect("a file").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let text = fs::read_to_string(&path).expect("a source file").to_lowercase();
                    assert!(!text.contains("promela"), "{} names a source language", path.display());
                }
            }
        }
    }
}

#[test]
fn a_new_arrow_would_be_noticed() {
    let names = ["text".to_string(), "model".to_string()];
    assert_eq!(
        dependencies("[dependencies]\ntext = { workspace = true }\nserde = \"1\"\n\n[lints]\nmodel = 1", &names),
        ["text"]
    );
}
