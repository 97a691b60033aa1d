//! A model as a program of SMV, for NuSMV and nuXmv.
//!
//! improviso-2003 translated Promela to SMV to have its models checked; this does the same, so that a checker that shares nothing with this program can confirm its answers. The instance that the
//! symbolic engine has found - a slot per process, a place per message - becomes a flat module:
//!
//! * a variable per cell: `boolean`, `word`, and for where a process is an enumeration;
//! * an input variable `step` whose values are the steps of all processes; `next(x)` is a list of the steps that change `x`, and what each makes of it;
//! * a definition per step that says where it is possible, and one constraint that connects the two. Where nothing is possible, everything stands still;
//! * `INVARSPEC`s for all that can go wrong, `CTLSPEC`s and `LTLSPEC`s for the formulas of the model.
//!
//! Expressions, effects and steps are translated one by one from the structure of the model ([`view`](mod@view), [`action`](mod@action), [`steps`](mod@steps)), so that the text can be read beside
//! the model. Numbers are exact: [`view`](mod@view) computes with as many bits as matter.
mod action;
mod bounds;
mod faults;
mod messages;
mod names;
mod specs;
mod steps;
mod term;
mod view;
mod world;
mod write;

use engine_symbolic::Instance;
use model::access::region;
use model::semantics::MOST_AT_ONCE;
use model::{Edge, Effect, Expr};
use text::{Diagnostic, Sources, Span};

/// A program, and what is not in it.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The program.
    pub text: String,
    /// What was left out, and why.
    pub warnings: Vec<Diagnostic>,
}

/// Mistakes that tests must notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// The last variable that a step changes stays as it is.
    FrozenCell,
    /// `else` is possible beside the other choices.
    EagerElse,
}

/// Writes an instance; `name` is what the model is called.
pub fn export(
    instance: &Instance,
    name: &str,
    sources: &Sources,
    mistake: Option<Mistake>,
) -> Result<Exported, Diagnostic> {
    refuse(instance)?;
    Ok(write::program(instance, name, sources, mistake))
}

/// Refuses what has no counterpart.
fn refuse(instance: &Instance) -> Result<(), Diagnostic> {
    if instance.layout.channels.len() > MOST_AT_ONCE {
        return Err(Diagnostic::global("not-exported", "the model has more than 255 channels"));
    }
    for process in &instance.model.processes {
        for edge in &process.edges {
            let Some(entry) = edge.effects.iter().find_map(Effect::entry) else { continue };
            if edge.effects.len() > 1 {
                return Err(refused(edge.span, "a `d_step` that is a part of a statement"));
            }
            for inner in region(process, entry) {
                if inner.target.is_none() {
                    return Err(refused(inner.span, "a process that ends inside a `d_step`"));
                }
                let is_first = inner.source == entry;
                let comes_back = || region(process, entry).iter().any(|it| it.target == Some(entry));
                if steps::asks_late(inner) && (!is_first || comes_back()) {
                    return Err(refused(inner.span, "`timeout` inside a `d_step`"));
                }
                if asks_for_an_earlier_process(inner) {
                    return Err(refused(inner.span, "a process that another statement of a `d_step` has created"));
                }
            }
        }
    }
    Ok(())
}

/// Whether an edge asks for the process that another edge of its region has created: they are different steps here.
fn asks_for_an_earlier_process(edge: &Edge) -> bool {
    let own = edge.effects.iter().position(|it| matches!(it, Effect::Spawn { .. })).unwrap_or(edge.effects.len());
    let is_asked = |expr: &Expr| expr.any(&|it| *it == Expr::Spawned);
    let mut asks = is_asked(&edge.guard);
    for effect in &edge.effects[..own] {
        model::access::effect_expressions(effect, &mut |expr| asks |= is_asked(expr));
    }
    asks
}

fn refused(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error("not-exported", span, format!("SMV has no counterpart for {what}"))
}
