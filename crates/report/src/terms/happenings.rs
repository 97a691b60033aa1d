//! Messages and texts of a step, in the terms of the source.
use model::semantics::{Event, Owner, State};

use super::Terms;
use crate::{Happening, What};

impl Terms<'_> {
    /// What happened in a step that began in `before`.
    pub fn happenings(&self, before: &State, events: &[Event]) -> Vec<Happening> {
        if events.is_empty() {
            return Vec::new();
        }
        let names = self.channels(before);
        events.iter().map(|it| self.happening(before, it, &names)).collect()
    }

    fn happening(&self, before: &State, event: &Event, names: &[String]) -> Happening {
        match event {
            Event::Print { process, text } => Happening { process: (*process).into(), what: What::Text(text.clone()) },
            Event::Message { process, direction, channel, slot, message, stays } => {
                let name = names.get(*channel).cloned().unwrap_or_default();
                let fields = self.system.fields(before, *channel, message);
                let (direction, slot, stays, channel) = (*direction, *slot, *stays, channel + 1);
                Happening {
                    process: (*process).into(),
                    what: What::Message { direction, channel, name, fields, slot, stays },
                }
            }
        }
    }

    /// The names of the channels that exist, in the order of their numbers.
    pub fn channels(&self, state: &State) -> Vec<String> {
        let values = self.system.values(state).into_iter().filter(|it| it.channel.is_some());
        values
            .map(|it| match it.owner {
                Owner::Global => it.name,
                Owner::Process(process) => format!("{}.{}", self.process(state, usize::from(process)), it.name),
            })
            .collect()
    }
}
