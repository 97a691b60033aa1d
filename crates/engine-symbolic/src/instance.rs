//! A model with room for all that it can have: what another program needs to know to say the same.
//!
//! Processes and channels are created at run time; an *instance* has a place for each of them. The places are guessed from a sample and proved by
//! the search, as for an answer ([`explore`](mod@crate::explore)). If a limit ends the search first, the guess is only a guess.
use std::collections::BTreeMap;
use std::time::Instant;

use diagram::Function;
use engine::{Limits, Watch, Why};
use model::Model;
use model::semantics::Semantics;
use optimize::Pass;

use crate::cell::{Cell, Domain};
use crate::encoding::Encoding;
use crate::explore::{Explored, explore};
use crate::guess::{Effort, Guess};
use crate::layout::Layout;
use crate::run::{Plan, Run, unknown, watched};
use crate::stop::{Refusal, Result, Stop};

/// A model with a fixed number of cells.
#[derive(Clone, Debug)]
pub struct Instance {
    /// With constants folded and types narrowed; the numbers of processes, locations and edges are those of the model that was given.
    pub model: Model,
    /// Its cells.
    pub layout: Layout,
    /// What every cell holds in the initial state; for a location and for the process that goes on alone, the code.
    pub start: BTreeMap<Cell, i32>,
    /// What the search says, or why it says nothing.
    pub proof: std::result::Result<Proof, Why>,
}

/// What the search says about an instance.
#[derive(Clone, Debug)]
pub struct Proof {
    /// How many states can be reached.
    pub states: String,
    /// Some process can go on alone for ever.
    pub never_rests: bool,
}

/// Finds the places that a model needs.
pub fn instantiate(model: &Model, limits: &Limits, watch: &mut dyn Watch) -> std::result::Result<Instance, Refusal> {
    let began = Instant::now();
    let found = watched(limits, watch, |pulse| {
        let run = Run { model, limits, plan: Plan::default(), pulse, began, places: 0 };
        explore(&run, &mut |explored| proved(explored))
    });
    let (stop, why) = match found {
        Ok(instance) => return Ok(instance),
        Err(stopped) => stopped,
    };
    let why = unknown(stop, why, limits)?;
    guessed(model, why).or_else(|stop| Err(nothing(&unknown(stop, None, limits)?)))
}

fn nothing(why: &Why) -> Refusal {
    let help = "`prom check` says more".into();
    Refusal { message: format!("the model has no instance: {why:?}"), span: text::Span::default(), help }
}

fn proved(it: &Explored<'_>) -> Result<Instance> {
    let states = it.space().count(&it.states()?).to_string();
    let proof = Ok(Proof { states, never_rests: never_rests(it)? });
    instance(it.reference, it.initial, it.guess, proof)
}

/// Whether a process that goes on alone may never come to rest: the largest set of points each of which leads to another one of it.
fn never_rests(it: &Explored<'_>) -> Result<bool> {
    let mut points = it.reached.minus(&it.system.rests)?;
    loop {
        it.run.pulse.check()?;
        let staying = points.and(&leading_to(it, &points)?)?;
        if staying == points {
            return Ok(!points.is_false());
        }
        points = staying;
    }
}

/// All that leads to a set in one step.
fn leading_to(it: &Explored<'_>, set: &Function) -> Result<Function> {
    let each = it.system.relations.iter().map(|relation| Ok(relation.preimage(set)?));
    each.reduce(|all, one| Ok(all?.or(&one?)?)).unwrap_or_else(|| Ok(it.encoding.constant(false)))
}

/// What a sample of the states shows, without a proof.
fn guessed(model: &Model, why: Why) -> Result<Instance> {
    let model = optimize::optimize(model, &[Pass::Fold, Pass::Range]);
    let reference = Semantics::new(&model);
    let initial = reference.initial().map_err(Stop::NoStart)?;
    instance(&reference, &initial, &Guess::sample(&reference, &initial, Effort::default())?, Err(why))
}

/// The processes of a guess, with room for all values and messages that the model allows: who reads the program expects the types of the model.
fn instance(
    reference: &Semantics<'_>,
    initial: &model::semantics::State,
    guess: &Guess,
    proof: std::result::Result<Proof, Why>,
) -> Result<Instance> {
    let model = reference.model();
    let roomy = Guess { domains: BTreeMap::new(), lengths: BTreeMap::new(), ..guess.clone() };
    let mut layout = Layout::new(model, &roomy);
    layout.place(&crate::order::order(model, &layout));
    let space = diagram::Space::new(
        layout.bit_count(),
        diagram::Limits { nodes: 1 << 12, cache: 1 << 12, ..Default::default() },
    );
    let encoding = Encoding { model, layout: &layout, space: &space, mistake: None };
    let start = start(&encoding, reference, initial)?;
    Ok(Instance { layout: layout.clone(), start, proof, model: model.clone() })
}

/// What every cell holds in a state.
fn start(
    encoding: &Encoding<'_>,
    reference: &Semantics<'_>,
    state: &model::semantics::State,
) -> Result<BTreeMap<Cell, i32>> {
    let bits = encoding.encode(reference, state).ok_or(Stop::Inconsistent("no room for the initial state"))?;
    let value = |(&cell, domain): (&Cell, &Domain)| {
        let places = encoding.layout.bits[&cell].iter().enumerate();
        let code = places.fold(0u32, |code, (row, &bit)| code | u32::from(bits[bit]) << row);
        (cell, domain.value(code))
    };
    Ok(encoding.layout.cells.iter().map(value).collect())
}
