//! Random processes.
use super::Generator;
use super::declaration::{declared, type_feature};
use super::scope::{Channel, Field, Parameter, Signature, Ty, Variable};
use super::statement::{Context, apart};
use super::tree::{Node, Part, Sort};

/// How a process comes to life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Birth {
    Active(usize),
    Run,
}

impl Generator {
    pub(super) fn processes(&mut self) -> Vec<Node> {
        let births = self.births();
        let init = births.contains(&Birth::Run) || self.random.chance(25);
        self.signatures = births.iter().enumerate().map(|(row, birth)| self.signature(row, *birth)).collect();
        self.declared = vec![false; births.len()];
        let init_first = init && self.random.chance(20);
        self.number_processes(&births, init, init_first);
        let mut units = Vec::new();
        let last = self.random.below(100);
        if init_first {
            units.push(self.init(&births, 0, 0));
        }
        for (row, birth) in births.iter().enumerate() {
            units.push(self.process(row, *birth));
            self.declared[row] = true;
        }
        if init && !init_first {
            units.push(self.init(&births, last, self.first_pids - 1));
        }
        units
    }

    fn births(&mut self) -> Vec<Birth> {
        let count = if self.plan.dynamic { 1 + self.random.below(2) } else { 2 };
        let mut births: Vec<Birth> = (0..count).map(|_| Birth::Active(1)).collect();
        if self.random.chance(25) {
            self.uses("active several");
            let row = self.random.below(births.len());
            births[row] = Birth::Active(2);
        } else if !self.plan.dynamic && self.random.chance(20) {
            births.push(Birth::Active(1));
        }
        if self.plan.dynamic {
            births.push(Birth::Run);
            if self.random.chance(40) {
                births[0] = Birth::Run;
            }
        }
        births
    }

    fn number_processes(&mut self, births: &[Birth], init: bool, init_first: bool) {
        let mut next = usize::from(init && init_first);
        for (row, birth) in births.iter().enumerate() {
            let Birth::Active(count) = *birth else { continue };
            self.signatures[row].pids = (next..next + count).collect();
            next += count;
        }
        self.first_pids = next + usize::from(init && !init_first);
    }

    fn signature(&mut self, row: usize, birth: Birth) -> Signature {
        let name = ["A", "B", "C", "D"][row].to_string();
        let mut parameters = Vec::new();
        let wanted = if birth == Birth::Run { self.random.below(3) } else { usize::from(self.random.chance(10)) };
        let byte_channel = self.scope.channels.iter().any(|it| it.fields == [Field::Value(Ty::Byte)]);
        for _ in 0..wanted {
            let shape = self.structs.iter().position(|it| it.parameter);
            let known = shape.filter(|row| self.scope.structs.iter().any(|it| it.1 == *row));
            parameters.push(match (self.any_type(), known) {
                (_, Some(row)) if birth == Birth::Run && self.random.chance(25) => {
                    self.uses("struct parameter");
                    Parameter::Struct(row)
                }
                _ if birth == Birth::Run && byte_channel && self.plan.channel_passing && self.random.chance(50) => {
                    self.uses("channel parameter");
                    Parameter::Channel
                }
                (Ty::Unsigned(_), _) => Parameter::Value(Ty::Byte),
                (ty, _) => Parameter::Value(ty),
            });
        }
        let startable = self.plan.gotos.then(|| vec!["L0".to_string()]);
        Signature { name, parameters, labels: startable.unwrap_or_default(), ..Signature::default() }
    }

    fn process(&mut self, row: usize, birth: Birth) -> Node {
        let outer = self.scope.clone();
        let signature = self.signatures[row].clone();
        let parameters = self.parameters(&signature.parameters);
        self.scope.own_pids = signature.pids.clone();
        self.scope.curious = row == 0 && self.first_pids > signature.pids.len();
        let can_start = |&other: &usize| self.signatures[other].pids.is_empty() && other > row;
        self.scope.startable = (0..self.signatures.len()).filter(can_start).collect();
        let head = self.head(&signature.name, birth, &parameters);
        let body = self.body(Some(row));
        self.scope = outer;
        Node::new(Sort::Unit).text(head).list(body, ";\n", 1).text("\n}")
    }

