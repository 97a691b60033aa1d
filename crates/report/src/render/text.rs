//! For people: the answer first, then how to get there, then what else is worth knowing.
use std::io::{self, Write};

use super::Detail;
use crate::terms::in_bytes;
use crate::{Answer, Half, Member, Outcome, ProcessState, Remark, Report, ShownStep, Snapshot, Violation};

/// Lines of a list that are shown unless everything is.
const LINES: usize = 10;

/// Values of one owner that are shown unless everything is.
const VALUES: usize = 60;

/// The width of wrapped text.
const WIDTH: usize = 100;

/// Writes the report.
pub fn write(report: &Report, detail: Detail, out: &mut dyn Write) -> io::Result<()> {
    for (row, outcome) in report.results.iter().enumerate() {
        if row > 0 {
            writeln!(out)?;
        }
        let mut page = Page { detail, out };
        page.answer(report, outcome)?;
        page.violations(outcome)?;
        page.witness(outcome)?;
        page.unreached(outcome)?;
        page.statistics(outcome)?;
    }
    swarm(&report.swarm, out)?;
    match &report.checkpoint {
        Some(file) => writeln!(out, "\nTo go on from here: the same command with --resume {file}"),
        None => Ok(()),
    }
}

/// Writes how to get to a violation, and what everything is there.
pub fn write_trace(violation: &Violation, detail: Detail, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page { detail, out };
    page.steps(violation)?;
    page.snapshot(violation)
}

/// Writes what everything is.
pub fn write_snapshot(snapshot: &Snapshot, detail: Detail, out: &mut dyn Write) -> io::Result<()> {
    Page { detail, out }.state(snapshot)
}

/// What each run of a swarm has seen.
fn swarm(members: &[Member], out: &mut dyn Write) -> io::Result<()> {
    if members.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nThe members of the swarm:")?;
    writeln!(out, "  verdict       states   depth     time  coverage")?;
    for Member { name, verdict, states, depth, seconds, expected_coverage, .. } in members {
        let coverage = expected_coverage.map_or("?".into(), |it| format!("{:.2} %", it * 100.0));
        writeln!(out, "  {verdict:<8} {states:>11} {depth:>7} {seconds:>6.1} s {coverage:>9}  {name}")?;
    }
    Ok(())
}

/// Where one result is written to.
struct Page<'a> {
    detail: Detail,
    out: &'a mut dyn Write,
}

