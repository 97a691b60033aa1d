//! Random sends and receives.
use super::Generator;
use super::scope::{Channel, Field, Ty, Variable};
use super::statement::Context;
use super::tree::Node;

impl Generator {
    /// A channel and how to write it.
    pub(super) fn channel(&mut self) -> Option<(Channel, Node)> {
        self.channel_where(|_| true)
    }

    /// A channel of a kind and how to write it.
    pub(super) fn channel_where(&mut self, wanted: impl Fn(&Channel) -> bool) -> Option<(Channel, Node)> {
        let fitting: Vec<&Channel> = self.scope.channels.iter().filter(|it| wanted(it)).collect();
        if fitting.is_empty() {
            return None;
        }
        let channel = (*self.random.pick(&fitting)).clone();
        let name = match channel.size {
            Some(size) => Node::expression(channel.name.clone()).text("[").node(self.index(size)).text("]"),
            None => Node::expression(channel.name.clone()),
        };
        Some((channel, name))
    }

    /// A channel that carries one byte, written without computing.
    pub(super) fn byte_channel(&mut self) -> Option<Node> {
        Some(self.channel_where(|it| it.fields == [Field::Value(Ty::Byte)])?.1)
    }

    /// `q!…`; `None` if there is no channel or nothing to send.
    pub(super) fn send(&mut self, context: Context) -> Option<Node> {
        let buffered = context.d_step && !self.plan.faults;
        let (channel, name) = self.channel_where(|it| !buffered || it.rendezvous == Some(false))?;
        let sorted = self.plan.odd_receives && channel.rendezvous == Some(false) && self.random.chance(35);
        // SPIN keeps a bit in a byte if it is the only field.
        let fitting = sorted || channel.fields.len() == 1;
        let mut arguments = Vec::new();
        for &field in &channel.fields {
            arguments.push(self.sent(field, fitting, context)?);
        }
        self.uses("send");
        self.debts.push(channel.name.clone());
        if sorted {
            self.uses("sorted send");
        }
        let node = Node::new(super::tree::Sort::Statement).node(name).text(if sorted { "!!" } else { "!" });
        if arguments.len() > 1 && self.random.chance(30) {
            self.uses("send with type first");
            let first = arguments.remove(0);
            let first = Node::expression("(").node(first).text(")");
            return Some(node.node(first).text("(").list(arguments, ",", usize::MAX).text(")"));
        }
        Some(node.list(arguments, ",", usize::MAX))
    }

    /// SPIN sorts by what was sent, not by what the channel keeps of it: sorted values have to fit.
    fn sent(&mut self, field: Field, fitting: bool, context: Context) -> Option<Node> {
        match field {
            Field::Value(ty) if fitting && !ty.is_mtype() => {
                let mask = if ty.is_small() { " & 1" } else { " & 3" };
                Some(Node::expression("(").node(self.expression(1)).text(")").text(mask))
            }
            Field::Value(ty) => Some(self.bounded(ty, context)),
            Field::Channel => self.byte_channel(),
            Field::Struct(row) => self.struct_variable(row).map(Node::expression),
        }
    }

    /// A variable of a struct type.
    pub(super) fn struct_variable(&mut self, row: usize) -> Option<String> {
        let fitting: Vec<&String> = self.scope.structs.iter().filter(|it| it.1 == row).map(|it| &it.0).collect();
        (!fitting.is_empty()).then(|| (*self.random.pick(&fitting)).clone())
    }

    /// `q?…` in one of its forms.
    pub(super) fn receive(&mut self, _: Context) -> Option<Node> {
        let (channel, _) = self.channel()?;
        self.receive_from(&channel)
    }

    /// A receive of what an earlier process has sent.
    pub(super) fn receive_of(&mut self, wanted: &str) -> Option<Node> {
        let (channel, _) = self.channel_where(|it| it.name == wanted)?;
        self.receive_from(&channel)
    }

    fn receive_from(&mut self, channel: &Channel) -> Option<Node> {
        let (operator, close) = self.receive_form(channel.rendezvous);
        let mut taken = Vec::new();
        let name = self.steady_name(channel, &mut taken);
        let mut arguments = Vec::new();
        for &field in &channel.fields {
            arguments.push(self.received(field, &mut taken)?);
        }
        self.uses("receive");
        Some(
            Node::new(super::tree::Sort::Statement)
                .node(name)
                .text(operator)
                .list(arguments, ",", usize::MAX)
                .text(close),
        )
    }

