//! Random expressions.
use super::Generator;
use super::scope::{Field, Ty, Variable};
use super::tree::Node;

impl Generator {
    /// A small number.
    pub(super) fn number(&mut self) -> Node {
        if self.plan.macros && self.random.chance(15) {
            self.uses("macro constant");
            return Node::expression("LIMIT");
        }
        if self.random.chance(3) {
            self.uses("character");
            return Node::expression("'a'");
        }
        if self.plan.wide_values && self.random.chance(15) {
            return Node::expression(
                *self.random.pick(&["(-1)", "7", "255", "256", "300", "65536", "(-129)", "100000"]),
            );
        }
        Node::expression(self.random.below(4).to_string())
    }

    /// A place of this variable, with indices.
    pub(super) fn place(&mut self, variable: &Variable) -> Node {
        let mut node = Node::expression("");
        for (row, (name, size)) in variable.path.iter().enumerate() {
            node = node.text(if row > 0 { "." } else { "" }).text(name.clone());
            if let Some(size) = size {
                let index = self.index(*size);
                node = node.text("[").node(index).text("]");
            }
        }
        node
    }

    pub(super) fn index(&mut self, size: u32) -> Node {
        let constant = self.random.below(size as usize).to_string();
        let plain = self.scope.variables.iter().filter(|it| it.is_plain() && !it.ty.is_mtype());
        let names: Vec<String> = plain.map(|it| it.base().to_string()).collect();
        if names.is_empty() || self.random.chance(50) {
            return Node::expression(constant);
        }
        let name = self.random.pick(&names).clone();
        if self.plan.faults && self.random.chance(25) {
            self.uses("index out of range");
            return Node::expression(name);
        }
        if !size.is_power_of_two() {
            return Node::expression(constant);
        }
        self.uses("computed index");
        Node::expression(format!("{name} & {}", size - 1))
    }

    /// A variable that holds a number, if any.
    pub(super) fn variable(&mut self, wanted: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let fitting: Vec<&Variable> = self.scope.variables.iter().filter(|it| wanted(it)).collect();
        (!fitting.is_empty()).then(|| (*self.random.pick(&fitting)).clone())
    }

    pub(super) fn read(&mut self) -> Node {
        match self.variable(|it| !it.ty.is_mtype()) {
            Some(variable) => self.place(&variable),
            None => self.number(),
        }
    }

    /// A name of an enumeration.
    pub(super) fn mtype_constant(&mut self, list: usize) -> Node {
        Node::expression(*self.random.pick(super::MTYPES[list]))
    }

    /// A value of a type.
    pub(super) fn value(&mut self, ty: Ty, depth: usize) -> Node {
        let Ty::Mtype(list) = ty else { return self.expression(depth) };
        match self.variable(|it| it.ty == ty) {
            Some(variable) if self.random.chance(40) => self.place(&variable),
            _ => self.mtype_constant(list),
        }
    }

    /// Any expression.
    pub(super) fn expression(&mut self, depth: usize) -> Node {
        if depth == 0 {
            return match self.random.below(20) {
                0..8 => self.number(),
                8..18 => self.read(),
                _ => self.special(),
            };
        }
        match self.random.below(20) {
            0..4 => self.number(),
            4..10 => self.read(),
            10..12 => self.special(),
            12 => self.unary(depth),
            13 => self.conditional(depth),
            14 => self.channel_question(),
            _ => self.binary(depth),
        }
    }

    fn unary(&mut self, depth: usize) -> Node {
        self.uses("unary");
        let operator = *self.random.pick(&["-", "~", "!"]);
        Node::expression(operator).text("(").node(self.expression(depth - 1)).text(")")
    }

    fn conditional(&mut self, depth: usize) -> Node {
        self.uses("conditional");
        let condition = self.condition(depth - 1);
        let (yes, no) = (self.expression(depth - 1), self.expression(depth - 1));
        Node::expression("(").node(condition).text(" -> ").node(yes).text(" : ").node(no).text(")")
    }

    fn binary(&mut self, depth: usize) -> Node {
        let (feature, operators): (_, &[&str]) = self.random.weighted(&[
            (5, ("arithmetic", &["+", "-", "*"][..])),
            (2, ("division", &["/", "%"])),
            (1, ("shift", &["<<", ">>"])),
            (2, ("bitwise", &["&", "|", "^"])),
            (4, ("comparison", &["==", "!=", "<", "<=", ">", ">="])),
            (2, ("logic", &["&&", "||"])),
        ]);
        self.uses(feature);
        let operator = *self.random.pick(operators);
        let left = self.expression(depth - 1);
        let right = match feature {
            "division" if self.plan.faults && self.random.chance(30) => {
                self.uses("division by zero");
                self.expression(0)
            }
            "division" => Node::expression(self.random.pick(&["2", "3", "5"]).to_string()),
            "shift" => Node::expression(self.random.pick(&["1", "2", "3"]).to_string()),
            _ => self.expression(depth - 1),
        };
        let bare = self.random.chance(25);
        if bare {
            self.uses("without parentheses");
        }
        let (open, close) = if bare { ("", "") } else { ("(", ")") };
        Node::expression(open).node(left).text(format!(" {operator} ")).node(right).text(close)
    }

    /// What is no variable and no number.
    fn special(&mut self) -> Node {
        let plan = &self.plan;
        let weight = |on: bool, weight: usize| if on { weight } else { 0 };
        let which = self.random.weighted(&[
            (2, "_pid"),
            (1, "_nr_pr"),
            (weight(plan.last, 6), "_last"),
            (weight(plan.enabled, 6), "enabled"),
            (weight(plan.remote, 8), "remote"),
            (weight(plan.priorities, 2), "get_priority"),
            (weight(plan.priorities, 2), "_priority"),
            (weight(plan.channels, 2), "channel"),
        ]);
        match which {
            "enabled" => self.enabled(),
            "remote" => self.remote(),
            "channel" => self.channel_question(),
            "get_priority" => {
                self.uses("get_priority");
                Node::expression("get_priority(_pid)")
            }
            name => {
                self.uses(name);
                Node::expression(name)
            }
        }
    }

