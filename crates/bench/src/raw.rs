//! Every single run, as comma-separated values.
use crate::row::{Outcome, Row};

const HEAD: &str = "model,configuration,repeat,tool,verdict,states,transitions,search_seconds,build_seconds,wall_seconds,cpu_seconds,peak_bytes,failure\n";

/// The table of all runs.
pub fn table(rows: &[Row]) -> String {
    let mut text = HEAD.to_string();
    for row in rows {
        for (at, pair) in row.pairs.iter().enumerate() {
            let tools = [("prom", Some(&pair.prom)), ("pan", pair.pan.as_ref())];
            for (tool, outcome) in tools.into_iter().filter_map(|(tool, it)| Some((tool, it?))) {
                let start = format!("{},{},{},{tool}", row.model.name, row.configuration, at + 1);
                text.push_str(&format!("{start},{}\n", fields(outcome)));
            }
        }
    }
    text
}

fn fields(outcome: &Outcome) -> String {
    match outcome {
        Ok(it) => format!(
            "{},{},{},{:.4},{:.3},{:.4},{:.4},{},",
            it.verdict, it.states, it.transitions, it.search, it.build, it.wall, it.cpu, it.peak_bytes
        ),
        Err(message) => format!(",,,,,,,,\"{}\"", message.replace('"', "'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_all_columns() {
        let mut row = crate::row::tests::row(&[(1.0, 2.0), (1.0, 2.0)]);
        row.pairs[1].prom = Err("say \"no\"".into());
        let table = table(&[row]);
        assert_eq!(table.lines().count(), 5);
        assert!(table.lines().all(|line| line.matches(',').count() == 12), "{table}");
    }
}
