//! What the pages about codes say is true.
use std::path::Path;

use front_promela::preprocess::{LoadError, Loader};
use front_promela::{Options, PAGES, compile};
use text::{Sources, pages};

struct Nothing;

impl Loader for Nothing {
    fn load(&mut self, _: &Path) -> Result<String, LoadError> {
        Err(LoadError::NotFound)
    }
}

fn codes(text: &str) -> Vec<&'static str> {
    let mut sources = Sources::default();
    let root = sources.add("page.pml", text);
    let compiled = compile(&mut sources, root, &Options::default(), &mut Nothing);
    let mut list: Vec<&str> = compiled.diagnostics.iter().map(|it| it.code).collect();
    list.dedup();
    list
}

/// Limits that no small text reaches, and what needs other files or another dialect.
const TOO_LARGE_TO_SHOW: [&str; 16] = [
    "expansion-limit",
    "include-cycle",
    "include-limit",
    "inline-too-deep",
    "model-too-large",
    "not-a-lock",
    "process-too-large",
    "record-too-large",
    "state-too-large",
    "temporal-operator",
    "too-deep",
    "too-many-channels",
    "too-many-names",
    "too-many-processes",
    "too-many-types",
    "unreadable-include",
];

#[test]
fn examples_are_wrong_and_right_as_their_pages_say() {
    let (mut complaints, mut pages_read) = (Vec::new(), 0);
    for page in pages(PAGES) {
        pages_read += 1;
        let examples = page.examples();
        if examples.is_empty() && TOO_LARGE_TO_SHOW.contains(&page.code) {
            continue;
        }
        assert!(examples.iter().any(|it| it.wrong) && examples.iter().any(|it| !it.wrong), "{}", page.code);
        for it in examples {
            let expected = if it.wrong { vec![page.code] } else { Vec::new() };
            let got = codes(it.text);
            if got != expected {
                complaints.push(format!("{}: {got:?} for\n{}", page.code, it.text));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(pages_read >= 120, "only {pages_read} pages");
}
