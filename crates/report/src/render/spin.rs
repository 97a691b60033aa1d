//! As SPIN's verifiers write it, for scripts that read their reports: the layout of `pan` 6.5.2.
//!
//! What `pan` counts and we do not (hash conflicts, its hash table, its stack) is left out.
use std::io::{self, Write};

use crate::{Answer, Coverage, Outcome, Report, Violation};

/// Writes the report.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (checked, unchecked): (Vec<_>, Vec<_>) = report.results.iter().partition(|it| it.is_checked());
    for outcome in checked {
        errors(outcome, out)?;
        heading(report, outcome, out)?;
        counts(outcome, out)?;
        memory(outcome, out)?;
        outcome.coverage.iter().try_for_each(|it| unreached(it, out))?;
        time(outcome, out)?;
    }
    for outcome in unchecked {
        if let Answer::Unknown(reason) = &outcome.answer {
            writeln!(out, "pan: {} not checked: {}", outcome.property, reason.because)?;
        }
    }
    Ok(())
}

fn errors(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    for (row, it) in outcome.violations.iter().enumerate() {
        // A cycle is where it begins, anything else where it ends.
        let depth = it.cycle_start.unwrap_or(it.length).saturating_sub(1);
        writeln!(out, "pan:{}: {} (at depth {depth})", row + 1, wording(it))?;
    }
    match &outcome.answer {
        Answer::Unknown(reason) => writeln!(out, "pan: {}", reason.because),
        Answer::Holds | Answer::Violated => Ok(()),
    }
}

/// What `pan` says about it, where it has words.
fn wording(it: &Violation) -> String {
    let statement = it.statement.as_deref().unwrap_or("");
    match it.kind {
        "assertion" => {
            format!("assertion violated {}", statement.strip_prefix("assert").unwrap_or(statement).replace(' ', ""))
        }
        "array-index" => "assertion violated - invalid array index".into(),
        "invalid-end-state" => "invalid end state".into(),
        "acceptance-cycle" => "acceptance cycle".into(),
        "non-progress-cycle" => "non-progress cycle".into(),
        "claim-end" => "claim violated!".into(),
        "ctl" => format!("ctl formula violated: {}", it.message),
        "uninitialised-channel" => format!("ref to uninitialized chan name ({statement})"),
        "rendezvous-in-d-step" => "rv-attempt in d_step".into(),
        "d-step-blocked" => "block in d_step seq".into(),
        "nondeterminism" => "non-determinism in D_proctype".into(),
        "trace" => format!("event_trace error ({})", it.message),
        _ => it.message.clone(),
    }
}

fn heading(report: &Report, outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let sign = |on: bool, flag: &str| if on { "+".to_string() } else { format!("- (disabled by -{flag} flag)") };
    let property = &outcome.property;
    let of_executions = !matches!(&**property, "safety" | "deadlock");
    let has_claim = of_executions && !matches!(&**property, "accept-labels" | "non-progress");
    let claim = match () {
        () if has_claim => format!("+ ({property})"),
        () if report.results.len() > 1 => "- (not selected)".into(),
        () => "- (none specified)".into(),
    };
    let cycles = match outcome.method.fairness {
        _ if !of_executions => "- (not selected)",
        "none" => "+ (fairness disabled)",
        "weak" => "+ (fairness enabled)",
        _ => "+ (strong fairness enabled)",
    };
    writeln!(out, "\n(Promenade Version {})", report.version)?;
    if !outcome.complete {
        writeln!(out, "Warning: Search not completed")?;
    }
    if outcome.method.search == "bfs" {
        writeln!(out, "\t+ Breadth-First Search")?;
    }
    writeln!(out, "\nFull statespace search for:")?;
    writeln!(out, "\tnever claim         \t{claim}")?;
    match of_executions {
        true => writeln!(out, "\tassertion violations\t- (not selected)")?,
        false => writeln!(out, "\tassertion violations\t{}", sign(outcome.method.assertions, "A"))?,
    }
    let kind = if property == "non-progress" { "non-progress cycles" } else { "acceptance   cycles" };
    writeln!(out, "\t{kind} \t{cycles}")?;
    match of_executions {
        true => writeln!(out, "\tinvalid end states\t- (disabled by never claim)"),
        false => writeln!(out, "\tinvalid end states\t{}", sign(outcome.method.end_states, "E")),
    }
}

fn counts(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let it = &outcome.effort.statistics;
    writeln!(out, "\nState-vector {} byte, depth reached {}, errors: {}", it.state_bytes, it.depth, outcome.errors)?;
    let states = it.many_states.clone().unwrap_or_else(|| it.states.to_string());
    writeln!(out, "{states:>9} states, stored")?;
    writeln!(out, "{:>9} states, matched", it.transitions.saturating_sub(it.states))?;
    writeln!(out, "{:>9} transitions (= stored+matched)", it.transitions)?;
    writeln!(out, "{:>9} atomic steps", it.inner_steps)
}

fn memory(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let megabytes = |bytes: u64| bytes as f64 / 1_048_576.0;
    writeln!(out, "\nStats on memory usage (in Megabytes):")?;
    writeln!(out, "{:9.3}\tactual memory usage for states", megabytes(outcome.effort.statistics.memory))?;
    writeln!(out, "{:9.3}\ttotal actual memory usage\n", megabytes(outcome.effort.peak_memory))
}

fn unreached(it: &Coverage, out: &mut dyn Write) -> io::Result<()> {
    let kind = if it.process == "init" { "" } else { "proctype " };
    writeln!(out, "unreached in {kind}{}", it.process)?;
    for location in &it.unreached {
        for statement in &location.statements {
            writeln!(out, "\t{}, state {}, \"{statement}\"", location.place.short(), location.number)?;
        }
    }
    writeln!(out, "\t({} of {} states)", it.unreached.len(), it.locations)
}

fn time(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let it = &outcome.effort.statistics;
    let seconds = (it.elapsed.as_secs_f64() * 100.0).round() / 100.0;
    writeln!(out, "\npan: elapsed time {seconds} seconds")?;
    if seconds > 0.0 {
        writeln!(out, "pan: rate {:.2} states/second", it.states as f64 / seconds)?;
    }
    Ok(())
}
