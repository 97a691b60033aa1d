//! The model of a program: what is kept while it is written, processes, and the text with its origins.
//!
//! What is not known of a variable is not known anywhere: a variable that is once given a value that the model does not have is *lost*. It is
//! not in the model, and every condition on it is free. Which variables are lost is found by writing the model again until no more are.
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use front_c::ast::{Expr, Function, Type, Unit};
use front_c::print;
use text::{Diagnostic, Sources, Span};

use crate::names::safe;
use crate::numbers::{INT, Int};
use crate::places::{Place, Thing};
use crate::table::Table;
use crate::{Fragment, Model, Origin, Quality};

/// Threads at once: their numbers are bits of what waits for a condition.
pub(crate) const MOST_THREADS: usize = 8;
/// A model with more lines is of no use.
const MOST_LINES: usize = 60_000;
/// Nor is one with more calls.
const MOST_CALLS: usize = 20_000;

/// What to extract.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Functions that become processes; without any, `main` and the threads that it starts.
    pub functions: Vec<String>,
    /// What fragments become; a table may be for one function only. What comes first counts.
    pub tables: Vec<(Option<String>, Table)>,
    /// Promela before and after the model.
    pub before: String,
    /// See there.
    pub after: String,
    /// Threads end when the program does; without it they go on, which is more than a program does, and cheaper.
    pub ends: bool,
    /// A deliberate mistake: a test of the tests.
    #[doc(hidden)]
    pub mistake: Option<Mistake>,
}

/// What can be done wrong.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A variable keeps its value when it is given one that is not known.
    KeepsLost,
    /// A read and a write of a shared variable are one step.
    WholeSteps,
}

/// A line of a process.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub indent: usize,
    pub text: String,
    pub origin: Option<Origin>,
}

/// What is not known, and grows until nothing new is found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost {
    /// Variables by the place of their declaration, and why.
    pub variables: BTreeMap<Span, String>,
    /// Variables to which a pointer of which nothing is known may point.
    pub escaped: HashSet<Span>,
    /// Something is written through such a pointer.
    pub wild: bool,
}

/// A thread's process, still to be written.
#[derive(Clone)]
pub(crate) struct Waiting {
    pub name: String,
    pub function: Rc<Function>,
    /// What its argument is, and the parameters that this needs.
    pub argument: Option<Thing>,
    pub parameters: Vec<String>,
}

pub(crate) struct Translator<'a> {
    pub unit: &'a Unit,
    pub sources: &'a Sources,
    pub request: &'a Request,
    pub scopes: Vec<HashMap<Rc<str>, Thing>>,
    pub lines: Vec<Line>,
    pub indent: usize,
    /// Declarations of the present process.
    pub locals: Vec<String>,
    /// Variables of functions that live on, and those that belong to everybody.
    pub statics: Vec<String>,
    pub static_places: HashMap<Span, Place>,
    /// Names of variables of functions that belong to everybody.
    pub everywhere: Vec<String>,
    /// Statements before everything else.
    pub first: Vec<String>,
    pub used: HashSet<String>,
    pub hidden: HashSet<String>,
    pub temporaries: usize,
    pub locks: Vec<String>,
    pub labels: usize,
    pub calls: Vec<Rc<str>>,
    pub waiting: Vec<Waiting>,
    pub started: Vec<(String, Rc<str>, String)>,
    pub fragments: Vec<Fragment>,
    pub diagnostics: Vec<Diagnostic>,
    pub here: Option<Origin>,
    pub exits: Vec<crate::statements::Exit>,
    pub cases: Vec<HashMap<Span, String>>,
    /// Where the process ends.
    pub process_end: String,
    pub in_main: bool,
    pub threaded: bool,
    pub lost: Lost,
    /// What is to be said of the present fragment.
    pub doubts: Vec<(Quality, String)>,
    pub unset: HashMap<Rc<str>, HashSet<Span>>,
    pub shared_locals: HashSet<Rc<str>>,
    /// Calls that stand in place.
    pub inlined: usize,
    pub too_long: bool,
}

