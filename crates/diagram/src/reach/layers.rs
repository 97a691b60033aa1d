//! Vectors by their distance, and shortest paths.
use super::{Decision, Direction, Outcome, Progress, Search, Watch};
use crate::function::Function;
use crate::space::Full;

/// What can be reached, by distance ("onion rings").
#[derive(Clone, Debug)]
pub struct Layers {
    /// At place `n` the vectors that `n` steps lead to and no fewer.
    pub rings: Vec<Function>,
    /// How the search ended; it is complete, too, if it met its target.
    pub outcome: Outcome,
}

/// A way from vector to vector, along the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The vectors on the way.
    pub vectors: Vec<Vec<bool>>,
    /// The number of the relation that leads from each vector to the next one.
    pub steps: Vec<usize>,
}

impl Search<'_> {
    /// Searches breadth first and keeps what each round adds; ends early once `target` is met.
    pub fn layers(self, target: Option<&Function>, watch: &mut (dyn FnMut(&Progress) -> Decision + Send)) -> Layers {
        let mut rings = vec![self.from.clone()];
        let reached = self.repeat(Watch::new(watch), |set, watch| {
            let newest = &rings[rings.len() - 1];
            if let Some(target) = target
                && !newest.and(target)?.is_false()
            {
                return Ok(());
            }
            let newest = self.step(newest, watch)?.minus(set)?;
            *set = set.or(&newest)?;
            if !newest.is_false() {
                rings.push(newest);
            }
            Ok(())
        });
        Layers { rings, outcome: reached.outcome }
    }

    /// A shortest path between the start of a search and a target, found in the layers of that search; none if the
    /// target is not there. Backwards it leads from the target to the start.
    pub fn shortest_path(self, layers: &Layers, target: &Function) -> Result<Option<Path>, Full> {
        let Some((distance, mut vector)) = self.nearest(layers, target)? else { return Ok(None) };
        let (mut vectors, mut steps) = (vec![vector.clone()], Vec::new());
        for ring in layers.rings[..distance].iter().rev() {
            let (step, before) = self.towards_start(&vector, ring)?;
            steps.push(step);
            vectors.push(before.clone());
            vector = before;
        }
        if self.direction == Direction::Forward {
            vectors.reverse();
            steps.reverse();
        }
        Ok(Some(Path { vectors, steps }))
    }

    /// A vector of the target in the first ring that has one.
    fn nearest(&self, layers: &Layers, target: &Function) -> Result<Option<(usize, Vec<bool>)>, Full> {
        for (distance, ring) in layers.rings.iter().enumerate() {
            if let Some(vector) = self.space.pick(&ring.and(target)?) {
                return Ok(Some((distance, vector)));
            }
        }
        Ok(None)
    }

    /// A relation and a vector of a ring from which the search came to this vector.
    fn towards_start(&self, vector: &[bool], ring: &Function) -> Result<(usize, Vec<bool>), Full> {
        let back = match self.direction {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        };
        let here = self.space.vector(vector)?;
        for (number, relation) in self.relations.iter().enumerate() {
            if let Some(before) = self.space.pick(&relation.step(&here, back)?.and(ring)?) {
                return Ok((number, before));
            }
        }
        unreachable!("every vector of a layer has a neighbour in the layer before")
    }
}