    fn parameters(&mut self, list: &[Parameter]) -> String {
        let mut texts = Vec::new();
        for (row, parameter) in list.iter().enumerate() {
            let name = ["k", "l", "m"][row];
            texts.push(match *parameter {
                Parameter::Value(ty) => {
                    self.uses(type_feature(ty, false));
                    self.scope.variables.push(Variable::plain(name, ty, false));
                    declared(name, ty, None)
                }
                Parameter::Channel => {
                    let fields = vec![Field::Value(Ty::Byte)];
                    self.scope.channels.push(Channel { name: name.to_string(), size: None, fields, rendezvous: None });
                    format!("chan {name}")
                }
                Parameter::Struct(row) => {
                    let shape = self.structs[row].clone();
                    for leaf in &shape.leaves {
                        let path = std::iter::once((name.to_string(), None)).chain(leaf.path.clone()).collect();
                        self.scope.variables.push(Variable { path, global: false, ..leaf.clone() });
                    }
                    format!("{} {name}", shape.name)
                }
            });
        }
        texts.join("; ")
    }

    fn head(&mut self, name: &str, birth: Birth, parameters: &str) -> String {
        let active = match birth {
            Birth::Run => String::new(),
            Birth::Active(1) => "active ".to_string(),
            Birth::Active(count) => format!("active [{count}] "),
        };
        if birth != Birth::Run {
            self.uses("active");
        }
        let deterministic = self.plan.deterministic && self.random.chance(50);
        if deterministic {
            self.uses("D_proctype");
        }
        let word = if deterministic { "D_proctype" } else { "proctype" };
        let mut head = format!("{active}{word} {name}({parameters})");
        if self.plan.priorities && birth != Birth::Run && self.random.chance(70) {
            self.uses("priority");
            head += &format!(" priority {}", 1 + self.random.below(3));
        }
        if self.plan.provided && self.random.chance(50) {
            self.uses("provided");
            let variable = self.variable(|it| it.global && it.is_plain() && !it.ty.is_mtype());
            let condition = match variable {
                Some(it) => {
                    format!("{} {} {}", it.base(), self.random.pick(&["<", "!=", "<="]), 1 + self.random.below(2))
                }
                None => "_pid < 2".to_string(),
            };
            head += &format!(" provided ({condition})");
        }
        head + " {\n" + if self.plan.priorities { PADDING } else { "" }
    }

    /// Declarations and statements of process `row`, or of `init`.
    fn body(&mut self, row: Option<usize>) -> Vec<Node> {
        let mut list = Vec::new();
        for name in ["i", "j", "n"].into_iter().take(self.random.below(3)) {
            let mut node = self.declare(name, false);
            node.sort = Sort::Statement;
            strip_semicolon(&mut node);
            list.push(node);
            let plain = self.scope.variables.last().filter(|it| it.is_plain() && it.base() == name);
            let name = plain.map(|it| it.base().to_string());
            if let Some(row) = row {
                self.signatures[row].variables.extend(name);
            }
        }
        if !self.structs.is_empty() && self.random.chance(20) {
            let row = self.random.below(self.structs.len());
            let mut node = self.struct_declaration("e", row, false);
            strip_semicolon(&mut node);
            list.push(node);
        }
        list.extend(self.local_channels());
        if self.plan.counting {
            list.push(Node::statement("byte f"));
            self.scope.counters.push("f".to_string());
            self.scope.variables.push(Variable { writable: false, ..Variable::plain("f", Ty::Byte, false) });
        }
        if self.plan.gotos && row.is_some() {
            self.scope.labels.push("L0".to_string());
        }
        let count = 2 + self.random.below(4);
        let context = Context { depth: 2, repeats: self.plan.gotos, ..Context::default() };
        let debts = std::mem::take(&mut self.debts);
        let mut statements: Vec<Node> = (0..count).map(|_| self.statement(context)).collect();
        for channel in debts.iter().take(3) {
            if let Some(receive) = self.receive_of(channel).filter(|_| self.random.chance(70)) {
                let at = self.random.below(statements.len() + 1);
                statements.insert(at, receive);
            }
        }
        if self.plan.loops && self.random.chance(45) {
            statements.push(self.repetition(context).labelable());
        }
        if row.is_some() {
            self.label(&mut statements);
        }
        list.extend(apart(statements));
        list
    }

