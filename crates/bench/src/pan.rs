//! SPIN's verifier: how it is built, run and understood.
use std::path::Path;

use crate::measure;
use crate::options::{Pan, Table};
use crate::row::Sample;
use crate::suite::Model;

/// How `gcc` is called for a kind of verifier.
pub fn compiler_arguments(kind: Pan, is_temporal: bool) -> Vec<&'static str> {
    let mut words = vec!["-O2", "-w", "-DNOREDUCE"];
    words.extend(if is_temporal { &["-DNOFAIR"][..] } else { &["-DSAFETY", "-DNOCLAIM"] });
    words.extend((kind == Pan::Collapse).then_some("-DCOLLAPSE"));
    words
}

/// How the verifier is called: a stack that is just deep enough, so that it is not blamed for memory it does not need. If
/// the table is [`Table::Sized`], it has room for all states, which only somebody can ask for who knows their number.
pub fn arguments(model: &Model, table: Table) -> Vec<String> {
    let mut words = vec![format!("-m{}", model.depth + 1000), "-E".to_string(), "-n".to_string()];
    let bits = (model.states.max(2) - 1).ilog2() + 2;
    words.extend((table == Table::Sized).then(|| format!("-w{bits}")));
    model.property.iter().for_each(|it| words.extend(["-a".to_string(), "-N".to_string(), it.name.clone()]));
    words
}

/// Builds the verifier of a model in a folder; the seconds that `spin` and `gcc` took.
pub fn build(kind: Pan, file: &Path, is_temporal: bool, folder: &Path, limit: u64) -> Result<f64, String> {
    let source = file.display().to_string();
    let spin = step(&["spin", "-o1", "-o2", "-o3", "-a", &source], folder, limit)?;
    let mut compiler = vec!["gcc"];
    compiler.extend(compiler_arguments(kind, is_temporal));
    compiler.extend(["-o", "pan", "pan.c"]);
    Ok(spin + step(&compiler, folder, limit)?)
}

/// Runs one command that must succeed; its seconds.
fn step(command: &[&str], folder: &Path, limit: u64) -> Result<f64, String> {
    let command: Vec<String> = command.iter().map(|word| word.to_string()).collect();
    let used = measure::run(&command, folder, limit)?;
    if used.code == Some(0) { Ok(used.wall) } else { Err(format!("{} failed", command[0])) }
}

/// Searches a model once with the verifier that was built in `folder` in `build` seconds.
pub fn search(model: &Model, table: Table, folder: &Path, build: f64, limit: u64) -> Result<Sample, String> {
    let mut command = vec!["./pan".to_string()];
    command.extend(arguments(model, table));
    let used = measure::run(&command, folder, limit)?;
    let answer = parse(&used.output)?;
    let cpu = used.user + used.system;
    Ok(Sample { build, wall: used.wall, cpu, peak_bytes: used.peak_bytes, ..answer })
}

/// What the verifier's output says about the search; the process's own figures are zero.
fn parse(output: &str) -> Result<Sample, String> {
    for cut in ["max search depth too small", "out of memory", "VECTORSZ too small", "VECTORSZ is too small"] {
        if output.contains(cut) {
            return Err(format!("pan: {cut}"));
        }
    }
    read(output).ok_or("pan: no figures".to_string())
}

fn read(output: &str) -> Option<Sample> {
    let errors = output.split("errors: ").nth(1)?.split_whitespace().next()?;
    Some(Sample {
        verdict: if errors == "0" { "holds" } else { "violated" }.to_string(),
        states: before(output, " states, stored")? as u64,
        transitions: before(output, " transitions (")? as u64,
        search: output.split("elapsed time ").nth(1)?.split_whitespace().next()?.parse().ok()?,
        ..Sample::default()
    })
}

/// The number just before a phrase; large ones are printed as `1.2345679e+08`.
fn before(output: &str, phrase: &str) -> Option<f64> {
    output.split(phrase).next().filter(|head| head.len() < output.len())?.split_whitespace().next_back()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "
(Spin Version 6.5.2 -- 6 December 2019)

Full statespace search for:
\tnever claim         \t- (not selected)
\tinvalid end states\t- (disabled by -E flag)

State-vector 36 byte, depth reached 2639, errors: 0
   352666 states, stored
   351639 states, matched
   704305 transitions (= stored+matched)
        1 atomic steps
hash conflicts:     40283 (resolved)

pan: elapsed time 0.26 seconds
pan: rate 1356407.7 states/second
";

    #[test]
    fn figures_are_found() {
        let sample = parse(OUTPUT).unwrap();
        assert_eq!((sample.states, sample.transitions, sample.search), (352_666, 704_305, 0.26));
        assert_eq!(sample.verdict, "holds");
    }

    #[test]
    fn large_figures_have_an_exponent() {
        let output = OUTPUT.replace("   704305 trans", "1.2345679e+08 trans").replace("errors: 0", "errors: 3");
        let sample = parse(&output).unwrap();
        assert_eq!((sample.transitions, sample.verdict.as_str()), (123_456_790, "violated"));
    }

    #[test]
    fn a_search_that_was_cut_is_no_answer() {
        assert!(parse(&format!("error: max search depth too small\n{OUTPUT}")).is_err());
        assert!(parse("pan: out of memory").is_err());
        assert!(parse("").is_err());
    }

    #[test]
    fn the_table_has_room_for_all_states() {
        let model = |states| Model { states, ..crate::row::tests::model() };
        assert_eq!(arguments(&model(1 << 20), Table::Sized).last().unwrap(), "-w21");
        assert_eq!(arguments(&model((1 << 20) + 1), Table::Sized).last().unwrap(), "-w22");
        assert_eq!(arguments(&model(352_666), Table::Sized).last().unwrap(), "-w20");
    }
}
