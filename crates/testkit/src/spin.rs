//! Asks an installed SPIN. The product and its normal tests never need one.
//!
//! The question is always the plain semantics: no optimisation (`-o1 -o2 -o3`), no reduction, no
//! claim, every error counted. `gcc` takes a second per model; where `tcc` is installed it is used
//! instead and takes a fiftieth of that.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::kind::Kind;

/// What pan counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// "states, stored".
    pub states: u64,
    /// "transitions".
    pub transitions: u64,
    /// "errors".
    pub errors: u64,
    /// The kind of the first error, and of the first that is no invalid end state.
    pub kinds: Vec<Kind>,
}

impl Counts {
    /// Whether there is no error of another kind: then all counts mean something.
    pub fn only_invalid_ends(&self) -> bool {
        self.kinds.iter().all(|it| *it == Kind::InvalidEnd)
    }
}

/// What SPIN said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpinAnswer {
    /// The search ended.
    Counts(Counts),
    /// The search was cut: its counts mean nothing.
    Truncated(String),
    /// The model was refused.
    Rejected(String),
    /// Something else went wrong: the C compiler, a crash of pan.
    Failed(String),
}

/// An installed SPIN with a C compiler.
#[derive(Clone, Debug)]
pub struct Spin {
    compiler: &'static str,
    /// How long pan may search.
    pub patience: Duration,
}

static NEXT_FOLDER: AtomicU64 = AtomicU64::new(0);

impl Spin {
    /// The installed one, if there is one. `SPIN_CC` chooses the compiler.
    pub fn find() -> Option<Spin> {
        let works = |program: &str, option: &str| {
            let mut command = Command::new(program);
            command.arg(option).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|it| it.success())
        };
        let wanted = std::env::var("SPIN_CC").ok();
        let fits = |it: &&str| wanted.as_deref().is_none_or(|name| name == *it);
        let compiler = ["tcc", "gcc"].into_iter().filter(fits).find(|it| works(it, "-v"))?;
        works("spin", "-V").then_some(Spin { compiler, patience: Duration::from_secs(5) })
    }

    /// Which C compiler it uses.
    pub fn compiler(&self) -> &'static str {
        self.compiler
    }

    /// Asks about a text.
    pub fn ask(&self, text: &str) -> SpinAnswer {
        match Folder::with_text(text) {
            Ok((folder, name)) => self.ask_in(&folder.0, &name),
            Err(error) => SpinAnswer::Failed(error),
        }
    }

    /// Asks about a file; what stands beside it can be included.
    pub fn ask_file(&self, file: &Path) -> SpinAnswer {
        let (folder, name) = Folder::with_file(file);
        self.ask_in(&folder.0, &name)
    }

    /// Whether it can read a text; if not, what it says.
    pub fn reads(&self, text: &str) -> Result<(), String> {
        let (folder, name) = Folder::with_text(text)?;
        self.generate(&folder.0, &name)
    }

    /// Makes a verifier, or says why there is none.
    fn generate(&self, folder: &Path, name: &str) -> Result<(), String> {
        let spin = run(folder, "spin", &["-o1", "-o2", "-o3", "-a", name], Duration::from_secs(20));
        if spin.success && folder.join("pan.c").exists() { Ok(()) } else { Err(spin.output) }
    }

    fn ask_in(&self, folder: &Path, name: &str) -> SpinAnswer {
        if let Err(output) = self.generate(folder, name) {
            return SpinAnswer::Rejected(output);
        }
        let flags = "-w -DSAFETY -DNOREDUCE -DNOCLAIM -DMEMLIM=4000 -DVECTORSZ=8192 -o pan pan.c";
        let flags: Vec<&str> = ["-O1"].into_iter().chain(flags.split(' ')).collect();
        let compiler = run(folder, self.compiler, &flags, Duration::from_secs(120));
        if !compiler.success {
            return SpinAnswer::Failed(format!("{}: {}", self.compiler, compiler.output));
        }
        let pan = run(folder, "./pan", &["-m500000", "-w20", "-c0"], self.patience);
        if pan.timeout {
            return SpinAnswer::Truncated("time".to_string());
        }
        let mut answer = answer_of(&pan.output);
        if let SpinAnswer::Counts(counts) = &mut answer
            && counts.kinds == [Kind::InvalidEnd]
        {
            // pan shows only its first error: what else is there?
            let pan = run(folder, "./pan", &["-m500000", "-w20", "-c0", "-E"], self.patience);
            if let SpinAnswer::Counts(others) = answer_of(&pan.output) {
                counts.kinds.extend(others.kinds);
            }
        }
        answer
    }
}

