//! What the pages about codes say is true.
use front_gcl::{PAGES, compile};
use text::{Sources, pages};

/// What no small text reaches.
const TOO_LARGE_TO_SHOW: [&str; 4] = ["parameter", "too-large", "too-many-values", "too-many-ways"];

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
    for page in pages(PAGES).into_iter().filter(|it| !TOO_LARGE_TO_SHOW.contains(&it.code)) {
        let examples = page.examples();
        assert!(examples.iter().any(|it| it.wrong) && examples.iter().any(|it| !it.wrong), "{}", page.code);
        for it in examples {
            tried += 1;
            let expected = if it.wrong { vec![page.code] } else { Vec::new() };
            let got = codes(it.text);
            if got != expected {
                complaints.push(format!("{}: {got:?} for\n{}", page.code, it.text));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(tried >= 40, "only {tried} examples");
}
