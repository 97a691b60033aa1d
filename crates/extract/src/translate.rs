//! The model of a program: declarations, threads, and the text with its origins.
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use front_c::ast::{Expr, Function, Init, Type, Unit, Variable};
use front_c::{constants, print};
use text::{Diagnostic, Sources, Span};

use crate::names::safe;
use crate::table::Table;
use crate::{Fragment, Model, Origin, Quality};

/// Threads at once: their numbers are bits of what waits for a condition.
pub(crate) const MOST_THREADS: usize = 8;

/// What to extract.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Functions that become processes; without any, `main` and the threads that it starts.
    pub functions: Vec<String>,
    /// What fragments become.
    pub table: Table,
    /// Promela before and after the model.
    pub before: String,
    /// See there.
    pub after: String,
}

/// A place for values.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub text: String,
    pub ty: Type,
    pub shared: bool,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Thing {
    /// A variable.
    Place(Place),
    /// A pointer that always points there.
    Alias(Place),
    /// Something of which nothing is known.
    Unknown,
}

/// A line of a process.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub indent: usize,
    pub text: String,
    pub origin: Option<Origin>,
}

pub(crate) struct Translator<'a> {
    pub unit: &'a Unit,
    pub sources: &'a Sources,
    pub table: &'a Table,
    pub scopes: Vec<HashMap<Rc<str>, Thing>>,
    pub lines: Vec<Line>,
    pub indent: usize,
    /// Declarations of the present process.
    pub locals: Vec<String>,
    pub used: HashSet<String>,
    pub temporaries: usize,
    pub labels: usize,
    pub calls: Vec<Rc<str>>,
    /// Processes still to be written: name in the model, function, what its argument is.
    pub waiting: Vec<(String, Rc<Function>, Option<Thing>)>,
    pub started: Vec<(String, Rc<str>, String)>,
    pub fragments: Vec<Fragment>,
    pub diagnostics: Vec<Diagnostic>,
    pub here: Option<Origin>,
    pub exits: Vec<crate::statements::Exit>,
    pub threaded: bool,
}

/// The model of a program.
pub fn model(unit: &Unit, sources: &Sources, request: &Request) -> Model {
    let it = Translator {
        unit,
        sources,
        table: &request.table,
        scopes: vec![HashMap::new()],
        lines: Vec::new(),
        indent: 0,
        locals: Vec::new(),
        used: HashSet::new(),
        temporaries: 0,
        labels: 0,
        calls: Vec::new(),
        waiting: Vec::new(),
        started: Vec::new(),
        fragments: Vec::new(),
        diagnostics: Vec::new(),
        here: None,
        exits: Vec::new(),
        threaded: request.functions.is_empty(),
    };
    it.whole(request)
}

