//! What the experiment says, as a page.
use super::method::Method;
use super::row::{Row, enough};
use super::{Experiment, ROOMY_BITS};

/// The page.
pub fn page(it: &Experiment) -> String {
    let head = format!(
        "# Coverage against memory\n\n`cargo run --release -p bench -- coverage` on `{}`: {} states of at most {} bytes, \
         {:.1} MB in the exact store.\n\n",
        it.model,
        it.whole.states,
        it.whole.state_bytes,
        megabytes(it.whole.memory)
    );
    [head, EXPLANATION.to_string(), roomy(&it.roomy), goals(&it.rows), sizes(&it.rows)].join("")
}

const EXPLANATION: &str = "\
Figure 15 of *Software model checking* (Holzmann, 2000) on a model of similar size: which fraction of all states does \
a search find that has only so much memory? Breadth first, one thread, no reduction, no optimisation of the model \
(`--only safety --no-optimize --no-end-states --no-assertions`).\n\n\
For bitstate, memory is the array, as in that figure; states that wait to be expanded come on top (`peak_bytes` in \
`coverage.csv` has both). For the other stores it is the limit on states and queue together, as `--memory` sets it; \
where it was reached, what had been found by then counts. *with queue* is bitstate as `prom --store bitstate --memory` \
runs it: three quarters are the array, and the search ends when the queue does not fit into the rest.\n\n\
![coverage](coverage.svg)\n\n";

/// Searches with 100 bits for each state, with various hash functions.
fn roomy(rows: &[Row]) -> String {
    let head = format!(
        "## {ROOMY_BITS} bits for each state\n\nBitstate, with various hash functions (`--seed`). *expected* is what the \
         search itself says; it does not know of states that are reached only through omitted ones.\n\n\
         | k | searches | least | mean | most | expected |\n| --: | --: | --: | --: | --: | --: |\n"
    );
    head + &Method::ARRAYS.into_iter().map(|method| roomy_line(rows, method)).collect::<String>()
}

fn roomy_line(rows: &[Row], method: Method) -> String {
    let own: Vec<&Row> = rows.iter().filter(|row| row.method == method).collect();
    let found: Vec<f64> = own.iter().map(|row| row.coverage()).collect();
    let expected: Vec<f64> = own.iter().filter_map(|row| row.found.expected).collect();
    let (least, most) = (found.iter().copied().fold(1.0, f64::min), found.iter().copied().fold(0.0, f64::max));
    let cells = [least, mean(&found), most, mean(&expected)].map(percent).join(" | ");
    format!("| {} | {} | {cells} |\n", method.functions().unwrap_or(0), own.len())
}

/// The memory that some coverages take.
fn goals(rows: &[Row]) -> String {
    let line = |method: Method| {
        let cell =
            |goal| enough(rows, method, goal).map_or("–".to_string(), |bytes| format!("{:.3}", megabytes(bytes)));
        format!("| {} | {} |\n", method.name(), [0.5, 0.9, 0.99, 1.0].map(cell).join(" | "))
    };
    let head = "\n## Memory for a coverage\n\nThe least size in MB (2^20 bytes) from which on all sizes tried are enough.\n\n\
                | store | 50 % | 90 % | 99 % | 100 % |\n| --- | --: | --: | --: | --: |\n";
    head.to_string() + &Method::ALL.into_iter().map(line).collect::<String>()
}

/// Every size.
fn sizes(rows: &[Row]) -> String {
    let names = Method::ALL.map(Method::name).join(" | ");
    let head = format!("\n## Coverage in percent\n\n| MB | bits per state | {names} |\n| --: | --: |");
    let head = head + &" --: |".repeat(Method::ALL.len()) + "\n";
    let first = rows.iter().filter(|row| row.method == Method::ALL[0]);
    head + &first.map(|row| size_line(rows, row)).collect::<String>()
}

fn size_line(rows: &[Row], size: &Row) -> String {
    let cell = |method| {
        let row = rows.iter().find(|row| row.method == method && row.memory == size.memory);
        row.map_or("–".to_string(), |row| percent(row.coverage()))
    };
    let cells = Method::ALL.map(cell).join(" | ");
    format!("| {:.3} | {:.2} | {cells} |\n", megabytes(size.memory), size.bits_per_state())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Rounded down, so that only everything is 100 %.
fn percent(fraction: f64) -> String {
    format!("{:.3}", (fraction * 100_000.0).floor() / 1000.0)
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::row;
    use super::super::search::Found;
    use super::*;

    #[test]
    fn the_page_has_a_line_for_each_size_and_the_mean_of_all_seeds() {
        let rows = Method::ALL.map(|method| row(method, 1 << 20, 500)).to_vec();
        let roomy = [980, 1000].map(|states| row(Method::Array(2), 12_500, states)).to_vec();
        let page = page(&Experiment { model: "m".to_string(), whole: Found::default(), rows, roomy });
        assert!(page.contains("| 2 | 2 | 98.000 | 99.000 | 100.000 |"), "{page}");
        assert!(page.contains("| tree | 1.000 | – | – | – |"), "{page}");
        assert!(page.contains("| 1.000 | 8388.61 | 50.000 |"), "{page}");
    }

    #[test]
    fn only_everything_is_all() {
        assert_eq!(percent(0.999_999_9), "99.999");
        assert_eq!(percent(1.0), "100.000");
    }
}
