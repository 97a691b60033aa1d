//! Safety of models that are larger than there is room, and of their slices.
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Somebody counts to 250. The other two go through more states than there is room for, and neither ever waits or goes wrong.
fn model(assertion: &str) -> String {
    let noise = "{ byte x, y; do :: true -> if :: n > 100 && y < 250 -> y++ :: else -> y = 0 fi
        :: true -> if :: x < 250 -> x++ :: n < 9 -> x = y :: else -> x = 0 fi od }";
    format!(
        "byte n;\nactive proctype Counts() {{ do :: n < 250 -> n++ :: else -> break od; {assertion} }}\n\
         active proctype P() {noise}\nactive proctype Q() {noise}\nactive proctype Never() {{ n > 251 -> n = 0 }}\n"
    )
}

fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("slicing");
    fs::create_dir_all(&folder).expect("a folder for scratch files");
    let path = folder.join(name);
    fs::write(&path, text).expect("a scratch file");
    path.to_str().expect("a plain path").to_string()
}

/// What a run writes, and its exit code.
fn said(arguments: &[&str], code: i32) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_prom")).args(arguments).output().expect("prom runs");
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}{error}");
    out.into_owned()
}

/// The result of the first question.
fn result(arguments: &[&str], code: i32) -> serde_json::Value {
    let text = said(&[arguments, &["--format", "json"]].concat(), code);
    serde_json::from_str::<serde_json::Value>(&text).expect("json")["results"][0].clone()
}

const SMALL: [&str; 4] = ["--memory", "1M", "--threads", "1"];

#[test]
fn what_has_no_room_is_asked_of_the_slice_before_the_symbolic_engine() {
    let path = file("holds.pml", &model("assert(n == 250)"));
    for engine in ["auto", "explicit"] {
        let check = [&["check", &path, "--no-end-states", "--engine", engine], &SMALL[..]].concat();
        let it = result(&check, 0);
        assert_eq!((&it["verdict"], &it["engine"]), (&"holds".into(), &"explicit".into()), "{it}");
        assert_eq!(it["unreached"], serde_json::json!([]), "{it}");
        let because = it["engine_because"].as_str().expect("a reason");
        assert!(
            because.contains("had no room for more than") && because.contains("So the slice of the model"),
            "{because}"
        );
        assert!(because.ends_with("which statements are never reached is not known."), "{because}");
        let states = it["states"].as_u64().expect("a number");
        assert!(states < 10_000, "{it}");
        let text = said(&check, 0);
        assert!(text.contains("So the slice of the model was asked") && !text.contains("never reached:"), "{text}");
    }
}

#[test]
fn a_violation_of_the_slice_is_one_of_the_model() {
    let path = file("violated.pml", &model("assert(n != 250)"));
    let trace = file("violated.trace", "");
    let check = [&["check", &path, "--no-end-states", "--trace", &trace], &SMALL[..]].concat();
    let it = result(&check, 1);
    assert!(it["engine_because"].as_str().is_some_and(|it| it.contains("So the slice of the model")), "{it}");
    assert_eq!((&it["violations"][0]["kind"], &it["violations"][0]["line"]), (&"assertion".into(), &2.into()), "{it}");
    // It was replayed before it was shown, and can be again.
    assert!(said(&["replay", &path, &trace], 0).contains("assertion violated: n != 250"));
}

#[test]
fn without_slices_it_stays_unknown() {
    for assertion in ["assert(n == 250)", "assert(n != 250)"] {
        let path = file("off.pml", &model(assertion));
        let check =
            [&["check", &path, "--no-end-states", "--engine", "explicit", "--slice", "off"], &SMALL[..]].concat();
        let it = result(&check, 3);
        assert_eq!((&it["verdict"], &it["engine_because"]), (&"unknown".into(), &serde_json::Value::Null), "{it}");
    }
}

#[test]
fn nothing_holds_because_a_store_that_leaves_out_states_has_found_nothing_in_a_slice() {
    let path = file("lossy.pml", &model("assert(n == 250)"));
    let check = [&["check", &path, "--no-end-states", "--store", "hash-compact"], &SMALL[..]].concat();
    let it = result(&check, 3);
    assert_eq!(it["verdict"], "unknown", "{it}");
    assert!(it["engine_because"].as_str().is_some_and(|it| it.contains("was asked first, and has no answer")), "{it}");
}

#[test]
fn a_slice_that_has_no_room_either_leaves_the_answer_to_the_symbolic_engine() {
    let large = "{ byte x, y, z; do :: x++ :: y++ :: z++ :: x = y + z :: assert(x + y + z < 800) od }";
    let text = format!(
        "byte n;\nactive proctype L() {large}\nactive proctype M() {large}\n{}",
        &model("skip")["byte n;".len()..]
    );
    let path = file("large.pml", &text);
    let check = [&["check", &path, "--no-end-states", "--engine", "explicit"], &SMALL[..]].concat();
    let it = result(&check, 3);
    let because = it["engine_because"].as_str().expect("a reason");
    assert!(
        because.ends_with("The slice of the model was asked first, and has no answer: its memory was full."),
        "{because}"
    );
}

#[test]
fn who_does_not_see_what_is_never_reached_gets_the_slice_at_once() {
    let path = file("time.pml", &model("assert(n == 250)"));
    let check = ["check", &path, "--no-end-states", "--engine", "explicit", "--threads", "1", "--time", "1s"];
    let text = said(&check, 3);
    assert!(text.contains("`--slice full` searches less"), "{text}");
    for format in ["junit", "sarif"] {
        said(&[&check[..], &["--format", format]].concat(), 0);
        said(&[&check[..], &["--format", format, "--slice", "off"]].concat(), 3);
    }
}
