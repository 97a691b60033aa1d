//! Many small jobs on a few threads.
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does `work` for every item; results come in the order of the items.
///
/// `PROM_THREADS` says how many threads; 2 if it does not.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::env::var("PROM_THREADS").ok().and_then(|it| it.parse().ok()).unwrap_or(2);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((row, item)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|it| Some((it, items.get(it)?)))
                {
                    let result = work(item);
                    results.lock().expect("no panic elsewhere").push((row, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no panic elsewhere");
    results.sort_by_key(|it| it.0);
    results.into_iter().map(|it| it.1).collect()
}
