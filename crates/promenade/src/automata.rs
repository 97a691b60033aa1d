//! Processes as pictures: what their graphs look like, which of their steps are never taken, which way a counterexample went.
//!
//! What is never taken is found by visiting all states of the plain semantics, without anything that would leave out a step. Where there are too
//! many of them nothing is grey, and that is said: what was not seen may still be there.
use std::collections::HashSet;
use std::path::PathBuf;

use drawing::{Graph, Tone};
use engine::{Progress, Watch};
use model::semantics::{Semantics, State, Step};
use model::{Edge, EdgeId, Effect, LocationId, Model, ProcessType, ProcessTypeId};
use text::{Diagnostic, Severity, Sources};

use crate::check::{Opened, open};
use crate::{Checked, Input, replay};

/// The longest line of a label.
const LINE: usize = 30;
/// The most lines of a label.
const LINES: usize = 5;
/// States between two looks at the clock.
const TICK: usize = 256;

/// What is to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Only the process with this name.
    pub process: Option<String>,
    /// A counterexample whose way is drawn.
    pub trace: Option<PathBuf>,
    /// The most states that are visited to find out what is never reached.
    pub most_states: usize,
}

/// The graphs of a model's processes, each with its title.
pub fn automata(
    input: &Input,
    front: &front_promela::Options,
    drawn: &Drawn,
    watch: &mut dyn Watch,
) -> (Checked, Option<Vec<(String, Graph)>>) {
    let replayed = match drawn.trace.as_deref().map(|it| replay(input, it, front)) {
        Some((checked, None)) => return (checked, None),
        Some((_, replayed)) => replayed,
        None => None,
    };
    let input = replayed.as_ref().map_or(input, |it| &it.model);
    let Opened { mut checked, model, .. } = open(input, front, &[]);
    let Some(model) = model else { return (checked, None) };
    let wanted = match wanted(&model, drawn.process.as_deref()) {
        Ok(wanted) => wanted,
        Err(error) => {
            checked.diagnostics.push(error);
            return (checked, None);
        }
    };
    let way = replayed.map(|it| way(&it.violation.trace.steps, &model));
    let taken = match steps_taken(&model, drawn.most_states, watch) {
        Ok(taken) => Some(taken),
        Err(why) => {
            checked.diagnostics.push(why);
            None
        }
    };
    let pictures = wanted.into_iter().map(|id| {
        let process = model.process(id);
        let tone = |edge: EdgeId| match (&way, &taken) {
            (Some(way), _) if way.contains(&(id, edge)) => Tone::Strong,
            (_, Some(taken)) if !taken.contains(&(id, edge)) => Tone::Faint,
            _ => Tone::Plain,
        };
        (process.name.clone(), Picture { process, sources: &checked.sources, tone: &tone }.graph())
    });
    let pictures = pictures.collect();
    (checked, Some(pictures))
}

/// The processes to draw: all, or the one with a name.
fn wanted(model: &Model, name: Option<&str>) -> Result<Vec<ProcessTypeId>, Diagnostic> {
    let all = || (0..model.processes.len()).map(|it| ProcessTypeId(it as u32));
    let Some(name) = name else { return Ok(all().collect()) };
    if let Some(id) = all().find(|it| model.process(*it).name == name) {
        return Ok(vec![id]);
    }
    let names: Vec<&str> = model.processes.iter().map(|it| &*it.name).collect();
    let list = format!("the processes of this model are: {}", names.join(", "));
    let help = text::closest(name, names).map_or(list.clone(), |it| format!("did you mean `{it}`? {list}"));
    Err(Diagnostic::global("unknown-process", format!("there is no process `{name}`")).help(help))
}

/// Steps of process types.
type Steps = HashSet<(ProcessTypeId, EdgeId)>;

/// The steps on the way of a counterexample.
fn way(steps: &[Step], model: &Model) -> Steps {
    let (system, mut way) = (Semantics::new(model), HashSet::new());
    let Ok(mut walk) = simulate::Walk::new(&system) else { return way };
    for &step in steps {
        add(&mut way, walk.here(), step);
        if !walk.follow(step) {
            break;
        }
    }
    way
}

