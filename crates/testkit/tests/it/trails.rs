//! Counterexamples in files: read back, and followed by SPIN.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::Limits;
use model::{Effect, Model};
use promenade::{Input, Options, check, replay, trail_of};
use report::{Answer, Trail, Violation};
use testkit::corpus::{folder, workspace};
use testkit::literate::{cases, files};
use testkit::parallel;
use testkit::run;
use testkit::spin::Spin;
use testkit::spin_temporal::About;
use testkit::spin_trail::{Statements, Written};
use testkit::suite::corpus_files;

/// Where a trace can go that nobody else writes.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trails");
    fs::create_dir_all(&folder).expect("a folder for scratch files");
    folder.join(name)
}

/// A counterexample and its two files.
struct Kept {
    property: String,
    violation: Violation,
    file: PathBuf,
}

/// The first counterexample of each property of a model that is violated.
fn kept(input: &Input, name: &str) -> Vec<Kept> {
    let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::default() };
    let options = Options { limits, progress: true, ..Options::default() };
    let names: Vec<String> = match check(input, &options, &mut ()).report {
        Some(report) => {
            let violated = report.results.into_iter().filter(|it| it.answer == Answer::Violated);
            violated.map(|it| it.property).collect()
        }
        None => Vec::new(),
    };
    let keep = |(row, property): (usize, String)| {
        let file = scratch(&format!("{name}-{row}"));
        let options = Options { only: vec![property.clone()], trace: Some(file.clone()), ..options.clone() };
        let report = check(input, &options, &mut ()).report?;
        let violation = report.results.into_iter().next()?.violations.into_iter().next()?;
        file.exists().then_some(Kept { property, violation, file })
    };
    names.into_iter().enumerate().filter_map(keep).collect()
}

/// What a replay says, and how many steps it took.
fn replayed(input: &Input, file: &Path) -> Result<(String, usize), String> {
    let (checked, replayed) = replay(input, file, &front_promela::Options::default());
    let said = checked.diagnostics.iter().map(|it| it.message.clone()).collect::<Vec<_>>().join("\n");
    replayed.map(|it| (it.says, it.violation.length)).ok_or(said)
}

/// The models of the literate cases.
fn literate() -> Vec<(String, Input)> {
    let mut inputs = Vec::new();
    for path in files(&workspace().join("tests/literate")) {
        let text = fs::read_to_string(&path).expect("a text");
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for case in cases("literate", &text).expect("cases").iter().filter(|it| !it.pv && it.beside.is_empty()) {
            let input = Input::Bytes { name: "model.pml".into(), bytes: case.text().into_bytes() };
            inputs.push((format!("{stem}-{}", case.line), input));
        }
    }
    inputs
}

#[test]
fn every_counterexample_is_read_back() {
    let wrong = parallel::map(&literate(), |(name, input)| {
        let judge = |it: Kept| {
            let (own, trail) = (replayed(input, &it.file), replayed(input, &trail_of(&it.file)));
            let length = it.violation.length;
            let is_same = |it: &Result<(String, usize), String>| it.as_ref().is_ok_and(|it| it.1 == length);
            // What is wrong with whole executions does not show at the end of a trail.
            let is_shown =
                |trail: &(String, usize)| it.property != "safety" || trail.0.ends_with(&it.violation.message);
            let fine = is_same(&own) && is_same(&trail) && trail.as_ref().is_ok_and(is_shown);
            (!fine).then(|| format!("{name} {}: {:?}\n  {own:?}\n  {trail:?}", it.property, it.violation.message))
        };
        kept(input, name).into_iter().map(judge).collect::<Vec<_>>()
    });
    let all: Vec<Option<String>> = wrong.into_iter().flatten().collect();
    let wrong: Vec<String> = all.iter().flatten().cloned().collect();
    println!("{} counterexamples were read back", all.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() > 200, "only {} counterexamples", all.len());
}

#[test]
fn a_trail_with_a_statement_that_is_not_there_is_refused() {
    let (mut refused, mut tried) = (0, 0);
    for (name, input) in literate().iter().step_by(5) {
        for it in kept(input, &format!("damaged-{name}")).iter().filter(|it| it.violation.length > 1) {
            let text = fs::read_to_string(trail_of(&it.file)).expect("a trail");
            let mut trail = Trail::read(&text).expect("a trail");
            trail.lines[0].statement += 1;
            fs::write(&it.file, trail.text()).expect("a scratch file");
            tried += 1;
            refused += usize::from(replayed(input, &it.file).is_err_and(|it| it.starts_with("step 1 of the trail")));
        }
    }
    // The next statement may be another option of the same choice.
    assert!(tried > 20 && refused * 10 > tried * 8, "{refused} of {tried}");
}

