//! Tree compression: every state, word for word, but equal parts of states are kept once.
//!
//! Blom, Lisser, van de Pol, Weber, *A database approach to distributed state-space generation*, 2008;
//! Laarman, van de Pol, Weber, *Parallel recursive state compression for free*, 2011. A sequence of words is
//! cut in the middle, the parts are *folded* to references of 32 bits, and the pair of references is again a
//! word. Words and pairs are interned in one table ([`crate::nodes`]). The last pair, the root, is not: the set of roots
//! ([`crate::pairs`]) is the set of states, and a root is a state's key, from which the state can be unfolded. There are few inner nodes
//! in practice, about the square root of the number of states for each half, so that a state costs its root.
//!
//! ```text
//!             root = (f, g)                 in the set of roots
//!       f = (a, b)     g = (c, d)           interned
//!      a     b        c     d               references of words: interned
//! ```
//!
//! A successor differs from its parent in few words. Who has loaded the parent has its *trail*, the
//! references of all its parts, the last one for a part at the end (post-order); parts that have not changed are
//! not folded again.
//!
//! States of one length are folded together, a batch at a time ([`crate::climb`]).
//!
//! If lengths vary, the right part of the root is paired with the length before it enters the root.
use std::io;

use crate::climb::{Batch, Plan};
use crate::counter::Count;
use crate::interface::{Digest, Exact, Glance, Insertion, Key, Lengths, Near, OutOfMemory, Store, Trail, Wanted};
use crate::nodes::{Interner, Nodes};
use crate::pairs::{self, Pairs};
use crate::saved::Saved;
use crate::set64::Added;
use crate::stream::{Unreadable, WordReader, WordWriter};

/// Stands for a root that could not be made because the table of nodes is crowded. If it is also the digest of some
/// root, that one is made twice and nothing else happens.
const UNSETTLED: Digest = Digest(u64::MAX);

/// Parts of at least so many words are compared as a whole before they are folded.
const LONG: usize = 5;

/// A store that keeps every word, equal parts once.
pub struct Tree {
    nodes: Nodes,
    roots: Pairs,
    lengths: Lengths,
    plan: Option<Plan>,
}

/// What one worker keeps to itself.
#[derive(Debug)]
pub struct Climber {
    interner: Interner,
    count: Count,
    batch: Batch,
}

impl Tree {
    /// An empty store.
    pub fn new(lengths: Lengths) -> Tree {
        let plan = if let Lengths::Fixed(words) = lengths { Plan::new(words) } else { None };
        Tree { nodes: Nodes::new(), roots: Pairs::new(), lengths, plan }
    }

    /// The root of a state; `None` if the table of nodes is crowded.
    fn root(&self, local: &mut Climber, state: &[u64], near: Option<Near<'_>>) -> Option<u64> {
        let near = near.filter(|near| near.state.len() == state.len());
        match (self.lengths, state) {
            (Lengths::Fixed(_), &[word]) => Some(word),
            (Lengths::Fixed(words), _) => {
                assert_eq!(state.len(), words, "a state does not have the length that all states have");
                self.fold_pair(local, state, near)
            }
            (Lengths::Varying, _) => self.fold_with_length(local, state, near),
        }
    }

    /// Folds words to one reference. What has not changed has the reference it had.
    #[inline]
    fn fold(&self, local: &mut Climber, words: &[u64], near: Option<Near<'_>>) -> Option<u32> {
        let &[word] = words else { return self.fold_part(local, words, near) };
        match near {
            Some(Near { state: &[same], trail: &[reference] }) if same == word => Some(reference),
            _ => self.nodes.intern(&mut local.interner, word),
        }
    }

    /// Folds two or more words to one reference.
    fn fold_part(&self, local: &mut Climber, words: &[u64], near: Option<Near<'_>>) -> Option<u32> {
        let Some(near) = near else {
            let pair = self.fold_pair(local, words, None)?;
            return self.nodes.intern(&mut local.interner, pair);
        };
        let (&reference, below) = near.trail.split_last()?;
        if words.len() >= LONG && near.state == words {
            return Some(reference);
        }
        let folded = self.fold_pair(local, words, Some(near))?;
        let before = pair(below[2 * middle(words.len()) - 2], *below.last()?);
        if folded == before { Some(reference) } else { self.nodes.intern(&mut local.interner, folded) }
    }

