//! The order of diagrams in a file: one name on a line, from the top to the bottom.
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use report::Report;

/// What a run does with its file.
pub enum Order {
    /// The file says the order. A command line lives as long as the program, and so do its names.
    Given(&'static [String]),
    /// The file is to be written.
    Wanted(PathBuf),
}

/// Reads an order, or finds that there is none yet.
pub fn open(file: &Path) -> Result<Order, String> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Order::Given(names(&text).leak())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Order::Wanted(file.to_path_buf())),
        Err(error) => Err(format!("the order in {} cannot be read: {error}", file.display())),
    }
}

fn names(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|it| !it.is_empty()).map(str::to_string).collect()
}

/// Writes the order of the first result that has one.
pub fn keep(file: &Path, report: &Report) -> Result<(), String> {
    let details = report.results.iter().flat_map(|it| &it.effort.statistics.details);
    let Some((_, order)) = details.into_iter().find(|it| it.0 == "order") else { return Ok(()) };
    let lines: String = order.split(' ').map(|name| format!("{name}\n")).collect();
    std::fs::write(file, lines).map_err(|error| format!("the order cannot be written to {}: {error}", file.display()))
}
