//! All states and the steps between them as one picture, if there are few enough.
use drawing::{Edge, Graph, Node, Tone};
use engine::{Limits, Progress, Watch};
use engine_explicit::{Arrival, labelled};
use model::semantics::{Semantics, State, Step};
use report::{Snapshot, Terms};
use text::Diagnostic;

use crate::automata::wrapped;
use crate::check::{Opened, open};
use crate::{Checked, Input};

/// The graph of a model's states, if there are at most so many.
pub fn state_space(
    input: &Input,
    front: &front_promela::Options,
    most: usize,
    watch: &mut dyn Watch,
) -> (Checked, Option<Graph>) {
    let Opened { mut checked, model, .. } = open(input, front, &[]);
    let Some(model) = model else { return (checked, None) };
    let system = Semantics::new(&model);
    let terms = Terms { system: &system, sources: &checked.sources };
    let mut picture = Picture { terms, graph: Graph::default(), stuck: Vec::new(), most };
    let mut bound = Bound { most: most as u64, watch, passed: false };
    let explored = labelled(&system, &Limits::default(), &mut bound, &mut |it| picture.add(it));
    let passed = bound.passed;
    let drawn = picture.finished(&system);
    let why = match explored {
        Ok(Ok(states)) if states as usize <= most => return (checked, Some(drawn)),
        Ok(Ok(states)) => too_many(&states.to_string(), most),
        Err(_) if passed => too_many(&format!("more than {most}"), most),
        Ok(Err(_)) => Diagnostic::global("no-initial-state", "there is no initial state").help("`prom check` says why"),
        Err(why) => {
            let message = format!("not all states were visited: {}", report::Reason::from(&why).because);
            Diagnostic::global("incomplete", message)
        }
    };
    checked.diagnostics.push(why);
    (checked, None)
}

fn too_many(count: &str, most: usize) -> Diagnostic {
    let message = format!("the model has {count} states, and at most {most} are drawn");
    let help =
        "a larger picture: `--limit N`; a smaller model: other constants (`-D`); the graph as a file: `prom lts`";
    Diagnostic::global("too-many-states", message).help(help)
}

/// Stops when there are too many states.
struct Bound<'w> {
    most: u64,
    watch: &'w mut dyn Watch,
    passed: bool,
}

impl Watch for Bound<'_> {
    fn tick(&mut self, progress: &Progress) -> bool {
        self.passed |= progress.states > self.most;
        !self.passed && self.watch.tick(progress)
    }
}

struct Picture<'a> {
    terms: Terms<'a>,
    graph: Graph,
    /// States where nobody may stop for ever.
    stuck: Vec<usize>,
    most: usize,
}

impl Picture<'_> {
    fn add(&mut self, arrival: Arrival<'_>) {
        // Nothing will be drawn of what is too large.
        if arrival.source as usize > self.most {
            return;
        }
        let source = arrival.source as usize;
        let passed = arrival.passed(self.terms.system);
        let steps = passed.iter().zip(arrival.steps);
        let lines = steps.flat_map(|(from, it)| wrapped(&self.statements(from, *it))).collect();
        self.describe(source, arrival.from);
        let (target, tone) = match (arrival.target, passed.last()) {
            (Some(target), Some(state)) => {
                self.describe(target as usize, state);
                (target as usize, Tone::Plain)
            }
            _ => (source, Tone::Strong),
        };
        self.graph.edges.push(Edge { source, target, lines, tone });
    }

    /// Red: where nothing can move, and somebody should not stop there.
    fn finished(mut self, system: &Semantics<'_>) -> Graph {
        if let (true, Ok(initial)) = (self.graph.nodes.is_empty(), system.initial()) {
            self.describe(0, &initial);
        }
        let Picture { mut graph, stuck, .. } = self;
        graph.nodes.iter_mut().take(1).for_each(|it| it.initial = true);
        let leaves: std::collections::HashSet<usize> = graph.edges.iter().map(|it| it.source).collect();
        for row in stuck.into_iter().filter(|it| !leaves.contains(it)) {
            graph.nodes[row].tone = Tone::Strong;
        }
        graph
    }

    fn node(&mut self, row: usize) -> &mut Node {
        for row in self.graph.nodes.len()..=row {
            self.graph.nodes.push(Node { text: row.to_string(), ..Node::default() });
        }
        &mut self.graph.nodes[row]
    }

    fn describe(&mut self, row: usize, state: &State) {
        if self.node(row).hint.is_empty() {
            self.node(row).hint = words(&self.terms.snapshot(state));
            self.stuck.extend(self.terms.system.unfinished(state).map(|_| row));
        }
    }

    /// `P(1): c!2`, or `P(1): c!2 -> Q(2): c?x` of a rendezvous.
    fn statements(&self, from: &State, step: Step) -> String {
        let shown = self.terms.step(1, step, from, None);
        let halves = std::iter::once(&shown.mover).chain(&shown.partner);
        halves.map(|it| format!("{}: {}", it.process, it.statement)).collect::<Vec<_>>().join(" -> ")
    }
}

/// What everything is, line by line.
fn words(it: &Snapshot) -> String {
    let values = |owner: &str, list: &[(String, String)]| {
        list.iter().map(|(name, value)| format!("{owner}{name} = {value}")).collect::<Vec<_>>()
    };
    let mut lines = values("", &it.globals);
    for process in &it.processes {
        lines.push(format!("{} at line {}", process.process, process.place.line));
        lines.extend(values(&format!("{}.", process.process), &process.values));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, most: usize) -> (Option<Graph>, Vec<String>) {
        let input = Input::Bytes { name: "a.pml".into(), bytes: text.as_bytes().to_vec() };
        let (checked, graph) = state_space(&input, &front_promela::Options::default(), most, &mut ());
        (graph, checked.diagnostics.into_iter().map(|it| it.message).collect())
    }

    /// The receiver is created in the middle of the step in which it receives.
    const CREATED: &str = "chan c = [0] of { byte };
proctype P() { byte x; c?x; x = 3; false }
init { atomic { run P(); c!1 } }";

    #[test]
    fn all_states_are_drawn_and_the_deadlock_is_red() {
        let (graph, said) = drawn(CREATED, 10);
        let graph = graph.unwrap_or_else(|| panic!("{said:?}"));
        let red: Vec<&Node> = graph.nodes.iter().filter(|it| it.tone == Tone::Strong).collect();
        assert_eq!((graph.nodes.len(), graph.edges.len(), red.len()), (3, 2, 1), "{graph:?}");
        assert!(red[0].hint.contains("P(1).x = 3"), "{}", red[0].hint);
        assert_eq!(graph.edges[0].lines.join(" "), "init(0): run P() init(0): c!1 -> P(1): c?x");
    }

    #[test]
    fn a_model_with_too_many_states_is_not_drawn() {
        let (graph, said) = drawn(CREATED, 2);
        assert!(graph.is_none());
        assert_eq!(said, ["the model has 3 states, and at most 2 are drawn"]);
        let (graph, said) = drawn("byte x, y; active proctype P() { do :: x++ :: y++ od }", 50);
        assert!(graph.is_none());
        assert_eq!(said, ["the model has more than 50 states, and at most 50 are drawn"]);
    }
}
