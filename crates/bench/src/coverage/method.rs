//! The ways to keep states that are compared.
use engine_explicit::StoreKind;

/// What a search keeps, and what its memory is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every state; memory is for these and for the queue of states that wait.
    Exact,
    /// Every state, equal parts once; memory is the same.
    Tree,
    /// A hash of every state; memory is the same, and states wait word for word.
    HashCompact,
    /// So many bits of every state; memory is the array alone.
    Array(u32),
    /// The same as `prom --store bitstate --memory` does it: a quarter of the memory is for states that wait.
    Shared(u32),
}

impl Method {
    /// Bitstate searches whose memory is the array.
    pub const ARRAYS: [Method; 3] = [Method::Array(1), Method::Array(2), Method::Array(3)];

    /// All that are compared.
    pub const ALL: [Method; 7] = [
        Method::Exact,
        Method::Tree,
        Method::HashCompact,
        Method::Array(1),
        Method::Array(2),
        Method::Array(3),
        Method::Shared(3),
    ];

    /// What people call it.
    pub fn name(self) -> String {
        match self {
            Method::Exact => "exact".to_string(),
            Method::Tree => "tree".to_string(),
            Method::HashCompact => "hash-compact".to_string(),
            Method::Array(k) => format!("bitstate, k = {k}"),
            Method::Shared(k) => format!("bitstate, k = {k}, with queue"),
        }
    }

    /// The name of the store.
    pub fn store(self) -> &'static str {
        match self {
            Method::Exact => "exact",
            Method::Tree => "tree",
            Method::HashCompact => "hash-compact",
            Method::Array(_) => "bitstate",
            Method::Shared(_) => "bitstate with queue",
        }
    }

    /// How many bits a state sets.
    pub fn functions(self) -> Option<u32> {
        match self {
            Method::Array(k) | Method::Shared(k) => Some(k),
            _ => None,
        }
    }

    /// The store of a search with so much memory.
    pub fn kind(self, memory: u64) -> StoreKind {
        match self {
            Method::Exact => StoreKind::Exact,
            Method::Tree => StoreKind::Tree,
            Method::HashCompact => StoreKind::HashCompact,
            Method::Array(hashes) => StoreKind::Bitstate { bytes: memory, hashes },
            Method::Shared(hashes) => StoreKind::Bitstate { bytes: memory / 4 * 3, hashes },
        }
    }

    /// The most that store and queue together may hold.
    pub fn limit(self, memory: u64) -> Option<u64> {
        (!matches!(self, Method::Array(_))).then_some(memory)
    }
}
