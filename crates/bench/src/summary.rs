//! What a run says, as a page.
use crate::options::Options;
use crate::row::{Figure, Row, Sample};
use crate::statistics::geometric_mean;

/// From this many states on, memory is compared.
const LARGE: u64 = 1_000_000;

const SEARCH: Figure = |sample| sample.search;
const CPU: Figure = |sample| sample.cpu;
const END_TO_END: Figure = Sample::end_to_end;
const MEMORY: Figure = |sample| sample.peak_bytes as f64;
const PER_STATE: Figure = Sample::bytes_per_state;

/// The page: for each configuration the means, then times and memory of each model.
pub fn page(rows: &[Row], options: &Options) -> String {
    let mut page = format!("# {}\n\n{}", options.run_name(), EXPLANATION);
    for configuration in options.configurations() {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.configuration == configuration).collect();
        page.push_str(&format!("\n## prom {configuration}\n\n{}\n{}\n{}", means(&rows), times(&rows), memory(&rows)));
    }
    page
}

const EXPLANATION: &str = "\
Every ratio is pan's figure divided by prom's, the median over neighbouring runs: **above 1 prom is the better**. \
Seconds, megabytes (2^20 bytes) and bytes per state are medians. *search* is the search alone, *cpu* the computing \
time of the whole process, *end to end* from source to verdict (pan: spin, gcc and the run), *memory* the peak \
resident memory of the process. Rows where the counts or the verdict differ are in no mean. `machine.txt` says \
where it ran, `raw.csv` has every run.\n\n![search time](ratios.svg)\n";

/// The figures that sum up a configuration.
fn means(rows: &[&Row]) -> String {
    let good: Vec<&Row> = rows.iter().copied().filter(|row| row.disagreement().is_none()).collect();
    let large: Vec<&Row> = good.iter().copied().filter(|row| row.model.states >= LARGE).collect();
    let slower = good.iter().filter(|row| row.ratio(SEARCH).is_some_and(|ratio| ratio < 1.0)).count();
    let short: Vec<&Row> = good.iter().copied().filter(|row| row.pan(SEARCH).is_some_and(|it| it < 1.0)).collect();
    let lines = [
        ("models", format!("{}", rows.len())),
        ("verdict and counts agree", format!("{}", good.len())),
        ("slower than pan (search)", format!("{slower}")),
        ("geometric mean: search", mean(&good, SEARCH)),
        ("geometric mean: cpu", mean(&good, CPU)),
        ("geometric mean: end to end", mean(&good, END_TO_END)),
        (
            "geometric mean: end to end, pan's search under a second",
            format!("{} ({} models)", mean(&short, END_TO_END), short.len()),
        ),
        ("geometric mean: memory", mean(&good, MEMORY)),
        (
            "geometric mean: memory, models over 10^6 states",
            format!("{} ({} models)", mean(&large, MEMORY), large.len()),
        ),
    ];
    let lines = lines.iter().map(|(what, value)| format!("| {what} | {value} |\n"));
    format!("| | |\n| --- | ---: |\n{}", lines.collect::<String>())
}

fn mean(rows: &[&Row], figure: Figure) -> String {
    let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratio(figure)).collect();
    number(geometric_mean(&ratios), 2)
}

/// Times of each model.
fn times(rows: &[&Row]) -> String {
    let head = "| model | states | transitions | search prom | search pan | ratio | cpu ratio | end to end prom | end to end pan | ratio | agree |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";
    head.to_string() + &rows.iter().map(|row| time_line(row)).collect::<String>()
}

fn time_line(row: &Row) -> String {
    let agree = row.disagreement().unwrap_or("yes".to_string());
    let cells = [
        row.model.name.clone(),
        row.model.states.to_string(),
        row.model.transitions.to_string(),
        number(row.prom(SEARCH), 3),
        number(row.pan(SEARCH), 3),
        number(row.ratio(SEARCH), 2),
        number(row.ratio(CPU), 2),
        number(row.prom(END_TO_END), 3),
        number(row.pan(END_TO_END), 3),
        number(row.ratio(END_TO_END), 2),
        agree.replace('|', "/"),
    ];
    format!("| {} |\n", cells.join(" | "))
}

/// Memory of each model.
fn memory(rows: &[&Row]) -> String {
    let head = "| model | states | prom MB | pan MB | ratio | prom bytes/state | pan bytes/state |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    head.to_string() + &rows.iter().map(|row| memory_line(row)).collect::<String>()
}

fn memory_line(row: &Row) -> String {
    let megabytes = |bytes: Option<f64>| number(bytes.map(|bytes| bytes / 1_048_576.0), 1);
    let cells = [
        row.model.name.clone(),
        row.model.states.to_string(),
        megabytes(row.prom(MEMORY)),
        megabytes(row.pan(MEMORY)),
        number(row.ratio(MEMORY), 2),
        number(row.prom(PER_STATE), 1),
        number(row.pan(PER_STATE), 1),
    ];
    format!("| {} |\n", cells.join(" | "))
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_string(), |value| format!("{value:.digits$}"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::row::tests::row;

    #[test]
    fn wrong_rows_are_in_no_mean() {
        let mut wrong = row(&[(1.0, 100.0)]);
        wrong.pairs[0].prom.as_mut().unwrap().states = 11;
        let page = page(&[row(&[(2.0, 1.0)]), row(&[(1.0, 8.0)]), wrong], &Options::parse_from(["bench"]));
        assert!(page.contains("| geometric mean: search | 2.00 |"), "{page}");
        assert!(page.contains("| slower than pan (search) | 1 |"), "{page}");
        assert!(page.contains("WRONG: prom has 11 states, not 10"), "{page}");
    }

    #[test]
    fn prom_may_run_alone() {
        let mut alone = row(&[(1.0, 1.0)]);
        alone.pairs[0].pan = None;
        let page = page(&[alone], &Options::parse_from(["bench"]));
        assert!(page.contains("| ten | 10 | 20 | 1.000 | – | – | – | 1.000 | – | – | yes |"), "{page}");
    }
}
