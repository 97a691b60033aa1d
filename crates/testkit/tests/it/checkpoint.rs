//! A search that goes on from any of its checkpoints ends as if it had never stopped; one that forgets something does not.
use std::io;

use engine::{Finding, Keeper, Limits, Question, WriteCheckpoint};
use engine_explicit::{Checkpoints, Plan, StoreKind, explicit, explicit_kept};
use model::Model;
use store::{WordReader, WordWriter};
use testkit::random::Random;
use testkit::{parallel, random, run};

/// States of random models that are searched.
const STATES: u64 = 20_000;

/// Keeps every checkpoint that it can get.
#[derive(Default)]
struct Memory(Vec<Vec<u8>>);

impl Keeper for Memory {
    fn is_due(&self) -> bool {
        self.0.len() < 200
    }

    fn keep(&mut self, write: WriteCheckpoint<'_>) -> io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.0.push(bytes);
        Ok(())
    }
}

fn question(all_errors: bool) -> Question {
    Question { all_errors, ..Question::default() }
}

/// All checkpoints of a search.
fn checkpoints(model: &Model, plan: Plan, all_errors: bool) -> Vec<Vec<u8>> {
    let mut memory = Memory::default();
    let kept = Checkpoints { keeper: Some(&mut memory), from: None };
    let (question, limits) = (question(all_errors), Limits::default());
    explicit_kept(model, &question, &limits, plan, &mut (), kept).expect("memory can be written to");
    memory.0
}

fn resumed(model: &Model, plan: Plan, all_errors: bool, mut bytes: &[u8]) -> Finding {
    let kept = Checkpoints { keeper: None, from: Some(&mut bytes) };
    let (question, limits) = (question(all_errors), Limits::default());
    explicit_kept(model, &question, &limits, plan, &mut (), kept).expect("a good checkpoint")
}

/// Everything but the time and the memory.
fn essence(it: &Finding) -> String {
    let numbers = (it.statistics.states, it.statistics.transitions, it.statistics.inner_steps, it.statistics.depth);
    let (verdict, unreached, complete) = (&it.verdict, &it.unreached, it.complete);
    format!("{verdict:?} {complete} {numbers:?} {} {unreached:?} {:?}", it.errors, it.violations)
}

fn stores() -> [StoreKind; 4] {
    [StoreKind::Exact, StoreKind::Tree, StoreKind::HashCompact, StoreKind::Bitstate { bytes: 1 << 20, hashes: 3 }]
}

#[test]
fn random_models_go_on_from_any_checkpoint() {
    let seeds: Vec<u64> = (31_000..31_120).collect();
    let compared = parallel::map(&seeds, |&seed| {
        let (compiled, _) = run::compile_text(&random::model(seed).text());
        let Some(model) = compiled.model else { return 0 };
        let limits = Limits { depth: Some(300), ..Limits::default() };
        let size = explicit(&model, &question(true), &limits, Plan::default(), &mut ());
        if !size.complete || size.statistics.states > STATES {
            return 0;
        }
        let mut random = Random::new(seed);
        for store in stores() {
            let all_errors = random.below(2) == 0;
            let plan = Plan { store, ..Plan::default() };
            let whole = explicit(&model, &question(all_errors), &Limits::default(), plan, &mut ());
            let list = checkpoints(&model, plan, all_errors);
            for _ in 0..3.min(list.len()) {
                let bytes = &list[random.below(list.len())];
                let threads = if matches!(store, StoreKind::Bitstate { .. }) { 1 } else { 1 + random.below(2) };
                let again = resumed(&model, Plan { threads, ..plan }, all_errors, bytes);
                assert_eq!(essence(&again), essence(&whole), "seed {seed}, {plan:?}");
            }
        }
        1
    });
    let models: usize = compared.iter().sum();
    println!("{models} models");
    assert!(models >= 40, "only {models} models could be compared");
}

/// A model whose levels have many blocks.
fn wide() -> Model {
    let text =
        "byte v[4]; active [4] proctype P() { do :: v[_pid] < 11 -> v[_pid]++ :: v[_pid] == 11 -> v[_pid] = 0 od }";
    run::compile_text(text).0.model.expect("a model")
}

