//! Why there is no answer, in words.
use std::time::Duration;

use engine::Why;

use crate::Reason;

impl From<&Why> for Reason {
    fn from(why: &Why) -> Self {
        let (because, advice) = match why {
            Why::DepthLimit(depth) => {
                (format!("paths longer than {depth} steps were not followed"), "Raise or drop --max-depth.".into())
            }
            Why::SwitchLimit(switches) => (
                format!("behaviours that interrupt a process more than {switches} times were not followed"),
                "Raise or drop --max-switches.".into(),
            ),
            Why::MemoryLimit(0) => (
                "the system gives no more memory to this process".into(),
                "Give it more (`ulimit -v` says how much it may have), or make the model smaller.".into(),
            ),
            Why::MemoryLimit(bytes) => (
                format!("the memory limit of {} was reached", in_bytes(*bytes)),
                "Raise --memory, or make the model smaller.".into(),
            ),
            Why::TimeLimit(time) => (
                format!("the time limit of {} was reached", in_time(*time)),
                "Raise --time, or make the model smaller.".into(),
            ),
            Why::Interrupted => ("the run was interrupted".into(), String::new()),
            Why::Approximate(it) => (
                format!(
                    "no violation was found, but the store may have left out states: about {:.4} % of them were kept apart{}, \
                     and some state was left out with probability {:.2e}",
                    it.coverage * 100.0,
                    // With few omissions hardly anything lies behind them alone.
                    if it.coverage < 0.99 {
                        " (of those that were met; what lies behind the others was not)"
                    } else {
                        ""
                    },
                    it.omission
                ),
                "An exact store can tell for certain: --store exact, or --store tree for less memory.".into(),
            ),
            Why::Unsupported(what) => (what.clone(), String::new()),
        };
        Reason { because, advice }
    }
}

/// `1.5 GB`, in the units that `--memory` takes: powers of 1024.
pub(crate) fn in_bytes(bytes: u64) -> String {
    let units = ["bytes", "KB", "MB", "GB", "TB"];
    let unit = (1..units.len()).rev().find(|&unit| bytes >= 1 << (10 * unit)).unwrap_or(0);
    let number = format!("{:.1}", bytes as f64 / (1u64 << (10 * unit)) as f64);
    format!("{} {}", number.trim_end_matches(".0"), units[unit])
}

fn in_time(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_the_largest_unit_that_fits() {
        let shown = [0, 1023, 1024, 1536, 4 << 30].map(in_bytes);
        assert_eq!(shown, ["0 bytes", "1023 bytes", "1 KB", "1.5 KB", "4 GB"]);
    }

    #[test]
    fn a_limit_says_what_it_was_and_what_to_do() {
        let reason = Reason::from(&Why::TimeLimit(Duration::from_millis(1500)));
        assert_eq!(reason.because, "the time limit of 1.5 s was reached");
        assert_eq!(reason.advice, "Raise --time, or make the model smaller.");
    }

    #[test]
    fn memory_that_nobody_limited_is_not_called_a_limit() {
        let reason = Reason::from(&Why::MemoryLimit(0));
        assert_eq!(reason.because, "the system gives no more memory to this process");
        assert!(!reason.advice.contains("--memory"), "{}", reason.advice);
    }
}
