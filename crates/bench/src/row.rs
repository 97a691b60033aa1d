//! The runs of one model in one configuration, and what they say together.
use crate::statistics::median;
use crate::suite::Model;

/// One search by one tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// `holds`, `violated` or `unknown`.
    pub verdict: String,
    /// States found.
    pub states: u64,
    /// Transitions followed.
    pub transitions: u64,
    /// Seconds of the search alone.
    pub search: f64,
    /// Seconds spent before the process could start: `spin` and `gcc`.
    pub build: f64,
    /// Seconds from the start of the process to its end.
    pub wall: f64,
    /// Seconds of computation of the process, its own and the system's.
    pub cpu: f64,
    /// Largest resident memory.
    pub peak_bytes: u64,
}

impl Sample {
    /// Seconds from source to verdict.
    pub fn end_to_end(&self) -> f64 {
        self.build + self.wall
    }

    /// Peak memory for each state.
    pub fn bytes_per_state(&self) -> f64 {
        self.peak_bytes as f64 / self.states.max(1) as f64
    }
}

/// A search, or why there is none.
pub type Outcome = Result<Sample, String>;

/// Two neighbouring searches.
#[derive(Clone, Debug)]
pub struct Pair {
    /// By Promenade.
    pub prom: Outcome,
    /// By SPIN's verifier, if it takes part.
    pub pan: Option<Outcome>,
}

/// All pairs of one model in one configuration.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was searched.
    pub model: Model,
    /// How Promenade was asked.
    pub configuration: String,
    /// The runs, in order.
    pub pairs: Vec<Pair>,
}

/// Below this many seconds the two digits of the verifier's clock are too coarse for one run.
const SHORT: f64 = 0.2;

/// A figure of a sample.
pub type Figure = fn(&Sample) -> f64;

impl Row {
    /// Gives every short search of the verifier the mean of all: its clock only ticks, but on average it is right.
    pub fn sharpen(&mut self) {
        let pans = || self.pairs.iter().filter_map(|pair| pair.pan.as_ref()?.as_ref().ok());
        let mean = pans().map(|it| it.search).sum::<f64>() / pans().count().max(1) as f64;
        for pan in self.pairs.iter_mut().filter_map(|pair| pair.pan.as_mut()?.as_mut().ok()).filter(|_| mean < SHORT) {
            pan.search = mean;
        }
    }

    /// The median of a figure of Promenade.
    pub fn prom(&self, figure: Figure) -> Option<f64> {
        median(&self.pairs.iter().filter_map(|pair| pair.prom.as_ref().ok()).map(figure).collect::<Vec<_>>())
    }

    /// The median of a figure of SPIN's verifier.
    pub fn pan(&self, figure: Figure) -> Option<f64> {
        let samples = self.pairs.iter().filter_map(|pair| pair.pan.as_ref()?.as_ref().ok());
        median(&samples.map(figure).collect::<Vec<_>>())
    }

    /// How many times Promenade's figure fits into the verifier's: the median over neighbouring runs.
    /// Above one, Promenade is the better.
    pub fn ratio(&self, figure: Figure) -> Option<f64> {
        let ratio = |pair: &Pair| Some(figure(pair.pan.as_ref()?.as_ref().ok()?) / figure(pair.prom.as_ref().ok()?));
        let ratios = self.pairs.iter().filter_map(ratio).filter(|ratio| ratio.is_finite() && *ratio > 0.0);
        median(&ratios.collect::<Vec<_>>())
    }

    /// Why this row cannot be counted; `None` if all runs found what was expected.
    pub fn disagreement(&self) -> Option<String> {
        let outcomes = self.pairs.iter().flat_map(|pair| {
            [("prom", Some(&pair.prom)), ("pan", pair.pan.as_ref())]
                .into_iter()
                .filter_map(|(who, it)| Some((who, it?)))
        });
        let verdict = self.pairs.iter().find_map(|pair| pair.prom.as_ref().ok()).map(|sample| sample.verdict.clone());
        outcomes.into_iter().find_map(|(who, outcome)| self.mistake(who, outcome, verdict.as_deref()))
    }

