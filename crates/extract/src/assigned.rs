//! Which local variables may be read before they have a value.
//!
//! The analysis of definite assignment of Java (JLS, chapter 16) on C: forwards along the structure of statements, with what reaches labels by
//! `goto` found by repetition. What it cannot see counts as a read. A variable with an address is followed into functions of the program.
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use front_c::ast::{Expr, ExprKind, Function, Init, Stmt, StmtKind, Type, Unit};
use text::Span;

use crate::values::{every, every_init};

/// Every expression in a statement, with all its parts.
pub(crate) fn expressions<'e>(it: &'e Stmt, visit: &mut dyn FnMut(&'e Expr)) {
    match &it.kind {
        StmtKind::Block(list) => list.iter().for_each(|it| expressions(it, visit)),
        StmtKind::Declaration(declaration) => {
            declaration.variables.iter().filter_map(|it| it.init.as_ref()).for_each(|it| every_init(it, visit))
        }
        StmtKind::Expr(it) | StmtKind::GotoComputed(it) => every(it, visit),
        StmtKind::If(condition, yes, no) => {
            every(condition, visit);
            expressions(yes, visit);
            no.iter().for_each(|it| expressions(it, visit));
        }
        StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) | StmtKind::Switch(condition, body) => {
            every(condition, visit);
            expressions(body, visit);
        }
        StmtKind::For(first, condition, step, body) => {
            first.iter().for_each(|it| expressions(it, visit));
            condition.iter().chain(step).for_each(|it| every(it, visit));
            expressions(body, visit);
        }
        StmtKind::Case(_, _, of) | StmtKind::Default(of) | StmtKind::Label(_, of) => expressions(of, visit),
        StmtKind::Return(value) => value.iter().for_each(|it| every(it, visit)),
        StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Asm | StmtKind::Empty => {}
    }
}

/// Whether a name is given a value, or its address is taken, anywhere in a body.
pub(crate) fn is_assigned(body: &[Stmt], name: &str) -> bool {
    let is = |it: &Expr| matches!(&it.kind, ExprKind::Name(own) if &**own == name);
    let mut found = false;
    for statement in body {
        expressions(statement, &mut |it| {
            found |= match &it.kind {
                ExprKind::Assign(_, of, _) | ExprKind::Postfix(of, _) => is(of),
                ExprKind::Unary(operator, of) => matches!(&**operator, "++" | "--" | "&") && is(of),
                _ => false,
            }
        });
    }
    found
}

/// What has a value: a variable and a path in it. `None` where nothing arrives.
type Known = Option<BTreeSet<(Span, String)>>;

fn both(one: Known, two: Known) -> Known {
    match (one, two) {
        (None, it) | (it, None) => it,
        (Some(one), Some(two)) => Some(one.intersection(&two).cloned().collect()),
    }
}

struct Walk<'a> {
    unit: &'a Unit,
    scopes: Vec<HashMap<Rc<str>, (Span, Type)>>,
    known: Known,
    unset: HashSet<Span>,
    labels: HashMap<Rc<str>, Known>,
    breaks: Vec<Known>,
    continues: Vec<Known>,
    returns: Known,
    /// What a `switch` has at its head.
    heads: Vec<Known>,
    calls: Vec<Rc<str>>,
}

/// The variables of a function that may be read before they have a value.
pub(crate) fn unset(unit: &Unit, function: &Function) -> HashSet<Span> {
    let mut walk = Walk::new(unit, vec![function.name.clone()]);
    walk.function(function);
    walk.unset
}

/// Whether a function may come to its end without a `return`.
pub(crate) fn falls_off(unit: &Unit, function: &Function) -> bool {
    let mut walk = Walk::new(unit, vec![function.name.clone()]);
    walk.function(function);
    walk.known.is_some()
}

impl<'a> Walk<'a> {
    fn new(unit: &'a Unit, calls: Vec<Rc<str>>) -> Self {
        Walk {
            unit,
            scopes: Vec::new(),
            known: None,
            unset: HashSet::new(),
            labels: HashMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            returns: None,
            heads: Vec::new(),
            calls,
        }
    }

    fn function(&mut self, function: &Function) {
        loop {
            let before = self.labels.clone();
            self.known = Some(BTreeSet::new());
            (self.unset, self.returns) = (HashSet::new(), None);
            let parameters = function.parameters.iter().map(|it| (it.name.clone(), (it.span, it.ty.clone()))).collect();
            self.scopes = vec![parameters];
            for it in &function.parameters {
                self.set(it.span, "");
            }
            function.body.iter().for_each(|it| self.statement(it));
            self.returns = both(self.returns.take(), self.known.clone());
            if self.labels == before {
                return;
            }
        }
    }

