//! Properties of whole executions: random models with random properties have one answer in every way.
use std::time::Duration;

use engine::Fairness;
use testkit::random::{self, Language, RandomModel};
use testkit::run::{self, Budget};
use testkit::suite::random_seeds;
use testkit::temporal::{Asked, Said, compare_ways};
use testkit::{parallel, shrink};

/// What one property may cost.
const BUDGET: Budget = Budget { states: 4_000, time: Duration::from_secs(5) };

/// All that may be asked of a scheduler.
const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

fn asked(fairness: Fairness) -> Asked {
    Asked { fairness, progress: true, budget: BUDGET }
}

/// What the definition says about a text, and who says something else.
fn compared(text: &str) -> (Vec<Said>, Vec<String>) {
    let (compiled, sources) = run::compile_text(text);
    let wrong = compiled.diagnostics.iter().any(text::Diagnostic::is_error);
    let Some(model) = compiled.model.filter(|_| !wrong) else { return (Vec::new(), Vec::new()) };
    let (mut said, mut contradictions) = (Vec::new(), Vec::new());
    for fairness in FAIRNESS {
        let (answers, others) = compare_ways(&model, &sources, asked(fairness));
        said.extend(answers.into_iter().map(|it| it.1));
        contradictions.extend(others);
    }
    (said, contradictions)
}

/// `PROM_TEMPORAL=5000 cargo test -p testkit --test it temporal_random -- --nocapture`
///
/// `PROM_SEED` is the first seed; `MODEL_SEED=<n>` tries that one alone.
#[test]
fn temporal_random_pairs_have_one_answer_in_every_way() {
    let seeds = random_seeds("PROM_TEMPORAL", 0, 100);
    let results = parallel::map(&seeds, |&seed| {
        let pair = random::model_with_properties(seed, Language::Ours);
        let (said, contradictions) = compared(&pair.text());
        let shown = (!contradictions.is_empty()).then(|| explain(&pair, &contradictions));
        (said, shown)
    });
    let said: Vec<&Said> = results.iter().flat_map(|it| &it.0).collect();
    let share =
        |violated| said.iter().filter(|it| it.is_violated() == Some(violated)).count() * 100 / said.len().max(1);
    let (violated, held) = (share(true), share(false));
    println!("{} questions about {} models: {violated} % violated, {held} % hold", said.len(), seeds.len());
    let different: Vec<&String> = results.iter().filter_map(|it| it.1.as_ref()).collect();
    different.iter().take(5).for_each(|it| println!("{it}"));
    assert!(different.is_empty(), "{} of {} models: see above", different.len(), seeds.len());
    assert!(seeds.len() < 100 || (violated >= 20 && held >= 20), "the questions are too easy");
}

/// A contradiction on a model that is as small as possible.
fn explain(pair: &RandomModel, contradictions: &[String]) -> String {
    let effort = shrink::Effort { attempts: 400, time: Duration::from_secs(60) };
    let small = shrink::shrink(&pair.tree, effort, &mut |it| !compared(&it.print()).1.is_empty()).print();
    let left = compared(&small).1;
    format!("MODEL_SEED={}\n{}\nsmaller:\n{small}\n{}\n", pair.seed, contradictions.join("\n"), left.join("\n"))
}