    fn local_channels(&mut self) -> Vec<Node> {
        let mut list = Vec::new();
        if self.plan.channels && self.random.chance(10) {
            self.uses("local channel");
            let mut node = self.channel_declaration("o", vec![Field::Value(Ty::Byte)]);
            strip_semicolon(&mut node);
            list.push(node);
        }
        if self.plan.channel_passing {
            list.push(Node::statement("chan s"));
            self.scope.channel_variables.push("s".to_string());
        }
        list
    }

    /// Puts the labels that jumps name, and some that nobody names.
    fn label(&mut self, statements: &mut Vec<Node>) {
        for name in self.scope.labels.clone() {
            let mut places = Vec::new();
            statements.iter().enumerate().for_each(|(row, it)| collect(it, row, &mut vec![], &mut places));
            match places.is_empty() {
                true => statements.push(Node::statement(format!("{name}: skip"))),
                false => {
                    let (row, path) = self.random.pick(&places).clone();
                    put_label(&mut statements[row], &path, &name);
                }
            }
        }
        let (prefix, feature) = match self.random.below(20) {
            0..5 => ("end", "end label"),
            5 => ("progress", "progress label"),
            6 => ("accept", "accept label"),
            _ => return,
        };
        let free = statements.iter().rposition(|it| it.labelable);
        if let Some(row) = free {
            self.uses(feature);
            let suffix = *self.random.pick(&["", "1", "_here"]);
            put_label(&mut statements[row], &[], &format!("{prefix}{suffix}"));
        }
    }

    fn init(&mut self, births: &[Birth], choice: usize, pid: usize) -> Node {
        self.uses("init");
        let outer = self.scope.clone();
        self.scope.own_pids = vec![pid];
        let priority = self.plan.priorities && self.random.chance(50);
        let head = if priority { "init priority 2 {\n" } else { "init {\n" };
        let head = head.to_string() + if self.plan.priorities { PADDING } else { "" };
        let runs: Vec<usize> = (0..births.len()).filter(|&row| births[row] == Birth::Run).collect();
        if runs.is_empty() {
            let body = self.body(None);
            self.scope = outer;
            return Node::new(Sort::Unit).text(head).list(body, ";\n", 1).text("\n}");
        }
        let mut declarations = Vec::new();
        if self.random.chance(30) {
            declarations.push(Node::statement("pid n"));
            self.scope.variables.push(Variable::plain("n", Ty::Pid, false));
            self.uses("local pid");
        }
        let context = Context { depth: 1, ..Context::default() };
        let mut starts = Vec::new();
        for &row in &runs {
            for _ in 0..1 + usize::from(self.random.chance(25)) {
                starts.extend(self.run_of(row, context));
            }
        }
        if starts.is_empty() {
            starts.push(Node::statement("skip"));
        }
        if choice.is_multiple_of(2) {
            self.uses("atomic");
            starts = vec![Node::statement("atomic {\n").list(starts, ";\n", 1).text("\n}")];
        }
        if choice.is_multiple_of(5) {
            self.uses("waits for children");
            starts.push(Node::statement(format!("(_nr_pr == {})", self.first_pids)));
            if let Some(&row) = runs.first() {
                starts.extend(self.run_of(row, context));
            }
        } else if choice.is_multiple_of(3) {
            starts.push(self.statement(context));
        }
        self.scope = outer;
        declarations.extend(starts);
        Node::new(Sort::Unit).text(head).list(declarations, ";\n", 1).text("\n}")
    }
}

/// SPIN takes the byte after its own for padding if a process has nothing but bits: with priorities,
/// the priority and the bits are then no part of the state.
const PADDING: &str = "byte own;\n";

fn strip_semicolon(node: &mut Node) {
    if let Some(Part::Text(text)) = node.parts.last_mut()
        && text.ends_with(';')
    {
        text.pop();
    }
}

/// Ways to the statements that can be labelled.
fn collect(node: &Node, row: usize, path: &mut Vec<usize>, places: &mut Vec<(usize, Vec<usize>)>) {
    if node.labelable {
        places.push((row, path.clone()));
    }
    for (child, inner) in node.children().enumerate() {
        path.push(child);
        collect(inner, row, path, places);
        path.pop();
    }
}

fn put_label(node: &mut Node, path: &[usize], name: &str) {
    match path.split_first() {
        None => {
            node.parts.insert(0, Part::Text(format!("{name}: ")));
            node.labelable = false;
        }
        Some((child, rest)) => {
            let inner = node.children_mut().nth(*child).expect("a path that was just walked");
            put_label(inner, rest, name);
        }
    }
}
