//! Properties of whole executions of the models of the shared corpus: recorded answers of SPIN, and its answers now if `PROM_SPIN=1`.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::Fairness;
use model::{Mark, Meaning, Model};
use testkit::corpus::folder;
use testkit::json::Json;
use testkit::kind::Kind;
use testkit::parallel;
use testkit::run::{self, Budget};
use testkit::spin::Spin;
use testkit::spin_temporal::About;
use testkit::suite::corpus_files;
use testkit::temporal::{Asked, Said, Way, answers, ways};

/// What one property may cost.
const BUDGET: Budget = Budget { states: 2_000_000, time: Duration::from_secs(60) };

/// Where we differ on purpose, and why ours is right.
const KNOWN: &[(&str, &str)] = &[
    ("corners/i38.pml", "under weak fairness SPIN overlooks executions that end, unless a process goes on for ever"),
    ("corners/i38nof.pml", "the same"),
    ("corners/i38nr.pml", "the same"),
    ("corners/nrpr3.pml", "SPIN counts its claim as a process"),
    ("corners/nrpr_claim.pml", "SPIN counts its claim as a process"),
    ("corners/timeout_inclaim.pml", "in a claim of SPIN `timeout` is false, unless a process uses it, too"),
];

/// Whether we differ on purpose.
fn is_known(path: &Path) -> bool {
    KNOWN.iter().any(|it| path.ends_with(it.0))
}

/// A question about a file, and what SPIN said.
struct Record {
    model: String,
    path: PathBuf,
    property: String,
    fairness: Fairness,
    violated: bool,
}

/// The records of a file of answers for which `read` finds a question and an answer.
fn records(folder: &Path, answers: &str, read: impl Fn(&Json) -> Option<(String, Fairness)>) -> Vec<Record> {
    let text = fs::read_to_string(folder.join(format!("{answers}.jsonl"))).expect("a file of answers");
    let all = text.lines().filter_map(Json::parse);
    let record = |it: Json| {
        let is_answer = it.text("fail").is_none() && it.text("trunc").is_none();
        let (property, fairness) = read(&it).filter(|_| is_answer)?;
        let model = it.text("model")?.to_string();
        let path = folder.join(&model);
        Some(Record { path, model, property, fairness, violated: it.number("errors")? > 0 })
    };
    all.filter_map(record).collect()
}

/// As `prom` does it.
fn usual() -> Way {
    ways().pop().expect("there are several ways")
}

fn asked(fairness: Fairness, property: &str) -> Asked {
    Asked { fairness, progress: property == "non-progress", budget: BUDGET }
}

/// What we say about a property of a file.
fn ours(path: &Path, property: &str, fairness: Fairness) -> Option<Said> {
    let model = run::model_of(path)?;
    let all = answers(&model, &text::Sources::default(), asked(fairness, property), &usual());
    all.into_iter().find(|it| it.0 == property).map(|it| it.1)
}

/// Compares records; says how many there were.
fn compare(records: &[Record]) -> usize {
    let different = parallel::map(records, |record| {
        let Record { model, path, property, fairness, violated } = record;
        let said = ours(path, property, *fairness);
        let agrees = said.as_ref().and_then(Said::is_violated) == Some(*violated);
        (!agrees && !is_known(path))
            .then(|| format!("{model} {property} {fairness:?}: ours: {said:?}; SPIN: {violated}"))
    });
    let different: Vec<String> = different.into_iter().flatten().collect();
    assert!(different.is_empty(), "{}\n{} of {} answers", different.join("\n"), different.len(), records.len());
    records.len()
}

#[test]
fn formulas_of_the_corpus_have_spins_answer() {
    let Some(folder) = folder() else {
        println!("skipped: there is no ../shared/corpus");
        return;
    };
    let records = records(&folder, "ltl", |it| {
        let fairness = if it.text("conf")? == "fair" { Fairness::Weak } else { Fairness::None };
        Some((it.text("property")?.to_string(), fairness))
    });
    println!("{} answers about formulas", compare(&records));
    assert!(records.len() >= 40, "only {} answers were read", records.len());
}

