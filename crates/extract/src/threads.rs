//! Threads, mutexes, condition variables, semaphores and atomics of C, as a built-in table.
//!
//! A mutex is the number of its owner and one, or 0. What waits for a condition variable are bits. A thread that begins to wait may do so
//! without being counted, and then goes on whenever it gets the mutex: that is what C11 and POSIX call a spurious wakeup. It is chosen at
//! the beginning, so a state in which everybody waits and nobody is to signal is still a deadlock.
use std::collections::HashSet;
use std::rc::Rc;

use front_c::ast::{Expr, ExprKind, Stmt};

use crate::numbers::{INT, Int, LONG, Number};
use crate::places::{Place, Thing};
use crate::translate::{MOST_THREADS, Translator, Waiting, number};
use crate::values::{Value, every};
use crate::{Origin, Quality};

impl Translator<'_> {
    /// The object that an argument points to, as text.
    fn object(&mut self, list: &[Expr], row: usize) -> Option<Place> {
        let it = list.get(row)?;
        match self.target(it) {
            Ok(place) if !place.absent && !self.lost.variables.contains_key(&place.root) => Some(place),
            _ => {
                let why = format!("it is not known which object `{}` is", self.spelling(it));
                self.overlooked(it);
                self.doubt(Quality::Less, why);
                None
            }
        }
    }

    fn amount(&mut self, list: &[Expr], row: usize) -> Option<Number> {
        match self.value(list.get(row)?) {
            Value::Number(it) => it.usable().map(|it| self.settled_number(it)),
            other => {
                self.escapes(&other);
                None
            }
        }
    }

    /// A function of the built-in table; `None` if it is none.
    pub(crate) fn primitive_call(&mut self, name: &str, list: &[Expr]) -> Option<Value> {
        let known = self.lock_call(name, list).or_else(|| self.waiting_call(name, list));
        known.or_else(|| self.thread_call(name, list)).or_else(|| self.atomic_call(name, list))
    }

    fn said(&mut self, text: Option<String>) -> Option<Value> {
        if let Some(text) = text {
            self.emit(text);
        }
        Some(Value::zero())
    }

    fn result(&mut self, text: String, own: String) -> Option<Value> {
        self.emit(text);
        Some(Value::Number(Number::of(own, INT, false)))
    }

    fn lock_call(&mut self, name: &str, list: &[Expr]) -> Option<Value> {
        let locks = matches!(name, "pthread_mutex_lock" | "pthread_spin_lock" | "mtx_lock");
        if let Some(Ok(place)) = list.first().filter(|_| locks).map(|it| self.apart(|own| own.target(it)).1) {
            let plain = without_indices(&place.text);
            if !self.locks.contains(&plain) {
                self.locks.push(plain);
            }
        }
        match name {
            "pthread_mutex_lock" | "pthread_spin_lock" | "mtx_lock" => {
                let m = self.object(list, 0).map(|it| it.text);
                self.said(m.map(|m| format!("atomic {{ {m} == 0 -> {m} = self + 1 }}")))
            }
            "pthread_mutex_unlock" | "pthread_spin_unlock" | "mtx_unlock" => {
                let m = self.object(list, 0).map(|it| it.text);
                self.said(m.map(|m| format!("atomic {{ assert({m} == self + 1); {m} = 0 }}")))
            }
            "pthread_mutex_trylock" | "pthread_spin_trylock" | "mtx_trylock" => {
                let Some(m) = self.object(list, 0).map(|it| it.text) else {
                    return Some(Value::Unknown("a lock".into()));
                };
                let t = self.temporary();
                self.result(format!("atomic {{ if :: {m} == 0 -> {m} = self + 1; {t} = 0 :: else -> {t} = 16 fi }}"), t)
            }
            "pthread_mutex_init" | "pthread_cond_init" | "pthread_rwlock_init" | "mtx_init" | "cnd_init" => {
                let plain = match list.get(1) {
                    None => true,
                    Some(it) => matches!(self.value(it), Value::Number(Number { constant: Some(0), .. })),
                };
                if !plain {
                    self.doubt(Quality::Less, "attributes of it are not in the model");
                }
                let object = self.object(list, 0).map(|it| it.text);
                self.said(object.map(|it| format!("{it} = 0")))
            }
            "pthread_spin_init" => {
                let object = self.object(list, 0).map(|it| it.text);
                self.said(object.map(|it| format!("{it} = 0")))
            }
            "pthread_rwlock_rdlock" => {
                let l = self.object(list, 0).map(|it| it.text);
                self.said(l.map(|l| format!("atomic {{ {l} >= 0 -> {l} = {l} + 1 }}")))
            }
            "pthread_rwlock_wrlock" => {
                let l = self.object(list, 0).map(|it| it.text);
                self.said(l.map(|l| format!("atomic {{ {l} == 0 -> {l} = -1 }}")))
            }
            "pthread_rwlock_unlock" => {
                let l = self.object(list, 0).map(|it| it.text);
                self.said(l.map(|l| format!("atomic {{ assert({l} != 0); {l} = ({l} < 0 -> 0 : {l} - 1) }}")))
            }
            "pthread_rwlock_tryrdlock" | "pthread_rwlock_trywrlock" => {
                let Some(l) = self.object(list, 0).map(|it| it.text) else {
                    return Some(Value::Unknown("a lock".into()));
                };
                let (test, to) =
                    if name.ends_with("rdlock") { (">= 0", format!("{l} + 1")) } else { ("== 0", "-1".into()) };
                let t = self.temporary();
                self.result(format!("atomic {{ if :: {l} {test} -> {l} = {to}; {t} = 0 :: else -> {t} = 16 fi }}"), t)
            }
            _ => None,
        }
    }

    fn waiting_call(&mut self, name: &str, list: &[Expr]) -> Option<Value> {
        match name {
            "pthread_cond_wait" | "cnd_wait" | "pthread_cond_timedwait" | "cnd_timedwait" => {
                let (c, m) = (self.object(list, 0).map(|it| it.text), self.object(list, 1).map(|it| it.text));
                let (Some(c), Some(m)) = (c, m) else { return Some(Value::Unknown("a wait".into())) };
                let timed = name.ends_with("timedwait");
                let t = if timed { Some(self.temporary()) } else { None };
                let (set, late) = match &t {
                    Some(t) => (format!("; {t} = 0"), format!(" :: {t} = 110")),
                    None => (String::new(), String::new()),
                };
                self.emit(format!(
                    "atomic {{ assert({m} == self + 1); {m} = 0{set}; if :: {c} = ({c} | (1 << self)) :: skip{late} fi }}"
                ));
                self.emit(format!("atomic {{ ({m} == 0 && (({c} >> self) & 1) == 0) -> {m} = self + 1 }}"));
                Some(t.map_or_else(Value::zero, |it| Value::Number(Number::of(it, INT, false))))
            }
            "pthread_cond_signal" | "cnd_signal" => {
                let c = self.object(list, 0).map(|it| it.text);
                self.said(c.map(|c| {
                    let options: String = (0..MOST_THREADS)
                        .map(|it| format!(":: ({c} & {bit}) != 0 -> {c} = ({c} & ~{bit}) ", bit = 1 << it))
                        .collect();
                    format!("atomic {{ if {options}:: else fi }}")
                }))
            }
            "pthread_cond_broadcast" | "cnd_broadcast" => {
                let c = self.object(list, 0).map(|it| it.text);
                self.said(c.map(|c| format!("{c} = 0")))
            }
            "sem_init" => {
                let (s, value) = (self.object(list, 0), self.amount(list, 2));
                match (s, value) {
                    (Some(s), Some(value)) => self.said(Some(format!("{} = {}", s.text, value.text))),
                    (Some(s), None) => {
                        self.lose(s.root, "it begins with a value that is not known");
                        Some(Value::zero())
                    }
                    _ => Some(Value::zero()),
                }
            }
            "sem_wait" => {
                let s = self.object(list, 0).map(|it| it.text);
                self.said(s.map(|s| format!("atomic {{ {s} > 0 -> {s} = {s} - 1 }}")))
            }
            "sem_post" => {
                let s = self.object(list, 0).map(|it| it.text);
                self.said(s.map(|s| format!("{s} = {s} + 1")))
            }
            "sem_trywait" => {
                let Some(s) = self.object(list, 0).map(|it| it.text) else {
                    return Some(Value::Unknown("a semaphore".into()));
                };
                let t = self.temporary();
                self.result(format!("atomic {{ if :: {s} > 0 -> {s} = {s} - 1; {t} = 0 :: else -> {t} = -1 fi }}"), t)
            }
            _ => None,
        }
    }

    fn thread_call(&mut self, name: &str, list: &[Expr]) -> Option<Value> {
        match name {
            "assert" => {
                let value = self.value(list.first()?);
                self.claim(value);
            }
            "__assert_fail" | "abort" | "__builtin_trap" | "__builtin_unreachable" => self.emit("assert(false)"),
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                list.iter().for_each(|it| self.effect(it));
                self.ends("the program ends here, and other threads go on in the model");
                let end = self.process_end.clone();
                self.emit(format!("goto {end}"));
            }
            "pthread_exit" | "thrd_exit" => {
                let end = self.process_end.clone();
                self.emit(format!("goto {end}"));
            }
            "pthread_create" | "thrd_create" => {
                let at = usize::from(name == "pthread_create");
                if let Err(why) = self.create(list, at) {
                    list.iter().for_each(|it| self.overlooked(it));
                    self.doubt(Quality::Less, format!("this thread is not in the model: {why}"));
                }
            }
            "pthread_join" | "thrd_join" => {
                match self.amount(list, 0).filter(|_| self.threaded) {
                    Some(thread) => self.emit(format!("(done[{}])", thread.text)),
                    None => self.doubt(Quality::Less, "it is not known for which thread this waits"),
                }
                if let Some(it) = list.get(1) {
                    self.given_away(it);
                }
            }
            "pthread_self" | "thrd_current" => return Some(Value::Number(Number::of("self", INT, false))),
            "pthread_equal" | "thrd_equal" => {
                let (a, b) = (self.amount(list, 0)?, self.amount(list, 1)?);
                return Some(Value::Number(Number::truth(format!("({} == {})", a.text, b.text), false)));
            }
            "pthread_once" | "call_once" => return self.once(list),
            _ => return None,
        }
        Some(Value::zero())
    }

    /// `assert`
    fn claim(&mut self, value: Value) {
        let here = self.here.clone();
        match value {
            Value::Number(Number { constant: Some(value), .. }) => self.emit(format!("assert({})", value != 0)),
            Value::Number(it) => self.emit(format!("assert({})", it.text)),
            Value::Address(_) => {}
            Value::Unknown(why) => {
                self.uncertain(&why);
                self.emit("if");
                self.emit(":: true -> assert(false)");
                self.emit(":: true -> skip");
                self.emit("fi");
            }
        }
        self.here = here;
    }

    fn once(&mut self, list: &[Expr]) -> Option<Value> {
        let once = self.object(list, 0).map(|it| it.text);
        let function = list.get(1).map(|it| strip(it).clone());
        let (Some(once), Some(Expr { kind: ExprKind::Name(name), span })) = (once, function) else {
            self.doubt(Quality::Less, "it is not known what is done once");
            return Some(Value::zero());
        };
        self.emit("if");
        self.emit(format!(":: atomic {{ {once} == 0 -> {once} = 1 }} ->"));
        self.indent += 1;
        self.call(&name, &[], span);
        self.emit(format!("{once} = 2"));
        self.indent -= 1;
        self.emit(format!(":: {once} == 2"));
        self.emit("fi");
        Some(Value::zero())
    }

    /// The end of the whole program.
    fn ends(&mut self, why: &str) {
        if self.request.ends {
            return self.emit("exited = true");
        }
        if !self.threaded {
            return;
        }
        let here = self.here.clone();
        let marked = self.here.clone().map(|it| Origin { goes_on: true, uncertain: Some(why.to_string()), ..it });
        if !self.in_main {
            self.here = marked;
            self.emit("skip");
            self.here = here;
            return;
        }
        self.emit("if");
        self.emit(":: running == 0");
        self.here = marked;
        self.emit(":: else -> skip");
        self.here = here;
        self.emit("fi");
    }

    pub(crate) fn returned_from_main(&mut self) {
        if !self.started.is_empty() {
            self.ends("`main` returns, and other threads go on in the model");
        }
    }

    /// A thread: one kind of process for each function and each place that its argument names.
    fn create(&mut self, list: &[Expr], at: usize) -> Result<(), String> {
        let (Some(thread), Some(function), Some(argument)) = (list.first(), list.get(at + 1), list.get(at + 2)) else {
            return Err("arguments are missing".into());
        };
        if !self.threaded {
            return Err("functions were chosen with `-f`".into());
        }
        let thread = self.target(thread)?;
        if thread.absent || self.lost.variables.contains_key(&thread.root) {
            return Err("its number has no place in the model".into());
        }
        let ExprKind::Name(name) = &strip(function).kind else {
            return Err("it is not known which function it begins with".into());
        };
        let function = self.unit.function(name).cloned().ok_or_else(|| format!("`{name}` has no body here"))?;
        let changed =
            function.parameters.first().is_some_and(|it| crate::assigned::is_assigned(&function.body, &it.name));
        let (key, thing, values) = match self.value(argument) {
            Value::Address(place) if !place.shared && !place.absent => {
                return Err(format!("it is given the address of `{}`, which is local: make it static", place.text));
            }
            Value::Address(place) if changed => {
                self.escapes(&Value::Address(place.clone()));
                ("?".into(), Thing::Place(Place::absent(&place.ty, place.root)), Vec::new())
            }
            Value::Address(mut place) => {
                let values = place.indices.clone();
                for (at, index) in values.iter().enumerate() {
                    place.text = place.text.replace(&format!("[{index}]"), &format!("[argument_{at}]"));
                    place.indices[at] = format!("argument_{at}");
                }
                (place.text.clone(), Thing::Alias(place), values)
            }
            Value::Number(it) => {
                let it =
                    self.converted(it, LONG).map(|it| self.settled_number(it)).ok_or("its argument is too large")?;
                let root = function.parameters.first().map_or(function.span, |it| it.span);
                let is_lost = self.lost.variables.contains_key(&root);
                let ty = front_c::ast::Type::Integer { bits: 64, signed: true };
                let place = match is_lost {
                    true => Place::absent(&ty, root),
                    false => Place::new("argument_0".into(), &ty, false, root),
                };
                ("number".into(), Thing::Place(place), vec![it.text])
            }
            Value::Unknown(_) => {
                let ty = front_c::ast::Type::Pointer(Rc::new(front_c::ast::Type::Void));
                ("?".into(), Thing::Place(Place::absent(&ty, function.span)), Vec::new())
            }
        };
        let parameters: Vec<String> = (0..values.len()).map(|it| format!("argument_{it}")).collect();
        let known = self.started.iter().find(|it| it.1 == *name && it.2 == key).map(|it| it.0.clone());
        let process = known.unwrap_or_else(|| {
            let process = self.fresh_process(name);
            self.started.push((process.clone(), name.clone(), key));
            self.waiting.push(Waiting { name: process.clone(), function, argument: Some(thing), parameters });
            process
        });
        self.limit(format!("threads < {}", MOST_THREADS - 1));
        let passed: String = values.iter().map(|it| format!(", {it}")).collect();
        self.emit(format!(
            "atomic {{ threads = threads + 1; running = running + 1; {} = threads; run {process}(threads{passed}) }}",
            thread.text
        ));
        Ok(())
    }

    /// A name that no other process and no variable has.
    fn fresh_process(&self, name: &str) -> String {
        let base = crate::names::safe(name);
        let taken = |it: &str| self.waiting.iter().any(|other| other.name == it) || self.used.contains(it);
        (1..)
            .map(|it| if it == 1 { base.clone() } else { format!("{base}_{it}") })
            .find(|it| !taken(it))
            .unwrap_or(base)
    }

    fn atomic_call(&mut self, name: &str, list: &[Expr]) -> Option<Value> {
        let operator = match name {
            "atomic_load" | "__atomic_load_n" => "load",
            "atomic_store" | "__atomic_store_n" | "atomic_init" => "store",
            "atomic_exchange" | "__atomic_exchange_n" | "__sync_lock_test_and_set" => "=",
            "atomic_fetch_add" | "__sync_fetch_and_add" | "__atomic_fetch_add" => "+",
            "atomic_fetch_sub" | "__sync_fetch_and_sub" | "__atomic_fetch_sub" => "-",
            "atomic_fetch_or" | "__sync_fetch_and_or" | "__atomic_fetch_or" => "|",
            "atomic_fetch_and" | "__sync_fetch_and_and" | "__atomic_fetch_and" => "&",
            "atomic_fetch_xor" | "__sync_fetch_and_xor" | "__atomic_fetch_xor" => "^",
            "__sync_add_and_fetch" | "__atomic_add_fetch" => "after +",
            "__sync_sub_and_fetch" | "__atomic_sub_fetch" => "after -",
            "atomic_compare_exchange_strong" | "atomic_compare_exchange_weak" => "cas",
            "__sync_bool_compare_and_swap" | "__sync_val_compare_and_swap" => "sync",
            "atomic_flag_test_and_set" => "test and set",
            "atomic_flag_clear" | "__sync_lock_release" => "clear",
            _ => return None,
        };
        let place = match self.target(list.first()?) {
            Ok(place) => place,
            Err(why) => return Some(self.unknown_atomic(list, &why)),
        };
        Some(match operator {
            "load" => self.read(&place),
            "test and set" => {
                let t = self.temporary();
                self.emit(format!("atomic {{ {t} = {x}; {x} = 1 }}", x = place.text));
                Value::Number(Number::of(t, INT, false))
            }
            "clear" => {
                self.emit(format!("{} = 0", place.text));
                Value::zero()
            }
            "store" => {
                let value = self.value(list.get(1)?);
                let value = self.settled(value);
                self.store(&place, value, None);
                Value::zero()
            }
            "cas" => self.compare_exchange(&place, list, name.ends_with("weak")),
            "sync" => self.compare_swap(&place, list, name.contains("bool")),
            _ => self.modified(&place, operator, list.get(1)?),
        })
    }

    fn settled(&mut self, it: Value) -> Value {
        match it {
            Value::Number(it) => Value::Number(self.settled_number(it)),
            other => other,
        }
    }

    /// An operation on an atomic of which nothing is known.
    fn unknown_atomic(&mut self, list: &[Expr], why: &str) -> Value {
        list.iter().for_each(|it| self.given_away(it));
        self.lost.wild = true;
        self.doubt(Quality::More, why);
        Value::Unknown(why.into())
    }

    /// A read, an operation and a write in one step.
    fn modified(&mut self, place: &Place, operator: &str, by: &Expr) -> Value {
        let by = self.value(by);
        let by = self.settled(by);
        let (Value::Number(by), Value::Number(_), Some(int)) = (by, self.read(place), number(&place.ty)) else {
            self.lose(place.root, "it is changed by a value that is not known");
            self.doubt(Quality::More, "it is changed by a value that is not known");
            return Value::Unknown("it is changed by a value that is not known".into());
        };
        let atomic = Place { ty: front_c::ast::Type::Atomic(Rc::new(place.ty.clone())), ..place.clone() };
        match operator.strip_prefix("after ") {
            Some(operator) => self.changed(&atomic, operator, by).1,
            None if operator == "=" => {
                let Some(by) = self.converted(by, int) else {
                    return Value::Unknown("the model has no such number".into());
                };
                let t = self.temporary();
                self.emit(format!("atomic {{ {t} = {x}; {x} = {} }}", by.text, x = place.text));
                Value::Number(Number::of(t, int, false))
            }
            None => self.changed(&atomic, operator, by).0,
        }
    }

    fn compare_exchange(&mut self, place: &Place, list: &[Expr], weak: bool) -> Value {
        let expected = list.get(1).map(|it| self.target(it));
        let value = list.get(2).map(|it| self.value(it));
        let value = value.map(|it| self.settled(it));
        let (Some(Ok(expected)), Some(Value::Number(value)), Some(int)) = (expected, value, number(&place.ty)) else {
            return self.unknown_atomic(list, "it is not known what is compared");
        };
        let known = [place, &expected].iter().all(|it| it.is_number() && !self.lost.variables.contains_key(&it.root));
        let same = number(&expected.ty) == Some(int);
        let (Some(value), true, true) = (self.converted(value, int), known, same) else {
            return self.unknown_atomic(list, "it is not known what is compared");
        };
        let (x, e, v, t) = (&place.text, &expected.text, &value.text, self.temporary());
        let fails = if weak { format!(" :: {x} == {e} -> {t} = 0") } else { String::new() };
        self.emit(format!(
            "atomic {{ if :: {x} == {e} -> {x} = {v}; {t} = 1{fails} :: else -> {e} = {x}; {t} = 0 fi }}"
        ));
        Value::Number(Number { natural: true, ..Number::of(t, Int { bits: 1, signed: false }, false) })
    }

    fn compare_swap(&mut self, place: &Place, list: &[Expr], boolean: bool) -> Value {
        let (old, value) = (self.amount(list, 1), self.amount(list, 2));
        let int = number(&place.ty).filter(|_| place.is_number() && !self.lost.variables.contains_key(&place.root));
        let (Some(old), Some(value), Some(int)) = (old, value, int) else {
            return self.unknown_atomic(list, "it is not known what is compared");
        };
        let (Some(old), Some(value)) = (self.converted(old, int), self.converted(value, int)) else {
            return self.unknown_atomic(list, "the model has no such number");
        };
        let (x, o, v, t) = (&place.text, &old.text, &value.text, self.temporary());
        let (yes, no) = if boolean { ("1".to_string(), "0".to_string()) } else { (x.clone(), x.clone()) };
        self.emit(format!("atomic {{ if :: {x} == {o} -> {t} = {yes}; {x} = {v} :: else -> {t} = {no} fi }}"));
        Value::Number(Number::of(t, if boolean { INT } else { int }, false))
    }
}