    /// Folds two or more words to a pair of references.
    #[inline]
    fn fold_pair(&self, local: &mut Climber, words: &[u64], near: Option<Near<'_>>) -> Option<u64> {
        let (left, right) = words.split_at(middle(words.len()));
        let (near_left, near_right) = near.map(halves).unzip();
        Some(pair(self.fold(local, left, near_left)?, self.fold(local, right, near_right)?))
    }

    /// Folds words to a pair of references, the second of which tells how many words there are.
    fn fold_with_length(&self, local: &mut Climber, words: &[u64], near: Option<Near<'_>>) -> Option<u64> {
        let (left, right) = words.split_at(middle(words.len()));
        let (near_left, near_right) = near.map(halves).unzip();
        let left = self.fold(local, left, near_left)?;
        let right = if right.is_empty() { 0 } else { self.fold(local, right, near_right)? };
        Some(pair(left, self.nodes.intern(&mut local.interner, pair(right, words.len() as u32))?))
    }

    /// Reads the words behind a reference, and all references on the way.
    fn unfold(&self, reference: u32, words: &mut [u64], trail: &mut [u32]) {
        let word = self.nodes.word(reference);
        if let Some((last, trail)) = trail.split_last_mut() {
            *last = reference;
            match words {
                [only] => *only = word,
                _ => self.unfold_pair(word, words, trail),
            }
        }
    }

    fn unfold_pair(&self, word: u64, words: &mut [u64], trail: &mut [u32]) {
        let middle = middle(words.len());
        let (left, right) = words.split_at_mut(middle);
        let (left_trail, right_trail) = trail.split_at_mut(2 * middle - 1);
        self.unfold(first(word), left, left_trail);
        if !right.is_empty() {
            self.unfold(second(word), right, right_trail);
        }
    }

    /// The key of the state whose root has a code. The root of a single word is that word.
    #[inline]
    fn key(&self, code: u64) -> Key {
        let root = pairs::pair(code);
        if self.lengths == Lengths::Fixed(1) { Key(root) } else { packed(root) }
    }

    #[inline]
    fn root_of(&self, key: Key) -> u64 {
        if self.lengths == Lengths::Fixed(1) { key.0 } else { unpacked(key) }
    }

    /// The pair at the top of a state, and how many words the state has.
    fn top(&self, root: u64) -> (u64, usize) {
        match self.lengths {
            Lengths::Fixed(words) => (root, words),
            Lengths::Varying => {
                let right = self.nodes.word(second(root));
                (pair(first(root), first(right)), second(right) as usize)
            }
        }
    }
}

/// Where so many words are cut.
#[inline]
pub fn middle(words: usize) -> usize {
    words.div_ceil(2)
}

/// How many references there are below the top of a part of a state. A part has one node less than twice as many as
/// words. (A state of one word is below a root only if lengths vary.)
#[inline]
fn below_root(words: usize) -> usize {
    (2 * words - 2).max(1)
}

#[inline]
pub fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

#[inline]
fn first(pair: u64) -> u32 {
    (pair >> 32) as u32
}

#[inline]
fn second(pair: u64) -> u32 {
    pair as u32
}

/// The key of a state with a root: a number of 32 bits if the references are small enough, since many of them wait. Otherwise
/// it is larger, since no reference is [`NOTHING`].
#[inline]
fn packed(root: u64) -> Key {
    let (first, second) = (first(root), second(root));
    Key(if (first | second) >> 16 == 0 { u64::from(first << 16 | second) } else { pair(first + 1, second) })
}

/// The root of the state with a key.
#[inline]
fn unpacked(Key(key): Key) -> u64 {
    match first(key) {
        0 => pair(second(key) >> 16, second(key) & 0xffff),
        next => pair(next - 1, second(key)),
    }
}

/// What is near the left and the right part.
#[inline]
fn halves(near: Near<'_>) -> (Near<'_>, Near<'_>) {
    let words = near.state.len();
    let middle = middle(words);
    let (left, right) = near.state.split_at(middle);
    let (left_trail, right_trail) = near.trail[..below_root(words)].split_at(2 * middle - 1);
    (Near { state: left, trail: left_trail }, Near { state: right, trail: right_trail })
}

impl Store for Tree {
    type Local = Climber;

    fn local(&self) -> Climber {
        Climber { interner: self.nodes.local(), count: self.roots.count(), batch: Batch::default() }
    }

    #[inline]
    fn digest(&self, local: &mut Climber, state: &[u64], near: Option<Near<'_>>) -> Digest {
        self.root(local, state, near).map_or(UNSETTLED, |root| Digest(pairs::code(root)))
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        self.roots.prefetch(digest.0);
    }

