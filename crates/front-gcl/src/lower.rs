//! From a system to a model.
//!
//! All variables are global, so that a step of several processes can change them. Every process is a process of the model with one location; what
//! several do together is an edge of the first of them. Where participants have several commands for an action, every combination is an
//! edge; if that would be many, commands of a participant that exclude each other become one, with conditions inside.
use std::collections::BTreeMap;

use model::{
    ActionId, BinaryOp, Edge, EdgeId, Effect, EnumerationId, Expr, Initial, Location, LocationId, Model, PrintPart,
    ProcessType, ProcessTypeId, Start, Type, Variable,
};
use text::{Diagnostic, Sources, Span};

use crate::elaborate::Elaborator;
use crate::elaborate::expressions::{binary, not};
use crate::facts::Facts;
use crate::simultaneous;
use crate::system::{Assignment, Check, Command, Domain, InstanceId, System};

/// More combinations of commands than this are avoided.
const FEW: usize = 8;
/// More combinations than this are refused.
const MOST: usize = 50_000;
/// Processes of the model; what is more shares the last one.
const PROCESSES: usize = 250;

/// What several processes do together.
struct Joint {
    owner: InstanceId,
    others: Vec<InstanceId>,
    action: Option<String>,
    text: String,
    command: Command,
}

/// The model of a system.
pub fn lower(it: &mut Elaborator<'_>, sources: &Sources) -> Model {
    let system = std::mem::take(&mut it.system);
    let mut steps = own_steps(&system, sources);
    for way in &system.ways {
        steps.extend(joint_steps(it, &system, way));
    }
    steps.extend(ending(&system));
    let model = build(&system, steps);
    it.system = system;
    model
}

fn own_steps(system: &System, sources: &Sources) -> Vec<Joint> {
    let own = |&id: &InstanceId| {
        let commands = system.instances[id].commands.iter().filter(|it| it.gate.is_none());
        commands.map(move |it| Joint {
            owner: id,
            others: Vec::new(),
            action: None,
            text: sources.slice(it.span).to_string(),
            command: it.clone(),
        })
    };
    system.present.iter().flat_map(own).collect()
}

/// The steps of one way in which an action can happen.
fn joint_steps(it: &mut Elaborator<'_>, system: &System, way: &crate::system::Way) -> Vec<Joint> {
    let tables: Vec<BTreeMap<&[i32], Vec<Command>>> = way
        .parts
        .iter()
        .map(|part| {
            let mut table: BTreeMap<&[i32], Vec<Command>> = BTreeMap::new();
            for command in system.instances[part.0].commands.iter().filter(|it| it.gate == Some(part.1)) {
                let own = &command.values[system.gates[part.1].fixed..];
                table.entry(own).or_default().push(command.clone());
            }
            table
        })
        .collect();
    let (mut steps, said) = (Vec::new(), it.diagnostics.len());
    let first = tables.iter().min_by_key(|it| it.len());
    for values in first.iter().flat_map(|it| it.keys()) {
        let Some(offers) = tables.iter().map(|it| it.get(values).cloned()).collect::<Option<Vec<_>>>() else {
            continue;
        };
        steps.extend(combined(it, system, way, values, offers));
    }
    // Of an action that is given up it is not known whether it happens.
    if steps.is_empty() && it.diagnostics.len() == said {
        never(it, system, way);
    }
    steps
}

