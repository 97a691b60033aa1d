//! Where workers wait for each other between two levels.
//!
//! A level of a breadth-first search is often over within some microseconds, and to wake up a sleeping thread takes longer than that. So
//! who comes first looks for a while whether the others come too, and sleeps only then.
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::shared::lock;

/// Looks before a worker goes to sleep: some tens of microseconds.
const LOOKS: u32 = 1 << 10;

/// A place where so many workers meet, as often as they like.
pub struct Barrier {
    workers: usize,
    /// How many have come.
    here: AtomicUsize,
    /// How often all have met.
    meetings: AtomicUsize,
    asleep: Mutex<()>,
    bell: Condvar,
}

impl Barrier {
    /// For so many workers.
    pub fn new(workers: usize) -> Barrier {
        let (here, meetings) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Barrier { workers, here, meetings, asleep: Mutex::new(()), bell: Condvar::new() }
    }

    /// Waits until all have come.
    pub fn wait(&self) {
        let meeting = self.meetings.load(Acquire);
        if self.here.fetch_add(1, AcqRel) + 1 == self.workers {
            self.here.store(0, Relaxed);
            let _nobody_falls_asleep = lock(&self.asleep);
            self.meetings.store(meeting.wrapping_add(1), Release);
            self.bell.notify_all();
            return;
        }
        let is_waiting = || self.meetings.load(Acquire) == meeting;
        for _ in 0..LOOKS {
            if !is_waiting() {
                return;
            }
            std::hint::spin_loop();
        }
        let mut asleep = lock(&self.asleep);
        while is_waiting() {
            asleep = self.bell.wait(asleep).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nobody is a meeting ahead of the others, whether they are quick or sleep.
    #[test]
    fn all_meet_before_anybody_goes_on() {
        let (barrier, come) = (Barrier::new(3), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for worker in 0..3 {
                let (barrier, come) = (&barrier, &come);
                scope.spawn(move || {
                    for meeting in 0..200 {
                        if (meeting + worker) % 50 == 0 {
                            std::thread::sleep(std::time::Duration::from_millis(2));
                        }
                        come.fetch_add(1, AcqRel);
                        barrier.wait();
                        assert_eq!(come.load(Acquire), 3 * (meeting + 1));
                        barrier.wait();
                    }
                });
            }
        });
    }
}
