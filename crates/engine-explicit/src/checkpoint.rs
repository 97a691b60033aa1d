//! Checkpoints of a search: everything it needs in order to go on as if nothing had happened.
//!
//! A checkpoint is taken while all workers rest. Then every block of states is either waiting or done, and the search is
//!
//! ```text
//! the visited states, the blocks that wait at this level, the blocks of the next,
//! what was counted and found so far
//! ```
//!
//! There is one exception. A worker that runs out of memory stops in the middle of a block: the rest of the block
//! goes back to those that wait, and the successors that it could not look up are *unsettled*. They are not
//! counted yet, and whoever goes on begins with them.
//!
//! Of violations only the states are kept, and what is wrong there is found once more by the reference interpreter. So
//! a checkpoint cannot claim a violation that does not exist, and one that is not found again is damage.
//!
//! A checkpoint is good for one model, one question and one way of searching: its [`Label`] says which. The number of
//! workers and all limits may be others when the search goes on.
use std::fmt::{self, Write as _};
use std::io::{self, Read, Write};
use std::time::Duration;

use compiled::Steps;
use engine::{Keeper, Question};
use store::{Saved, Store, Unreadable, WordReader, WordWriter};

use crate::expander::{Counts, Knowledge};
use crate::explicit::{Plan, Reduction, StoreKind};
use crate::frontier::{Block, Pile};
use crate::levels::Board;

/// What a checkpoint begins with.
const MAGIC: [u8; 8] = *b"PROMSAVE";
/// The layout of what comes after it. Another layout has another number.
const FORMAT: u64 = 4;
/// The version of this program: what a packed state means may differ between two.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where checkpoints go, and where a search begins that does not begin at the beginning.
#[derive(Default)]
pub struct Checkpoints<'k> {
    /// Keeps them.
    pub keeper: Option<&'k mut dyn Keeper>,
    /// The checkpoint to go on from.
    pub from: Option<&'k mut dyn Read>,
}

impl Checkpoints<'_> {
    /// Whether there is nothing to read or write.
    pub fn are_unwanted(&self) -> bool {
        self.keeper.is_none() && self.from.is_none()
    }
}

/// Why a search cannot go on from a checkpoint, or not write one.
#[derive(Debug)]
pub enum Unusable {
    /// It is something else.
    NotACheckpoint,
    /// Another version of this program has written it; which, if that can be told.
    OtherVersion(Option<String>),
    /// It is of another model.
    OtherModel,
    /// It is of another way of searching.
    OtherMethod {
        /// That of the checkpoint.
        then: String,
        /// That of this run.
        now: String,
    },
    /// It cannot be read.
    Unreadable(Unreadable),
    /// Not even the first checkpoint could be written.
    Unwritable(io::Error),
    /// The states are so large that the reference has to search, which takes no checkpoints.
    Unsupported,
}

impl From<Unreadable> for Unusable {
    fn from(error: Unreadable) -> Self {
        Unusable::Unreadable(error)
    }
}

/// What a checkpoint belongs to.
#[derive(Default)]
pub struct Label {
    /// Of the model and the layout of its states.
    fingerprint: u64,
    /// What is asked, and how states are kept, in words.
    method: String,
}

impl Label {
    /// Of a search.
    pub fn new(steps: &Steps<'_>, question: &Question, plan: Plan) -> Label {
        let mut fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);
        // Writing to a fingerprint cannot fail.
        let _ = write!(fingerprint, "{:?} {:?}", steps.system().model(), steps.packing());
        Label { fingerprint: fingerprint.0, method: method(question, plan) }
    }

    fn write(&self, out: &mut WordWriter<'_>) -> io::Result<()> {
        out.text(VERSION)?;
        out.word(self.fingerprint)?;
        out.text(&self.method)
    }

    /// Reads the label of a checkpoint and compares it.
    fn compare(&self, from: &mut WordReader<'_>) -> Result<(), Unusable> {
        let version = from.text()?;
        let (fingerprint, method) = (from.word()?, from.text()?);
        match () {
            () if version != VERSION => Err(Unusable::OtherVersion(Some(version))),
            () if fingerprint != self.fingerprint => Err(Unusable::OtherModel),
            () if method != self.method => Err(Unusable::OtherMethod { then: method, now: self.method.clone() }),
            () => Ok(()),
        }
    }
}

/// The way of searching in words. The size of an array of bits is that of the checkpoint and need not be compared.
fn method(question: &Question, plan: Plan) -> String {
    let store = match plan.store {
        StoreKind::Exact => "exact store".into(),
        StoreKind::Tree => "tree store".into(),
        StoreKind::HashCompact => "hash-compact store".into(),
        StoreKind::Bitstate { hashes, .. } => format!("bitstate store with {hashes} hashes"),
    };
    let wanted = |wanted, name| if wanted { format!(", {name}") } else { format!(", no {name}") };
    let Question { all_errors, search, end_states, assertions, only_ends } = question;
    let extent = if *all_errors { "all violations" } else { "first violation" };
    format!("{store}, seed {}, {search:?} first, {extent}", plan.seed)
        + &wanted(*end_states, "end states")
        + &wanted(*assertions, "assertions")
        + if *only_ends { ", nothing else" } else { "" }
        + &reduction(plan.reduction)
}