    fn mistake(&self, who: &str, outcome: &Outcome, verdict: Option<&str>) -> Option<String> {
        let sample = match outcome {
            Ok(sample) => sample,
            Err(message) => return Some(format!("{who}: {message}")),
        };
        let (states, transitions) = (self.model.states, self.model.transitions);
        if self.model.property.is_some() {
            return verdict.filter(|it| *it != sample.verdict).map(|_| format!("WRONG: {who} says {}", sample.verdict));
        }
        if !same(sample.states, states) {
            Some(format!("WRONG: {who} has {} states, not {states}", sample.states))
        } else if !same(sample.transitions, transitions) {
            Some(format!("WRONG: {who} has {} transitions, not {transitions}", sample.transitions))
        } else if verdict.is_some_and(|verdict| verdict != sample.verdict) {
            Some(format!("WRONG: {who} says {}", sample.verdict))
        } else {
            None
        }
    }
}

/// Are two counts the same? From a hundred million on, SPIN's verifier prints only eight digits.
fn same(one: u64, other: u64) -> bool {
    one == other || (one.min(other) >= 100_000_000 && one.abs_diff(other) as f64 / one as f64 <= 1e-7)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A model of ten states.
    pub fn model() -> Model {
        let (name, path) = ("ten".into(), "ten.pml".into());
        Model { name, path, states: 10, transitions: 20, depth: 5, quick: false, property: None }
    }

    /// A search of it that took that long.
    pub fn sample(search: f64) -> Sample {
        Sample {
            verdict: "holds".into(),
            states: 10,
            transitions: 20,
            search,
            wall: search,
            cpu: search,
            peak_bytes: 1 << 20,
            ..Sample::default()
        }
    }

    /// Its runs, given the seconds of both tools.
    pub fn row(seconds: &[(f64, f64)]) -> Row {
        let pairs = seconds.iter().map(|&(prom, pan)| Pair { prom: Ok(sample(prom)), pan: Some(Ok(sample(pan))) });
        Row { model: model(), configuration: "--threads 1".into(), pairs: pairs.collect() }
    }

    #[test]
    fn neighbours_are_compared_before_the_median_is_taken() {
        let row = row(&[(1.0, 2.0), (10.0, 30.0), (4.0, 4.0)]);
        assert_eq!(row.ratio(|sample| sample.search), Some(2.0));
        assert_eq!((row.prom(|sample| sample.search), row.pan(|sample| sample.search)), (Some(4.0), Some(4.0)));
        assert_eq!(row.disagreement(), None);
    }

    #[test]
    fn ticks_of_a_coarse_clock_are_averaged() {
        let searches = |row: Row| row.pairs.into_iter().map(|it| it.pan.unwrap().unwrap().search).collect::<Vec<_>>();
        let (mut short, mut long) = (row(&[(0.01, 0.04), (0.01, 0.06)]), row(&[(1.0, 2.0), (1.0, 4.0)]));
        short.sharpen();
        long.sharpen();
        assert_eq!((searches(short), searches(long)), (vec![0.05, 0.05], vec![2.0, 4.0]));
    }

    #[test]
    fn another_count_is_wrong() {
        let mut row = row(&[(1.0, 1.0), (1.0, 1.0)]);
        row.pairs[1].prom.as_mut().unwrap().transitions = 21;
        assert_eq!(row.disagreement().unwrap(), "WRONG: prom has 21 transitions, not 20");
    }

    #[test]
    fn another_verdict_is_wrong_and_a_failure_is_named() {
        let mut row = row(&[(1.0, 1.0)]);
        row.pairs[0].pan = Some(Ok(Sample { verdict: "violated".into(), ..sample(1.0) }));
        assert_eq!(row.disagreement().unwrap(), "WRONG: pan says violated");
        row.pairs[0].pan = Some(Err("ended after 5 s".into()));
        assert_eq!((row.disagreement().unwrap().as_str(), row.ratio(|it| it.search)), ("pan: ended after 5 s", None));
    }

    #[test]
    fn only_the_printed_digits_of_huge_counts_are_compared() {
        assert!(same(123_456_790, 123_456_789));
        assert!(!same(123_457_790, 123_456_789) && !same(11, 10));
    }
}