    #[inline]
    fn enlist(&self, local: &mut Climber, wanted: Wanted<'_>) -> Digest {
        let Wanted { state, near, is_wanted, .. } = wanted;
        if !is_wanted {
            return UNSETTLED;
        }
        let Some(plan) = &self.plan else {
            let digest = self.digest(local, state, near);
            self.prefetch(digest);
            return digest;
        };
        assert_eq!(Lengths::Fixed(state.len()), self.lengths, "a state does not have the length that all states have");
        local.batch.add(plan, &self.nodes, &mut local.interner, state, near);
        UNSETTLED
    }

    fn conclude(&self, local: &mut Climber, digests: &mut [Digest]) {
        let Some(plan) = &self.plan else { return };
        let mut open = digests.iter_mut();
        local.batch.roots(plan, &self.nodes, &mut local.interner, |root| {
            if let (Some(root), Some(digest)) = (root, open.next()) {
                *digest = Digest(pairs::code(root));
                self.roots.prefetch(digest.0);
            }
        });
    }

    #[inline]
    fn glance(&self, digest: Digest) -> Glance {
        self.roots.glance(digest.0)
    }

    #[inline]
    fn confirms(&self, _state: &[u64], digest: Digest, glance: Glance) -> bool {
        digest != UNSETTLED && glance.found != 0
    }

    #[inline]
    fn insert(&self, local: &mut Climber, state: &[u64], digest: Digest, glance: Glance) -> Insertion {
        let (mut root, mut glance) = (digest.0, glance);
        if digest == UNSETTLED {
            let Some(settled) = self.root(local, state, None) else { return Insertion::Crowded };
            (root, glance) = (pairs::code(settled), Glance::default());
        }
        match self.roots.insert(&mut local.count, root, glance) {
            Added::New => Insertion::New(self.key(root)),
            Added::Known => Insertion::Known(self.key(root)),
            Added::Crowded => Insertion::Crowded,
        }
    }

    fn is_crowded(&self) -> bool {
        self.nodes.is_crowded() || self.roots.is_crowded()
    }

    fn grow(&mut self, limit: Option<u64>) -> Result<(), OutOfMemory> {
        let left = |used: u64| limit.map(|limit| limit.saturating_sub(used));
        let (nodes, roots) = (self.nodes.is_crowded(), self.roots.is_crowded());
        if nodes || !roots {
            self.nodes.grow(left(self.roots.memory()))?;
        }
        if roots || !nodes {
            self.roots.grow(left(self.nodes.memory()))?;
        }
        Ok(())
    }

    fn len(&self) -> u64 {
        self.roots.len()
    }

    fn memory(&self) -> u64 {
        self.nodes.memory() + self.roots.memory()
    }
}

impl Exact for Tree {
    #[inline]
    fn touch(&self, key: Key) {
        if self.plan.is_some() {
            let root = unpacked(key);
            self.nodes.fetch(first(root));
            self.nodes.fetch(second(root));
        }
    }

    fn load(&self, key: Key, state: &mut Vec<u64>, trail: &mut Trail) {
        let (top, words) = self.top(self.root_of(key));
        state.clear();
        state.resize(words, top);
        trail.clear();
        trail.resize(below_root(words), 0);
        if words > 1 || self.lengths == Lengths::Varying {
            self.unfold_pair(top, state, trail);
        }
    }
}

impl Saved for Tree {
    fn save(&self, out: &mut WordWriter<'_>) -> io::Result<()> {
        self.nodes.save(out)?;
        self.roots.save(out)
    }

    fn restore(&mut self, from: &mut WordReader<'_>, limit: Option<u64>) -> Result<(), Unreadable> {
        self.nodes.restore(from, limit)?;
        self.roots.restore(from, limit.map(|limit| limit.saturating_sub(self.nodes.memory())))
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, packed, pair, unpacked};

    #[test]
    fn a_root_is_told_by_its_key_which_is_small_if_the_references_are() {
        for root in [
            pair(0, 0),
            pair(0, 1 << 16),
            pair(1, 0),
            pair(0xffff, 0xffff),
            pair(1 << 16, 7),
            pair(u32::MAX - 1, u32::MAX),
        ] {
            assert_eq!(unpacked(packed(root)), root);
        }
        assert_eq!(packed(pair(0x12, 0x34)), Key(0x0012_0034));
        assert!(packed(pair(0, 1 << 16)).0 > u64::from(u32::MAX));
    }
}
