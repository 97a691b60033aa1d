//! What workers share: locks that a worker that has failed does not keep closed.
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use store::{Exact, Key, Trail};

/// For one worker at a time.
pub fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

/// For any number of workers.
pub fn reading<T>(it: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    it.read().unwrap_or_else(PoisonError::into_inner)
}

/// For one worker, while no other reads.
pub fn writing<T>(it: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    it.write().unwrap_or_else(PoisonError::into_inner)
}

/// For its owner.
pub fn opened<T>(it: &mut RwLock<T>) -> &mut T {
    it.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// A state that was stored.
pub fn loaded<S: Exact>(store: &S, key: Key) -> Vec<u64> {
    let mut state = Vec::new();
    store.load(key, &mut state, &mut Trail::new());
    state
}
