//! Statements: control flow is interpreted, fragments are looked up in the table.
use std::collections::HashMap;

use front_c::ast::{Declaration, Expr, ExprKind, Function, Init, Stmt, StmtKind, Type, Variable};
use front_c::print;
use text::{Diagnostic, Span};

use crate::places::{Place, Thing};
use crate::table::Table;
use crate::translate::{Translator, declaration, number, primitive};
use crate::values::{Value, acts, contains};
use crate::{Fragment, Origin, Quality};

/// A label of `switch`: the value, or the first and last of a range; nothing for `default`.
type Case = Option<(Expr, Option<Expr>)>;
/// Whose row says what a fragment becomes.
const YOURS: &str = "a row of the table says so";

/// Where `break`, `continue` and `return` lead.
#[derive(Clone, Debug)]
pub(crate) enum Exit {
    /// A loop; the label is that of its next round.
    Loop(String),
    /// The end of a switch.
    Switch(String),
    /// The end of a function, the variable for its result, and where the function is.
    Function(String, Option<String>, std::rc::Rc<Function>),
}

impl Translator<'_> {
    pub(crate) fn label(&mut self, what: &str) -> String {
        self.labels += 1;
        format!("{what}_{}", self.labels)
    }

    /// A label where something leads to it.
    pub(crate) fn put(&mut self, label: &str) {
        let goto = format!("goto {label}");
        if self.lines.iter().rev().any(|it| it.text.ends_with(&goto)) {
            self.emit(format!("{label}: skip"));
        }
    }

    /// The body of a function.
    pub(crate) fn body(&mut self, list: &[Stmt], function: &std::rc::Rc<Function>, result: Option<String>) {
        let end = self.label("after_function");
        self.exits.push(Exit::Function(end.clone(), result, function.clone()));
        self.block(list);
        self.exits.pop();
        // A `return` at the end leads nowhere else.
        let last = format!("goto {end}");
        if self.lines.last().is_some_and(|it| it.text == last) {
            self.lines.pop();
        }
        self.put(&end);
    }

    fn block(&mut self, list: &[Stmt]) {
        self.scopes.push(HashMap::new());
        list.iter().for_each(|it| self.statement(it));
        self.scopes.pop();
    }

    pub(crate) fn at(&mut self, span: Span) {
        self.here = Some(Origin::at(span));
    }

    /// Writes down what became of a fragment, and what there is to say about it.
    pub(crate) fn note(&mut self, class: char, text: String, becomes: &str, span: Span) {
        let doubts = std::mem::take(&mut self.doubts);
        let quality = doubts.iter().map(|it| it.0).max().unwrap_or(Quality::Exact);
        let why = doubts.into_iter().find(|it| it.0 == quality).map_or(String::new(), |it| it.1);
        if quality >= Quality::Yours && class != 'C' && class != 'D' && class != 'R' {
            self.mark(span, &format!("`{text}` ({why})"), quality);
        }
        if let Some(known) = self.fragments.iter_mut().find(|it| it.class == class && it.text == text) {
            if known.quality < quality {
                (known.quality, known.why) = (quality, why);
            }
            return;
        }
        let message = match quality {
            Quality::More => Some(("over-approximated", format!("the model does more here than the program: {why}"))),
            Quality::Less => Some(("not-represented", format!("the model may do less here than the program: {why}"))),
            Quality::Exact | Quality::Yours => None,
        };
        if let Some((code, message)) = message {
            self.diagnostics
                .push(Diagnostic::warning(code, span, message).help("a row in a table can say what it becomes"));
        }
        self.fragments.push(Fragment { class, text, becomes: becomes.into(), quality, why, span });
    }

    /// A trace through what was emitted for a fragment may not be one of the program.
    fn mark(&mut self, span: Span, why: &str, quality: Quality) {
        let inside = |it: &Origin| it.span.file == span.file && it.span.start <= span.start && it.span.end >= span.end;
        let last = self.lines.iter().rev().take_while(|it| it.origin.as_ref().is_some_and(inside)).count();
        if last == 0 && quality == Quality::Less {
            self.emit("skip");
        }
        let last = last.max(usize::from(quality == Quality::Less)).min(self.lines.len());
        let from = self.lines.len() - last;
        for line in &mut self.lines[from..] {
            if let Some(origin) = &mut line.origin {
                origin.uncertain.get_or_insert_with(|| why.to_string());
            }
        }
    }

    fn statement(&mut self, it: &Stmt) {
        if self.too_long {
            return;
        }
        self.at(it.span);
        match &it.kind {
            StmtKind::Block(list) => self.block(list),
            StmtKind::Declaration(declaration) => self.declare(declaration),
            StmtKind::Expr(expr) => self.expression(expr),
            StmtKind::If(condition, yes, no) => {
                let (yes, no) = (&**yes, no.as_deref());
                let targets = contains_label(yes) || no.is_some_and(contains_label);
                self.choice(condition, targets, &mut |it| it.statement(yes), &mut |it| {
                    no.into_iter().for_each(|no| it.statement(no))
                });
            }
            StmtKind::While(condition, body) => self.looped(Some(condition), None, body),
            StmtKind::For(first, condition, step, body) => {
                self.scopes.push(Default::default());
                first.iter().for_each(|it| self.statement(it));
                self.looped(condition.as_ref(), step.as_ref(), body);
                self.scopes.pop();
            }
            StmtKind::DoWhile(body, condition) => {
                let next = self.label("next");
                self.emit("do");
                self.emit("::");
                self.indent += 1;
                self.exits.push(Exit::Loop(next.clone()));
                self.statement(body);
                self.exits.pop();
                self.put(&next);
                self.at(condition.span);
                self.choice(condition, false, &mut |_| {}, &mut |it| it.emit("break"));
                self.indent -= 1;
                self.emit("od");
            }
            StmtKind::Switch(value, body) => self.switch(value, body, it.span),
            StmtKind::Case(_, _, of) | StmtKind::Default(of) => {
                match self.cases.last().and_then(|known| known.get(&it.span)).cloned() {
                    Some(label) => self.put(&label),
                    None => self.misplaced(it.span, "case", "switch"),
                }
                self.statement(of);
            }
            StmtKind::Label(name, of) => {
                if self.labels_named(name) > 1 {
                    let error = Diagnostic::error("label-twice", it.span, format!("there is another label `{name}`"));
                    self.complain(error.help("give one of them another name"));
                }
                let label = self.user_label(name);
                self.emit(format!("{label}: skip"));
                self.statement(of);
            }
            StmtKind::Goto(name) => {
                if self.labels_named(name) == 0 {
                    let message = format!("there is no label `{name}` in this function");
                    let error = Diagnostic::error("missing-label", it.span, message);
                    self.complain(error.help(format!("write `{name}:` where it leads to")));
                }
                let label = self.user_label(name);
                self.emit(format!("goto {label}"));
            }
            StmtKind::GotoComputed(_) | StmtKind::Asm => {
                self.doubt(Quality::Less, "the model has no such statement");
                self.note('E', "asm or a computed goto".into(), "hide", it.span);
            }
            StmtKind::Break => match self.exits.last().cloned() {
                Some(Exit::Loop(_)) => self.emit("break"),
                Some(Exit::Switch(end)) => self.emit(format!("goto {end}")),
                _ => self.misplaced(it.span, "break", "loop"),
            },
            StmtKind::Continue => {
                let next = self
                    .exits
                    .iter()
                    .rev()
                    .find_map(|it| if let Exit::Loop(next) = it { Some(next.clone()) } else { None });
                match next {
                    Some(next) => self.emit(format!("goto {next}")),
                    None => self.misplaced(it.span, "continue", "loop"),
                }
            }
            StmtKind::Return(value) => self.returned(value.as_ref(), it.span),
            StmtKind::Empty => {}
        }
    }

    fn misplaced(&mut self, span: Span, what: &str, place: &str) {
        let error = Diagnostic::error("misplaced", span, format!("this `{what}` stands in no {place}"));
        self.complain(error.help(format!("move it into a {place}, or remove it")));
    }

    fn function(&self) -> Option<(String, Option<String>, std::rc::Rc<Function>)> {
        self.exits.iter().rev().find_map(|it| match it {
            Exit::Function(end, result, function) => Some((end.clone(), result.clone(), function.clone())),
            _ => None,
        })
    }

    /// How many labels of the function have this name.
    fn labels_named(&self, name: &str) -> usize {
        let mut count = 0;
        if let Some((_, _, function)) = self.function() {
            function.body.iter().for_each(|it| labels(it, &mut |it| count += usize::from(it == name)));
        }
        count
    }

    /// Labels of functions that stand in place are told apart by how many calls there were.
    fn user_label(&self, name: &str) -> String {
        let end = self.function().map_or(String::new(), |it| it.0);
        format!("at_{name}_{}", end.rsplit('_').next().unwrap_or(""))
    }

    fn returned(&mut self, value: Option<&Expr>, span: Span) {
        let Some((end, result, function)) = self.function() else { return };
        let text = value.map_or("return".into(), |it| format!("return {}", self.spelling(it)));
        let row = self.row('R', &text);
        match (value, row.as_deref()) {
            (None, _) => {}
            (Some(_), Some("hide" | "comment")) => {
                if self.calls.len() > 1 {
                    self.doubt(Quality::Yours, YOURS);
                }
            }
            (Some(_), Some("print")) => self.printed('R', &text),
            (Some(value), None | Some("keep")) => self.give_back(value, result, &function),
            (Some(_), Some(other)) => {
                self.emit(other.to_string());
                self.doubt(Quality::Yours, YOURS);
            }
        }
        self.note('R', text, row.as_deref().unwrap_or("keep"), span);
        self.at(span);
        self.emit(format!("goto {end}"));
    }

    /// What a function returns.
    fn give_back(&mut self, value: &Expr, result: Option<String>, function: &Function) {
        let value = self.value(value);
        match (value, result, number(&function.result)) {
            (Value::Number(it), Some(result), Some(int)) => match self.converted(it, int) {
                Some(it) => self.emit(format!("{result} = {}", it.text)),
                None => self.lose(function.span, "the model has no such number"),
            },
            (Value::Unknown(why), Some(_), Some(_)) => {
                self.doubt(Quality::More, why.clone());
                self.lose(function.span, &why);
            }
            (other, ..) => self.escapes(&other),
        }
    }

    fn printed(&mut self, class: char, text: &str) {
        self.emit(format!("printf({})", quoted(&format!("{class}: {text}"))));
        self.doubt(Quality::Yours, YOURS);
    }

    fn declare(&mut self, it: &Declaration) {
        if it.is_typedef {
            return;
        }
        let text = it.text.to_string();
        let row = self.row('D', &text);
        match row.as_deref() {
            Some("hide" | "comment" | "print") => {
                for it in &it.variables {
                    self.bind(&it.name, Thing::Place(Place::absent(&it.ty, it.span)));
                }
                self.doubt(Quality::Yours, YOURS);
                return self.note('D', text, row.as_deref().unwrap_or("hide"), it.span);
            }
            Some("keep") | None => {}
            Some(other) => {
                self.locals.push(other.trim_end_matches(';').to_string());
                for it in &it.variables {
                    let place = Place::new(crate::names::safe(&it.name), &it.ty, false, it.span);
                    self.bind(&it.name, Thing::Place(place));
                }
                self.doubt(Quality::Yours, YOURS);
                return self.note('D', text, other, it.span);
            }
        }
        for variable in &it.variables {
            self.at(it.span);
            self.variable(it, variable, row.is_some());
        }
        self.note('D', text, "keep", it.span);
    }

    /// A local variable; one that is `kept` has a value whatever happens before.
    fn variable(&mut self, declared: &Declaration, it: &Variable, kept: bool) {
        if matches!(it.ty.plain(), Type::Function(..)) || declared.is_extern {
            return;
        }
        let lasts = declared.is_static;
        if lasts && let Some(place) = self.static_places.get(&it.span).cloned() {
            return self.bind(&it.name, Thing::Place(place));
        }
        if self.pointer(it) {
            return;
        }
        let unset = it.init.is_none()
            && !lasts
            && primitive(crate::translate::elements(&it.ty).0).is_none()
            && self.may_be_unset(it);
        if unset && kept {
            self.doubt(Quality::Yours, YOURS);
        }
        let unset = unset && !kept;
        let shared = lasts || self.is_passed(it);
        let own = match shared {
            true => self.fresh_global(&it.name),
            false => self.fresh(&it.name),
        };
        let text = declaration(self.unit, &it.ty, &own);
        let absent = self.forgets(&it.name, it.span) || unset || declared.is_thread_local;
        let Some(text) = text.filter(|_| !absent) else {
            if unset {
                self.doubt(Quality::More, format!("`{}` may be read before it has a value", it.name));
            }
            if let Some(Init::Single(init)) = &it.init {
                let value = self.value(init);
                self.escapes(&value);
            }
            return self.bind(&it.name, Thing::Place(Place::absent(&it.ty, it.span)));
        };
        let place = Place::new(own, &it.ty, shared, it.span);
        if lasts {
            let begin = self.beginning(&place, it.init.as_ref());
            self.statics.push(format!("{text}{begin}"));
            self.static_places.insert(it.span, place.clone());
            return self.bind(&it.name, Thing::Place(place));
        }
        if let (Some(Init::Single(init)), Some(int), false) = (&it.init, number(&it.ty), shared)
            && self.begins_once()
            && let Some(first) = self.constant(init).and_then(|it| self.converted(it, int))
        {
            // It has its value before the process begins.
            self.locals.push(format!("{text} = {}", first.text));
            return self.bind(&it.name, Thing::Place(place));
        }
        if shared {
            self.statics.push(text);
        } else {
            self.locals.push(text);
        }
        match &it.init {
            Some(Init::Single(init)) => {
                let (lines, value) = self.apart(|it| it.value(init));
                self.lines.extend(lines);
                let value = match value {
                    Value::Number(it) if shared => Value::Number(self.settled_number(it)),
                    other => other,
                };
                self.bind(&it.name, Thing::Place(place.clone()));
                self.store(&place, value, Some(init));
            }
            Some(init @ Init::List(_)) => {
                self.bind(&it.name, Thing::Place(place.clone()));
                self.begins(&place, init);
            }
            None => self.bind(&it.name, Thing::Place(place)),
        }
    }

    /// A local list of values.
    fn begins(&mut self, place: &Place, init: &Init) {
        if primitive(crate::translate::elements(&place.ty).0).is_some() {
            return;
        }
        match self.local_list(place, init) {
            Ok(list) => {
                let set: Vec<String> = list.into_iter().map(|(to, text)| format!("{to} = {text}")).collect();
                if !set.is_empty() {
                    self.emit(format!("d_step {{ {} }}", set.join("; ")));
                }
            }
            Err(why) => {
                self.lose(place.root, &why);
                self.doubt(Quality::More, why);
                if let Init::List(list) = init {
                    list.iter().for_each(|it| self.overlooked_init(&it.value));
                }
            }
        }
    }

    fn overlooked_init(&mut self, it: &Init) {
        match it {
            Init::Single(it) => self.overlooked(it),
            Init::List(list) => list.iter().for_each(|it| self.overlooked_init(&it.value)),
        }
    }

    /// A pointer that is never changed is another name.
    fn pointer(&mut self, it: &Variable) -> bool {
        let (Type::Pointer(to), Some(Init::Single(init))) = (it.ty.plain(), &it.init) else { return false };
        let Some((_, _, function)) = self.function() else { return false };
        if crate::assigned::is_assigned(&function.body, &it.name) {
            return false;
        }
        let value = self.value(init);
        let thing = match value {
            Value::Address(place) => match self.seen_as(to, place) {
                Ok(place) => Thing::Alias(self.frozen(place)),
                Err(_) => Thing::Place(Place::absent(&it.ty, it.span)),
            },
            Value::Number(number) if number.constant.is_some() => Thing::Constant(number),
            _ => Thing::Place(Place::absent(&it.ty, it.span)),
        };
        self.bind(&it.name, thing);
        true
    }

    fn may_be_unset(&mut self, it: &Variable) -> bool {
        let Some((_, _, function)) = self.function() else { return true };
        let unit = self.unit;
        let known = self.unset.entry(function.name.clone()).or_insert_with(|| crate::assigned::unset(unit, &function));
        known.contains(&it.span)
    }

    /// Whether a declaration is come to once, by the process whose function it stands in.
    fn begins_once(&self) -> bool {
        let Some((_, _, function)) = self.function() else { return false };
        let jumps = function.body.iter().any(contains_label);
        // The globals, the parameters, and the body.
        self.calls.len() == 1 && self.scopes.len() == 3 && self.indent == 1 && !jumps
    }

    /// Whether a thread is given its address.
    fn is_passed(&self, it: &Variable) -> bool {
        let named = |name: &str| self.shared_locals.iter().any(|it| &**it == name);
        let is_array = matches!(it.ty.plain(), Type::Array(..));
        self.calls.len() == 1 && (named(&format!("&{}", it.name)) || (is_array && named(&it.name)))
    }

    /// A name that nothing has, in any process.
    fn fresh_global(&mut self, name: &str) -> String {
        let owner = self.calls.last().map_or(String::new(), |it| format!("{it}_"));
        let wanted =
            if self.statics.iter().any(|it| it.split([' ', '[']).any(|it| it == name)) || self.used.contains(name) {
                format!("{owner}{name}_{}", self.statics.len())
            } else {
                name.to_string()
            };
        let own = self.fresh(&wanted);
        self.everywhere.push(own.clone());
        own
    }

    /// The tables that count where we are.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        let here = |function: &Option<String>| {
            function.as_ref().is_none_or(|wanted| self.calls.iter().any(|it| **it == **wanted))
        };
        self.request.tables.iter().filter(move |it| here(&it.0)).map(|it| &it.1)
    }

    fn irrelevant(&self, text: &str) -> bool {
        let mut words = text.split(|it: char| !(it.is_alphanumeric() || it == '_'));
        words.any(|word| self.tables().any(|it| it.irrelevant.iter().any(|it| it == word)))
    }

    /// What the table says of a fragment.
    fn row(&self, class: char, text: &str) -> Option<String> {
        let found = self.tables().find_map(|it| it.find(self.unit, class, text)).map(String::from);
        if found.as_deref() == Some("default") {
            return None;
        }
        let hidden =
            || (class != 'C' && class != 'D' && class != 'R' && self.irrelevant(text)).then(|| "hide".to_string());
        found.or_else(hidden).or_else(|| self.tables().find_map(|it| it.default_of(class)).map(String::from))
    }

    fn expression(&mut self, it: &Expr) {
        let class = match &it.kind {
            ExprKind::Assign(..) => 'A',
            ExprKind::Call(..) => 'F',
            _ => 'E',
        };
        let text = self.spelling(it);
        let row = self.row(class, &text);
        match row.as_deref() {
            Some("hide") => self.doubt(Quality::Yours, YOURS),
            Some("comment") => {
                self.emit(format!("/* {class}: {} */", text.replace("*/", "* /")));
                self.doubt(Quality::Yours, YOURS);
            }
            Some("print") => self.printed(class, &text),
            Some("true" | "skip") => {
                self.emit("skip");
                self.doubt(Quality::Yours, YOURS);
            }
            None => self.effect(it),
            Some("keep") => {
                let (lines, ()) = self.apart(|own| own.effect(it));
                let lost = lines.is_empty() && !self.doubts.is_empty();
                if lost || self.doubts.iter().any(|it| it.0 == Quality::Less) {
                    // What the model cannot say is kept as it is written.
                    self.doubts = vec![(Quality::Yours, YOURS.into())];
                    let kept = self.kept(&text);
                    self.emit(kept);
                } else {
                    self.lines.extend(lines);
                }
            }
            Some(other) => {
                self.emit(other.to_string());
                self.doubt(Quality::Yours, YOURS);
            }
        }
        self.note(class, text, row.as_deref().unwrap_or("keep"), it.span);
    }

    /// A fragment as it is, with the table's rewriting; a string that is a word becomes that word.
    fn kept(&self, text: &str) -> String {
        let text = self.tables().fold(text.to_string(), |text, it| it.substituted(&text));
        text.split('"')
            .enumerate()
            .map(|(at, part)| {
                if at % 2 == 1 && !part.chars().all(char::is_alphanumeric) {
                    format!("\"{part}\"")
                } else {
                    part.to_string()
                }
            })
            .collect()
    }

    /// A condition and what follows if it is true, and if not.
    fn choice<'b>(
        &mut self,
        condition: &Expr,
        targets: bool,
        yes: &'b mut dyn FnMut(&mut Self),
        no: &'b mut dyn FnMut(&mut Self),
    ) {
        let (one, two) = self.guards(condition);
        let here = self.here.clone();
        if let ((Some(only), None) | (None, Some(only)), false) = ((&one, &two), targets) {
            if only != "true" {
                self.emit(only.clone());
            }
            return if one.is_some() { yes(self) } else { no(self) };
        }
        self.emit("if");
        for (guard, part) in [(one, yes), (two, no)] {
            self.here = here.clone();
            let guard = guard.unwrap_or_else(|| "false".into());
            let place = self.lines.len();
            self.emit(format!(":: {guard} ->"));
            self.indent += 1;
            part(self);
            self.indent -= 1;
            let empty = self.lines[(place + 1).min(self.lines.len())..].iter().all(|it| it.text.starts_with("/*"));
            if let Some(line) = self.lines.get_mut(place).filter(|_| empty) {
                line.text = format!(":: {guard}");
            }
        }
        self.here = here;
        self.emit("fi");
    }

    /// The guards for a condition and its negation; none for a branch that is not taken.
    fn guards(&mut self, condition: &Expr) -> (Option<String>, Option<String>) {
        let positive = print::condition(self.unit, condition);
        let negative = match &condition.kind {
            ExprKind::Unary(operator, of) if &**operator == "!" => print::condition(self.unit, of),
            _ => format!("!{positive}"),
        };
        let (one, two) = (self.row('C', &positive), self.row('C', &negative));
        let plain = |it: &Option<String>| it.is_none() || it.as_deref() == Some("keep");
        if plain(&one) && plain(&two) {
            let (lines, value) = self.apart(|it| it.value(condition));
            let less = self.doubts.iter().any(|it| it.0 == Quality::Less);
            let kept = one.is_some() && (less || matches!(value, Value::Unknown(_)));
            if !kept {
                let calls = contains(condition, &|it| matches!(it, ExprKind::Call(..) | ExprKind::Statement(_)));
                let does = calls || acts(condition) || !lines.is_empty();
                self.lines.extend(lines);
                return self.free_or_not(value, does, (positive, negative), condition.span);
            }
            self.doubts.clear();
        }
        let first = self.guard(&positive, one.as_deref(), condition.span);
        let second = self.guard(&negative, two.as_deref(), condition.span);
        (first, second)
    }

    /// The guards of a value; both outcomes are possible if it is not known.
    fn free_or_not(
        &mut self,
        value: Value,
        does: bool,
        (positive, negative): (String, String),
        span: Span,
    ) -> (Option<String>, Option<String>) {
        let why = if let Value::Unknown(why) = &value { why.clone() } else { String::new() };
        let (guards, becomes) = match self.truth(value) {
            Some((yes, no)) => ((Some(yes).filter(|it| it != "false"), Some(no).filter(|it| it != "false")), "keep"),
            None => {
                self.here = Some(Origin { uncertain: Some(format!("`{positive}` ({why})")), ..Origin::at(span) });
                self.doubt(Quality::More, why);
                ((Some("true".into()), Some("true".into())), if does { "keep" } else { "true" })
            }
        };
        let doubts = self.doubts.clone();
        self.note('C', positive, becomes, span);
        self.doubts = doubts;
        let quiet = self.diagnostics.len();
        self.note('C', negative, becomes, span);
        self.diagnostics.truncate(quiet);
        guards
    }

    fn guard(&mut self, text: &str, row: Option<&str>, span: Span) -> Option<String> {
        let row = row.unwrap_or("true");
        match row {
            "true" | "hide" | "comment" => self.doubt(Quality::More, YOURS),
            _ => self.doubt(Quality::Yours, YOURS),
        }
        self.note('C', text.to_string(), row, span);
        self.here = Some(Origin { uncertain: Some(format!("the row for `{text}`")), ..Origin::at(span) });
        match row {
            "false" => None,
            "true" | "hide" | "comment" => Some("true".into()),
            "print" => Some(format!("printf({})", quoted(&format!("C: {text}")))),
            "keep" => Some(self.kept(text)),
            other => Some(other.to_string()),
        }
    }

    fn looped(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt) {
        let next = self.label("next");
        let here = self.here.clone();
        self.emit("do");
        let head = self.lines.len();
        self.emit("::");
        self.indent += 1;
        let (one, two) = match condition {
            Some(it) => {
                self.at(it.span);
                self.guards(it)
            }
            None => (Some("true".into()), None),
        };
        let plain = self.lines.len() == head + 1;
        let (guard, leave) = (one.unwrap_or_else(|| "false".into()), two);
        if plain {
            self.lines.truncate(head);
            self.indent -= 1;
            self.emit(format!(":: {guard} ->"));
            self.indent += 1;
        } else {
            self.emit("if");
            self.emit(format!(":: {guard}"));
            if let Some(leave) = &leave {
                self.emit(format!(":: {leave} -> break"));
            }
            self.emit("fi");
        }
        let before = self.lines.len();
        self.exits.push(Exit::Loop(next.clone()));
        self.statement(body);
        self.exits.pop();
        self.put(&next);
        if let Some(step) = step {
            self.at(step.span);
            self.expression(step);
        }
        if self.lines.len() == before {
            self.emit("skip");
        }
        self.indent -= 1;
        self.here = here;
        if let (true, Some(leave)) = (plain, leave) {
            self.emit(format!(":: {leave} -> break"));
        }
        self.emit("od");
    }

    /// `switch`: a choice of where to jump to, then the body from there on.
    fn switch(&mut self, value: &Expr, body: &Stmt, span: Span) {
        let end = self.label("after_switch");
        let (mut cases, mut known) = (Vec::new(), HashMap::new());
        self.collect(body, &mut cases, &mut known);
        let text = print::condition(self.unit, value);
        let row = self.row('C', &text);
        let tested = match (row.as_deref(), self.value(value)) {
            (None | Some("keep"), Value::Number(tested)) => Ok(self.settled_number(tested)),
            (None | Some("keep"), Value::Address(_)) => Err("the model has no numbers for addresses".to_string()),
            (None | Some("keep"), Value::Unknown(why)) => Err(why),
            _ => Err(YOURS.into()),
        };
        if let Err(why) = &tested {
            self.here = Some(Origin { uncertain: Some(format!("`{text}` ({why})")), ..Origin::at(span) });
            self.doubt(Quality::More, why.clone());
        }
        let becomes = if tested.is_ok() { "keep" } else { "true" };
        self.note('C', text, becomes, value.span);
        self.emit("if");
        let mut otherwise = end.clone();
        for (case, label) in &cases {
            let Some((first, last)) = case else {
                otherwise = label.clone();
                continue;
            };
            let Some(test) = self.case_test(tested.as_ref().ok(), first, last.as_ref()) else {
                let error =
                    Diagnostic::error("not-constant", first.span, "the value of this case is no constant of the model");
                self.complain(error.help("use a constant of at most 32 bits"));
                continue;
            };
            self.emit(format!(":: {test} -> goto {label}"));
        }
        let last = if tested.is_ok() { "else" } else { "true" };
        self.emit(format!(":: {last} -> goto {otherwise}"));
        self.emit("fi");
        self.exits.push(Exit::Switch(end.clone()));
        self.cases.push(known);
        self.statement(body);
        self.cases.pop();
        self.exits.pop();
        self.put(&end);
    }

    fn case_test(
        &mut self,
        tested: Option<&crate::numbers::Number>,
        first: &Expr,
        last: Option<&Expr>,
    ) -> Option<String> {
        let Some(tested) = tested else { return Some("true".into()) };
        let int = tested.int.promoted();
        let first = self.constant(first).and_then(|it| self.converted(it, int))?;
        let Some(last) = last else { return self.arithmetic("==", tested.clone(), first).map(|it| it.text) };
        let last = self.constant(last).and_then(|it| self.converted(it, int))?;
        let (from, to) = (self.arithmetic(">=", tested.clone(), first)?, self.arithmetic("<=", tested.clone(), last)?);
        Some(format!("({} && {})", from.text, to.text))
    }

    /// The labels of a `switch`, wherever they stand in it.
    fn collect(&mut self, it: &Stmt, cases: &mut Vec<(Case, String)>, known: &mut HashMap<Span, String>) {
        match &it.kind {
            StmtKind::Case(..) | StmtKind::Default(_) => {
                let label = self.label("case");
                known.insert(it.span, label.clone());
                let (case, of) = match &it.kind {
                    StmtKind::Case(first, last, of) => (Some((first.clone(), last.clone())), of),
                    StmtKind::Default(of) => (None, of),
                    _ => return,
                };
                cases.push((case, label));
                self.collect(of, cases, known);
            }
            StmtKind::Block(list) => list.iter().for_each(|it| self.collect(it, cases, known)),
            StmtKind::If(_, yes, no) => {
                self.collect(yes, cases, known);
                no.iter().for_each(|it| self.collect(it, cases, known));
            }
            StmtKind::While(_, of) | StmtKind::DoWhile(of, _) | StmtKind::For(_, _, _, of) | StmtKind::Label(_, of) => {
                self.collect(of, cases, known)
            }
            _ => {}
        }
    }
}

/// Every label in a statement; a case is one without a name.
fn labels(it: &Stmt, visit: &mut dyn FnMut(&str)) {
    match &it.kind {
        StmtKind::Label(name, of) => {
            visit(name);
            labels(of, visit);
        }
        StmtKind::Block(list) => list.iter().for_each(|it| labels(it, visit)),
        StmtKind::If(_, yes, no) => {
            labels(yes, visit);
            no.iter().for_each(|it| labels(it, visit));
        }
        StmtKind::While(_, of) | StmtKind::DoWhile(of, _) | StmtKind::Switch(_, of) | StmtKind::For(_, _, _, of) => {
            labels(of, visit)
        }
        StmtKind::Case(_, _, of) | StmtKind::Default(of) => {
            visit("");
            labels(of, visit);
        }
        _ => {}
    }
}

/// Whether something may lead into a statement.
fn contains_label(it: &Stmt) -> bool {
    let mut found = false;
    labels(it, &mut |_| found = true);
    found
}

fn quoted(text: &str) -> String {
    format!("\"{}\\n\"", text.replace('\\', "").replace('"', "'").replace('%', ""))
}
