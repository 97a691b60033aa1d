//! What every picture must have, on random graphs.
use drawing::{Edge, Graph, Node, Place, layout, svg};

fn random(seed: u64) -> Graph {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |bound: usize| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    };
    let nodes = 1 + below(30);
    let node = |row: usize| Node { text: format!("{row}"), initial: row == 0, ..Node::default() };
    let edges = (0..below(2 * nodes + 1))
        .map(|row| Edge {
            source: below(nodes),
            target: below(nodes),
            lines: (0..below(3)).map(|_| "x".repeat(1 + below(30)) + &row.to_string()).collect(),
            ..Edge::default()
        })
        .collect();
    Graph { nodes: (0..nodes).map(node).collect(), edges }
}

fn overlap(one: &Place, other: &Place) -> bool {
    let near = |distance: f64, sizes: f64| distance.abs() < sizes / 2.0 - 0.01;
    near(one.x - other.x, one.width + other.width) && near(one.y - other.y, one.height + other.height)
}

/// What is wrong with a layout, if anything.
fn fault(graph: &Graph, it: &drawing::Layout) -> Option<String> {
    let boxes: Vec<&Place> = it.nodes.iter().chain(&it.labels).collect();
    if it.nodes.len() != graph.nodes.len()
        || it.labels.len() != graph.edges.len()
        || it.paths.len() != graph.edges.len()
    {
        return Some("something is missing".into());
    }
    for (row, one) in boxes.iter().enumerate() {
        if let Some(other) = boxes[..row].iter().find(|other| overlap(one, other)) {
            return Some(format!("{one:?} and {other:?} overlap"));
        }
        let (x, y) = (one.width / 2.0, one.height / 2.0);
        if one.x < x || one.y < y || one.x + x > it.width || one.y + y > it.height {
            return Some(format!("{one:?} is outside"));
        }
    }
    let touches = |place: &Place, (x, y): (f64, f64)| {
        (x - place.x).abs() <= place.width / 2.0 + 0.01 && ((y - place.y).abs() - place.height / 2.0).abs() < 0.01
    };
    for (edge, path) in graph.edges.iter().zip(&it.paths) {
        if !touches(&it.nodes[edge.source], path[0]) || !touches(&it.nodes[edge.target], path[path.len() - 1]) {
            return Some(format!("{edge:?} does not join its nodes: {path:?}"));
        }
    }
    None
}

#[test]
fn nothing_overlaps_and_nothing_is_cut_or_missing() {
    for seed in 1..400 {
        let graph = random(seed);
        let it = layout(&graph);
        assert_eq!(fault(&graph, &it), None, "seed {seed}");
        let picture = svg(&graph, "random");
        assert_eq!(picture.matches("marker-end").count(), graph.edges.len() + 1, "seed {seed}");
        let texts: usize = graph.edges.iter().map(|it| it.lines.len()).sum();
        assert_eq!(picture.matches("<text").count(), graph.nodes.len() + texts, "seed {seed}");
    }
}

/// A test of the test.
#[test]
fn a_damaged_layout_is_caught() {
    let mut caught = [0; 3];
    for seed in 1..200 {
        let graph = random(seed);
        let good = layout(&graph);
        let mut damaged = [good.clone(), good.clone(), good.clone()];
        damaged[0].width /= 2.0;
        let last = damaged[1].nodes.len() - 1;
        damaged[1].nodes[last] = damaged[1].nodes[0];
        damaged[2].paths.iter_mut().for_each(|it| it.truncate(1));
        (0..3).for_each(|row| caught[row] += u32::from(fault(&graph, &damaged[row]).is_some()));
    }
    assert!(caught.iter().all(|&it| it > 100), "{caught:?}");
}

#[test]
fn an_empty_graph_is_an_empty_picture() {
    assert!(svg(&Graph::default(), "nothing").ends_with("</svg>\n"));
}
