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

#[test]
fn examples_are_wrong_and_right_as_their_pages_say() {
    let (mut complaints, mut pages_read) = (Vec::new(), 0);
    for page in pages(PAGES) {
        pages_read += 1;
        let examples = page.examples();
        assert!(examples.iter().any(|it| it.wrong) && examples.iter().any(|it| !it.wrong), "{}", page.code);
        // Commands are run by the tests of `promenade`.
        for it in examples.into_iter().filter(|it| it.language != "sh") {
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
