//! Where everything stands: layers from top to bottom.
//!
//! Sugiyama, Tagawa, Toda, *Methods for visual understanding of hierarchical system structures*, 1981, with labels as in Gansner, Koutsofios, North, Vo, *A technique for drawing directed graphs*, 1993: the text of an edge is
//! a box in a layer of its own, half-way, so that neither boxes nor texts can lie on each other.
//!
//! ```text
//! edges that close a cycle are turned round                       depth first
//! layers: longest ways; nodes stand in even ones, texts in odd ones
//! where an edge passes through a layer it has a point
//! order in a layer: by the mean place of neighbours, down and up  (barycentres), as long as fewer edges cross
//! coordinates: near the mean of neighbours, side by side
//! ```
use crate::Graph;

/// About the width of a letter.
const LETTER: f64 = 7.3;
const LINE: f64 = 15.0;
const GAP: f64 = 22.0;
const LAYER: f64 = 24.0;
const MARGIN: f64 = 24.0;
/// Between two edges at one side of a box, at most.
const PORT: f64 = 9.0;
/// How often places are improved.
const SWEEPS: usize = 12;

/// A box: its centre and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Centre.
    pub x: f64,
    /// Centre.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A picture to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture.
    pub height: f64,
    /// Where nodes stand.
    pub nodes: Vec<Place>,
    /// Where the texts of edges stand.
    pub labels: Vec<Place>,
    /// The points of each edge, from source to target.
    pub paths: Vec<Vec<(f64, f64)>>,
}

/// Finds a place for everything.
pub fn layout(graph: &Graph) -> Layout {
    let mut layers = Layers::new(graph);
    layers.order();
    layers.spread();
    layers.result(graph)
}

/// Anything that has a place in a layer: first the nodes, then the texts of edges, then points of edges.
struct Layers {
    items: Vec<Place>,
    layer_of: Vec<usize>,
    layers: Vec<Vec<usize>>,
    up: Vec<Vec<usize>>,
    down: Vec<Vec<usize>>,
    /// Per edge: its items from top to bottom, and whether it points upward.
    chains: Vec<(Vec<usize>, bool)>,
}

impl Layers {
    fn new(graph: &Graph) -> Layers {
        let back = back_edges(graph);
        let ranks = ranks(graph, &back);
        let nodes = graph.nodes.len();
        let texts = graph.nodes.iter().map(|it| size(std::slice::from_ref(&it.text), 24.0, 14.0));
        let labels = graph.edges.iter().map(|it| size(&it.lines, 10.0, 4.0));
        let mut all = Layers {
            items: texts.chain(labels).collect(),
            layer_of: ranks.iter().map(|it| 2 * it).collect(),
            layers: Vec::new(),
            up: Vec::new(),
            down: Vec::new(),
            chains: Vec::new(),
        };
        all.layer_of.resize(nodes + graph.edges.len(), 0);
        for (row, edge) in graph.edges.iter().enumerate() {
            let (top, bottom) = if back[row] { (edge.target, edge.source) } else { (edge.source, edge.target) };
            all.add_chain(nodes + row, top, bottom, back[row]);
        }
        let depth = all.layer_of.iter().max().map_or(0, |it| it + 1);
        all.layers = vec![Vec::new(); depth];
        all.layer_of.iter().enumerate().for_each(|(item, &layer)| all.layers[layer].push(item));
        all.connect();
        all
    }

    /// An edge from a node to a lower one, or to itself, with its text half-way.
    fn add_chain(&mut self, label: usize, top: usize, bottom: usize, back: bool) {
        let (first, last) = (self.layer_of[top], self.layer_of[bottom]);
        let middle = if top == bottom { first + 1 } else { usize::midpoint(first, last) | 1 };
        self.layer_of[label] = middle;
        let mut chain = vec![top];
        for layer in first + 1..last.max(first + 2) {
            if layer == middle {
                chain.push(label);
            } else {
                chain.push(self.items.len());
                self.items.push(Place { width: 4.0, ..Place::default() });
                self.layer_of.push(layer);
            }
        }
        chain.push(bottom);
        self.chains.push((chain, back));
    }

    fn connect(&mut self) {
        (self.up, self.down) = (vec![Vec::new(); self.items.len()], vec![Vec::new(); self.items.len()]);
        for (chain, _) in &self.chains {
            for pair in chain.windows(2).filter(|it| self.layer_of[it[0]] < self.layer_of[it[1]]) {
                self.down[pair[0]].push(pair[1]);
                self.up[pair[1]].push(pair[0]);
            }
        }
    }

    /// Orders each layer; keeps the best order that was found.
    fn order(&mut self) {
        let (mut best, mut fewest) = (self.layers.clone(), self.crossings());
        for sweep in 0..SWEEPS {
            let downward = sweep % 2 == 0;
            for step in 1..self.layers.len() {
                let layer = if downward { step } else { self.layers.len() - 1 - step };
                self.sort_layer(layer, downward);
            }
            let crossings = self.crossings();
            if crossings < fewest {
                (best, fewest) = (self.layers.clone(), crossings);
            }
        }
        self.layers = best;
    }

    fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.items.len()];
        self.layers.iter().flat_map(|it| it.iter().enumerate()).for_each(|(at, &item)| positions[item] = at);
        positions
    }

    fn sort_layer(&mut self, layer: usize, downward: bool) {
        let positions = self.positions();
        let mean = |item: usize| {
            let near = if downward { &self.up[item] } else { &self.down[item] };
            let sum: usize = near.iter().map(|&it| positions[it]).sum();
            if near.is_empty() { positions[item] as f64 } else { sum as f64 / near.len() as f64 }
        };
        let mut keyed: Vec<(f64, usize)> = self.layers[layer].iter().map(|&it| (mean(it), it)).collect();
        keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
        self.layers[layer] = keyed.into_iter().map(|it| it.1).collect();
    }

    /// How many pairs of lines cross between neighbouring layers, counted as inversions.
    fn crossings(&self) -> u64 {
        let positions = self.positions();
        let mut count = 0;
        for layer in &self.layers {
            let mut ends: Vec<usize> = Vec::new();
            for &item in layer {
                let mut own: Vec<usize> = self.down[item].iter().map(|&it| positions[it]).collect();
                own.sort_unstable();
                for &end in &own {
                    count += (ends.len() - ends.partition_point(|&it| it <= end)) as u64;
                }
                ends.extend(own);
                ends.sort_unstable();
            }
        }
        count
    }

    /// Gives everything its coordinates.
    fn spread(&mut self) {
        for row in 0..self.layers.len() {
            let layer = self.layers[row].clone();
            let wanted: Vec<f64> = layer.iter().map(|_| 0.0).collect();
            self.put(&layer, &wanted);
        }
        for sweep in 0..SWEEPS {
            for step in 0..self.layers.len() {
                let row = if sweep % 2 == 0 { step } else { self.layers.len() - 1 - step };
                let layer = self.layers[row].clone();
                let wanted: Vec<f64> = layer.iter().map(|&it| self.wish(it)).collect();
                self.put(&layer, &wanted);
            }
        }
        let mut top = MARGIN + LINE;
        for layer in &self.layers {
            let height = layer.iter().map(|&it| self.items[it].height).fold(0.0, f64::max);
            layer.iter().for_each(|&it| self.items[it].y = top + height / 2.0);
            top += height + LAYER;
        }
    }

    /// The mean place of all neighbours.
    fn wish(&self, item: usize) -> f64 {
        let near = self.up[item].iter().chain(&self.down[item]);
        let (sum, count) = near.fold((0.0, 0), |(sum, count), &it| (sum + self.items[it].x, count + 1));
        if count == 0 { self.items[item].x } else { sum / f64::from(count) }
    }

    /// Puts the items of a layer side by side, each as near to its wish as the others allow (pool adjacent violators).
    fn put(&mut self, layer: &[usize], wanted: &[f64]) {
        // Offsets from the first item if all stood close together; then wishes are for the offset-free place.
        let mut offset = 0.0;
        let mut offsets = Vec::with_capacity(layer.len());
        for (row, &item) in layer.iter().enumerate() {
            if row > 0 {
                offset += (self.items[layer[row - 1]].width + self.items[item].width) / 2.0 + GAP;
            }
            offsets.push(offset);
        }
        // Blocks of items that stand close together: sum of wishes, count.
        let mut blocks: Vec<(f64, usize)> = Vec::new();
        for (wish, offset) in wanted.iter().zip(&offsets) {
            blocks.push((wish - offset, 1));
            while let [.., one, other] = blocks[..]
                && one.0 / one.1 as f64 >= other.0 / other.1 as f64
            {
                blocks.truncate(blocks.len() - 2);
                blocks.push((one.0 + other.0, one.1 + other.1));
            }
        }
        let places = blocks.into_iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / count as f64, count));
        for ((&item, offset), place) in layer.iter().zip(offsets).zip(places) {
            self.items[item].x = place + offset;
        }
    }

    fn result(mut self, graph: &Graph) -> Layout {
        let left = self.items.iter().map(|it| it.x - it.width / 2.0).fold(f64::INFINITY, f64::min);
        let left = if left.is_finite() { left } else { 0.0 };
        self.items.iter_mut().for_each(|it| it.x += MARGIN - left);
        let right = self.items.iter().map(|it| it.x + it.width / 2.0).fold(0.0, f64::max);
        let bottom = self.items.iter().map(|it| it.y + it.height / 2.0).fold(0.0, f64::max);
        let ports = self.ports();
        let paths = self.chains.iter().zip(&ports).map(|(it, ports)| self.path(it, *ports)).collect();
        let (nodes, rest) = self.items.split_at(graph.nodes.len());
        let labels = rest[..graph.edges.len()].to_vec();
        Layout { width: right + MARGIN, height: bottom + MARGIN, nodes: nodes.to_vec(), labels, paths }
    }

    /// Per edge: how far from the middle of its upper and its lower box it is joined to them, so that edges of one side stand side by side.
    fn ports(&self) -> Vec<(f64, f64)> {
        let mut ports = vec![(0.0, 0.0); self.chains.len()];
        for node in 0..self.items.len() {
            for lower in [true, false] {
                let mut joined: Vec<(f64, usize)> = Vec::new();
                for (row, (chain, _)) in
                    self.chains.iter().enumerate().filter(|it| it.1.0[0] != it.1.0[it.1.0.len() - 1])
                {
                    let (end, next) =
                        if lower { (chain[0], chain[1]) } else { (chain[chain.len() - 1], chain[chain.len() - 2]) };
                    joined.extend((end == node).then(|| (self.items[next].x, row)));
                }
                joined.sort_by(|one, other| one.0.total_cmp(&other.0));
                let gap = ((self.items[node].width - 12.0) / joined.len().max(1) as f64).clamp(0.0, PORT);
                let first = (joined.len().max(1) - 1) as f64 * gap / -2.0;
                for (place, (_, row)) in joined.into_iter().enumerate() {
                    let shift = first + place as f64 * gap;
                    if lower { ports[row].0 = shift } else { ports[row].1 = shift }
                }
            }
        }
        ports
    }

    /// The points of an edge: it leaves a box at its lower border and comes to the next at the upper one. A loop goes to its text and back.
    fn path(&self, (chain, back): &(Vec<usize>, bool), (upper, lower): (f64, f64)) -> Vec<(f64, f64)> {
        let border = |item: usize, side: f64, shift: f64| {
            let it = self.items[item];
            (it.x + shift, it.y + side * it.height / 2.0)
        };
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        if first == last {
            let (own, text) = (self.items[first].width / 3.0, self.items[chain[1]].width / 4.0);
            return vec![
                border(first, 1.0, -own),
                border(chain[1], -1.0, -text),
                border(chain[1], -1.0, text),
                border(first, 1.0, own),
            ];
        }
        let mut points = vec![border(first, 1.0, upper)];
        for &item in &chain[1..chain.len() - 1] {
            points.push(border(item, -1.0, 0.0));
            points.push(border(item, 1.0, 0.0));
        }
        points.push(border(last, -1.0, lower));
        if *back {
            points.reverse();
        }
        points
    }
}

