//! Expressions: at most one read of shared data in each step, conversions as in C, and what is not known stays not known.
use front_c::ast::{Expr, ExprKind, Init, Type};
use text::Span;

use crate::numbers::{INT, Int, LONG, Number};
use crate::places::{Place, Thing};
use crate::translate::{Mistake, Translator, number, scalar};
use crate::{Origin, Quality};

/// What an expression is worth.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A number of the model.
    Number(Number),
    /// The address of a place.
    Address(Place),
    /// Anything, and why.
    Unknown(String),
}

impl Value {
    pub(crate) fn zero() -> Value {
        Value::known(0, INT)
    }

    /// A constant.
    pub(crate) fn known(value: i128, int: Int) -> Value {
        Value::Number(Number::constant(value, int))
    }

    fn of(it: Option<Number>) -> Value {
        it.map_or_else(|| Value::Unknown("the model has no such number".into()), Value::Number)
    }
}

/// Whether two unsequenced operands can disturb each other.
#[derive(PartialEq)]
enum Weight {
    Nothing,
    Reads,
    Acts,
}

impl Translator<'_> {
    /// A number that reads nothing shared and does not change while others are evaluated.
    pub(crate) fn settled_number(&mut self, it: Number) -> Number {
        if !it.reads {
            return it;
        }
        self.copied(it)
    }

    fn copied(&mut self, it: Number) -> Number {
        if it.constant.is_some() || self.hidden.contains(&it.text) {
            return it;
        }
        let name = self.temporary();
        self.emit(format!("{name} = {}", it.text));
        Number { text: name, reads: false, ..it }
    }

    /// What a place holds.
    pub(crate) fn read(&mut self, place: &Place) -> Value {
        if let Some(why) = self.lost.variables.get(&place.root) {
            return Value::Unknown(why.clone());
        }
        match number(&place.ty) {
            Some(int) if !place.absent => Value::Number(Number::of(&*place.text, int, place.shared)),
            _ if matches!(place.ty.plain(), Type::Array(..)) => Value::Address(place.clone()),
            _ => {
                let name = self.sources.slice(place.root).to_string();
                Value::Unknown(format!("nothing is known of `{name}`"))
            }
        }
    }

    /// What an expression is worth; what it does is emitted.
    pub(crate) fn value(&mut self, it: &Expr) -> Value {
        match &it.kind {
            ExprKind::Integer(value, _, ty) => {
                let int = Int::of(ty).unwrap_or(INT);
                Value::known(int.wrapped(i128::from(*value)), int)
            }
            ExprKind::Name(name) => self.named(name),
            ExprKind::Member(..) | ExprKind::Index(..) => self.value_of_place(it),
            ExprKind::Unary(operator, of) => self.unary(operator, of, it),
            ExprKind::Postfix(of, operator) => self.stepped(of, &operator[..1], true),
            ExprKind::Binary(operator, left, right) => self.binary(operator, left, right),
            ExprKind::Assign(operator, left, right) => self.assign(operator, left, right),
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes.as_deref(), no),
            ExprKind::Cast(ty, of) => self.cast(ty, of),
            ExprKind::Call(function, arguments) => match &function.kind {
                ExprKind::Name(name) => self.call(&name.clone(), arguments, it.span),
                _ => self.refused(it, "a call through a pointer"),
            },
            ExprKind::SizeOfType(ty) => self.size(Some(ty)),
            ExprKind::SizeOf(of) => {
                let ty = self.type_of(of);
                self.size(ty.as_ref())
            }
            ExprKind::Floating(_) => Value::Unknown("the model has no floating numbers".into()),
            ExprKind::String(_) => Value::Unknown("the model has no strings".into()),
            ExprKind::Compound(..) | ExprKind::Statement(_) | ExprKind::Other(_) => {
                self.refused(it, "the model has no such expression")
            }
        }
    }

    fn size(&self, ty: Option<&Type>) -> Value {
        let size = ty.and_then(|it| self.unit.size(it));
        size.map_or_else(
            || Value::Unknown("the size of this is not known".into()),
            |it| Value::known(i128::from(it), Int { bits: 64, signed: false }),
        )
    }

    /// The type of what a plain expression names.
    fn type_of(&self, it: &Expr) -> Option<Type> {
        match &it.kind {
            ExprKind::Name(name) => match self.find(name)? {
                Thing::Place(place) => Some(place.ty.clone()),
                Thing::Alias(place) => Some(Type::Pointer(std::rc::Rc::new(place.ty.clone()))),
                Thing::Constant(_) => None,
            },
            ExprKind::Index(array, _) => match self.type_of(array)?.plain() {
                Type::Array(of, _) | Type::Pointer(of) => Some((**of).clone()),
                _ => None,
            },
            ExprKind::Unary(operator, of) if &**operator == "*" => match self.type_of(of)?.plain() {
                Type::Array(of, _) | Type::Pointer(of) => Some((**of).clone()),
                _ => None,
            },
            ExprKind::Member(of, name, arrow) => {
                let of = self.type_of(of)?;
                let of = match of.plain() {
                    Type::Pointer(to) if *arrow => to,
                    _ => &of,
                };
                match of.plain() {
                    Type::Record(id) => self.unit.field(*id, name).cloned(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn named(&mut self, name: &str) -> Value {
        match self.find(name).cloned() {
            Some(Thing::Place(place)) => self.read(&place),
            Some(Thing::Alias(place)) => Value::Address(place),
            Some(Thing::Constant(it)) => Value::Number(it),
            None => {
                let mut found = self.unit.constants.iter().filter(|it| &*it.0 == name).map(|it| it.1);
                match (name, found.next()) {
                    (_, Some(first)) if found.all(|it| it == first) => Value::known(i128::from(first), INT),
                    (_, Some(_)) => Value::Unknown(format!("`{name}` is more than one constant")),
                    ("NULL" | "nullptr", None) => Value::known(0, LONG),
                    _ => Value::Unknown(format!("`{name}` has no value in this file")),
                }
            }
        }
    }

    fn value_of_place(&mut self, it: &Expr) -> Value {
        match self.place(it) {
            Ok(place) => self.read(&place),
            Err(why) => {
                self.overlooked(it);
                Value::Unknown(why)
            }
        }
    }

    /// An expression that is not translated, although it may do something.
    fn refused(&mut self, it: &Expr, why: &str) -> Value {
        self.overlooked(it);
        if acts(it) || matches!(it.kind, ExprKind::Statement(_) | ExprKind::Call(..)) {
            self.doubt(Quality::Less, why);
        }
        Value::Unknown(why.into())
    }

    /// What an expression that is not translated may change or give away is no longer known.
    pub(crate) fn overlooked(&mut self, it: &Expr) {
        let mut found = Vec::new();
        every(it, &mut |part| match &part.kind {
            ExprKind::Assign(_, of, _) | ExprKind::Postfix(of, _) => found.push((of.clone(), true)),
            ExprKind::Unary(operator, of) if matches!(&**operator, "++" | "--") => found.push((of.clone(), true)),
            ExprKind::Unary(operator, of) if &**operator == "&" => found.push((of.clone(), false)),
            ExprKind::Call(_, list) => found.extend(list.iter().map(|it| (Box::new(it.clone()), true))),
            _ => {}
        });
        let calls = contains(it, &|it| matches!(it, ExprKind::Call(..) | ExprKind::Statement(_)));
        if calls {
            self.doubt(Quality::Less, "a call in it is not in the model");
        }
        for (of, written) in found {
            for root in self.roots(&of) {
                if written {
                    self.lose(root, "it is changed by something that is not in the model");
                } else {
                    self.lost.escaped.insert(root);
                }
            }
        }
    }

    /// The variables that an expression names.
    fn roots(&self, it: &Expr) -> Vec<Span> {
        let mut list = Vec::new();
        every(it, &mut |part| {
            if let ExprKind::Name(name) = &part.kind
                && let Some(Thing::Place(place) | Thing::Alias(place)) = self.find(name)
            {
                list.push(place.root);
            }
        });
        list
    }

    /// An address that goes where nobody follows it.
    pub(crate) fn escapes(&mut self, it: &Value) {
        if let Value::Address(place) = it {
            self.lost.escaped.insert(place.root);
        }
    }

    fn unary(&mut self, operator: &str, of: &Expr, whole: &Expr) -> Value {
        match operator {
            "*" => self.value_of_place(whole),
            "&" => match self.place(of) {
                Ok(place) => Value::Address(place),
                Err(why) => {
                    self.overlooked(whole);
                    Value::Unknown(why)
                }
            },
            "++" | "--" => self.stepped(of, &operator[..1], false),
            "!" => {
                let value = self.value(of);
                self.negated(value)
            }
            "-" | "~" | "+" => match self.value(of) {
                Value::Number(it) => Value::of(self.signed(operator, it)),
                other => {
                    self.escapes(&other);
                    Value::Unknown("the model has no such number".into())
                }
            },
            _ => self.refused(whole, "the model has no such expression"),
        }
    }

    fn negated(&mut self, it: Value) -> Value {
        match it {
            Value::Number(Number { constant: Some(value), .. }) => Value::known(i128::from(value == 0), INT),
            Value::Number(it) => Value::Number(Number::truth(format!("({} == 0)", it.text), it.reads)),
            Value::Address(_) => Value::zero(),
            unknown => unknown,
        }
    }

    fn cast(&mut self, ty: &Type, of: &Expr) -> Value {
        let value = self.value(of);
        match (ty.plain(), value) {
            (Type::Void, _) => Value::zero(),
            (Type::Pointer(to), Value::Address(place)) => match self.seen_as(to, place) {
                Ok(place) => Value::Address(place),
                Err(why) => Value::Unknown(why),
            },
            (_, Value::Number(Number { constant: Some(value), .. })) if number(ty).is_some() => {
                let int = number(ty).unwrap_or(INT);
                Value::known(int.wrapped(value), int)
            }
            (Type::Pointer(_), Value::Number(it)) => Value::of(self.converted(it, LONG)),
            (_, Value::Number(it)) => match number(ty) {
                Some(int) => Value::of(self.converted(it, int)),
                None => Value::Unknown("the model has no numbers of this type".into()),
            },
            (_, other) => {
                self.escapes(&other);
                match other {
                    Value::Unknown(why) => Value::Unknown(why),
                    _ => Value::Unknown("an address that becomes a number".into()),
                }
            }
        }
    }

    fn weight(&self, it: &Expr) -> Weight {
        if contains(it, &|it| matches!(it, ExprKind::Call(..) | ExprKind::Statement(_))) || acts(it) {
            return Weight::Acts;
        }
        let mut reads = false;
        every(it, &mut |part| reads |= self.type_of(part).is_some_and(|it| it.is_atomic()));
        if reads { Weight::Reads } else { Weight::Nothing }
    }

    /// C does not say which operand comes first; the model says the left one.
    pub(crate) fn unordered(&mut self, list: &[&Expr]) {
        let weights: Vec<Weight> = list.iter().map(|it| self.weight(it)).collect();
        if weights.iter().filter(|it| **it != Weight::Nothing).count() >= 2 {
            self.doubt(
                Quality::Less,
                "C does not say which operand comes first, the model takes the left one; write two statements",
            );
        }
    }

    fn binary(&mut self, operator: &str, left: &Expr, right: &Expr) -> Value {
        match operator {
            "," => {
                self.effect(left);
                return self.value(right);
            }
            "&&" | "||" => return self.shortcut(operator, left, right),
            _ => {}
        }
        if let Some(value) = self.random(operator, left, right) {
            return value;
        }
        self.unordered(&[left, right]);
        let mut one = self.value(left);
        let (lines, two) = self.apart(|it| it.value(right));
        let reads = matches!(&two, Value::Number(it) if it.reads);
        if let Value::Number(it) = one {
            one = Value::Number(match lines.is_empty() {
                true if reads => self.settled_number(it),
                true => it,
                false => self.copied(it),
            });
        }
        self.lines.extend(lines);
        match (one, two) {
            (Value::Number(a), Value::Number(b)) => Value::of(self.arithmetic(operator, a, b)),
            (Value::Address(a), Value::Address(b)) => self.compared(operator, &a, &b),
            (Value::Address(_), Value::Number(Number { constant: Some(0), .. }))
            | (Value::Number(Number { constant: Some(0), .. }), Value::Address(_))
                if matches!(operator, "==" | "!=") =>
            {
                Value::known(i128::from(operator == "!="), INT)
            }
            (one, two) => {
                self.escapes(&one);
                self.escapes(&two);
                match (one, two) {
                    (Value::Unknown(why), _) | (_, Value::Unknown(why)) => Value::Unknown(why),
                    _ => Value::Unknown("the model has no such number".into()),
                }
            }
        }
    }

    fn compared(&mut self, operator: &str, a: &Place, b: &Place) -> Value {
        let same = a.text == b.text && a.indices.is_empty() && !a.absent && !b.absent;
        if matches!(operator, "==" | "!=") && (same || a.root != b.root) {
            return Value::known(i128::from(same == (operator == "==")), INT);
        }
        self.escapes(&Value::Address(a.clone()));
        self.escapes(&Value::Address(b.clone()));
        Value::Unknown("the model has no numbers for addresses".into())
    }

    /// `rand() % n`: any of n numbers.
    fn random(&mut self, operator: &str, left: &Expr, right: &Expr) -> Option<Value> {
        let ExprKind::Call(function, arguments) = &left.kind else { return None };
        let ExprKind::Name(name) = &function.kind else { return None };
        let ours = self.unit.function(name).is_none() && arguments.is_empty() && operator == "%";
        if !ours || !matches!(&**name, "rand" | "random" | "lrand48" | "__VERIFIER_nondet_uint") {
            return None;
        }
        let Value::Number(Number { constant: Some(count @ 1..=1000), .. }) = self.value(right) else { return None };
        let own = self.temporary();
        self.emit(format!("select ({own} : 0 .. {})", count - 1));
        Some(Value::Number(Number { natural: true, ..Number::of(own, INT, false) }))
    }

    /// A condition as text, and its opposite.
    pub(crate) fn truth(&mut self, it: Value) -> Option<(String, String)> {
        match it {
            Value::Number(Number { constant: Some(value), .. }) => {
                let (yes, no) = if value != 0 { ("true", "false") } else { ("false", "true") };
                Some((yes.into(), no.into()))
            }
            Value::Number(it) => Some((it.text, "else".into())),
            Value::Address(_) => Some(("true".into(), "false".into())),
            Value::Unknown(_) => None,
        }
    }

    /// The right operand counts, and happens, only if the left one does not decide.
    fn shortcut(&mut self, operator: &str, left: &Expr, right: &Expr) -> Value {
        let and = operator == "&&";
        let one = self.value(left);
        match &one {
            Value::Number(Number { constant: Some(value), .. }) if (*value != 0) != and => {
                return Value::known(i128::from(!and), INT);
            }
            Value::Address(_) if !and => return Value::known(1, INT),
            _ => {}
        }
        let (lines, two) = self.apart(|it| it.value(right));
        if let (Value::Number(a), Value::Number(b), true) = (&one, &two, lines.is_empty()) {
            let a = if b.reads { self.settled_number(a.clone()) } else { a.clone() };
            let (a, b) = (plain_truth(a), plain_truth(b.clone()));
            return Value::Number(Number::truth(format!("({} {operator} {})", a.text, b.text), a.reads || b.reads));
        }
        let result = self.temporary();
        let guard = self.truth(one.clone());
        let (go, stay) = match (&guard, and) {
            (None, _) => ("true".into(), "true".to_string()),
            (Some((yes, _)), true) => (yes.clone(), "else".into()),
            (Some((yes, _)), false) => (format!("!({yes})"), "else".into()),
        };
        let stay = if go == "true" && guard.is_some() { "false".to_string() } else { stay };
        let here = self.here.clone();
        let why = match (&one, &two) {
            (Value::Unknown(why), _) => Some(why.clone()),
            (_, Value::Unknown(why)) => Some(why.clone()),
            _ => None,
        };
        if guard.is_none() {
            self.uncertain(why.as_deref().unwrap_or(""));
        }
        self.emit("if");
        self.emit(format!(":: {go} ->"));
        self.indent += 1;
        self.lines.extend(lines);
        let two = self.truth(two).map(|it| it.0);
        self.emit(format!("{result} = {}", two.map_or("1".into(), |it| format!("(({it}) != 0)"))));
        self.indent -= 1;
        self.emit(format!(":: {stay} -> {result} = {}", i32::from(!and)));
        self.emit("fi");
        self.here = here;
        match why {
            Some(why) => Value::Unknown(why),
            None => Value::Number(Number { natural: true, ..Number::of(result, INT, false) }),
        }
    }

    fn conditional(&mut self, condition: &Expr, yes: Option<&Expr>, no: &Expr) -> Value {
        let test = self.value(condition);
        let test = match test {
            Value::Number(it) => Value::Number(self.copied(it)),
            other => other,
        };
        let (one, first) = match yes {
            Some(yes) => self.apart(|it| it.value(yes)),
            None => (Vec::new(), test.clone()),
        };
        let (two, second) = self.apart(|it| it.value(no));
        let why = match (&test, &first, &second) {
            (Value::Unknown(why), ..) | (_, Value::Unknown(why), _) | (_, _, Value::Unknown(why)) => Some(why.clone()),
            (_, Value::Number(_), Value::Number(_)) => None,
            _ => Some("it is not known where this points".into()),
        };
        let int = match (&first, &second) {
            (Value::Number(a), Value::Number(b)) => a.int.common(b.int),
            _ => INT,
        };
        self.escapes(&first);
        self.escapes(&second);
        let here = self.here.clone();
        let (go, stay) = match self.truth(test) {
            Some((yes, no)) => (yes, no),
            None => {
                self.uncertain(why.as_deref().unwrap_or(""));
                ("true".into(), "true".to_string())
            }
        };
        let result = self.temporary();
        let mut fits = true;
        self.emit("if");
        for (guard, lines, value) in [(go, one, first), (stay, two, second)] {
            self.emit(format!(":: {guard} ->"));
            self.indent += 1;
            self.lines.extend(lines);
            match value {
                Value::Number(it) => match self.converted(it, int) {
                    Some(it) => self.emit(format!("{result} = {}", it.text)),
                    None => {
                        fits = false;
                        self.emit("skip");
                    }
                },
                _ => self.emit("skip"),
            }
            self.indent -= 1;
        }
        self.emit("fi");
        self.here = here;
        match why {
            Some(why) => Value::Unknown(why),
            None if !fits => Value::Unknown("the model has no such number".into()),
            None => Value::Number(Number::of(result, int, false)),
        }
    }

    /// A trace through here may not be one of the program.
    pub(crate) fn uncertain(&mut self, why: &str) {
        if let Some(Origin { uncertain, .. }) = &mut self.here {
            *uncertain = Some(why.to_string());
        }
        self.doubt(Quality::More, why);
    }

    /// Whether a place is changed in one step.
    fn in_one_step(&self, place: &Place) -> bool {
        !place.shared || place.ty.is_atomic() || self.request.mistake == Some(Mistake::WholeSteps)
    }

    /// `x op= value`; returns the value before and after.
    pub(crate) fn changed(&mut self, place: &Place, operator: &str, by: Number) -> (Value, Value) {
        let unknown = || Value::Unknown("the model does not have what stands there".into());
        let (Some(int), Value::Number(old)) = (number(&place.ty), self.read(place)) else {
            self.doubt(Quality::More, "the model does not have what stands there");
            return (unknown(), unknown());
        };
        let whole = place.shared && self.in_one_step(place);
        if whole {
            self.emit("atomic {");
            self.indent += 1;
        }
        let name = self.temporary();
        self.emit(format!("{name} = {}", old.text));
        let old = Number { text: name, reads: false, ..old };
        let result = self.arithmetic(operator, old.clone(), by).and_then(|it| self.converted(it, int));
        let after = match result {
            Some(it) => {
                self.emit(format!("{} = {}", place.text, it.text));
                Value::Number(it)
            }
            None => {
                self.lose(place.root, "the model has no such number");
                unknown()
            }
        };
        if whole {
            self.indent -= 1;
            self.emit("}");
        }
        (Value::Number(old), after)
    }

    fn stepped(&mut self, of: &Expr, operator: &str, before: bool) -> Value {
        match self.place(of) {
            Ok(place) => {
                let (old, new) = self.changed(&place, operator, Number::constant(1, INT));
                if before { old } else { new }
            }
            Err(why) => self.lost_write(of, &why),
        }
    }

    /// Something is written, and it is not known where.
    fn lost_write(&mut self, to: &Expr, why: &str) -> Value {
        for root in self.roots(to) {
            self.lose(root, why);
        }
        self.overlooked(to);
        self.lost.wild = true;
        self.doubt(Quality::More, why);
        Value::Unknown(why.into())
    }

    fn assign(&mut self, operator: &str, left: &Expr, right: &Expr) -> Value {
        let (before, value) = self.apart(|it| it.value(right));
        if !before.is_empty() && acts(left) || contains(left, &|it| matches!(it, ExprKind::Call(..))) {
            self.unordered(&[left, right]);
        }
        self.lines.extend(before);
        let value = match value {
            Value::Number(it) => {
                let plain = operator == "="
                    && matches!(&left.kind, ExprKind::Name(name) if matches!(self.find(name), Some(Thing::Place(place)) if !place.shared));
                Value::Number(if plain { it } else { self.settled_number(it) })
            }
            other => other,
        };
        let place = match self.place(left) {
            Ok(place) => place,
            Err(why) => {
                self.escapes(&value);
                return self.lost_write(left, &why);
            }
        };
        match operator.strip_suffix('=') {
            Some("") | None => self.store(&place, value, Some(right)),
            Some(operator) => match value {
                Value::Number(by) => self.changed(&place, operator, by).1,
                Value::Address(_) | Value::Unknown(_) => {
                    self.escapes(&value);
                    self.store(&place, Value::Unknown("it is changed by a value that is not known".into()), None)
                }
            },
        }
    }

    /// Puts a value into a place.
    pub(crate) fn store(&mut self, place: &Place, value: Value, from: Option<&Expr>) -> Value {
        if let (Type::Record(_), Some(from)) = (place.ty.plain(), from)
            && scalar(&place.ty).is_none()
        {
            return self.copy_record(place, from);
        }
        let is_number = place.is_number() && !self.lost.variables.contains_key(&place.root);
        match value {
            Value::Number(it) if is_number => {
                let int = number(&place.ty).unwrap_or(INT);
                let it = if place.shared { self.converted(it, int) } else { self.stored_as(it, int) };
                match it {
                    Some(it) => {
                        self.emit(format!("{} = {}", place.text, it.text));
                        // What is read again from a shared place may be something else; the value is what was written.
                        let own = !place.shared && it.constant.is_none();
                        Value::Number(if own { Number::of(&*place.text, int, false) } else { it })
                    }
                    None => self.forgotten(place, "the model has no such number"),
                }
            }
            Value::Number(_) => {
                self.doubt(Quality::More, "the model does not have what stands there");
                Value::Unknown("the model does not have what stands there".into())
            }
            Value::Address(_) => {
                self.escapes(&value);
                self.doubt(Quality::More, "the model does not follow this pointer");
                value
            }
            Value::Unknown(why) => {
                if is_number {
                    return self.forgotten(place, &why);
                }
                self.doubt(Quality::More, why.clone());
                Value::Unknown(why)
            }
        }
    }

    fn forgotten(&mut self, place: &Place, why: &str) -> Value {
        self.lose(place.root, why);
        self.doubt(Quality::More, why);
        Value::Unknown(why.into())
    }

    fn copy_record(&mut self, place: &Place, from: &Expr) -> Value {
        let (mut to, mut of) = (Vec::new(), Vec::new());
        let copied = self.place(from).and_then(|from| {
            self.leaves(place, &mut to)?;
            self.leaves(&from, &mut of)?;
            if to.len() == of.len() { Ok(()) } else { Err("records of different types".into()) }
        });
        if let Err(why) = copied {
            self.overlooked(from);
            self.lose(place.root, &why);
            self.doubt(Quality::More, why);
        } else {
            for (to, of) in to.iter().zip(&of) {
                let value = self.read(of);
                let value = match value {
                    Value::Number(it) => Value::Number(self.settled_number(it)),
                    other => other,
                };
                if !to.absent && scalar(&to.ty).is_some() {
                    self.store(to, value, None);
                }
            }
        }
        Value::Unknown("a record".into())
    }

    /// An expression for what it does.
    pub(crate) fn effect(&mut self, it: &Expr) {
        let step = match &it.kind {
            ExprKind::Postfix(of, operator) => Some((of, &operator[..1], None)),
            ExprKind::Unary(operator, of) if matches!(&**operator, "++" | "--") => Some((of, &operator[..1], None)),
            ExprKind::Assign(operator, of, by) if &**operator != "=" => {
                Some((of, operator.trim_end_matches('='), Some(by)))
            }
            _ => None,
        };
        let done = step.is_some_and(|(of, operator, by)| self.stepped_in_place(of, operator, by.map(|it| &**it)));
        if !done {
            // A plain read does nothing.
            self.value(it);
        }
    }

    /// A local variable that is changed in one step; false if this is no such change.
    fn stepped_in_place(&mut self, of: &Expr, operator: &str, by: Option<&Expr>) -> bool {
        let ExprKind::Name(name) = &of.kind else { return false };
        let Some(Thing::Place(place)) = self.find(name).cloned() else { return false };
        let simple = !place.shared && place.is_number() && number(&place.ty).is_some_and(|it| it.bits <= 32);
        if !simple || by.is_some_and(|it| acts(it) || contains(it, &|it| matches!(it, ExprKind::Call(..)))) {
            return false;
        }
        let by = by.map_or(Value::known(1, INT), |it| self.value(it));
        let (Value::Number(by), Value::Number(old), Some(int)) = (by, self.read(&place), number(&place.ty)) else {
            self.store(&place, Value::Unknown("it is changed by a value that is not known".into()), None);
            return true;
        };
        match self.arithmetic(operator, old, by).and_then(|it| self.stored_as(it, int)) {
            Some(it) => self.emit(format!("{} = {}", place.text, it.text)),
            None => _ = self.forgotten(&place, "the model has no such number"),
        }
        true
    }

    /// A number as a variable of this type takes it; the model's own types see to some of it.
    fn stored_as(&mut self, it: Number, int: Int) -> Option<Number> {
        match int.declared() {
            "byte" | "short" if it.constant.is_none() => Some(it),
            _ => self.converted(it, int),
        }
    }
}

/// A constant as 0 or 1.
fn plain_truth(it: Number) -> Number {
    match it.constant {
        Some(value) => Number::constant(i128::from(value != 0), INT),
        None => it,
    }
}

/// Every part of an expression, itself included.
pub(crate) fn every<'e>(it: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(it);
    match &it.kind {
        ExprKind::Unary(_, of)
        | ExprKind::Postfix(of, _)
        | ExprKind::Cast(_, of)
        | ExprKind::Member(of, ..)
        | ExprKind::SizeOf(of) => every(of, visit),
        ExprKind::Binary(_, left, right) | ExprKind::Assign(_, left, right) | ExprKind::Index(left, right) => {
            every(left, visit);
            every(right, visit);
        }
        ExprKind::Conditional(one, two, three) => {
            every(one, visit);
            two.iter().for_each(|it| every(it, visit));
            every(three, visit);
        }
        ExprKind::Call(function, list) => {
            every(function, visit);
            list.iter().for_each(|it| every(it, visit));
        }
        ExprKind::Compound(_, list) => list.iter().for_each(|it| every_init(&it.value, visit)),
        ExprKind::Statement(list) => list.iter().for_each(|it| crate::assigned::expressions(it, visit)),
        _ => {}
    }
}

/// Every part of an initialiser.
pub(crate) fn every_init<'e>(it: &'e Init, visit: &mut dyn FnMut(&'e Expr)) {
    match it {
        Init::Single(it) => every(it, visit),
        Init::List(list) => list.iter().for_each(|it| every_init(&it.value, visit)),
    }
}

pub(crate) fn contains(it: &Expr, wanted: &dyn Fn(&ExprKind) -> bool) -> bool {
    let mut found = false;
    every(it, &mut |it| found |= wanted(&it.kind));
    found
}

/// Whether evaluating it changes something, calls apart.
pub(crate) fn acts(it: &Expr) -> bool {
    contains(it, &|it| match it {
        ExprKind::Assign(..) | ExprKind::Postfix(..) | ExprKind::Statement(_) => true,
        ExprKind::Unary(operator, _) => matches!(&**operator, "++" | "--"),
        _ => false,
    })
}
