//! One report, several formats; one file each.
mod chart;
mod columns;
mod growth;
mod json;
mod junit;
mod page;
mod sarif;
mod spin;
mod text;

use std::io::{self, Write};

pub use chart::chart_svg;
pub use columns::Columns;
pub use growth::growth_svg;
pub(crate) use json::step_json;
pub use json::violation_json;
pub use page::page_html;

use crate::{Report, Snapshot, Violation};

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For code scanning services: SARIF 2.1.0.
    Sarif,
    /// For test runners.
    Junit,
    /// As SPIN's verifiers write it.
    Spin,
}

/// How much people see, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detail {
    /// Nothing is left out of lists.
    pub verbose: bool,
    /// The reader sees colours.
    pub colour: bool,
    /// The engine says all it has to say about itself.
    pub stats: bool,
}

/// Writes the steps of a counterexample and what everything is at its end, for people.
pub fn render_trace(violation: &Violation, detail: Detail, out: &mut dyn Write) -> io::Result<()> {
    text::write_trace(violation, detail, out)
}

/// Writes what everything is, for people.
pub fn render_snapshot(snapshot: &Snapshot, detail: Detail, out: &mut dyn Write) -> io::Result<()> {
    text::write_snapshot(snapshot, detail, out)
}

/// Writes a report.
pub fn render(report: &Report, format: Format, detail: Detail, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text::write(report, detail, out),
        Format::Json => json::write(report, out),
        Format::Sarif => sarif::write(report, out),
        Format::Junit => junit::write(report, out),
        Format::Spin => spin::write(report, out),
    }
}