/// The model of a program.
pub fn model(unit: &Unit, sources: &Sources, request: &Request) -> Model {
    let mut lost = Lost::default();
    loop {
        let before = lost.variables.len();
        let mut it = Translator::new(unit, sources, request, lost);
        let head = it.whole();
        if it.lost.wild {
            let escaped: Vec<Span> = it.lost.escaped.iter().copied().collect();
            for span in escaped {
                it.lost.variables.entry(span).or_insert_with(|| "it may be written through a pointer".into());
            }
        }
        if it.lost.variables.len() == before || request.mistake == Some(Mistake::KeepsLost) {
            return it.written(&head);
        }
        lost = it.lost;
    }
}

impl<'a> Translator<'a> {
    fn new(unit: &'a Unit, sources: &'a Sources, request: &'a Request, lost: Lost) -> Self {
        Translator {
            unit,
            sources,
            request,
            scopes: vec![HashMap::new()],
            lines: Vec::new(),
            indent: 0,
            locals: Vec::new(),
            statics: Vec::new(),
            static_places: HashMap::new(),
            everywhere: Vec::new(),
            first: Vec::new(),
            used: HashSet::new(),
            hidden: HashSet::new(),
            temporaries: 0,
            locks: Vec::new(),
            labels: 0,
            calls: Vec::new(),
            waiting: Vec::new(),
            started: Vec::new(),
            fragments: Vec::new(),
            diagnostics: Vec::new(),
            here: None,
            exits: Vec::new(),
            cases: Vec::new(),
            process_end: String::new(),
            in_main: false,
            threaded: request.functions.is_empty(),
            lost,
            doubts: Vec::new(),
            unset: HashMap::new(),
            shared_locals: HashSet::new(),
            inlined: 0,
            too_long: false,
        }
    }

    fn whole(&mut self) -> String {
        let before = &self.request.before;
        let mut head = vec![if before.is_empty() { String::new() } else { format!("{}\n", before.trim_end()) }];
        let records = self.records(before);
        self.used.extend(records.iter().map(|it| it.0.clone()));
        self.globals(&mut head, before);
        if self.threaded {
            head.push(format!("byte threads;\nbyte running;\nbool done[{MOST_THREADS}];\n"));
        }
        if self.request.ends {
            head.push("bool exited;\n".into());
        }
        let roots = if self.threaded { vec!["main".to_string()] } else { self.request.functions.clone() };
        for name in &roots {
            match self.unit.function(name) {
                Some(function) => self.waiting.push(Waiting {
                    name: safe(name),
                    function: function.clone(),
                    argument: None,
                    parameters: Vec::new(),
                }),
                None => self.missing(name),
            }
        }
        let mut done = 0;
        while done < self.waiting.len() && !self.too_long {
            let next = self.waiting[done].clone();
            self.process(&next, done < roots.len());
            done += 1;
        }
        head.extend(self.statics.iter().map(|it| format!("{it};\n")));
        head.insert(1, self.needed(records, &head[1..]));
        head.concat()
    }

