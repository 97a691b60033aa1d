//! Calls: functions of the program stand in place; of all others a little is known, or nothing.
use std::rc::Rc;

use front_c::ast::{Expr, Function, Type};
use text::{Diagnostic, Span};

use crate::Quality;
use crate::numbers::Number;
use crate::places::{Place, Thing};
use crate::translate::{Translator, declaration, number};
use crate::values::Value;

/// `memory_order_seq_cst`, and `__ATOMIC_SEQ_CST`.
const SEQUENTIAL: i128 = 5;

/// Functions that change nothing that a model has.
const HARMLESS: &[&str] = &[
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "fflush",
    "fwrite",
    "perror",
    "write",
    "close",
    "fclose",
    "usleep",
    "sleep",
    "nanosleep",
    "sched_yield",
    "thrd_yield",
    "thrd_sleep",
    "pthread_yield",
    "free",
    "srand",
    "srandom",
    "strlen",
    "strcmp",
    "strncmp",
    "strchr",
    "strrchr",
    "strstr",
    "memcmp",
    "rand",
    "random",
    "time",
    "clock",
    "getpid",
    "abs",
    "labs",
    "atoi",
    "atol",
    "malloc",
    "calloc",
    "getenv",
    "isatty",
    "isdigit",
    "isalpha",
    "isspace",
    "isalnum",
    "isupper",
    "islower",
    "toupper",
    "tolower",
    "strerror",
    "pthread_mutex_destroy",
    "pthread_cond_destroy",
    "pthread_rwlock_destroy",
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_detach",
    "pthread_spin_destroy",
    "sem_destroy",
    "mtx_destroy",
    "cnd_destroy",
    "atomic_thread_fence",
    "atomic_signal_fence",
    "__sync_synchronize",
    "__builtin_expect",
    "putenv",
    "syslog",
    "openlog",
    "closelog",
    "unlink",
    "strtol",
    "strtoul",
    "fopen",
    "open",
    "feof",
    "ferror",
    "getc",
    "fgetc",
    "getchar",
];

/// Functions that change nothing but what they are given the address of.
const WRITING: &[&str] = &[
    "memset",
    "memcpy",
    "memmove",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "sprintf",
    "snprintf",
    "vsnprintf",
    "fgets",
    "fread",
    "read",
    "scanf",
    "fscanf",
    "sscanf",
    "clock_gettime",
    "gettimeofday",
    "pthread_attr_setdetachstate",
    "pthread_attr_setstacksize",
    "stat",
    "fstat",
    "lstat",
    "pipe",
    "realloc",
    "getline",
    "bzero",
];