/// As SPIN numbers them, from 0: `spin -o1 -o2 -o3 -a`, and the first number of each `settr` in `pan.t`.
#[test]
fn statements_are_numbered_as_spin_creates_them() {
    let text = "byte x; chan q = [0] of { byte };
        active proctype A() { byte i; do :: i < 2 -> i++ :: else -> break od; q!3; assert(x == 5) }
        active proctype B() { byte v; { q?v; skip } unless { x > 9 }; x = 1 unless x > 20; d_step { x++; x++ } }";
    let model = run::model(text).expect("a model");
    let mut numbers = Vec::new();
    for process in &model.processes {
        let visible = process.edges.iter().filter(|it| !process.location(it.source).internal);
        numbers.extend(visible.map(|it| (it.statement, it.text.as_str())));
    }
    numbers.sort_unstable();
    numbers.dedup();
    let expected = [
        (0, "i < 2"),
        (1, "i++"),
        (2, "else"),
        (7, "q!3"),
        (8, "assert(x == 5)"),
        (9, "-end-"),
        (10, "q?v"),
        (11, "skip"),
        (12, "x > 9"),
        (15, "x > 20"),
        (16, "x = 1"),
        (21, "d_step { x++; x++ }"),
        (22, "-end-"),
    ];
    assert_eq!(numbers, expected);
}

/// The files of the corpus and SPIN, if both are there and SPIN was asked for.
fn corpus_and_spin() -> Option<(Vec<PathBuf>, Spin)> {
    let (Some(folder), Some(spin), true) = (folder(), Spin::find(), std::env::var_os("PROM_SPIN").is_some()) else {
        println!("skipped: needs PROM_SPIN=1, SPIN and ../shared/corpus");
        return None;
    };
    let files = ["corners", "spin-examples", "case-studies", "beem"].map(|it| corpus_files(&folder, it)).concat();
    Some((files, spin))
}

/// `PROM_SPIN=1 cargo test --release -p testkit --test it trails -- --nocapture`
#[test]
fn statements_of_the_corpus_have_spins_numbers() {
    let Some((files, spin)) = corpus_and_spin() else { return };
    let compared = parallel::map(&files, |file| {
        let (model, statements) = (run::model_of(file)?, spin.statements(file)?);
        Some(different_numbers(&model, &statements).map(|it| format!("{}: {it}", file.display())))
    });
    let compared: Vec<Option<String>> = compared.into_iter().flatten().collect();
    let wrong: Vec<String> = compared.iter().flatten().cloned().collect();
    println!("{} models, {} different\n{}", compared.len(), wrong.len(), wrong.join("\n"));
    assert!(wrong.is_empty() && compared.len() > 400);
}

/// A statement that has another number, or is of another kind, if there is one.
fn different_numbers(model: &Model, theirs: &Statements) -> Option<String> {
    let mut rows = theirs.values();
    for process in &model.processes {
        // Claims and traces have rows, too.
        let visible = || process.edges.iter().filter(|it| !process.location(it.source).internal);
        let fits = |row: &BTreeMap<u32, String>| {
            visible().all(|it| row.get(&it.statement).is_some_and(|text| is_same_kind(it, text)))
        };
        if !rows.any(fits) {
            return Some(format!("{} has no process like it", process.name));
        }
    }
    None
}

/// Whether a statement may have this text for SPIN.
fn is_same_kind(edge: &model::Edge, text: &str) -> bool {
    let is = |prefix: &str| text.starts_with(prefix);
    let ours = |prefix: &str| edge.text.starts_with(prefix);
    (edge.effects == [Effect::Terminate]) == is("-end-")
        && edge.otherwise == (is("else") || edge.otherwise && is("D_STEP"))
        && ours("assert") == is("assert")
        && ours("printf") == is("printf")
        && edge.effects.iter().any(|it| matches!(it, Effect::Indivisible(_))) == is("D_STEP")
}

/// Where SPIN's simulator does something else than its verifier, so that it cannot follow its own trails either.
const KNOWN: &[(&str, &str)] = &[
    ("bitarr.pml", "the simulator truncates elements of arrays of bits, the verifier does not"),
    ("boolarr.pml", "the same"),
    ("div0.pml", "the simulator crashes"),
    ("mod0.pml", "the same"),
    ("dstepblock.pml", "the simulator takes the part of the d_step before the error, and shows what it changed"),
    ("run255.pml", "the simulator does not know the error, and blocks"),
    ("run255b.pml", "the simulator does not know the error, and goes on"),
    ("rvpoll.pml", "the same"),
    ("rvpoll2.pml", "the same"),
    ("uninitq.pml", "the same"),
    ("uninitr.pml", "the same"),
    ("stdin.pml", "the simulator reads standard input where the verifier sees a channel without a value"),
    ("wordcount.pml", "the same"),
];