    fn find(&self, name: &str) -> Option<(Span, Type)> {
        self.scopes.iter().rev().find_map(|it| it.get(name)).cloned()
    }

    fn set(&mut self, span: Span, path: &str) {
        if let Some(known) = &mut self.known {
            known.insert((span, path.to_string()));
        }
    }

    /// Whether a path of a variable, or something that it is part of, has a value; a record has one if all its fields have.
    fn has(&self, span: Span, path: &str, ty: &Type) -> bool {
        let Some(known) = &self.known else { return true };
        let mut prefix = path;
        loop {
            if known.contains(&(span, prefix.to_string())) {
                return true;
            }
            match prefix.rfind('.') {
                Some(at) => prefix = &prefix[..at],
                None => break,
            }
        }
        match ty.plain() {
            Type::Record(id) => {
                let record = &self.unit.records[id.0 as usize];
                !record.is_union
                    && !record.fields.is_empty()
                    && record.fields.iter().all(|(name, ty)| match name {
                        Some(name) => self.has(span, &format!("{path}.{name}"), ty),
                        None => false,
                    })
            }
            _ => false,
        }
    }

    /// A variable and a path in it, as far as an expression is one.
    fn path(&self, it: &Expr) -> Option<(Span, String, Type)> {
        match &it.kind {
            ExprKind::Name(name) => self.find(name).map(|(span, ty)| (span, String::new(), ty)),
            ExprKind::Member(of, name, arrow) => {
                let (span, path, ty) = if *arrow { self.pointed(of)? } else { self.path(of)? };
                let Type::Record(id) = ty.plain() else { return None };
                let field = self.unit.field(*id, name)?.clone();
                Some((span, format!("{path}.{name}"), field))
            }
            ExprKind::Unary(operator, of) if &**operator == "*" => self.pointed(of),
            _ => None,
        }
    }

    /// What a pointer that is a variable points to, as a path of that variable.
    fn pointed(&self, it: &Expr) -> Option<(Span, String, Type)> {
        let ExprKind::Name(name) = &it.kind else { return None };
        let (span, ty) = self.find(name)?;
        match ty.plain() {
            Type::Pointer(to) => Some((span, "*".into(), (**to).clone())),
            _ => None,
        }
    }

    fn read(&mut self, it: &Expr) {
        match &it.kind {
            ExprKind::Name(_) | ExprKind::Member(..) => match self.path(it) {
                Some((span, path, ty)) => {
                    if !self.has(span, &path, &ty) && crate::translate::primitive(&ty).is_none() {
                        self.unset.insert(span);
                    }
                }
                None => self.parts(it),
            },
            ExprKind::Unary(operator, of) if &**operator == "*" => {
                if let Some((span, path, ty)) = self.path(it)
                    && !self.has(span, &path, &ty)
                {
                    self.unset.insert(span);
                }
                self.read(of);
            }
            ExprKind::Unary(operator, of) if &**operator == "&" => self.address(of),
            ExprKind::Unary(operator, of) if matches!(&**operator, "++" | "--") => {
                self.read(of);
                self.assigned(of);
            }
            ExprKind::Postfix(of, _) => {
                self.read(of);
                self.assigned(of);
            }
            ExprKind::Assign(operator, left, right) => {
                self.read(right);
                if &**operator != "=" {
                    self.read(left);
                } else {
                    self.around(left);
                }
                self.assigned(left);
            }
            ExprKind::Binary(operator, left, right) if matches!(&**operator, "&&" | "||") => {
                self.read(left);
                let skipped = self.known.clone();
                self.read(right);
                self.known = both(skipped, self.known.take());
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.read(condition);
                let before = self.known.clone();
                yes.iter().for_each(|it| self.read(it));
                let after = std::mem::replace(&mut self.known, before);
                self.read(no);
                self.known = both(after, self.known.take());
            }
            ExprKind::Call(function, list) => self.call(function, list),
            ExprKind::SizeOf(_) => {}
            ExprKind::Statement(list) => {
                self.scopes.push(HashMap::new());
                list.iter().for_each(|it| self.statement(it));
                self.scopes.pop();
            }
            _ => self.parts(it),
        }
    }

