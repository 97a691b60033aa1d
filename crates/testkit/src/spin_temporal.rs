//! Asks an installed SPIN about whole executions.
//!
//! Without optimisation and reduction, as for safety. One verifier is compiled for all claims of a model, one without claims for its accept
//! labels, and one for progress.
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::Duration;

use crate::kind::Kind;
use crate::spin::{Folder, Spin, last_characters, run};

/// What pan is asked about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum About {
    /// A formula or claim, by its name.
    Claim(String),
    /// Labels of processes, without any claim.
    AcceptLabels,
    /// Cycles without progress.
    Progress,
}

impl About {
    /// The property of this name.
    pub fn named(property: &str) -> About {
        match property {
            "accept-labels" => About::AcceptLabels,
            "non-progress" => About::Progress,
            name => About::Claim(name.to_string()),
        }
    }

    /// How pan is compiled.
    pub(crate) fn compiled(&self) -> &'static str {
        match self {
            About::Claim(_) => "-DNFAIR=6",
            About::AcceptLabels => "-DNFAIR=6 -DNOCLAIM",
            About::Progress => "-DNFAIR=6 -DNP",
        }
    }

    /// How pan is called.
    pub(crate) fn arguments(&self, fair: bool) -> Vec<&str> {
        let mut arguments = match self {
            About::Claim(name) => vec!["-a", "-N", name],
            About::AcceptLabels => vec!["-a", "-E"],
            About::Progress => vec!["-l", "-E"],
        };
        arguments.extend(fair.then_some("-f"));
        arguments
    }
}

/// What SPIN says about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpinSaid {
    /// No execution violates it.
    Holds,
    /// One does.
    Violated(Kind),
    /// There is an error that may be one of the model itself.
    Other(Kind),
    /// Nothing that could be compared.
    Nothing(String),
}

impl SpinSaid {
    /// Whether it is violated, if that is known of a model with these errors of its own.
    pub fn is_violated(&self, own: &BTreeSet<Kind>) -> Option<bool> {
        match self {
            SpinSaid::Holds => Some(false),
            SpinSaid::Violated(_) => Some(true),
            SpinSaid::Other(kind) => (!own.contains(kind)).then_some(true),
            SpinSaid::Nothing(_) => None,
        }
    }
}

impl Spin {
    /// What it says about properties of a text, each with or without weak fairness.
    pub fn ask_temporal(&self, text: &str, questions: &[(About, bool)]) -> Vec<SpinSaid> {
        match Folder::with_text(text) {
            Ok((folder, name)) => self.answer_all(&folder, &name, questions),
            Err(error) => vec![SpinSaid::Nothing(error); questions.len()],
        }
    }

    /// What it says about properties of a file.
    pub fn ask_temporal_file(&self, file: &Path, questions: &[(About, bool)]) -> Vec<SpinSaid> {
        let (folder, name) = Folder::with_file(file);
        self.answer_all(&folder, &name, questions)
    }

    fn answer_all(&self, folder: &Folder, name: &str, questions: &[(About, bool)]) -> Vec<SpinSaid> {
        let spin = run(&folder.0, "spin", &["-o1", "-o2", "-o3", "-a", name], Duration::from_secs(20));
        if !spin.success || !folder.0.join("pan.c").exists() {
            return vec![SpinSaid::Nothing(format!("rejected: {}", spin.output)); questions.len()];
        }
        let mut verifiers: HashMap<&str, Result<String, String>> = HashMap::new();
        let mut answer = |(about, fair): &(About, bool)| {
            let flags = about.compiled();
            let number = verifiers.len();
            let verifier = verifiers.entry(flags).or_insert_with(|| self.verifier(folder, flags, number));
            match verifier {
                Ok(pan) => self.verdict(folder, pan, &about.arguments(*fair)),
                Err(why) => SpinSaid::Nothing(why.clone()),
            }
        };
        questions.iter().map(&mut answer).collect()
    }

    fn verifier(&self, folder: &Folder, flags: &str, number: usize) -> Result<String, String> {
        let pan = format!("pan{number}");
        let common = format!("-w -O1 -DNOREDUCE -DMEMLIM=4000 -DVECTORSZ=8192 {flags} -o {pan} pan.c");
        let arguments: Vec<&str> = common.split(' ').collect();
        let compiler = run(&folder.0, self.compiler(), &arguments, Duration::from_secs(120));
        if compiler.success { Ok(format!("./{pan}")) } else { Err(last_characters(&compiler.output)) }
    }

    /// The first error that has to do with whole executions decides; if the first one has not, all are looked at.
    fn verdict(&self, folder: &Folder, pan: &str, arguments: &[&str]) -> SpinSaid {
        let run = |more: &[&str]| {
            let arguments = [&["-m500000", "-w20"], arguments, more].concat();
            run(&folder.0, pan, &arguments, self.patience)
        };
        let first = run(&[]);
        match errors_of(&first.output) {
            _ if first.timeout => SpinSaid::Nothing("time".into()),
            Err(why) => SpinSaid::Nothing(why),
            Ok(errors) if errors.is_empty() => SpinSaid::Holds,
            Ok(errors) => match temporal(&errors) {
                Some(kind) => SpinSaid::Violated(kind),
                None => match errors_of(&run(&["-c0"]).output).map(|it| temporal(&it)) {
                    Ok(Some(kind)) => SpinSaid::Violated(kind),
                    _ => SpinSaid::Other(Kind::of_spin(&errors[0])),
                },
            },
        }
    }
}

/// The first error of a claim. SPIN writes an assertion into the claims that it makes of formulas.
fn temporal(errors: &[String]) -> Option<Kind> {
    let is_claims = |it: &&String| {
        matches!(Kind::of_spin(it), Kind::Cycle | Kind::ClaimEnd) || it.starts_with("assertion violated  !(")
    };
    errors.iter().find(is_claims).map(|it| Kind::of_spin(it))
}

/// The errors that pan shows, or why its search says nothing.
fn errors_of(output: &str) -> Result<Vec<String>, String> {
    for text in ["max search depth too small", "out of memory"] {
        if output.contains(text) {
            return Err(text.into());
        }
    }
    let shown = output.lines().filter_map(|line| line.strip_prefix("pan:")?.split_once(": ").map(|it| it.1));
    let errors: Vec<String> = shown.filter_map(|it| it.split_once(" (at depth")).map(|it| it.0.to_string()).collect();
    let count = output.split("errors: ").nth(1).and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    match count {
        Some(0) if errors.is_empty() => Ok(errors),
        Some(count) if count > 0 && !errors.is_empty() => Ok(errors),
        _ => Err(last_characters(output)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "pan:1: assertion violated (x==1) (at depth 3)\npan: wrote model.pml.trail\n\
        pan:2: acceptance cycle (at depth 4)\nState-vector 36 byte, depth reached 11, errors: 2\n";

    #[test]
    fn an_error_of_the_model_does_not_hide_that_of_the_claim() {
        let errors = errors_of(OUTPUT).expect("a complete search");
        assert_eq!(errors, ["assertion violated (x==1)", "acceptance cycle"]);
        assert_eq!((temporal(&errors), temporal(&errors[..1])), (Some(Kind::Cycle), None));
    }

    #[test]
    fn a_search_that_was_cut_says_nothing() {
        assert!(errors_of(&format!("error: max search depth too small\n{OUTPUT}")).is_err());
        assert!(errors_of("Segmentation fault").is_err());
    }
}
