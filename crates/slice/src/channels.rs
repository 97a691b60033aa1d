//! Which channels a variable can name.
//!
//! A channel gets another name in three ways: it is assigned, it travels in a message, or it is handed to a new process. What each variable and each field
//! of a message can name is found by following these until nothing is new (Holzmann, *Software model checking*, 2000, §5.1; L. Andersen,
//! *Program analysis and specialization for the C programming language*, 1994). All channels that one declaration creates count as one.
use std::collections::{BTreeSet, HashMap};

use model::variables::{Name, all, types};
use model::{Effect, Expr, Initial, Model, Pattern, ProcessTypeId, Type, VariableId};

use crate::Mistake;

/// What a value can be, as a channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The declarations that create the channels.
    pub sites: BTreeSet<Name>,
    /// It may be no channel.
    pub nothing: bool,
    /// It may be any channel.
    pub anything: bool,
}

impl Named {
    fn extend(&mut self, other: &Named) -> bool {
        let before = self.clone();
        self.sites.extend(&other.sites);
        self.nothing |= other.nothing;
        self.anything |= other.anything;
        *self != before
    }
}

/// The names of channels in a model.
pub struct Channels<'m> {
    model: &'m Model,
    /// All declarations that create channels.
    all: BTreeSet<Name>,
    variables: HashMap<Name, Named>,
    fields: HashMap<(Name, usize), Named>,
}

impl<'m> Channels<'m> {
    /// Those of a model; other names are left out if that is the mistake to make.
    pub fn new(model: &'m Model, mistake: Option<Mistake>) -> Self {
        let creates = |it: &Name| matches!(it.declared(model).initial, Initial::Channels(_));
        let all_sites = all(model).into_iter().filter(creates).collect();
        let mut channels = Channels { model, all: all_sites, variables: HashMap::new(), fields: HashMap::new() };
        channels.begin();
        while mistake != Some(Mistake::Aliases) && channels.grow() {}
        channels
    }

    /// What variables name before anything is assigned to them.
    fn begin(&mut self) {
        for name in all(self.model) {
            let mut named = Named::default();
            match (&name.declared(self.model).initial, name) {
                (Initial::Channels(_), _) => _ = named.sites.insert(name),
                (Initial::Zero, Name::Local(owner, it)) if it.0 < self.model.process(owner).parameters => {
                    named.nothing = self.model.start.iter().any(|it| it.process == owner);
                }
                (Initial::Zero, _) => named.nothing = true,
                (Initial::Values(_), _) => {}
            }
            self.variables.insert(name, named);
        }
    }

    /// One round over the model; false if nothing was new.
    fn grow(&mut self) -> bool {
        let model = self.model;
        let mut grown = false;
        for name in all(model) {
            let owner = if let Name::Local(owner, _) = name { owner } else { ProcessTypeId(0) };
            if let Initial::Values(values) = &name.declared(model).initial {
                values.iter().for_each(|value| grown |= self.store(name, &self.named(owner, value)));
            }
        }
        for (owner, process) in types(model) {
            for effect in process.edges.iter().flat_map(|it| &it.effects) {
                grown |= self.effect(owner, effect);
            }
        }
        grown
    }

    fn effect(&mut self, owner: ProcessTypeId, effect: &Effect) -> bool {
        let mut grown = false;
        match effect {
            Effect::Assign(place, value) => grown = self.store(Name::of(owner, place), &self.named(owner, value)),
            Effect::Spawn { process, arguments, .. } => {
                for (row, argument) in arguments.iter().enumerate() {
                    let parameter = Name::Local(*process, VariableId(row as u32));
                    grown |= self.store(parameter, &self.named(owner, argument));
                }
            }
            Effect::Send { channel, message, .. } => {
                for (field, value) in message.iter().enumerate() {
                    let named = self.named(owner, value);
                    for site in self.sites(owner, channel) {
                        grown |= self.fields.entry((site, field)).or_default().extend(&named);
                    }
                }
            }
            Effect::Receive { channel, patterns, .. } => {
                for (field, pattern) in patterns.iter().enumerate() {
                    let Pattern::Store(place) = pattern else { continue };
                    for site in self.sites(owner, channel) {
                        let named = self.fields.get(&(site, field)).cloned().unwrap_or_default();
                        grown |= self.store(Name::of(owner, place), &named);
                    }
                }
            }
            _ => {}
        }
        grown
    }

    /// A variable that is too small for the number of a channel may name another one.
    fn store(&mut self, name: Name, value: &Named) -> bool {
        let mut value = value.clone();
        let is_small = matches!(name.declared(self.model).ty, Type::Unsigned { bits } if bits < 8);
        value.anything |= is_small && !value.sites.is_empty();
        self.variables.entry(name).or_default().extend(&value)
    }

    /// What an expression of a process of type `owner` can name.
    pub fn named(&self, owner: ProcessTypeId, expr: &Expr) -> Named {
        match expr {
            Expr::Constant(0) => Named { nothing: true, ..Named::default() },
            Expr::Read(place) => self.variables.get(&Name::of(owner, place)).cloned().unwrap_or_default(),
            Expr::Conditional(_, yes, no) => {
                let mut named = self.named(owner, yes);
                named.extend(&self.named(owner, no));
                named
            }
            _ => Named { anything: true, ..Named::default() },
        }
    }

    /// The declarations of the channels that an expression can name.
    pub fn sites(&self, owner: ProcessTypeId, expr: &Expr) -> BTreeSet<Name> {
        let named = self.named(owner, expr);
        if named.anything { self.all.clone() } else { named.sites }
    }

    /// How many messages the channels of a declaration hold, and how many fields those have.
    pub fn shape(&self, site: Name) -> (u32, usize) {
        match site.declared(self.model).initial {
            Initial::Channels(shape) => {
                let shape = self.model.shape(shape);
                (shape.capacity, shape.fields.len())
            }
            Initial::Zero | Initial::Values(_) => (0, 0),
        }
    }

    /// Whether an expression may name no channel, or one that has vanished with its process.
    pub fn may_be_missing(&self, owner: ProcessTypeId, expr: &Expr) -> bool {
        let named = self.named(owner, expr);
        let own = if let Expr::Read(place) = expr { Some(Name::of(owner, place)) } else { None };
        let vanishes = |site: &Name| matches!(site, Name::Local(..)) && Some(*site) != own;
        named.nothing || named.anything || named.sites.iter().any(vanishes)
    }

    /// Whether using a channel for messages of so many fields may go wrong.
    pub fn may_fail(&self, owner: ProcessTypeId, expr: &Expr, fields: usize) -> bool {
        self.may_be_missing(owner, expr) || self.sites(owner, expr).into_iter().any(|it| self.shape(it).1 != fields)
    }
}