    /// The parts of an expression.
    fn parts(&mut self, it: &Expr) {
        match &it.kind {
            ExprKind::Unary(_, of) | ExprKind::Cast(_, of) | ExprKind::Member(of, ..) => self.read(of),
            ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => {
                self.read(left);
                self.read(right);
            }
            ExprKind::Compound(_, list) => list.iter().for_each(|it| self.init(&it.value)),
            _ => {}
        }
    }

    /// What is read to find out where something is written.
    fn around(&mut self, it: &Expr) {
        match &it.kind {
            ExprKind::Name(_) => {}
            ExprKind::Member(of, _, arrow) => {
                if *arrow {
                    self.read(of);
                } else {
                    self.around(of);
                }
            }
            ExprKind::Index(array, index) => {
                self.read(index);
                let own = self.path(array).is_some_and(|it| matches!(it.2.plain(), Type::Array(..)));
                if own {
                    self.around(array);
                } else {
                    self.read(array);
                }
            }
            ExprKind::Unary(_, of) | ExprKind::Cast(_, of) => self.read(of),
            _ => self.parts(it),
        }
    }

    fn assigned(&mut self, it: &Expr) {
        if let Some((span, path, _)) = self.path(it) {
            self.set(span, &path);
        }
    }

    /// The address of something that has no value goes where nobody follows it.
    fn address(&mut self, of: &Expr) {
        match self.path(of) {
            Some((span, path, ty)) => {
                if !self.has(span, &path, &ty) && crate::translate::primitive(&ty).is_none() {
                    self.unset.insert(span);
                }
            }
            None => self.around(of),
        }
    }

    fn call(&mut self, function: &Expr, list: &[Expr]) {
        let ExprKind::Name(name) = &function.kind else {
            self.read(function);
            return list.iter().for_each(|it| self.read(it));
        };
        let body = self.unit.function(name).cloned();
        let fills =
            |row: usize| matches!((&**name, row), ("atomic_init" | "atomic_store" | "atomic_store_explicit", 0));
        for (row, it) in list.iter().enumerate() {
            let ExprKind::Unary(operator, of) = &it.kind else {
                self.read(it);
                continue;
            };
            let sets = &**operator == "&" && (fills(row) || body.as_ref().is_some_and(|body| self.fills(body, row)));
            if sets {
                self.around(of);
                self.assigned(of);
            } else {
                self.read(it);
            }
        }
        if self.unit.function(name).is_none() && matches!(&**name, "exit" | "abort" | "_exit" | "pthread_exit") {
            self.known = None;
        }
    }

    /// Whether a function gives a value to what a parameter points to, before it reads it and whatever happens.
    fn fills(&self, function: &Rc<Function>, row: usize) -> bool {
        let Some(parameter) = function.parameters.get(row) else { return false };
        let Type::Pointer(to) = parameter.ty.plain() else { return false };
        if self.calls.contains(&function.name) || is_assigned(&function.body, &parameter.name) {
            return false;
        }
        let mut walk = Walk::new(self.unit, [&self.calls[..], std::slice::from_ref(&function.name)].concat());
        walk.function(function);
        let mut plain = false;
        // The pointer itself going anywhere else would be a read that nobody sees.
        for it in &function.body {
            expressions(it, &mut |it| {
                let hidden = matches!(&it.kind, ExprKind::Member(..))
                    || matches!(&it.kind, ExprKind::Unary(operator, _) if &**operator == "*");
                let name = |it: &Expr| matches!(&it.kind, ExprKind::Name(name) if *name == parameter.name);
                plain |= match &it.kind {
                    _ if hidden => false,
                    ExprKind::Call(_, list) => list.iter().any(name),
                    ExprKind::Assign(_, _, right) => name(right),
                    ExprKind::Index(left, _) => name(left),
                    ExprKind::Binary(_, left, right) => name(left) || name(right),
                    ExprKind::Cast(_, of) => name(of),
                    ExprKind::Conditional(_, yes, no) => yes.as_deref().is_some_and(name) || name(no),
                    _ => false,
                };
            });
        }
        // A parameter counts as set with all its paths; what it points to must have been set as such.
        let Some(known) = walk.returns.clone() else { return true };
        let mut only = Walk::new(self.unit, Vec::new());
        only.known = Some(known.into_iter().filter(|it| it.0 == parameter.span && !it.1.is_empty()).collect());
        !plain && !walk.unset.contains(&parameter.span) && only.has(parameter.span, "*", to)
    }

