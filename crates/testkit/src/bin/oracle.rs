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
        ["time", file, store, threads] => {
            let model = run::model_of(Path::new(file)).expect("a model");
            let store = match store {
                "tree" => engine_explicit::StoreKind::Tree,
                "hash" => engine_explicit::StoreKind::HashCompact,
                "bit" => engine_explicit::StoreKind::Bitstate { bytes: 1 << 28, hashes: 3 },
                _ => engine_explicit::StoreKind::Exact,
            };
            let plan = engine_explicit::Plan { store, threads: threads.parse().expect("a number"), seed: 0 };
            let question = engine::Question { all_errors: true, ..engine::Question::default() };
            let limits = engine::Limits::default();
            let finding = engine_explicit::explicit(&model, &question, &limits, plan, &mut ());
            let it = &finding.statistics;
            let rate = it.transitions as f64 / it.elapsed.as_secs_f64() / 1e6;
            println!(
                "{file}: {} states {} transitions {} errors depth {} {} bytes {:?} {rate:.2} M/s {:.1} B/state",
                it.states,
                it.transitions,
                finding.errors,
                it.depth,
                it.state_bytes,
                it.elapsed,
                it.memory as f64 / it.states as f64
            );
        }
        ["expand", file] => {
            let model = run::model_of(Path::new(file)).expect("a model");
            let system = model::semantics::Semantics::new(&model);
            let mut steps = compiled::Steps::new(&system).ok().expect("steps");
            let mut seen = std::collections::HashSet::new();
            let mut all = steps.buffer();
            let mut words = Vec::new();
            steps.pack(&system.initial().ok().expect("a start"), &mut words);
            seen.insert(words.clone());
            all.push(&words);
            let mut out = steps.buffer();
            let mut row = 0;
            while row < all.len() && all.len() < 300_000 {
                out.clear();
                let _ = steps.successors(&all.get(row).to_vec(), &mut out);
                for it in 0..out.len() {
                    if seen.insert(out.get(it).to_vec()) {
                        all.push(out.get(it));
                    }
                }
                row += 1;
            }
            for _ in 0..9 {
                let began = std::time::Instant::now();
                let (mut transitions, mut troubles) = (0, 0);
                for row in 0..all.len() {
                    out.clear();
                    troubles += u64::from(steps.successors(all.get(row), &mut out).is_err());
                    transitions += out.len() as u64;
                }
                let time = began.elapsed().as_secs_f64();
                println!(
                    "{} states {transitions} transitions {troubles} troubles: {:.1} ns/state {:.1} ns/transition",
                    all.len(),
                    time * 1e9 / all.len() as f64,
                    time * 1e9 / transitions as f64
                );
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
