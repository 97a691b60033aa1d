//! What each format says about small models, word for word.
mod models;

use std::time::Duration;

use engine::{Limits, Question};
use insta::assert_snapshot;
use models::Source;
use promenade::{Checked, Input, Options, check};
use report::{Detail, Format, render};

fn checked((name, text): Source, options: &Options) -> Checked {
    check(&Input::Bytes { name: name.into(), bytes: text.into() }, options, &mut ())
}

/// The report on a model, with what differs from run to run replaced.
fn shown(source: Source, options: &Options, format: Format) -> String {
    let mut report = checked(source, options).report.expect("a model without errors");
    report.version = "VERSION".into();
    for outcome in report.results.iter_mut().filter(|it| it.is_checked()) {
        outcome.effort.setup = Duration::from_millis(2);
        outcome.effort.peak_memory = 3 << 20;
        outcome.effort.statistics.memory = 1 << 20;
        outcome.effort.statistics.elapsed = Duration::from_millis(250);
    }
    let mut out = Vec::new();
    render(&report, format, Detail::default(), &mut out).expect("memory can be written to");
    String::from_utf8(out).expect("text")
}

fn plain(source: Source, format: Format) -> String {
    shown(source, &Options::default(), format)
}

fn all_errors() -> Options {
    Options { question: Question { all_errors: true, ..Question::default() }, ..Options::default() }
}

fn only(name: &str) -> Options {
    Options { only: vec![name.into()], ..Options::default() }
}

fn limited() -> Options {
    Options { limits: Limits { depth: Some(2), ..Limits::default() }, ..Options::default() }
}

#[test]
fn people_read_that_a_property_holds_and_what_was_never_reached() {
    assert_snapshot!(plain(models::HOLDS, Format::Text));
}

#[test]
fn people_read_how_a_violation_comes_about() {
    assert_snapshot!(plain(models::VIOLATED, Format::Text));
}

#[test]
fn people_read_of_every_violation_if_they_want() {
    assert_snapshot!(shown(models::FAULTY, &all_errors(), Format::Text));
}

#[test]
fn people_are_told_which_limit_was_reached() {
    assert_snapshot!(shown(models::HOLDS, &limited(), Format::Text));
}

#[test]
fn people_are_told_that_nothing_moves_any_more() {
    assert_snapshot!(plain(models::TEMPORAL, Format::Text));
}

#[test]
fn people_read_what_is_repeated_for_ever() {
    assert_snapshot!(plain(models::LASSO, Format::Text));
}

#[test]
fn people_read_what_is_possible_and_what_is_not() {
    assert_snapshot!(plain(models::BRANCHING, Format::Text));
}

#[test]
fn of_a_long_trace_people_see_both_ends() {
    assert_snapshot!(plain(models::COUNTER, Format::Text));
}

#[test]
fn programs_read_json() {
    assert_snapshot!("json_holds", plain(models::HOLDS, Format::Json));
    assert_snapshot!("json_violated", plain(models::VIOLATED, Format::Json));
    assert_snapshot!("json_branching", shown(models::BRANCHING, &only("arrives"), Format::Json));
    assert_snapshot!("json_witness", shown(models::BRANCHING, &only("can_return"), Format::Json));
    assert_snapshot!("json_lasso", shown(models::LASSO, &only("stays_on"), Format::Json));
}

#[test]
fn scripts_read_what_pan_would_write() {
    assert_snapshot!("spin_holds", plain(models::HOLDS, Format::Spin));
    assert_snapshot!("spin_violated", plain(models::VIOLATED, Format::Spin));
    assert_snapshot!("spin_branching", shown(models::BRANCHING, &only("arrives"), Format::Spin));
    assert_snapshot!("spin_lasso", shown(models::LASSO, &only("stays_on"), Format::Spin));
    assert_snapshot!("spin_faulty", shown(models::FAULTY, &all_errors(), Format::Spin));
}

#[test]
fn scanning_services_read_sarif() {
    assert_snapshot!("sarif_violated", plain(models::VIOLATED, Format::Sarif));
    assert_snapshot!("sarif_branching", shown(models::BRANCHING, &only("arrives"), Format::Sarif));
    assert_snapshot!("sarif_lasso", shown(models::LASSO, &only("stays_on"), Format::Sarif));
    assert_snapshot!("sarif_unknown", shown(models::HOLDS, &limited(), Format::Sarif));
}

#[test]
fn test_runners_read_junit() {
    assert_snapshot!("junit_violated", plain(models::VIOLATED, Format::Junit));
    assert_snapshot!("junit_branching", plain(models::BRANCHING, Format::Junit));
    assert_snapshot!("junit_lasso", plain(models::LASSO, Format::Junit));
    assert_snapshot!("junit_unknown", shown(models::HOLDS, &limited(), Format::Junit));
}

#[test]
fn only_what_was_asked_for_is_reported() {
    assert_snapshot!("only_safety", shown(models::TEMPORAL, &only("safety"), Format::Text));
    assert_snapshot!("only_temporal", shown(models::TEMPORAL, &only("sooner_or_later"), Format::Text));
}

#[test]
fn a_property_that_does_not_exist_is_refused_with_those_that_do() {
    let options = Options { only: vec!["safty".into()], ..Options::default() };
    let Checked { diagnostics, report, .. } = checked(models::TEMPORAL, &options);
    assert!(report.is_none());
    assert_eq!(diagnostics[0].message, "there is no property `safty`");
    let help = "did you mean `safety`? the properties of this model are: safety, deadlock, sooner_or_later";
    assert_eq!(diagnostics[0].help.as_deref(), Some(help));
}
