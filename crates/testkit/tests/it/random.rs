//! Random models: against SPIN where it is installed, against recorded answers, and against ourselves.
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use engine::Search;
use model::semantics::Semantics;
use testkit::compare::{Comparison, Difference, compare};
use testkit::json::{Json, quoted};
use testkit::kind::Kind;
use testkit::random::{Coverage, RandomModel, seeds};
use testkit::run::{self, Budget};
use testkit::spin::{Counts, Spin, SpinAnswer};
use testkit::{corpus, parallel, random, shrink};

/// What one random model may cost.
const BUDGET: Budget = Budget { states: 100_000, time: Duration::from_secs(20) };

/// Differences that are shrunk and shown; more of them are only counted.
const SHOWN: usize = 10;

/// `PROM_RANDOM=2000 cargo test -p testkit --test it random_models_agree_with_spin -- --nocapture`
///
/// `PROM_SEED` is the first seed; `MODEL_SEED=<n>` tries that one alone.
#[test]
fn random_models_agree_with_spin() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let count = number("PROM_RANDOM").unwrap_or(0);
    let seeds = seeds(number("PROM_SEED").unwrap_or(0), count);
    if seeds.is_empty() {
        println!("skipped: PROM_RANDOM says how many random models to compare with SPIN");
        return;
    }
    let Some(spin) = Spin::find() else {
        println!("skipped: SPIN is not installed");
        return;
    };
    let compared = parallel::map(&seeds, |&seed| {
        let model = random::model(seed);
        (Case::of(&model.text(), &spin), model)
    });
    let mut coverage = Coverage::default();
    let mut tally = BTreeMap::new();
    for (case, model) in &compared {
        *tally.entry(format!("{:?}", case.comparison)).or_insert(0) += 1;
        if !matches!(case.comparison, Comparison::Skipped(_)) {
            coverage.add(&model.used);
        }
    }
    println!(
        "{} random models (seeds {}..={}) against SPIN with {}:",
        seeds.len(),
        seeds[0],
        seeds[seeds.len() - 1],
        spin.compiler()
    );
    tally.iter().for_each(|(what, count)| println!("{count:>6} {what}"));
    println!("constructs in those that were compared:\n{}", coverage.table());
    let different = compared.iter().filter(|it| it.0.difference().is_some());
    let (shown, counted): (Vec<_>, Vec<_>) = different.enumerate().partition(|it| it.0 < SHOWN);
    let shown: Vec<_> = shown.into_iter().map(|it| it.1).collect();
    parallel::map(&shown, |(case, model)| explain(case, model, &spin)).iter().for_each(|it| println!("{it}"));
    if !counted.is_empty() {
        let seeds: Vec<u64> = counted.iter().map(|it| it.1.1.seed).collect();
        println!("not shown: MODEL_SEED in {seeds:?}");
    }
    assert!(shown.is_empty(), "{} of {} models differ", shown.len() + counted.len(), seeds.len());
}

/// Both answers about a text.
struct Case {
    ours: run::Answer,
    theirs: SpinAnswer,
    comparison: Comparison,
}

impl Case {
    fn of(text: &str, spin: &Spin) -> Case {
        let ours = run::text(text, BUDGET);
        let theirs = spin.ask(text);
        Case { comparison: compare(&ours, &theirs), ours, theirs }
    }

    fn difference(&self) -> Option<Difference> {
        match self.comparison {
            Comparison::Different(difference) => Some(difference),
            _ => None,
        }
    }
}

/// Looks for the smallest model that shows the same kind of difference.
fn explain(case: &Case, model: &RandomModel, spin: &Spin) -> String {
    let effort = shrink::Effort { time: Duration::from_secs(120), ..shrink::Effort::default() };
    let small = shrink::shrink(&model.tree, effort, &mut |tree| {
        let text = tree.print();
        // Shrinking a rejection must not end at something else that we reject.
        let codes =
            |answer: &run::Answer| answer.diagnostics.iter().filter(|it| it.is_error()).map(|it| it.code).next();
        let smaller = Case::of(&text, spin);
        smaller.difference() == case.difference() && codes(&smaller.ours) == codes(&case.ours)
    });
    let text = small.print();
    let Case { ours, theirs, comparison } = Case::of(&text, spin);
    let seed = model.seed;
    format!("---- MODEL_SEED={seed}: {comparison:?}\n{text}\nours: {}\nSPIN: {theirs:?}\n", ours.short())
}

// Recorded answers.

fn recorded_file() -> PathBuf {
    corpus::workspace().join("tests/oracle/spin-6.5.2/random.jsonl")
}

