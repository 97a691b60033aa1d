//! What each step of a model is to the others, in words: why it may go first, or why not.
use std::fmt::Write;

use model::semantics::Semantics;
use model::{Initial, Model, Variable};
use reduction::facts::Facts;
use reduction::footprint::{Clash, Thing};
use reduction::{Class, Condition, Obstacle, Stage, classes};
use text::Sources;

use crate::check::{Opened, open};
use crate::{Checked, Input};

/// Reads a model, and lists all steps of all processes that exist at once.
pub fn independence(input: &Input, front: &front_promela::Options) -> (Checked, Option<String>) {
    let Opened { checked, model, .. } = open(input, front, &[]);
    let text = model.map(|model| list(&model, &checked.sources));
    (checked, text)
}

fn list(model: &Model, sources: &Sources) -> String {
    let facts = Facts::new(model);
    if let Some(why) = facts.refusal() {
        return format!("No step may go first: {why}.\n");
    }
    let system = Semantics::new(model);
    let Some(stage) = engine_explicit::largest_stage(&facts, &system) else {
        return "There is no initial state.\n".into();
    };
    let words = Words { model, stage: &stage };
    let mut text = String::new();
    for (row, classes) in classes(&facts, &stage).iter().enumerate() {
        let _ = writeln!(text, "{}", words.actor(row));
        let process = model.process(stage.actors[row].ty);
        let rests = process.resting();
        for (edge, class) in process.edges.iter().zip(classes).filter(|it| rests[it.0.source.0 as usize]) {
            let line = sources.place(edge.span).line;
            let _ = writeln!(text, "  line {line:4}  {:32}  {}", edge.text, words.class(*class));
        }
    }
    text
}

/// Says things about a stage.
struct Words<'a> {
    model: &'a Model,
    stage: &'a Stage,
}

impl Words<'_> {
    fn actor(&self, row: usize) -> String {
        let name = &self.model.process(self.stage.actors[row].ty).name;
        match self.stage.actors[row].number {
            Some(number) => format!("{name} ({number})"),
            None => format!("{name} (to be created)"),
        }
    }

    fn class(&self, class: Class) -> String {
        match class {
            Class::Local => "local".into(),
            Class::Safe => "safe".into(),
            Class::SafeWhile(condition) => format!("safe while {}", self.condition(condition)),
            Class::Unsafe(obstacle) => format!("not safe: {}", self.obstacle(obstacle)),
        }
    }

    fn condition(&self, condition: Condition) -> String {
        match condition {
            Condition::IsYoungest => "it is the youngest process".into(),
            Condition::HasMessage(channel) => format!("{} has a message", self.channel(channel)),
            Condition::HasRoom(channel) => format!("{} has room", self.channel(channel)),
        }
    }

    fn obstacle(&self, obstacle: Obstacle) -> String {
        match obstacle {
            Obstacle::Clash(clash, other) => format!("shares {} with {}", self.clash(clash), self.actor(other)),
            Obstacle::Visible => "a property can see it".into(),
            Obstacle::Rendezvous => "half of a rendezvous".into(),
            Obstacle::Timeout => "waits for all others".into(),
            Obstacle::UnknownChannel => "waits for a channel that is not always the same".into(),
            Obstacle::OwnsChannels => "takes channels away that others may use".into(),
        }
    }

    fn clash(&self, clash: Clash) -> String {
        match clash {
            Clash::Thing(Thing::Global(variable, element)) => {
                element_name(&self.model.globals[variable.0 as usize], element as usize)
            }
            Clash::Thing(Thing::Own(row, variable)) => {
                let process = self.model.process(self.stage.actors[row].ty);
                format!("`{}:{}`", process.name, process.variables[variable.0 as usize].name)
            }
            Clash::Thing(Thing::At(row, _)) => format!("the location of {}", self.actor(row)),
            Clash::Channel => "an end of a channel".into(),
            Clash::Readiness => "whether somebody is ready for a rendezvous".into(),
            Clash::Processes => "which processes exist".into(),
            Clash::Timeout => "whether nothing else can move".into(),
        }
    }

    /// A channel by the name of the global variable that it was created with, or by its number.
    fn channel(&self, number: u8) -> String {
        let mut first = 1;
        for variable in self.model.globals.iter().filter(|it| matches!(it.initial, Initial::Channels(_))) {
            let elements = variable.elements();
            if (first..first + elements).contains(&usize::from(number)) {
                return element_name(variable, usize::from(number) - first);
            }
            first += elements;
        }
        format!("channel {number}")
    }
}

/// An element of a variable; of several dimensions the last one is counted on.
fn element_name(variable: &Variable, element: usize) -> String {
    let name = variable.name.replace("[]", "");
    if variable.dimensions.is_empty() { format!("`{name}`") } else { format!("`{name}[{element}]`") }
}
