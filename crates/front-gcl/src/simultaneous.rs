//! Changes that happen all at once, as changes one after the other.
//!
//! A change can come first if no other one still reads what it overwrites. Where each waits for another, the value of one is put aside in a
//! variable that is 0 again at the end of the step, so that it costs no states.
use model::{Effect, Expr, Place, Scope, VariableId};

use crate::system::Assignment;

/// The effects of a step; `aside` is the first variable for values that are put aside. The second result is how many are needed.
pub fn effects(updates: &[Assignment], aside: u32) -> (Vec<Effect>, u32) {
    let mut waiting: Vec<(Place, Expr)> = updates.iter().map(|it| (it.place.clone(), it.value.clone())).collect();
    waiting.retain(|(place, value)| *value != Expr::Read(place.clone()));
    let (mut effects, mut used) = (Vec::new(), 0);
    while !waiting.is_empty() {
        let free = (0..waiting.len()).find(|&row| {
            let others = waiting.iter().enumerate().filter(|it| it.0 != row);
            !others.into_iter().any(|(_, it)| reads(it, &waiting[row].0))
        });
        if let Some(row) = free {
            let (place, value) = waiting.remove(row);
            effects.push(Effect::Assign(place, value));
            continue;
        }
        let row = (0..waiting.len()).find(|&row| depends(&waiting[row], aside)).unwrap_or(0);
        let (place, value) = &mut waiting[row];
        for expr in std::iter::once(value).chain(&mut place.indices).filter(|it| !matches!(it, Expr::Constant(_))) {
            let spare = Place { scope: Scope::Global, variable: VariableId(aside + used), indices: Vec::new() };
            used += 1;
            effects.push(Effect::Assign(spare.clone(), std::mem::replace(expr, Expr::Read(spare))));
        }
    }
    for row in 0..used {
        let spare = Place { scope: Scope::Global, variable: VariableId(aside + row), indices: Vec::new() };
        effects.push(Effect::Assign(spare, Expr::Constant(0)));
    }
    (effects, used)
}

/// Whether something of this change was not put aside yet.
fn depends((place, value): &(Place, Expr), aside: u32) -> bool {
    let any = |it: &Expr| it.any(&|part| matches!(part, Expr::Read(place) if place.variable.0 < aside));
    any(value) || place.indices.iter().any(any)
}

/// Whether a change reads a place.
fn reads((place, value): &(Place, Expr), written: &Place) -> bool {
    let same = |it: &Expr| matches!(it, Expr::Read(read) if may_be_same(read, written));
    value.any(&same) || place.indices.iter().any(|it| it.any(&same))
}

fn may_be_same(one: &Place, other: &Place) -> bool {
    let differ = |it: (&Expr, &Expr)| matches!(it, (Expr::Constant(a), Expr::Constant(b)) if a != b);
    one.variable == other.variable && !one.indices.iter().zip(&other.indices).any(differ)
}
