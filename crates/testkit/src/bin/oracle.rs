//! Looks at one model by hand.
//!
//! `oracle show SEED` prints a random model; `oracle compare SEED|FILE…` prints our answer and that of
//! an installed SPIN; `oracle survey FROM TO` prints SPIN's answers about random models; `oracle crosscheck FROM TO` and
//! `oracle crosscheck FILE…` compare the compiled steps of random models or of files with the reference.
use std::path::Path;

use testkit::compare::compare;
use testkit::run::{self, Budget};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let spin = || testkit::spin::Spin::find().expect("an installed SPIN");
    match words[..] {
        ["show", seed] => print!("{}", testkit::random::model(seed.parse().expect("a number")).text()),
        ["compare", ref what @ ..] => {
            let spin = spin();
            for what in what {
                let (ours, theirs) = match what.parse() {
                    Ok(seed) => {
                        let text = testkit::random::model(seed).text();
                        (run::text(&text, Budget::default()), spin.ask(&text))
                    }
                    Err(_) => (run::file(Path::new(what), Budget::default()), spin.ask_file(Path::new(what))),
                };
                println!("{what}: {:?}\n  ours: {}\n  SPIN: {theirs:?}", compare(&ours, &theirs), ours.short());
            }
        }
        ["crosscheck", from, to] => {
            for seed in from.parse::<u64>().expect("a number")..to.parse().expect("a number") {
                let text = testkit::random::model(seed).text();
                let Some(model) = run::model(&text) else { continue };
                println!("{seed} {}", shown(engine_explicit::crosscheck(&model, 20_000)));
            }
        }
        ["crosscheck", ref files @ ..] => {
            for file in files {
                let Some(model) = run::model_of(Path::new(file)) else { continue };
                println!("{file} {}", shown(engine_explicit::crosscheck(&model, 20_000)));
            }
        }
        ["survey", from, to] => {
            let spin = spin();
            for seed in from.parse::<u64>().expect("a number")..to.parse().expect("a number") {
                println!("{seed} {:?}", spin.ask(&testkit::random::model(seed).text()));
            }
        }
        _ => eprintln!(
            "oracle show SEED | crosscheck FROM TO | crosscheck FILE… | oracle show SEED | compare SEED|FILE… | survey FROM TO"
        ),
    }
}

fn shown(result: Result<engine_explicit::Compared, String>) -> String {
    match result {
        Ok(compared) => format!("same: {} states, {} left", compared.states, compared.left),
        Err(text) => format!("DIFFERENT {text}"),
    }
}