    fn enabled(&mut self) -> Node {
        let others: Vec<usize> = (0..self.first_pids).filter(|pid| !self.scope.own_pids.contains(pid)).collect();
        if others.is_empty() || !self.scope.curious {
            return self.number();
        }
        self.uses("enabled");
        Node::expression(format!("enabled({})", self.random.pick(&others)))
    }

    fn remote(&mut self) -> Node {
        let known: Vec<usize> = (0..self.signatures.len()).filter(|&it| self.declared[it]).collect();
        if known.is_empty() {
            return self.number();
        }
        let row = *self.random.pick(&known);
        let process = self.signatures[row].clone();
        let index = match process.pids.first() {
            Some(_) if self.random.chance(80) => format!("[{}]", self.random.pick(&process.pids)),
            _ => String::new(),
        };
        // SPIN looks at its own variable of that name to see whether an index is missing.
        let array = |name: &String| self.scope.variables.iter().any(|it| it.base() == name && !it.is_plain());
        let variables: Vec<String> = process.variables.iter().filter(|it| !array(it)).cloned().collect();
        match (process.labels.is_empty(), variables.is_empty()) {
            (false, _) if self.random.chance(60) => {
                self.uses("remote label");
                Node::expression(format!("{}{index}@{}", process.name, self.random.pick(&process.labels)))
            }
            (_, false) => {
                self.uses("remote variable");
                Node::expression(format!("{}{index}:{}", process.name, self.random.pick(&variables)))
            }
            _ => self.number(),
        }
    }

    /// `len(q)` or a poll.
    fn channel_question(&mut self) -> Node {
        let Some((channel, name)) = self.channel() else { return self.read() };
        if self.random.chance(50) || (channel.rendezvous != Some(false) && !self.plan.faults) {
            self.uses("len");
            return Node::expression("len(").node(name).text(")");
        }
        let random = self.random.chance(40);
        self.uses(if random { "random poll" } else { "poll" });
        let arguments = channel.fields.iter().map(|&field| self.poll_argument(field)).collect();
        // As a number, SPIN's random poll is the place of the message; and where there is a rendezvous
        // channel anywhere, its C for a poll lacks parentheses.
        let close = match (self.plan.rendezvous, random) {
            (true, _) => "] -> 1 : 0)",
            (false, true) => "] != 0)",
            (false, false) => "])",
        };
        let poll = Node::expression("(").node(name).text(if random { "??[" } else { "?[" });
        poll.list(arguments, ",", usize::MAX).text(close)
    }

    fn poll_argument(&mut self, field: Field) -> Node {
        match field {
            Field::Value(Ty::Mtype(list)) if self.random.chance(60) => self.mtype_constant(list),
            Field::Value(ty) if !ty.is_mtype() && self.random.chance(70) => {
                Node::expression(self.random.below(3).to_string())
            }
            Field::Value(ty) if !ty.is_mtype() && self.random.chance(50) => {
                Node::expression("eval(").node(self.read()).text(")")
            }
            _ => Node::expression("_"),
        }
    }

    /// An expression that is likely to be true in some states and false in others.
    pub(super) fn condition(&mut self, depth: usize) -> Node {
        if self.plan.macros
            && self.random.chance(8)
            && let Some(variable) = self.variable(|it| it.is_plain() && !it.ty.is_mtype())
        {
            self.uses("macro condition");
            return Node::expression(format!("SMALL({})", variable.base()));
        }
        match self.random.below(10) {
            0..5 => self.comparison(),
            5 if depth > 0 => {
                self.uses("logic");
                let operator = *self.random.pick(&[" && ", " || "]);
                let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
                Node::expression("(").node(left).text(operator).node(right).text(")")
            }
            6 if depth > 0 => {
                self.uses("unary");
                Node::expression("!(").node(self.condition(depth - 1)).text(")")
            }
            7 => self.comparison_of_names(),
            _ => Node::expression("(").node(self.expression(depth)).text(")"),
        }
    }

    fn comparison(&mut self) -> Node {
        self.uses("comparison");
        let left = if self.random.chance(75) { self.read() } else { self.special() };
        let operator = *self.random.pick(&["==", "!=", "<", ">", "<=", ">="]);
        let right = if self.random.chance(75) { self.number() } else { self.read() };
        Node::expression("(").node(left).text(format!(" {operator} ")).node(right).text(")")
    }

    fn comparison_of_names(&mut self) -> Node {
        let Some(variable) = self.variable(|it| it.ty.is_mtype()) else { return self.comparison() };
        let left = self.place(&variable);
        let right = self.value(variable.ty, 0);
        Node::expression("(").node(left).text(*self.random.pick(&[" == ", " != "])).node(right).text(")")
    }

    /// A condition that may also ask whether a channel is full or empty: such questions cannot be negated.
    pub(super) fn guard(&mut self) -> Node {
        if self.plan.deterministic {
            return self.comparison();
        }
        if self.random.chance(80) {
            return self.condition(1);
        }
        let Some((_, name)) = self.channel() else { return self.condition(1) };
        let question = *self.random.pick(&["full", "nfull", "empty", "nempty"]);
        self.uses(question);
        let node = Node::expression(format!("{question}(")).node(name).text(")");
        if self.random.chance(70) {
            return node;
        }
        let operator = *self.random.pick(&[" && ", " || "]);
        Node::expression("(").node(node).text(operator).node(self.condition(0)).text(")")
    }
}
