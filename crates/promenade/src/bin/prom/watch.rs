//! Watching a run: progress on a terminal, and the wish to stop.
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::{Progress, Watch};

/// Time between two lines of progress.
const PAUSE: Duration = Duration::from_millis(200);

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Goes to the start of the line and erases it.
const ERASE: &str = "\r\x1b[K";

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Hears Ctrl-C from now on. The first asks for a report of what was done, the second ends everything.
pub fn listen() {
    let heard = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    // Without a handler Ctrl-C still ends the program, only without a report.
    let _ = heard;
}

/// Whether Ctrl-C was heard.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Shows how far a run is and stops it when asked to.
pub struct Monitor {
    is_terminal: bool,
    last: Option<Instant>,
    stopped: bool,
}

impl Monitor {
    /// `is_terminal`: somebody looks.
    pub fn new(is_terminal: bool) -> Self {
        Monitor { is_terminal, last: None, stopped: false }
    }

    /// Removes the line of progress; true if the run was stopped.
    pub fn finish(self) -> bool {
        if self.last.is_some() {
            let _ = write!(std::io::stderr(), "{ERASE}");
        }
        self.stopped
    }

    fn is_due(&self, progress: &Progress) -> bool {
        self.is_terminal && progress.elapsed > PATIENCE && self.last.is_none_or(|last| last.elapsed() > PAUSE)
    }
}

impl Watch for Monitor {
    fn tick(&mut self, progress: &Progress) -> bool {
        if self.is_due(progress) {
            self.last = Some(Instant::now());
            let _ = write!(std::io::stderr(), "{ERASE}{}", line(progress));
        }
        self.stopped = is_interrupted();
        !self.stopped
    }

    fn warn(&mut self, message: &str) {
        let erase = if self.last.is_some() { ERASE } else { "" };
        let _ = writeln!(std::io::stderr(), "{erase}warning: {message}");
    }
}

/// One line of less than 80 columns, whatever the numbers.
fn line(it: &Progress) -> String {
    let seconds = it.elapsed.as_secs_f64();
    let rate = short(it.states as f64 / seconds.max(0.001));
    let (states, depth, frontier) = (short(it.states as f64), short(it.depth as f64), short(it.frontier as f64));
    let memory = it.memory >> 20;
    format!("{states} states, {rate}/s, depth {depth}, {frontier} waiting, {memory} MB, {seconds:.0} s")
}

/// `999`, `12.3k`, `4.56M`.
fn short(number: f64) -> String {
    match number {
        it if it < 1e4 => format!("{it:.0}"),
        it if it < 1e6 => format!("{:.1}k", it / 1e3),
        it => format!("{:.2}M", it / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_fits_a_line() {
        let elapsed = Duration::from_secs(86_400);
        let progress = Progress {
            states: 12_345_678_901,
            transitions: 0,
            depth: 4_567_890,
            frontier: 98_765,
            memory: 64 << 30,
            elapsed,
        };
        let line = line(&progress);
        assert_eq!(line, "12345.68M states, 142.9k/s, depth 4.57M, 98.8k waiting, 65536 MB, 86400 s");
        assert!(line.len() < 80);
    }
}