/// The words of a checkpoint, changed and put together again with right checksums.
fn altered(bytes: &[u8], alter: impl Fn(&mut Vec<u64>, usize)) -> Vec<u8> {
    let (head, mut body) = bytes.split_at(16);
    let (mut reader, mut words) = (WordReader::new(&mut body), Vec::new());
    while let Ok(word) = reader.word() {
        words.push(word);
    }
    let text_at = |at: usize| at + 1 + words[at].div_ceil(8) as usize;
    let board = text_at(text_at(0) + 1);
    alter(&mut words, board);
    let mut out = head.to_vec();
    let mut writer = WordWriter::new(&mut out);
    writer.words(words).and_then(|()| writer.finish()).expect("memory can be written to");
    out
}

/// Where the blocks start that wait, in a checkpoint whose board is at `board`: level, transitions, time, blocks.
const BLOCKS: usize = 3;

/// Forgets the first block of those that wait at this level.
fn without_a_block(words: &mut Vec<u64>, board: usize) {
    let first = board + BLOCKS + 1;
    let len = words[first] as usize;
    words.drain(first..first + 1 + len);
    words[board + BLOCKS] -= 1;
}

#[test]
fn a_checkpoint_in_the_middle_of_a_level_that_forgets_something_is_caught() {
    let (model, plan) = (wide(), Plan::default());
    let whole = explicit(&model, &question(false), &Limits::default(), plan, &mut ());
    let list = checkpoints(&model, plan, false);
    let waits = |bytes: &&Vec<u8>| {
        let count = std::cell::Cell::new(0);
        altered(bytes, |words, board| count.set(words[board + BLOCKS]));
        count.get() > 1
    };
    let bytes = list.iter().rfind(waits).expect("a level with many blocks");
    let same = altered(bytes, |_, _| {});
    assert_eq!(same, *bytes);
    assert_eq!(essence(&resumed(&model, plan, false, &same)), essence(&whole));

    let twin = altered(bytes, without_a_block);
    assert_ne!(essence(&resumed(&model, plan, false, &twin)), essence(&whole), "a block was forgotten");
    let twin = altered(bytes, |words, board| words[board] += 1);
    assert_ne!(essence(&resumed(&model, plan, false, &twin)), essence(&whole), "the level is wrong");
}

/// Where the number of unsettled successors is, after the blocks of this level and of the next, in blocks of keys.
fn unsettled_at(words: &[u64], board: usize) -> usize {
    let after_blocks = |at: usize| (0..words[at]).fold(at + 1, |at, _| at + 1 + words[at] as usize);
    after_blocks(after_blocks(board + BLOCKS)) + 1
}

/// Forgets the successors that could not be looked up.
fn without_the_unsettled(words: &mut Vec<u64>, board: usize) {
    let at = unsettled_at(words, board);
    let end = (0..words[at]).fold(at + 1, |at, _| at + 1 + words[at] as usize);
    words.drain(at + 1..end);
    words[at] = 0;
}

#[test]
fn whoever_runs_out_of_memory_goes_on_exactly() {
    let model = wide();
    let mut unsettled = 0;
    for store in stores().into_iter().take(3) {
        let whole = explicit(&model, &question(false), &Limits::default(), Plan { store, ..Plan::default() }, &mut ());
        for (row, kilobytes) in [300, 500, 800, 1200, 1500].into_iter().enumerate() {
            let plan = Plan { store, threads: 1 + row % 2, ..Plan::default() };
            let mut memory = Last::default();
            let limits = Limits { memory: Some(kilobytes << 10), ..Limits::default() };
            let kept = Checkpoints { keeper: Some(&mut memory), from: None };
            let stopped = explicit_kept(&model, &question(false), &limits, plan, &mut (), kept).expect("a search");
            let again = resumed(&model, plan, false, &memory.0);
            assert_eq!(
                essence(&again),
                essence(&whole),
                "{plan:?}, {kilobytes} KB, stopped at {:?}",
                stopped.statistics
            );
            if store == StoreKind::HashCompact {
                continue;
            }
            let twin = altered(&memory.0, without_the_unsettled);
            if twin != memory.0 {
                unsettled += 1;
                assert_ne!(essence(&resumed(&model, plan, false, &twin)), essence(&whole), "they were forgotten");
            }
        }
    }
    assert!(unsettled > 2, "only {unsettled} searches stopped in the middle of a block");
}

/// Keeps the last checkpoint and never wants one.
#[derive(Default)]
struct Last(Vec<u8>);

impl Keeper for Last {
    fn is_due(&self) -> bool {
        false
    }

    fn keep(&mut self, write: WriteCheckpoint<'_>) -> io::Result<()> {
        self.0.clear();
        write(&mut self.0)
    }
}