/// `PROM_SPIN=1 cargo test --release -p testkit --test it trails -- --nocapture`
#[test]
fn spin_follows_trails_to_the_same_error() {
    let Some((files, spin)) = corpus_and_spin() else { return };
    let results = parallel::map(&files, |file| {
        let stem = file.strip_prefix(file.ancestors().nth(3).unwrap_or(file)).unwrap_or(file).display().to_string();
        let all = kept(&Input::File(file.clone()), &format!("spin-{}", stem.replace('/', "-")));
        all.iter().map(|it| judge(&spin, file, it)).collect::<Vec<_>>()
    });
    let mut tally = BTreeMap::new();
    for (word, line) in results.iter().flatten() {
        *tally.entry(*word).or_insert(0) += 1;
        if *word != "same" {
            println!("{word}: {line}");
        }
    }
    println!("{tally:?}");
    assert!(!tally.contains_key("different") && tally.get("same") > Some(&300), "see above");
}

/// Models with a `never` claim and no other property: those of the corpus, and literate cases in files of their own. Left out are `_last`, for which `pan -r` does not follow
/// its own trail either, and `timeout`.
fn with_claims(corpus: &[PathBuf]) -> Vec<PathBuf> {
    let is_claim =
        |it: &[model::TemporalProperty]| matches!(it, [it] if matches!(it.meaning, model::Meaning::Claim(_)));
    let mut files = corpus.to_vec();
    for (name, input) in literate() {
        let Input::Bytes { bytes, .. } = input else { continue };
        let file = scratch(&format!("claim-{name}.pml"));
        fs::write(&file, bytes).expect("a scratch file");
        files.push(file);
    }
    let is_known = |it: &PathBuf| {
        let text = String::from_utf8_lossy(&fs::read(it).unwrap_or_default()).into_owned();
        !text.contains("_last") && !text.contains("timeout")
    };
    let has_claim = |it: &PathBuf| run::model_of(it).is_some_and(|it| is_claim(&it.temporal_properties));
    files.into_iter().filter(|it| is_known(it) && has_claim(it)).collect()
}

/// `PROM_SPIN=1 cargo test --release -p testkit --test it trails_with_claims -- --nocapture`
#[test]
fn pan_follows_trails_with_claims_and_no_damaged_one() {
    let Some((files, spin)) = corpus_and_spin() else { return };
    let results = parallel::map(&with_claims(&files), |file| {
        let all = kept(&Input::File(file.clone()), &format!("pan-r-{}", file.display().to_string().replace('/', "-")));
        all.iter().filter_map(|it| repeat(&spin, file, it)).collect::<Vec<_>>()
    });
    let (mut followed, mut damaged) = (0, 0);
    let mut wrong = Vec::new();
    for (line, is_followed, is_refused) in results.into_iter().flatten() {
        followed += usize::from(is_followed);
        damaged += usize::from(is_refused);
        if !is_followed || !is_refused {
            wrong.push(line);
        }
    }
    println!("{followed} trails with claims followed, {damaged} damaged ones refused\n{}", wrong.join("\n"));
    assert!(wrong.is_empty() && followed > 20, "see above");
}

/// What pan makes of a trail with the moves of a claim, and of the same with a wrong move.
fn repeat(spin: &Spin, file: &Path, kept: &Kept) -> Option<(String, bool, bool)> {
    let text = fs::read_to_string(trail_of(&kept.file)).expect("a trail");
    let mut trail = Trail::read(&text).expect("a trail");
    let (violation, last) = (&kept.violation, trail.claim_moves.len().checked_sub(1)?);
    let said = spin.repeat(file, &text, &kept.property)?;
    let same = |(name, value): &(String, String)| {
        said.values.get(name).is_none_or(|other| other == value || value.contains('[') || has_name(value))
    };
    // The cycle of both may begin elsewhere than that of the system alone.
    let is_cycle = violation.cycle_start.is_some();
    let is_followed = said.lost.is_none()
        && said.cycle == is_cycle
        && said.claim_end == (violation.kind == "claim-end")
        && (is_cycle || violation.last.globals.iter().all(same));
    trail.claim_moves[last].statement += 1000;
    let is_refused = spin.repeat(file, &trail.text(), &kept.property).is_some_and(|it| it.lost.is_some());
    let line = format!("{} {}: {}; pan: {said:?}", file.display(), kept.property, violation.kind);
    Some((line, is_followed, is_refused))
}