impl Translator<'_> {
    fn whole(mut self, request: &Request) -> Model {
        let mut head = vec![request.before.clone()];
        self.records(&mut head, &request.before);
        self.globals(&mut head, &request.before);
        if self.threaded {
            head.push(format!("byte threads;\nbool done[{MOST_THREADS}];\nbool spurious = true;\n"));
        }
        let roots = if self.threaded { vec!["main".to_string()] } else { request.functions.clone() };
        for name in &roots {
            match self.unit.function(name) {
                Some(function) => self.waiting.push((safe(name), function.clone(), None)),
                None => self.missing(name),
            }
        }
        let mut done = 0;
        while done < self.waiting.len() {
            let (name, function, argument) = self.waiting[done].clone();
            self.process(&name, &function, argument, done < roots.len());
            done += 1;
        }
        self.written(&head.concat(), &request.after)
    }

    fn missing(&mut self, name: &str) {
        let known = self.unit.functions.iter().map(|it| &*it.name);
        let help = match text::closest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "choose functions with `-f NAME`; a function needs a body in this file".into(),
        };
        self.diagnostics
            .push(Diagnostic::global("missing-function", format!("there is no function `{name}`")).help(help));
    }

    /// Which words of a harness are declared there.
    fn declares(before: &str, name: &str) -> bool {
        before.split(|it: char| !(it.is_alphanumeric() || it == '_')).any(|it| it == name)
    }

    fn records(&mut self, head: &mut Vec<String>, before: &str) {
        let mut shared: Vec<&Type> = self
            .unit
            .declarations
            .iter()
            .filter(|it| !it.is_extern)
            .flat_map(|it| &it.variables)
            .map(|it| &it.ty)
            .collect();
        shared.retain(|it| !matches!(it.plain(), Type::Function(..)));
        let mut known = HashSet::new();
        for ty in shared {
            self.record(ty, head, before, &mut known, 0);
        }
    }

    fn record(&self, ty: &Type, head: &mut Vec<String>, before: &str, known: &mut HashSet<String>, depth: usize) {
        let of = if let Type::Array(of, _) = ty.plain() { of } else { ty };
        let (Type::Record(id), None) = (of.plain(), primitive(of)) else { return };
        let name = record_name(self.unit, of);
        if depth > 20 || !known.insert(name.clone()) || Self::declares(before, &name) {
            return;
        }
        let record = &self.unit.records[id.0 as usize];
        let mut body = String::new();
        for (field, ty) in &record.fields {
            self.record(ty, head, before, known, depth + 1);
            if let (Some(field), Some(declared)) =
                (field, field.as_ref().and_then(|it| declaration(self.unit, ty, &safe(it))))
            {
                let _ = field;
                body += &format!("    {declared};\n");
            }
        }
        if !body.is_empty() && !record.is_union {
            head.push(format!("typedef {name} {{\n{body}}}\n"));
        }
    }

    fn globals(&mut self, head: &mut Vec<String>, before: &str) {
        let unit = self.unit;
        for it in unit.declarations.iter().filter(|it| !it.is_extern && !it.is_typedef) {
            for variable in &it.variables {
                if matches!(variable.ty.plain(), Type::Function(..))
                    || self.sources.place(variable.span).file.starts_with(['<', '/'])
                        && !self.sources.place(it.span).file.ends_with(".c")
                {
                    continue;
                }
                self.global(variable, head, before);
            }
        }
    }

    fn global(&mut self, it: &Variable, head: &mut Vec<String>, before: &str) {
        let name = safe(&it.name);
        self.used.insert(name.clone());
        let Some(declared) = declaration(self.unit, &it.ty, &name) else {
            self.scopes[0].insert(it.name.clone(), Thing::Unknown);
            return;
        };
        self.scopes[0]
            .insert(it.name.clone(), Thing::Place(Place { text: name.clone(), ty: it.ty.clone(), shared: true }));
        if Self::declares(before, &name) {
            return;
        }
        let init = if primitive(&it.ty).is_some_and(|it| it.1) { None } else { it.init.as_ref() };
        let text = match init {
            None => String::new(),
            Some(Init::Single(value)) => match constants::value(self.unit, value) {
                Some(value) => format!(" = {value}"),
                None => self.bad_init(it),
            },
            Some(Init::List(list)) => {
                let values: Option<Vec<String>> = list
                    .iter()
                    .map(|it| match &it.value {
                        Init::Single(value) if it.designators.is_empty() => {
                            constants::value(self.unit, value).map(|it| it.to_string())
                        }
                        _ => None,
                    })
                    .collect();
                let zero = values.as_ref().is_some_and(|it| it.iter().all(|it| it == "0"));
                match (values, it.ty.plain()) {
                    _ if zero => String::new(),
                    (Some(mut values), Type::Array(_, Some(length)))
                        if primitive(array_of(&it.ty)).is_none() && scalar(array_of(&it.ty)).is_some() =>
                    {
                        values.resize(*length as usize, "0".into());
                        format!(" = {{{}}}", values.join(", "))
                    }
                    (_, Type::Record(_)) if list.iter().all(|it| matches!(&it.value, Init::List(_))) => String::new(),
                    _ => self.bad_init(it),
                }
            }
        };
        head.push(format!("{declared}{text};\n"));
    }

    fn bad_init(&mut self, it: &Variable) -> String {
        let message = format!("what `{}` begins with is not in the model: it begins with 0 there", it.name);
        self.diagnostics.push(Diagnostic::warning("not-represented", it.span, message).help("assign it in `main`"));
        String::new()
    }

    fn process(&mut self, name: &str, function: &Rc<Function>, argument: Option<Thing>, active: bool) {
        self.scopes.truncate(1);
        self.scopes.push(HashMap::new());
        (self.locals, self.temporaries) = (Vec::new(), 0);
        let globals = self.used.clone();
        let start = self.lines.len();
        self.indent = 1;
        let mut parameters = String::new();
        for (row, it) in function.parameters.iter().enumerate() {
            let thing = match &argument {
                Some(thing) if row == 0 => thing.clone(),
                _ => Thing::Unknown,
            };
            let thing = match thing {
                Thing::Place(_) => {
                    let own = self.fresh(&it.name);
                    parameters = format!("; int {own}");
                    Thing::Place(Place { text: own, ty: Type::Integer { bits: 32, signed: true }, shared: false })
                }
                other => other,
            };
            self.bind(&it.name, thing);
        }
        self.calls = vec![function.name.clone()];
        self.body(&function.body, None);
        if self.threaded && !active {
            self.here = Some(Origin { span: function.span, uncertain: None });
            self.emit("done[self] = true");
        }
        let body = self.lines.split_off(start);
        let header = match (active, self.threaded) {
            (true, true) => format!("active proctype {name}()\n{{\n    byte self;\n"),
            (true, false) => format!("active proctype {name}()\n{{\n"),
            (false, _) => format!("proctype {name}(byte self{parameters})\n{{\n"),
        };
        let locals: String = self.locals.iter().map(|it| format!("    {it};\n")).collect();
        self.lines.push(Line { indent: 0, text: header + &locals, origin: None });
        self.lines.extend(body);
        self.lines.push(Line {
            indent: 0,
            text: "    skip\n}\n".into(),
            origin: Some(Origin { span: function.span, uncertain: None }),
        });
        self.used = globals;
    }

    /// A name that no other variable of the process has.
    pub(crate) fn fresh(&mut self, name: &str) -> String {
        let base = safe(name);
        let mut own = base.clone();
        let mut number = 2;
        while !self.used.insert(own.clone()) {
            own = format!("{base}_{number}");
            number += 1;
        }
        own
    }

    pub(crate) fn bind(&mut self, name: &Rc<str>, thing: Thing) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.clone(), thing);
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Thing> {
        self.scopes.iter().rev().find_map(|it| it.get(name))
    }

    pub(crate) fn emit(&mut self, text: impl Into<String>) {
        self.lines.push(Line { indent: self.indent, text: text.into(), origin: self.here.clone() });
    }

    pub(crate) fn note(&mut self, class: char, text: String, becomes: &str, quality: Quality, span: Span) {
        if !self.fragments.iter().any(|it| it.class == class && it.text == text) {
            self.fragments.push(Fragment { class, text, becomes: becomes.into(), quality, span });
        }
    }

    pub(crate) fn spelling(&self, it: &Expr) -> String {
        print::expression(self.unit, it)
    }

    fn written(self, head: &str, after: &str) -> Model {
        let mut model = Model { fragments: self.fragments, diagnostics: self.diagnostics, ..Model::default() };
        model.text = head.to_string();
        model.origins = vec![None; head.matches('\n').count()];
        for line in self.lines {
            let pad = "    ".repeat(line.indent);
            if line.text.ends_with('\n') {
                model.origins.extend(std::iter::repeat_n(line.origin, line.text.matches('\n').count()));
                model.text += &line.text;
                continue;
            }
            let open = line.text.starts_with("::") && line.text.ends_with("->")
                || matches!(&*line.text, "do" | "if" | "::")
                || line.text.ends_with(':');
            let comment = line.origin.as_ref().map_or(String::new(), |it| {
                let place = self.sources.place(it.span);
                let says = self.sources.slice(it.span).lines().next().unwrap_or("").replace("*/", "").replace("/*", "");
                format!("  /* {}:{}: {} */", place.file, place.line, says.trim())
            });
            model.text += &format!("{pad}{}{}{comment}\n", line.text, if open { "" } else { ";" });
            model.origins.push(line.origin);
        }
        model.text += after;
        model
    }
}

