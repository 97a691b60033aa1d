//! Safety: assertions, ends and run-time errors, asked of as much of a model as there is room for.
//!
//! The answer to safety includes which statements are never reached, and a [slice](crate::slicing) knows nothing of what it leaves out. So the whole model is asked first; of it only values are left
//! out that nobody looks at. Where that has no room for all states, the slice for safety is asked, with the time that is left: every execution of
//! the model is one of the slice, so that what holds there holds; what is violated there is lifted and replayed. Then which statements are never reached is not known, and none is listed. Only what the slice has no room for
//! either is [handed over](crate::hand_over) to the symbolic engine.
//!
//! A store that may leave out states is no exception: nothing holds because it has found nothing, in a slice as little as in a model.
use std::time::{Duration, Instant};

use engine::{Finding, Limits, Verdict, Watch, Why};
use model::Model;
use model::semantics::Semantics;
use report::{Answer, Outcome, Terms};
use slice::Slice;
use text::{Diagnostic, Sources};

use crate::check::{assess, search};
use crate::hand_over::{self, Handed, hand_over};
use crate::slicing::{self, Slicing};
use crate::{Engine, Options, memory, reduce};

/// The question whether a model is safe.
pub struct Safety<'a> {
    model: &'a Model,
    /// Who looks at whole executions does not matter here.
    plain: Model,
    property: &'a str,
    sources: &'a Sources,
    setup: Duration,
    began: Instant,
}

/// What is searched.
struct Part {
    slice: Option<Slice>,
    smaller: Model,
    /// With the reduction that it has.
    options: Options,
    /// Why it has that one.
    because: Option<&'static str>,
    /// What it took to get here.
    taken: Duration,
}

/// What came of asking a slice.
enum Asked {
    /// There was no reason to.
    No,
    /// Nothing: a sentence that says why.
    Nothing(String),
    /// An answer.
    Answer(Box<(Outcome, Finding)>),
}

impl<'a> Safety<'a> {
    /// Of a model; `setup` is what it took to get it.
    pub fn new(model: &'a Model, property: &'a str, sources: &'a Sources, setup: Duration) -> Self {
        let plain = Model { temporal_properties: Vec::new(), ..model.clone() };
        Safety { model, plain, property, sources, setup, began: Instant::now() }
    }

    /// The answer, and what was found.
    pub fn check(&self, options: &Options, watch: &mut dyn Watch) -> Result<(Outcome, Finding), Diagnostic> {
        let part = self.part(options);
        let finding = part.search(watch)?;
        let said = match self.ask_slice(&part, &finding, options, watch)? {
            Asked::Answer(answer) => return Ok(*answer),
            Asked::Nothing(said) => Some(said),
            Asked::No => None,
        };
        let first = hand_over::told(&finding);
        let spent = Options { limits: self.left(&part.options, &finding), ..part.options.clone() };
        let question = &part.options.question;
        let ask = |limits: &_, plan| engine_symbolic::symbolic(&part.smaller, question, limits, plan, watch);
        let mut handed = hand_over(finding, &spent, ask);
        if let Some(said) = said {
            handed.because = Some(format!("{} {said}", handed.because.unwrap_or(first)));
        }
        match self.told(&part, handed) {
            Some((outcome, finding)) => Ok((self.advised(outcome, &finding, &part, options), finding)),
            None => {
                let whole = slicing::about_the_whole(options, self.began);
                Safety::new(self.model, self.property, self.sources, self.setup).check(&whole, watch)
            }
        }
    }

    /// What is to be searched with these options.
    fn part(&self, options: &Options) -> Part {
        let began = Instant::now();
        let slice = slicing::sliced(&self.plain, slicing::of_safety(options), options);
        let smaller = optimize::optimize(slice.as_ref().map_or(&self.plain, |it| &it.model), &options.optimize);
        let (options, because) = reduce::decide(&smaller, options);
        Part { slice, smaller, options, because, taken: self.setup + began.elapsed() }
    }

