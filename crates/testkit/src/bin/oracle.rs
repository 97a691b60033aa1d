//! Looks at one model by hand.
//!
//! `oracle show SEED` prints a random model; `oracle compare SEED|FILE…` prints our answer and that of
//! an installed SPIN; `oracle survey FROM TO` prints SPIN's answers about random models.
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
        ["survey", from, to] => {
            let spin = spin();
            for seed in from.parse::<u64>().expect("a number")..to.parse().expect("a number") {
                println!("{seed} {:?}", spin.ask(&testkit::random::model(seed).text()));
            }
        }
        _ => eprintln!("oracle show SEED | compare SEED|FILE… | survey FROM TO"),
    }
}
