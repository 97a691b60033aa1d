//! What the arguments mean.
use std::path::PathBuf;
use std::time::Duration;

use clap::CommandFactory;
use clap::error::ErrorKind;
use engine::{Fairness, Limits, Question, Search};
use engine_explicit::{Descent, Ends, Shorten, StoreKind};
use front_promela::parse::Dialect;
use front_promela::preprocess;
use promenade::{Checkpoint, Extra, Options, Pass, memory, swarm::recipes};
use report::Format;

use crate::args::{
    Arguments, AutomatonFormat, Cache, CheckArguments, Engine, Evaluation, ExportArguments, Language, LtlArguments,
    Optimization, Reduction, ReportFormat, SearchOrder, Shortening, Slicing, Source, Store, Variant,
};
use crate::order::{self, Order};
use crate::swarm::Swarm;

/// Time between two checkpoints if nobody says otherwise.
const EVERY: Duration = Duration::from_secs(600);

/// Time to prove that an exported model has room for all that happens if nobody says otherwise.
const PROVING: Duration = Duration::from_secs(60);

/// With less memory no search can even begin.
const LEAST_MEMORY: u64 = 64 << 10;

/// More threads than any machine has cores.
const MOST_THREADS: u32 = 1024;

/// Everything decided.
pub struct Plan {
    /// The model; `-` for standard input.
    pub file: PathBuf,
    /// How it is read if it is a C program.
    pub program: promenade::c_program::Reading,
    /// What to do with it.
    pub options: Options,
    /// Start others that do it.
    pub swarm: Option<Swarm>,
    /// How to say what came out.
    pub format: Format,
    /// Leave nothing out of lists.
    pub verbose: bool,
    /// Show all that engines say about themselves.
    pub stats: bool,
    /// Where to write the order of diagrams that was found.
    pub order: Option<PathBuf>,
    /// Where the picture of how sets grew goes.
    pub stats_svg: Option<PathBuf>,
}

impl Plan {
    /// Decides what arguments mean, or why they cannot be meant.
    pub fn new(arguments: Box<CheckArguments>) -> Result<Plan, clap::Error> {
        available(&arguments)?;
        let order = arguments.order.as_deref().map(order::open).transpose().map_err(usage)?;
        let (given, wanted) = match order {
            Some(Order::Given(names)) => (Some(names), None),
            Some(Order::Wanted(file)) => (None, Some(file)),
            None => (None, None),
        };
        Ok(Plan {
            order: wanted,
            swarm: swarm(&arguments),
            format: format(arguments.format),
            verbose: arguments.verbose,
            stats: arguments.stats,
            stats_svg: arguments.stats_svg.clone(),
            options: Options {
                question: question(&arguments),
                engine: engine(&arguments, given),
                hand_over: may_hand_over(&arguments),
                choose_reduction: may_choose(&arguments),
                trust_exclusive: arguments.trust_xr_xs,
                progress: arguments.progress || arguments.only.iter().any(|it| it == "non-progress"),
                fairness: fairness(&arguments),
                optimize: optimizations(&arguments),
                slice: slices(&arguments),
                slice_mistake: None,
                limits: limits(&arguments),
                checkpoint: checkpoint(&arguments),
                trace: arguments.trace.clone(),
                steps: if arguments.full_trace { usize::MAX } else { Options::default().steps },
                extras: extras(&arguments),
                advice: !arguments.no_warnings,
                no_warnings: arguments.no_warnings,
                only: arguments.only,
                front: front(&arguments.source),
            },
            program: crate::extract::reading(&arguments.source, &arguments.program),
            file: arguments.source.file,
        })
    }
}

impl Plan {
    /// How much people see.
    pub fn detail(&self) -> report::Detail {
        report::Detail { verbose: self.verbose, stats: self.stats, ..report::Detail::default() }
    }
}