    /// Asks the slice for safety what there was no room for.
    fn ask_slice(
        &self,
        whole: &Part,
        found: &Finding,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Asked, Diagnostic> {
        let (Verdict::Unknown(Why::MemoryLimit(_)), Engine::Explicit(_)) = (&found.verdict, options.engine) else {
            return Ok(Asked::No);
        };
        let limits = self.limits_left(options);
        let Some(part) = self.narrower(whole, &Options { limits, ..options.clone() }) else { return Ok(Asked::No) };
        if part.options.limits.time.is_some_and(|it| it.is_zero()) {
            return Ok(Asked::Nothing("There was no time left for a slice of the model.".into()));
        }
        let finding = part.search(watch)?;
        if let Verdict::Unknown(why) = &finding.verdict {
            let why = hand_over::unanswered(why);
            return Ok(Asked::Nothing(format!("The slice of the model was asked first, and has no answer: {why}.")));
        }
        let first = hand_over::told(found);
        let because = format!(
            "{first} So the slice of the model was asked, which has all that matters to {}; which statements are never reached is not known.",
            self.property
        );
        let handed = Handed { found: finding, options: part.options.clone(), because: Some(because) };
        Ok(match self.told(&part, handed) {
            Some((outcome, finding)) => Asked::Answer(Box::new((Outcome { coverage: Vec::new(), ..outcome }, finding))),
            None => Asked::Nothing("What the slice of the model violates is no violation of the model.".into()),
        })
    }

    /// The slice for safety, if it is asked for only when it is needed, and leaves out more than what was searched.
    fn narrower(&self, whole: &Part, options: &Options) -> Option<Part> {
        let full = Options { slice: Slicing::Full, ..options.clone() };
        let part = (options.slice == Slicing::Auto).then(|| self.part(&full))?;
        let searched = whole.slice.as_ref().map_or(&self.plain, |it| &it.model);
        part.slice.as_ref().is_some_and(|it| it.is_smaller_than(searched)).then_some(part)
    }

    /// What is left to spend.
    fn limits_left(&self, options: &Options) -> Limits {
        let room = memory::available().map_or(u64::MAX, |it| it / 10 * 9);
        let time = options.limits.time.map(|it| it.saturating_sub(self.began.elapsed()));
        Limits { time, memory: options.limits.memory.map(|it| it.min(room)), ..options.limits.clone() }
    }

    /// The limits of a search that took what it took and all that was spent after it.
    fn left(&self, options: &Options, found: &Finding) -> Limits {
        let later = self.began.elapsed().saturating_sub(found.statistics.elapsed);
        Limits { time: options.limits.time.map(|it| it.saturating_sub(later)), ..options.limits.clone() }
    }

    /// What a finding about a part says about the model; nothing if that is doubtful.
    fn told(&self, part: &Part, handed: Handed<Finding>) -> Option<(Outcome, Finding)> {
        let Handed { found, options: used, because } = handed;
        let finding = match &part.slice {
            None => found,
            Some(slice) => slicing::lifted(found, slice, &self.plain)?,
        };
        // Processes, locations and edges have the same numbers in both.
        let system = Semantics::new(self.model);
        let terms = Terms { system: &system, sources: self.sources };
        let mut outcome = assess(self.property, &finding, terms, &used, part.taken);
        if part.slice.is_some() && outcome.violations.iter().any(|it| it.kind == "internal") {
            return None;
        }
        outcome.method.reduction_because = part.because.filter(|_| matches!(used.engine, Engine::Explicit(_)));
        outcome.method.engine_because = because;
        outcome.method.optimizations.extend(part.slice.as_ref().map(|_| "slice"));
        Some((outcome, finding))
    }

    /// Where time was not enough there is none left for a slice; that there is one is worth saying.
    fn advised(&self, mut outcome: Outcome, found: &Finding, part: &Part, options: &Options) -> Outcome {
        if let (Answer::Unknown(reason), Verdict::Unknown(Why::TimeLimit(_))) = (&mut outcome.answer, &found.verdict)
            && self.narrower(part, options).is_some()
        {
            reason.advice += " `--slice full` searches less, and does not say which statements are never reached.";
        }
        outcome
    }
}

impl Part {
    fn search(&self, watch: &mut dyn Watch) -> Result<Finding, Diagnostic> {
        let found = search(&self.smaller, &self.options, watch)?;
        Ok(reduce::shortened(found, &self.smaller, &self.options, watch))
    }
}
