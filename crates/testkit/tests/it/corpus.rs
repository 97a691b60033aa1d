//! Every model of the shared corpus against SPIN's recorded answers.
use std::time::Duration;

use engine_explicit::{Plan, StoreKind};
use testkit::compare::{Comparison, Skip, compare};
use testkit::corpus::{Record, folder, records};
use testkit::parallel;
use testkit::run::{self, Answer, Budget, Engine, Outcome};
use testkit::spin::SpinAnswer;

/// Without `PROM_CORPUS=all` (or `reference`), models with more states than this are left out.
const SMALL: u64 = 200_000;

/// Models with more states than this are left to the fast engine, unless `PROM_CORPUS=reference`.
const MEDIUM: u64 = 1_000_000;

/// Where we differ on purpose, and why ours is right.
const KNOWN: &[(&str, &str)] = &[
    ("corners/arr70000.pml", "pan's state vector is too short for the array; ours grows"),
    ("corners/asgclaim.pml", "a claim that changes a variable takes part in what it should only watch: an error"),
    ("corners/div0.pml", "gcc removes the division by zero whose result nobody uses; ours is a fault"),
    ("corners/latearr.pml", "SPIN initialises only the first element of an array declared among statements"),
];

/// What SPIN refuses and we accept, and why.
const ACCEPTED: &[(&str, &str)] = &[
    ("corners/mtypearg.pml", "an mtype variable is as good an argument as an mtype constant"),
    ("corners/ltlempty.pml", "a test of a channel is as good a condition in a formula as elsewhere"),
    ("corners/ltlX.pml", "`X` is missing only from the way Debian builds SPIN"),
    ("corners/ltlXw.pml", "`X` is missing only from the way Debian builds SPIN"),
    ("corners/nest3.pml", "`a[a[0]]` has a meaning; SPIN's code generator cannot express it"),
    ("corners/dupvar.pml", "one variable twice in a receive: the last wins, as in SPIN's simulator"),
    ("corners/hiddenbit.pml", "a hidden bit is no worse than a hidden byte"),
    (
        "corners/inlinelabel.pml",
        "a label before the first statement of an inline names a point of control like any other",
    ),
    ("corners/label2.pml", "a label before the first statement of an atomic names a point of control like any other"),
    ("corners/semimulti.pml", "an expression may go on in the next line where it cannot be anything else"),
    ("corners/uninitq.pml", "a channel that was never created is a fault when it is used"),
];

#[test]
fn the_reference_counts_as_spin_does() {
    let all = std::env::var("PROM_CORPUS").is_ok_and(|it| it == "reference");
    let most = if all { u64::MAX } else { limit().min(MEDIUM) };
    compare_all(Engine::Reference, most);
}

#[test]
fn the_fast_engine_counts_as_spin_does() {
    compare_all(Engine::Explicit(Plan::default()), limit());
}

#[test]
fn two_threads_and_a_tree_count_as_spin_does() {
    compare_all(Engine::Explicit(Plan { store: StoreKind::Tree, threads: 2, ..Plan::default() }), limit());
}

#[test]
fn depth_first_counts_as_spin_does() {
    compare_all(Engine::DepthFirst(Plan::default()), limit());
}

/// States of the largest model that is tried.
fn limit() -> u64 {
    if std::env::var_os("PROM_CORPUS").is_some() { u64::MAX } else { SMALL }
}

/// Compares all recorded models of at most so many states; also says what was left out.
fn compare_all(engine: Engine, most: u64) {
    let Some(folder) = folder() else {
        println!("skipped: there is no ../shared/corpus");
        return;
    };
    println!("{engine:?}");
    let mut different = 0;
    for answers in ["corners", "spin-examples", "case-studies", "beem"] {
        let records = records(&folder, answers, "full");
        let results = parallel::map(&records, |record| judge(record, engine, most));
        let tally = |wanted: &str| results.iter().filter(|it| it.0 == wanted).count();
        let words = ["same counts", "same error", "both reject", "known", "left out", "different"];
        let line: Vec<String> = words.iter().map(|word| format!("{} {word}", tally(word))).collect();
        println!("{answers}: {} records: {}", records.len(), line.join(", "));
        for (record, (word, why)) in records.iter().zip(&results) {
            if !why.is_empty() && (*word == "different" || std::env::var_os("PROM_VERBOSE").is_some()) {
                println!("  {word}: {} {why}", record.model);
            }
        }
        different += tally("different");
    }
    assert_eq!(different, 0, "see the table above");
}

/// A word of the table, and what there is to say.
fn judge(record: &Record, engine: Engine, most: u64) -> (&'static str, String) {
    let name = record.model.as_str();
    let states = match &record.answer {
        SpinAnswer::Counts(counts) => counts.states,
        SpinAnswer::Rejected(_) => 0,
        SpinAnswer::Truncated(why) => return ("left out", format!("SPIN was cut: {why}")),
        SpinAnswer::Failed(why) => return ("left out", format!("SPIN failed: {why}")),
    };
    if states > most {
        return ("left out", format!("{states} states"));
    }
    let time = Duration::from_secs(1200);
    let ours = run::file_by(&record.path, engine, Budget { time, ..Budget::default() });
    if ours.diagnostics.iter().any(|it| it.code == "embedded-code") {
        return ("left out", "embedded C".to_string());
    }
    if let SpinAnswer::Rejected(message) = &record.answer {
        return rejection(name, &ours, message);
    }
    match compare(&ours, &record.answer) {
        Comparison::SameCounts => ("same counts", String::new()),
        Comparison::SameError => ("same error", String::new()),
        Comparison::Skipped(Skip::OurLimit) => ("different", format!("took too long: {}", ours.short())),
        Comparison::Skipped(why) => ("left out", format!("{why:?}")),
        Comparison::Different(_) if reason(KNOWN, name).is_some() => ("known", reason(KNOWN, name).unwrap_or_default()),
        Comparison::Different(what) => {
            ("different", format!("{what:?}\n    ours: {}\n    SPIN: {:?}", ours.short(), record.answer))
        }
    }
}

fn rejection(name: &str, ours: &Answer, message: &str) -> (&'static str, String) {
    match reason(ACCEPTED, name) {
        _ if ours.verdict == Outcome::Rejected => ("both reject", ours.complaints()),
        Some(reason) => ("known", reason),
        None => ("different", format!("SPIN rejects and we do not: {}", message.trim())),
    }
}

fn reason(table: &[(&str, &str)], name: &str) -> Option<String> {
    table.iter().find(|it| it.0 == name).map(|it| it.1.to_string())
}
