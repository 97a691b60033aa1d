//! What the pages about codes say is true.
use front_gcl::{PAGES, compile};
use text::{Sources, pages};

fn codes(text: &str) -> Vec<&'static str> {
    let mut sources = Sources::default();
    let root = sources.add("page.gcl", text);
    let mut list: Vec<&str> = compile(&sources, root, &[], &[]).diagnostics.iter().map(|it| it.code).collect();
    list.dedup();
    list
}

#[test]
fn examples_are_wrong_and_right_as_their_pages_say() {
    let (mut complaints, mut tried) = (Vec::new(), 0);
    for page in pages(PAGES) {
        let examples = page.examples();
        assert!(examples.iter().any(|it| it.wrong) && examples.iter().any(|it| !it.wrong), "{}", page.code);
        // Commands are run by the tests of `promenade`.
        for it in examples.into_iter().filter(|it| it.language == "gcl") {
            tried += 1;
            let expected = if it.wrong { vec![page.code] } else { Vec::new() };
            let got = codes(it.text);
            if got != expected {
                complaints.push(format!("{}: {got:?} for\n{}", page.code, it.text));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(tried >= 54, "only {tried} examples");
}
