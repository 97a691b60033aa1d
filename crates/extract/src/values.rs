//! Expressions. A step of the model touches shared data once: what reads them twice becomes two steps, with a temporary between.
use front_c::ast::{Expr, ExprKind, Type};
use front_c::constants;

use crate::translate::{Place, Thing, Translator, primitive, scalar};

/// What an expression is worth, as text.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub text: String,
    /// Whether evaluating it reads shared data.
    pub reads: bool,
}

/// Why something cannot be said.
pub(crate) type Answer<T> = Result<T, String>;

impl Value {
    pub(crate) fn new(text: impl Into<String>) -> Value {
        Value { text: text.into(), reads: false }
    }
}

impl Translator<'_> {
    pub(crate) fn temporary(&mut self) -> String {
        self.temporaries += 1;
        let name = self.fresh(&format!("t{}", self.temporaries));
        self.locals.push(format!("int {name}"));
        name
    }

    /// A value that reads nothing shared.
    pub(crate) fn settled(&mut self, it: Value) -> Value {
        if !it.reads {
            return it;
        }
        let name = self.temporary();
        self.emit(format!("{name} = {}", it.text));
        Value::new(name)
    }

    /// A place that an expression names.
    pub(crate) fn place(&mut self, it: &Expr) -> Answer<Place> {
        match &it.kind {
            ExprKind::Name(name) => match self.find(name) {
                Some(Thing::Place(place)) => Ok(place.clone()),
                Some(_) | None => Err(format!("`{name}` has no value in the model")),
            },
            ExprKind::Member(of, name, arrow) => {
                let of = if *arrow { self.target(of)? } else { self.place(of)? };
                let Type::Record(record) = of.ty.plain() else { return Err("this is no record".into()) };
                let ty = self.unit.field(*record, name).cloned().ok_or("there is no such field")?;
                if self.unit.records[record.0 as usize].is_union
                    || (scalar(&ty).is_none() && !matches!(ty.plain(), Type::Record(_) | Type::Array(..)))
                {
                    return Err(format!("field `{name}` has a type that the model does not have"));
                }
                Ok(Place { text: format!("{}.{}", of.text, crate::names::safe(name)), ty, shared: of.shared })
            }
            ExprKind::Index(array, index) => {
                let index = self.value(index)?;
                let index = self.settled(index);
                let array = self.place(array).or_else(|_| self.target(array))?;
                let Type::Array(of, Some(_)) = array.ty.plain() else {
                    return Err("this is no array of the model".into());
                };
                Ok(Place { text: format!("{}[{}]", array.text, index.text), ty: (**of).clone(), shared: array.shared })
            }
            ExprKind::Unary(operator, of) if &**operator == "*" => self.target(of),
            ExprKind::Cast(_, of) => self.place(of),
            _ => Err("this is no place for a value".into()),
        }
    }

    /// Where a pointer points, if that is always the same place.
    pub(crate) fn target(&mut self, it: &Expr) -> Answer<Place> {
        match &it.kind {
            ExprKind::Unary(operator, of) if &**operator == "&" => self.place(of),
            ExprKind::Cast(_, of) => self.target(of),
            ExprKind::Name(name) => match self.find(name) {
                Some(Thing::Alias(place)) => Ok(place.clone()),
                Some(Thing::Place(place))
                    if matches!(place.ty.plain(), Type::Array(..)) && primitive(&place.ty).is_none() =>
                {
                    Ok(place.clone())
                }
                _ => Err(format!("it is not known where `{name}` points")),
            },
            ExprKind::Member(..) | ExprKind::Index(..) => {
                let place = self.place(it)?;
                if matches!(place.ty.plain(), Type::Array(..)) {
                    Ok(place)
                } else {
                    Err("it is not known where this points".into())
                }
            }
            _ => Err("it is not known where this points".into()),
        }
    }

    /// Whether evaluating it may take steps of its own.
    pub(crate) fn steps(&self, it: &Expr) -> bool {
        match &it.kind {
            ExprKind::Call(..) | ExprKind::Assign(..) | ExprKind::Postfix(..) | ExprKind::Statement(_) => true,
            ExprKind::Unary(operator, of) => matches!(&**operator, "++" | "--") || self.steps(of),
            ExprKind::Binary(_, left, right) => {
                self.steps(left) || self.steps(right) || (self.touches(left) && self.touches(right))
            }
            ExprKind::Conditional(one, two, three) => {
                [Some(one), two.as_ref(), Some(three)].into_iter().flatten().filter(|it| self.touches(it)).count() > 1
                    || self.steps(one)
                    || two.as_ref().is_some_and(|it| self.steps(it))
                    || self.steps(three)
            }
            ExprKind::Cast(_, of) | ExprKind::Member(of, ..) => self.steps(of),
            ExprKind::Index(array, index) => self.steps(array) || self.touches(index),
            _ => false,
        }
    }

    /// Whether it names shared data or calls something.
    pub(crate) fn touches(&self, it: &Expr) -> bool {
        match &it.kind {
            ExprKind::Name(name) => {
                matches!(self.find(name), Some(Thing::Place(place) | Thing::Alias(place)) if place.shared)
            }
            ExprKind::Call(..) | ExprKind::Statement(_) => true,
            ExprKind::Unary(_, of) | ExprKind::Postfix(of, _) | ExprKind::Cast(_, of) | ExprKind::Member(of, ..) => {
                self.touches(of)
            }
            ExprKind::Binary(_, left, right) | ExprKind::Assign(_, left, right) | ExprKind::Index(left, right) => {
                self.touches(left) || self.touches(right)
            }
            ExprKind::Conditional(one, two, three) => {
                self.touches(one) || two.as_ref().is_some_and(|it| self.touches(it)) || self.touches(three)
            }
            _ => false,
        }
    }

    pub(crate) fn value(&mut self, it: &Expr) -> Answer<Value> {
        if let Some(value) = constants::value(self.unit, it) {
            return match i32::try_from(value) {
                Ok(value) if value < 0 => Ok(Value::new(format!("({value})"))),
                Ok(value) => Ok(Value::new(value.to_string())),
                Err(_) => Err(format!("{value} needs more than 32 bits")),
            };
        }
        match &it.kind {
            ExprKind::Name(name) if matches!(&**name, "NULL" | "nullptr") => Ok(Value::new("0")),
            ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) => {
                let place = self.place(it)?;
                scalar(&place.ty)
                    .map(|_| Value { text: place.text, reads: place.shared })
                    .ok_or_else(|| "this is more than a number".into())
            }
            ExprKind::Unary(operator, of) => self.unary(operator, of, it),
            ExprKind::Postfix(of, operator) => {
                let place = self.place(of)?;
                let before = self.temporary();
                self.changed(&place, &operator[..1], &Value::new("1"), Some(&before));
                Ok(Value::new(before))
            }
            ExprKind::Binary(operator, left, right) => self.binary(operator, left, right),
            ExprKind::Assign(operator, left, right) => {
                let place = self.assign(operator, left, right)?;
                Ok(Value { text: place.text, reads: place.shared })
            }
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes.as_deref(), no),
            ExprKind::Cast(ty, of) => {
                let value = self.value(of)?;
                Ok(Value { text: narrowed(ty, &value.text), ..value })
            }
            ExprKind::Call(function, arguments) => {
                let name = match &function.kind {
                    ExprKind::Name(name) => name.clone(),
                    _ => return Err("a call through a pointer".into()),
                };
                self.call(&name, arguments, it.span, true)?.ok_or_else(|| format!("`{name}` returns nothing"))
            }
            ExprKind::SizeOf(_) => Err("the size of this is not known".into()),
            _ => Err("the model has no such expression".into()),
        }
    }

    fn unary(&mut self, operator: &str, of: &Expr, whole: &Expr) -> Answer<Value> {
        match operator {
            "*" => {
                let place = self.place(whole)?;
                Ok(Value { reads: place.shared, text: place.text })
            }
            "++" | "--" => {
                let place = self.place(of)?;
                let before = self.temporary();
                self.changed(&place, &operator[..1], &Value::new("1"), Some(&before));
                Ok(Value::new(format!("({before} {} 1)", &operator[..1])))
            }
            "!" | "-" | "~" | "+" => {
                let value = self.value(of)?;
                let sign = if operator == "+" { "" } else { operator };
                Ok(Value { text: format!("{sign}({})", value.text), ..value })
            }
            _ => Err("addresses are not values of the model".into()),
        }
    }

    fn binary(&mut self, operator: &str, left: &Expr, right: &Expr) -> Answer<Value> {
        if operator == "," {
            self.effect(left)?;
            return self.value(right);
        }
        if matches!(operator, "&&" | "||") && self.steps(right) {
            return self.shortcut(operator, left, right);
        }
        let mut one = self.value(left)?;
        if one.reads && (self.touches(right) || self.steps(right)) {
            one = self.settled(one);
        }
        let two = self.value(right)?;
        Ok(Value { text: format!("({} {operator} {})", one.text, two.text), reads: one.reads || two.reads })
    }

    /// The right operand takes steps, which happen only if the left one does not decide.
    fn shortcut(&mut self, operator: &str, left: &Expr, right: &Expr) -> Answer<Value> {
        let one = self.value(left)?;
        let result = self.temporary();
        self.emit(format!("{result} = ({} != 0)", one.text));
        self.emit("if");
        self.emit(format!(":: {result} {} ->", if operator == "&&" { "!= 0" } else { "== 0" }));
        self.indent += 1;
        let two = self.value(right)?;
        self.emit(format!("{result} = ({} != 0)", two.text));
        self.indent -= 1;
        self.emit(":: else");
        self.emit("fi");
        Ok(Value::new(result))
    }

    fn conditional(&mut self, condition: &Expr, yes: Option<&Expr>, no: &Expr) -> Answer<Value> {
        let yes = yes.unwrap_or(condition);
        let mut test = self.value(condition)?;
        if self.touches(yes) || self.touches(no) || self.steps(yes) || self.steps(no) {
            test = self.settled(test);
        }
        if !self.steps(yes) && !self.steps(no) {
            let (yes, no) = (self.value(yes)?, self.value(no)?);
            return Ok(Value {
                text: format!("({} -> {} : {})", test.text, yes.text, no.text),
                reads: test.reads || yes.reads || no.reads,
            });
        }
        let result = self.temporary();
        self.emit("if");
        for (guard, part) in [(format!(":: {} ->", test.text), yes), (":: else ->".into(), no)] {
            self.emit(guard);
            self.indent += 1;
            let value = self.value(part)?;
            self.emit(format!("{result} = {}", value.text));
            self.indent -= 1;
        }
        self.emit("fi");
        Ok(Value::new(result))
    }

    /// `x op= value`; `before` gets the old value.
    fn changed(&mut self, place: &Place, operator: &str, value: &Value, before: Option<&str>) {
        let result = |old: &str| narrowed(&place.ty, &format!("({old} {operator} {})", value.text));
        let simple = !place.shared || place.ty.is_atomic();
        match (simple, before) {
            (true, None) => self.emit(format!("{} = {}", place.text, result(&place.text))),
            (true, Some(before)) => {
                self.emit(format!("atomic {{ {before} = {}; {} = {} }}", place.text, place.text, result(before)))
            }
            (false, _) => {
                let own = before.map_or_else(|| self.temporary(), String::from);
                self.emit(format!("{own} = {}", place.text));
                self.emit(format!("{} = {}", place.text, result(&own)));
            }
        }
    }

    pub(crate) fn assign(&mut self, operator: &str, left: &Expr, right: &Expr) -> Answer<Place> {
        let value = self.value(right)?;
        let value = if value.reads && (operator != "=" || self.touches(left)) { self.settled(value) } else { value };
        let place = self.place(left)?;
        if scalar(&place.ty).is_none() {
            return Err("only numbers can be assigned".into());
        }
        match operator.strip_suffix('=') {
            Some("") | None => self.emit(format!("{} = {}", place.text, narrowed(&place.ty, &value.text))),
            Some(operator) => self.changed(&place, operator, &value, None),
        }
        Ok(place)
    }

    /// An expression for what it does.
    pub(crate) fn effect(&mut self, it: &Expr) -> Answer<()> {
        match &it.kind {
            ExprKind::Assign(operator, left, right) => self.assign(operator, left, right).map(|_| ()),
            ExprKind::Postfix(of, operator) => {
                let place = self.place(of)?;
                self.changed(&place, &operator[..1], &Value::new("1"), None);
                Ok(())
            }
            ExprKind::Unary(operator, of) if matches!(&**operator, "++" | "--") => {
                let place = self.place(of)?;
                self.changed(&place, &operator[..1], &Value::new("1"), None);
                Ok(())
            }
            ExprKind::Call(function, arguments) => match &function.kind {
                ExprKind::Name(name) => self.call(name, arguments, it.span, false).map(|_| ()),
                _ => Err("a call through a pointer".into()),
            },
            ExprKind::Binary(operator, left, right) if &**operator == "," => {
                self.effect(left)?;
                self.effect(right)
            }
            ExprKind::Cast(_, of) => self.effect(of),
            ExprKind::Integer(..) | ExprKind::Name(_) => Ok(()),
            _ => self.value(it).map(|_| ()),
        }
    }
}

/// A value as a type holds it, where the declaration does not see to that.
fn narrowed(ty: &Type, text: &str) -> String {
    match ty.plain() {
        Type::Bool => format!("({text} != 0)"),
        Type::Integer { bits: 8, signed: true } => format!("((({text} + 128) & 255) - 128)"),
        Type::Integer { bits: 8, signed: false } => format!("({text} & 255)"),
        Type::Integer { bits: 16, signed: false } => format!("({text} & 65535)"),
        _ => text.to_string(),
    }
}
