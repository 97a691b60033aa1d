//! Slices as texts: read again they are the same tree, SPIN can read them, and they have the verdicts of the models they come from.
use std::path::Path;
use std::time::Duration;

use engine::Limits;
use front_promela::ast::{Tree, Unit};
use front_promela::print;
use model::Model;
use promenade::{Options, check_model, completed, load, sliced_text};
use report::Answer;
use slice::Mistake;
use testkit::random::{self, Language};
use testkit::run::{self, Budget, StateLimit};
use testkit::spin::Spin;
use testkit::suite::{self, random_seeds};
use testkit::{corpus, parallel};
use text::{Diagnostic, Sources};

const BUDGET: Budget = Budget { states: 30_000, time: Duration::from_secs(10) };

fn options(mistake: Option<Mistake>) -> Options {
    let limits = Limits { time: Some(BUDGET.time), ..Limits::default() };
    Options { progress: true, limits, slice_mistake: mistake, ..Options::default() }
}

/// Every property with its answer.
fn answers(model: &Model) -> Vec<(String, Answer)> {
    answers_within(model, BUDGET.states)
}

fn answers_within(model: &Model, states: u64) -> Vec<(String, Answer)> {
    let mut watch = StateLimit(states);
    let report = check_model(model, "model.pml", &Sources::default(), &options(None), Duration::ZERO, &mut watch)
        .expect("a report");
    report.results.into_iter().map(|it| (it.property, it.answer)).collect()
}

/// What was found out about the slices of one model.
#[derive(Default)]
struct Compared {
    slices: usize,
    violated: usize,
    /// With fewer statements.
    shorter: usize,
    different: Vec<String>,
}

/// Slices a model for each of its properties, and asks the slices.
fn compare(name: &str, text: &str, mistake: Option<Mistake>, spin: Option<&Spin>) -> Compared {
    let mut compared = Compared::default();
    let (compiled, sources) = run::compile_named(name, text, &front_promela::Options::default());
    let wrong = compiled.diagnostics.iter().any(Diagnostic::is_error);
    let Some(model) = compiled.model.filter(|_| !wrong) else { return compared };
    let model = completed(model, &options(None));
    for (property, answer) in answers(&model) {
        if matches!(answer, Answer::Unknown(_)) {
            continue;
        }
        let Ok(sliced) = sliced_text(&model, &compiled.tree, &sources, &options(mistake), &property) else { continue };
        compared.slices += 1;
        compared.violated += usize::from(answer == Answer::Violated);
        compared.shorter += usize::from(sliced.reasons.len() < sliced.statements);
        let text = sliced.text(name, true);
        if let Err(why) = same(&text, &sliced.tree, &property, &answer) {
            compared.different.push(format!("{name} {property} {answer:?}: {why}\n{text}"));
        }
        if let Some(Err(why)) = spin.map(|it| it.reads(&text)) {
            compared.different.push(format!("{name} {property}: SPIN says {why}\n{text}"));
        }
    }
    compared
}

/// Whether the text of a slice is its tree and gives an answer.
fn same(text: &str, tree: &Tree, property: &str, expected: &Answer) -> Result<(), String> {
    let (compiled, _) = run::compile_text(text);
    if let Some(wrong) = compiled.diagnostics.iter().find(|it| it.is_error()) {
        return Err(format!("the slice is no model: {}", wrong.message));
    }
    if compiled.tree != *tree {
        return Err("the text is not the tree".into());
    }
    let model = completed(compiled.model.ok_or("there is no model")?, &options(None));
    // A formula without a name is called by its row, and there is only one.
    let unnamed = |it: &str| it.starts_with("ltl_") && property.starts_with("ltl_");
    let answer = answers(&model).into_iter().find(|it| it.0 == property || unnamed(&it.0));
    // Without such a label nobody can be there again and again.
    let without = Some(Answer::Holds).filter(|_| property == "accept-labels");
    let answer = answer.map(|it| it.1).or(without).ok_or("the property is not there")?;
    if answer == *expected { Ok(()) } else { Err(format!("became {answer:?}")) }
}

fn report(results: &[Compared]) {
    let sum = |of: fn(&Compared) -> usize| results.iter().map(of).sum::<usize>();
    let (slices, shorter) = (sum(|it| it.slices), sum(|it| it.shorter));
    println!("{slices} slices, {} violated, {shorter} with fewer statements", sum(|it| it.violated));
    let different: Vec<&String> = results.iter().flat_map(|it| &it.different).collect();
    different.iter().take(3).for_each(|it| println!("{it}"));
    assert!(different.is_empty(), "{} of {slices} slices are wrong", different.len());
}

/// `PROM_SLICE_TEXT=3000 cargo test --release -p testkit --test it written_random -- --nocapture`
#[test]
fn written_random_slices_have_the_same_answers() {
    let seeds = random_seeds("PROM_SLICE_TEXT", 800_000, 120);
    let results = parallel::map(&seeds, |&seed| {
        let text = random::model_with_properties(seed, Language::Ours).text();
        let mut compared = compare(&format!("seed {seed}"), &text, None, None);
        compared.different.iter_mut().for_each(|it| *it += &text);
        compared
    });
    report(&results);
    assert!(seeds.len() < 100 || results.iter().map(|it| it.shorter).sum::<usize>() > 50, "too little was sliced");
}