impl Page<'_> {
    fn answer(&mut self, report: &Report, it: &Outcome) -> io::Result<()> {
        let (model, property) = (&report.model, &it.property);
        match &it.answer {
            Answer::Holds => {
                writeln!(self.out, "{model}: {property} {}", self.paint("32", "holds"))?;
                it.vacuous.iter().try_for_each(|it| writeln!(self.out, "Note: {it}"))
            }
            Answer::Violated => {
                let first = it.violations.iter().find(|it| it.kind != "internal").map_or("", |it| &it.message);
                writeln!(self.out, "{model}: {property} is {}: {first}", self.paint("31", "VIOLATED"))
            }
            Answer::Unknown(reason) => {
                writeln!(self.out, "{model}: {property} is {}: {}", self.paint("33", "unknown"), reason.because)?;
                self.advice(it, &reason.advice)
            }
        }
    }

    fn advice(&mut self, it: &Outcome, advice: &str) -> io::Result<()> {
        if it.is_checked() && it.violations.is_empty() {
            writeln!(self.out, "No violation was found up to there, which does not mean that there is none.")?;
        }
        if advice.is_empty() { Ok(()) } else { writeln!(self.out, "{advice}") }
    }

    fn violations(&mut self, it: &Outcome) -> io::Result<()> {
        let count = it.violations.len();
        for (row, violation) in it.violations.iter().enumerate() {
            if violation.place.is_some() || count > 1 || violation.kind == "internal" {
                writeln!(self.out)?;
            }
            if count > 1 || violation.kind == "internal" {
                writeln!(self.out, "Violation {} of {count}: {}", row + 1, violation.message)?;
            }
            self.violation(violation)?;
        }
        if it.errors > count as u64 {
            writeln!(
                self.out,
                "\n{} violations in all; those of the same kind at the same place are shown once.",
                it.errors
            )?;
        }
        Ok(())
    }

    /// A path that shows that a property holds.
    fn witness(&mut self, it: &Outcome) -> io::Result<()> {
        let Some(witness) = &it.witness else { return Ok(()) };
        writeln!(self.out, "\nA witness: {}", witness.message)?;
        self.steps(witness)?;
        self.snapshot(witness)
    }

    fn violation(&mut self, it: &Violation) -> io::Result<()> {
        if let Some(place) = &it.place {
            let statement = it.statement.iter().map(|it| format!(": {it}")).collect::<String>();
            let process = it.process.iter().map(|it| format!("{it} at ")).collect::<String>();
            writeln!(self.out, "  {process}{}{statement}", place.short())?;
        }
        if it.kind == "internal" {
            return Ok(());
        }
        self.steps(it)?;
        self.snapshot(it)
    }

    fn steps(&mut self, it: &Violation) -> io::Result<()> {
        let columns = Columns::of(it);
        let many = |count: usize| if count == 1 { "1 step".into() } else { format!("{count} steps") };
        let cycle = it.cycle_start.unwrap_or(it.length + 1);
        match cycle - 1 {
            0 if it.length > 0 => {}
            0 => writeln!(self.out, "\nIt is so from the start: no step is needed.")?,
            length => writeln!(self.out, "\nHow to get there, {}:", many(length))?,
        }
        let (mut expected, mut remarks) = (1, &it.remarks[..]);
        for step in &it.steps {
            remarks = self.remarks(remarks, step.number)?;
            if step.number == cycle {
                let from = if cycle == 1 { "From the start" } else { "From here on" };
                match it.cycle_length() {
                    Some(1) => writeln!(self.out, "\n{from}, this step is repeated for ever:")?,
                    length => {
                        writeln!(self.out, "\n{from}, these {} are repeated for ever:", many(length.unwrap_or(0)))?
                    }
                }
            }
            if step.number != expected {
                writeln!(self.out, "  … {} steps are not shown (--full-trace) …", step.number - expected)?;
            }
            expected = step.number + 1;
            columns.write(step, self.out)?;
        }
        self.remarks(remarks, usize::MAX)?;
        if it.cycle_length() == Some(0) {
            writeln!(self.out, "\nFrom here on, nothing moves any more.")?;
        }
        Ok(())
    }

    /// Writes what is true before a step; returns what comes later.
    fn remarks<'r>(&mut self, remarks: &'r [Remark], before: usize) -> io::Result<&'r [Remark]> {
        let now = remarks.iter().take_while(|it| it.after < before).count();
        remarks[..now].iter().try_for_each(|it| writeln!(self.out, "     {}", it.text))?;
        Ok(&remarks[now..])
    }

    fn snapshot(&mut self, it: &Violation) -> io::Result<()> {
        if it.last.globals.is_empty() && it.last.processes.is_empty() {
            return Ok(());
        }
        match it.cycle_length() {
            Some(1..) => writeln!(self.out, "\nThe state at the beginning and at the end of a round:")?,
            _ => writeln!(self.out, "\nThe last state:")?,
        }
        self.state(&it.last)
    }

    fn state(&mut self, Snapshot { globals, processes }: &Snapshot) -> io::Result<()> {
        self.values("  ", globals)?;
        processes.iter().try_for_each(|it| self.process(it))
    }

    fn process(&mut self, it: &ProcessState) -> io::Result<()> {
        let next = if it.next.is_empty() { "at its end".into() } else { format!("before: {}", it.next) };
        writeln!(self.out, "  {}  {}  {next}", it.process, it.place.short())?;
        self.values("      ", &it.values)
    }

    /// `x = 1, y = 2, …`, wrapped.
    fn values(&mut self, indent: &str, values: &[(String, String)]) -> io::Result<()> {
        let shown = if self.detail.verbose { values.len() } else { values.len().min(VALUES) };
        let mut words: Vec<String> = values[..shown].iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if shown < values.len() {
            words.push(format!("… and {} more (--verbose)", values.len() - shown));
        }
        let mut line = String::new();
        for (row, word) in words.iter().enumerate() {
            if !line.is_empty() && line.len() + word.len() > WIDTH {
                writeln!(self.out, "{indent}{}", line.trim_end())?;
                line.clear();
            }
            line += word;
            line += if row + 1 < words.len() { ", " } else { "" };
        }
        if line.is_empty() { Ok(()) } else { writeln!(self.out, "{indent}{line}") }
    }

    fn unreached(&mut self, it: &Outcome) -> io::Result<()> {
        let rows: Vec<_> = it
            .coverage
            .iter()
            .flat_map(|process| process.unreached.iter().map(move |it| (&process.process, it)))
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "\nNever reached:")?;
        let shown = if self.detail.verbose { rows.len() } else { LINES };
        for (process, location) in rows.iter().take(shown) {
            writeln!(self.out, "  {process}  {}  {}", location.place.short(), location.statements.join(" or "))?;
        }
        if shown < rows.len() {
            writeln!(self.out, "  … and {} more (--verbose)", rows.len() - shown)?;
        }
        Ok(())
    }

    fn statistics(&mut self, it: &Outcome) -> io::Result<()> {
        if !it.is_checked() {
            return Ok(());
        }
        let (method, statistics) = (&it.method, &it.effort.statistics);
        let (states, transitions, depth) = (statistics.states, statistics.transitions, statistics.depth);
        let (seconds, memory) = (statistics.elapsed.as_secs_f64(), in_bytes(it.effort.peak_memory));
        let so_far = if it.complete { "" } else { " so far" };
        let states = statistics.many_states.clone().unwrap_or_else(|| states.to_string());
        match method.engine {
            "symbolic" => writeln!(self.out, "\n{states} states{so_far}; {seconds:.3} s, {memory}")?,
            _ => writeln!(
                self.out,
                "\n{states} states, {transitions} transitions, depth {depth}{so_far}; {seconds:.3} s, {memory}"
            )?,
        }
        let reduction = if method.reduction == "none" { "no" } else { method.reduction };
        let because = method.reduction_because.map_or(String::new(), |it| format!(" ({it})"));
        let optimised = match &method.optimizations[..] {
            [] => "no optimisation".to_string(),
            list => format!("optimised by {}", list.join(", ")),
        };
        let (engine, store, search) = (method.engine, method.store, method.search);
        let fair = match method.fairness {
            "weak" => ", weakly fair",
            "strong" => ", strongly fair",
            _ => "",
        };
        writeln!(
            self.out,
            "{engine} engine, {store} store, {search}{fair}, {reduction} reduction{because}, {optimised}"
        )?;
        if let Some(because) = &method.engine_because {
            writeln!(self.out, "{because}")?;
        }
        let details = statistics.details.iter().filter(|_| self.detail.stats);
        details.into_iter().try_for_each(|(name, text)| writeln!(self.out, "  {name}: {text}"))
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.detail.colour { format!("\x1b[1;{colour}m{text}\x1b[0m") } else { text.into() }
    }
}

