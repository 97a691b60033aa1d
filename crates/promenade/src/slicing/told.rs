//! Why statements are kept, in words.
use std::collections::HashSet;

use model::variables::{Name, types};
use model::{Edge, EdgeId, Effect, Model, ProcessTypeId};
use slice::{Because, Origin, Slice, Thing, Why};
use text::Sources;

/// A statement that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The process type.
    pub process: String,
    /// The line where it stands.
    pub line: u32,
    /// The statement.
    pub statement: String,
    /// Why it is kept.
    pub because: String,
}

/// Why each statement of a slice is kept, in the order of the text; `question` is what is asked.
pub fn told(model: &Model, slice: &Slice, sources: &Sources, question: &str) -> Vec<Told> {
    let teller = Teller { model, sources, why: Why::new(model, slice), question };
    let mut list: Vec<((u32, u32), Told)> = Vec::new();
    let mut seen = HashSet::new();
    for (owner, edge, because) in teller.why.all() {
        let it = teller.edge(owner, edge);
        if because != Because::Ends && seen.insert((owner, teller.line(it), &it.text)) {
            let told = Told {
                process: model.process(owner).name.clone(),
                line: teller.line(it),
                statement: it.text.clone(),
                because: teller.words(owner, because),
            };
            list.push(((owner.0, it.span.start), told));
        }
    }
    list.sort_by_key(|it| it.0);
    list.into_iter().map(|it| it.1).collect()
}

/// How many statements a model has; what an inline writes in one line of two processes are two.
pub fn statements(model: &Model, sources: &Sources) -> usize {
    let all = types(model).flat_map(|(owner, it)| it.edges.iter().map(move |edge| (owner, edge)));
    let real = all.filter(|it| !it.1.effects.contains(&Effect::Terminate));
    real.map(|(owner, it)| (owner, sources.place(it.span).line, &it.text)).collect::<HashSet<_>>().len()
}

struct Teller<'a> {
    model: &'a Model,
    sources: &'a Sources,
    why: Why<'a>,
    question: &'a str,
}

impl Teller<'_> {
    fn edge(&self, owner: ProcessTypeId, edge: EdgeId) -> &Edge {
        self.model.process(owner).edge(edge)
    }

    fn line(&self, edge: &Edge) -> u32 {
        self.sources.place(edge.span).line
    }

    fn words(&self, owner: ProcessTypeId, because: Because) -> String {
        match because {
            Because::Stores(name) => {
                format!("changes `{}`, {}", self.name(name), self.asked("which", Thing::Variable(name)))
            }
            Because::Uses(name) => {
                format!("uses the channel `{}`, {}", self.name(name), self.asked("on which", Thing::Contents(name)))
            }
            Because::Asserts => "is an assertion".into(),
            Because::MayFail => "may go wrong".into(),
            Because::Creates => "creates a process".into(),
            Because::Ends => "ends the process".into(),
            Because::Seen => "is a place that somebody asks for".into(),
            Because::Decides(other) => {
                let other = self.edge(owner, other);
                format!("decides about `{}` in line {}", other.text, self.line(other))
            }
            Because::Waits => "may have to wait, or go on for ever".into(),
        }
    }

    fn name(&self, name: Name) -> &str {
        &name.declared(self.model).name
    }

    /// Who asked for something.
    fn asked(&self, word: &str, thing: Thing) -> String {
        match self.why.origin(thing) {
            Some(Origin::Step(owner, edge)) => {
                let it = self.edge(owner, edge);
                let verb = if word == "which" { "reads" } else { "depends" };
                format!("{word} `{}` in line {} {verb}", it.text, self.line(it))
            }
            Some(Origin::FirstValue(name)) => format!("{word} the first value of `{}` depends", self.name(name)),
            Some(Origin::Property) | None if word == "which" => format!("which {} reads", self.question),
            Some(Origin::Property) | None => format!("{word} {} depends", self.question),
        }
    }
}
