//! Random macros, types, global variables and inlines.
use super::Generator;
use super::scope::{Channel, Field, Struct, Ty, Variable};
use super::statement::Context;
use super::tree::{Node, Sort};

impl Generator {
    pub(super) fn macros(&mut self) -> Vec<Node> {
        if !self.plan.macros {
            return Vec::new();
        }
        let limit = 1 + self.random.below(3);
        let mut list = vec![
            format!("#define LIMIT {limit}\n"),
            "#define SMALL(v) ((v) < LIMIT)\n".to_string(),
            "#define TURN(v) v = (v + 1) % 3\n".to_string(),
        ];
        if self.random.chance(30) {
            self.uses("conditional compilation");
            list.push("#if LIMIT > 1 && !defined(ODD)\n#define EXTRA 1\n#else\n#define EXTRA 0\n#endif\n".to_string());
        }
        if self.random.chance(30) {
            self.uses("comment");
            list.push("/* about\n   nothing */ // at all\n".to_string());
        }
        list.into_iter().map(|it| Node::new(Sort::Unit).text(it)).collect()
    }

    pub(super) fn types(&mut self) -> Vec<Node> {
        let mut list = Vec::new();
        if self.plan.mtypes {
            list.push(Node::new(Sort::Unit).text("mtype = { red, green, blue };"));
            if self.random.chance(30) {
                self.uses("mtype subtype");
                list.push(Node::new(Sort::Unit).text("mtype:kind = { apple, pear };"));
            }
        }
        if self.plan.structs {
            list.push(self.first_struct());
            if self.random.chance(40) {
                list.push(self.second_struct());
            }
        }
        list
    }

    fn first_struct(&mut self) -> Node {
        self.uses("typedef");
        let mut leaves = Vec::new();
        let (mut message, mut parameter) = (true, true);
        let mut text = "typedef T {\n".to_string();
        for name in ["a", "b", "c"].into_iter().take(1 + self.random.below(3)) {
            let ty = self.any_type();
            let size = (!matches!(ty, Ty::Unsigned(_)) && self.plan.arrays && self.random.chance(25)).then_some(2);
            message &= !matches!(ty, Ty::Unsigned(_));
            parameter &= size.is_none();
            text += &format!("{};\n", declared(name, ty, size));
            leaves.push(Variable { path: vec![(name.to_string(), size)], ty, writable: true, global: true });
        }
        self.structs.push(Struct { name: "T".to_string(), leaves, message, parameter });
        Node::new(Sort::Unit).text(text + "}")
    }

    fn second_struct(&mut self) -> Node {
        self.uses("nested typedef");
        let size = (self.plan.arrays && self.random.chance(50)).then_some(2);
        if size.is_some() {
            self.uses("struct array");
        }
        let inner = self.structs[0].clone();
        let mut leaves = vec![Variable::plain("d", Ty::Byte, true)];
        leaves.extend(inner.leaves.iter().map(|leaf| {
            let path = std::iter::once(("s".to_string(), size)).chain(leaf.path.clone()).collect();
            Variable { path, ..leaf.clone() }
        }));
        let message = inner.message && size.is_none();
        let parameter = inner.parameter && size.is_none();
        self.structs.push(Struct { name: "S".to_string(), leaves, message, parameter });
        let brackets = size.map_or(String::new(), |it| format!("[{it}]"));
        Node::new(Sort::Unit).text(format!("typedef S {{\nbyte d;\nT s{brackets}\n}}"))
    }

    fn has_kinds(&self) -> bool {
        self.used.contains("mtype subtype")
    }

    pub(super) fn any_type(&mut self) -> Ty {
        match self.random.below(16) {
            0..3 => Ty::Bit,
            3 => Ty::Bool,
            4..9 => Ty::Byte,
            9 => Ty::Short,
            10 => Ty::Int,
            11 => Ty::Unsigned(1 + self.random.below(4) as u8),
            12 => Ty::Pid,
            13 if self.plan.mtypes && self.has_kinds() && self.random.chance(40) => Ty::Mtype(1),
            13..15 if self.plan.mtypes => Ty::Mtype(0),
            _ => Ty::Byte,
        }
    }

