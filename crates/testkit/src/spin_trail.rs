//! What SPIN makes of a trail, and how it numbers statements.
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::spin::{Folder, Spin, run};
use crate::spin_temporal::About;

/// What `spin -p -t` said about a trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The first thing that did not fit, if anything did not.
    pub lost: Option<String>,
    /// The line of the assertion that failed.
    pub assertion: Option<u32>,
    /// Whether it saw the beginning of a cycle.
    pub cycle: bool,
    /// The values of global variables at the end.
    pub values: BTreeMap<String, String>,
}

/// What `pan -r` said about a trail, with the claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The first thing that did not fit, if anything did not.
    pub lost: Option<String>,
    /// Whether it saw the beginning of a cycle.
    pub cycle: bool,
    /// Whether the claim was at its end.
    pub claim_end: bool,
    /// The values of global variables at the end.
    pub values: BTreeMap<String, String>,
}

/// An error that pan found, and the trail that it wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What it said.
    pub error: String,
    /// The trail.
    pub trail: String,
}

/// Per process type: the text of each statement, by its number in the whole text.
pub type Statements = BTreeMap<usize, BTreeMap<u32, String>>;

/// What SPIN says when a trail and a model do not fit.
const COMPLAINTS: [&str; 6] =
    ["transition failed", "no matching stmnt", "stop error", "invalid statement", "(?)", "cannot find trail"];

/// What pan says when a trail and a model do not fit.
const COMPLAINTS_OF_PAN: [&str; 5] = ["not found", "not executable", "Error, proc", "Recovered", "cannot find"];

impl Spin {
    /// Follows a trail of a file with a verifier that was made without merging and compiled as usual, along with the claim of this name.
    pub fn repeat(&self, file: &Path, trail: &str, claim: &str) -> Option<Repeated> {
        let (folder, name) = Folder::with_file(file);
        fs::write(folder.0.join(format!("{name}.trail")), trail).ok()?;
        let made = run(&folder.0, "spin", &["-o3", "-a", &name], Duration::from_secs(20));
        let flags = ["-w", "-O0", "-DVECTORSZ=8192", "-o", "pan", "pan.c"];
        if !made.success || !run(&folder.0, self.compiler(), &flags, Duration::from_secs(120)).success {
            return None;
        }
        let ran = run(&folder.0, "./pan", &["-N", claim, "-r"], self.patience);
        (!ran.timeout).then(|| repeated(&ran.output))
    }

    /// Follows a trail of a file.
    pub fn follow(&self, file: &Path, trail: &str) -> Option<Followed> {
        let (folder, name) = Folder::with_file(file);
        fs::write(folder.0.join("a.trail"), trail).ok()?;
        let ran = run(&folder.0, "spin", &["-p", "-t", "-k", "a.trail", &name], self.patience);
        (ran.success && !ran.timeout).then(|| followed(&ran.output))
    }

    /// The trail of the first error that pan finds in a file: about a property of whole executions, or about safety; with all of SPIN's optimisations
    /// and its reduction, or without any.
    pub fn write_trail(&self, file: &Path, about: Option<&About>, optimised: bool) -> Option<Written> {
        let (folder, name) = Folder::with_file(file);
        let plain = if optimised { &[][..] } else { &["-o1", "-o2", "-o3"] };
        let made = run(&folder.0, "spin", &[plain, &["-a", &name]].concat(), Duration::from_secs(20));
        let flags = about.map_or("-DSAFETY -DNOCLAIM", About::compiled);
        let reduced = if optimised { "" } else { " -DNOREDUCE" };
        let flags = format!("-w -O0 -DMEMLIM=2000 -DVECTORSZ=8192 {flags}{reduced} -o pan pan.c");
        let flags: Vec<&str> = flags.split(' ').collect();
        if !made.success || !run(&folder.0, self.compiler(), &flags, Duration::from_secs(120)).success {
            return None;
        }
        let arguments = about.map_or(Vec::new(), |it| it.arguments(false));
        let ran = run(&folder.0, "./pan", &[vec!["-m100000", "-w18"], arguments].concat(), self.patience);
        let error = ran.output.lines().find_map(|it| it.strip_prefix("pan:1: "))?.split(" (at depth").next()?;
        let trail = fs::read_to_string(folder.0.join(format!("{name}.trail"))).ok()?;
        Some(Written { error: error.to_string(), trail })
    }

    /// The statements of a file, as they are numbered in the verifier that SPIN writes.
    pub fn statements(&self, file: &Path) -> Option<Statements> {
        let (folder, name) = Folder::with_file(file);
        let ran = run(&folder.0, "spin", &["-o1", "-o2", "-o3", "-a", &name], self.patience);
        let table = fs::read_to_string(folder.0.join("pan.t")).ok().filter(|_| ran.success)?;
        Some(statements(&table))
    }
}

