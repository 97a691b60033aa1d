//! Who runs when: prom, pan, prom, pan … for each model, so that both meet the same machine.
use std::path::PathBuf;
use std::process::Command;

use crate::options::{Options, Pan};
use crate::row::{Outcome, Pair, Row};
use crate::suite::Model;
use crate::{pan, prom, root};

/// The programs and the models.
pub struct Tools {
    /// Promenade.
    pub prom: PathBuf,
    /// How SPIN's verifier is built.
    pub pan: Pan,
    /// The folder of the models.
    pub corpus: PathBuf,
}

impl Tools {
    /// Finds or builds what is needed; without `spin` or `gcc` only Promenade runs.
    pub fn find(options: &Options, corpus: PathBuf) -> Result<Tools, String> {
        let prom = match &options.prom {
            Some(file) => file.canonicalize().map_err(|e| format!("{}: {e}", file.display()))?,
            None => prom::build(&root())?,
        };
        let missing = ["spin", "gcc"].into_iter().find(|program| !runs(program));
        if let Some(program) = missing.filter(|_| options.pan != Pan::None) {
            eprintln!("bench: no `{program}` here; only prom runs");
        }
        Ok(Tools { prom, pan: if missing.is_some() { Pan::None } else { options.pan }, corpus })
    }
}

fn runs(program: &str) -> bool {
    let version = if program == "spin" { "-V" } else { "--version" };
    Command::new(program).arg(version).output().is_ok_and(|done| done.status.success())
}

/// All runs of one model: for each repetition every configuration, each beside a run of the verifier.
pub fn measure_model(tools: &Tools, options: &Options, model: &Model) -> Vec<Row> {
    let row = |configuration| Row { model: model.clone(), configuration, pairs: Vec::new() };
    let mut rows: Vec<Row> = options.configurations().into_iter().map(row).collect();
    let folder = Scratch::new();
    let file = folder.as_ref().map_err(String::clone).and_then(|scratch| model.file(&tools.corpus, &scratch.0));
    let built = folder.as_ref().map_err(String::clone).and_then(|scratch| match tools.pan {
        Pan::None => Ok(0.0),
        kind => pan::build(kind, &file.clone()?, model.property.is_some(), &scratch.0, options.limit),
    });
    let only = model.property.as_ref().map(|it| format!("--only {} ", it.name)).unwrap_or_default();
    for _ in 0..options.repeat {
        for row in &mut rows {
            let arguments = prom::arguments(&row.configuration, &format!("{only}{}", options.prom_args));
            let prom = file
                .clone()
                .and_then(|file| prom::search(&tools.prom, &arguments, &file, &tools.corpus, options.limit));
            let pan = (tools.pan != Pan::None).then(|| {
                let (seconds, scratch) = (built.clone()?, folder.as_ref().map_err(String::clone)?);
                pan::search(model, options.pan_table, &scratch.0, seconds, options.limit)
            });
            eprintln!("    {}: prom {}, pan {}", row.configuration, brief(Some(&prom)), brief(pan.as_ref()));
            row.pairs.push(Pair { prom, pan });
        }
    }
    rows.iter_mut().for_each(Row::sharpen);
    rows
}

fn brief(outcome: Option<&Outcome>) -> String {
    match outcome {
        Some(Ok(sample)) => format!("{:.2} s {} MB", sample.search, sample.peak_bytes >> 20),
        Some(Err(message)) => message.clone(),
        None => "-".to_string(),
    }
}

/// A folder for the verifier, gone when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, String> {
        let folder = std::env::temp_dir().join(format!("prom-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
