//! Random properties of branching time, and pairs of formulas that say the same in linear and in branching time.
use super::tree::{Node, Sort};
use super::{Generator, Plan, Random, RandomModel};

/// Formulas of one model, beside the pairs.
const FORMULAS: usize = 5;

/// The model of a seed with formulas of branching time `b0` to `b4`; every fourth has a fairness constraint, every second may have steps that go wrong. In
/// the others `l0` and `c0`, `l1` and `c1`, … say the same.
pub fn model_with_branching(seed: u64) -> RandomModel {
    let mut random = Random::new(seed);
    let some = Plan::random(&mut random);
    let faults = some.faults && seed % 2 == 1;
    let plan = Plan { assertions: false, false_assertions: false, faults, deterministic: false, loops: true, ..some };
    let mut generator = Generator::new(random, plan);
    let mut tree = generator.model();
    generator.scope.variables.retain(|it| it.global);
    generator.plan.macros = false;
    let mut units: Vec<Node> = (0..FORMULAS).map(|row| generator.ctl(row)).collect();
    match seed % 4 {
        0 => units.push(generator.fairness()),
        2 => units.extend(generator.pairs()),
        _ => {}
    }
    tree = tree.list(units, "\n", 1).text("\n");
    RandomModel { seed, tree, used: generator.used }
}

impl Generator {
    fn ctl(&mut self, row: usize) -> Node {
        let depth = 1 + self.random.below(3);
        let formula = self.branching(depth);
        Node::new(Sort::Unit).text(format!("ctl b{row} {{ ")).node(formula).text(" }")
    }

    fn fairness(&mut self) -> Node {
        let condition = self.observation();
        Node::new(Sort::Unit).text("fairness { ").node(condition).text(" }")
    }

    fn branching(&mut self, depth: usize) -> Node {
        if depth == 0 {
            return self.observation();
        }
        let operator = self.random.weighted(&[
            (4, "AG"),
            (3, "EF"),
            (3, "AF"),
            (3, "EG"),
            (2, "AX"),
            (2, "EX"),
            (1, "!"),
            (2, "A U"),
            (2, "E U"),
            (1, "A W"),
            (1, "E W"),
            (2, " && "),
            (2, " || "),
            (2, " -> "),
            (1, " <-> "),
        ]);
        let (first, second) = (self.random.below(depth), self.random.below(depth));
        match operator.split_once(' ') {
            None => Node::expression(format!("({operator} ")).node(self.branching(depth - 1)).text(")"),
            Some(("", _)) => {
                let (left, right) = (self.branching(first), self.branching(second));
                Node::expression("(").node(left).text(operator).node(right).text(")")
            }
            Some((quantifier, until)) => {
                let (left, right) = (self.branching(first), self.branching(second));
                Node::expression(format!("{quantifier}[")).node(left).text(format!(" {until} ")).node(right).text("]")
            }
        }
    }

    /// Formulas in linear time, and the same in branching time.
    fn pairs(&mut self) -> Vec<Node> {
        let (p, q) = (self.observation().print(), self.observation().print());
        let pairs = [
            (format!("[] {p}"), format!("AG {p}")),
            (format!("[] ({p} -> <> {q})"), format!("AG ({p} -> AF {q})")),
            (format!("<> {p}"), format!("AF {p}")),
            (format!("X {p}"), format!("AX {p}")),
            (format!("{p} U {q}"), format!("A[{p} U {q}]")),
            (format!("{p} W {q}"), format!("A[{p} W {q}]")),
            (format!("[] <> {p}"), format!("AG AF {p}")),
        ];
        let unit = |text: String| Node::new(Sort::Unit).text(text);
        let both = pairs.into_iter().enumerate().map(|(row, (linear, branching))| {
            [unit(format!("ltl l{row} {{ {linear} }}")), unit(format!("ctl c{row} {{ {branching} }}"))]
        });
        both.flatten().collect()
    }
}