    /// The channel, with an index that the receive will not change: SPIN puts the message back by it.
    fn steady_name(&mut self, channel: &Channel, taken: &mut Vec<String>) -> Node {
        let Some(size) = channel.size else { return Node::expression(channel.name.clone()) };
        let inline = self.scope.variables.iter().any(|it| it.base() == "place");
        let plain = self.variable(|it| it.is_plain() && !it.ty.is_mtype() && !inline);
        let index = match plain.filter(|_| self.random.chance(50)) {
            Some(variable) => {
                taken.push(variable.base().to_string());
                format!("{} & {}", variable.base(), size - 1)
            }
            None => self.random.below(size as usize).to_string(),
        };
        Node::expression(format!("{}[{index}]", channel.name))
    }

    fn receive_form(&mut self, rendezvous: Option<bool>) -> (&'static str, &'static str) {
        if !self.plan.odd_receives || (rendezvous != Some(false) && !self.plan.faults) {
            return ("?", "");
        }
        let (feature, operator, close) = self.random.weighted(&[
            (6, ("receive", "?", "")),
            (3, ("random receive", "??", "")),
            (2, ("peek", "?<", ">")),
            (1, ("random peek", "??<", ">")),
        ]);
        self.uses(feature);
        (operator, close)
    }

    /// What to do with a field; no variable is used twice in one receive.
    fn received(&mut self, field: Field, taken: &mut Vec<String>) -> Option<Node> {
        match field {
            Field::Channel => {
                let free: Vec<&String> = self.scope.channel_variables.iter().filter(|it| !taken.contains(it)).collect();
                let name = (!free.is_empty()).then(|| (*self.random.pick(&free)).clone())?;
                taken.push(name.clone());
                Some(Node::expression(name))
            }
            Field::Struct(row) => {
                let name = self.struct_variable(row).filter(|it| !taken.contains(it))?;
                taken.push(name.clone());
                Some(Node::expression(name))
            }
            Field::Value(ty) => Some(self.received_value(ty, taken)),
        }
    }

    fn received_value(&mut self, ty: Ty, taken: &mut Vec<String>) -> Node {
        match self.random.below(16) {
            0 | 1 => {
                self.uses("constant in receive");
                match ty {
                    Ty::Mtype(list) => self.mtype_constant(list),
                    _ => Node::expression(self.random.below(3).to_string()),
                }
            }
            2 => {
                self.uses("eval");
                Node::expression("eval(").node(self.matched(ty, taken)).text(")")
            }
            3 => {
                self.uses("_ in receive");
                Node::expression("_")
            }
            _ => {
                // A parameter of an inline may stand for any variable.
                let inline = self.scope.variables.iter().any(|it| it.base() == "place");
                if inline && !taken.is_empty() {
                    return Node::expression("_");
                }
                let fits = |it: &Variable| {
                    let same = if ty.is_mtype() { it.ty == ty } else { !it.ty.is_mtype() && it.ty.holds(ty) };
                    it.writable && same && !taken.iter().any(|name| name == it.base())
                };
                let Some(variable) = self.variable(fits) else { return Node::expression("_") };
                taken.push(variable.base().to_string());
                self.constant_place(&variable)
            }
        }
    }

    /// A value to compare with. SPIN puts a message back wrongly if the same receive changes the value.
    fn matched(&mut self, ty: Ty, taken: &mut Vec<String>) -> Node {
        let same = |it: &Variable| if ty.is_mtype() { it.ty == ty } else { !it.ty.is_mtype() };
        let inline = self.scope.variables.iter().any(|it| it.base() == "place");
        let free = |it: &Variable| it.is_plain() && !inline && !taken.iter().any(|name| name == it.base());
        let Some(variable) = self.variable(|it| same(it) && free(it)) else {
            return match ty {
                Ty::Mtype(list) => self.mtype_constant(list),
                _ => Node::expression(self.random.below(3).to_string()),
            };
        };
        taken.push(variable.base().to_string());
        Node::expression(variable.base())
    }

    /// A place whose indices nothing can change in between.
    fn constant_place(&mut self, variable: &Variable) -> Node {
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

    /// Takes a channel out of a message and uses it at once.
    pub(super) fn receive_channel(&mut self) -> Option<Node> {
        let (channel, _) = self.channel_where(|it| it.fields == [Field::Channel])?;
        let name = self.steady_name(&channel, &mut Vec::new());
        let target = self.scope.channel_variables.first()?.clone();
        self.uses("channel in message");
        let use_it = match self.random.below(3) {
            0 => format!("{target}!{}", self.random.below(3)),
            1 => format!("{target}?_"),
            _ => format!("{target}?{}", self.random.below(2)),
        };
        let receive = Node::new(super::tree::Sort::Statement).node(name).text(format!("?{target}"));
        let both = vec![receive, Node::statement(use_it)];
        Some(Node::statement("").list(both, ";\n", 1))
    }
}
