//! `--optimize spin` against what SPIN 6.5.2 says with its own optimisations (`spin -a`, `-DNOREDUCE`): records `opt` of the corpus.
use engine::{Limits, Question, Search};
use engine_explicit::{Plan, Reduction, explicit};
use optimize::{Pass, optimize};
use testkit::compare::{Comparison, compare};
use testkit::corpus::{Record, folder, records};
use testkit::parallel;
use testkit::run::{self, Answer, Budget, StateLimit};
use testkit::spin::SpinAnswer;

/// Models with more states are left out.
const LARGEST: u64 = 400_000;

/// Where the numbers differ, and why. An entry that is no difference any more is an error, too.
const KNOWN: &[(&str, &str)] = &[
    ("spin-examples/priorities.pml", "priorities, which SPIN merges across; without merging there is no end"),
    ("spin-examples/rtos1.pml", "priorities, which SPIN merges across"),
];

#[test]
fn spin_finds_its_own_numbers() {
    let Some(folder) = folder() else {
        println!("skipped: there is no ../shared/corpus");
        return;
    };
    let mut wanted = records(&folder, "spin-examples", "opt");
    wanted.retain(|it| matches!(&it.answer, SpinAnswer::Counts(counts) if counts.states <= LARGEST));
    let words = parallel::map(&wanted, judge);
    let count = |word: &str| words.iter().filter(|it| it.as_str() == word).count();
    let (counts, errors, known) = (count("same counts"), count("same error"), count("known"));
    println!("{} records: {counts} same counts, {errors} same error, {known} known", wanted.len());
    let wrong = wanted.iter().zip(&words).filter(|it| !["same counts", "same error", "known"].contains(&it.1.as_str()));
    let wrong: Vec<String> = wrong.map(|(record, word)| format!("{}: {word}", record.model)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts > 50, "the corpus has more");
}

fn judge(record: &Record) -> String {
    let Some(model) = run::model_of(&record.path) else { return "is no model".into() };
    let ours = answer(&optimize(&model, &Pass::SPIN), Search::Breadth, Reduction::None);
    let is_known = KNOWN.iter().any(|it| it.0 == record.model);
    match compare(&ours, &record.answer) {
        Comparison::SameCounts | Comparison::SameError if is_known => "no difference any more".into(),
        Comparison::SameCounts => "same counts".into(),
        Comparison::SameError => "same error".into(),
        _ if is_known => "known".into(),
        other => format!("{other:?}; ours: {}", ours.short()),
    }
}

fn answer(model: &model::Model, search: Search, reduction: Reduction) -> Answer {
    let question = Question { all_errors: true, search, ..Question::default() };
    let limits = Limits { time: Some(Budget::default().time), ..Limits::default() };
    let plan = Plan { reduction, ..Plan::default() };
    run::summary(&explicit(model, &question, &limits, plan, &mut StateLimit(2 * LARGEST)))
}

/// Small models with SPIN's figures: `spin -o1 -o2 -o3 -a`, then with only the optimisations that are named.
#[test]
fn each_does_what_spin_does() {
    let counts = |text: &str, passes: &[Pass]| {
        let it = answer(&optimize(&run::model(text).expect("a model"), passes), Search::Breadth, Reduction::None);
        (it.states, it.transitions)
    };
    // A label, a block and `else` end a chain, a jump does not.
    let text = "byte g; active proctype P() { byte x, y; x = 1; y = 2; L: x = 3; y = x; { x = 4; y = 1 }; \
                do :: x == 4 -> x = y; break :: else -> skip od; g = x; x = 2; y = 3 }";
    assert_eq!((counts(text, &[]), counts(text, &[Pass::SpinMerge])), ((13, 13), (9, 9)));
    // What a step reads in a condition is forgotten, what it reads in an assignment is not.
    let text = "byte g; active proctype P() { byte x, y; if :: x = 1 :: x = 2 fi; if :: y = 1 :: y = 2 fi; \
                g = 0; x > 0; g = 0; g = y; g = 0 }";
    assert_eq!((counts(text, &[]), counts(text, &[Pass::SpinDead, Pass::SpinHide])), ((28, 31), (20, 23)));
    // `n++` is no reader, `m = m + 1` is.
    let text = "byte n, m, k; active [2] proctype P() { n++; m = m + 1; printf(\"%d\", k); k = _pid }";
    assert_eq!((counts(text, &[]), counts(text, &[Pass::SpinHide])), ((34, 53), (31, 51)));
}