    /// The records that some variable has.
    fn needed(&self, records: Vec<(String, String)>, head: &[String]) -> String {
        let mut uses: Vec<String> = head.to_vec();
        uses.extend(self.lines.iter().filter(|it| it.indent == 0).map(|it| it.text.clone()));
        let mut kept = Vec::new();
        // A record stands behind those that it is made of.
        for (name, text) in records.into_iter().rev() {
            if uses.iter().any(|it| crate::initial::declares(it, &name)) {
                uses.push(text.clone());
                kept.push(text);
            }
        }
        kept.reverse();
        kept.concat()
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

    fn process(&mut self, next: &Waiting, active: bool) {
        let Waiting { name, function, argument, parameters } = next;
        self.scopes.truncate(1);
        self.scopes.push(HashMap::new());
        (self.locals, self.temporaries) = (Vec::new(), 0);
        let globals = self.used.clone();
        let start = self.lines.len();
        self.indent = 1;
        self.in_main = active && self.threaded;
        self.used.extend(parameters.iter().cloned());
        for (row, it) in function.parameters.iter().enumerate() {
            let unknown = || Thing::Place(Place::absent(&it.ty, it.span));
            let thing = argument.clone().filter(|_| row == 0).unwrap_or_else(unknown);
            self.bind(&it.name, thing);
        }
        self.calls = vec![function.name.clone()];
        self.shared_locals =
            if self.in_main { crate::threads::passed_to_threads(&function.body) } else { HashSet::new() };
        let end = self.label("after_process");
        self.process_end = end.clone();
        if active && !self.first.is_empty() {
            let first = std::mem::take(&mut self.first).join("; ");
            self.here = Some(Origin::saying(function.span, "variables get their first values"));
            self.emit(format!("d_step {{ {first} }}"));
        }
        self.body(&function.body, function, None);
        self.here = Some(Origin::saying(function.span, "the thread ends"));
        if self.in_main {
            self.returned_from_main();
        }
        self.put(&end);
        if self.threaded && !active {
            self.emit("atomic { done[self] = true; running = running - 1 }");
        }
        let body = self.lines.split_off(start);
        let last = if body.iter().all(|it| it.text.starts_with("/*")) { "    skip\n" } else { "" };
        let list: String = parameters.iter().map(|it| format!("; int {it}")).collect();
        let own = body.iter().any(|it| crate::initial::declares(&it.text, "self"));
        let number = self.waiting.iter().position(|it| it.name == *name).unwrap_or(0);
        let own = if own && active { format!("    byte self = {number};\n") } else { String::new() };
        let header = match active {
            true => format!("active proctype {name}()\n{{\n{own}"),
            false => format!("proctype {name}(byte self{list})\n{{\n"),
        };
        let locals: String = self.locals.iter().map(|it| format!("    {it};\n")).collect();
        let (open, close) = if self.request.ends && self.threaded {
            ("    {\n", format!("{last}    }} unless {{\n    (exited)\n    }};\n    skip\n}}\n"))
        } else {
            ("", format!("{last}}}\n"))
        };
        self.lines.push(Line { indent: 0, text: header + &locals + open, origin: None });
        self.lines.extend(body);
        let end = Origin::saying(function.span, "the thread has ended");
        self.lines.push(Line { indent: 0, text: close, origin: Some(end) });
        self.used = globals;
        self.used.extend(self.everywhere.iter().cloned());
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

    /// A variable for a value in between.
    pub(crate) fn temporary(&mut self) -> String {
        self.temporaries += 1;
        let name = self.fresh(&format!("value_{}", self.temporaries));
        self.locals.push(format!("int {name}"));
        self.hidden.insert(name.clone());
        name
    }

    pub(crate) fn bind(&mut self, name: &Rc<str>, thing: Thing) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.clone(), thing);
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Thing> {
        self.scopes.iter().rev().find_map(|it| it.get(name))
    }

    /// A model that is too long is given up.
    pub(crate) fn gives_up(&mut self) -> bool {
        if self.lines.len() <= MOST_LINES && self.inlined <= MOST_CALLS {
            return false;
        }
        if !std::mem::replace(&mut self.too_long, true) {
            let span = self.here.as_ref().map_or(Span::default(), |it| it.span);
            let message = format!("the model has more than {MOST_LINES} lines or {MOST_CALLS} calls here");
            let help = "functions stand in the place of their calls; give some of these calls a row in a table";
            self.diagnostics.push(Diagnostic::error("too-long", span, message).help(help));
        }
        true
    }

    pub(crate) fn emit(&mut self, text: impl Into<String>) {
        if self.gives_up() {
            return;
        }
        self.lines.push(Line { indent: self.indent, text: text.into(), origin: self.here.clone() });
    }

    /// What is emitted meanwhile, apart.
    pub(crate) fn apart<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (Vec<Line>, T) {
        let before = std::mem::take(&mut self.lines);
        let result = work(self);
        (std::mem::replace(&mut self.lines, before), result)
    }

    /// Says what is wrong, once.
    pub(crate) fn complain(&mut self, it: Diagnostic) {
        if !self.diagnostics.contains(&it) {
            self.diagnostics.push(it);
        }
    }

    /// Says something of the present fragment.
    pub(crate) fn doubt(&mut self, quality: Quality, why: impl Into<String>) {
        self.doubts.push((quality, why.into()));
    }

    /// A variable is no longer known.
    pub(crate) fn lose(&mut self, root: Span, why: &str) {
        if self.request.mistake != Some(Mistake::KeepsLost) {
            self.lost.variables.entry(root).or_insert_with(|| why.to_string());
        }
    }

    pub(crate) fn spelling(&self, it: &Expr) -> String {
        print::expression(self.unit, it)
    }

    fn written(self, head: &str) -> Model {
        let mut model = Model {
            fragments: self.fragments,
            diagnostics: self.diagnostics,
            temporaries: self.hidden.into_iter().collect(),
            locks: self.locks,
            lost: Vec::new(),
            ..Model::default()
        };
        for (span, why) in &self.lost.variables {
            model.lost.push((*span, why.clone()));
        }
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
                || matches!(&*line.text, "do" | "if" | "::" | "atomic {")
                || line.text.ends_with(':')
                || line.text.starts_with("/*");
            let comment = line.origin.as_ref().map_or(String::new(), |it| {
                let place = self.sources.place(it.span);
                let says = self.sources.slice(it.span).lines().next().unwrap_or("").replace("*/", "").replace("/*", "");
                format!("  /* {}:{}: {} */", place.file, place.line, says.trim())
            });
            model.text += &format!("{pad}{}{}{comment}\n", line.text, if open { "" } else { ";" });
            model.origins.push(line.origin);
        }
        model.text += &self.request.after;
        model
    }
}