/// `PROM_SLICE_CORPUS=1 cargo test --release -p testkit --test it written_slices -- --nocapture`: all of it, else the corners.
#[test]
fn written_slices_of_the_corpus_have_the_same_answers() {
    let Some(folder) = corpus::folder() else { return println!("skipped: the corpus is not there") };
    let all = std::env::var_os("PROM_SLICE_CORPUS").is_some();
    let sets: &[&str] = if all { &["corners", "spin-examples", "case-studies", "beem"] } else { &["corners"] };
    let spin = Spin::find().filter(|_| all);
    for answers in sets {
        let files = suite::corpus_files(&folder, answers);
        let results = parallel::map(&files, |file: &std::path::PathBuf| compare_file(file, spin.as_ref()));
        print!("{answers}: ");
        report(&results);
    }
}

fn compare_file(file: &Path, spin: Option<&Spin>) -> Compared {
    let text = load::bytes(file).and_then(|bytes| load::decode(&bytes)).unwrap_or_default();
    // What SPIN cannot read as it is it need not read as a slice.
    let reads = spin.filter(|it| it.reads(&text).is_ok());
    compare(&file.display().to_string(), &text, None, reads)
}

const CONTROL: &str =
    "byte x, y; active proctype P() { y = 1; if :: y == 0 -> x = 1 :: else fi } ltl p { [] (x == 0) }";

#[test]
fn a_written_slice_without_control_dependence_is_noticed() {
    assert_eq!(compare("model.pml", CONTROL, None, None).different, Vec::<String>::new());
    assert!(!compare("model.pml", CONTROL, Some(Mistake::Control), None).different.is_empty());
}

/// The program of Software model checking (2000), §5, and its slice, as they are printed there; only the quotation marks around
/// `\n` are those of a keyboard.
const WORDCOUNT: &str = r#"
#define newline '\n'
#define eof -1
#define anythingelse 0
chan stdin = [1] of { int };
int c, nl, nw, nc;
bool inword = false;
active proctype wordcount()
{ /* count number of lines, words, and chars received */
do
:: stdin?c ->
if
:: c == -1 -> break /* end of input */
:: c == '\n' -> nc++; nl++
:: else -> nc++
fi;
if
:: c == ' ' || c == '\t' || c == '\n' ->
inword = false
:: else ->
if
:: !inword ->
nw++; inword = true
:: else /* do nothing */
fi
fi
od;
printf("%d\t%d\t%d\n", nl, nw, nc)
}
active proctype input()
{
do
:: stdin!newline
:: stdin!eof
:: stdin!anythingelse
od
}
ltl enough { [] (nc >= nl) }
"#;

const SLICED: &str = r#"
#define newline '\n'
#define eof -1
#define anythingelse 0
chan stdin = [1] of { int };
int c, nl, nc;
active proctype wordcount()
/* sound and complete slice for (nc >= nl) */
{
do
:: stdin?c ->
if
:: c == eof -> break
:: c == newline -> nc++; nl++
:: else -> nc++
fi
od
}
active proctype input()
{
do
:: stdin!newline
:: stdin!eof
:: stdin!anythingelse
od
}
ltl enough { [] (nc >= nl) }
"#;

fn slice_of(text: &str, property: &str) -> Tree {
    let (compiled, sources) = run::compile_text(text);
    let model = completed(compiled.model.expect("a model"), &options(None));
    sliced_text(&model, &compiled.tree, &sources, &options(None), property).expect("a slice").tree
}

#[test]
fn the_slice_of_wordcount_is_the_printed_one() {
    let expected = run::compile_text(SLICED).0.tree;
    assert_eq!(slice_of(WORDCOUNT, "enough"), expected, "{}", print::tree(&slice_of(WORDCOUNT, "enough")));
}

#[test]
fn the_violation_of_wordcount_is_found_in_its_slice() {
    // With numbers of 32 bits it takes 2147483648 characters; with those of 8 bits, 256.
    let text = WORDCOUNT.replace("int c, nl, nw, nc;", "int c; byte nl, nw, nc;");
    let tree = slice_of(&text, "enough");
    let (compiled, _) = run::compile_text(&print::tree(&tree));
    let report = answers_within(&compiled.model.expect("a model"), 5_000_000);
    assert!(report.contains(&("enough".to_string(), Answer::Violated)), "{report:?}");
    let is_gone = |name: &str| !print::tree(&tree).contains(name);
    assert!(is_gone("nw") && is_gone("inword") && is_gone("printf"));
}

#[test]
fn who_is_asked_for_does_not_end_in_a_slice() {
    let text =
        "byte x, y; active proctype P() { byte i = 1; x = 1; do :: y < 2 od } ltl p { [] (P[0]:i == 1 && x < 2) }";
    assert_eq!(compare("model.pml", text, None, None).different, Vec::<String>::new());
}

#[test]
fn a_loop_without_content_stays_a_loop_that_spin_can_run() {
    let text = "byte y; bool x; active proctype P() { do :: y++ od; x = 1 } ltl p { <> x }";
    let written = print::tree(&slice_of(text, "safety"));
    assert!(written.contains("do") && !written.contains("y++"), "{written}");
    let Some(spin) = Spin::find() else { return println!("skipped: there is no SPIN") };
    let answer = spin.ask(&written);
    assert!(matches!(answer, testkit::spin::SpinAnswer::Counts(_)), "{answer:?}\n{written}");
}

#[test]
fn what_is_not_asked_for_is_no_part_of_a_slice() {
    let text = "byte x, y; ltl one { [] (x < 9) } ltl two { <> (y == 1) } active proctype P() { x = 1; y = 1 }";
    let tree = slice_of(text, "one");
    let formulas = tree.units.iter().filter(|it| matches!(it, Unit::Ltl(_))).count();
    assert_eq!((formulas, print::tree(&tree).contains("y =")), (1, false), "{}", print::tree(&tree));
}