impl Translator<'_> {
    /// A call and its value.
    pub(crate) fn call(&mut self, name: &Rc<str>, arguments: &[Expr], span: Span) -> Value {
        if self.find(name).is_some() {
            arguments.iter().for_each(|it| self.given_away(it));
            self.doubt(Quality::Less, format!("`{name}` is a pointer: it is not known what is called"));
            return Value::Unknown("a call through a pointer".into());
        }
        let list: Vec<&Expr> = arguments.iter().collect();
        self.unordered(&list);
        if self.unit.function(name).is_some() {
            return self.inlined(name, arguments, span);
        }
        match &**name {
            "__builtin_expect" if arguments.len() == 2 => return self.value(&arguments[0]),
            it if HARMLESS.contains(&it) => {
                arguments.iter().for_each(|it| self.effect(it));
                return Value::Unknown(format!("it is not known what `{name}` returns"));
            }
            _ => {}
        }
        self.ordered(name, arguments);
        let plain = name.strip_suffix("_explicit").unwrap_or(name);
        if let Some(result) = self.primitive_call(plain, arguments) {
            return result;
        }
        arguments.iter().for_each(|it| self.given_away(it));
        if !WRITING.contains(&&**name) {
            let why = format!("`{name}` has no body here: it is taken to change only what it is given the address of");
            self.doubt(Quality::Less, why);
        }
        Value::Unknown(format!("it is not known what `{name}` returns"))
    }

    /// Orders of memory that are weaker than the one that the model has.
    fn ordered(&mut self, name: &str, arguments: &[Expr]) {
        let last = arguments.last().filter(|_| name.ends_with("_explicit") || name.starts_with("__atomic_"));
        let Some(last) = last else { return };
        let order = self.constant(last).and_then(|it| it.constant);
        if order != Some(SEQUENTIAL) {
            self.doubt(Quality::Less, "a weaker order of memory is taken for the sequentially consistent one");
        }
    }

    /// An argument of a function of which nothing is known.
    pub(crate) fn given_away(&mut self, it: &Expr) {
        match self.value(it) {
            Value::Address(place) => {
                self.lost.escaped.insert(place.root);
                self.lose(place.root, "its address is given to a function that is not in the model");
            }
            Value::Unknown(_) => self.lost.wild = true,
            Value::Number(_) => {}
        }
    }

    /// A function of the program, in place.
    fn inlined(&mut self, name: &Rc<str>, arguments: &[Expr], span: Span) -> Value {
        let Some(function) = self.unit.function(name).cloned() else { return Value::zero() };
        if self.calls.contains(name) {
            let message = format!("`{name}` calls itself: the model would have no end");
            let error = Diagnostic::error("recursion", span, message);
            self.diagnostics
                .push(error.help("write it as a loop, or give the statement that calls it a row in a table"));
            return Value::Unknown("recursion".into());
        }
        self.inlined += 1;
        if self.gives_up() {
            return Value::Unknown("the model is too long".into());
        }
        if function.parameters.len() != arguments.len() {
            let message = format!("`{name}` takes {} arguments, not {}", function.parameters.len(), arguments.len());
            self.complain(Diagnostic::error("argument-count", span, message).help("call it as it is defined"));
            return Value::Unknown("arguments".into());
        }
        let bound: Vec<(Rc<str>, Thing)> =
            (0..arguments.len()).map(|at| self.passed(&function, at, &arguments[at])).collect();
        if number(&function.result).is_some() && crate::assigned::falls_off(self.unit, &function) {
            self.lose(function.span, "the function may end without a value");
        }
        let is_lost = self.lost.variables.get(&function.span).cloned();
        let result = number(&function.result).filter(|_| is_lost.is_none()).map(|int| (self.temporary(), int));
        // Only what is global and what is passed is seen inside.
        let outside = self.scopes.split_off(1);
        self.scopes.push(bound.into_iter().collect());
        self.calls.push(name.clone());
        let (here, doubts) = (self.here.clone(), std::mem::take(&mut self.doubts));
        self.body(&function.body, &function, result.as_ref().map(|it| it.0.clone()));
        (self.here, self.doubts) = (here, doubts);
        self.calls.pop();
        self.scopes.truncate(1);
        self.scopes.extend(outside);
        match (result, is_lost) {
            (Some((text, int)), _) => Value::Number(Number::of(text, int, false)),
            (None, Some(why)) => Value::Unknown(why),
            (None, None) => Value::Unknown(format!("the model does not have what `{name}` returns")),
        }
    }

    /// What a parameter stands for.
    fn passed(&mut self, function: &Function, at: usize, argument: &Expr) -> (Rc<str>, Thing) {
        let parameter = &function.parameters[at];
        let stays = !crate::assigned::is_assigned(&function.body, &parameter.name);
        let thing = match parameter.ty.plain() {
            Type::Pointer(to) => {
                let value = self.value(argument);
                match value {
                    Value::Address(place) if stays => match self.seen_as(to, place) {
                        Ok(place) => Thing::Alias(self.frozen(place)),
                        Err(_) => Thing::Place(Place::absent(&parameter.ty, parameter.span)),
                    },
                    Value::Number(it) if stays && it.constant.is_some() => Thing::Constant(it),
                    other => {
                        self.escapes(&other);
                        Thing::Place(Place::absent(&parameter.ty, parameter.span))
                    }
                }
            }
            _ => {
                let is_lost = self.lost.variables.contains_key(&parameter.span);
                let own = self.fresh(&parameter.name);
                match declaration(self.unit, &parameter.ty, &own).filter(|_| !is_lost) {
                    Some(declared) => {
                        let place = Place::new(own, &parameter.ty, false, parameter.span);
                        let (lines, value) = self.apart(|it| it.value(argument));
                        self.lines.extend(lines);
                        self.locals.push(declared);
                        self.store(&place, value, Some(argument));
                        Thing::Place(place)
                    }
                    None => {
                        let value = self.value(argument);
                        self.escapes(&value);
                        Thing::Place(Place::absent(&parameter.ty, parameter.span))
                    }
                }
            }
        };
        (parameter.name.clone(), thing)
    }
}
