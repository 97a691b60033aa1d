//! Random statements.
use super::Generator;
use super::scope::{Field, Parameter, Ty, Variable};
use super::tree::{Node, Sort};

/// Where a statement stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    /// How deep statements may still be nested.
    pub depth: usize,
    /// `break` has somewhere to go.
    pub breakable: bool,
    /// Can be executed again and again, so values must not grow.
    pub repeats: bool,
    /// Inside `atomic`.
    pub atomic: bool,
    /// Inside `d_step`: must not block.
    pub d_step: bool,
    /// Inside the main part of an `unless`.
    pub guarded: bool,
    /// Inside an `atomic` in the main part of an `unless`.
    pub sealed: bool,
    /// Inside an `inline`.
    pub inline: bool,
}

impl Context {
    fn inside(self) -> Context {
        Context { depth: self.depth.saturating_sub(1), ..self }
    }
}

impl Generator {
    /// Some statements; the first of them cannot be labelled.
    pub(super) fn sequence(&mut self, context: Context, count: usize) -> Vec<Node> {
        let mut list: Vec<Node> = (0..count).map(|_| self.statement(context)).collect();
        list[0].labelable = false;
        apart(list)
    }

    fn some(&mut self, context: Context) -> Vec<Node> {
        let count = 1 + self.random.below(if context.depth > 1 { 3 } else { 2 });
        self.sequence(context, count)
    }

    /// One statement.
    pub(super) fn statement(&mut self, context: Context) -> Node {
        let made = if context.d_step { self.steady(context) } else { self.any(context) };
        made.unwrap_or_else(|| self.assign(context))
    }

    /// One statement that may block; `None` if the plan does not have it.
    fn any(&mut self, context: Context) -> Option<Node> {
        let plan = self.plan.clone();
        let deep = context.depth > 0;
        let statement = match self.random.below(120) {
            0..23 => self.assign(context).labelable(),
            23..26 => Node::new(Sort::Statement).node(self.guard()).labelable(),
            26..38 if plan.channels => self.send(context)?.labelable(),
            38..50 if plan.channels => self.receive(context)?.labelable(),
            50..58 if deep => self.selection(context).labelable(),
            58..65 if deep && plan.loops && (!context.atomic || self.random.chance(30)) => {
                self.repetition(context).labelable()
            }
            65..71 if deep && plan.atomic && !context.atomic => self.atomic(context).labelable(),
            // A jump to the label of a d_step counts as one into it.
            71..76 if deep && plan.d_step => self.d_step(context),
            // SPIN takes the escapes of an `unless` and those of an `atomic` around it for one group.
            76..82
                if (deep || context.guarded && self.random.chance(50))
                    && plan.unless
                    && !context.inline
                    && !context.sealed =>
            {
                self.unless(context)
            }
            82..84 if deep && plan.blocks => self.block(context),
            84..87 if plan.assertions => self.assertion().labelable(),
            87 if plan.output => self.output().labelable(),
            88..91 if plan.dynamic && !context.repeats => self.run(context)?,
            91..94 if deep && plan.counting => self.counting(context)?,
            94..100 if plan.inlines && !context.inline => self.call()?,
            100..102 if plan.macros => self.macro_statement()?.labelable(),
            102..104 if plan.timeout && !context.inline => {
                self.uses("timeout");
                Node::statement("timeout").labelable()
            }
            104..108 if plan.channel_passing => self.receive_channel()?,
            108..112 if plan.priorities => self.set_priority().labelable(),
            112 if plan.blocks && !context.inline => self.late_declaration(),
            113..116 if deep && plan.counting => self.counting(context)?,
            116..118 if plan.assertions => self.assertion().labelable(),
            118..120 if plan.output => self.output().labelable(),
            _ => return None,
        };
        Some(statement)
    }

    /// One statement that does not block.
    fn steady(&mut self, context: Context) -> Option<Node> {
        match self.random.below(20) {
            0..10 => Some(self.assign(context)),
            10..13 if context.depth > 0 => Some(self.decision(context)),
            13 if self.plan.assertions => Some(self.assertion()),
            14 if self.plan.output => Some(self.output()),
            15 | 16 if self.plan.counting && context.depth > 0 => self.counting(context),
            17 if self.plan.channels && self.random.chance(25) => {
                self.uses("send inside d_step");
                self.send(context)
            }
            18 if self.plan.macros => self.macro_statement(),
            19 => Some(self.skip()),
            _ => None,
        }
    }

