//! A message sequence chart as SVG (after ITU-T Z.120): time goes down, each process has a line, messages are arrows.
//!
//! A message is an arrow from the step that sends it to the step that receives it, also through a channel: who receives which message is known
//! from the slots. Everything lies inside the picture; what is too long for its column is shortened, and there in full as a title.
use std::fmt::Write;

use model::Direction;

use crate::{Scene, Story, What};

const LEFT: usize = 46;
const COLUMN: usize = 168;
const ROW: usize = 26;
const TOP: usize = 34;
/// Characters of 11 pixels that a column has room for.
const FITS: usize = 22;

/// The chart, on white ground.
pub fn chart_svg(story: &Story) -> String {
    chart(story, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n")
}

/// The chart on a ground of its own, or on that of the page.
pub fn chart(story: &Story, ground: &str) -> String {
    let (columns, rows) = (story.processes.len().max(1), story.scenes.len());
    let (width, height) = (LEFT + columns * COLUMN + 10, TOP + (rows + 2) * ROW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"11\">\n{ground}\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#3c78a8\"/></marker></defs>\n"
    );
    for (column, name) in story.processes.iter().enumerate() {
        let (x, end) = (middle(column), TOP + (rows + 1) * ROW);
        let _ = writeln!(svg, "<line x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{end}\" stroke=\"#ccc\"/>");
        svg += &label(x, TOP - 12, name, "font-weight=\"bold\"");
    }
    svg += &cycle(story, width);
    svg += &arrows(story);
    for (row, scene) in story.scenes.iter().enumerate() {
        svg += &step(row, scene, row + 1 == rows && story.cycle_start.is_none());
    }
    svg + "</svg>\n"
}

fn middle(column: usize) -> usize {
    LEFT + column * COLUMN + COLUMN / 2
}

fn height(row: usize) -> usize {
    TOP + (row + 1) * ROW
}

/// A band behind the steps that are repeated.
fn cycle(story: &Story, width: usize) -> String {
    let Some(first) = story.cycle_start else { return String::new() };
    let (from, to) = (height(first - 1) - ROW / 2, height(story.scenes.len()) - ROW / 2);
    let repeats = if first > story.scenes.len() { "nothing moves any more" } else { "repeated for ever" };
    let band = format!(
        "<rect x=\"2\" y=\"{from}\" width=\"{}\" height=\"{}\" fill=\"#fff4d6\" stroke=\"#e0b040\" stroke-dasharray=\"4\"/>\n",
        width - 4,
        to.saturating_sub(from).max(2)
    );
    band + &format!("<text x=\"6\" y=\"{}\" fill=\"#a07000\">↻ {repeats}</text>\n", to + 13)
}

fn step(row: usize, scene: &Scene, is_last: bool) -> String {
    let y = height(row);
    let number = format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#888\">{}</text>\n",
        LEFT - 8,
        y + 4,
        scene.shown.number
    );
    let colour = if is_last { "#b00020" } else { "#222" };
    let half = |process: usize, statement: &str| {
        let (x, width) = (middle(process) - COLUMN / 2 + 6, COLUMN - 12);
        let frame = format!(
            "<rect x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"18\" rx=\"4\" fill=\"white\" stroke=\"{colour}\"/>\n",
            y - 9
        );
        frame + &label(middle(process), y + 4, statement, &format!("fill=\"{colour}\""))
    };
    let partner = scene.shown.partner.as_ref().zip(scene.partner);
    let other = partner.map_or(String::new(), |(it, process)| half(process, &it.statement));
    // Of what several do together, who takes part is seen: only the name is written.
    let statement = &*scene.shown.mover.statement;
    let name = scene.others.as_ref().and_then(|_| statement.split(" (").next()).unwrap_or(statement);
    let others: String = scene.others.iter().flatten().map(|it| half(*it, name)).collect();
    number + &meeting(scene, y) + &half(scene.process, name) + &other + &others
}

/// A line that joins all who take part in what several do together.
fn meeting(scene: &Scene, y: usize) -> String {
    let others = scene.others.iter().flatten().copied();
    let (first, last) = others.fold((scene.process, scene.process), |(low, high), it| (low.min(it), high.max(it)));
    if first == last {
        return String::new();
    }
    let (from, to) = (middle(first), middle(last));
    format!("<line x1=\"{from}\" y1=\"{y}\" x2=\"{to}\" y2=\"{y}\" stroke=\"#3c78a8\" stroke-width=\"2.5\"/>\n")
}

/// Arrows from who sends to who receives.
fn arrows(story: &Story) -> String {
    let (mut svg, mut waiting): (String, Vec<Vec<(usize, usize)>>) = (String::new(), Vec::new());
    for (row, scene) in story.scenes.iter().enumerate() {
        for it in &scene.happenings {
            let What::Message { direction, channel, slot: Some(slot), stays: false, .. } = it.what else { continue };
            waiting.resize(waiting.len().max(channel), Vec::new());
            let queue = &mut waiting[channel - 1];
            let slot = slot as usize;
            match direction {
                Direction::Send => queue.insert(slot.min(queue.len()), (row, it.process)),
                Direction::Receive if slot < queue.len() => svg += &arrow(queue.remove(slot), (row, it.process)),
                Direction::Receive => {}
            }
        }
    }
    svg
}

fn arrow((from, sender): (usize, usize), (to, receiver): (usize, usize)) -> String {
    let side =
        |me: usize, other: usize| if other > me { middle(me) + COLUMN / 2 - 6 } else { middle(me) - COLUMN / 2 + 6 };
    let (x1, x2) = match sender == receiver {
        true => (middle(sender) + COLUMN / 2 - 6, middle(sender) + COLUMN / 2 - 6),
        false => (side(sender, receiver), side(receiver, sender)),
    };
    let (y1, y2) = (height(from), height(to));
    format!(
        "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#3c78a8\" stroke-width=\"1.5\" marker-end=\"url(#tip)\"/>\n"
    )
}

fn label(x: usize, y: usize, words: &str, style: &str) -> String {
    let short: String = match words.chars().count() > FITS {
        true => words.chars().take(FITS - 1).chain(['…']).collect(),
        false => words.into(),
    };
    let title = escape(words);
    format!(
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" {style}><title>{title}</title>{}</text>\n",
        escape(&short)
    )
}

/// What may stand in XML.
pub fn escape(text: &str) -> String {
    let safe = |it: char| if it.is_control() && it != '\n' { '\u{fffd}' } else { it };
    let text: String = text.chars().map(safe).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
