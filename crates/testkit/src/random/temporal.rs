//! Random properties of whole executions, over conditions that make sense for the model they belong to.
//!
//! A model has formulas or claims, not both: SPIN cannot choose a claim beside formulas. There are no assertions and no steps that go wrong,
//! so that every error SPIN finds is one of the property.
use super::scope::Variable;
use super::tree::{Node, Sort};
use super::{Generator, Plan, Random, RandomModel};

/// What a pair of model and properties may contain beyond what SPIN takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Everything.
    Ours,
    /// No `X`, no accept labels beside formulas, nothing that counts the claim as a process.
    Spins,
}

/// Properties of one model.
const PROPERTIES: usize = 4;

/// The model of a seed with some properties.
pub fn model_with_properties(seed: u64, language: Language) -> RandomModel {
    let mut random = Random::new(seed);
    let quiet = Plan::random(&mut random);
    let plan =
        Plan { assertions: false, false_assertions: false, faults: false, deterministic: false, loops: true, ..quiet };
    let mut generator = Generator::new(random, plan);
    let mut tree = generator.model();
    tree = tree.list(generator.properties(language), "\n", 1).text("\n");
    RandomModel { seed, tree, used: generator.used }
}

impl Generator {
    fn properties(&mut self, language: Language) -> Vec<Node> {
        // What is left in scope belongs to everybody; processes have been written.
        self.scope.variables.retain(|it| it.global);
        self.plan.macros = false;
        let claims = self.random.chance(30);
        let property = |row| if claims { self.never(row) } else { self.ltl(row, language) };
        (0..PROPERTIES).map(property).collect()
    }

    fn ltl(&mut self, row: usize, language: Language) -> Node {
        let depth = 1 + self.random.below(3);
        let formula = self.formula(depth, language);
        Node::new(Sort::Unit).text(format!("ltl p{row} {{ ")).node(formula).text(" }")
    }

    fn formula(&mut self, depth: usize, language: Language) -> Node {
        if depth == 0 {
            return self.observation();
        }
        let next = if language == Language::Ours { 2 } else { 0 };
        let operator = self.random.weighted(&[
            (4, "[]"),
            (4, "<>"),
            (next, "X"),
            (1, "!"),
            (3, "U"),
            (2, "V"),
            (2, "W"),
            (2, "&&"),
            (2, "||"),
            (2, "->"),
            (1, "<->"),
        ]);
        let (first, second) = (self.random.below(depth), self.random.below(depth));
        match operator {
            "[]" | "<>" | "X" | "!" => {
                let inner = self.formula(depth - 1, language);
                Node::expression(format!("({operator} ")).node(inner).text(")")
            }
            _ => {
                let (left, right) = (self.formula(first, language), self.formula(second, language));
                Node::expression("(").node(left).text(format!(" {operator} ")).node(right).text(")")
            }
        }
    }

    /// A condition at which a property can look.
    pub(super) fn observation(&mut self) -> Node {
        let remote = if self.plan.dynamic { 0 } else { 3 };
        let channels = if self.plan.channels { 3 } else { 0 };
        let kind = self.random.weighted(&[(6, "value"), (remote, "remote"), (channels, "channel"), (1, "_last")]);
        match kind {
            "remote" => self.remote_observation(),
            "channel" => self.channel_observation(),
            "_last" if self.plan.last => Node::expression(format!("(_last == {})", self.random.below(3))),
            _ => self.value_observation(),
        }
    }

    /// Compares a global with a small number or a name.
    fn value_observation(&mut self) -> Node {
        let Some(variable) = self.variable(|_| true) else { return Node::expression("(1)") };
        let place = self.fixed_place(&variable);
        let (operators, right): (&[&str], _) = match variable.ty {
            super::scope::Ty::Mtype(list) => (&["==", "!="], self.mtype_constant(list)),
            ty => {
                let most = if ty.is_small() { 2 } else { 4 };
                (&["==", "!=", "<", ">="], Node::expression(self.random.below(most).to_string()))
            }
        };
        let operator = *self.random.pick(operators);
        Node::expression("(").node(place).text(format!(" {operator} ")).node(right).text(")")
    }

    /// A place with indices that are numbers.
    fn fixed_place(&mut self, variable: &Variable) -> Node {
        let mut text = String::new();
        for (row, (name, size)) in variable.path.iter().enumerate() {
            text += if row > 0 { "." } else { "" };
            text += name;
            if let Some(size) = size {
                text += &format!("[{}]", self.random.below(*size as usize));
            }
        }
        Node::expression(text)
    }

