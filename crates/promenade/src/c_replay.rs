//! A counterexample of a C program from a file, taken step by step.
//!
//! The model is made again, of the program as it is now, and the steps are taken there as those of any other model: a step fits if the statement of the model
//! is still the same. What is found is then told in terms of the program, as a check does.
use std::path::Path;

use report::{Scene, ShownStep, Story};

use crate::c_program::{ENDS, Program, Understood, understand};
use crate::c_verdict::{Lifting, is_same};
use crate::check::completed;
use crate::replay::{Given, Words, follow, read};
use crate::{Checked, Input, Options, Replayed};

/// Reads a program and a counterexample, and takes its steps.
pub(crate) fn replay(program: &Program, trace: &Path, front: &front_promela::Options) -> (Checked, Option<Replayed>) {
    let given = match read(trace) {
        Ok(given) => given,
        Err(error) => return (Checked { sources: Default::default(), diagnostics: vec![error], report: None }, None),
    };
    let once = |ends| taken(&Program { ends, ..program.clone() }, &given, trace, front);
    match &given {
        Given::Own(trace) => once(trace.model.ends_with(ENDS)),
        // A trail does not say which of the models it is of.
        Given::Spin(_) => match (once(false), once(true)) {
            ((_, None), (checked, Some(replayed))) => (checked, Some(replayed)),
            (first, _) => first,
        },
    }
}

/// Takes the steps on one of the models of a program.
fn taken(
    program: &Program,
    given: &Given,
    trace: &Path,
    front: &front_promela::Options,
) -> (Checked, Option<Replayed>) {
    let Understood { opened, sources, mut diagnostics, model } = match understand(program, front, &[]) {
        Ok(understood) => understood,
        Err(checked) => return (*checked, None),
    };
    let Some(own) = opened.model else { return (opened.checked, None) };
    let options = Options { progress: true, steps: usize::MAX, ..Options::default() };
    let own = completed(own, &options);
    let lifting = Lifting { model: &model, sources: &sources, reading: &program.reading, options: &options };
    let replayed = match follow(&own, &opened.name, &opened.checked.sources, given, trace, &lifting) {
        Ok(replayed) => {
            Some(Replayed { model: Input::Program(Box::new(program.clone())), ..lifting.replayed(replayed) })
        }
        Err(error) => {
            diagnostics.push(error);
            None
        }
    };
    (Checked { sources, diagnostics, report: None }, replayed)
}

impl Words for Lifting<'_> {
    /// As the file says it: its place was moved when it was written, and its statement is the model's.
    fn recorded(&self, step: &ShownStep) -> String {
        format!("`{}` in the model of {}", step.mover.statement, step.mover.place.short())
    }

    fn possible(&self, step: &ShownStep) -> String {
        let mut step = step.clone();
        let own = step.mover.statement.clone();
        self.step(&mut step, &mut Vec::new());
        format!("{}: {} (`{own}` in the model)", step.mover.place.short(), step.mover.statement)
    }
}

impl Lifting<'_> {
    /// What was replayed, in terms of the program.
    fn replayed(&self, replayed: Replayed) -> Replayed {
        let Replayed { says, mut violation, mut story, model } = replayed;
        let (before, limit) = (violation.message.clone(), self.limit(&violation));
        self.violation(&mut violation);
        if let Some(limit) = limit {
            violation.message = limit;
        }
        let says = if before.is_empty() { says } else { says.replace(&before, &violation.message) };
        self.story(&mut story);
        story.says.clone_from(&says);
        Replayed { says, violation, story, model }
    }

    fn story(&self, story: &mut Story) {
        for scene in &mut story.scenes {
            self.step(&mut scene.shown, &mut Vec::new());
        }
        story.tracks.retain(|it| !self.is_ours(&it.name));
        for track in &mut story.tracks {
            for (_, value) in &mut track.values {
                *value = self.lock_state(&track.name, value).unwrap_or_else(|| std::mem::take(value));
            }
        }
        let places = |it: &Scene| {
            [Some(&it.shown.mover), it.shown.partner.as_ref()].map(|it| it.map(|it| it.place.file.clone()))
        };
        let shown: Vec<String> = story.scenes.iter().flat_map(places).flatten().collect();
        let files = self.sources.files().filter(|it| shown.contains(&it.name));
        story.sources = files.map(|it| (it.name.clone(), it.text.clone())).collect();
        if story.cycle_start.is_none() {
            fold(story);
        }
    }
}

/// Steps of one thread at one statement, one after the other, are one scene, with what all of them did.
fn fold(story: &mut Story) {
    let mut number = vec![0; story.scenes.len() + 1];
    let mut folded: Vec<Scene> = Vec::new();
    for (row, scene) in std::mem::take(&mut story.scenes).into_iter().enumerate() {
        match folded.last_mut().filter(|it| is_same(&it.shown, &scene.shown)) {
            Some(last) => {
                last.shown.changes.extend(scene.shown.changes);
                last.happenings.extend(scene.happenings);
                last.processes = scene.processes;
            }
            None => folded.push(scene),
        }
        number[row + 1] = folded.len();
    }
    folded.iter_mut().enumerate().for_each(|(row, it)| it.shown.number = row + 1);
    story.scenes = folded;
    for (after, _) in story.tracks.iter_mut().flat_map(|it| &mut it.values) {
        *after = number.get(*after).copied().unwrap_or(*after);
    }
}
