//! A model for other checkers.
use engine::{Limits, Watch};
use text::Diagnostic;

use crate::check::{Opened, open, refused};
use crate::{Checked, Extra, Input};

/// Reads a model and writes it as a program of SMV, with the properties that are added to it.
pub fn export_smv(
    input: &Input,
    front: &front_promela::Options,
    extras: &[Extra],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> (Checked, Option<String>) {
    let Opened { mut checked, name, model, .. } = open(input, front, extras);
    let Some(model) = model else { return (checked, None) };
    let exported = engine_symbolic::instantiate(&model, limits, watch)
        .map_err(|refusal| Diagnostic { help: None, ..refused(&refusal) })
        .and_then(|instance| {
            checked.diagnostics.extend(instance.proof.as_ref().err().map(|_| unproved()));
            export_smv::export(&instance, &name, &checked.sources, None)
        });
    match exported {
        Ok(exported) => {
            checked.diagnostics.extend(exported.warnings);
            (checked, Some(exported.text))
        }
        Err(error) => {
            checked.diagnostics.push(error);
            (checked, None)
        }
    }
}

/// That nobody knows whether there is room for all that happens.
fn unproved() -> Diagnostic {
    let message = "a limit was reached before it was proved that the program has room for all that happens";
    let help = "its invariants `room` say so: if one is false, export with more `--time` or `--memory`";
    Diagnostic { severity: text::Severity::Warning, ..Diagnostic::global("unproved", message).help(help) }
}