/// Types of threads: how they are declared, and whether initialisers of theirs mean nothing.
pub(crate) fn primitive(ty: &Type) -> Option<(&'static str, bool)> {
    let named = |name: &&str| ty.is_named(name);
    if ["pthread_mutex_t", "pthread_spinlock_t", "mtx_t", "sem_t", "pthread_t"].iter().any(named) {
        return Some(("byte", true));
    }
    if ["pthread_cond_t", "cnd_t", "pthread_rwlock_t"].iter().any(named) {
        return Some(("int", true));
    }
    ["atomic_flag"].iter().any(named).then_some(("bool", true))
}

/// How a number is declared.
pub(crate) fn scalar(ty: &Type) -> Option<&'static str> {
    Some(match ty.plain() {
        _ if primitive(ty).is_some() => primitive(ty)?.0,
        Type::Bool => "bool",
        Type::Integer { bits: 8, signed: false } => "byte",
        Type::Integer { bits: 16, signed: true } => "short",
        Type::Integer { bits: 8..=64, .. } | Type::Enumeration => "int",
        _ => return None,
    })
}

pub(crate) fn array_of(ty: &Type) -> &Type {
    match ty.plain() {
        Type::Array(of, _) => of,
        _ => ty,
    }
}

pub(crate) fn record_name(unit: &Unit, ty: &Type) -> String {
    match ty {
        Type::Named(name, of) if matches!(**of, Type::Record(_)) => safe(name),
        Type::Named(_, of) | Type::Atomic(of) => record_name(unit, of),
        Type::Record(it) => unit.records[it.0 as usize]
            .name
            .as_deref()
            .map_or_else(|| format!("record_{}", it.0), |it| format!("struct_{it}")),
        _ => String::new(),
    }
}

/// A declaration in Promela, if the type can be said there.
pub(crate) fn declaration(unit: &Unit, ty: &Type, name: &str) -> Option<String> {
    let of = array_of(ty);
    let kind = match scalar(of) {
        Some(kind) => kind.to_string(),
        None if matches!(of.plain(), Type::Record(it) if !unit.records[it.0 as usize].is_union && unit.records[it.0 as usize].complete) => {
            record_name(unit, of)
        }
        None => return None,
    };
    match ty.plain() {
        Type::Array(_, Some(length @ 1..=1000)) if primitive(ty).is_none() => Some(format!("{kind} {name}[{length}]")),
        Type::Array(..) if primitive(ty).is_none() => None,
        _ => Some(format!("{kind} {name}")),
    }
}
