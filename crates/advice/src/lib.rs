//! What is allowed and yet seldom meant: warnings for those who write models.
//!
//! The front end says what is wrong with a text. Here a model that nothing is wrong with is looked at for what bites
//! beginners: a choice that waits for ever, a value that does not fit, a `timeout` that never comes. Warnings never change what a
//! model means; each rests on what can be proved about all executions (the intervals of [`optimize::Ranges`]), so that
//! what they say is true, even where it was meant.
//!
//! One file per kind of warning; each has a page that explains it ([`PAGES`]).
mod blocking;
mod labels;
mod options;
mod rendezvous;
mod selections;
mod started;
mod timeouts;
mod truncation;
mod unreachable;
mod unread;
mod witness;

use std::collections::HashSet;

use front_promela::ast::Tree;
use model::{Edge, LocationId, Model, ProcessTypeId};
use optimize::{Interval, Ranges};
use text::{Diagnostic, Span};

use selections::Selections;

/// What `prom explain` says about these warnings.
pub const PAGES: &str = include_str!("pages.md");

/// Warnings about a model and the text that it came from, in the order of the text.
pub fn advice(tree: &Tree, model: &Model) -> Vec<Diagnostic> {
    let Some(ranges) = Ranges::new(model) else { return Vec::new() };
    let subject = Subject { model, ranges, selections: Selections::of(tree), shown: unread::shown(tree) };
    let mut list = Vec::new();
    for look in [
        blocking::look,
        labels::look,
        rendezvous::look,
        started::look,
        timeouts::look,
        truncation::look,
        unread::look,
        unreachable::look,
    ] {
        list.extend(look(&subject));
    }
    list.sort_by_key(|it| it.span.map(|span| (span.file, span.start)));
    // An inline that is used twice bites once.
    list.dedup_by(|it, before| (it.code, it.span) == (before.code, before.span));
    list
}

/// What is looked at.
struct Subject<'a> {
    model: &'a Model,
    ranges: Ranges<'a>,
    selections: Selections,
    /// Where variables are declared that message charts show.
    shown: HashSet<Span>,
}

/// A place where a process can be, and what it knows there.
struct Spot<'a> {
    owner: ProcessTypeId,
    edges: Vec<&'a Edge>,
    /// What its variables hold.
    locals: Vec<Interval>,
}

impl<'a> Subject<'a> {
    /// All places to which some process can come.
    fn spots(&self) -> impl Iterator<Item = Spot<'a>> {
        let model = self.model;
        let places = model::variables::types(model)
            .flat_map(|(owner, process)| (0..process.locations.len()).map(move |row| (owner, process, row)));
        places.filter_map(|(owner, process, row)| {
            let location = LocationId(row as u32);
            let locals = self.ranges.at(owner, location)?;
            let edges = process.outgoing(location).map(|it| it.1).collect();
            Some(Spot { owner, edges, locals })
        })
    }

    /// Whether a condition can be true, or false, at a place.
    fn can_be(&self, spot: &Spot, condition: &model::Expr, wanted: bool) -> bool {
        self.ranges.narrow(spot.owner, condition, wanted, &mut spot.locals.clone())
    }
}