/// How wide the columns of a list of steps are.
struct Columns {
    number: usize,
    process: usize,
    place: usize,
    statement: usize,
}

impl Columns {
    fn of(violation: &Violation) -> Columns {
        let halves = || violation.steps.iter().flat_map(|it| std::iter::once(&it.mover).chain(&it.partner));
        let widest = |width: fn(&Half) -> usize| halves().map(width).max().unwrap_or(0);
        Columns {
            number: violation.length.to_string().len().max(3),
            process: widest(|it| it.process.chars().count()),
            place: widest(|it| it.place.short().chars().count()),
            statement: widest(|it| it.statement.chars().count()).min(40),
        }
    }

    fn write(&self, step: &ShownStep, out: &mut dyn Write) -> io::Result<()> {
        let changes = step.changes.join(", ");
        let number = step.number.to_string();
        match &step.partner {
            None => self.line(&number, &step.mover, &changes, out),
            Some(partner) => {
                self.line(&number, &step.mover, "", out)?;
                self.line("", partner, &changes, out)
            }
        }
    }

    fn line(&self, number: &str, half: &Half, changes: &str, out: &mut dyn Write) -> io::Result<()> {
        let Columns { number: n, process: p, place: w, statement: s } = *self;
        let (process, place, statement) = (&half.process, half.place.short(), &half.statement);
        let arrow = if changes.is_empty() { "" } else { "→ " };
        let line = format!("{number:>n$}  {process:<p$}  {place:<w$}  {statement:<s$}  {arrow}{changes}");
        writeln!(out, "{}", line.trim_end())
    }
}