/// Says why an action never happens.
fn never(it: &mut Elaborator<'_>, system: &System, way: &crate::system::Way) {
    let offers = |part: &&(usize, usize)| system.instances[part.0].commands.iter().any(|it| it.gate == Some(part.1));
    let (Some(&(_, gate)), silent) = (way.parts.first(), way.parts.iter().find(|it| !offers(it))) else { return };
    let name = &system.gates[gate].title;
    let place = |part: &(usize, usize)| system.instances[part.0].alphabet[&part.1];
    let who = |part: &(usize, usize)| system.instances[part.0].name.clone();
    let diagnostic = match (silent, way.parts.iter().find(offers)) {
        (Some(part), Some(other)) => {
            let message = format!("`{name}` never happens: `{}` takes part in it, but never offers it", who(part));
            Diagnostic::warning("never-offered", place(part), message)
                .note(place(other), format!("`{}` offers it", who(other)))
        }
        (Some(part), None) => {
            Diagnostic::warning("offered-by-nobody", place(part), format!("the action `{name}` is offered by nobody"))
                .note(system.gates[gate].span, "it is declared here")
        }
        (None, _) => {
            let last = &way.parts[way.parts.len() - 1];
            let message = format!("`{name}` never happens: those who take part never offer the same values");
            Diagnostic::warning("alphabet-mismatch", place(&way.parts[0]), message)
                .note(place(last), format!("`{}` takes part here", who(last)))
        }
    };
    it.report(diagnostic);
}

fn combined(
    it: &mut Elaborator<'_>,
    system: &System,
    way: &crate::system::Way,
    values: &[i32],
    mut offers: Vec<Vec<Command>>,
) -> Vec<Joint> {
    let count = |offers: &[Vec<Command>]| offers.iter().map(Vec::len).fold(1, usize::saturating_mul);
    if count(&offers) > FEW {
        offers = offers.into_iter().map(merged).collect();
    }
    let seen = &system.gates[way.seen.unwrap_or(way.parts[0].1)];
    let label = values.iter().zip(&seen.fields[seen.fixed..]).fold(seen.title.clone(), |name, (value, field)| {
        format!("{name} !{}", system.shown(i64::from(*value), field.kind))
    });
    if count(&offers) > MOST {
        let (span, combinations) = (system.gates[way.parts[0].1].span, count(&offers));
        let message = format!("`{label}` can happen in {combinations} ways, and there can be {MOST}");
        let help = "make the conditions of commands of one process exclude each other";
        it.report(Diagnostic::error("too-many-ways", span, message).help(help));
        return Vec::new();
    }
    let who: Vec<&str> = way.parts.iter().map(|it| system.instances[it.0].name.as_str()).collect();
    let text = format!("{label} ({})", who.join(", "));
    let mut list: Vec<Command> = vec![Command {
        gate: None,
        values: values.to_vec(),
        guard: Vec::new(),
        facts: Facts::default(),
        updates: Vec::new(),
        checks: Vec::new(),
        span: Span::default(),
    }];
    for own in &offers {
        let mut next = Vec::new();
        for before in &list {
            for command in own {
                next.extend(both(it, system, before, command));
            }
        }
        list = next;
    }
    let action = way.seen.map(|_| label.clone());
    let (owner, others) = (way.parts[0].0, way.parts[1..].iter().map(|it| it.0).collect::<Vec<_>>());
    list.into_iter()
        .map(|command| {
            let (others, action, text) = (others.clone(), action.clone(), text.clone());
            Joint { owner, others, action, text, command }
        })
        .collect()
}

/// Two commands at once; nothing if their conditions exclude each other.
fn both(it: &mut Elaborator<'_>, system: &System, one: &Command, other: &Command) -> Option<Command> {
    if one.facts.exclude(&other.facts) {
        return None;
    }
    let mut command = one.clone();
    for update in &other.updates {
        let clash = one.updates.iter().find(|it| crate::elaborate::clash(&it.place, &update.place).is_some());
        if let Some(first) = clash {
            let name = &system.variables[update.place.variable.0 as usize].name;
            let message = format!("`{name}` is changed by two processes in one step");
            let diagnostic = Diagnostic::error("changed-twice", update.span, message);
            it.report(diagnostic.note(first.span, "the other change"));
        }
        command.updates.push(update.clone());
    }
    command.guard.extend(other.guard.iter().cloned());
    command.guard.iter().for_each(|it| command.facts.learn(it, true));
    command.checks.extend(other.checks.iter().cloned());
    command.span = if one.span == Span::default() { other.span } else { one.span };
    Some(command)
}