fn size(lines: &[String], around: f64, above: f64) -> Place {
    let letters = lines.iter().map(|it| it.chars().count()).max().unwrap_or(0);
    Place { width: letters as f64 * LETTER + around, height: lines.len() as f64 * LINE + above, x: 0.0, y: 0.0 }
}

/// Which edges lead back to a node on the way to where they begin; loops do not count.
fn back_edges(graph: &Graph) -> Vec<bool> {
    let mut outgoing = vec![Vec::new(); graph.nodes.len()];
    graph.edges.iter().enumerate().for_each(|(row, it)| outgoing[it.source].push(row));
    let (mut back, mut seen, mut open) =
        (vec![false; graph.edges.len()], vec![false; graph.nodes.len()], vec![false; graph.nodes.len()]);
    let initial = (0..graph.nodes.len()).filter(|&it| graph.nodes[it].initial);
    for root in initial.chain(0..graph.nodes.len()) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut path = vec![(root, 0)];
        open[root] = true;
        while let Some((node, next)) = path.last_mut() {
            let Some(&edge) = outgoing[*node].get(*next) else {
                open[*node] = false;
                path.pop();
                continue;
            };
            *next += 1;
            let (source, target) = (*node, graph.edges[edge].target);
            if open[target] {
                back[edge] = source != target;
            } else if !std::mem::replace(&mut seen[target], true) {
                open[target] = true;
                path.push((target, 0));
            }
        }
    }
    back
}

/// The length of the longest way to each node, without going back.
fn ranks(graph: &Graph, back: &[bool]) -> Vec<usize> {
    let ways: Vec<(usize, usize)> = graph
        .edges
        .iter()
        .zip(back)
        .filter(|(edge, _)| edge.source != edge.target)
        .map(|(edge, &back)| if back { (edge.target, edge.source) } else { (edge.source, edge.target) })
        .collect();
    let (mut before, mut after) = (vec![0; graph.nodes.len()], vec![Vec::new(); graph.nodes.len()]);
    for &(source, target) in &ways {
        before[target] += 1;
        after[source].push(target);
    }
    let mut ranks = vec![0; graph.nodes.len()];
    let mut ready: Vec<usize> = (0..graph.nodes.len()).filter(|&it| before[it] == 0).collect();
    while let Some(node) = ready.pop() {
        for &target in &after[node] {
            ranks[target] = ranks[target].max(ranks[node] + 1);
            before[target] -= 1;
            if before[target] == 0 {
                ready.push(target);
            }
        }
    }
    ranks
}