/// What pan's output says.
pub fn answer_of(output: &str) -> SpinAnswer {
    for (text, name) in [("max search depth too small", "depth"), ("out of memory", "memory")] {
        if output.contains(text) {
            return SpinAnswer::Truncated(name.to_string());
        }
    }
    let number_before = |what: &str| {
        let line = output.lines().find(|line| line.contains(what))?;
        let word = line.split(what).next()?.split_whitespace().last()?;
        word.parse::<f64>().ok().map(|it| it as u64)
    };
    let errors = output.split("errors: ").nth(1).and_then(|it| it.split_whitespace().next()?.parse().ok());
    let (Some(states), Some(transitions), Some(errors)) =
        (number_before(" states, stored"), number_before(" transitions"), errors)
    else {
        return SpinAnswer::Failed(last_characters(output));
    };
    let first = output.lines().find_map(|line| line.strip_prefix("pan:1: "));
    let kind = first.map(|line| Kind::of_spin(line.split(" (at depth").next().unwrap_or(line)));
    SpinAnswer::Counts(Counts { states, transitions, errors, kinds: kind.into_iter().collect() })
}

pub(crate) fn last_characters(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(300);
    text.chars().skip(skip).collect()
}

/// What became of a program.
pub(crate) struct Output {
    pub success: bool,
    pub timeout: bool,
    pub output: String,
}

/// Runs a program to its end or to the end of our patience; both outputs go through one file.
pub(crate) fn run(folder: &Path, program: &str, arguments: &[&str], patience: Duration) -> Output {
    let failed = |error: String| Output { success: false, timeout: false, output: error };
    let log = folder.join("output");
    let file = match fs::File::create(&log).and_then(|file| Ok((file.try_clone()?, file))) {
        Ok(files) => files,
        Err(error) => return failed(error.to_string()),
    };
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).stdout(file.0).stderr(file.1);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return failed(format!("{program}: {error}")),
    };
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if began.elapsed() < patience => thread::sleep(pause),
            _ => break None,
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    if status.is_none() {
        drop(child.kill());
        drop(child.wait());
    }
    let output = String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()).into_owned();
    Output { success: status.is_some_and(|it| it.success()), timeout: status.is_none(), output }
}

/// A folder that vanishes again.
pub(crate) struct Folder(pub PathBuf);

impl Folder {
    fn new() -> Folder {
        let number = NEXT_FOLDER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("testkit-spin-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Folder(path)
    }

    /// With a text in it, and the name of its file.
    pub fn with_text(text: &str) -> Result<(Folder, String), String> {
        let (folder, name) = (Folder::new(), "model.pml".to_string());
        fs::write(folder.0.join(&name), text).map_err(|error| error.to_string())?;
        Ok((folder, name))
    }

    /// With a copy of a file and of what it may include, and the name of the file.
    pub fn with_file(file: &Path) -> (Folder, String) {
        let folder = Folder::new();
        let file = &file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
        let beside = file.parent().and_then(|it| fs::read_dir(it).ok());
        for entry in beside.into_iter().flatten().flatten() {
            let included =
                [".h", ".inc", ".ltl", ".never"].iter().any(|it| entry.path().to_string_lossy().ends_with(it));
            if entry.path() == *file || included {
                drop(fs::copy(entry.path(), folder.0.join(entry.file_name())));
            }
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (folder, name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "pan:1: invalid end state (at depth 3)\n\
        State-vector 36 byte, depth reached 11, errors: 2\n       19 states, stored\n        \
        6 states, matched\n       25 transitions (= stored+matched)\n";

    #[test]
    fn counts_and_kind_are_read_from_the_output() {
        let kinds = vec![Kind::InvalidEnd];
        assert_eq!(answer_of(OUTPUT), SpinAnswer::Counts(Counts { states: 19, transitions: 25, errors: 2, kinds }));
    }

    #[test]
    fn a_search_that_was_cut_has_no_counts() {
        let output = format!("error: max search depth too small\n{OUTPUT}");
        assert_eq!(answer_of(&output), SpinAnswer::Truncated("depth".to_string()));
    }
}
