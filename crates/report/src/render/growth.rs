//! How sets of states grew, as a picture: nodes over rounds, in SVG.
use engine::Growth;

use crate::Report;

const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;

/// Nodes over rounds of the first property that was checked with sets; nothing if none was.
pub fn growth_svg(report: &Report) -> Option<String> {
    let outcome = report.results.iter().find(|it| !it.effort.statistics.growth.is_empty())?;
    Some(draw(&format!("{}: {}", report.model, outcome.property), &outcome.effort.statistics.growth))
}

fn draw(title: &str, growth: &[Growth]) -> String {
    let most = growth.iter().map(|it| it.nodes).max().unwrap_or(0).max(1);
    let last = growth.iter().map(|it| it.rounds).max().unwrap_or(0).max(1);
    let (width, height) = (LEFT + WIDTH + 30.0, TOP + HEIGHT + 60.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    svg += &text(LEFT, 24.0, "start", &format!("{title}: nodes over rounds"));
    for quarter in 0..=4 {
        svg += &marks(quarter, most, last);
    }
    let points: Vec<String> = growth.iter().map(|it| point(it, most, last)).collect();
    svg +=
        &format!("<polyline points=\"{}\" fill=\"none\" stroke=\"#3c78a8\" stroke-width=\"2\"/>\n", points.join(" "));
    let (seconds, x) = (growth.last().map_or(0.0, |it| it.elapsed.as_secs_f64()), LEFT + WIDTH);
    svg += &text(x, 24.0, "end", &format!("{last} rounds, {most} nodes at most, {seconds:.3} s"));
    svg + &text(LEFT + WIDTH / 2.0, TOP + HEIGHT + 42.0, "middle", "rounds") + "</svg>\n"
}

/// A quarter of each scale: lines, and what they stand for.
fn marks(quarter: u64, most: u64, last: u64) -> String {
    let share = quarter as f64 / 4.0;
    let (x, y) = (LEFT + WIDTH * share, TOP + HEIGHT * (1.0 - share));
    let across =
        line((LEFT, y), (LEFT + WIDTH, y)) + &text(LEFT - 8.0, y + 4.0, "end", &(most * quarter / 4).to_string());
    let below = text(x, TOP + HEIGHT + 18.0, "middle", &(last * quarter / 4).to_string());
    across + &line((x, TOP), (x, TOP + HEIGHT)) + &below
}

fn point(it: &Growth, most: u64, last: u64) -> String {
    let x = LEFT + WIDTH * it.rounds as f64 / last as f64;
    let y = TOP + HEIGHT * (1.0 - it.nodes as f64 / most as f64);
    format!("{x:.1},{y:.1}")
}

fn line(from: (f64, f64), to: (f64, f64)) -> String {
    let ((x1, y1), (x2, y2)) = (from, to);
    format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#ddd\"/>\n")
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_most_is_at_the_top_and_the_last_round_at_the_right() {
        let at = |rounds, nodes| Growth { rounds, nodes, elapsed: Duration::from_millis(rounds) };
        let svg = draw("a<b", &[at(0, 0), at(5, 200), at(10, 100)]);
        assert!(svg.contains("points=\"70.0,370.0 390.0,50.0 710.0,210.0\""), "{svg}");
        assert!(svg.contains("a&lt;b: nodes over rounds") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(svg.contains("10 rounds, 200 nodes at most, 0.010 s"), "{svg}");
    }

    #[test]
    fn one_moment_is_a_picture_too() {
        let svg = draw("m", &[Growth { rounds: 0, nodes: 0, elapsed: Duration::ZERO }]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