/// Refuses what makes no sense.
fn available(it: &CheckArguments) -> Result<(), clap::Error> {
    if it.threads == Some(0) {
        return Err(usage("`--threads 0` leaves nobody to do the work".into()));
    }
    if it.threads > Some(MOST_THREADS) {
        return Err(usage(format!("`--threads` can be at most {MOST_THREADS}")));
    }
    if it.memory.is_some_and(|it| it < LEAST_MEMORY) {
        return Err(usage("`--memory` is too small: no search can begin with less than 64K".into()));
    }
    if it.hashes.is_some() && it.swarm.is_none() && it.store != Store::Bitstate {
        return Err(usage("`--hashes` is about `--store bitstate`".into()));
    }
    if it.passes > 1 && !matches!(it.store, Store::HashCompact | Store::Bitstate) {
        return Err(usage("`--passes` is about stores that may leave out states: hash-compact and bitstate".into()));
    }
    contradictions(it)?;
    sets(it)?;
    reductions(it)?;
    checkpoints(it)?;
    swarms(it)
}

/// Refuses what sets of states cannot be combined with, and what only they know.
fn sets(it: &CheckArguments) -> Result<(), clap::Error> {
    let ways = matches!(it.search, SearchOrder::Chaining | SearchOrder::Saturation);
    let error = match () {
        () if it.engine != Engine::Symbolic && ways => {
            "`--search chaining` and `saturation` are about `--engine symbolic`"
        }
        () if it.engine != Engine::Symbolic && it.order.is_some() => "`--order` is about `--engine symbolic`",
        () if it.engine != Engine::Symbolic && it.method.is_some() => "`--method` is about `--engine symbolic`",
        () if it.engine != Engine::Symbolic && it.reduction == Reduction::Improviso => {
            "`--reduction improviso` is about `--engine symbolic`; the explicit engine has `--reduction twophase`"
        }
        () if !matches!(it.engine, Engine::Auto | Engine::Symbolic) && it.stats_svg.is_some() => {
            "`--stats-svg` is about `--engine symbolic`"
        }
        () if it.engine != Engine::Symbolic => return Ok(()),
        () if it.reduction == Reduction::Improviso && ways => {
            "`--reduction improviso` goes breadth first: no `--search chaining` or `saturation`"
        }
        () if is_depth_first(it) => "the symbolic engine has no depth-first search",
        () if it.store != Store::Auto => "the symbolic engine has no store but its sets",
        () if !matches!(it.reduction, Reduction::Auto | Reduction::None | Reduction::Improviso) => {
            "the symbolic engine has no such reduction; it has `--reduction improviso`"
        }
        () if it.max_depth.is_some() => "the symbolic engine knows no `--max-depth`",
        () if it.swarm.is_some() => "the members of a swarm have the explicit engine",
        () => return Ok(()),
    };
    Err(usage(error.into()))
}

/// Refuses what a reduction cannot be combined with.
fn reductions(it: &CheckArguments) -> Result<(), clap::Error> {
    let of_phase1 = it.cache.map(|_| "--cache").or(it.phase1.map(|_| "--phase1"));
    let bound = strategy(it).or(it.max_depth.map(|_| "--max-depth"));
    match (it.reduction, of_phase1, bound) {
        (Reduction::Auto | Reduction::None, None, _) => Ok(()),
        (
            Reduction::Auto | Reduction::None | Reduction::Ample | Reduction::Spin | Reduction::Improviso,
            Some(option),
            _,
        ) => Err(usage(format!("`{option}` is about `--reduction twophase` and `stubborn`"))),
        (Reduction::Ample | Reduction::Spin, ..) if !is_depth_first(it) => {
            let better = "breadth-first searches have `--reduction twophase`";
            let name = if it.reduction == Reduction::Spin { "spin" } else { "ample" };
            Err(usage(format!("`--reduction {name}` looks at the stack of `--search dfs`; {better}")))
        }
        (_, _, Some(bound)) => Err(usage(format!("`{bound}` counts steps, and a reduction leaves some out"))),
        _ if it.engine == Engine::Reference => Err(usage("the reference engine has no reduction".into())),
        _ => Ok(()),
    }
}

