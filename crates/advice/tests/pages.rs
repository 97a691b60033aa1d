//! Every warning has a page, and what the page says is true.
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use front_promela::preprocess::{LoadError, Loader};
use front_promela::{Options, compile};
use text::{Sources, pages};

struct Nothing;

impl Loader for Nothing {
    fn load(&mut self, _: &Path) -> Result<String, LoadError> {
        Err(LoadError::NotFound)
    }
}

/// The codes of the warnings about a text in which nothing is wrong.
fn codes(text: &str) -> BTreeSet<&'static str> {
    let mut sources = Sources::default();
    let root = sources.add("page.pml", text);
    let compiled = compile(&mut sources, root, &Options::default(), &mut Nothing);
    let model = compiled.model.unwrap_or_else(|| panic!("{:?}\n{text}", compiled.diagnostics));
    advice::advice(&compiled.tree, &model).iter().map(|it| it.code).collect()
}

#[test]
fn examples_are_wrong_and_right_as_their_pages_say() {
    for page in pages(advice::PAGES) {
        let examples = page.examples();
        let (wrong, right): (Vec<text::Example>, Vec<text::Example>) = examples.into_iter().partition(|it| it.wrong);
        assert!(!wrong.is_empty() && !right.is_empty(), "{}: no example", page.code);
        for it in wrong {
            assert_eq!(codes(it.text), BTreeSet::from([page.code]), "{}:\n{}", page.code, it.text);
        }
        for it in right {
            assert_eq!(codes(it.text), BTreeSet::new(), "{}:\n{}", page.code, it.text);
        }
    }
}

#[test]
fn every_warning_of_the_source_has_a_page_and_every_page_a_warning() {
    let mut said = BTreeSet::new();
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).expect("the sources") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("a text");
        let calls = text.split("Diagnostic::warning(").skip(1);
        said.extend(calls.filter_map(|it| Some(it.trim_start().strip_prefix('"')?.split('"').next()?.to_string())));
        assert_eq!(text.matches("Diagnostic::warning(").count(), text.matches("Diagnostic::warning(\"").count());
    }
    let explained: BTreeSet<String> = pages(advice::PAGES).iter().map(|it| it.code.to_string()).collect();
    assert_eq!(said, explained);
    assert!(said.len() >= 11);
}

#[test]
fn what_is_meant_is_not_told_of() {
    let quiet = [
        // An option for larger models.
        "#define N 3\nbyte x; init { if :: x == 0 && N > 4 -> x = 1 :: x == 0 -> x = 2 fi; assert(x < 3) }",
        // Only these values are ever assigned.
        "byte x; init { byte y; if :: y = 2 :: y = 9 fi; if :: y == 2 -> x = 1 :: y == 9 -> x = 2 fi; assert(x < 3) }",
        // For those who look at a chart.
        "show byte x; init { x = 1 }",
    ];
    for text in quiet {
        assert_eq!(codes(text), BTreeSet::new(), "{text}");
    }
    let told = [
        (
            "byte x; init { byte y; if :: y = 2 :: y = 9 fi; if :: y == 2 -> x = 1 fi; assert(x < 3) }",
            "blocking-choice",
        ),
        ("byte x; init { if :: x > 300 -> x = 1 :: x == 0 -> x = 2 fi; assert(x < 3) }", "unreachable-option"),
        ("byte x; init { x = 1 }", "never-read"),
    ];
    for (text, code) in told {
        assert_eq!(codes(text), BTreeSet::from([code]), "{text}");
    }
}
