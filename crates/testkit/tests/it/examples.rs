//! The models in `examples/`: what their headers say is true.
use std::fs;
use std::path::{Path, PathBuf};

use front_promela::Options;
use testkit::corpus::workspace;
use testkit::literate::Case;
use testkit::run::{self, Answer, Budget, Outcome};

/// How many states an example may have: enough to be worth a check, few enough to be quick.
const STATES: std::ops::RangeInclusive<u64> = 50..=50_000;

/// What a header says.
struct Header {
    /// States of the model that holds.
    states: u64,
    /// The kind of violation with `-D BROKEN`.
    breaks: String,
    /// The command lines.
    commands: Vec<String>,
}

impl Header {
    fn of(text: &str) -> Option<Header> {
        let comment = text.strip_prefix("/*")?.split("*/").next()?;
        let in_parentheses = |word: &str| {
            let after = comment.split(&format!(" * {word} (")).nth(1)?;
            after.split(')').next()
        };
        Some(Header {
            states: in_parentheses("Holds")?.strip_suffix(" states")?.replace(',', "").parse().ok()?,
            breaks: in_parentheses("Breaks")?.to_string(),
            commands: comment.lines().filter_map(|line| line.strip_prefix(" *   ")).map(ToString::to_string).collect(),
        })
    }
}

fn examples() -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(workspace().join("examples")).expect("a folder with examples");
    let mut files: Vec<PathBuf> = entries.flatten().map(|it| it.path()).filter(|it| it.is_file()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("a text"))).collect()
}

fn header(path: &Path, text: &str) -> Header {
    Header::of(text).unwrap_or_else(|| panic!("{}: the header does not say what holds and what breaks", path.display()))
}

fn check(path: &Path, defines: &[&str]) -> Answer {
    let mut options = Options::default();
    options.preprocess.defines = defines.iter().map(|name| (name.to_string(), "1".to_string())).collect();
    run::file_with(path, &options, Budget::default())
}

#[test]
fn there_are_at_least_twelve() {
    let names: Vec<_> = examples().into_iter().map(|it| it.0).collect();
    assert!(names.len() >= 12, "{names:?}");
    assert!(names.iter().all(|it| it.extension().is_some_and(|it| it == "pml")), "{names:?}");
}

#[test]
fn every_example_holds() {
    for (path, text) in examples() {
        let answer = check(&path, &[]);
        assert_eq!(answer.verdict, Outcome::Holds, "{}: {}", path.display(), answer.short());
        assert!(answer.diagnostics.is_empty(), "{}: {:?}", path.display(), answer.diagnostics);
        assert_eq!(answer.states, header(&path, &text).states, "{}", path.display());
        assert!(STATES.contains(&answer.states), "{}: {} states", path.display(), answer.states);
    }
}

#[test]
fn every_example_can_be_broken_as_it_says() {
    for (path, text) in examples() {
        let defines = vec![("BROKEN".to_string(), "1".to_string())];
        let said = Case { model: text.clone(), defines, ..Case::default() }.run();
        let kind = header(&path, &text).breaks.replace("invalid-end-state", "invalid end state");
        let expected = format!("violated: {kind}, ");
        assert!(said.len() == 1 && said[0].starts_with(&expected), "{}: {said:?}", path.display());
    }
}

#[test]
fn the_commands_in_the_header_are_those_of_the_example() {
    for (path, text) in examples() {
        let name = path.strip_prefix(workspace()).unwrap_or(&path).display().to_string();
        let expected = vec![format!("prom check {name}"), format!("prom check -D BROKEN {name}")];
        assert_eq!(header(&path, &text).commands, expected, "{name}");
    }
}

#[test]
fn a_header_that_says_nothing_is_noticed() {
    assert!(Header::of("/*\n * A model.\n */\nbyte x;\n").is_none());
    assert!(Header::of("/*\n * Holds (many states): x.\n * Breaks (assertion): y.\n */\n").is_none());
    let header =
        Header::of("/*\n * Holds (1,234 states): x.\n * Breaks (assertion): y.\n *   prom check a\n */\n").unwrap();
    assert_eq!((header.states, &*header.breaks, header.commands.len()), (1234, "assertion", 1));
}