/// A claim, accept labels or progress: what a tiny model is about is seen from how SPIN was called.
fn question_of_corner(folder: &Path, record: &Json) -> Option<(String, Fairness)> {
    let flags = record.get("flags")?;
    let (compiled, called) = (flags.text("ver")?, flags.text("pan")?);
    let has = |flag: &str| called.split(' ').any(|it| it == flag);
    // No temporal error, or one of another kind: not a question about whole executions.
    let is_temporal = record.text("error").is_none_or(|it| matches!(Kind::of_spin(it), Kind::Cycle | Kind::ClaimEnd));
    if compiled.contains("NOSTUTTER") || !is_temporal || record.text("conf") != Some("own") {
        return None;
    }
    let fairness = if has("-f") { Fairness::Weak } else { Fairness::None };
    let model = run::model_of(&folder.join(record.text("model")?))?;
    let names: Vec<&String> = model.temporal_properties.iter().map(|it| &it.name).collect();
    match (has("-l"), has("-a"), &names[..]) {
        (true, ..) => Some(("non-progress".into(), fairness)),
        (_, _, [name]) if !compiled.contains("NOCLAIM") => Some(((*name).clone(), fairness)),
        (_, true, []) => Some(("accept-labels".into(), fairness)),
        _ => None,
    }
}

#[test]
fn claims_and_labels_of_the_corners_have_spins_answer() {
    let Some(folder) = folder() else {
        println!("skipped: there is no ../shared/corpus");
        return;
    };
    let records = records(&folder, "corners", |it| question_of_corner(&folder, it));
    println!("{} answers about corners", compare(&records));
    assert!(records.len() >= 25, "only {} answers were read", records.len());
}

/// Whether a model says something about whole executions.
fn is_temporal(model: &Model) -> bool {
    let mut locations = model.processes.iter().flat_map(|it| &it.locations);
    !model.temporal_properties.is_empty()
        || locations.any(|it| it.is_marked(Mark::Accepting) || it.is_marked(Mark::Progress))
}

/// What can be compared: SPIN takes accept labels of processes for those of a formula.
fn is_comparable(model: &Model, property: &str) -> bool {
    let has_labels = model.processes.iter().flat_map(|it| &it.locations).any(|it| it.is_marked(Mark::Accepting));
    let named = model.temporal_properties.iter().find(|it| it.name == property);
    !(has_labels && named.is_some_and(|it| matches!(it.meaning, Meaning::Formula(_))))
}

/// `PROM_SPIN=1 cargo test --release -p testkit --test it temporal_corpus -- --nocapture`
#[test]
fn whole_executions_of_the_corpus_have_spins_answer_now() {
    let (Some(folder), true) = (folder(), std::env::var_os("PROM_SPIN").is_some()) else {
        println!("skipped: needs PROM_SPIN=1 and ../shared/corpus");
        return;
    };
    let Some(mut spin) = Spin::find() else {
        println!("skipped: SPIN is not installed");
        return;
    };
    spin.patience = Duration::from_secs(20);
    let files = ["corners", "spin-examples", "case-studies", "beem"].map(|it| corpus_files(&folder, it)).concat();
    let results = parallel::map(&files, |path| file_against_spin(path, &spin));
    let mut tally = BTreeMap::new();
    for (word, line) in results.iter().flatten() {
        *tally.entry(*word).or_insert(0) += 1;
        if *word != "same" {
            println!("{word}: {line}");
        }
    }
    println!("{tally:?}");
    let different = tally.get("different").copied().unwrap_or(0);
    assert_eq!(different, 0, "see above");
}

/// All properties of a file, with and without weak fairness: a word, and what was said.
fn file_against_spin(path: &Path, spin: &Spin) -> Vec<(&'static str, String)> {
    let Some(model) = run::model_of(path).filter(is_temporal) else { return Vec::new() };
    let ask = |fairness| {
        let asked = Asked { fairness, progress: true, budget: Budget { states: 300_000, ..BUDGET } };
        let said = answers(&model, &text::Sources::default(), asked, &usual());
        said.into_iter().filter(|it| is_comparable(&model, &it.0)).map(move |(name, said)| (name, fairness, said))
    };
    let ours: Vec<(String, Fairness, Said)> =
        [Fairness::None, Fairness::Weak].into_iter().flat_map(ask).filter(|it| it.2.is_violated().is_some()).collect();
    let questions: Vec<(About, bool)> = ours.iter().map(|it| (About::named(&it.0), it.1 == Fairness::Weak)).collect();
    let own = run::file(path, Budget { states: 300_000, ..BUDGET }).kinds;
    let theirs = spin.ask_temporal_file(path, &questions);
    let judge = |((name, fairness, said), theirs): (&(String, Fairness, Said), &testkit::spin_temporal::SpinSaid)| {
        let word = match (said.is_violated(), theirs.is_violated(&own)) {
            (ours, theirs) if ours == theirs => "same",
            (_, None) => "not compared",
            _ if is_known(path) => "known",
            _ => "different",
        };
        (word, format!("{} {name} {fairness:?}: ours: {said}; SPIN: {theirs:?}", path.display()))
    };
    ours.iter().zip(&theirs).map(judge).collect()
}