fn add(steps: &mut Steps, state: &State, step: Step) {
    for (process, edge) in std::iter::once((step.process, step.edge)).chain(step.partner) {
        steps.insert((state.type_of(process.into()), edge));
    }
}

/// Every step that some execution takes, or why that is not known.
fn steps_taken(model: &Model, most: usize, watch: &mut dyn Watch) -> Result<Steps, Diagnostic> {
    let (system, mut taken) = (Semantics::new(model), HashSet::new());
    let Ok(initial) = system.initial() else { return Ok(taken) };
    let mut seen = HashSet::from([(initial.bytes().to_vec(), initial.exclusive)]);
    let mut waiting = vec![initial];
    while let Some(mut state) = waiting.pop() {
        let mut look = |state: &State| {
            system.moves(state, &mut |it| {
                add(&mut taken, state, it.step);
                let new = it.next.filter(|next| seen.insert((next.bytes().to_vec(), next.exclusive)));
                waiting.extend(new.cloned());
            })
        };
        if !look(&state) && state.exclusive.is_some() {
            system.release(&mut state);
            look(&state);
        }
        let progress = Progress { states: seen.len() as u64, ..Progress::default() };
        if seen.len() > most || seen.len().is_multiple_of(TICK) && !watch.tick(&progress) {
            return Err(unknown(most));
        }
    }
    Ok(taken)
}

fn unknown(most: usize) -> Diagnostic {
    let message =
        format!("there are more than {most} states; which steps are never taken is not known, and none is grey");
    let it = Diagnostic::global("not-all-visited", message).help("`--limit N` sets how many states are visited");
    Diagnostic { severity: Severity::Warning, ..it }
}

/// One process.
struct Picture<'a> {
    process: &'a ProcessType,
    sources: &'a Sources,
    tone: &'a dyn Fn(EdgeId) -> Tone,
}

impl Picture<'_> {
    /// Locations that no state of the system ever rests in are left out, and what happens there is one arrow.
    fn graph(&self) -> Graph {
        let reachable = self.process.reachable();
        let is_shown = |row: usize| reachable[row] && !self.process.locations[row].internal;
        let shown: Vec<usize> = (0..self.process.locations.len()).filter(|&row| is_shown(row)).collect();
        let mut graph = Graph { nodes: shown.iter().map(|&row| self.node(row)).collect(), edges: Vec::new() };
        let node_of = |it: LocationId| shown.iter().position(|&row| row == it.0 as usize);
        for (row, edge) in self.process.edges.iter().enumerate() {
            let Some(source) = node_of(edge.source) else { continue };
            let tone = (self.tone)(EdgeId(row as u32));
            for target in self.targets(edge) {
                let target = match target {
                    Some(location) => node_of(location),
                    None => Some(end_of(&mut graph)),
                };
                let lines = self.label(edge);
                graph.edges.extend(target.map(|target| drawing::Edge { source, target, lines, tone }));
            }
        }
        fade(&mut graph);
        graph
    }

    fn node(&self, row: usize) -> drawing::Node {
        let location = &self.process.locations[row];
        let names = location.labels.iter().map(|it| format!(" {it}"));
        drawing::Node {
            text: format!("{}{}", location.number, names.collect::<String>()),
            hint: format!("line {}", self.sources.place(location.span).line),
            initial: row == self.process.entry.0 as usize,
            double: location.valid_end || location.accepting,
            tone: Tone::Plain,
        }
    }

    /// Where a step can lead; `None` is the end of the process.
    fn targets(&self, edge: &Edge) -> Vec<Option<LocationId>> {
        let Some(entry) = edge.effects.iter().find_map(Effect::entry) else { return vec![edge.target] };
        let (mut targets, mut seen, mut waiting) = (Vec::new(), HashSet::new(), vec![entry]);
        while let Some(location) = waiting.pop() {
            match self.process.location(location).internal {
                _ if !seen.insert(location) => {}
                true => waiting.extend(self.process.outgoing(location).filter_map(|it| it.1.target)),
                false => targets.push(Some(location)),
            }
        }
        targets.sort();
        targets
    }

    /// The text of a step with its line.
    fn label(&self, edge: &Edge) -> Vec<String> {
        wrapped(&format!("{}: {}", self.sources.place(edge.span).line, edge.text))
    }
}

