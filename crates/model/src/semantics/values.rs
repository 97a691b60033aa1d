//! A state in a person's terms: every variable and channel with its owner, name and contents.
use super::eval::View;
use super::{Semantics, State};
use crate::{EnumerationId, Initial, Variable};

/// Whose value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// Everybody's.
    Global,
    /// A process's, by number.
    Process(u8),
}

/// A named value: a number, or the messages of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Whose.
    pub owner: Owner,
    /// With indices, as the source would write it.
    pub name: String,
    /// As the source would write it.
    pub text: String,
    /// The channel that it is, from 0 in the order of creation.
    pub channel: Option<usize>,
}

impl Semantics<'_> {
    /// Every variable and every channel of a state, in the order of declaration.
    pub fn values(&self, state: &State) -> Vec<Value> {
        let mut list = Listing {
            view: View { system: self, state, me: 0, timeout: false, spawned: 0, asking: 0 },
            channel: 0,
            values: Vec::new(),
        };
        list.frame(Owner::Global, &self.model.globals, &self.layout.globals.variables, 0);
        for process in 0..state.process_count() {
            let ty = state.type_of(process);
            let frame = &self.layout.processes[ty.0 as usize];
            let variables = &self.model.process(ty).variables;
            list.frame(Owner::Process(process as u8), variables, &frame.variables, state.processes[process]);
        }
        list.values
    }

    /// The fields of a message of a channel, as the source would write them.
    pub fn fields(&self, state: &State, channel: usize, message: &[i32]) -> String {
        let Some(&(_, shape)) = state.channels.get(channel) else { return String::new() };
        let fields = message.iter().zip(&self.model.shape(shape).enumerations);
        fields.map(|(&value, &names)| self.show(names, value)).collect::<Vec<_>>().join(",")
    }

    /// How many messages a channel can hold; 0 for a rendezvous.
    pub fn capacity(&self, state: &State, channel: usize) -> u32 {
        state.channels.get(channel).map_or(0, |it| self.model.shape(it.1).capacity)
    }

    /// A value by its name, if it has one.
    pub fn show(&self, enumeration: Option<EnumerationId>, value: i32) -> String {
        let names = enumeration.map(|id| &self.model.enumerations[id.0 as usize]);
        let name = names.and_then(|names| names.get(usize::try_from(value).ok()?)).filter(|name| !name.is_empty());
        name.cloned().unwrap_or_else(|| value.to_string())
    }
}

struct Listing<'a> {
    view: View<'a>,
    channel: usize,
    values: Vec<Value>,
}

impl Listing<'_> {
    fn frame(&mut self, owner: Owner, variables: &[Variable], offsets: &[u32], base: u32) {
        for (variable, &offset) in variables.iter().zip(offsets) {
            for element in 0..variable.elements() {
                let name = element_name(variable, element);
                let (text, channel) = match variable.initial {
                    Initial::Channels(_) => (self.next_channel(), Some(self.channel - 1)),
                    _ => {
                        let at = base + offset + (element * variable.ty.size()) as u32;
                        let value = self.view.state.read(at, variable.ty);
                        (self.view.system.show(variable.enumeration, value), None)
                    }
                };
                self.values.push(Value { owner, name, text, channel });
            }
        }
    }

    /// The messages of the next channel: frames create them in the order in which they are listed.
    fn next_channel(&mut self) -> String {
        let channel = self.channel;
        self.channel += 1;
        let shape = self.view.shape(channel);
        let message = |slot| {
            let fields = self.view.message(channel, slot).zip(&shape.enumerations);
            let shown: Vec<String> = fields.map(|(value, &names)| self.view.system.show(names, value)).collect();
            shown.join(",")
        };
        let messages: Vec<String> = (0..self.view.length(channel)).map(message).collect();
        format!("[{}]", messages.join("] ["))
    }
}

/// `a`, `a[1]`, and for fields of records `a[1].b[2]`.
fn element_name(variable: &Variable, element: usize) -> String {
    let mut rest = element;
    let mut indices = Vec::new();
    for &size in variable.dimensions.iter().rev() {
        indices.push(rest % size as usize);
        rest /= size as usize;
    }
    let mut name = String::new();
    for part in variable.name.split_inclusive("[]") {
        name += part.trim_end_matches("[]");
        if part.ends_with("[]") {
            let index = indices.pop().unwrap_or(0);
            name += &format!("[{index}]");
        }
    }
    name
}
