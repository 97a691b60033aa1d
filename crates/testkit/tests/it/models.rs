//! The protocols of our own stores, modelled in Promela (`docs/models`) and checked by the product itself.
use std::path::PathBuf;

use testkit::corpus::workspace;
use testkit::run::{self, Budget, Outcome};

/// The verdict about a model with a macro defined.
fn verdict(file: &str, define: Option<&str>) -> Outcome {
    let path: PathBuf = workspace().join("docs/models").join(file);
    let mut options = front_promela::Options::default();
    options.preprocess.defines.extend(define.map(|it| (it.to_string(), "1".to_string())));
    run::file_with(&path, &options, Budget::default()).verdict
}

#[test]
fn the_protocols_of_the_stores_are_right() {
    for file in ["plain-store.pml", "set64.pml", "halves.pml"] {
        assert_eq!(verdict(file, None), Outcome::Holds, "{file}");
    }
}

#[test]
fn protocols_that_are_wrong_are_found_out() {
    let broken = [
        ("plain-store.pml", "BROKEN"),
        ("plain-store.pml", "CARELESS"),
        ("set64.pml", "BROKEN"),
        ("halves.pml", "BROKEN"),
    ];
    for (file, define) in broken {
        assert_eq!(verdict(file, Some(define)), Outcome::Violated, "{file} with {define}");
    }
}