    fn skip(&mut self) -> Node {
        self.uses("skip");
        Node::statement(*self.random.pick(&["skip", "true", "skip"]))
    }

    // Values.

    /// A value that does not grow when this is done again and again.
    pub(super) fn bounded(&mut self, ty: Ty, context: Context) -> Node {
        if ty.is_mtype() {
            return self.value(ty, 0);
        }
        match self.random.below(10) {
            0..4 => self.number(),
            4 | 5 if !context.repeats || ty.is_small() => self.expression(2),
            6 => match self.variable(|it| it.ty.is_small()) {
                Some(variable) => self.place(&variable),
                None => self.number(),
            },
            _ => {
                let mask = *self.random.pick(&[" & 1", " & 3", " % 3", " % 2"]);
                Node::expression("(").node(self.expression(1)).text(")").text(mask)
            }
        }
    }

    fn assign(&mut self, context: Context) -> Node {
        let Some(variable) = self.variable(|it| it.writable) else { return self.skip() };
        let place = self.place(&variable);
        let steps = !variable.ty.is_mtype() && (!context.repeats || variable.ty.is_small());
        if steps && self.random.chance(20) {
            self.uses("increment");
            return Node::new(Sort::Statement).node(place).text(*self.random.pick(&["++", "--"]));
        }
        let value = self.bounded(variable.ty, context);
        Node::new(Sort::Statement).node(place).text(" = ").node(value)
    }

    fn assertion(&mut self) -> Node {
        self.uses("assertion");
        let condition = if self.plan.false_assertions && self.random.chance(60) {
            self.uses("false assertion");
            self.condition(1)
        } else {
            let variable =
                self.variable(|it| it.is_plain() && matches!(it.ty, Ty::Byte | Ty::Bit | Ty::Bool | Ty::Pid));
            match variable {
                Some(variable) => Node::expression(format!("({} >= 0)", variable.base())),
                None => Node::expression("(_nr_pr > 0)"),
            }
        };
        Node::statement("assert").node(condition_in_parentheses(condition))
    }

    fn output(&mut self) -> Node {
        if let Some(variable) = self.variable(|it| it.ty == Ty::Mtype(0))
            && self.random.chance(70)
        {
            self.uses("printm");
            return Node::statement("printm(").node(self.place(&variable)).text(")");
        }
        self.uses("printf");
        let value = self.expression(1);
        Node::statement("printf(\"%d\\n\", ").node(value).text(")")
    }

    fn set_priority(&mut self) -> Node {
        self.uses("set_priority");
        let value = 1 + self.random.below(3);
        if self.random.chance(30) {
            self.uses("_priority");
            return Node::statement(format!("_priority = {value}"));
        }
        // Of a process that does not exist, SPIN undoes the change all the same. Process 0 goes last.
        let process = self.random.pick(&["_pid", "0"]).to_string();
        Node::statement(format!("set_priority({process}, {value})"))
    }

    fn macro_statement(&mut self) -> Option<Node> {
        let variable = self.variable(|it| it.writable && it.is_plain() && !it.ty.is_mtype())?;
        self.uses("macro statement");
        Some(Node::statement(format!("TURN({})", variable.base())))
    }

    // Control.

    /// Statements that end a branch with a jump, perhaps.
    fn tail(&mut self, context: Context) -> Vec<Node> {
        let count = self.random.below(3);
        let mut list: Vec<Node> = (0..count).map(|_| self.statement(context.inside())).collect();
        list.extend(self.jump(context, 20));
        list
    }

    fn jump(&mut self, context: Context, percent: usize) -> Option<Node> {
        if self.plan.gotos && !context.d_step && !self.scope.labels.is_empty() && self.random.chance(percent) {
            self.uses("goto");
            return Some(Node::statement(format!("goto {}", self.random.pick(&self.scope.labels))));
        }
        if context.breakable && self.random.chance(percent) {
            self.uses("break");
            return Some(Node::statement("break"));
        }
        None
    }