    fn init(&mut self, it: &Init) {
        match it {
            Init::Single(it) => self.read(it),
            Init::List(list) => list.iter().for_each(|it| self.init(&it.value)),
        }
    }

    fn arrives(&mut self, label: &Rc<str>) {
        let old = self.labels.get(label).cloned().unwrap_or(None);
        let new = both(old, self.known.clone());
        self.labels.insert(label.clone(), new);
    }

    fn looped(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt, first: bool) {
        let read = |it: &mut Self, part: Option<&Expr>| part.into_iter().for_each(|part| it.read(part));
        self.breaks.push(None);
        self.continues.push(None);
        if !first {
            read(self, condition);
        }
        let left = if first || condition.is_none() { None } else { self.known.clone() };
        self.statement(body);
        let next = self.continues.pop().unwrap_or(None);
        self.known = both(self.known.take(), next);
        read(self, step);
        let mut after = left;
        if first {
            read(self, condition);
            after = self.known.clone();
        }
        let breaks = self.breaks.pop().unwrap_or(None);
        self.known = both(after, breaks);
    }

    fn statement(&mut self, it: &Stmt) {
        match &it.kind {
            StmtKind::Block(list) => {
                self.scopes.push(HashMap::new());
                list.iter().for_each(|it| self.statement(it));
                self.scopes.pop();
            }
            StmtKind::Declaration(declaration) => {
                for it in &declaration.variables {
                    it.init.iter().for_each(|it| self.init(it));
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.insert(it.name.clone(), (it.span, it.ty.clone()));
                    }
                    if let Some(known) = &mut self.known {
                        known.retain(|known| known.0 != it.span);
                    }
                    if it.init.is_some() || declaration.is_static || declaration.is_extern {
                        self.set(it.span, "");
                    }
                }
            }
            StmtKind::Expr(it) | StmtKind::GotoComputed(it) => self.read(it),
            StmtKind::If(condition, yes, no) => {
                self.read(condition);
                let before = self.known.clone();
                self.statement(yes);
                let after = std::mem::replace(&mut self.known, before);
                no.iter().for_each(|it| self.statement(it));
                self.known = both(after, self.known.take());
            }
            StmtKind::While(condition, body) => {
                let forever = matches!(condition.kind, ExprKind::Integer(value, ..) if value != 0);
                self.looped(Some(condition).filter(|_| !forever), None, body, false);
            }
            StmtKind::DoWhile(body, condition) => self.looped(Some(condition), None, body, true),
            StmtKind::For(first, condition, step, body) => {
                self.scopes.push(HashMap::new());
                first.iter().for_each(|it| self.statement(it));
                self.looped(condition.as_ref(), step.as_ref(), body, false);
                self.scopes.pop();
            }
            StmtKind::Switch(value, body) => {
                self.read(value);
                self.heads.push(self.known.clone());
                self.breaks.push(None);
                let missed = if has_default(body) { None } else { self.known.clone() };
                self.known = None;
                self.statement(body);
                self.heads.pop();
                let breaks = self.breaks.pop().unwrap_or(None);
                self.known = both(both(self.known.take(), breaks), missed);
            }
            StmtKind::Case(_, _, of) | StmtKind::Default(of) => {
                let head = self.heads.last().cloned().unwrap_or(None);
                self.known = both(self.known.take(), head);
                self.statement(of);
            }
            StmtKind::Label(name, of) => {
                let from = self.labels.get(name).cloned().unwrap_or(None);
                self.known = both(self.known.take(), from);
                self.statement(of);
            }
            StmtKind::Goto(name) => {
                self.arrives(name);
                self.known = None;
            }
            StmtKind::Break => {
                if let Some(known) = self.breaks.pop() {
                    let new = both(known, self.known.take());
                    self.breaks.push(new);
                }
                self.known = None;
            }
            StmtKind::Continue => {
                if let Some(known) = self.continues.pop() {
                    let new = both(known, self.known.take());
                    self.continues.push(new);
                }
                self.known = None;
            }
            StmtKind::Return(value) => {
                value.iter().for_each(|it| self.read(it));
                self.returns = both(self.returns.take(), self.known.take());
                self.known = None;
            }
            StmtKind::Asm | StmtKind::Empty => {}
        }
    }
}

fn has_default(it: &Stmt) -> bool {
    match &it.kind {
        StmtKind::Default(_) => true,
        StmtKind::Block(list) => list.iter().any(has_default),
        StmtKind::Case(_, _, of) | StmtKind::Label(_, of) => has_default(of),
        _ => false,
    }
}
