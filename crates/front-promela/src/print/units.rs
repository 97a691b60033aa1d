//! Units and declarations as text.
use super::Printer;
use super::words::string;
use crate::ast::{
    Ctl, Declaration, Declarator, Embedded, Enumeration, Expr, Ident, Initial, Inline, Invariant, Ltl, Mtype, Never,
    Prefix, Process, Trace, Type, TypeKind, Typedef, Unit,
};
use crate::token::Keyword;

impl Printer {
    /// One unit and the end of its last line.
    pub(super) fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Process(process) => self.process(process),
            Unit::Never(never) => self.never(never),
            Unit::Ltl(ltl) => self.ltl(ltl),
            Unit::Ctl(ctl) => self.ctl(ctl),
            Unit::Fairness(fairness) => self.in_braces("fairness ", &fairness.condition),
            Unit::Trace(trace) => self.trace(trace),
            Unit::Declaration(declaration) => self.ended(|it| it.declaration(declaration)),
            Unit::Mtype(mtype) => self.ended(|it| it.mtype(mtype)),
            Unit::Typedef(typedef) => self.typedef(typedef),
            Unit::Inline(inline) => self.inline(inline),
            Unit::Embedded(embedded) => self.embedded(embedded),
            Unit::Enumeration(enumeration) => self.ended(|it| it.enumeration(enumeration)),
            Unit::Invariant(invariant) => self.ended(|it| it.invariant(invariant)),
        }
        self.put("\n");
    }

    fn ended(&mut self, print: impl FnOnce(&mut Self)) {
        print(self);
        self.put(";");
    }

    fn process(&mut self, process: &Process) {
        match &process.name {
            Some(name) => self.process_head(process, name),
            None => self.put("init"),
        }
        self.priority(process.priority.as_ref());
        self.optional(" provided (", process.provided.as_ref(), |printer, condition| {
            printer.expression(condition);
            printer.put(")");
        });
        self.put(" ");
        self.block(&process.body);
    }

    fn process_head(&mut self, process: &Process, name: &Ident) {
        self.optional("active ", process.active.as_ref(), |printer, active| {
            printer.index(active.count.as_ref());
            printer.put(if active.count.is_some() { " " } else { "" });
        });
        self.put(if process.deterministic { "D_proctype " } else { "proctype " });
        self.put(&name.name);
        self.put("(");
        self.separated(&process.parameters, "; ", Self::declaration);
        self.put(")");
    }

    fn never(&mut self, never: &Never) {
        self.put("never ");
        self.name_before_brace(never.name.as_ref());
        self.block(&never.body);
    }

    fn name_before_brace(&mut self, name: Option<&Ident>) {
        self.optional("", name, |printer, it| {
            printer.put(&it.name);
            printer.put(" ");
        });
    }

    fn ltl(&mut self, ltl: &Ltl) {
        self.put("ltl ");
        self.name_before_brace(ltl.name.as_ref());
        self.in_braces("", &ltl.formula);
    }

    fn ctl(&mut self, ctl: &Ctl) {
        self.put("ctl ");
        self.name_before_brace(ctl.name.as_ref());
        self.in_braces("", &ctl.formula);
    }

    fn in_braces(&mut self, word: &str, formula: &Expr) {
        self.put(word);
        self.put("{ ");
        self.expression(formula);
        self.put(" }");
    }

    fn trace(&mut self, trace: &Trace) {
        self.put(if trace.forbidden { "notrace " } else { "trace " });
        self.block(&trace.body);
    }

    fn mtype(&mut self, mtype: &Mtype) {
        self.put("mtype");
        self.optional(":", mtype.subtype.as_ref(), |printer, it| printer.put(&it.name));
        self.put(" = { ");
        self.names(&mtype.names);
        self.put(" }");
    }

    fn names(&mut self, names: &[Ident]) {
        self.separated(names, ", ", |printer, it| printer.put(&it.name));
    }

    fn typedef(&mut self, typedef: &Typedef) {
        self.put("typedef ");
        self.put(&typedef.name.name);
        self.put(" {");
        self.indent += 1;
        for field in &typedef.fields {
            self.line();
            self.ended(|it| it.declaration(field));
        }
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    /// The body's lines are laid out already.
    fn inline(&mut self, inline: &Inline) {
        self.put("inline ");
        self.put(&inline.name.name);
        self.put("(");
        self.names(&inline.parameters);
        self.put(") {\n    ");
        self.put(&inline.body);
        self.put("\n}");
    }

    fn embedded(&mut self, embedded: &Embedded) {
        match (embedded.keyword, &embedded.texts[..]) {
            (Keyword::CState | Keyword::CTrack, texts) => {
                self.put(embedded.keyword.text());
                texts.iter().for_each(|it| self.put(&format!(" {}", string(it))));
            }
            (keyword, [precondition, text]) => self.code(keyword.text(), Some(precondition), text),
            (keyword, texts) => texts.iter().for_each(|it| self.code(keyword.text(), None, it)),
        }
    }

    fn enumeration(&mut self, enumeration: &Enumeration) {
        self.put("typedef enum { ");
        self.names(&enumeration.names);
        self.put(" } ");
        self.put(&enumeration.name.name);
    }

    fn invariant(&mut self, invariant: &Invariant) {
        self.put("invariant ");
        self.put(&invariant.name.name);
        self.put(" ");
        self.expression(&invariant.condition);
    }

    /// Variables declared together.
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        self.put(match declaration.prefix {
            Some(Prefix::Hidden) => "hidden ",
            Some(Prefix::Show) => "show ",
            Some(Prefix::Local) => "local ",
            None => "",
        });
        self.ty(&declaration.ty);
        self.put(" ");
        self.separated(&declaration.variables, ", ", Self::declarator);
    }

    fn declarator(&mut self, variable: &Declarator) {
        self.put(&variable.name.name);
        self.optional(" : ", variable.width.as_ref(), Self::small_constant);
        self.index(variable.size.as_ref());
        self.optional(" = ", variable.initial.as_ref(), Self::initial);
    }

    fn initial(&mut self, initial: &Initial) {
        match initial {
            Initial::Value(value) => self.expression(value),
            Initial::List(values) => {
                self.put("{ ");
                self.separated(values, ", ", Self::expression);
                self.put(" }");
            }
            Initial::Channel { capacity, fields } => {
                self.index(Some(capacity));
                self.put(" of { ");
                self.separated(fields, ", ", Self::ty);
                self.put(" }");
            }
        }
    }

    fn ty(&mut self, ty: &Type) {
        self.put(match &ty.kind {
            TypeKind::Bit => "bit",
            TypeKind::Bool => "bool",
            TypeKind::Byte => "byte",
            TypeKind::Pid => "pid",
            TypeKind::Short => "short",
            TypeKind::Int => "int",
            TypeKind::Unsigned => "unsigned",
            TypeKind::Chan => "chan",
            TypeKind::Mtype(_) => "mtype",
            TypeKind::Named(name) => &name.name,
            TypeKind::Lock => "lock",
            TypeKind::Sema => "sema",
        });
        if let TypeKind::Mtype(Some(subtype)) = &ty.kind {
            self.put(":");
            self.put(&subtype.name);
        }
    }
}
