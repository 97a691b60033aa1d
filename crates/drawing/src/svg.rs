//! A graph as a picture that scales: it is as wide as there is room, up to its natural size.
use std::fmt::Write;

use crate::{Edge, Graph, Layout, Node, Place, Tone, layout};

/// Room for the title of a picture among others.
const HEADING: f64 = 30.0;

/// Draws a graph, with a title that only readers of the source see.
pub fn svg(graph: &Graph, title: &str) -> String {
    let layout = layout(graph);
    header(layout.width, layout.height, title) + &body(graph, &layout) + "</svg>\n"
}

/// Draws several graphs one below the other, each under its title.
pub fn svg_of_all(pictures: &[(String, Graph)], title: &str) -> String {
    let layouts: Vec<Layout> = pictures.iter().map(|it| layout(&it.1)).collect();
    let letters = |title: &str| title.chars().count() as f64 * 8.5 + 32.0;
    let widths = layouts.iter().map(|it| it.width).chain(pictures.iter().map(|it| letters(&it.0)));
    let height: f64 = layouts.iter().map(|it| it.height + HEADING).sum();
    let mut out = header(widths.fold(0.0, f64::max), height, title);
    let mut top = 0.0;
    for ((title, graph), layout) in pictures.iter().zip(&layouts) {
        let _ = writeln!(
            out,
            "<text x=\"16\" y=\"{:.1}\" font-size=\"14\" font-weight=\"bold\">{}</text>\n<g transform=\"translate(0 {:.1})\">",
            top + HEADING - 8.0,
            escaped(title),
            top + HEADING
        );
        out += &body(graph, layout);
        out += "</g>\n";
        top += HEADING + layout.height;
    }
    out + "</svg>\n"
}

fn body(graph: &Graph, layout: &Layout) -> String {
    let mut out = String::new();
    for (row, edge) in graph.edges.iter().enumerate() {
        draw_edge(edge, &layout.paths[row], layout.labels[row], &mut out);
    }
    for (node, place) in graph.nodes.iter().zip(&layout.nodes) {
        draw_node(node, *place, &mut out);
    }
    out
}

/// The picture may be made a little smaller where there is little room, but never so small that nobody can read it.
fn header(width: f64, height: f64, title: &str) -> String {
    let (width, height, title) = (width.ceil(), height.ceil(), escaped(title));
    let tip = |name: &str, colour: &str| {
        format!(
            "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path d=\"M0 0 L8 4 L0 8 z\" fill=\"{colour}\"/></marker>"
        )
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         style=\"max-width:100%;min-width:{:.0}px;height:auto\" font-family=\"monospace\" font-size=\"12\">\n<title>{title}</title>\n<defs>{}{}{}</defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width * 0.8,
        tip("plain", colour(Tone::Plain)),
        tip("faint", colour(Tone::Faint)),
        tip("strong", colour(Tone::Strong)),
    )
}

fn colour(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "black",
        Tone::Faint => "#999",
        Tone::Strong => "#c00",
    }
}

fn tip(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "plain",
        Tone::Faint => "faint",
        Tone::Strong => "strong",
    }
}

fn width(tone: Tone) -> f64 {
    if tone == Tone::Strong { 2.0 } else { 1.0 }
}

fn draw_edge(edge: &Edge, points: &[(f64, f64)], label: Place, out: &mut String) {
    let path = curve(points, if edge.lines.is_empty() { None } else { Some(label) }, edge.source == edge.target);
    let (colour, tip, width) = (colour(edge.tone), tip(edge.tone), width(edge.tone));
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" marker-end=\"url(#{tip})\"/>"
    );
    let first = label.y - (edge.lines.len() as f64 - 1.0) * 7.5 + 4.0;
    for (row, line) in edge.lines.iter().enumerate() {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{colour}\" paint-order=\"stroke\" stroke=\"white\" stroke-width=\"4\">{}</text>",
            label.x,
            first + row as f64 * 15.0,
            escaped(line)
        );
    }
}