    /// The first statement of a branch.
    fn entrance(&mut self, context: Context) -> Node {
        let deep = context.depth > 0;
        let node = match self.random.below(30) {
            0..4 if self.plan.channels => self.send(context),
            4..9 if self.plan.channels => self.receive(context),
            9..12 => Some(self.assign(context)),
            12 if !self.plan.deterministic => self.jump(context, 60),
            13 | 14 if deep && self.plan.atomic && !context.atomic => Some(self.atomic(context)),
            15 | 16 if deep && self.plan.d_step && !self.plan.deterministic => Some(self.d_step(context)),
            17 if self.plan.timeout && !context.inline => {
                self.uses("timeout");
                Some(Node::statement("timeout"))
            }
            18 if deep => {
                self.uses("nested selection as guard");
                Some(self.selection_without_else(context))
            }
            // SPIN overlooks a second possible step of a D_proctype if it is a `skip`, a jump or a d_step.
            19 if !self.plan.deterministic => Some(self.skip()),
            _ => None,
        };
        node.unwrap_or_else(|| Node::new(Sort::Statement).node(self.guard()))
    }

    fn branches(&mut self, context: Context, least: usize) -> Vec<Node> {
        let count = least + self.random.below(3 - least.min(2));
        let mut list = Vec::new();
        for _ in 0..count {
            let guard = self.entrance(context.inside());
            let jumps =
                matches!(&guard.parts[0], super::tree::Part::Text(text) if text.starts_with("goto") || text == "break");
            let rest = if jumps { Vec::new() } else { self.tail(context) };
            let mut all = vec![guard];
            all.extend(rest);
            self.busy(&mut all, context);
            list.push(branch(all));
        }
        list
    }

    fn else_branch(&mut self, context: Context) -> Node {
        self.uses("else");
        let rest = match self.random.below(3) {
            0 => vec![Node::statement("skip")],
            _ => self.tail(context),
        };
        branch(with(Some(Node::statement("else")), rest))
    }

    /// A selection inside a guard has its own entrance in the same state: only one `else` may be there.
    /// To `enabled()`, SPIN answers whether the *asking* process could take an `else`.
    fn may_end_with_else(&self, branches: &[Node]) -> bool {
        !self.plan.enabled && !branches.iter().any(|it| it.print().starts_with(":: if\n"))
    }

    fn selection(&mut self, context: Context) -> Node {
        self.uses("if");
        let mut branches = self.branches(context, 1);
        if self.may_end_with_else(&branches) && self.random.chance(60) {
            branches.push(self.else_branch(context));
        }
        Node::statement("if\n").list(branches, "", 1).text("fi")
    }

    fn selection_without_else(&mut self, context: Context) -> Node {
        self.uses("if");
        let branches = self.branches(Context { depth: 0, ..context }, 1);
        Node::statement("if\n").list(branches, "", 1).text("fi")
    }