fn reduction(reduction: Reduction) -> String {
    match reduction {
        Reduction::None => String::new(),
        Reduction::Ample { local: false, .. } => ", ample".into(),
        Reduction::Ample { local: true, .. } => ", ample (local)".into(),
        Reduction::Twophase { variant, cache, ends, .. } => format!(", twophase ({variant:?}, {cache:?}, {ends:?})"),
    }
}

/// A hash of text: FNV-1a.
struct Fingerprint(u64);

impl fmt::Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Ok(())
    }
}

/// Successors that could not be looked up.
#[derive(Clone, Debug, Default)]
pub struct Unsettled {
    /// Steps in between that lead to them.
    pub inner: u64,
    /// The states.
    pub states: Vec<Vec<u64>>,
}

/// A search as a checkpoint has it, but for its store.
pub struct Resting<'b, B> {
    /// Who has what to do.
    pub board: &'b Board<B>,
    /// How long it took so far.
    pub elapsed: Duration,
    /// What all workers know together.
    pub knowledge: Knowledge,
    /// Where somebody has to begin.
    pub unsettled: Unsettled,
}

/// Writes a checkpoint.
pub fn write<S: Saved, B: Block<S>>(
    label: &Label,
    it: &Resting<'_, B>,
    store: &S,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(&MAGIC)?;
    out.write_all(&FORMAT.to_le_bytes())?;
    let mut out = WordWriter::new(out);
    label.write(&mut out)?;
    out.words([it.board.level, it.board.transitions, it.elapsed.as_nanos() as u64])?;
    write_blocks(&it.board.waiting, &mut out)?;
    write_blocks(&it.board.next, &mut out)?;
    out.words([it.unsettled.inner, it.unsettled.states.len() as u64])?;
    it.unsettled.states.iter().try_for_each(|state| out.list(state))?;
    write_knowledge(&it.knowledge, &mut out)?;
    store.save(&mut out)?;
    out.finish()
}

fn write_blocks<S: Store, B: Block<S>>(pile: &Pile<B>, out: &mut WordWriter<'_>) -> io::Result<()> {
    out.word(pile.len() as u64)?;
    pile.blocks().try_for_each(|block| block.save(out))
}

fn write_knowledge(it: &Knowledge, out: &mut WordWriter<'_>) -> io::Result<()> {
    let Counts { transitions, inner, longest } = it.counts;
    out.words([transitions, inner, longest as u64])?;
    out.word(it.reached.len() as u64)?;
    for row in &it.reached {
        out.list(&row.iter().map(|&it| u64::from(it)).collect::<Vec<u64>>())?;
    }
    let list = it.findings.list();
    out.words([it.findings.errors, list.len() as u64])?;
    for (signature, found) in list {
        out.text(signature)?;
        out.word(found.level)?;
        out.list(&found.state)?;
    }
    Ok(())
}

/// What a checkpoint says about a search, but for its store.
pub struct Saying<B> {
    /// Who has what to do.
    pub board: Board<B>,
    /// How long it took so far.
    pub elapsed: Duration,
    /// Where somebody has to begin.
    pub unsettled: Unsettled,
    /// What was counted.
    pub counts: Counts,
    /// Locations reached.
    pub reached: Vec<Vec<bool>>,
    /// How many violations there were, repetitions included.
    pub errors: u64,
    /// The nearest of each sort: its signature, level and state.
    pub violations: Vec<(String, u64, Vec<u64>)>,
}

/// Reads a checkpoint. The store must be new.
pub fn read<S: Saved, B: Block<S>>(
    label: &Label,
    store: &mut S,
    limit: Option<u64>,
    input: &mut dyn Read,
) -> Result<Saying<B>, Unusable> {
    let mut start = [0; 16];
    input.read_exact(&mut start).map_err(|_| Unusable::NotACheckpoint)?;
    if start[..8] != MAGIC {
        return Err(Unusable::NotACheckpoint);
    }
    if start[8..] != FORMAT.to_le_bytes() {
        return Err(Unusable::OtherVersion(None));
    }
    let mut from = WordReader::new(input);
    label.compare(&mut from)?;
    let said = read_search(&mut from)?;
    store.restore(&mut from, limit)?;
    from.finish()?;
    Ok(said)
}

fn read_search<S: Saved, B: Block<S>>(from: &mut WordReader<'_>) -> Result<Saying<B>, Unreadable> {
    let (level, transitions, nanos) = (from.word()?, from.word()?, from.word()?);
    let board = Board::new(level, transitions, read_blocks(from)?, read_blocks(from)?);
    let unsettled = Unsettled { inner: from.word()?, states: read_list(from, |from| from.list())? };
    let counts = Counts { transitions: from.word()?, inner: from.word()?, longest: from.word()? as usize };
    let reached = read_list(from, |from| Ok(from.list()?.into_iter().map(|it| it == 1).collect()))?;
    let errors = from.word()?;
    let violations = read_list(from, |from| Ok((from.text()?, from.word()?, from.list()?)))?;
    let elapsed = Duration::from_nanos(nanos);
    Ok(Saying { board, elapsed, unsettled, counts, reached, errors, violations })
}

fn read_blocks<S: Store, B: Block<S>>(from: &mut WordReader<'_>) -> Result<Vec<B>, Unreadable> {
    read_list(from, |from| B::restore(from))
}

fn read_list<T>(
    from: &mut WordReader<'_>,
    read: impl Fn(&mut WordReader<'_>) -> Result<T, Unreadable>,
) -> Result<Vec<T>, Unreadable> {
    (0..from.word()?).map(|_| read(from)).collect()
}
