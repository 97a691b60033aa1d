//! What was never reached.
use model::{LocationId, ProcessTypeId};

use super::Terms;
use crate::{Coverage, Unreached};

impl Terms<'_> {
    /// Every kind of process with what was not reached of it.
    pub fn coverage(&self, unreached: &[(ProcessTypeId, LocationId)]) -> Vec<Coverage> {
        let mut list = Vec::new();
        for (row, process) in self.system.model().processes.iter().enumerate() {
            let own = unreached.iter().filter(|(id, _)| id.0 as usize == row);
            list.push(Coverage {
                process: process.name.clone(),
                locations: process.locations.iter().map(|it| it.number).max().unwrap_or(0),
                unreached: own.map(|&(id, location)| self.unreached(id, location)).collect(),
            });
        }
        list
    }

    fn unreached(&self, process: ProcessTypeId, id: LocationId) -> Unreached {
        let location = self.system.model().process(process).location(id);
        Unreached {
            place: self.place(location.span),
            number: location.number,
            statements: self.statements(process, id),
        }
    }
}
