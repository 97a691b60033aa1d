//! The commands of the manual are run: all chapters in `docs/manual`, whoever wrote them.
//!
//! * `promela file=NAME`, or another language, is a file for the commands of its chapter.
//! * `console` has commands after `$` and what they show; each line that is shown must be there in this order, and `…` stands for
//!   any lines. Every other line must be the next one.
//! * `sh` has commands about the examples, or about files that only the reader has, for which there are others here. They are run, too, and
//!   must not be refused; what they show is not looked at.
//! * Other blocks are shown only.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual")
}

fn chapters() -> Vec<(String, String)> {
    let entries = fs::read_dir(folder()).expect("the manual").map(|it| it.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.filter(|it| it.extension().is_some_and(|it| it == "md")).collect();
    files.sort();
    let read = |it: PathBuf| {
        let name = it.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(it).expect("a text"))
    };
    files.into_iter().map(read).collect()
}

/// The blocks of a chapter: the words after the fence, and the text.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let parts = text.split("\n```").skip(1).step_by(2);
    parts.map(|it| it.split_once('\n').unwrap_or((it, ""))).collect()
}

/// Runs a command of the manual in a folder, as a shell would.
fn run(command: &str, place: &Path) -> Output {
    let prom = Path::new(env!("CARGO_BIN_EXE_prom")).parent().expect("a folder").display().to_string();
    let path = format!("{prom}:{}", std::env::var("PATH").unwrap_or_default());
    Command::new("sh").args(["-c", command]).current_dir(place).env("PATH", path).output().expect("a shell")
}

/// Whether lines are as a block shows them; a line of `…` stands for any.
fn shows(expected: &[&str], got: &[&str]) -> bool {
    match expected {
        [] => got.is_empty(),
        ["…", rest @ ..] => (0..=got.len()).any(|skip| shows(rest, &got[skip..])),
        [first, rest @ ..] => got.first() == Some(first) && shows(rest, &got[1..]),
    }
}

/// What is wrong with the commands of a block.
fn console(block: &str, place: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    for part in format!("\n{block}").split("\n$ ").skip(1) {
        let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
        let output = run(command, place);
        let got = String::from_utf8_lossy(&output.stdout).into_owned();
        let (expected, lines): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), got.lines().collect());
        if !shows(&expected, &lines) {
            complaints.push(format!("$ {command}\n{got}{}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    complaints
}

#[test]
fn every_command_of_the_manual_does_what_it_says() {
    let (mut complaints, mut commands) = (Vec::new(), 0);
    for (name, text) in chapters() {
        let place = std::env::temp_dir().join(format!("prom-manual-{}-{name}", std::process::id()));
        fs::create_dir_all(&place).expect("a place");
        for (words, block) in blocks(&text) {
            if let Some((_, file)) = words.split_once(" file=") {
                fs::write(place.join(file), block).expect("a file");
            } else if words == "console" {
                commands += block.matches("$ ").count();
                complaints.extend(console(block, &place).into_iter().map(|it| format!("{name}: {it}")));
            }
        }
        fs::remove_dir_all(place).expect("the place");
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(commands >= 6, "only {commands} commands were run");
}

/// Files that stand for those of the reader.
const STAND_INS: [(&str, &str); 6] = [
    ("model.pml", MODEL),
    ("big.pml", MODEL),
    ("huge.pml", MODEL),
    ("worst.pml", MODEL),
    ("formula.ltl", "[] (request -> <> granted)"),
    ("often.ltl", "[] <> granted"),
];

const MODEL: &str = "bool request, granted, home = true;
active proctype P() { do :: request = !request; granted = request; home = !home od }
active proctype Q() { assert(home) }
ltl answered { [] (request -> <> granted) }
ctl back { AG EF home }
";

/// A place with everything that commands of a chapter may speak of.
fn furnished(name: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("prom-manual-{}-sh-{name}", std::process::id()));
    fs::create_dir_all(&place).expect("a place");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").canonicalize().expect("examples");
    let linked = run(&format!("ln -s {} examples", examples.display()), &place);
    assert!(linked.status.success());
    STAND_INS.iter().for_each(|(file, text)| fs::write(place.join(file), text).expect("a file"));
    fs::write(place.join("claim.pml"), "never { do :: granted -> break :: true od }").expect("a file");
    let report = run("prom check model.pml --store bitstate --memory 1M --format json > member.json", &place);
    assert_ne!(report.status.code(), Some(2), "{}", String::from_utf8_lossy(&report.stderr));
    place
}

/// Whether a line is a command of ours. A checkpoint is there only after a search that was stopped.
fn is_ours(line: &str) -> bool {
    (line.starts_with("prom ") || line.contains("| prom ")) && !line.contains("--resume")
}

#[test]
fn every_command_that_the_manual_mentions_is_accepted() {
    let mut commands = 0;
    for (name, text) in chapters() {
        let lines: Vec<&str> =
            blocks(&text).into_iter().filter(|it| it.0 == "sh").flat_map(|it| it.1.lines()).collect();
        if lines.is_empty() {
            continue;
        }
        let place = furnished(&name);
        for line in lines.into_iter().filter(|it| is_ours(it)) {
            commands += 1;
            let output = run(line, &place);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{name}: {line}\n{said}");
        }
        fs::remove_dir_all(place).expect("the place");
    }
    assert!(commands >= 30, "only {commands}");
}

#[test]
fn no_command_stands_outside_a_block() {
    for (name, text) in chapters() {
        let outside = text.split("\n```").step_by(2).flat_map(str::lines).find(|it| it.starts_with("    prom "));
        assert_eq!(outside, None, "{name}");
    }
}

#[test]
fn links_lead_somewhere_and_every_chapter_is_in_the_summary() {
    let chapters = chapters();
    let summary = &chapters.iter().find(|it| it.0 == "SUMMARY.md").expect("a summary").1;
    for (name, text) in &chapters {
        assert!(name == "SUMMARY.md" || summary.contains(&format!("]({name})")), "{name} is not in SUMMARY.md");
        for link in text.split("](").skip(1).filter_map(|it| it.split(')').next()) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            if file.starts_with("http") {
                continue;
            }
            let target = if file.is_empty() { folder().join(name) } else { folder().join(file) };
            let there = fs::read_to_string(&target).unwrap_or_else(|_| panic!("{name}: {link} leads nowhere"));
            let headings = there.lines().filter(|it| it.starts_with('#')).map(slug);
            assert!(anchor.is_empty() || headings.into_iter().any(|it| it == anchor), "{name}: no heading for {link}");
        }
    }
}

/// The anchor of a heading.
fn slug(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    kept.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it)).collect::<String>().replace(' ', "-")
}

#[test]
fn what_is_not_shown_is_noticed() {
    assert!(shows(&["a", "…", "c"], &["a", "b", "c"]));
    assert!(!shows(&["a", "c"], &["a", "b", "c"]));
    assert!(!shows(&["a", "…", "d"], &["a", "b", "c"]));
}
