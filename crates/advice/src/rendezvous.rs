//! `else` beside a rendezvous.
//!
//! A receive from a channel without room is not possible by itself: the sender begins, and takes the receiver along. So
//! `else` can always be taken, also when somebody is about to send.
use model::{Effect, Expr};
use text::Diagnostic;

use crate::{Spot, Subject};

pub fn look(subject: &Subject) -> Vec<Diagnostic> {
    subject.spots().filter_map(|spot| beside(subject, &spot)).collect()
}

fn beside(subject: &Subject, spot: &Spot) -> Option<Diagnostic> {
    let otherwise = spot.edges.iter().find(|it| it.otherwise)?;
    let receives = spot.edges.iter().find(|it| match it.effects.first() {
        Some(Effect::Receive { channel, patterns, .. }) => is_rendezvous(subject, spot, channel, patterns.len()),
        _ => false,
    })?;
    let message = format!("`else` can be taken even if somebody is ready to send for `{}`", receives.text);
    let help = "a rendezvous is begun by its sender; give the channel room for a message, or do without `else`";
    let warning = Diagnostic::warning("else-with-rendezvous", otherwise.span, message).help(help);
    Some(warning.note(receives.span, "a receive from a channel without room"))
}

fn is_rendezvous(subject: &Subject, spot: &Spot, channel: &Expr, fields: usize) -> bool {
    let shapes = subject.ranges.shapes(spot.owner, channel, fields);
    !shapes.is_empty() && shapes.iter().all(|&row| subject.model.shapes[row].capacity == 0)
}
