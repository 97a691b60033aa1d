//! Calls: what threads are made of, functions of the program (in place), and all others.
use std::rc::Rc;

use front_c::ast::{Expr, ExprKind, Type};
use text::{Diagnostic, Span};

use crate::translate::{MOST_THREADS, Place, Thing, Translator, declaration};
use crate::values::{Answer, Value};

/// Functions that change nothing a model has.
const HARMLESS: [&str; 32] = [
    "printf",
    "fprintf",
    "puts",
    "putchar",
    "fflush",
    "perror",
    "usleep",
    "sleep",
    "nanosleep",
    "sched_yield",
    "thrd_yield",
    "free",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_detach",
    "sem_destroy",
    "srand",
    "fputs",
    "exit_group",
    "pthread_spin_destroy",
    "atomic_thread_fence",
    "atomic_signal_fence",
    "__sync_synchronize",
    "pthread_yield",
    "thrd_sleep",
    "fclose",
];

impl Translator<'_> {
    /// A call; its value if one is wanted or there is one anyway.
    pub(crate) fn call(
        &mut self,
        name: &Rc<str>,
        arguments: &[Expr],
        span: Span,
        wanted: bool,
    ) -> Answer<Option<Value>> {
        if self.unit.function(name).is_some() {
            return self.inlined(name, arguments, span);
        }
        if HARMLESS.contains(&&**name) {
            return Ok(Some(Value::new("0")));
        }
        let plain = name.strip_suffix("_explicit").unwrap_or(name);
        if let Some(result) = self.primitive_call(plain, arguments)? {
            return Ok(Some(result));
        }
        if wanted {
            return Err(format!("`{name}` has no body here"));
        }
        Err(format!("`{name}` has no body here: it is assumed to change nothing in the model"))
    }

    fn primitive_call(&mut self, name: &str, list: &[Expr]) -> Answer<Option<Value>> {
        let one = |it: &mut Self, row: usize| {
            list.get(row).ok_or("an argument is missing".to_string()).and_then(|e| it.target(e).map(|it| it.text))
        };
        let number = |it: &mut Self, row: usize| {
            let value = list.get(row).ok_or("an argument is missing".to_string()).and_then(|e| it.value(e))?;
            Ok::<String, String>(it.settled(value).text)
        };
        match name {
            "assert" => {
                let value = number_of(self, list)?;
                self.emit(format!("assert({})", value.text));
            }
            "__assert_fail" | "abort" => self.emit("assert(false)"),
            "pthread_mutex_lock" | "pthread_spin_lock" | "mtx_lock" => {
                let m = one(self, 0)?;
                self.emit(format!("atomic {{ {m} == 0 -> {m} = self + 1 }}"));
            }
            "pthread_mutex_unlock" | "pthread_spin_unlock" | "mtx_unlock" => {
                let m = one(self, 0)?;
                self.emit(format!("atomic {{ assert({m} == self + 1); {m} = 0 }}"));
            }
            "pthread_spin_init" => {
                let m = one(self, 0)?;
                self.emit(format!("{m} = 0"));
            }
            "pthread_mutex_trylock" | "pthread_spin_trylock" | "mtx_trylock" => {
                let (m, t) = (one(self, 0)?, self.temporary());
                self.emit(format!("atomic {{ if :: {m} == 0 -> {m} = self + 1; {t} = 0 :: else -> {t} = 16 fi }}"));
                return Ok(Some(Value::new(t)));
            }
            "pthread_cond_wait" | "cnd_wait" => {
                let (c, m) = (one(self, 0)?, one(self, 1)?);
                self.emit(format!("atomic {{ assert({m} == self + 1); {m} = 0; {c} = ({c} | (1 << self)) }}"));
                self.emit(format!("atomic {{ if :: ({m} == 0 && (({c} >> self) & 1) == 0) :: ({m} == 0 && spurious) -> spurious = false; {c} = ({c} & ~(1 << self)) fi; {m} = self + 1 }}"));
            }
            "pthread_cond_signal" | "cnd_signal" => {
                let c = one(self, 0)?;
                let options: String = (0..MOST_THREADS)
                    .map(|it| format!(":: ({c} & {bit}) != 0 -> {c} = ({c} & ~{bit}) ", bit = 1 << it))
                    .collect();
                self.emit(format!("atomic {{ if {options}:: else fi }}"));
            }
            "pthread_cond_broadcast" | "cnd_broadcast" => {
                let c = one(self, 0)?;
                self.emit(format!("{c} = 0"));
            }
            "sem_init" => {
                let (s, value) = (one(self, 0)?, number(self, 2)?);
                self.emit(format!("{s} = {value}"));
            }
            "sem_wait" => {
                let s = one(self, 0)?;
                self.emit(format!("atomic {{ {s} > 0 -> {s} = {s} - 1 }}"));
            }
            "sem_post" => {
                let s = one(self, 0)?;
                self.emit(format!("{s} = {s} + 1"));
            }
            "sem_trywait" => {
                let (s, t) = (one(self, 0)?, self.temporary());
                self.emit(format!("atomic {{ if :: {s} > 0 -> {s} = {s} - 1; {t} = 0 :: else -> {t} = -1 fi }}"));
                return Ok(Some(Value::new(t)));
            }
            "pthread_rwlock_rdlock" => {
                let l = one(self, 0)?;
                self.emit(format!("atomic {{ {l} >= 0 -> {l} = {l} + 1 }}"));
            }
            "pthread_rwlock_wrlock" => {
                let l = one(self, 0)?;
                self.emit(format!("atomic {{ {l} == 0 -> {l} = -1 }}"));
            }
            "pthread_rwlock_unlock" => {
                let l = one(self, 0)?;
                self.emit(format!("atomic {{ assert({l} != 0); {l} = ({l} < 0 -> 0 : {l} - 1) }}"));
            }
            "pthread_create" => self.create(list)?,
            "pthread_join" => {
                let thread = number(self, 0)?;
                if list.get(1).is_some_and(|it| self.target(it).is_ok()) {
                    return Err("what a thread returns is not in the model".into());
                }
                self.emit(format!("(done[{thread}])"));
            }
            "pthread_self" => return Ok(Some(Value::new("self"))),
            "atomic_load" | "__atomic_load_n" => {
                let place = list.first().ok_or("an argument is missing".to_string()).and_then(|it| self.target(it))?;
                return Ok(Some(Value { text: place.text, reads: place.shared }));
            }
            "atomic_store" | "__atomic_store_n" | "atomic_init" => {
                let (x, value) = (one(self, 0)?, number(self, 1)?);
                self.emit(format!("{x} = {value}"));
            }
            "atomic_fetch_add"
            | "atomic_fetch_sub"
            | "atomic_fetch_or"
            | "atomic_fetch_and"
            | "atomic_fetch_xor"
            | "atomic_exchange"
            | "__sync_fetch_and_add"
            | "__sync_fetch_and_sub"
            | "__atomic_fetch_add"
            | "__atomic_fetch_sub"
            | "__atomic_exchange_n" => {
                let (x, value, t) = (one(self, 0)?, number(self, 1)?, self.temporary());
                let operator = match name {
                    _ if name.ends_with("add") => "+",
                    _ if name.ends_with("sub") => "-",
                    _ if name.ends_with("xor") => "^",
                    _ if name.ends_with("or") => "|",
                    _ if name.ends_with("and") => "&",
                    _ => "",
                };
                let result = if operator.is_empty() { value } else { format!("{x} {operator} {value}") };
                self.emit(format!("atomic {{ {t} = {x}; {x} = {result} }}"));
                return Ok(Some(Value::new(t)));
            }
            "atomic_compare_exchange_strong" | "atomic_compare_exchange_weak" => {
                let weak = if name.ends_with("weak") { "weak" } else { "" };
                let (x, expected, value, t) = (one(self, 0)?, one(self, 1)?, number(self, 2)?, self.temporary());
                let fails = if weak.is_empty() { String::new() } else { format!(" :: {x} == {expected} -> {t} = 0") };
                self.emit(format!("atomic {{ if :: {x} == {expected} -> {x} = {value}; {t} = 1{fails} :: else -> {expected} = {x}; {t} = 0 fi }}"));
                return Ok(Some(Value::new(t)));
            }
            "__sync_bool_compare_and_swap" => {
                let (x, old, value, t) = (one(self, 0)?, number(self, 1)?, number(self, 2)?, self.temporary());
                self.emit(format!("atomic {{ if :: {x} == {old} -> {x} = {value}; {t} = 1 :: else -> {t} = 0 fi }}"));
                return Ok(Some(Value::new(t)));
            }
            "atomic_flag_test_and_set" | "__sync_lock_test_and_set" => {
                let (x, t) = (one(self, 0)?, self.temporary());
                self.emit(format!("atomic {{ {t} = {x}; {x} = 1 }}"));
                return Ok(Some(Value::new(t)));
            }
            "atomic_flag_clear" | "__sync_lock_release" => {
                let x = one(self, 0)?;
                self.emit(format!("{x} = 0"));
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::new("0")))
    }

    /// `pthread_create`: one kind of process for each function and each place that its argument names.
    fn create(&mut self, list: &[Expr]) -> Answer<()> {
        let [thread, _, function, argument] = list else { return Err("pthread_create takes four arguments".into()) };
        let thread = self.target(thread)?;
        let name = match &strip(function).kind {
            ExprKind::Name(name) => name.clone(),
            _ => return Err("it is not known which function the thread begins with".into()),
        };
        let Some(function) = self.unit.function(&name).cloned() else {
            return Err(format!("`{name}` has no body here"));
        };
        let (key, thing, passed) = match self.target(argument) {
            Ok(place) if !place.shared => {
                return Err(format!(
                    "the thread is given the address of `{}`, which is local: make it static",
                    place.text
                ));
            }
            Ok(place)
                if place.text.contains('[')
                    && !place.text.split('[').skip(1).all(|it| it.starts_with(|it: char| it.is_ascii_digit())) =>
            {
                return Err("the thread is given an address that is not always the same".into());
            }
            Ok(place) => (place.text.clone(), Thing::Alias(place), String::new()),
            Err(_) => {
                let value = self.value(argument)?;
                let value = self.settled(value);
                let ty = Type::Integer { bits: 32, signed: true };
                (
                    String::new(),
                    Thing::Place(Place { text: String::new(), ty, shared: false }),
                    format!(", {}", value.text),
                )
            }
        };
        let passed = if function.parameters.is_empty() { String::new() } else { passed };
        let known = self.started.iter().find(|it| it.1 == name && it.2 == key).map(|it| it.0.clone());
        let process = known.unwrap_or_else(|| {
            let process = self.fresh(&name);
            self.started.push((process.clone(), name.clone(), key));
            self.waiting.push((process.clone(), function, Some(thing)));
            process
        });
        self.emit(format!(
            "atomic {{ threads = threads + 1; {} = threads; run {process}(threads{passed}) }}",
            thread.text
        ));
        Ok(())
    }

    /// A function of the program, in place.
    fn inlined(&mut self, name: &Rc<str>, arguments: &[Expr], span: Span) -> Answer<Option<Value>> {
        let Some(function) = self.unit.function(name).cloned() else { return Err("no body".into()) };
        if self.calls.contains(name) {
            let error =
                Diagnostic::error("recursion", span, format!("`{name}` calls itself: the model would have no end"));
            self.diagnostics.push(error.help("write it as a loop, or give the call a row in a table"));
            return Err("recursion".into());
        }
        let mut bound = Vec::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let thing = match parameter.ty.plain() {
                Type::Pointer(_) => self.target(argument).map_or(Thing::Unknown, Thing::Alias),
                _ => {
                    let value = self.value(argument)?;
                    let own = self.fresh(&parameter.name);
                    let declared = declaration(self.unit, &parameter.ty, &own)
                        .ok_or("a parameter has a type that the model does not have")?;
                    self.locals.push(declared);
                    self.emit(format!("{own} = {}", value.text));
                    Thing::Place(Place { text: own, ty: parameter.ty.clone(), shared: false })
                }
            };
            bound.push((parameter.name.clone(), thing));
        }
        let result = match function.result.plain() {
            Type::Void => None,
            _ => Some(self.temporary()),
        };
        // Only what is global and what is passed is seen inside.
        let outside = self.scopes.split_off(1);
        self.scopes.push(bound.into_iter().collect());
        self.calls.push(name.clone());
        let here = self.here.clone();
        self.body(&function.body, result.clone());
        self.here = here;
        self.calls.pop();
        self.scopes.truncate(1);
        self.scopes.extend(outside);
        Ok(result.map(Value::new))
    }
}

fn number_of(it: &mut Translator<'_>, list: &[Expr]) -> Answer<Value> {
    it.value(list.first().ok_or("an argument is missing")?)
}

fn strip(it: &Expr) -> &Expr {
    match &it.kind {
        ExprKind::Cast(_, of) => strip(of),
        ExprKind::Unary(operator, of) if &**operator == "&" => strip(of),
        _ => it,
    }
}
