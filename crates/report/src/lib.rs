//! What was found out, for people and for programs: data in, text out.
//!
//! In the middle stands one value, the [`Report`]. On its way in, [`Terms`] turns what engines and
//! the replay say (process numbers, edges, states) into the terms of the source: names, places,
//! statements. On its way out, [`render()`] writes it in one of several [`Format`]s, one file each.
//! A counterexample can also be a file of its own ([`TraceFile`], [`Trail`]).
//! Messages about the source itself are written by [`diagnostics`].
//!
//! Nothing here searches, reads files or knows a terminal; everything goes to a [`std::io::Write`].
mod data;
pub mod diagnostics;
mod read;
mod render;
mod story;
mod terms;
mod trace;

pub use data::{
    Answer, Coverage, Effort, Half, Happening, Member, Method, Outcome, ProcessState, Reason, Remark, Report,
    ShownStep, Snapshot, Unreached, Violation, What, Where,
};
pub use read::read;
pub use render::{
    Columns, Detail, Format, chart_svg, growth_svg, page_html, render, render_snapshot, render_trace, violation_json,
};
pub use story::{Scene, Story, Track};
pub use terms::Terms;
pub use trace::{ClaimMove, Recorded, TraceFile, Trail, TrailLine};
