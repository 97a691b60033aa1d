//! A swarm of child processes: starts them, waits for the first violation or for all, and leaves none behind.
use std::env;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use promenade::swarm::{Recipe, Run, merge};
use report::{Answer, Report};

use crate::exit::Exit;
use crate::watch;

/// Time between two looks at the children.
const PAUSE: Duration = Duration::from_millis(10);

/// What to start, and with what.
pub struct Swarm {
    /// The members.
    pub recipes: Vec<Recipe>,
    /// How many may run at once.
    pub at_once: usize,
    /// For all that run at once together.
    pub memory: Option<u64>,
    /// For all together.
    pub time: Option<Duration>,
    /// Paths that members follow at most.
    pub depth: Option<u64>,
    /// Only say what would be started.
    pub print: bool,
}

/// How a swarm ended.
pub enum Ended {
    /// All that members say together, and whether somebody has stopped them.
    Report(Box<Report>, bool),
    /// There is nothing to report; this is what went wrong.
    Failed(String, Exit),
}

impl Swarm {
    /// The command lines, for somebody else to run. Each may take all the memory and time that was given.
    pub fn commands(&self) -> Vec<String> {
        let line = |recipe: &Recipe| {
            let options = recipe.options(self.memory, self.time, self.depth);
            let words = typed().chain(options.into_iter().map(OsString::from));
            let words: Vec<String> = words.map(|it| quoted(&it.to_string_lossy())).collect();
            format!("prom {} --threads 1 --format json", words.join(" "))
        };
        self.recipes.iter().map(line).collect()
    }

    /// Runs all members and merges what they report.
    pub fn run(&self) -> Ended {
        let began = Instant::now();
        let at_once = self.at_once.min(self.recipes.len()).max(1);
        let rounds = self.recipes.len().div_ceil(at_once) as u32;
        let (memory, time) = (self.memory.map(|it| it / at_once as u64), self.time.map(|it| it / rounds));
        let mut waiting = self.recipes.iter().map(|it| it.options(memory, time, self.depth));
        let (mut running, mut done): (Vec<Running>, Vec<Run>) = (Vec::new(), Vec::new());
        let (mut stopped, mut found) = (false, false);
        while !stopped && !found {
            while let Some(options) = (running.len() < at_once).then(|| waiting.next()).flatten() {
                match Running::start(&options) {
                    Ok(child) => running.push(child),
                    Err(error) => return Ended::Failed(format!("no further process: {error}"), Exit::Unknown),
                }
            }
            let Some(row) = running.iter_mut().position(Running::has_ended) else {
                if running.is_empty() {
                    break;
                }
                stopped = watch::is_interrupted();
                thread::sleep(PAUSE);
                continue;
            };
            match running.swap_remove(row).finish() {
                Ok(run) => {
                    found = run.report.iter().flat_map(|it| &it.results).any(|it| it.answer == Answer::Violated);
                    done.push(run);
                }
                Err(ended) => return ended,
            }
        }
        done.extend(running.into_iter().map(Running::stop));
        match merge(done, Some(began.elapsed())) {
            Ok(report) => Ended::Report(Box::new(report), stopped),
            Err(_) if stopped => {
                Ended::Failed("the swarm was interrupted before anybody had reported".into(), Exit::Interrupted)
            }
            Err(why) => Ended::Failed(why, Exit::Unknown),
        }
    }
}

/// Merges reports that were written to files.
pub fn merge_files(files: &[impl AsRef<Path>]) -> Result<Report, String> {
    let runs = files.iter().map(|file| {
        let name = file.as_ref().display().to_string();
        let text = std::fs::read_to_string(file).map_err(|error| format!("`{name}` cannot be read: {error}"))?;
        let report = report::read(&text).map_err(|error| format!("`{name}` cannot be merged: {error}"))?;
        Ok(Run { name, report: Some(report) })
    });
    merge(runs.collect::<Result<_, String>>()?, None)
}

/// What the user has typed, but for what makes it a swarm. Options that come later take precedence.
fn typed() -> impl Iterator<Item = OsString> {
    let mut is_value = false;
    env::args_os().skip(1).filter(move |word| {
        let word = word.to_string_lossy();
        let is_dropped = std::mem::take(&mut is_value) || word.starts_with("--swarm") || word == "--print-commands";
        is_value = word == "--swarm";
        !is_dropped
    })
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_./=,:+".contains(it);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A member that runs. It does not outlive this value.
struct Running {
    name: String,
    child: Child,
    report: Option<JoinHandle<String>>,
    complaints: Option<JoinHandle<String>>,
}

impl Running {
    fn start(options: &[String]) -> io::Result<Running> {
        let mut command = Command::new(env::current_exe()?);
        command.args(typed()).args(options).args(["--threads", "1", "--format", "json"]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let report = child.stdout.take().map(listen);
        let complaints = child.stderr.take().map(listen);
        Ok(Running { name: options.join(" "), child, report, complaints })
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// What it has reported.
    fn finish(mut self) -> Result<Run, Ended> {
        let code = self.child.wait().ok().and_then(|it| it.code());
        let (text, complaints) = (heard(self.report.take()), heard(self.complaints.take()));
        if code == Some(Exit::Wrong as i32) {
            return Err(Ended::Failed(complaints, Exit::Wrong));
        }
        Ok(Run { name: self.name.clone(), report: report::read(&text).ok() })
    }

    /// Ends it.
    fn stop(self) -> Run {
        Run { name: self.name.clone(), report: None }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be over already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads everything that a child says, so that it never waits for a reader.
fn listen(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was said before it broke off counts.
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn heard(listener: Option<JoinHandle<String>>) -> String {
    listener.and_then(|it| it.join().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_a_shell() {
        let words = ["a.pml", "-DN=3", "two words", "it's", ""];
        assert_eq!(words.map(quoted), ["a.pml", "-DN=3", "'two words'", r"'it'\''s'", "''"]);
    }
}