/// A smooth line through all points (Catmull, Rom, *A class of local interpolating splines*, 1974) that leaves and arrives vertically; where
/// the text stands it is interrupted.
fn curve(points: &[(f64, f64)], label: Option<Place>, is_loop: bool) -> String {
    if is_loop {
        return loop_to_text(points, label.is_some());
    }
    let mut points = points.to_vec();
    points.dedup();
    let is_text = |(x, y): (f64, f64), (to_x, to_y): (f64, f64)| {
        label.is_some_and(|it| x == it.x && to_x == it.x && ((y + to_y) / 2.0 - it.y).abs() < 0.01)
    };
    let last = points.len() - 1;
    // Beside a text the line is vertical, as at both ends.
    let slope = |row: usize| {
        let beside =
            row > 0 && is_text(points[row - 1], points[row]) || row < last && is_text(points[row], points[row + 1]);
        match row == 0 || row == last || beside {
            true => (0.0, points[(row + 1).min(last)].1 - points[row.saturating_sub(1)].1),
            false => (points[row + 1].0 - points[row - 1].0, points[row + 1].1 - points[row - 1].1),
        }
    };
    let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
    for row in 0..last {
        let ((x, y), (to_x, to_y)) = (points[row], points[row + 1]);
        let (from, to, part) = (slope(row), slope(row + 1), (to_y - y).abs() / 3.0);
        let along = |(dx, dy): (f64, f64)| if dy == 0.0 { 0.0 } else { dx / dy.abs() * part };
        let down = (to_y - y).signum() * part;
        let _ = match is_text((x, y), (to_x, to_y)) {
            true => write!(path, " M{to_x:.1} {to_y:.1}"),
            false => write!(
                path,
                " C{:.1} {:.1} {:.1} {:.1} {to_x:.1} {to_y:.1}",
                x + along(from),
                y + down,
                to_x - along(to),
                to_y - down
            ),
        };
    }
    path
}

/// From a box to the text below it and back.
fn loop_to_text(points: &[(f64, f64)], has_text: bool) -> String {
    let curve = |from: (f64, f64), to: (f64, f64)| {
        let half = f64::midpoint(from.1, to.1);
        format!(" C{:.1} {half:.1} {:.1} {half:.1} {:.1} {:.1}", from.0, to.0, to.0, to.1)
    };
    let [start, out, home, end] = points else { return String::new() };
    let over = if has_text { "M" } else { "L" };
    let (away, back) = (curve(*start, *out), curve(*home, *end));
    format!("M{:.1} {:.1}{away} {over}{:.1} {:.1}{back}", start.0, start.1, home.0, home.1)
}

fn draw_node(node: &Node, place: Place, out: &mut String) {
    let Place { x, y, width: w, height: h } = place;
    let (colour, width) = (colour(node.tone), width(node.tone));
    let frame = |inset: f64| {
        format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"8\" fill=\"white\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            x - w / 2.0 + inset,
            y - h / 2.0 + inset,
            w - 2.0 * inset,
            h - 2.0 * inset
        )
    };
    if node.initial {
        let top = y - h / 2.0;
        let _ = writeln!(
            out,
            "<path d=\"M{x:.1} {:.1} L{x:.1} {top:.1}\" stroke=\"black\" marker-end=\"url(#plain)\"/>",
            top - 20.0
        );
    }
    let inner = if node.double { frame(3.0) } else { String::new() };
    let text = escaped(&node.text);
    let hint =
        if node.hint.is_empty() { String::new() } else { format!("<title>{}</title>", escaped_lines(&node.hint)) };
    let _ = writeln!(
        out,
        "<g>{hint}{}{inner}<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{colour}\">{text}</text></g>",
        frame(0.0),
        y + 4.0
    );
}

fn escaped_lines(text: &str) -> String {
    text.lines().map(escaped).collect::<Vec<_>>().join("\n")
}

fn escaped(text: &str) -> String {
    let plain: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