/// `PROM_RECORD=1 cargo test -p testkit --test it random_models_agree_with_recorded_answers` asks the
/// installed SPIN again; needed whenever the generator changes.
#[test]
fn random_models_agree_with_recorded_answers() {
    if std::env::var_os("PROM_RECORD").is_some() {
        record();
    }
    let text = fs::read_to_string(recorded_file()).expect("the recorded answers");
    let mut different = Vec::new();
    for record in text.lines().map(|line| Json::parse(line).expect("a record")) {
        let seed = record.number("seed").expect("a seed");
        let model = random::model(seed).text();
        let same = record.text("hash") == Some(&hash(&model));
        assert!(same, "the generator has changed (seed {seed}): record again with PROM_RECORD=1");
        let ours = run::text(&model, BUDGET);
        let comparison = compare(&ours, &SpinAnswer::Counts(counts_of(&record)));
        if !matches!(comparison, Comparison::SameCounts | Comparison::SameError) {
            different.push(format!("MODEL_SEED={seed}: {comparison:?}, ours {}, SPIN {record:?}", ours.short()));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

fn counts_of(record: &Json) -> Counts {
    let number = |name: &str| record.number(name).expect("a number");
    let kinds = record.text("errors in words").unwrap_or_default();
    let kinds = kinds.split(", ").filter(|it| !it.is_empty()).map(Kind::of_spin).collect();
    Counts { states: number("states"), transitions: number("transitions"), errors: number("errors"), kinds }
}

/// Kinds are recorded in the words in which pan reports them.
const WORDS: &[&str] = &[
    "invalid end state",
    "assertion violated - invalid array index",
    "assertion violated",
    "ref to uninitialized chan",
    "bad queue",
    "too many processes",
    "too few parameters",
    "error to poll rendezvous",
    "rv-attempt in d_step",
    "block in d_step seq",
    "non-determinism in D_proctype",
];

fn word_of_kind(kind: &Kind) -> Option<&'static str> {
    WORDS.iter().find(|word| Kind::of_spin(word) == *kind).copied()
}

/// FNV-1a, to notice that a text is not what it was.
fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// Writes SPIN's answers about the first 150 seeds from 1000 on that have between 10 and 3000 states.
fn record() {
    let spin = Spin::find().expect("an installed SPIN");
    let mut lines = String::new();
    let mut count = 0;
    for seed in 1000.. {
        let text = random::model(seed).text();
        let SpinAnswer::Counts(counts) = spin.ask(&text) else { continue };
        let words: Option<Vec<&str>> = counts.kinds.iter().map(word_of_kind).collect();
        let (true, Some(words)) = ((10..3000).contains(&counts.states), words) else { continue };
        let Counts { states, transitions, errors, .. } = counts;
        lines += &format!(
            "{{\"seed\": {seed}, \"hash\": {}, \"states\": {states}, \"transitions\": {transitions}, \"errors\": {errors}, \"errors in words\": {}}}\n",
            quoted(&hash(&text)),
            quoted(&words.join(", "))
        );
        count += 1;
        if count == 150 {
            break;
        }
    }
    fs::create_dir_all(recorded_file().parent().expect("a folder")).expect("a folder for the answers");
    fs::write(recorded_file(), lines).expect("a file for the answers");
}

// Ourselves.

/// How many random models the tests below use.
const MODELS: u64 = 150;

fn each_model(check: impl Fn(u64, &model::Model) + Sync) {
    parallel::map(&seeds(5000, MODELS), |&seed| {
        let text = random::model(seed).text();
        let (compiled, _) = run::compile_text(&text);
        let model =
            compiled.model.unwrap_or_else(|| panic!("MODEL_SEED={seed} is rejected: {:?}", compiled.diagnostics));
        check(seed, &model);
    });
}

#[test]
fn the_order_of_the_search_does_not_change_the_answer() {
    each_model(|seed, model| {
        let breadth = run::summary(&run::search(model, Search::Breadth, BUDGET));
        let depth = run::summary(&run::search(model, Search::Depth, BUDGET));
        if breadth.complete && depth.complete {
            assert_eq!(breadth.short(), depth.short(), "MODEL_SEED={seed}");
        }
    });
}

#[test]
fn every_violation_of_a_random_model_replays() {
    each_model(|seed, model| {
        for order in [Search::Breadth, Search::Depth] {
            let system = Semantics::new(model);
            for violation in run::search(model, order, BUDGET).violations {
                let replay = certify::replay(&system, &violation);
                assert!(replay.is_ok(), "MODEL_SEED={seed}, {order:?}: {:?} for {:?}", replay.err(), violation.kind);
            }
        }
    });
}

#[test]
fn printing_a_tree_and_reading_it_again_gives_the_same_tree() {
    parallel::map(&seeds(5000, 4 * MODELS), |&seed| {
        let (first, _) = run::compile_text(&random::model(seed).text());
        let printed = front_promela::print::tree(&first.tree);
        let (second, sources) = run::compile_text(&printed);
        let complaints: Vec<String> = second
            .diagnostics
            .iter()
            .filter(|it| it.is_error())
            .map(|it| format!("{:?} {}", sources.place(it.span.unwrap_or_default()), it.message))
            .collect();
        assert_eq!(complaints, Vec::<String>::new(), "MODEL_SEED={seed}\n{printed}");
        assert!(first.tree == second.tree, "MODEL_SEED={seed}: reading it again gives another tree\n{printed}");
    });
}

/// Nothing may be lost on the way to a comparison without somebody noticing.
#[test]
fn almost_every_random_model_is_small_enough_to_compare() {
    let complete = parallel::map(&seeds(5000, MODELS), |&seed| run::text(&random::model(seed).text(), BUDGET).complete);
    let share = complete.iter().filter(|it| **it).count() * 100 / complete.len();
    assert!(share >= 90, "only {share} % of the random models were searched to the end");
}