/// `a[i].lock` as `a.lock`.
fn without_indices(text: &str) -> String {
    let (mut out, mut open) = (String::new(), 0);
    for it in text.chars() {
        match it {
            '[' => open += 1,
            ']' => open -= 1,
            other if open == 0 => out.push(other),
            _ => {}
        }
    }
    out
}

/// Without casts and `&`.
fn strip(it: &Expr) -> &Expr {
    match &it.kind {
        ExprKind::Cast(_, of) => strip(of),
        ExprKind::Unary(operator, of) if &**operator == "&" => strip(of),
        _ => it,
    }
}

/// Variables whose address is the argument of a thread: arrays by their name, others as `&name`.
pub(crate) fn passed_to_threads(body: &[Stmt]) -> HashSet<Rc<str>> {
    let mut names = HashSet::new();
    for statement in body {
        crate::assigned::expressions(statement, &mut |it| {
            let ExprKind::Call(function, list) = &it.kind else { return };
            let row = match &function.kind {
                ExprKind::Name(name) if &**name == "pthread_create" => 3,
                ExprKind::Name(name) if &**name == "thrd_create" => 2,
                _ => return,
            };
            let Some(argument) = list.get(row) else { return };
            every(argument, &mut |it| match &it.kind {
                ExprKind::Name(name) => _ = names.insert(name.clone()),
                ExprKind::Unary(operator, of) if &**operator == "&" => {
                    if let Some(name) = base(of) {
                        names.insert(format!("&{name}").into());
                    }
                }
                _ => {}
            });
        });
    }
    names
}

/// The variable that a place belongs to.
fn base(it: &Expr) -> Option<&Rc<str>> {
    match &it.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Index(of, _) | ExprKind::Member(of, _, false) => base(of),
        _ => None,
    }
}