/// Refuses what a swarm cannot be.
fn swarms(it: &CheckArguments) -> Result<(), clap::Error> {
    let error = match () {
        () if it.swarm.is_none() && it.print_commands => "`--print-commands` is about `--swarm`",
        () if it.swarm.is_none() => return Ok(()),
        () if it.swarm == Some(0) => "`--swarm 0` leaves nobody to do the work",
        () if !matches!(it.store, Store::Auto | Store::Bitstate) => "the members of a swarm have bitstate stores",
        () if it.engine == Engine::Reference => "the members of a swarm have the explicit engine",
        () if it.search != SearchOrder::Auto => "the members of a swarm choose their search order themselves",
        () if it.shorten.is_some() => "a swarm ends with the first violation, however long: no `--shorten`",
        () if it.max_switches.is_some() => "`--max-switches` is about one search, not a swarm",
        () if it.hashes.is_some() => "the members of a swarm choose their `--hashes` themselves",
        () if it.passes > 1 => "`--passes` and `--swarm` exclude each other: a swarm is many passes",
        () if it.checkpoint.is_some() || it.resume.is_some() => "a swarm takes no checkpoints",
        () if it.trace.is_some() => "a swarm writes no traces: run the member that found the violation with `--trace`",
        () if it.memory.is_some_and(|all| share(it, all) < LEAST_MEMORY) => {
            "`--memory` is too small: each member of a swarm needs 64K"
        }
        () if it.source.file.as_os_str() == "-" => "a swarm cannot share standard input: name the model's file",
        () => return Ok(()),
    };
    Err(usage(error.into()))
}

/// The memory of the member of a swarm that gets least.
fn share(it: &CheckArguments, all: u64) -> u64 {
    let at_once = it.threads.map_or_else(cores, |it| it as usize).min(it.swarm.unwrap_or(1) as usize);
    let least = recipes(it.swarm.unwrap_or(1), 0).iter().map(|it| it.memory_share).max();
    all / at_once.max(1) as u64 / least.unwrap_or(1)
}

