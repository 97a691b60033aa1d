//! The system itself: for each state the steps out of it, one list behind the other.
use rustc_hash::FxHashMap as HashMap;

/// A state, by its number.
pub type State = u32;

/// What an observer sees of a step: a row of [`Lts::labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub u32);

impl Label {
    /// Nobody sees the step.
    pub const SILENT: Label = Label(0);

    fn is_silent_name(name: &str) -> bool {
        name == "i" || name == "tau"
    }
}

/// A step out of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// What is seen of it.
    pub label: Label,
    /// Where it leads.
    pub target: State,
}

/// A labelled transition system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lts {
    /// Where it starts.
    pub initial: State,
    /// The texts of labels; the first is that of the silent step.
    pub labels: Vec<String>,
    /// Where the steps of each state begin, and where the last ones end.
    starts: Vec<u32>,
    steps: Vec<Step>,
}

impl Lts {
    /// How many states there are.
    pub fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many steps there are.
    pub fn transitions(&self) -> usize {
        self.steps.len()
    }

    /// The steps out of a state.
    pub fn outgoing(&self, state: State) -> &[Step] {
        &self.steps[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }

    /// All steps, each with where it begins.
    pub fn all_steps(&self) -> impl Iterator<Item = (State, Step)> {
        (0..self.states() as State).flat_map(|state| self.outgoing(state).iter().map(move |&step| (state, step)))
    }

    /// The text of a label.
    pub fn name(&self, label: Label) -> &str {
        &self.labels[label.0 as usize]
    }

    /// The same system where steps with these labels are silent.
    #[must_use]
    pub fn hide(&self, is_hidden: impl Fn(&str) -> bool) -> Lts {
        let mut builder = Builder::default();
        let hidden = |name: &String| if is_hidden(name) { Label::SILENT } else { builder.label(name) };
        let labels: Vec<Label> = self.labels.iter().map(hidden).collect();
        self.all_steps().for_each(|(state, it)| builder.add(state, labels[it.label.0 as usize], it.target));
        builder.finish(self.initial, self.states())
    }

    /// The part that can be reached, its states numbered breadth first.
    #[must_use]
    pub fn reachable(&self) -> Lts {
        const UNKNOWN: State = State::MAX;
        let mut numbers = vec![UNKNOWN; self.states()];
        numbers[self.initial as usize] = 0;
        let (mut order, mut next) = (vec![self.initial], 0);
        while let Some(&state) = order.get(next) {
            next += 1;
            for step in self.outgoing(state) {
                if numbers[step.target as usize] == UNKNOWN {
                    numbers[step.target as usize] = order.len() as State;
                    order.push(step.target);
                }
            }
        }
        let mut builder = Builder::with_labels(self.labels.clone());
        for (number, &state) in order.iter().enumerate() {
            let steps = self.outgoing(state).iter();
            steps.for_each(|it| builder.add(number as State, it.label, numbers[it.target as usize]));
        }
        builder.finish(0, order.len())
    }

    /// Both systems beside each other; starts where `self` does. Returns where `other` starts, too.
    pub fn beside(&self, other: &Lts) -> (Lts, State) {
        let mut builder = Builder::default();
        let mut add = |system: &Lts, offset: State| {
            let labels: Vec<Label> = system.labels.iter().map(|it| builder.label(it)).collect();
            for (state, it) in system.all_steps() {
                builder.add(offset + state, labels[it.label.0 as usize], offset + it.target);
            }
        };
        let offset = self.states() as State;
        add(self, 0);
        add(other, offset);
        (builder.finish(self.initial, self.states() + other.states()), offset + other.initial)
    }
}

/// A system in the making.
#[derive(Clone, Debug)]
pub struct Builder {
    names: Vec<String>,
    rows: HashMap<String, Label>,
    sources: Vec<State>,
    steps: Vec<Step>,
}

impl Default for Builder {
    fn default() -> Self {
        Builder { names: vec!["i".into()], rows: HashMap::default(), sources: Vec::new(), steps: Vec::new() }
    }
}

impl Builder {
    /// With the labels of another system.
    pub(crate) fn with_labels(names: Vec<String>) -> Builder {
        let rows = names.iter().enumerate().skip(1).map(|(row, it)| (it.clone(), Label(row as u32))).collect();
        Builder { names, rows, ..Builder::default() }
    }

    /// The label with this text; `i` and `tau` are the silent step.
    pub fn label(&mut self, name: &str) -> Label {
        if Label::is_silent_name(name) {
            return Label::SILENT;
        }
        if let Some(&known) = self.rows.get(name) {
            return known;
        }
        let label = Label(self.names.len() as u32);
        self.names.push(name.into());
        self.rows.insert(name.into(), label);
        label
    }

    /// Adds a step.
    pub fn add(&mut self, source: State, label: Label, target: State) {
        self.sources.push(source);
        self.steps.push(Step { label, target });
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no step yet.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.sources.capacity() * size_of::<State>() + self.steps.capacity() * size_of::<Step>()) as u64
    }

    /// The system with these steps; those of one state stay in order.
    pub fn finish(self, initial: State, states: usize) -> Lts {
        let mut starts = vec![0u32; states + 1];
        self.sources.iter().for_each(|&it| starts[it as usize + 1] += 1);
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let in_order = self.sources.is_sorted();
        let steps = if in_order { self.steps } else { scattered(&self.sources, &self.steps, &starts) };
        Lts { initial, labels: self.names, starts, steps }
    }
}

/// The steps, sorted by where they begin.
fn scattered(sources: &[State], steps: &[Step], starts: &[u32]) -> Vec<Step> {
    let mut place = starts.to_vec();
    let mut sorted = vec![Step { label: Label::SILENT, target: 0 }; steps.len()];
    for (&source, &step) in sources.iter().zip(steps) {
        sorted[place[source as usize] as usize] = step;
        place[source as usize] += 1;
    }
    sorted
}
