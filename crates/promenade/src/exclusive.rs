//! Questions about a channel that belongs to others.
//!
//! Of a channel that a process has declared its own (`xr`, `xs`) others must not even ask what is in it: SPIN's reduction counts on that, so that its verifiers stop
//! where a process or a claim asks, and write a trail. Here such a question is no error of a model, for no reduction believes what it is not told to believe; but where a
//! trail of SPIN's ends and nothing else is wrong, this is what it is about.
use model::semantics::{Semantics, State};
use model::variables::every_part;
use model::{BinaryOp, Expr, Place, ProcessTypeId, Scope};

/// The process that has declared a channel its own that a condition asks about; `asker` is who asks, nobody if it is a claim.
pub fn owner(system: &Semantics<'_>, state: &State, asker: Option<usize>, condition: &Expr) -> Option<usize> {
    let mut channels = Vec::new();
    every_part(condition, &mut |part| {
        if let Expr::Length(channel) | Expr::Full(channel) | Expr::Empty(channel) | Expr::Poll { channel, .. } = part {
            channels.push(seen_by_all(channel, state, asker));
        }
    });
    let others = (0..state.process_count()).filter(|it| Some(*it) != asker);
    others.into_iter().find(|&other| {
        let own = &system.model().process(state.type_of(other)).exclusive;
        let own = own.iter().map(|it| seen_by_all(&it.channel, state, Some(other)));
        own.into_iter().any(|own| {
            let same = |it: &Expr| Expr::Binary(BinaryOp::Eq, Box::new(it.clone()), Box::new(own.clone()));
            channels.iter().any(|it| system.holds(state, &same(it), false) == Ok(true))
        })
    })
}

/// An expression of a process as one that means the same to all others.
fn seen_by_all(expr: &Expr, state: &State, process: Option<usize>) -> Expr {
    let mut seen = expr.clone();
    if let Some(process) = process {
        rewrite(&mut seen, state.type_of(process), process as i32);
    }
    seen
}

fn rewrite(expr: &mut Expr, kind: ProcessTypeId, number: i32) {
    expr.parts_mut(&mut |it| rewrite(it, kind, number));
    if let Expr::Read(Place { scope: Scope::Local, variable, indices }) = expr {
        let instance = Some(Box::new(Expr::Constant(number)));
        *expr = Expr::RemoteRead { process: kind, instance, variable: *variable, indices: std::mem::take(indices) };
    } else if *expr == Expr::Me {
        *expr = Expr::Constant(number);
    }
}