    /// A selection that never blocks.
    fn decision(&mut self, context: Context) -> Node {
        self.uses("if");
        let mut branches = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let guard = Node::new(Sort::Statement).node(self.condition(1));
            let rest = self.some(context.inside());
            branches.push(branch(with(Some(guard), rest)));
        }
        branches.push(self.else_branch(context));
        Node::statement("if\n").list(branches, "", 1).text("fi")
    }

    /// A loop, usually with a way out.
    pub(super) fn repetition(&mut self, context: Context) -> Node {
        self.uses("do");
        let inner = Context { breakable: true, repeats: true, ..context };
        let mut branches = self.branches(inner, 1);
        if self.may_end_with_else(&branches) && self.random.chance(25) {
            branches.push(self.else_branch(inner));
        }
        if self.random.chance(60) {
            self.uses("break");
            let out = match self.random.below(3) {
                0 if !self.plan.deterministic => branch(vec![Node::statement("break")]),
                _ => branch(vec![Node::new(Sort::Statement).node(self.guard()), Node::statement("break")]),
            };
            let at = self.random.below(branches.len() + 1).min(branches.len() - 1);
            branches.insert(at, out);
        }
        Node::statement("do\n").list(branches, "", 1).text("od")
    }

    /// SPIN refuses a loop that does nothing at all.
    fn busy(&mut self, list: &mut Vec<Node>, context: Context) {
        let first = list[0].print();
        let idle = matches!(first.trim(), "skip" | "true") || !first.contains(|c: char| c.is_alphabetic());
        let jumps = list.get(1).is_none_or(|it| it.print().starts_with("goto"));
        if idle && jumps {
            list.insert(1, self.assign(context));
        }
    }

    fn atomic(&mut self, context: Context) -> Node {
        self.uses("atomic");
        if context.guarded {
            self.uses("atomic in unless");
        }
        let inner = Context { atomic: true, sealed: context.guarded, ..context.inside() };
        let declaration = self.block_declaration(context);
        let first = if self.random.chance(60) { Some(self.entrance(Context { depth: 0, ..inner })) } else { None };
        let mut list: Vec<Node> = first.into_iter().collect();
        let jumps = list.iter().any(
            |it| matches!(&it.parts[0], super::tree::Part::Text(text) if text.starts_with("goto") || text == "break"),
        );
        if !jumps {
            let rest = self.some(inner);
            list.extend(rest);
        }
        self.end_block(&declaration);
        list[0].labelable = false;
        Node::statement("atomic {\n").list(with(declaration, list), ";\n", 1).text("\n}")
    }

    fn d_step(&mut self, context: Context) -> Node {
        self.uses("d_step");
        let inner = Context { d_step: true, breakable: false, ..context.inside() };
        let declaration = self.block_declaration(context);
        let first = match self.random.below(10) {
            0..4 => Some(Node::new(Sort::Statement).node(self.guard())),
            4 | 5 if self.plan.channels => {
                // SPIN generates wrong C for a d_step that starts with a peek.
                let receive = self.receive(context).filter(|it| !it.print().contains("?<"));
                if receive.is_some() {
                    self.uses("receive starts d_step");
                }
                receive
            }
            _ => None,
        };
        let mut list: Vec<Node> = first.into_iter().collect();
        let rest = self.some(inner);
        list.extend(rest);
        // SPIN lets a d_step answer a rendezvous that it has nothing to do with if it starts like this.
        let careless = ["print", "assert"].iter().any(|it| list[0].print().starts_with(it));
        let asked = self.plan.enabled && list[0].print().starts_with("if");
        if declaration.is_none() && careless || asked {
            list.insert(0, self.assign(inner));
        }
        self.end_block(&declaration);
        Node::statement("d_step {\n").list(with(declaration, list), ";\n", 1).text("\n}")
    }

    fn block(&mut self, context: Context) -> Node {
        self.uses("block");
        let declaration = self.block_declaration(context);
        let list = self.some(context.inside());
        self.end_block(&declaration);
        Node::statement("{\n").list(with(declaration, list), ";\n", 1).text("\n}")
    }

    /// A variable for the block that begins here.
    fn block_declaration(&mut self, context: Context) -> Option<Node> {
        if !self.plan.blocks || context.inline || !self.random.chance(40) {
            return None;
        }
        self.uses("block-local declaration");
        let taken = |name: &str| self.scope.variables.iter().any(|it| it.base() == name);
        let name = ["t", "u", "v", "w"].into_iter().find(|name| !taken(name))?.to_string();
        let node = self.declared_value(&name);
        Some(node)
    }

    fn declared_value(&mut self, name: &str) -> Node {
        let ty = *self.random.pick(&[Ty::Byte, Ty::Bit, Ty::Short, Ty::Int]);
        let node = Node::statement(format!("{} {name}", ty.word()));
        let node = match self.random.below(3) {
            0 => node,
            1 => node.text(format!(" = {}", self.random.below(2))),
            _ if ty == Ty::Bit => node.text(" = (").node(self.expression(1)).text(") & 1"),
            _ => node.text(" = (").node(self.expression(1)).text(") & 3"),
        };
        self.scope.variables.push(Variable::plain(name, ty, false));
        node
    }

    fn end_block(&mut self, declaration: &Option<Node>) {
        if declaration.is_some() {
            let name = declaration.as_ref().map(Node::print).unwrap_or_default();
            let name = name.split_whitespace().nth(1).unwrap_or_default().to_string();
            self.scope.variables.retain(|it| it.base() != name);
        }
    }

    /// A declaration among statements of the same block: not visible to later ones here, so that it may be nested.
    fn late_declaration(&mut self) -> Node {
        self.uses("late declaration");
        self.names += 1;
        let name = format!("late{}", self.names);
        let node = self.declared_value(&name);
        self.scope.variables.pop();
        let Some(variable) = self.variable(|it| it.writable && !it.ty.is_mtype()) else { return node };
        let place = self.place(&variable);
        let use_it = Node::new(Sort::Statement).node(place).text(format!(" = {name} & 3"));
        Node::statement("").list(vec![node, use_it], ";\n", 1)
    }

    fn unless(&mut self, context: Context) -> Node {
        self.uses(if context.guarded { "nested unless" } else { "unless" });
        if context.atomic {
            self.uses("unless in atomic");
        }
        let main = self.some(Context { guarded: true, ..context.inside() });
        let inner = Context { depth: context.depth.min(1), ..context }.inside();
        let first = match self.random.below(10) {
            0..5 => Node::new(Sort::Statement).node(self.guard()),
            5 | 6 if self.plan.channels => self.receive(inner).unwrap_or_else(|| Node::statement("_nr_pr == 1")),
            // A rendezvous that finds no partner makes SPIN forget the other ways to escape.
            7 if self.plan.channels => self.send(inner).unwrap_or_else(|| Node::statement("_nr_pr == 1")),
            8 if self.plan.atomic && !context.atomic => self.atomic(inner),
            _ if self.plan.rendezvous => Node::new(Sort::Statement).node(self.guard()),
            _ => self.selection_without_else(inner),
        };
        let mut escape = vec![first];
        escape.extend(self.tail(Context { depth: 0, ..context }));
        let main = Node::statement("{\n").list(main, ";\n", 1);
        main.text("\n} unless {\n").list(apart(escape), ";\n", 1).text("\n}")
    }

    // Counting.

    fn counting(&mut self, context: Context) -> Option<Node> {
        let counter = self.scope.counters.pop()?;
        let node = self.count_with(&counter, context);
        self.scope.counters.push(counter);
        Some(node)
    }

    fn count_with(&mut self, counter: &str, context: Context) -> Node {
        let arrays: Vec<String> = self
            .scope
            .variables
            .iter()
            .filter(|it| it.path.len() == 1 && it.path[0].1.is_some())
            .map(|it| it.base().to_string())
            .collect();
        let head = match self.random.below(8) {
            0..6 if !context.d_step && self.for_in_channel().is_some() => {
                let (message, channel) = self.for_in_channel().expect("just seen");
                self.uses("for in channel");
                format!("for ({message} in {channel}) {{\n")
            }
            0 | 1 => {
                self.uses("select");
                let from = self.random.below(2);
                let to = from + self.random.below(3);
                return Node::statement(format!("select({counter} : {from} .. {to})"));
            }
            2 | 6 if !context.d_step => {
                self.uses("select computed");
                let to = self.small_bound();
                return Node::statement(format!("select({counter} : 0 .. {to})"));
            }
            3 | 4 if !arrays.is_empty() => {
                self.uses("for in array");
                format!("for ({counter} in {}) {{\n", self.random.pick(&arrays))
            }
            _ => {
                self.uses("for range");
                let to = if self.random.chance(60) { self.random.below(3).to_string() } else { self.small_bound() };
                format!("for ({counter} : 0 .. {to}) {{\n")
            }
        };
        let breakable = !context.d_step;
        let body = self.some(Context { repeats: true, breakable, ..context.inside() });
        Node::statement(head).list(body, ";\n", 1).text("\n}")
    }

    fn small_bound(&mut self) -> String {
        match self.variable(|it| it.is_plain() && it.ty.is_small()) {
            Some(variable) => variable.base().to_string(),
            None if self.plan.macros => "LIMIT".to_string(),
            None => "(_nr_pr & 1)".to_string(),
        }
    }

    fn for_in_channel(&self) -> Option<(String, String)> {
        let channels = self.scope.channels.iter().filter(|it| it.size.is_none() && it.rendezvous == Some(false));
        let fitting = channels.filter_map(|it| match it.fields[..] {
            [Field::Struct(row)] => Some((row, it.name.clone())),
            _ => None,
        });
        let mut pairs = fitting.flat_map(|(row, channel)| {
            let same = self.scope.structs.iter().filter(move |it| it.1 == row);
            same.map(move |it| (it.0.clone(), channel.clone()))
        });
        pairs.next()
    }

    // Processes and inlines.

    fn run(&mut self, context: Context) -> Option<Node> {
        if self.scope.startable.is_empty() || context.inline {
            return None;
        }
        let row = *self.random.pick(&self.scope.startable);
        self.run_of(row, context)
    }

    pub(super) fn run_of(&mut self, row: usize, context: Context) -> Option<Node> {
        let process = self.signatures[row].clone();
        let mut arguments = Vec::new();
        for parameter in &process.parameters {
            arguments.push(match *parameter {
                Parameter::Value(Ty::Mtype(list)) => self.mtype_constant(list),
                Parameter::Value(ty) => self.bounded(ty, context),
                Parameter::Channel => self.byte_channel()?,
                Parameter::Struct(row) => Node::expression(self.struct_variable(row)?),
            });
        }
        self.uses(if arguments.is_empty() { "run" } else { "run with arguments" });
        let mut node = Node::new(Sort::Statement);
        if self.random.chance(20)
            && let Some(variable) = self.variable(|it| it.writable && it.ty == Ty::Pid)
        {
            self.uses("run result");
            node = node.node(self.place(&variable)).text(" = ");
        }
        node = node.text(format!("run {}(", process.name)).list(arguments, ", ", usize::MAX).text(")");
        if self.plan.priorities && self.random.chance(60) {
            self.uses("run priority");
            node = node.text(format!(" priority {}", 1 + self.random.below(3)));
        }
        Some(node)
    }

    fn call(&mut self) -> Option<Node> {
        if self.inlines.is_empty() {
            return None;
        }
        let (name, channel, returns) = self.random.pick(&self.inlines).clone();
        // Wide enough for what the inline may receive into it.
        let holds_a_byte = |it: &Variable| matches!(it.ty, Ty::Byte | Ty::Pid | Ty::Short | Ty::Int);
        let target = self.variable(|it| it.writable && it.is_plain() && holds_a_byte(it))?;
        // Plain things only: SPIN takes a comma inside brackets for one between arguments.
        let plain = self.variable(|it| it.is_plain() && !it.ty.is_mtype()).filter(|_| self.random.chance(60));
        let value = match plain {
            Some(variable) if self.random.chance(50) => Node::expression(variable.base()),
            Some(variable) => Node::expression(format!("({} != {})", variable.base(), self.random.below(3))),
            None => self.number(),
        };
        if returns {
            self.uses("inline return");
            return Some(Node::statement(format!("{} = {name}(", target.base())).node(value).text(")"));
        }
        self.uses("inline");
        let node = Node::statement(format!("{name}({}, ", target.base())).node(value);
        if !channel {
            return Some(node.text(")"));
        }
        let through = self.byte_channel()?;
        self.uses("inline with channel");
        Some(node.text(", ").node(through).text(")"))
    }
}

fn branch(statements: Vec<Node>) -> Node {
    Node::new(Sort::Branch).text(":: ").list(apart(statements), ";\n", 1).text("\n")
}

/// A `break` just before a d_step counts as a jump into it: something has to stand between.
pub(super) fn apart(statements: Vec<Node>) -> Vec<Node> {
    let mut list: Vec<Node> = Vec::new();
    for statement in statements {
        let jumps = list.last().is_some_and(|before| {
            let before = before.print();
            before.contains("break") || ["for", "select", "change"].iter().any(|it| before.contains(it))
        });
        let text = statement.print();
        if jumps && text.trim_start_matches(['{', '\n', ' ']).starts_with("d_step") {
            list.push(Node::statement("skip"));
        }
        list.push(statement);
    }
    list
}

fn with(declaration: Option<Node>, list: Vec<Node>) -> Vec<Node> {
    apart(declaration.into_iter().chain(list).collect())
}

fn condition_in_parentheses(condition: Node) -> Node {
    Node::expression("(").node(condition).text(")")
}
