//! Automata as pictures.
//!
//! States stand in columns by their distance from the start, as in the first phase of Sugiyama, Tagawa, Toda, *Methods for visual understanding of hierarchical system structures*, 1981;
//! in a column they are ordered by the mean height of the states that lead to them. Edges are curves: short ways bend a little so that there and back differ, ways back go below,
//! loops sit above their state. Labels lie on the middle of their curve. This is meant for automata that fit on a page.
use crate::automaton::Automaton;
use crate::dot::caption;

const RADIUS: f64 = 20.0;
const ROW: f64 = 130.0;
const MARGIN: f64 = 70.0;
/// About the width of a letter in the font used.
const LETTER: f64 = 7.2;

/// The automaton as a picture.
pub fn svg(automaton: &Automaton, names: &[String]) -> String {
    let captions = captions(automaton, names);
    let longest = captions.iter().flatten().map(|it| it.1.chars().count()).max().unwrap_or(0) as f64;
    let column = (longest * LETTER + 4.0 * RADIUS).max(ROW);
    let places = places(automaton, column);
    let right = places.iter().map(|it| it.0).fold(0.0, f64::max) + MARGIN + longest * LETTER / 2.0;
    let bottom = places.iter().map(|it| it.1).fold(0.0, f64::max) + MARGIN + 60.0;
    let mut out = header(right, bottom);
    out += &arrow(places[automaton.initial]);
    for (source, captions) in captions.iter().enumerate() {
        for (target, text) in captions {
            out += &edge(places[source], places[*target], source == *target, text);
        }
    }
    for (state, &place) in places.iter().enumerate() {
        out += &circle(state, place, automaton.is_state_based() && automaton.sets > 0 && automaton.is_accepting(state));
    }
    out + "</svg>\n"
}

/// For each state the targets of its edges, each once, with all labels.
fn captions(automaton: &Automaton, names: &[String]) -> Vec<Vec<(usize, String)>> {
    let state_based = automaton.is_state_based();
    automaton
        .edges
        .iter()
        .map(|edges| {
            let mut captions: Vec<(usize, String)> = Vec::new();
            for edge in edges {
                let text = caption(automaton, edge, names, state_based);
                match captions.iter_mut().find(|it| it.0 == edge.target) {
                    Some(known) => known.1 += &format!("; {text}"),
                    None => captions.push((edge.target, text)),
                }
            }
            captions
        })
        .collect()
}

/// The centre of each state.
fn places(automaton: &Automaton, column: f64) -> Vec<(f64, f64)> {
    let mut places = vec![(MARGIN, MARGIN + 60.0); automaton.states()];
    for (x, mut states) in columns(automaton).into_iter().enumerate() {
        let height = |state: &usize| {
            let before = |it: &usize| automaton.edges[*it].iter().any(|edge| edge.target == *state) && it != state;
            let heights: Vec<f64> = (0..automaton.states()).filter(before).map(|it| places[it].1).collect();
            heights.iter().sum::<f64>() / heights.len().max(1) as f64
        };
        let mut ordered: Vec<(f64, usize)> = states.drain(..).map(|it| (height(&it), it)).collect();
        ordered.sort_by(|one, other| one.0.total_cmp(&other.0));
        for (y, (_, state)) in ordered.into_iter().enumerate() {
            places[state] = (MARGIN + x as f64 * column, MARGIN + 60.0 + y as f64 * ROW);
        }
    }
    places
}

/// States by their distance from the start.
fn columns(automaton: &Automaton) -> Vec<Vec<usize>> {
    let mut seen = vec![false; automaton.states()];
    seen[automaton.initial] = true;
    let mut columns = vec![vec![automaton.initial]];
    while let Some(last) = columns.last().filter(|it| !it.is_empty()) {
        let mut next = Vec::new();
        for edge in last.iter().flat_map(|&it| &automaton.edges[it]) {
            if !std::mem::replace(&mut seen[edge.target], true) {
                next.push(edge.target);
            }
        }
        columns.push(next);
    }
    columns
}

fn header(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"monospace\" font-size=\"12\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}

fn arrow((x, y): (f64, f64)) -> String {
    let (from, to) = (x - RADIUS - 30.0, x - RADIUS);
    format!("<path d=\"M{from:.1} {y:.1} L{to:.1} {y:.1}\" stroke=\"black\" marker-end=\"url(#tip)\"/>\n")
}

fn circle(state: usize, (x, y): (f64, f64), accepting: bool) -> String {
    let ring =
        |radius: f64| format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"white\" stroke=\"black\"/>");
    let inner = if accepting { ring(RADIUS - 4.0) } else { String::new() };
    format!("{}{inner}<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{state}</text>\n", ring(RADIUS), y + 4.0)
}

fn edge(from: (f64, f64), to: (f64, f64), is_loop: bool, text: &str) -> String {
    if is_loop {
        return loop_above(from, text);
    }
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    // To the right of the direction of travel; ways back bend more, so that they pass below.
    let bend = if dx > 0.0 { 0.12 * length } else { 0.25 * length };
    let middle = (
        (from.0 + to.0) / 2.0 - dy / length * bend,
        (from.1 + to.1) / 2.0 + dx.abs() / length * bend * if dx > 0.0 { -1.0 } else { 1.0 },
    );
    let (start, end) = (towards(from, middle), towards(to, middle));
    let label = ((start.0 + 2.0 * middle.0 + end.0) / 4.0, (start.1 + 2.0 * middle.1 + end.1) / 4.0);
    curve(
        &format!("M{:.1} {:.1} Q{:.1} {:.1} {:.1} {:.1}", start.0, start.1, middle.0, middle.1, end.0, end.1),
        (label.0, label.1 - 5.0),
        text,
    )
}

fn loop_above((x, y): (f64, f64), text: &str) -> String {
    let (left, right, top) = (x - 9.0, x + 9.0, y - RADIUS + 2.0);
    let path = format!(
        "M{left:.1} {top:.1} C{:.1} {:.1} {:.1} {:.1} {right:.1} {top:.1}",
        x - 28.0,
        y - 60.0,
        x + 28.0,
        y - 60.0
    );
    curve(&path, (x, y - 54.0), text)
}

/// The point of a circle in the direction of another point.
fn towards(centre: (f64, f64), point: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (point.0 - centre.0, point.1 - centre.1);
    let length = dx.hypot(dy).max(1.0);
    (centre.0 + dx / length * RADIUS, centre.1 + dy / length * RADIUS)
}

/// A line and its label on a white ground.
fn curve(path: &str, (x, y): (f64, f64), text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"black\" marker-end=\"url(#tip)\"/>\
         <text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" paint-order=\"stroke\" stroke=\"white\" stroke-width=\"4\">{text}</text>\n"
    )
}
