//! One process and what it used.
//!
//! The system tells a parent the peak memory of *all* its children together, not of each. So the bench starts
//! itself again as a stand-in that has exactly one child, and the stand-in writes what that child used as the
//! last line of its output.
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// First argument that makes this program a stand-in.
pub const WORD: &str = "measure-one-child";
const MARK: &str = "\n@measured ";

/// What a process printed and used.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What it printed.
    pub output: String,
    /// What it complained about.
    pub complaint: String,
    /// Exit code; `None` if it was ended by a signal.
    pub code: Option<i32>,
    /// Seconds from start to end.
    pub wall: f64,
    /// Seconds of computation in the program itself.
    pub user: f64,
    /// Seconds of computation in the system on its behalf.
    pub system: f64,
    /// Largest resident memory.
    pub peak_bytes: u64,
}

/// Runs a command in a folder, for at most `limit` seconds.
pub fn run(command: &[String], folder: &Path, limit: u64) -> Result<Measured, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut stand_in = Command::new(own);
    stand_in.arg(WORD).arg(limit.to_string()).args(command).current_dir(folder).stdin(Stdio::null());
    let done = stand_in.output().map_err(|e| e.to_string())?;
    let complaint = String::from_utf8_lossy(&done.stderr).into_owned();
    let failed = || format!("{}: {}", command[0], complaint.lines().next().unwrap_or("no report"));
    let measured = split(&String::from_utf8_lossy(&done.stdout)).ok_or_else(failed)?;
    if measured.code.is_none() && measured.wall >= limit as f64 {
        return Err(format!("ended after {limit} s"));
    }
    Ok(Measured { complaint, ..measured })
}

/// Splits the output of the stand-in into the child's and the report.
fn split(text: &str) -> Option<Measured> {
    let (output, report) = text.rsplit_once(MARK)?;
    let words: Vec<&str> = report.split_whitespace().collect();
    let [code, wall, user, system, peak] = words.as_slice() else { return None };
    Some(Measured {
        output: output.to_string(),
        complaint: String::new(),
        code: code.parse().ok(),
        wall: wall.parse().ok()?,
        user: user.parse().ok()?,
        system: system.parse().ok()?,
        peak_bytes: peak.parse().ok()?,
    })
}

/// The stand-in: runs one child and reports what it used. Arguments: limit, program, its arguments.
pub fn stand_in(arguments: &[String]) -> ExitCode {
    match report(arguments) {
        Ok(line) => {
            print!("{MARK}{line}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn report(arguments: &[String]) -> Result<String, String> {
    let [limit, program, rest @ ..] = arguments else { return Err("limit and program expected".to_string()) };
    let limit = Duration::from_secs(limit.parse().map_err(|_| "the limit is no number")?);
    let start = Instant::now();
    let mut child = Command::new(program).args(rest).spawn().map_err(|e| e.to_string())?;
    let (finished, watch) = mpsc::channel::<()>();
    let id = child.id();
    let guard = std::thread::spawn(move || {
        if watch.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
            usage::end(id);
        }
    });
    let status = child.wait().map_err(|e| e.to_string())?;
    let wall = start.elapsed().as_secs_f64();
    drop(finished);
    guard.join().map_err(|_| "the guard failed")?;
    let code = status.code().map_or("signal".to_string(), |code| code.to_string());
    let (user, system, peak) = usage::of_children();
    Ok(format!("{code} {wall:.6} {user:.6} {system:.6} {peak}"))
}

/// What the system knows about the children of this process.
#[cfg(unix)]
mod usage {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::signal::{Signal, kill};
    use nix::sys::time::TimeValLike;
    use nix::unistd::Pid;

    /// User seconds, system seconds, peak memory in bytes.
    pub fn of_children() -> (f64, f64, u64) {
        let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return (0.0, 0.0, 0) };
        let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
        let seconds = |time: nix::sys::time::TimeVal| time.num_microseconds() as f64 / 1e6;
        (seconds(usage.user_time()), seconds(usage.system_time()), usage.max_rss() as u64 * unit)
    }

    /// Ends a child.
    pub fn end(id: u32) {
        let _ = kill(Pid::from_raw(id as i32), Signal::SIGKILL);
    }
}

/// Elsewhere nothing is known, and no limit is kept.
#[cfg(not(unix))]
mod usage {
    pub fn of_children() -> (f64, f64, u64) {
        (0.0, 0.0, 0)
    }

    pub fn end(_: u32) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_the_last_line() {
        let text = format!("line\n@measured 9 9{MARK}0 1.5 1.25 0.25 2048");
        let measured = split(&text).unwrap();
        assert_eq!((measured.output.as_str(), measured.code), ("line\n@measured 9 9", Some(0)));
        assert_eq!((measured.wall, measured.user, measured.system, measured.peak_bytes), (1.5, 1.25, 0.25, 2048));
        assert_eq!(split("no report"), None);
    }

    #[test]
    fn a_signal_is_no_exit_code() {
        assert_eq!(split(&format!("{MARK}signal 1 1 1 1")).unwrap().code, None);
    }

    #[cfg(unix)]
    #[test]
    fn a_child_is_ended_at_its_limit() {
        let line = report(&["1", "sleep", "30"].map(str::to_string)).unwrap();
        assert!(line.starts_with("signal 1."), "{line}");
    }
}