/// `PROM_SPIN=1 cargo test --release -p testkit --test it trails_of_pan -- --nocapture`
#[test]
fn trails_of_pan_are_read_to_the_same_error() {
    let Some((files, spin)) = corpus_and_spin() else { return };
    let is_wanted =
        |it: &&PathBuf| ["spin-examples", "case-studies"].iter().any(|name| it.display().to_string().contains(name));
    let files: Vec<PathBuf> = files.iter().filter(is_wanted).cloned().collect();
    let results = parallel::map(&files, |file| read_back(&spin, file));
    let mut tally = BTreeMap::new();
    for (word, line) in results.iter().flatten() {
        *tally.entry(*word).or_insert(0) += 1;
        if *word != "same" {
            println!("{word}: {line}");
        }
    }
    println!("{tally:?}");
    assert!(!tally.contains_key("different") && tally.get("same") > Some(&120), "see above");
}

/// Every trail that pan writes about a model, and what a replay makes of it.
fn read_back(spin: &Spin, file: &Path) -> Vec<(&'static str, String)> {
    let names = run::model_of(file).map_or(Vec::new(), |model| {
        let stated = model.temporal_properties.iter().map(|it| About::named(&it.name));
        std::iter::once(None).chain(stated.map(Some)).collect()
    });
    let mut all = Vec::new();
    for (row, about) in names.iter().enumerate() {
        for optimised in [false, true] {
            let Some(Written { error, trail }) = spin.write_trail(file, about.as_ref(), optimised) else { continue };
            let place = scratch(&format!("pan-{}-{row}-{optimised}", file.display().to_string().replace('/', "-")));
            fs::write(&place, trail).expect("a scratch file");
            let (checked, replayed) = replay(&Input::File(file.into()), &place, &front_promela::Options::default());
            let found = replayed.as_ref().map(|it| it.violation.kind);
            let word = if is_same_error(&error, found) { "same" } else { "different" };
            let said = replayed.map_or_else(|| format!("{:?}", checked.diagnostics), |it| it.says);
            all.push((word, format!("{} {about:?} {optimised}: {error}: {said}", file.display())));
        }
    }
    all
}

/// Whether a replay found what pan did. SPIN writes an assertion into the claims that it makes of formulas.
fn is_same_error(error: &str, found: Option<&str>) -> bool {
    let expected: &[&str] = match error {
        "invalid end state" => &["invalid-end-state"],
        _ if error.starts_with("assertion violated - invalid array index") => &["array-index"],
        _ if error.starts_with("assertion violated") => &["assertion", "claim-end"],
        _ if error.starts_with("ref to uninitialized chan") => &["uninitialised-channel"],
        "acceptance cycle" | "accept stutter" => &["acceptance-cycle"],
        "end state in claim reached" => &["claim-end"],
        // Somebody asks about a channel of others.
        "error, partial order reduction invalid" => &["xr-xs"],
        _ => &[],
    };
    found.is_some_and(|it| expected.contains(&it))
}

#[test]
fn another_error_is_not_the_same() {
    assert!(is_same_error("acceptance cycle", Some("acceptance-cycle")));
    assert!(!is_same_error("acceptance cycle", Some("invalid-end-state")));
    assert!(!is_same_error("invalid end state", None));
}

/// What SPIN makes of a counterexample: a word, and what was said.
fn judge(spin: &Spin, file: &Path, kept: &Kept) -> (&'static str, String) {
    let text = fs::read_to_string(trail_of(&kept.file)).expect("a trail");
    let followed = spin.follow(file, &text);
    let violation = &kept.violation;
    let is_shown = |it: &testkit::spin_trail::Followed| {
        let line = violation.place.as_ref().map(|it| it.line).filter(|_| violation.kind == "assertion");
        let values = &violation.last.globals;
        let same = |(name, value): &(String, String)| {
            it.values.get(name).is_none_or(|other| other == value || value.contains('[') || has_name(other))
        };
        it.lost.is_none()
            && it.cycle == violation.cycle_start.is_some()
            && is_same_assertion(file, line, it.assertion)
            && values.iter().all(same)
    };
    let word = match &followed {
        Some(it) if is_shown(it) => "same",
        _ if KNOWN.iter().any(|it| file.ends_with(it.0)) => "known",
        _ => "different",
    };
    (
        word,
        format!(
            "{} {}: {} at {:?}; SPIN: {followed:?}",
            file.display(),
            kept.property,
            violation.kind,
            violation.place
        ),
    )
}

/// Whether two lines are of one assertion. SPIN says where a statement ends, not where it begins.
fn is_same_assertion(file: &Path, begins: Option<u32>, ends: Option<u32>) -> bool {
    let (Some(begins), Some(ends)) = (begins, ends) else { return begins == ends };
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let between = lines.get(begins as usize - 1..ends as usize).map(|it| it.join("\n"));
    begins == ends || between.is_some_and(|it| it.matches("assert").count() == 1)
}

/// Whether SPIN shows a value by a name, which it may take from another list.
fn has_name(value: &str) -> bool {
    value.parse::<i64>().is_err()
}