    /// A variable with or without brackets and initial value; enters the scope.
    pub(super) fn declare(&mut self, name: &str, global: bool) -> Node {
        let ty = self.any_type();
        self.uses(type_feature(ty, global));
        let array = self.plan.arrays && !matches!(ty, Ty::Unsigned(_)) && self.random.chance(35);
        let size = array.then(|| *self.random.pick(&[2, 2, 3, 4]));
        let mut text = declared(name, ty, size);
        let prefix = self.prefix(ty, global && size.is_none());
        match self.random.below(10) {
            0..4 => {}
            4 if size.is_some() && !ty.is_mtype() => {
                self.uses("array initialiser list");
                text += if ty.is_small() { " = { 1, 0 }" } else { " = { 1, 2 }" };
            }
            5 | 6 if size.is_none() && !ty.is_mtype() && !ty.is_small() => {
                // SPIN gives first values type by type, not in the order of the text.
                let plain =
                    self.variable(|it| it.is_plain() && (it.ty == ty || it.global && !global && !it.ty.is_mtype()));
                if let Some(variable) = plain {
                    self.uses("initial expression");
                    text += &format!(" = {} + 1", variable.base());
                }
            }
            _ => text += &format!(" = {}", self.initial(ty)),
        }
        if size.is_some() {
            self.uses("array");
        }
        if prefix != "hidden " {
            self.scope.variables.push(Variable { path: vec![(name.to_string(), size)], ty, writable: true, global });
        }
        Node::new(Sort::Unit).text(format!("{prefix}{text};"))
    }

