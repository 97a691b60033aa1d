//! Places: what expressions name, and where pointers point as far as that is always the same.
use front_c::ast::{Expr, ExprKind, Type};
use text::Span;

use crate::names::safe;
use crate::numbers::Number;
use crate::translate::{Translator, elements, primitive, scalar};
use crate::values::Value;

/// A place for values.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub text: String,
    pub ty: Type,
    /// Whether other threads see it.
    pub shared: bool,
    /// It is in the program only.
    pub absent: bool,
    /// The declaration of the variable that it is or belongs to.
    pub root: Span,
    /// Indices that are not constants, as they stand in the text.
    pub indices: Vec<String>,
    /// The index so far of an array of arrays.
    pub offset: Option<String>,
}

impl Place {
    pub(crate) fn new(text: String, ty: &Type, shared: bool, root: Span) -> Place {
        Place { text, ty: ty.clone(), shared, absent: false, root, indices: Vec::new(), offset: None }
    }

    pub(crate) fn absent(ty: &Type, root: Span) -> Place {
        Place { absent: true, ..Place::new(String::new(), ty, true, root) }
    }

    /// Whether the model has a number there.
    pub(crate) fn is_number(&self) -> bool {
        !self.absent && crate::translate::number(&self.ty).is_some()
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Thing {
    /// A variable.
    Place(Place),
    /// A pointer that always points there.
    Alias(Place),
    /// A value that never changes.
    Constant(Number),
}

/// Why something cannot be said.
pub(crate) type Answer<T> = Result<T, String>;

impl Translator<'_> {
    /// A place that an expression names.
    pub(crate) fn place(&mut self, it: &Expr) -> Answer<Place> {
        match &it.kind {
            ExprKind::Name(name) => match self.find(name) {
                Some(Thing::Place(place)) => Ok(place.clone()),
                _ => Err(format!("`{name}` is no variable of the model")),
            },
            ExprKind::Member(of, name, arrow) => {
                let of = if *arrow { self.target(of)? } else { self.place(of)? };
                self.field(&of, name)
            }
            ExprKind::Index(array, index) => {
                let array = self.array(array)?;
                self.element(&array, index)
            }
            ExprKind::Unary(operator, of) if &**operator == "*" => match &of.kind {
                ExprKind::Binary(plus, array, index) if &**plus == "+" => {
                    let array = self.array(array)?;
                    self.element(&array, index)
                }
                _ => self.target(of),
            },
            _ => Err("this is no place for a value".into()),
        }
    }

    pub(crate) fn field(&mut self, of: &Place, name: &str) -> Answer<Place> {
        let Type::Record(record) = of.ty.plain() else { return Err("this is no record".into()) };
        let ty = self.unit.field(*record, name).cloned().ok_or("there is no such field")?;
        let record = &self.unit.records[record.0 as usize];
        let own = record.fields.iter().any(|it| it.0.as_deref() == Some(name));
        let absent = of.absent || record.is_union || !own;
        Ok(Place { text: format!("{}.{}", of.text, safe(name)), ty, absent, offset: None, ..of.clone() })
    }

    /// An array, by its name or by a pointer to its first element.
    fn array(&mut self, it: &Expr) -> Answer<Place> {
        let place = match self.place(it) {
            Ok(place) if matches!(place.ty.plain(), Type::Array(..)) => place,
            _ => self.target(it)?,
        };
        match place.ty.plain() {
            Type::Array(_, Some(_)) if primitive(&place.ty).is_none() => Ok(place),
            _ => Err("this is no array of the model".into()),
        }
    }

    fn element(&mut self, array: &Place, index: &Expr) -> Answer<Place> {
        let (lines, value) = self.apart(|it| it.value(index));
        self.lines.extend(lines);
        let Value::Number(index) = value else {
            return Err("it is not known which element this is".into());
        };
        let Type::Array(of, Some(length)) = array.ty.plain() else { return Err("this is no array".into()) };
        let index = index.usable().ok_or("the model has no such index")?;
        let index = self.settled_number(index);
        let (inner, count) = elements(of);
        let is_last = std::ptr::eq(inner, &**of);
        if array.offset.is_some() || !is_last {
            // The inner dimensions have no array of their own that would notice.
            self.emit(format!("assert({0} >= 0 && {0} < {length})", index.text));
        }
        let step = count.ok_or("an array without a length")?;
        let part = if step == 1 { index.text.clone() } else { format!("{} * {step}", index.text) };
        let whole = array.offset.as_ref().map_or(part.clone(), |it| format!("{it} + {part}"));
        let mut place = Place { ty: (**of).clone(), ..array.clone() };
        if is_last {
            if whole.parse::<u32>().is_err() {
                place.indices.push(whole.clone());
            }
            place.text = format!("{}[{whole}]", array.text);
            place.offset = None;
        } else {
            place.offset = Some(whole);
        }
        Ok(place)
    }

    /// Where a pointer points, if that is always the same place.
    pub(crate) fn target(&mut self, it: &Expr) -> Answer<Place> {
        match &it.kind {
            ExprKind::Unary(operator, of) if &**operator == "&" => self.place(of),
            ExprKind::Cast(ty, of) => {
                let place = self.target(of)?;
                match ty.plain() {
                    Type::Pointer(to) => self.seen_as(to, place),
                    _ => Err("an address that becomes a number".into()),
                }
            }
            ExprKind::Name(name) => match self.find(name) {
                Some(Thing::Alias(place)) => Ok(place.clone()),
                Some(Thing::Place(place)) if is_array(place) => Ok(place.clone()),
                _ => Err(format!("it is not known where `{name}` points")),
            },
            ExprKind::Member(..) | ExprKind::Index(..) => {
                let place = self.place(it)?;
                if is_array(&place) { Ok(place) } else { Err("it is not known where this points".into()) }
            }
            _ => Err("it is not known where this points".into()),
        }
    }

    /// A place whose indices do not change any more.
    pub(crate) fn frozen(&mut self, mut place: Place) -> Place {
        for at in 0..place.indices.len() {
            let index = place.indices[at].clone();
            if self.hidden.contains(&index) || index.starts_with("argument_") {
                continue;
            }
            let own = self.temporary();
            self.emit(format!("{own} = {index}"));
            place.text = place.text.replace(&format!("[{index}]"), &format!("[{own}]"));
            place.indices[at] = own;
        }
        place
    }

    /// A place through a pointer of another type: only if it is the same, or nothing is said.
    pub(crate) fn seen_as(&mut self, ty: &Type, place: Place) -> Answer<Place> {
        let same = |one: &Type, two: &Type| one.plain() == two.plain();
        let fits = matches!(ty.plain(), Type::Void)
            || same(ty, &place.ty)
            || matches!(place.ty.plain(), Type::Array(of, _) if same(of, ty));
        if fits {
            return Ok(place);
        }
        self.lost.escaped.insert(place.root);
        Err("it is seen as something that it is not".into())
    }

    /// The numbers of a record or an array, as places.
    pub(crate) fn leaves(&mut self, of: &Place, list: &mut Vec<Place>) -> Answer<()> {
        if list.len() > 200 {
            return Err("this is too large to be copied".into());
        }
        if of.absent || scalar(&of.ty).is_some() {
            list.push(of.clone());
            return Ok(());
        }
        match of.ty.plain().clone() {
            Type::Record(id) => {
                let names: Vec<_> = self.unit.records[id.0 as usize].fields.iter().map(|it| it.0.clone()).collect();
                for name in names {
                    let name = name.ok_or("a record without a name in it")?;
                    let field = self.field(of, &name)?;
                    self.leaves(&field, list)?;
                }
                Ok(())
            }
            Type::Array(..) if of.offset.is_none() => {
                let (inner, count) = elements(&of.ty);
                for at in 0..count.unwrap_or(0) {
                    let element = Place { text: format!("{}[{at}]", of.text), ty: inner.clone(), ..of.clone() };
                    self.leaves(&element, list)?;
                }
                Ok(())
            }
            Type::Array(..) => Err("part of an array is not copied".into()),
            _ => {
                list.push(Place { absent: true, ..of.clone() });
                Ok(())
            }
        }
    }
}

fn is_array(place: &Place) -> bool {
    matches!(place.ty.plain(), Type::Array(..)) && primitive(&place.ty).is_none()
}
