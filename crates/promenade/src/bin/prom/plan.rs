//! What the arguments mean.
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{CommandFactory, ValueEnum};
use engine::{Limits, Question, Search};
use engine_explicit::StoreKind;
use front_promela::parse::Dialect;
use front_promela::preprocess;
use promenade::{Options, Pass, memory};
use report::Format;

use crate::args::{
    Arguments, CheckArguments, Engine, Language, Optimization, Reduction, ReportFormat, SearchOrder, Store,
};

/// Everything decided.
pub struct Plan {
    /// The model; `-` for standard input.
    pub file: PathBuf,
    /// What to do with it.
    pub options: Options,
    /// How to say what came out.
    pub format: Format,
    /// Leave nothing out of lists.
    pub verbose: bool,
}

impl Plan {
    /// Decides what arguments mean, or why they cannot be meant.
    pub fn new(arguments: Box<CheckArguments>) -> Result<Plan, clap::Error> {
        available(&arguments)?;
        Ok(Plan {
            format: format(arguments.format),
            verbose: arguments.verbose,
            options: Options {
                question: question(&arguments),
                engine: engine(&arguments),
                optimize: optimizations(&arguments),
                limits: limits(&arguments),
                steps: if arguments.full_trace { usize::MAX } else { Options::default().steps },
                only: arguments.only,
                front: front_promela::Options {
                    preprocess: preprocess::Options { defines: arguments.define, include_dirs: arguments.include },
                    dialect: dialect(arguments.dialect),
                },
            },
            file: arguments.file,
        })
    }
}

/// Refuses what will exist but does not yet.
fn available(it: &CheckArguments) -> Result<(), clap::Error> {
    among("--engine", it.engine, &[Engine::Auto, Engine::Reference, Engine::Explicit])?;
    among("--reduction", it.reduction, &[Reduction::Auto, Reduction::None])?;
    if it.threads == Some(0) {
        return Err(usage("`--threads 0` leaves nobody to do the work".into()));
    }
    if it.hashes.is_some() && it.store != Store::Bitstate {
        return Err(usage("`--hashes` is about `--store bitstate`".into()));
    }
    if it.passes > 1 && !matches!(it.store, Store::HashCompact | Store::Bitstate) {
        return Err(usage("`--passes` is about stores that may leave out states: hash-compact and bitstate".into()));
    }
    contradictions(it)
}

/// Refuses options that exclude each other.
fn contradictions(it: &CheckArguments) -> Result<(), clap::Error> {
    let plain = matches!(it.store, Store::Auto | Store::Exact) && matches!(it.threads, None | Some(1));
    match (it.engine, it.search) {
        _ if plain => Ok(()),
        (Engine::Reference, _) => Err(usage("the reference engine has an exact store and one thread".into())),
        (_, SearchOrder::Dfs) => Err(usage("`--search dfs` has an exact store and one thread".into())),
        _ => Ok(()),
    }
}

/// Who searches, and how.
fn engine(it: &CheckArguments) -> promenade::Engine {
    if it.engine == Engine::Reference || it.search == SearchOrder::Dfs {
        return promenade::Engine::Reference;
    }
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = it.threads.map_or_else(cores, |it| it as usize);
    promenade::Engine::Explicit(engine_explicit::Plan { store: store(it), threads, seed: it.seed, passes: it.passes })
}

/// What is done to the model first. The engine that defines the semantics takes a model as it is, unless it is told.
fn optimizations(it: &CheckArguments) -> Vec<Pass> {
    let chosen = match &it.optimize {
        _ if it.no_optimize => &[],
        Some(list) => &list[..],
        None if it.engine == Engine::Reference => &[],
        None => Optimization::value_variants(),
    };
    let wanted = |pass: &Pass| chosen.iter().any(|it| optimization(*it) == *pass);
    Pass::ALL.into_iter().filter(wanted).collect()
}

fn optimization(it: Optimization) -> Pass {
    match it {
        Optimization::Fold => Pass::Fold,
        Optimization::Hide => Pass::Hide,
        Optimization::Dead => Pass::Dead,
        Optimization::Range => Pass::Range,
        Optimization::Merge => Pass::Merge,
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

fn among<T: ValueEnum + PartialEq>(option: &str, value: T, possible: &[T]) -> Result<(), clap::Error> {
    if possible.contains(&value) {
        return Ok(());
    }
    let name = |it: &T| it.to_possible_value().map_or(String::new(), |it| format!("`{}`", it.get_name()));
    let names: Vec<String> = possible.iter().map(name).collect();
    let wanted = name(&value).replace('`', "");
    Err(usage(format!("`{option} {wanted}` is not in this version; possible values are {}", names.join(" and "))))
}

fn usage(message: String) -> clap::Error {
    Arguments::command().error(ErrorKind::InvalidValue, message)
}

fn question(it: &CheckArguments) -> Question {
    Question {
        all_errors: it.all_errors,
        search: if it.search == SearchOrder::Dfs { Search::Depth } else { Search::Breadth },
        end_states: !it.no_end_states,
        assertions: !it.no_assertions,
    }
}

/// Without a limit on memory, most of what is free may be used: an answer is better than a dead machine.
fn limits(it: &CheckArguments) -> Limits {
    let free = || memory::available().map(|bytes| bytes / 10 * 9);
    Limits { depth: it.max_depth, memory: it.memory.or_else(free), time: it.time }
}

fn format(it: ReportFormat) -> Format {
    match it {
        ReportFormat::Text => Format::Text,
        ReportFormat::Json => Format::Json,
        ReportFormat::Sarif => Format::Sarif,
        ReportFormat::Junit => Format::Junit,
        ReportFormat::Spin => Format::Spin,
    }
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