/// The node for the end of a process.
fn end_of(graph: &mut Graph) -> usize {
    let end = drawing::Node { text: "ended".into(), double: true, ..drawing::Node::default() };
    match graph.nodes.iter().position(|it| it.text == end.text) {
        Some(row) => row,
        None => {
            graph.nodes.push(end);
            graph.nodes.len() - 1
        }
    }
}

/// Nobody is where only steps lead that are never taken; on the way of a counterexample is what such steps touch.
fn fade(graph: &mut Graph) {
    for row in 0..graph.nodes.len() {
        let touching: Vec<&drawing::Edge> =
            graph.edges.iter().filter(|it| it.source == row || it.target == row).collect();
        let mut arriving = graph.edges.iter().filter(|it| it.target == row && it.source != row);
        if touching.iter().any(|it| it.tone == Tone::Strong) {
            graph.nodes[row].tone = Tone::Strong;
        } else if !graph.nodes[row].initial && arriving.all(|it| it.tone == Tone::Faint) {
            graph.nodes[row].tone = Tone::Faint;
        }
    }
}

/// A text in a few short lines.
pub fn wrapped(text: &str) -> Vec<String> {
    let mut lines = drawing::wrapped(text, LINE);
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines[LINES - 1] += " …";
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines `source -> target tone: label` of a process, and what was said.
    fn drawn(text: &str, process: &str, most_states: usize) -> (Vec<String>, Vec<String>) {
        let input = Input::Bytes { name: "a.pml".into(), bytes: text.as_bytes().to_vec() };
        let drawn = Drawn { process: Some(process.into()), trace: None, most_states };
        let (checked, pictures) = automata(&input, &front_promela::Options::default(), &drawn, &mut ());
        let graphs = pictures.unwrap_or_default();
        let line = |graph: &Graph, it: &drawing::Edge| {
            let name = |row: usize| graph.nodes[row].text.clone();
            let tone = if it.tone == Tone::Faint { " grey" } else { "" };
            format!("{} -> {}{tone}: {}", name(it.source), name(it.target), it.lines.join(" "))
        };
        let lines = graphs.iter().flat_map(|it| it.1.edges.iter().map(|edge| line(&it.1, edge))).collect();
        (lines, checked.diagnostics.iter().map(|it| it.code.to_string()).collect())
    }

    const TEXT: &str = "byte x;
active proctype P() {
again: do
    :: x < 2 -> d_step { x++; x == x }
    :: x > 5 -> break
    od
}";

    #[test]
    fn steps_that_are_never_taken_are_grey() {
        let (lines, said) = drawn(TEXT, "P", 100);
        let grey: Vec<&String> = lines.iter().filter(|it| it.contains(" grey")).collect();
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert_eq!(grey.len(), 2, "{lines:?}");
        assert!(grey[0].ends_with("5: x > 5") && grey[1].contains("-> ended"), "{lines:?}");
        assert_eq!(said, Vec::<String>::new());
    }

    #[test]
    fn what_is_not_known_is_not_grey() {
        let (lines, said) = drawn(TEXT, "P", 1);
        assert!(lines.iter().all(|it| !it.contains("grey")), "{lines:?}");
        assert_eq!(said, ["not-all-visited"]);
    }

    #[test]
    fn an_unknown_process_is_refused() {
        assert_eq!(drawn(TEXT, "Q", 1), (vec![], vec!["unknown-process".to_string()]));
    }
}