    fn initial(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Mtype(list) => self.random.pick(super::MTYPES[list]).to_string(),
            Ty::Bit | Ty::Bool | Ty::Unsigned(1) => self.random.below(2).to_string(),
            _ => self.random.below(4).to_string(),
        }
    }

    /// A hidden variable is declared and never used: what it holds depends on the way.
    fn prefix(&mut self, ty: Ty, allowed: bool) -> &'static str {
        if !allowed || !self.random.chance(8) {
            return "";
        }
        match self.random.below(3) {
            0 if !matches!(ty, Ty::Bit | Ty::Bool) => {
                self.uses("hidden");
                "hidden "
            }
            1 => {
                self.uses("show");
                "show "
            }
            _ => {
                self.uses("local prefix");
                "local "
            }
        }
    }

    pub(super) fn globals(&mut self) -> Vec<Node> {
        let mut list = Vec::new();
        for row in 0..1 + self.random.below(3) {
            list.push(self.declare(["x", "y", "z"][row], true));
        }
        for row in 0..self.structs.len() {
            list.push(self.struct_declaration(["g", "h"][row], row, true));
        }
        if self.plan.channels {
            list.extend(self.channel_declarations());
        }
        list
    }

    pub(super) fn struct_declaration(&mut self, name: &str, row: usize, global: bool) -> Node {
        let shape = self.structs[row].clone();
        let size = (self.plan.arrays && self.random.chance(30)).then_some(2);
        if size.is_some() {
            self.uses("struct array");
        } else {
            self.scope.structs.push((name.to_string(), row));
        }
        for leaf in &shape.leaves {
            let path = std::iter::once((name.to_string(), size)).chain(leaf.path.clone()).collect();
            self.scope.variables.push(Variable { path, global, ..leaf.clone() });
        }
        let brackets = size.map_or(String::new(), |it| format!("[{it}]"));
        Node::new(Sort::Unit).text(format!("{} {name}{brackets};", shape.name))
    }

    fn channel_declarations(&mut self) -> Vec<Node> {
        let mut list = Vec::new();
        let count = 1 + self.random.below(2);
        for name in ["p", "q"].into_iter().take(count) {
            let fields = self.fields();
            list.push(self.channel_declaration(name, fields));
        }
        if self.plan.channel_passing || self.random.chance(20) {
            list.push(self.channel_declaration("r", vec![Field::Value(Ty::Byte)]));
        }
        if self.plan.channel_passing && self.random.chance(60) {
            list.push(self.channel_declaration("c", vec![Field::Channel]));
        }
        list
    }

    fn fields(&mut self) -> Vec<Field> {
        let count = 1 + self.random.below(3);
        if count > 1 {
            self.uses("several fields");
        }
        let sendable = self.structs.iter().position(|it| it.message);
        let mut fields = Vec::new();
        for row in 0..count {
            let field = match (self.any_type(), sendable) {
                (_, Some(which)) if self.random.chance(30) && row == 0 => {
                    self.uses("struct message");
                    fields.push(Field::Struct(which));
                    if self.random.chance(75) {
                        return fields;
                    }
                    continue;
                }
                (Ty::Unsigned(_), _) => Field::Value(Ty::Byte),
                (ty, _) => Field::Value(ty),
            };
            fields.push(field);
        }
        fields
    }

    pub(super) fn channel_declaration(&mut self, name: &str, fields: Vec<Field>) -> Node {
        let rendezvous = self.plan.rendezvous && self.random.chance(55);
        let capacity = if rendezvous { 0 } else { 1 + self.random.below(3) };
        self.uses(if rendezvous { "rendezvous channel" } else { "buffered channel" });
        let size = self.random.chance(15).then_some(2);
        if size.is_some() {
            self.uses("channel array");
        }
        let words: Vec<String> = fields.iter().map(|it| self.field_word(*it)).collect();
        let brackets = size.map_or(String::new(), |it| format!("[{it}]"));
        let text = format!("chan {name}{brackets} = [{capacity}] of {{ {} }};", words.join(", "));
        self.scope.channels.push(Channel { name: name.to_string(), size, fields, rendezvous: Some(rendezvous) });
        Node::new(Sort::Unit).text(text)
    }

    fn field_word(&self, field: Field) -> String {
        match field {
            Field::Value(ty) => ty.word().to_string(),
            Field::Channel => "chan".to_string(),
            Field::Struct(row) => self.structs[row].name.clone(),
        }
    }

    pub(super) fn inline_definitions(&mut self) -> Vec<Node> {
        if !self.plan.inlines {
            return Vec::new();
        }
        let outer = self.scope.clone();
        self.scope.variables.push(Variable::plain("place", Ty::Byte, false));
        let value = Variable { writable: false, ..Variable::plain("value", Ty::Byte, false) };
        self.scope.variables.push(value);
        let channel = self.plan.channels && self.plan.channel_passing && self.random.chance(50);
        if channel {
            let through = Channel {
                name: "through".to_string(),
                size: None,
                fields: vec![Field::Value(Ty::Byte)],
                rendezvous: None,
            };
            self.scope.channels.push(through);
        }
        let context = Context { depth: 1, repeats: true, inline: true, ..Context::default() };
        let count = 1 + self.random.below(3);
        let body = self.sequence(context, count);
        self.scope = outer;
        let parameters = if channel { "place, value, through" } else { "place, value" };
        let head = format!("inline change({parameters}) {{\n");
        self.inlines.push(("change".to_string(), channel, false));
        let mut list = vec![Node::new(Sort::Unit).text(head).list(body, ";\n", 1).text("\n}")];
        if self.random.chance(25) {
            self.inlines.push(("twice".to_string(), false, true));
            list.push(Node::new(Sort::Unit).text("inline twice(value) {\nreturn (value * 2) % 3\n}"));
        }
        list
    }
}

/// A variable as a declaration writes it.
pub(super) fn declared(name: &str, ty: Ty, size: Option<u32>) -> String {
    let brackets = size.map_or(String::new(), |it| format!("[{it}]"));
    match ty {
        Ty::Unsigned(width) => format!("unsigned {name} : {width}"),
        _ => format!("{} {name}{brackets}", ty.word()),
    }
}

pub(super) fn type_feature(ty: Ty, global: bool) -> &'static str {
    let names = match ty {
        Ty::Bit => ["global bit", "local bit"],
        Ty::Bool => ["global bool", "local bool"],
        Ty::Byte => ["global byte", "local byte"],
        Ty::Short => ["global short", "local short"],
        Ty::Int => ["global int", "local int"],
        Ty::Unsigned(_) => ["global unsigned", "local unsigned"],
        Ty::Pid => ["global pid", "local pid"],
        Ty::Mtype(_) => ["global mtype", "local mtype"],
    };
    names[usize::from(!global)]
}
