//! The command `lts`, run as users run it.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("prom-lts-{}-{name}", std::process::id()))
}

fn prom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prom")).arg("lts").args(arguments).output().expect("the program")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a name")
}

#[test]
fn the_graph_of_a_model_has_the_states_of_the_reference() {
    for (name, states) in [("peterson.pml", 58), ("dekker.pml", 0), ("alternating_bit.pml", 0)] {
        let model = example(name);
        let checked = Command::new(env!("CARGO_BIN_EXE_prom"))
            .args([
                "check",
                text(&model),
                "--engine",
                "reference",
                "--no-optimize",
                "--only",
                "safety",
                "--format",
                "json",
            ])
            .output()
            .expect("the program");
        let report: serde_json::Value = serde_json::from_slice(&checked.stdout).expect("JSON");
        let result = &report["results"][0];
        let (expected, transitions) = (result["states"].as_u64(), result["transitions"].as_u64());
        assert!(states == 0 || expected == Some(states), "{name}");
        let out = prom(&[text(&model), "-o", "-"]);
        let written = String::from_utf8(out.stdout).expect("text");
        let header = format!("des (0,{},{})", transitions.expect("a number") - 1, expected.expect("a number"));
        assert_eq!(written.lines().next(), Some(&*header), "{name}");
        assert_eq!(written.lines().count() as u64, transitions.expect("a number"), "{name}");
    }
}

#[test]
fn a_minimised_model_is_equivalent_to_itself_and_smaller() {
    let (model, small) = (example("peterson.pml"), scratch("small.aut"));
    let out = prom(&[text(&model), "--minimise", "strong", "-o", text(&small)]);
    assert_eq!(out.status.code(), Some(0));
    let written = std::fs::read_to_string(&small).expect("a file");
    assert!(written.starts_with("des (0,86,49)\n"), "{written}");
    let out = prom(&[text(&small), "--equivalent", text(&model)]);
    assert_eq!((out.status.code(), &*out.stdout), (Some(0), &b"equivalent (strong)\n"[..]));
    let out = prom(&[text(&small), "--equivalent", text(&example("dekker.pml"))]);
    assert_eq!(out.status.code(), Some(1));
    std::fs::remove_file(small).expect("a file");
}

#[test]
fn a_wrong_file_is_shown_with_its_line() {
    let file = scratch("wrong.aut");
    std::fs::write(&file, "des (0,1,2)\n\n(0,\"a,1)\n").expect("room");
    let out = prom(&[text(&file)]);
    let said = String::from_utf8(out.stderr).expect("text");
    assert_eq!(out.status.code(), Some(2));
    assert!(
        said.contains("wrong.aut:3:4") && said.contains(" 3 | (0,\"a,1)") && said.contains("closing quote"),
        "{said}"
    );
    std::fs::remove_file(file).expect("a file");
}

#[test]
fn a_limit_is_not_an_answer() {
    let file = scratch("unwritten.aut");
    let out = prom(&[text(&example("leader_election.pml")), "--memory", "1K", "-o", text(&file)]);
    assert_eq!(out.status.code(), Some(3), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(!file.exists());
}
