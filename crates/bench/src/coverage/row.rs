//! One search beside the number of all states.
use super::method::Method;
use super::search::Found;

/// A search with limited memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// How states were kept.
    pub method: Method,
    /// Bytes it was given.
    pub memory: u64,
    /// Of the hash functions.
    pub seed: u64,
    /// All states there are.
    pub all: u64,
    /// What it found.
    pub found: Found,
}

impl Row {
    /// The fraction of all states that it found.
    pub fn coverage(&self) -> f64 {
        self.found.states as f64 / self.all as f64
    }

    /// Memory for each of all states.
    pub fn bits_per_state(&self) -> f64 {
        self.memory as f64 * 8.0 / self.all as f64
    }
}

const HEAD: &str = "store,k,seed,memory_bytes,bits_per_state,states,coverage,expected_coverage,peak_bytes\n";

/// All rows as comma-separated values.
pub fn table<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    HEAD.to_string() + &rows.map(line).collect::<String>()
}

fn line(row: &Row) -> String {
    let k = row.method.functions().map_or(String::new(), |k| k.to_string());
    let expected = row.found.expected.map_or(String::new(), |it| format!("{it:.6}"));
    let (store, bits, coverage) = (row.method.store(), row.bits_per_state(), row.coverage());
    let (seed, memory, states, peak) = (row.seed, row.memory, row.found.states, row.found.peak);
    format!("{store},{k},{seed},{memory},{bits:.3},{states},{coverage:.6},{expected},{peak}\n")
}

/// The least memory from which on every search of a method finds at least that fraction.
pub fn enough(rows: &[Row], method: Method, coverage: f64) -> Option<u64> {
    let mut own: Vec<&Row> = rows.iter().filter(|row| row.method == method).collect();
    own.sort_by_key(|row| row.memory);
    own.iter().rev().take_while(|row| row.coverage() >= coverage).last().map(|row| row.memory)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A row of 1000 states, of which some were found.
    pub fn row(method: Method, memory: u64, states: u64) -> Row {
        Row { method, memory, seed: 0, all: 1000, found: Found { states, peak: memory, ..Found::default() } }
    }

    #[test]
    fn fractions_are_of_all_states() {
        let row = row(Method::Array(2), 12_500, 990);
        assert_eq!((row.coverage(), row.bits_per_state()), (0.99, 100.0));
        let text = table([row].iter());
        assert!(text.ends_with("\nbitstate,2,0,12500,100.000,990,0.990000,,12500\n"), "{text}");
        assert!(text.lines().all(|line| line.matches(',').count() == 8));
    }

    #[test]
    fn enough_is_enough_for_good() {
        let method = Method::Array(1);
        let rows = [(1, 500), (2, 1000), (4, 999), (8, 1000), (16, 1000)].map(|it| row(method, it.0, it.1));
        assert_eq!(enough(&rows, method, 0.99), Some(2));
        assert_eq!(enough(&rows, method, 1.0), Some(8));
        assert_eq!(enough(&rows, Method::Exact, 0.1), None);
    }
}
