//! Promenade: how it is built, asked and understood.
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::measure;
use crate::row::Sample;

/// What every search is asked for: the plain semantics, whose counts can be compared.
const BASE: [&[&str]; 5] =
    [&["--only", "safety"], &["--no-optimize"], &["--reduction", "none"], &["--no-end-states"], &["--format", "json"]];

/// Builds `prom` from this workspace; the place of the binary.
pub fn build(root: &Path) -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_string());
    let status =
        Command::new(cargo).args(["build", "--release", "--quiet", "--bin", "prom"]).current_dir(root).status();
    if !status.map_err(|e| format!("cargo: {e}"))?.success() {
        return Err("prom cannot be built".to_string());
    }
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let target = own.parent().and_then(Path::parent).ok_or("where are the binaries?")?;
    Ok(target.join("release").join("prom"))
}

/// All options of a search: the basic ones, the configuration's, and `extra` ones, which replace those of the same name.
pub fn arguments(configuration: &str, extra: &str) -> Vec<String> {
    let extra: Vec<&str> = extra.split_whitespace().collect();
    let chosen: Vec<&str> = configuration.split_whitespace().collect();
    let groups = BASE.into_iter().chain(chosen.chunks(2));
    let kept = groups.filter(|group| !extra.contains(&group[0])).flatten();
    ["check"].iter().chain(kept).chain(&extra).map(|word| word.to_string()).collect()
}

/// Searches a model once.
pub fn search(prom: &Path, arguments: &[String], file: &Path, folder: &Path, limit: u64) -> Result<Sample, String> {
    let mut command = vec![prom.display().to_string()];
    command.extend_from_slice(arguments);
    command.push(file.display().to_string());
    let used = measure::run(&command, folder, limit)?;
    let answer = parse(&used.output).ok_or_else(|| {
        let line = used.complaint.lines().find(|line| !line.trim().is_empty());
        format!("no answer: {}", line.unwrap_or("nothing was printed"))
    })?;
    let cpu = used.user + used.system;
    Ok(Sample { build: 0.0, wall: used.wall, cpu, peak_bytes: used.peak_bytes, ..answer })
}

/// What the report in JSON says about the search; the process's own figures are zero.
fn parse(report: &str) -> Option<Sample> {
    let report: Value = serde_json::from_str(report.trim()).ok()?;
    let result = report.get("results")?.get(0)?;
    Some(Sample {
        verdict: result.get("verdict")?.as_str()?.to_string(),
        states: result.get("states")?.as_u64()?,
        transitions: result.get("transitions")?.as_u64()?,
        search: result.get("seconds")?.as_f64()?,
        ..Sample::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_understood() {
        let text = r#"{"tool":"promenade","results":[{"property":"safety","verdict":"holds","why":null,
            "states":55,"transitions":99,"depth":21,"seconds":0.004,"threads":1}]}"#;
        let sample = parse(text).unwrap();
        assert_eq!((sample.verdict.as_str(), sample.states, sample.transitions), ("holds", 55, 99));
        assert_eq!(sample.search, 0.004);
        assert!(parse("error: no such file").is_none());
    }

    #[test]
    fn extra_options_replace_basic_ones() {
        let words = arguments("--store tree --threads 2", "--reduction ample --threads 4").join(" ");
        let expected = "check --only safety --no-optimize --no-end-states --format json --store tree \
                        --reduction ample --threads 4";
        assert_eq!(words, expected);
    }
}
