//! The literate cases: `tests/literate/*.md`. `PROM_BLESS=1` writes what was got as what is expected.
use std::fs;

use engine::Fairness;
use testkit::compare::{Comparison, compare};
use testkit::corpus::workspace;
use testkit::literate::{Case, blessed, cases, files};
use testkit::run::{self, Budget};
use testkit::spin::{Spin, SpinAnswer};
use testkit::spin_temporal::About;
use testkit::{parallel, temporal};

/// How many cases have been written; a case that is not read is not a case that passes.
const WRITTEN: usize = 619;

/// Every file with its text and cases.
fn documents() -> Vec<(String, String, Vec<Case>)> {
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.strip_prefix(workspace()).unwrap_or(&path).display().to_string();
        let cases = cases(&name, &text).unwrap_or_else(|what| panic!("{what}"));
        (name, text, cases)
    };
    files(&workspace().join("tests/literate")).into_iter().map(read).collect()
}

#[test]
fn every_literate_case_is_as_expected() {
    let bless = std::env::var_os("PROM_BLESS").is_some();
    let mut complaints = Vec::new();
    for (name, text, cases) in documents() {
        let answers = cases.iter().map(|case| (case, case.run()));
        let wrong: Vec<(&Case, Vec<String>)> = answers.filter(|(case, got)| !case.accepts(got)).collect();
        complaints.extend(wrong.iter().filter_map(|(case, got)| case.complaint(got)));
        if bless && !wrong.is_empty() {
            fs::write(workspace().join(&name), blessed(&text, &wrong)).expect("the file can be written");
        }
    }
    println!("{}\n{} cases are not as expected", complaints.join("\n"), complaints.len());
    assert!(bless || complaints.is_empty(), "see above; PROM_BLESS=1 makes this what is expected");
}

#[test]
fn no_case_is_lost() {
    let read: usize = documents().iter().map(|it| it.2.len()).sum();
    println!("{read} cases");
    assert!(read >= WRITTEN, "{read} cases were read, {WRITTEN} were written");
}

#[test]
fn no_heading_is_used_twice_in_a_file() {
    for (name, _, cases) in documents() {
        let mut headings: Vec<&str> = cases.iter().map(|it| it.heading.as_str()).collect();
        headings.dedup();
        let count = headings.len();
        headings.sort_unstable();
        headings.dedup();
        assert_eq!(headings.len(), count, "{name}");
    }
}

/// `PROM_SPIN=1 cargo test -p testkit --test it spin_agrees -- --nocapture`
///
/// SPIN gives the same answer, except where a case says otherwise; there it must not.
#[test]
fn spin_agrees_with_the_literate_cases_that_do_not_say_otherwise() {
    if std::env::var_os("PROM_SPIN").is_none() {
        println!("skipped: PROM_SPIN=1 compares the cases with SPIN");
        return;
    }
    let Some(spin) = Spin::find() else {
        println!("skipped: SPIN is not installed");
        return;
    };
    let cases: Vec<Case> = documents().into_iter().flat_map(|it| it.2).collect();
    let comparable: Vec<&Case> = cases.iter().filter(|it| !it.pv && it.beside.is_empty()).collect();
    let wrong = parallel::map(&comparable, |case| {
        let (agrees, why) = agrees(case, &spin);
        (agrees == case.spin_differs).then(|| format!("{}:{}: {}\n  {why}", case.file, case.line, case.heading))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    println!("{} cases were compared with SPIN", comparable.len());
    assert!(wrong.is_empty(), "{}\n{} of {} cases", wrong.join("\n"), wrong.len(), comparable.len());
}

fn agrees(case: &Case, spin: &Spin) -> (bool, String) {
    let (safety, why) = agrees_on_safety(case, spin);
    let different = differences(case, spin);
    (safety && different.is_empty(), [vec![why], different].concat().join("\n  "))
}

fn agrees_on_safety(case: &Case, spin: &Spin) -> (bool, String) {
    let text = case.text();
    let (ours, theirs) = (run::text(&text, Budget::default()), spin.ask(&text));
    let same = match compare(&ours, &theirs) {
        Comparison::SameCounts | Comparison::SameError => true,
        Comparison::Skipped(_) => {
            ours.verdict == run::Outcome::Rejected && matches!(theirs, SpinAnswer::Rejected(_) | SpinAnswer::Failed(_))
        }
        Comparison::Different(_) => false,
    };
    (same, format!("ours: {}\n  SPIN: {theirs:?}", ours.short()))
}

/// Properties of whole executions about which SPIN says something else. It does not know strong fairness.
fn differences(case: &Case, spin: &Spin) -> Vec<String> {
    let text = case.text();
    let (compiled, sources) = run::compile_text(&text);
    let wrong = compiled.diagnostics.iter().any(text::Diagnostic::is_error);
    let Some(model) = compiled.model.filter(|_| !wrong && case.fairness != Fairness::Strong) else { return Vec::new() };
    let ours = temporal::answers(&model, &sources, case.asked(), &temporal::ways()[0]);
    let is_fair = case.fairness == Fairness::Weak;
    let questions: Vec<(About, bool)> = ours.iter().map(|it| (About::named(&it.0), is_fair)).collect();
    let theirs = spin.ask_temporal(&text, &questions);
    let own = run::text(&text, Budget::default()).kinds;
    let both = ours.iter().zip(theirs);
    let different = both.filter(|(ours, theirs)| ours.1.is_violated() != theirs.is_violated(&own));
    different.map(|((name, ours), theirs)| format!("{name}: ours: {ours}; SPIN: {theirs:?}")).collect()
}
