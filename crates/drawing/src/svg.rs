//! A graph as a picture that scales: it is as wide as there is room, up to its natural size.
use std::fmt::Write;

use crate::{Edge, Graph, Layout, Node, Place, Tone, layout};

/// Draws a graph, with a title.
pub fn svg(graph: &Graph, title: &str) -> String {
    let layout = layout(graph);
    let mut out = header(&layout, title);
    for (row, edge) in graph.edges.iter().enumerate() {
        draw_edge(edge, &layout.paths[row], layout.labels[row], &mut out);
    }
    for (node, place) in graph.nodes.iter().zip(&layout.nodes) {
        draw_node(node, *place, &mut out);
    }
    out + "</svg>\n"
}

fn header(layout: &Layout, title: &str) -> String {
    let (width, height, title) = (layout.width.ceil(), layout.height.ceil(), escaped(title));
    let tip = |name: &str, colour: &str| {
        format!(
            "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path d=\"M0 0 L8 4 L0 8 z\" fill=\"{colour}\"/></marker>"
        )
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         style=\"max-width:100%;height:auto\" font-family=\"monospace\" font-size=\"12\">\n<title>{title}</title>\n<defs>{}{}{}</defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
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
    let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
    for pair in points.windows(2) {
        let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
        let half = f64::midpoint(y, to_y);
        let _ = match x == to_x || edge.source == edge.target {
            true => write!(path, " L{to_x:.1} {to_y:.1}"),
            false => write!(path, " C{x:.1} {half:.1} {to_x:.1} {half:.1} {to_x:.1} {to_y:.1}"),
        };
    }
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
    let _ = writeln!(
        out,
        "{}{inner}<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{colour}\">{text}</text>",
        frame(0.0),
        y + 4.0
    );
}

fn escaped(text: &str) -> String {
    let plain: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