/// Commands that exclude each other as one; all of them if they do not.
fn merged(commands: Vec<Command>) -> Vec<Command> {
    let exclude = commands.iter().enumerate().all(|(row, one)| {
        commands[..row].iter().all(|other| one.facts.exclude(&other.facts) || opposite(&one.guard, &other.guard))
    });
    if commands.len() < 2 || !exclude {
        return commands;
    }
    let guards: Vec<Expr> = commands.iter().map(|it| all(it.guard.clone())).collect();
    let mut places = Vec::new();
    for update in commands.iter().flat_map(|it| &it.updates) {
        if !places.iter().any(|it: &Assignment| it.place == update.place) {
            places.push(update.clone());
        }
    }
    let updates = places.into_iter().map(|it| Assignment { value: chosen(&commands, &guards, &it), ..it });
    let checks = commands.iter().zip(&guards).flat_map(|(command, guard)| {
        command
            .checks
            .iter()
            .map(|it| Check { bad: binary(BinaryOp::And, guard.clone(), it.bad.clone()), ..it.clone() })
    });
    vec![Command {
        updates: updates.collect(),
        checks: checks.collect(),
        guard: guards.iter().cloned().reduce(|one, other| binary(BinaryOp::Or, one, other)).into_iter().collect(),
        facts: Facts::default(),
        ..commands[0].clone()
    }]
}

/// The value that a place gets from whichever of the commands happens.
fn chosen(commands: &[Command], guards: &[Expr], update: &Assignment) -> Expr {
    let value = |it: &Command| {
        let own = it.updates.iter().find(|it| it.place == update.place);
        own.map_or(Expr::Read(update.place.clone()), |it| it.value.clone())
    };
    let values: Vec<Expr> = commands.iter().map(value).collect();
    let (Some(last), true) = (values.last(), values.iter().any(|it| *it != values[0])) else {
        return values[0].clone();
    };
    let others = values.iter().zip(guards).take(values.len() - 1);
    others.fold(last.clone(), |rest, (value, guard)| {
        Expr::Conditional(Box::new(guard.clone()), Box::new(value.clone()), Box::new(rest))
    })
}

fn opposite(one: &[Expr], other: &[Expr]) -> bool {
    one.iter().any(|it| other.contains(&not(it.clone())))
}

fn all(conditions: Vec<Expr>) -> Expr {
    conditions.into_iter().reduce(|one, other| binary(BinaryOp::And, one, other)).unwrap_or(Expr::TRUE)
}

/// When every process may stop, the system has ended: it stays as it is.
fn ending(system: &System) -> Option<Joint> {
    let guard =
        system.present.iter().map(|it| system.instances[*it].may_stop.clone()).collect::<Option<Vec<Expr>>>()?;
    let owner = *system.present.first()?;
    let span = system.instances[owner].span;
    let (gate, values, facts) = (None, Vec::new(), Facts::default());
    let command = Command { gate, values, guard, facts, updates: Vec::new(), checks: Vec::new(), span };
    let others = system.present.iter().copied().skip(1).collect();
    Some(Joint { owner, others, action: Some("end".into()), text: "end".into(), command })
}

