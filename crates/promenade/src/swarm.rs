//! Swarms: many small searches that leave out different states, in place of one large one.
//!
//! Holzmann, Joshi, Groce, *Swarm verification techniques*, 2011. If all states do not fit into memory, a search with
//! bits sees a part of them. Searches with other hash functions, another number of bits, in arrays of other sizes and
//! in other orders see other parts. They need nothing of each other, so that as many can run at once as there are
//! machines; the first violation that one of them finds is an answer for all.
//!
//! Each member is a run of its own, described by a [`Recipe`]; [`merge()`] says what all of them say together. A swarm
//! never says that a property holds.
//!
//! The estimate: a state that is met is left out by a member with probability 1 - c, its expected coverage; if members are
//! independent, all of them leave it out with the product of these. Members that were stopped by a limit have no estimate and
//! do not count. As for each member, what could only be reached through omitted states is not in the estimate.
use std::time::Duration;

use report::{Answer, Member, Outcome, Reason, Report};

/// How one member of a swarm differs from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// In which order it searches, as `--search` has it.
    pub search: &'static str,
    /// Bits that a state sets.
    pub hashes: u32,
    /// Its array is this fraction of what a member may have.
    pub memory_share: u64,
    /// Paths that it follows at most.
    pub depth: Option<u64>,
    /// Of its hash functions, and of its order if that is random.
    pub seed: u64,
}

/// What differs besides the seed, member by member and then again from the start. Few bits in a large array are good for many
/// states, many bits for few; a smaller array leaves out more, but others. Depth first every member has another random
/// order, and some turn back early; breadth first a smaller depth would only see less.
const KINDS: [Recipe; 8] = [
    Recipe { search: "dfs", hashes: 3, memory_share: 1, depth: None, seed: 0 },
    Recipe { search: "bfs", hashes: 3, memory_share: 1, depth: None, seed: 0 },
    Recipe { search: "dfs", hashes: 2, memory_share: 1, depth: Some(10_000), seed: 0 },
    Recipe { search: "dfs", hashes: 4, memory_share: 4, depth: None, seed: 0 },
    Recipe { search: "bfs", hashes: 2, memory_share: 1, depth: None, seed: 0 },
    Recipe { search: "dfs", hashes: 1, memory_share: 1, depth: Some(1000), seed: 0 },
    Recipe { search: "dfs", hashes: 3, memory_share: 1, depth: Some(100_000), seed: 0 },
    Recipe { search: "bfs", hashes: 6, memory_share: 2, depth: None, seed: 0 },
];

/// The members of a swarm. Those of a larger swarm begin with those of a smaller one.
pub fn recipes(count: u32, seed: u64) -> Vec<Recipe> {
    let kinds = KINDS.iter().cycle().zip(0..u64::from(count));
    kinds.map(|(kind, number)| Recipe { seed: seed.wrapping_add(number), ..*kind }).collect()
}

impl Recipe {
    /// The options that make a run of `prom check` this member, with so much memory and time.
    pub fn options(&self, memory: Option<u64>, time: Option<Duration>, depth: Option<u64>) -> Vec<String> {
        let mut list: Vec<String> = vec!["--store".into(), "bitstate".into(), "--search".into(), self.search.into()];
        let mut option = |name: &str, value: Option<String>| {
            list.extend(value.into_iter().flat_map(|value| [name.to_string(), value]));
        };
        option("--hashes", Some(self.hashes.to_string()));
        option("--seed", Some(self.seed.to_string()));
        option("--memory", memory.map(|it| (it / self.memory_share).max(1).to_string()));
        option("--time", time.map(|it| format!("{}ms", it.as_millis().max(1))));
        option("--max-depth", self.depth.into_iter().chain(depth).min().map(|it| it.to_string()));
        list
    }
}

/// One run of a swarm and what it has reported; nothing if it was stopped.
pub struct Run {
    /// What it is called: its command, or the file of its report.
    pub name: String,
    /// Its report.
    pub report: Option<Report>,
}