    /// Where a process is, or what one of its variables is.
    fn remote_observation(&mut self) -> Node {
        let row = self.random.below(self.signatures.len());
        let process = self.signatures[row].clone();
        if process.pids.is_empty() {
            return self.value_observation();
        }
        let name = format!("{}[{}]", process.name, self.random.pick(&process.pids));
        let is_array = |name: &String| self.scope.variables.iter().any(|it| it.base() == name && !it.is_plain());
        let variables: Vec<String> = process.variables.iter().filter(|it| !is_array(it)).cloned().collect();
        match (process.labels.is_empty(), variables.is_empty()) {
            (false, _) if self.random.chance(60) => {
                Node::expression(format!("({name}@{})", self.random.pick(&process.labels)))
            }
            (_, false) => {
                let (variable, value) = (self.random.pick(&variables).clone(), self.random.below(3));
                Node::expression(format!("({name}:{variable} == {value})"))
            }
            _ => self.value_observation(),
        }
    }

    fn channel_observation(&mut self) -> Node {
        let known: Vec<super::scope::Channel> = self.scope.channels.clone();
        if known.is_empty() {
            return self.value_observation();
        }
        let channel = self.random.pick(&known).clone();
        let index = channel.size.map_or(String::new(), |size| format!("[{}]", self.random.below(size as usize)));
        let name = format!("{}{index}", channel.name);
        if channel.rendezvous != Some(false) || self.random.chance(60) {
            return Node::expression(format!("(len({name}) == {})", self.random.below(3)));
        }
        let fields = vec!["_"; channel.fields.len().saturating_sub(1)];
        let first = match channel.fields[0] {
            super::scope::Field::Value(ty) if !ty.is_mtype() => self.random.below(3).to_string(),
            _ => "_".to_string(),
        };
        let message: Vec<&str> = std::iter::once(first.as_str()).chain(fields).collect();
        let question = if self.random.chance(50) { "?" } else { "??" };
        Node::expression(format!("({name}{question}[{}])", message.join(",")))
    }

    /// An automaton of a few places.
    fn never(&mut self, row: usize) -> Node {
        let count = 1 + self.random.below(3);
        let accepting: Vec<bool> = (0..count).map(|_| self.random.chance(50)).collect();
        let label = |it: usize| if accepting[it] { format!("accept_{it}") } else { format!("T{it}") };
        let mut places = Vec::new();
        for place in 0..count {
            let mut options: Vec<Node> = Vec::new();
            for _ in 0..1 + self.random.below(3) {
                let target = self.random.below(count);
                options.push(self.option_of_claim(&label(target)));
            }
            if self.random.chance(30) {
                options.push(Node::new(Sort::Branch).text(format!(":: else -> goto {}", label(place))));
            }
            let head = Node::new(Sort::Other).text(format!("{}:\nif\n", label(place)));
            places.push(head.list(options, "\n", 1).text("\nfi"));
        }
        Node::new(Sort::Unit).text(format!("never p{row} {{\n")).list(places, ";\n", count).text(";\ndone: skip\n}")
    }

    fn option_of_claim(&mut self, target: &str) -> Node {
        let target = if self.random.chance(20) { "done" } else { target };
        let condition = if self.random.chance(25) { Node::expression("(1)") } else { self.observation() };
        let option = Node::new(Sort::Branch).text(":: ");
        match self.random.below(12) {
            0 => {
                let asserted = self.observation();
                option
                    .text("atomic { ")
                    .node(condition)
                    .text(" -> assert(")
                    .node(asserted)
                    .text(format!(") }}; goto {target}"))
            }
            1 => {
                let second = self.observation();
                option.text("atomic { ").node(condition).text(" -> ").node(second).text(format!(" }}; goto {target}"))
            }
            _ => option.node(condition).text(format!(" -> goto {target}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn almost_all_pairs_are_accepted() {
        let accepted = |seed: &u64| {
            let text = model_with_properties(*seed, Language::Ours).text();
            let (compiled, _) = crate::run::compile_text(&text);
            !compiled.diagnostics.iter().any(text::Diagnostic::is_error)
        };
        let count = (0..300).filter(accepted).count();
        assert!(count > 295, "only {count} of 300");
    }

    #[test]
    fn what_spin_does_not_take_is_left_out_for_it() {
        let text = |language| (0..300).map(|it| model_with_properties(it, language).text()).collect::<String>();
        assert!(text(Language::Ours).contains("(X ") && !text(Language::Spins).contains("(X "));
    }
}