/// Types of threads: how they are declared.
pub(crate) fn primitive(ty: &Type) -> Option<&'static str> {
    let named = |name: &&str| ty.is_named(name);
    if ["pthread_mutex_t", "pthread_spinlock_t", "mtx_t", "pthread_t", "thrd_t"].iter().any(named) {
        return Some("byte");
    }
    if ["pthread_cond_t", "cnd_t", "pthread_rwlock_t", "sem_t", "pthread_once_t", "once_flag"].iter().any(named) {
        return Some("int");
    }
    ["atomic_flag"].iter().any(named).then_some("bool")
}

/// How a number is declared.
pub(crate) fn scalar(ty: &Type) -> Option<&'static str> {
    primitive(ty).or_else(|| Int::of(ty).map(Int::declared))
}

/// The type of a number that can be read.
pub(crate) fn number(ty: &Type) -> Option<Int> {
    match primitive(ty) {
        Some(_) if ty.is_named("pthread_t") || ty.is_named("thrd_t") => Some(INT),
        Some(_) => None,
        None => Int::of(ty),
    }
}

/// The elements of an array of arrays and how many there are; the type itself and 1 if it is none.
pub(crate) fn elements(ty: &Type) -> (&Type, Option<u64>) {
    if primitive(ty).is_some() {
        return (ty, Some(1));
    }
    match ty.plain() {
        Type::Array(of, length) => {
            let (inner, count) = elements(of);
            (inner, length.and_then(|it| count?.checked_mul(it)))
        }
        _ => (ty, Some(1)),
    }
}

pub(crate) fn record_name(unit: &Unit, ty: &Type) -> String {
    match ty {
        Type::Named(name, of) if matches!(**of, Type::Record(_)) => safe(name),
        Type::Named(_, of) | Type::Atomic(of) => record_name(unit, of),
        Type::Record(it) => unit.records[it.0 as usize].name.as_deref().map_or_else(
            || format!("record_{}", it.0),
            |name| {
                let twice = unit.records.iter().filter(|other| other.name.as_deref() == Some(name)).count() > 1;
                if twice { format!("struct_{name}_{}", it.0) } else { format!("struct_{name}") }
            },
        ),
        _ => String::new(),
    }
}

/// Whether the model has variables of this record.
pub(crate) fn has_record(unit: &Unit, ty: &Type) -> bool {
    let Type::Record(it) = ty.plain() else { return false };
    let record = &unit.records[it.0 as usize];
    record.complete
        && !record.is_union
        && record.fields.iter().any(|(name, ty)| name.is_some() && represented(unit, ty))
}

/// Whether the model has variables of this type.
pub(crate) fn represented(unit: &Unit, ty: &Type) -> bool {
    let (of, count) = elements(ty);
    matches!(count, Some(1..=1000)) && (scalar(of).is_some() || has_record(unit, of))
}

/// A declaration in Promela, if the type can be said there.
pub(crate) fn declaration(unit: &Unit, ty: &Type, name: &str) -> Option<String> {
    if !represented(unit, ty) {
        return None;
    }
    let (of, count) = elements(ty);
    let kind = scalar(of).map_or_else(|| record_name(unit, of), String::from);
    let is_array = primitive(ty).is_none() && matches!(ty.plain(), Type::Array(..));
    Some(if is_array { format!("{kind} {name}[{}]", count?) } else { format!("{kind} {name}") })
}