/// What all runs say together; or why they cannot say anything together. `elapsed` is what the swarm took, if that is known.
pub fn merge(runs: Vec<Run>, elapsed: Option<Duration>) -> Result<Report, String> {
    agree(&runs)?;
    let members: Vec<Member> = runs.iter().map(member).collect();
    let violated = |it: &Report| it.results.iter().any(|it| it.answer == Answer::Violated);
    let mut reports: Vec<Report> = runs.into_iter().filter_map(|it| it.report).collect();
    let largest = |it: &Report| it.results.iter().map(|it| it.effort.statistics.states).max();
    // The winner, or whoever has seen most.
    let best =
        reports.iter().position(violated).or_else(|| (0..reports.len()).max_by_key(|&row| largest(&reports[row])));
    let mut merged = best.map(|row| reports.swap_remove(row)).ok_or("no member has reported anything")?;
    let elapsed = elapsed.unwrap_or_else(|| Duration::from_secs_f64(members.iter().map(|it| it.seconds).sum()));
    for outcome in merged.results.iter_mut().filter(|it| it.is_checked()) {
        outcome.effort.statistics.elapsed = elapsed;
        outcome.complete = false;
        conclude(outcome, &members);
    }
    merged.swarm = members;
    Ok(merged)
}

/// Refuses reports that are not about the same thing, or that say what no swarm says.
fn agree(runs: &[Run]) -> Result<(), String> {
    let mut reports = runs.iter().filter_map(|it| it.report.as_ref().map(|report| (&it.name, report)));
    let Some((_, first)) = reports.next() else { return Ok(()) };
    let properties = |it: &Report| it.results.iter().map(|it| it.property.clone()).collect::<Vec<_>>();
    for (name, report) in reports {
        if (&report.model, &report.version) != (&first.model, &first.version) || properties(report) != properties(first)
        {
            return Err(format!("`{name}` is about another model, other properties or from another version"));
        }
    }
    let holds = |it: &&Run| it.report.iter().flat_map(|it| &it.results).any(|it| it.answer == Answer::Holds);
    match runs.iter().find(holds) {
        Some(run) => Err(format!("`{}` says that a property holds, which no member of a swarm can say", run.name)),
        None => Ok(()),
    }
}

fn member(run: &Run) -> Member {
    let results = || run.report.iter().flat_map(|it| &it.results).filter(|it| it.is_checked());
    let checked = results().find(|it| it.answer == Answer::Violated).or_else(|| results().next());
    let statistics = checked.map(|it| it.effort.statistics.clone()).unwrap_or_default();
    let (verdict, why) = match checked.map(|it| &it.answer) {
        Some(Answer::Violated) => ("violated", None),
        Some(Answer::Unknown(reason)) => ("unknown", Some(reason.because.clone())),
        Some(Answer::Holds) => ("unknown", Some("a search with bits proves nothing".into())),
        None => ("unknown", Some("it was stopped".into())),
    };
    Member {
        name: run.name.clone(),
        verdict,
        why,
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        seconds: statistics.elapsed.as_secs_f64(),
        expected_coverage: checked.and_then(|it| it.expected_coverage),
    }
}

/// No violation, no verdict: says what is known instead.
fn conclude(outcome: &mut Outcome, members: &[Member]) {
    if outcome.answer == Answer::Violated {
        return;
    }
    let coverages: Vec<f64> = members.iter().filter_map(|it| it.expected_coverage).collect();
    let searches = if members.len() == 1 { "1 search".into() } else { format!("{} searches", members.len()) };
    let mut because = format!("{searches} found no violation, but they may have left out states");
    outcome.expected_coverage = None;
    if !coverages.is_empty() {
        let coverage = 1.0 - coverages.iter().map(|it| 1.0 - it).product::<f64>();
        let ended = coverages.len();
        because += &format!("; the {ended} that came to their end kept about {:.4} % of them apart", coverage * 100.0);
        outcome.expected_coverage = Some(coverage);
    }
    let advice = "More members, more memory or more time see more. Only an exact store can tell for certain.".into();
    outcome.answer = Answer::Unknown(Reason { because, advice });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_differ() {
        let members = recipes(50, 7);
        assert_eq!(members.len(), 50);
        assert!((0..50).all(|row| members[row + 1..].iter().all(|it| *it != members[row])));
        assert_eq!(recipes(3, 7), members[..3]);
    }

    #[test]
    fn a_member_is_a_command_line() {
        let recipe = Recipe { memory_share: 2, depth: Some(90), ..recipes(1, 5)[0] };
        let options = recipe.options(Some(1000), Some(Duration::from_secs(2)), Some(70)).join(" ");
        assert_eq!(
            options,
            "--store bitstate --search dfs --hashes 3 --seed 5 --memory 500 --time 2000ms --max-depth 70"
        );
    }

    #[test]
    fn nothing_can_be_said_without_members() {
        let silent = || Run { name: "a".into(), report: None };
        assert!(merge(vec![silent()], None).is_err_and(|it| it == "no member has reported anything"));
    }
}
