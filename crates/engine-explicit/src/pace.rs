//! When to look at limits.
//!
//! Most states take less time than a look at the clock, but one with a long way behind it, or with much that goes wrong, may take a tenth of a
//! second. So the clock is looked at after a few states, the fewer the longer they take, and limits when enough time has passed.
use std::time::{Duration, Instant};

/// The most states between two looks at the clock.
const MOST: u32 = 64;
/// Fewer states than before come between two looks at the clock if they took longer than this.
const SHORT: Duration = Duration::from_micros(200);
/// Time between two looks at limits.
const ENOUGH: Duration = Duration::from_millis(50);

/// How a search goes along.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    between: u32,
    left: u32,
    looked: Instant,
    last: Instant,
}

impl Pace {
    /// From now on.
    pub fn new() -> Self {
        let now = Instant::now();
        Pace { between: 1, left: 1, looked: now, last: now }
    }

    /// Called after every state: whether enough time has passed since it was true last.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        self.left -= 1;
        self.left == 0 && self.look(Instant::now())
    }

    fn look(&mut self, now: Instant) -> bool {
        let is_slow = now - self.looked > SHORT;
        self.between = if is_slow { (self.between / 2).max(1) } else { (self.between * 2).min(MOST) };
        (self.left, self.looked) = (self.between, now);
        let is_due = now - self.last > ENOUGH;
        if is_due {
            self.last = now;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many states that each take so long are passed until it is due.
    fn states_until_due(each: Duration) -> u32 {
        let mut pace = Pace::new();
        let begin = pace.last;
        (1..)
            .find(|&states| {
                pace.left -= 1;
                pace.left == 0 && pace.look(begin + each * states)
            })
            .unwrap_or(0)
    }

    #[test]
    fn it_is_due_in_time_whether_states_take_long_or_not() {
        assert_eq!(states_until_due(Duration::from_millis(100)), 1);
        assert!(states_until_due(Duration::from_millis(1)) <= 53);
        let many = states_until_due(Duration::from_nanos(500));
        assert!((100_000..100_200).contains(&many), "{many}");
    }
}