fn swarm(it: &CheckArguments) -> Option<Swarm> {
    let free = || memory::available().map(|bytes| bytes / 10 * 9);
    Some(Swarm {
        recipes: recipes(it.swarm?, it.seed.unwrap_or(0)),
        at_once: it.threads.map_or_else(cores, |it| it as usize),
        memory: it.memory.or_else(|| if it.print_commands { None } else { free() }),
        time: it.time,
        depth: it.max_depth,
        print: it.print_commands,
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Refuses checkpoints of searches that take none.
fn checkpoints(it: &CheckArguments) -> Result<(), clap::Error> {
    let wanted = it.checkpoint.is_some() || it.resume.is_some();
    match () {
        () if it.every.is_some() && !wanted => Err(usage("`--every` is about `--checkpoint` and `--resume`".into())),
        () if !wanted => Ok(()),
        () if is_depth_first(it) || !matches!(engine(it, None), promenade::Engine::Explicit(_)) => {
            Err(usage("checkpoints are taken by the explicit engine, breadth-first".into()))
        }
        () if it.passes > 1 => Err(usage("a checkpoint is of one pass: `--passes` cannot be resumed".into())),
        () => Ok(()),
    }
}

/// Refuses options that exclude each other.
fn contradictions(it: &CheckArguments) -> Result<(), clap::Error> {
    let one_thread = matches!(it.threads, None | Some(1));
    let plain = matches!(it.store, Store::Auto | Store::Exact) && one_thread;
    if it.no_end_states && it.only.iter().any(|it| it == "deadlock") {
        return Err(usage("`--only deadlock` and `--no-end-states` leave nothing to check".into()));
    }
    if it.engine == Engine::Reference && !plain {
        return Err(usage("the reference engine has an exact store and one thread".into()));
    }
    if is_depth_first(it) && !one_thread {
        return Err(usage("a depth-first search has one thread; `--search bfs` uses many".into()));
    }
    let Some(strategy) = strategy(it) else { return Ok(()) };
    match it.search {
        _ if it.engine == Engine::Reference => Err(usage(format!("the reference engine does not know `{strategy}`"))),
        SearchOrder::Bfs => Err(usage(format!("`{strategy}` is about `--search dfs`"))),
        _ if it.shorten.is_some() && it.all_errors => {
            Err(usage("`--shorten` looks for one counterexample, `--all-errors` for all".into()))
        }
        _ => Ok(()),
    }
}

/// An option that only a depth-first search knows.
fn strategy(it: &CheckArguments) -> Option<&'static str> {
    let switches = it.max_switches.map(|_| "--max-switches");
    switches.or(it.shorten.map(|_| "--shorten"))
}

fn is_depth_first(it: &CheckArguments) -> bool {
    it.search == SearchOrder::Dfs || strategy(it).is_some()
}

/// Who searches, and how.
fn engine(it: &CheckArguments, order: Option<&'static [String]>) -> promenade::Engine {
    if it.engine == Engine::Reference {
        return promenade::Engine::Reference;
    }
    if it.engine == Engine::Symbolic {
        return promenade::Engine::Symbolic(engine_symbolic::Plan {
            method: method(it),
            evaluation: evaluation(it),
            reduction: match it.reduction {
                Reduction::Improviso => engine_symbolic::Reduction::ImProviso,
                _ => engine_symbolic::Reduction::None,
            },
            order,
            threads: it.threads.unwrap_or(1),
            ..engine_symbolic::Plan::default()
        });
    }
    let threads = if is_depth_first(it) { 1 } else { it.threads.map_or_else(cores, |it| it as usize) };
    promenade::Engine::Explicit(engine_explicit::Plan {
        store: store(it),
        threads,
        seed: it.seed.unwrap_or(0),
        passes: it.passes,
        descent: descent(it),
        reduction: reduction(it),
        slip: None,
    })
}

fn method(it: &CheckArguments) -> engine_symbolic::Method {
    match it.search {
        _ if it.reduction == Reduction::Improviso => engine_symbolic::Method::BreadthFirst,
        SearchOrder::Bfs => engine_symbolic::Method::BreadthFirst,
        SearchOrder::Chaining => engine_symbolic::Method::Chaining,
        SearchOrder::Auto | SearchOrder::Dfs | SearchOrder::Saturation => engine_symbolic::Method::Saturation,
    }
}

fn evaluation(it: &CheckArguments) -> engine_symbolic::Evaluation {
    match it.method {
        Some(Evaluation::Backward) => engine_symbolic::Evaluation::Backward,
        Some(Evaluation::Forward) => engine_symbolic::Evaluation::Forward,
        Some(Evaluation::ForwardPor) => engine_symbolic::Evaluation::ForwardReduced,
        Some(Evaluation::Auto) | None => engine_symbolic::Evaluation::Auto,
    }
}

/// Whether nobody said which steps to leave out, and some may be.
/// Whether nothing is said that only one engine knows.
fn may_hand_over(arguments: &CheckArguments) -> bool {
    let is_free = matches!(arguments.search, SearchOrder::Auto | SearchOrder::Bfs);
    arguments.engine == Engine::Auto && arguments.swarm.is_none() && is_free
}

fn may_choose(it: &CheckArguments) -> bool {
    it.reduction == Reduction::Auto && strategy(it).is_none() && it.max_depth.is_none()
}

fn reduction(it: &CheckArguments) -> engine_explicit::Reduction {
    let ends = match it.reduction {
        Reduction::Twophase => Ends::All,
        Reduction::Stubborn => Ends::Stubborn,
        Reduction::Ample => return engine_explicit::Reduction::Ample { local: false, mistake: None },
        Reduction::Spin => return engine_explicit::Reduction::Ample { local: true, mistake: None },
        Reduction::Auto | Reduction::None | Reduction::Improviso => return engine_explicit::Reduction::None,
    };
    let variant = match it.phase1 {
        Some(Variant::Plain) => engine_explicit::Variant::Plain,
        Some(Variant::Strong) | None => engine_explicit::Variant::Strong,
    };
    let cache = match it.cache {
        Some(Cache::All) | None => engine_explicit::Cache::All,
        Some(Cache::BackEdges) => engine_explicit::Cache::BackEdges,
        Some(Cache::None) => engine_explicit::Cache::None,
    };
    engine_explicit::Reduction::Twophase { variant, cache, ends, mistake: None }
}

fn descent(it: &CheckArguments) -> Descent {
    let shorten = it.shorten.map(|it| match it {
        Shortening::Fully => Shorten::Fully,
        Shortening::Halving => Shorten::Halving,
    });
    Descent { order: it.seed, shorten, switches: it.max_switches }
}

/// What is done to the model first. The engine that defines the semantics takes a model as it is, unless it is told; so does the symbolic
/// one, whose number of states is that of the model.
fn optimizations(it: &CheckArguments) -> Vec<Pass> {
    let chosen = match &it.optimize {
        _ if it.no_optimize => &[],
        Some(list) => &list[..],
        None if matches!(it.engine, Engine::Reference | Engine::Symbolic) => &[],
        None => &[Optimization::Full],
    };
    let wanted = |pass: &Pass| chosen.iter().any(|it| optimization(*it).contains(pass));
    Pass::SPIN.into_iter().chain(Pass::ALL).filter(wanted).collect()
}

/// Whether models are sliced: if nobody asks for all steps or for certain optimisations alone. Who does not see which statements are never reached
/// loses nothing by a full slice. (With strong fairness nearly every statement matters.)
fn slices(it: &CheckArguments) -> promenade::Slicing {
    let chosen = it.optimize.as_ref().is_some_and(|list| *list != [Optimization::Full]);
    let plain = it.no_optimize || chosen || it.reduction == Reduction::None;
    let fast = matches!(it.engine, Engine::Auto | Engine::Explicit);
    match it.slice {
        Slicing::Full => promenade::Slicing::Full,
        Slicing::Unused => promenade::Slicing::Unused,
        Slicing::Auto if fast && !plain => match it.format {
            ReportFormat::Junit | ReportFormat::Sarif if !it.strongly_fair => promenade::Slicing::Full,
            _ => promenade::Slicing::Auto,
        },
        Slicing::Auto | Slicing::Off => promenade::Slicing::Off,
    }
}

fn optimization(it: Optimization) -> &'static [Pass] {
    match it {
        Optimization::Fold => &[Pass::Fold],
        Optimization::Hide => &[Pass::Hide],
        Optimization::Dead => &[Pass::Dead],
        Optimization::Range => &[Pass::Range],
        Optimization::Merge => &[Pass::Merge],
        Optimization::Full => &Pass::ALL,
        Optimization::Spin => &Pass::SPIN,
        Optimization::None => &[],
    }
}

fn store(it: &CheckArguments) -> StoreKind {
    match it.store {
        Store::Auto | Store::Exact => StoreKind::Exact,
        Store::Tree => StoreKind::Tree,
        Store::HashCompact => StoreKind::HashCompact,
        Store::Bitstate => {
            // It does not grow, and the states that wait need room too. Without a size, a quarter of what is free.
            let given = it.memory.map(|it| it / 4 * 3);
            let bytes = given.or_else(|| memory::available().map(|it| it / 4)).unwrap_or(1 << 28);
            StoreKind::Bitstate { bytes: bytes.min(1 << 36), hashes: it.hashes.unwrap_or(3) }
        }
    }
}

fn usage(message: String) -> clap::Error {
    Arguments::command().error(ErrorKind::InvalidValue, message)
}

fn question(it: &CheckArguments) -> Question {
    Question {
        all_errors: it.all_errors,
        search: if is_depth_first(it) { Search::Depth } else { Search::Breadth },
        end_states: !it.no_end_states,
        assertions: !it.no_assertions,
        only_ends: false,
    }
}

fn fairness(it: &CheckArguments) -> Fairness {
    match (it.fair, it.strongly_fair) {
        (_, true) => Fairness::Strong,
        (true, false) => Fairness::Weak,
        (false, false) => Fairness::None,
    }
}

/// Without a limit on memory, most of what is free may be used: an answer is better than a dead machine.
fn limits(it: &CheckArguments) -> Limits {
    let is_symbolic = it.engine == Engine::Symbolic;
    let available = || if is_symbolic { memory::available_for_diagrams() } else { memory::available() };
    let free = || available().map(|bytes| bytes / 10 * 9);
    Limits { depth: it.max_depth, memory: it.memory.or_else(free), time: it.time }
}

fn checkpoint(it: &CheckArguments) -> Option<Checkpoint> {
    let (every, from) = (it.every.unwrap_or(EVERY), it.resume.clone());
    let file = it.checkpoint.clone().or_else(|| from.clone())?;
    Some(Checkpoint { file, every, from })
}

pub fn format(it: ReportFormat) -> Format {
    match it {
        ReportFormat::Text => Format::Text,
        ReportFormat::Json => Format::Json,
        ReportFormat::Sarif => Format::Sarif,
        ReportFormat::Junit => Format::Junit,
        ReportFormat::Spin => Format::Spin,
    }
}

/// How a model is read.
pub fn front(it: &Source) -> front_promela::Options {
    let (defines, include_dirs) = (it.define.clone(), it.include.clone());
    let preprocess = preprocess::Options { defines, include_dirs, further: Vec::new() };
    front_promela::Options { preprocess, dialect: dialect(it.dialect) }
}

/// Refuses what an automaton cannot be.
pub fn automaton(it: &LtlArguments) -> Result<(), clap::Error> {
    if it.generalised && it.format == AutomatonFormat::Never {
        let message = "a never claim has one set of accepting states; `--generalised` is about hoa, dot and svg";
        return Err(usage(message.into()));
    }
    Ok(())
}

/// Formulas of linear time that are not in the model.
pub fn formulas(list: &[String]) -> impl Iterator<Item = Extra> {
    list.iter().map(|it| match it.strip_prefix('@') {
        Some(file) => Extra::FormulaFile(file.into()),
        None => Extra::Formula(it.clone()),
    })
}

/// What is added to a model before it is exported, and what that may take.
pub fn export(it: &ExportArguments) -> (Vec<Extra>, Limits) {
    let extras = formulas(&it.ltl).chain(it.ctl.iter().cloned().map(Extra::Branching)).collect();
    let free = || memory::available_for_diagrams().map(|bytes| bytes / 10 * 9);
    (extras, Limits { depth: None, memory: it.memory.or_else(free), time: it.time.or(Some(PROVING)) })
}

/// Properties that are not in the model.
fn extras(it: &CheckArguments) -> Vec<Extra> {
    let formulas = formulas(&it.ltl);
    let claims = it.never.iter().cloned().map(Extra::Claim);
    let branching = it.ctl.iter().cloned().map(Extra::Branching);
    let fairness = it.fairness.iter().cloned().map(Extra::Fairness);
    formulas.chain(branching).chain(fairness).chain(claims).collect()
}

fn dialect(it: Language) -> Dialect {
    match it {
        Language::Spin => Dialect::Spin,
        Language::Pv => Dialect::Pv,
    }
}

/// Whether to use colour: on a terminal that can, unless the user says no (<https://no-color.org>).
pub fn shows_colour(is_terminal: bool) -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    is_terminal && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|it| it != "dumb")
}