fn followed(output: &str) -> Followed {
    let lost = output.lines().find(|line| COMPLAINTS.iter().any(|it| line.contains(it))).map(str::to_string);
    let failed = output.lines().find(|it| it.contains("Error: assertion violated"));
    let line = |it: &str| it.split(", Error").next()?.rsplit(':').next()?.parse().ok();
    let last = output.rsplit("spin: trail ends").next().unwrap_or_default();
    let value = |line: &str| {
        let (name, value) = line.strip_prefix("\t\t")?.split_once(" = ")?;
        Some((name.to_string(), value.to_string()))
    };
    Followed {
        lost,
        assertion: failed.and_then(line),
        cycle: output.contains("<<<<<START OF CYCLE>>>>>"),
        values: last.lines().filter_map(value).collect(),
    }
}

fn repeated(output: &str) -> Repeated {
    let lost = output.lines().find(|line| COMPLAINTS_OF_PAN.iter().any(|it| line.contains(it))).map(str::to_string);
    let ended = output.contains("trail ends after");
    let (_, last) = output.split_once("\n#processes").unwrap_or_default();
    let claim = last.lines().skip_while(|it| !it.contains("proc 0 (")).nth(1);
    let value = |line: &str| {
        let (declared, value) = line.strip_prefix('\t')?.split_once(":\t")?;
        Some((declared.split_whitespace().nth(1)?.to_string(), value.trim().to_string()))
    };
    let globals = last.split("global vars:").nth(1).unwrap_or_default();
    Repeated {
        lost: lost.or_else(|| (!ended).then(|| "it did not come to the end".into())),
        cycle: output.contains("<<<<<START OF CYCLE>>>>>"),
        claim_end: claim.is_some_and(|it| it.contains("-end-")),
        values: globals.split("local vars").next().unwrap_or_default().lines().filter_map(value).collect(),
    }
}

/// Reads lines like `trans[0][3] = settr(7,0,4,5,6,"x = 1", 1, 2, 0);`.
fn statements(table: &str) -> Statements {
    let mut all = Statements::new();
    for line in table.lines() {
        let read = || {
            let process = line.split_once("trans[")?.1.split_once(']')?.0.parse().ok()?;
            let (number, rest) = line.split_once("settr(")?.1.split_once(',')?;
            let text = rest.split_once('"')?.1.rsplit_once('"')?.0;
            Some((process, number.trim().parse().ok()?, text.to_string()))
        };
        if let Some((process, number, text)) = read() {
            all.entry(process).or_default().insert(number, text);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_a_verifier_is_read() {
        let table = "\ttrans[0][3]\t= settr(2,0,6,10,10,\"x = (x+1)\", 1, 2, 0);\n\tT = trans[1][6] = settr(5,0,0,0,0,\"DO\", 0, 2, 0);\n";
        let expected = [(0, [(2, "x = (x+1)".to_string())].into()), (1, [(5, "DO".to_string())].into())];
        assert_eq!(statements(table), expected.into());
    }

    #[test]
    fn what_a_verifier_says_about_a_trail_is_read() {
        let output = "  1:\tproc  0 (never_0) e.pml:2 (state 8)\t[((x==2))]\nspin: trail ends after 1 steps\n#processes 1:\n  1:\tproc 0 (never_0)  \
            e.pml:2 (state  9)\n\t\t-end-\nglobal vars:\n\tbyte   x:\t2\nlocal vars proc 1 (P):\n\tbyte   y:\t3\n";
        let values: BTreeMap<String, String> = [("x".to_string(), "2".to_string())].into();
        let expected = Repeated { lost: None, cycle: false, claim_end: true, values };
        assert_eq!(repeated(output), expected);
        let lost = "pan: Error, proc 0 type 3 state 0: transition 9 not found\n";
        assert_eq!(repeated(&format!("{lost}{output}")).lost.as_deref(), Some(lost.trim_end()));
        assert!(repeated("").lost.is_some());
    }

    #[test]
    fn what_spin_says_about_a_trail_is_read() {
        let output = "  1:\tproc  0 (A:1) a.pml:3 (state 1)\t[x = 1]\nspin: a.pml:4, Error: assertion violated\n\
            spin: trail ends after 2 steps\n#processes: 1\n\t\tx = 1\n  2:\tproc  0 (A:1) a.pml:5 (state 3)\n";
        let values = [("x".to_string(), "1".to_string())].into();
        assert_eq!(followed(output), Followed { lost: None, assertion: Some(4), cycle: false, values });
        assert_eq!(followed("\ttransition failed\n").lost.as_deref(), Some("\ttransition failed"));
    }
}
