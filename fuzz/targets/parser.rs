//! Any text through lexer and parser, in either dialect. A tree without errors can be printed, and
//! what is printed is the same tree.
#![no_main]
use front_promela::parse::{Dialect, parse};
use front_promela::preprocess::Options;
use front_promela::{ast, lex, print};
use libfuzzer_sys::fuzz_target;
use promenade_fuzz::{files, show};
use text::{Diagnostic, Sources};

fuzz_target!(|input: &str| {
    for dialect in [Dialect::default(), Dialect::Pv] {
        let (tree, wrong) = read(input, dialect);
        let printed = print::tree(&tree);
        if wrong.is_empty() {
            let (again, wrong) = read(&printed, dialect);
            assert!(wrong.is_empty(), "what was printed is wrong:\n{printed}\n{wrong:?}");
            assert!(again == tree, "what was printed is another tree:\n{printed}\n{tree:#?}\n{again:#?}");
        }
    }
});

/// The tree of a text, and its errors.
fn read(text: &str, dialect: Dialect) -> (ast::Tree, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let (root, mut loader) = files(text, &mut sources);
    let (words, mut diagnostics) = lex::read(&mut sources, root, &Options::default(), &mut loader);
    let parsed = parse(&words, dialect);
    diagnostics.extend(parsed.diagnostics);
    show(&diagnostics, &sources);
    (parsed.tree, diagnostics.into_iter().filter(Diagnostic::is_error).collect())
}
