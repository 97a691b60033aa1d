//! Compares the sizes of our never claims with those of other translators, on formulas from the literature and on random ones.
//!
//! ```text
//! cargo run --release -p ltl --example sizes                       # SPIN, if it is installed
//! cargo run --release -p ltl --example sizes -- "ltl2ba -f"        # any program that takes a formula as its last argument
//! cargo run --release -p ltl --example sizes -- "spin -f" "ltl2ba -f"
//! cargo run --release -p ltl --example sizes -- --list             # our sizes, formula by formula
//! cargo run --release -p ltl --example sizes -- --time             # how long random formulas take
//! ```
//!
//! States are counted in the text of the claim, the same way for all: labels that end a line. Only formulas for which every program answers within
//! ten seconds are added up; how many that are is in the table. SPIN's translator has no `X`, so formulas with it are left out for everybody when SPIN is asked.
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ltl::{Formula, never, translate_to_buchi};

/// A formula, the set it belongs to and the names of its atoms.
struct Sample {
    set: String,
    formula: Formula,
    names: Vec<String>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("--list") => return list(),
        Some("--time") => return time(),
        _ => {}
    }
    let programs = if arguments.is_empty() { vec!["spin -f".to_string()] } else { arguments };
    let samples = samples();
    println!("| formulas | added up | ours | {} |", programs.join(" | "));
    println!("| --- | ---: | ---: |{}", " ---: |".repeat(programs.len()));
    let mut sets: Vec<&str> = samples.iter().map(|it| &it.set[..]).collect();
    sets.dedup();
    for set in sets {
        row(set, samples.iter().filter(|it| it.set == set), &programs);
    }
}

/// One row of the table: the sums over the formulas that everybody translates.
fn row<'s>(set: &str, samples: impl Iterator<Item = &'s Sample>, programs: &[String]) {
    let (mut all, mut common, mut sums) = (0, 0, vec![0; programs.len() + 1]);
    for sample in samples {
        all += 1;
        let ours = translate_to_buchi(&sample.formula).ok().map(|it| states(&never::claim(&it, &sample.names)));
        let theirs = programs.iter().map(|it| ask(it, sample));
        let sizes: Option<Vec<usize>> = std::iter::once(ours).chain(theirs).collect();
        for (sum, size) in sums.iter_mut().zip(sizes.iter().flatten()) {
            *sum += size;
        }
        common += usize::from(sizes.is_some());
    }
    let sums: Vec<String> = sums.iter().map(|it| it.to_string()).collect();
    println!("| {set} | {common} of {all} | {} |", sums.join(" | "));
}

/// The number of states of the claim that a program writes, if it writes one in time.
fn ask(program: &str, sample: &Sample) -> Option<usize> {
    if program.contains("spin") && sample.formula.has_next() {
        return None;
    }
    let mut words = program.split_whitespace();
    let mut child = Command::new(words.next()?)
        .args(words)
        .arg(plain(&sample.formula).text(&sample.names))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let reader = child.stdout.take().map(|out| std::thread::spawn(|| std::io::read_to_string(out)))?;
    let start = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if start.elapsed() > Duration::from_secs(10) {
            child.kill().ok()?;
            child.wait().ok()?;
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let claim = reader.join().ok()?.ok()?;
    claim.contains("never").then(|| states(&claim))
}

/// Without `W` and `M`, which older programs do not know.
fn plain(formula: &Formula) -> Formula {
    use ltl::Node::*;
    match formula.node() {
        True | False | Atom(_) => formula.clone(),
        Not(f) => plain(f).negated(),
        Next(f) => plain(f).next(),
        Finally(f) => plain(f).finally(),
        Globally(f) => plain(f).globally(),
        And(f, g) => plain(f).and(plain(g)),
        Or(f, g) => plain(f).or(plain(g)),
        Implies(f, g) => plain(f).implies(plain(g)),
        Equivalent(f, g) => plain(f).equivalent(plain(g)),
        Until(f, g) => plain(f).until(plain(g)),
        Release(f, g) => plain(f).release(plain(g)),
        WeakUntil(f, g) => plain(g).release(plain(f).or(plain(g))),
        StrongRelease(f, g) => plain(g).until(plain(f).and(plain(g))),
    }
}

/// Labels in the text of a claim.
fn states(claim: &str) -> usize {
    claim.lines().filter(|it| it.trim_end().ends_with(':')).count()
}

fn samples() -> Vec<Sample> {
    let lines = include_str!("../tests/data/formulas.txt").lines().filter_map(|it| it.split_once(':'));
    let mut samples = Vec::new();
    for (set, text) in lines.filter(|it| !it.0.starts_with('#')) {
        let mut names = Vec::new();
        if let Ok(formula) = ltl::parse(text, &mut names) {
            samples.push(Sample { set: set.to_string(), formula, names });
        }
    }
    let mut chance = Chance(1);
    for _ in 0..100 {
        let (formula, names) = (chance.formula(8), ["a", "b", "c"].map(String::from).to_vec());
        samples.push(Sample { set: "random".to_string(), formula, names });
    }
    let negated = samples.iter().map(|it| Sample {
        set: format!("{}, negated", it.set),
        formula: it.formula.clone().negated(),
        names: it.names.clone(),
    });
    let negated: Vec<Sample> = negated.collect();
    samples.extend(negated);
    samples
}

fn list() {
    println!("states choices edges sets | states choices edges sets | formula");
    for Sample { set, formula, names } in samples() {
        let sizes = [ltl::translate(&formula), translate_to_buchi(&formula)].map(|it| it.map(|it| it.size()));
        if let [Ok(generalised), Ok(ordinary)] = sizes {
            println!("{generalised:?} {ordinary:?} {set}: {}", formula.text(&names));
        }
    }
}

/// Mean and longest time of random formulas by their number of operators.
fn time() {
    println!("| operators | formulas | mean ms | longest ms | refused |\n| ---: | ---: | ---: | ---: | ---: |");
    for operators in [4, 8, 12, 16] {
        let (mut chance, mut times, mut refused) = (Chance(7), Vec::new(), 0);
        for _ in 0..100 {
            let formula = chance.formula(operators);
            let start = Instant::now();
            refused += usize::from(translate_to_buchi(&formula).is_err());
            times.push(start.elapsed().as_secs_f64() * 1000.0);
        }
        let longest = times.iter().copied().fold(0.0, f64::max);
        println!("| {operators} | 100 | {:.1} | {longest:.1} | {refused} |", times.iter().sum::<f64>() / 100.0);
    }
}

/// A linear congruential generator (Knuth's MMIX), for formulas without `X`.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn formula(&mut self, operators: usize) -> Formula {
        if operators == 0 {
            return Formula::atom(self.below(3) as u32);
        }
        let unary = [Formula::negated, Formula::finally, Formula::globally];
        let binary = [Formula::and, Formula::or, Formula::until, Formula::release];
        match self.below(7) {
            choice @ 0..3 => unary[choice](self.formula(operators - 1)),
            choice => {
                let left = self.below(operators);
                let (f, g) = (self.formula(left), self.formula(operators - 1 - left));
                binary[choice - 3](f, g)
            }
        }
    }
}
