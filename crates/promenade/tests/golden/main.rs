//! What each format says about small models, word for word.
mod fixtures;

use std::time::Duration;

use engine::{Limits, Question};
use fixtures::Fixture;
use insta::assert_snapshot;
use promenade::{Options, check_model};
use report::{Detail, Format, render};

/// The report on a model, with what differs from run to run replaced.
fn shown(fixture: &Fixture, options: &Options, format: Format) -> String {
    let checked = check_model(&fixture.model, fixture.name, &fixture.sources, options, Duration::ZERO, &mut ());
    let mut report = checked.unwrap_or_else(|error| panic!("{}", error.message));
    report.version = "VERSION".into();
    for outcome in report.results.iter_mut().filter(|it| it.is_checked()) {
        outcome.effort.peak_memory = 3 << 20;
        outcome.effort.statistics.memory = 1 << 20;
        outcome.effort.statistics.elapsed = Duration::from_millis(250);
    }
    let mut out = Vec::new();
    render(&report, format, Detail::default(), &mut out).expect("memory can be written to");
    String::from_utf8(out).expect("text")
}

fn plain(fixture: &Fixture, format: Format) -> String {
    shown(fixture, &Options::default(), format)
}

fn all_errors() -> Options {
    Options { question: Question { all_errors: true, ..Question::default() }, ..Options::default() }
}

#[test]
fn people_read_that_a_property_holds_and_what_was_never_reached() {
    assert_snapshot!(plain(&fixtures::holds(), Format::Text));
}

#[test]
fn people_read_how_a_violation_comes_about() {
    assert_snapshot!(plain(&fixtures::violated(), Format::Text));
}

#[test]
fn people_read_of_every_violation_if_they_want() {
    assert_snapshot!(shown(&fixtures::faulty(), &all_errors(), Format::Text));
}

#[test]
fn people_are_told_which_limit_was_reached() {
    let limits = Limits { depth: Some(3), ..Limits::default() };
    assert_snapshot!(shown(&fixtures::holds(), &Options { limits, ..Options::default() }, Format::Text));
}

#[test]
fn people_are_told_what_is_not_checked() {
    assert_snapshot!(plain(&fixtures::temporal(), Format::Text));
}

#[test]
fn of_a_long_trace_people_see_both_ends() {
    assert_snapshot!(plain(&fixtures::counter(Some(99)), Format::Text));
}

#[test]
fn programs_read_json() {
    assert_snapshot!("json_holds", plain(&fixtures::temporal(), Format::Json));
    assert_snapshot!("json_violated", plain(&fixtures::violated(), Format::Json));
}

#[test]
fn scripts_read_what_pan_would_write() {
    assert_snapshot!("spin_holds", plain(&fixtures::temporal(), Format::Spin));
    assert_snapshot!("spin_violated", plain(&fixtures::violated(), Format::Spin));
    assert_snapshot!("spin_faulty", shown(&fixtures::faulty(), &all_errors(), Format::Spin));
}

#[test]
fn scanning_services_read_sarif() {
    assert_snapshot!("sarif_violated", plain(&fixtures::violated(), Format::Sarif));
    assert_snapshot!("sarif_unknown", plain(&fixtures::temporal(), Format::Sarif));
}

#[test]
fn test_runners_read_junit() {
    assert_snapshot!("junit_violated", plain(&fixtures::violated(), Format::Junit));
    assert_snapshot!("junit_unknown", plain(&fixtures::temporal(), Format::Junit));
}

#[test]
fn only_what_was_asked_for_is_reported() {
    let only = |name: &str| Options { only: vec![name.into()], ..Options::default() };
    assert_snapshot!("only_safety", shown(&fixtures::temporal(), &only("safety"), Format::Text));
    assert_snapshot!("only_temporal", shown(&fixtures::temporal(), &only("sooner_or_later"), Format::Text));
}

#[test]
fn a_property_that_does_not_exist_is_refused_with_those_that_do() {
    let Fixture { name, sources, model } = fixtures::temporal();
    let options = Options { only: vec!["safty".into()], ..Options::default() };
    let error = check_model(&model, name, &sources, &options, Duration::ZERO, &mut ()).expect_err("a misspelt name");
    assert_eq!(error.message, "there is no property `safty`");
    let help = "did you mean `safety`? the properties of this model are: safety, sooner_or_later";
    assert_eq!(error.help.as_deref(), Some(help));
}
