//! Checkpoints in files.
//!
//! A checkpoint is written to a file beside the one that it is for, forced to the disk, and then renamed: the name
//! always leads to a whole checkpoint, whenever the program or the machine stops. If the disk is full, the
//! half-written file goes and the last checkpoint stays.
//!
//! A file that is there already is never overwritten unless the run goes on from it: it may be the work of days.
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine::{Finding, Keeper, Verdict, Why, WriteCheckpoint};
use engine_explicit::{Unreadable, Unusable};
use text::Diagnostic;

/// Where checkpoints go, and where to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Where they go.
    pub file: PathBuf,
    /// Time between two of them.
    pub every: Duration,
    /// The checkpoint to go on from.
    pub from: Option<PathBuf>,
}

impl Checkpoint {
    /// Keeps checkpoints in the file, if that is possible.
    pub(crate) fn keeper(&self) -> Result<InFile, Diagnostic> {
        let name = self.file.display();
        match fs::metadata(&self.file) {
            Ok(it) if !it.is_file() => {
                return Err(Diagnostic::global("no-checkpoint", format!("`{name}` is not a file for checkpoints")));
            }
            Ok(_) if self.from.as_ref() != Some(&self.file) => {
                let help = format!("`--resume {name}` goes on from it if it is a checkpoint; remove it to begin anew");
                return Err(Diagnostic::global("no-checkpoint", format!("`{name}` exists already")).help(help));
            }
            _ => {}
        }
        let keeper = InFile::new(&self.file, self.every);
        keeper.try_out().map_err(|error| unwritable(&self.file, &error))?;
        Ok(keeper)
    }

    /// The checkpoint to go on from.
    pub(crate) fn open(&self) -> Result<Option<File>, Diagnostic> {
        let Some(path) = &self.from else { return Ok(None) };
        let opened = File::open(path).and_then(|file| {
            if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a file")) }
        });
        opened.map(Some).map_err(|error| {
            let message = format!("the checkpoint `{}` cannot be read: {error}", path.display());
            Diagnostic::global("unreadable-checkpoint", message)
        })
    }

    /// What to tell the user if a checkpoint is of no use.
    pub(crate) fn explain(&self, why: &Unusable) -> Diagnostic {
        let name = self.from.as_ref().unwrap_or(&self.file).display();
        let (message, help) = match why {
            Unusable::NotACheckpoint => (format!("`{name}` is not a checkpoint"), None),
            Unusable::OtherVersion(version) => {
                let version = version.as_ref().map_or("another version".into(), |it| format!("version {it}"));
                let message = format!("the checkpoint `{name}` was written by {version} of this program");
                (message, Some(format!("this is version {}", env!("CARGO_PKG_VERSION"))))
            }
            Unusable::OtherModel => (
                format!("`{name}` is a checkpoint of another model"),
                Some("the model, an included file or a macro (-D) is not what it was".into()),
            ),
            Unusable::OtherMethod { then, now } => (
                format!("the checkpoint `{name}` was made with other options"),
                Some(format!("it has: {then}; this run has: {now}")),
            ),
            Unusable::Unreadable(Unreadable::Damaged) => {
                (format!("the checkpoint `{name}` is damaged or incomplete"), None)
            }
            Unusable::Unreadable(Unreadable::OutOfMemory) => {
                (format!("the checkpoint `{name}` needs more memory than there is"), Some("raise --memory".into()))
            }
            Unusable::Unreadable(Unreadable::Failed(error)) => {
                (format!("the checkpoint `{name}` cannot be read: {error}"), None)
            }
            Unusable::Unwritable(error) => return unwritable(&self.file, error),
            Unusable::Unsupported => {
                ("the states of this model are too large for the engine that takes checkpoints".into(), None)
            }
        };
        let diagnostic = Diagnostic::global("unusable-checkpoint", message);
        if let Some(help) = help { diagnostic.help(help) } else { diagnostic }
    }
}

/// Whether there is anything left to do after this.
pub(crate) fn can_go_on(finding: &Finding, all_errors: bool) -> bool {
    let is_done = match finding.verdict {
        Verdict::Holds | Verdict::Unknown(Why::Approximate(_)) => true,
        Verdict::Violated => finding.complete || !all_errors,
        Verdict::Unknown(_) => false,
    };
    !is_done
}

fn unwritable(file: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::global("no-checkpoint", format!("no checkpoint can be written to `{}`: {error}", file.display()))
}

/// Keeps checkpoints in a file.
pub(crate) struct InFile {
    path: PathBuf,
    partial: PathBuf,
    every: Duration,
    last: Instant,
}

impl InFile {
    fn new(path: &Path, every: Duration) -> InFile {
        let mut partial = OsString::from(path);
        partial.push(".partial");
        InFile { path: path.into(), partial: partial.into(), every, last: Instant::now() }
    }

    /// Creates the file beside, and removes it.
    fn try_out(&self) -> io::Result<()> {
        File::create(&self.partial)?;
        fs::remove_file(&self.partial)
    }

    fn replace(&self, write: WriteCheckpoint<'_>) -> io::Result<()> {
        let mut file = File::create(&self.partial)?;
        write(&mut file)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&self.partial, &self.path)?;
        // That the directory is on the disk too is more than some systems can promise.
        if let Some(directory) = self.path.parent() {
            let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            let _ = File::open(directory).and_then(|directory| directory.sync_all());
        }
        Ok(())
    }
}

impl Keeper for InFile {
    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn keep(&mut self, write: WriteCheckpoint<'_>) -> io::Result<()> {
        let kept = self.replace(write);
        if kept.is_err() {
            // There may be nothing to remove.
            let _ = fs::remove_file(&self.partial);
        }
        self.last = Instant::now();
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("prom-checkpoint-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a directory for scratch files");
        directory.join(name)
    }

    #[test]
    fn the_last_checkpoint_stays_when_the_disk_is_full() {
        let path = scratch("full");
        let mut keeper = InFile::new(&path, Duration::from_secs(1));
        keeper.keep(&mut |out| out.write_all(b"first")).expect("room");
        let failed = keeper.keep(&mut |out| {
            out.write_all(b"sec")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.map_err(|it| it.kind()), Err(io::ErrorKind::StorageFull));
        assert_eq!(fs::read(&path).expect("the first"), b"first");
        assert!(!keeper.partial.exists() && !keeper.is_due());
        keeper.keep(&mut |out| out.write_all(b"third")).expect("room again");
        assert_eq!(fs::read(&path).expect("the third"), b"third");
    }

    #[test]
    fn what_is_there_is_not_overwritten() {
        let path = scratch("there");
        fs::write(&path, "work of days").expect("a scratch file");
        let mut plan = Checkpoint { file: path.clone(), every: Duration::from_secs(1), from: None };
        assert!(plan.keeper().is_err_and(|it| it.message.ends_with("exists already")));
        plan.from = Some(path.clone());
        assert!(plan.keeper().is_ok());
        assert_eq!(fs::read(&path).expect("still there"), b"work of days");
    }

    #[test]
    fn where_nothing_can_be_written_is_told_at_once() {
        let plan = |file: &str| Checkpoint { file: file.into(), every: Duration::from_secs(1), from: None };
        let message = |file| plan(file).keeper().err().map_or(String::new(), |it| it.message);
        assert!(message("/no/such/directory/file").starts_with("no checkpoint can be written to"));
        assert!(message("/").ends_with("is not a file for checkpoints"));
    }
}