fn build(system: &System, steps: Vec<Joint>) -> Model {
    let mut model = Model::default();
    for variable in &system.variables {
        let global = global(&mut model, variable);
        model.globals.push(global);
    }
    let present: Vec<InstanceId> = system.present.iter().copied().collect();
    for &id in present.iter().take(PROCESSES) {
        let instance = &system.instances[id];
        let location = Location { span: instance.span, ..Location::default() };
        let (name, span) = (instance.name.clone(), instance.span);
        model.processes.push(ProcessType { name, span, locations: vec![location], ..ProcessType::default() });
        model.start.push(Start { process: ProcessTypeId(model.start.len() as u32), priority: 1 });
    }
    let (mut actions, mut aside) = (BTreeMap::new(), 0);
    for step in steps {
        let action = step.action.as_ref().map(|name| {
            *actions.entry(name.clone()).or_insert_with(|| {
                model.actions.push(name.clone());
                ActionId(model.actions.len() as u32 - 1)
            })
        });
        let row = |id: &InstanceId| present.iter().position(|it| it == id).unwrap_or(0).min(PROCESSES - 1);
        let (owner, others) = (row(&step.owner), step.others.iter().map(row));
        let others: Vec<ProcessTypeId> = others.map(|it| ProcessTypeId(it as u32)).collect();
        let (edges, used) = edges(step, action, system.variables.len() as u32);
        aside = aside.max(used);
        for edge in edges {
            let id = EdgeId(model.processes[owner].edges.len() as u32);
            model.processes[owner].edges.push(edge);
            model.participants.insert((ProcessTypeId(owner as u32), id), others.clone());
        }
    }
    for row in 0..aside {
        model.globals.push(Variable { name: format!("_aside{row}"), ..spare() });
    }
    for process in &mut model.processes {
        process.locations[0].edge_count = process.edges.len() as u32;
    }
    model.invariants = system
        .invariants
        .iter()
        .map(|it| model::Invariant { name: it.name.clone(), condition: it.condition.clone(), span: it.span })
        .collect();
    model
}

/// A variable for values that are put aside in a step.
fn spare() -> Variable {
    let (ty, initial, dimensions) = (Type::Int, Initial::Zero, Vec::new());
    Variable { name: String::new(), ty, dimensions, initial, hidden: false, enumeration: None, span: Span::default() }
}

fn global(model: &mut Model, it: &crate::system::Variable) -> Variable {
    let enumeration = it.names.as_ref().map(|names| {
        let row = model.enumerations.iter().position(|it| it == names).unwrap_or_else(|| {
            model.enumerations.push(names.clone());
            model.enumerations.len() - 1
        });
        EnumerationId(row as u32)
    });
    Variable {
        name: it.name.clone(),
        ty: ty(it.domain),
        dimensions: it.dimensions.iter().map(|it| (it.1 - it.0 + 1) as u32).collect(),
        initial: Initial::Values(it.initial.iter().map(|it| Expr::Constant(*it as i32)).collect()),
        hidden: false,
        enumeration,
        span: it.span,
    }
}

/// The smallest type that holds the values.
fn ty(domain: Domain) -> Type {
    match (domain.low, domain.high) {
        (0.., high) => Type::Unsigned { bits: (64 - (high as u64).leading_zeros()).max(1) as u8 },
        (-32768.., ..=32767) => Type::Short,
        _ => Type::Int,
    }
}

/// The edge of a step, and one for each thing that can be wrong with it.
fn edges(step: Joint, action: Option<ActionId>, aside: u32) -> (Vec<Edge>, u32) {
    let Joint { text, command, .. } = step;
    let (effects, used) = simultaneous::effects(&command.updates, aside);
    let edge = |guard: Vec<Expr>, effects: Vec<Effect>, span: Span, text: String| Edge {
        source: LocationId(0),
        target: Some(LocationId(0)),
        guard: all(guard),
        effects,
        forgets: Vec::new(),
        otherwise: false,
        keeps_control: false,
        group: 0,
        action,
        form: model::Form::default(),
        statement: 0,
        text,
        span,
    };
    let mut list = Vec::new();
    let mut guard = command.guard.clone();
    for check in &command.checks {
        let (before, value, after) = &check.message;
        let parts =
            vec![PrintPart::Text(before.clone()), PrintPart::Value('d', value.clone()), PrintPart::Text(after.clone())];
        let wrong = [&guard[..], std::slice::from_ref(&check.bad)].concat();
        let text = format!("{text}: {before}a value{after}");
        list.push(edge(wrong, vec![Effect::Print(parts), Effect::Assert(Expr::Constant(0))], check.span, text));
        guard.push(not(check.bad.clone()));
    }
    list.insert(0, edge(guard, effects, command.span, text));
    (list, used)
}
