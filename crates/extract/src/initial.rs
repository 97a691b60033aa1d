//! What global variables are, and what they begin with.
use std::collections::HashSet;
use std::rc::Rc;

use front_c::ast::{Declaration, Designator, Expr, ExprKind, Init, Initializer, Type, Variable};
use text::{Diagnostic, Span};

use crate::names::safe;
use crate::numbers::Number;
use crate::places::{Place, Thing};
use crate::translate::{Translator, declaration, elements, number, primitive, record_name, scalar};
use crate::values::{Value, contains};

impl Translator<'_> {
    /// Every record that a variable may have.
    pub(crate) fn records(&mut self, before: &str) -> Vec<(String, String)> {
        let mut types: Vec<Type> = Vec::new();
        let outside = self.unit.declarations.iter().flat_map(|it| &it.variables);
        types.extend(outside.map(|it| it.ty.clone()));
        for function in &self.unit.functions {
            types.extend(function.parameters.iter().map(|it| it.ty.clone()));
            function.body.iter().for_each(|it| local_types(it, &mut types));
        }
        let (mut known, mut list) = (HashSet::new(), Vec::new());
        for ty in &types {
            self.record(ty, &mut list, before, &mut known, 0);
        }
        list
    }

    fn record(
        &self,
        ty: &Type,
        list: &mut Vec<(String, String)>,
        before: &str,
        known: &mut HashSet<String>,
        depth: usize,
    ) {
        let (of, _) = elements(ty);
        let of = if let Type::Pointer(to) = of.plain() { elements(to).0 } else { of };
        let (Type::Record(id), None) = (of.plain(), primitive(of)) else { return };
        let name = record_name(self.unit, of);
        if depth > 20 || known.contains(&name) || declares(before, &name) {
            return;
        }
        known.insert(name.clone());
        let record = &self.unit.records[id.0 as usize];
        let mut body = String::new();
        for (field, ty) in &record.fields {
            if !matches!(ty.plain(), Type::Pointer(_)) {
                self.record(ty, list, before, known, depth + 1);
            }
            let declared = field.as_ref().and_then(|it| declaration(self.unit, ty, &safe(it)));
            body += &declared.map_or(String::new(), |it| format!("    {it};\n"));
        }
        if !body.is_empty() && !record.is_union {
            list.push((name.clone(), format!("typedef {name} {{\n{body}}}\n")));
        }
    }

    pub(crate) fn globals(&mut self, head: &mut Vec<String>, before: &str) {
        let unit = self.unit;
        let mut defined: Vec<(&Declaration, &Variable)> = Vec::new();
        for it in unit.declarations.iter().filter(|it| !it.is_typedef) {
            for variable in it.variables.iter().filter(|it| !matches!(it.ty.plain(), Type::Function(..))) {
                let elsewhere = it.is_extern && variable.init.is_none();
                match defined.iter_mut().find(|it| it.1.name == variable.name) {
                    // What is declared twice is one variable; the initialiser counts.
                    Some(known) if !elsewhere && (known.0.is_extern || variable.init.is_some()) => {
                        *known = (it, variable)
                    }
                    Some(_) => {}
                    None => defined.push((it, variable)),
                }
            }
        }
        for (declaration, variable) in defined {
            let elsewhere = declaration.is_extern && variable.init.is_none();
            self.global(variable, elsewhere || declaration.is_thread_local, head, before);
        }
    }

    fn global(&mut self, it: &Variable, unknown: bool, head: &mut Vec<String>, before: &str) {
        let name = safe(&it.name);
        self.used.insert(name.clone());
        if let Some(place) = self.constant_pointer(it) {
            self.scopes[0].insert(it.name.clone(), Thing::Alias(place));
            return;
        }
        let in_harness = declares(before, &name);
        let declared = declaration(self.unit, &it.ty, &name).filter(|_| !self.forgets(&it.name, it.span) && !unknown);
        let Some(declared) = declared else {
            if in_harness && scalar(&it.ty).is_some() {
                let place = Place::new(name, &it.ty, true, it.span);
                self.scopes[0].insert(it.name.clone(), Thing::Place(place));
                return;
            }
            self.scopes[0].insert(it.name.clone(), Thing::Place(Place::absent(&it.ty, it.span)));
            return;
        };
        let place = Place::new(name, &it.ty, true, it.span);
        self.scopes[0].insert(it.name.clone(), Thing::Place(place.clone()));
        if !in_harness {
            let text = self.beginning(&place, it.init.as_ref());
            head.push(format!("{declared}{text};\n"));
        }
    }

    /// A global pointer that always points to the same global.
    fn constant_pointer(&mut self, it: &Variable) -> Option<Place> {
        let (Type::Pointer(to), Some(Init::Single(init))) = (it.ty.plain(), &it.init) else { return None };
        let changed = self.unit.functions.iter().any(|f| crate::assigned::is_assigned(&f.body, &it.name));
        if changed {
            return None;
        }
        let place = self.target(init).ok()?;
        self.seen_as(to, place).ok()
    }

    /// Whether a variable is not to be in the model.
    pub(crate) fn forgets(&self, name: &str, span: Span) -> bool {
        self.lost.variables.contains_key(&span) || self.tables().any(|it| it.irrelevant.iter().any(|it| it == name))
    }

    /// The text behind a declaration that gives a variable its first value; what has no such text is emitted first of all.
    pub(crate) fn beginning(&mut self, place: &Place, init: Option<&Init>) -> String {
        let Some(init) = init else { return String::new() };
        if primitive(elements(&place.ty).0).is_some() {
            self.plain_primitive(place, init);
            return String::new();
        }
        if let (Init::Single(value), Some(int)) = (init, number(&place.ty)) {
            return match self.constant(value).and_then(|it| self.converted(it, int)) {
                Some(it) => format!(" = {}", it.text),
                None => {
                    self.lose(place.root, "it begins with a value that the model does not have");
                    String::new()
                }
            };
        }
        let mut list = Vec::new();
        match self.initial(place, init, &mut list) {
            Ok(()) => {
                let set: Vec<String> =
                    list.into_iter().filter(|it| it.1 != "0").map(|(to, text)| format!("{to} = {text}")).collect();
                if !set.is_empty() && !self.threaded {
                    self.lose(place.root, "what it begins with has no place in a model without `main`");
                }
                self.first.extend(set);
            }
            Err(why) => self.lose(place.root, &why),
        }
        String::new()
    }

    /// A mutex of a special kind is not what the model takes it for.
    fn plain_primitive(&mut self, place: &Place, init: &Init) {
        let mut plain = true;
        crate::values::every_init(init, &mut |it| {
            plain &= match &it.kind {
                ExprKind::Integer(value, ..) => *value == 0,
                ExprKind::Name(name) => {
                    !name.contains("RECURSIVE") && !name.contains("ERRORCHECK") && !name.contains("ADAPTIVE")
                }
                _ => true,
            }
        });
        if !plain {
            let message = "this is no plain object of its kind, and the model takes it for one";
            self.diagnostics
                .push(Diagnostic::error("not-represented", place.root, message).help("use the plain initialiser"));
        }
    }

    /// A constant expression.
    pub(crate) fn constant(&mut self, it: &Expr) -> Option<Number> {
        let acts = contains(it, &|it| matches!(it, ExprKind::Call(..) | ExprKind::Assign(..) | ExprKind::Postfix(..)));
        if acts {
            return None;
        }
        let (_, value) = self.apart(|it2| it2.value(it));
        match value {
            Value::Number(it) if it.constant.is_some() => Some(it),
            _ => None,
        }
    }

    /// The values of all numbers in a place, by an initialiser (C11 6.7.9).
    fn initial(&mut self, place: &Place, init: &Init, out: &mut Vec<(String, String)>) -> Result<(), String> {
        match (init, place.ty.plain().clone()) {
            (Init::Single(value), _) if scalar(&place.ty).is_some() => {
                let int = number(&place.ty).ok_or("it begins with a value that the model does not have")?;
                let it = self.constant(value).and_then(|it| self.converted(it, int));
                let it = it.ok_or("it begins with a value that the model does not have")?;
                out.retain(|known| known.0 != place.text);
                out.push((place.text.clone(), it.text));
                Ok(())
            }
            (Init::List(list), _) if scalar(&place.ty).is_some() => match list.first() {
                Some(first) if list.len() == 1 => self.initial(place, &first.value, out),
                None => Ok(()),
                _ => Err("there are too many values".into()),
            },
            (Init::List(list), Type::Array(of, Some(length)))
                if scalar(&of).is_some() || matches!(of.plain(), Type::Record(_) | Type::Array(..)) =>
            {
                let mut at = 0_i128;
                for it in list {
                    let last = match &it.designators[..] {
                        [] => at,
                        [Designator::Index(first, last)] => {
                            let value =
                                |it: &mut Self, e: &Expr| it.constant(e).and_then(|it| it.constant).ok_or("an index");
                            at = value(self, first)?;
                            last.as_ref().map_or(Ok(at), |last| value(self, last))?
                        }
                        _ => return Err("what it begins with is not understood".into()),
                    };
                    while at <= last {
                        if at < 0 || at >= i128::from(length) {
                            return Err("there are too many values".into());
                        }
                        let element = part(place, &of, at).ok_or("an array without a length")?;
                        self.initial(&element, &it.value, out)?;
                        at += 1;
                    }
                }
                Ok(())
            }
            (Init::List(list), Type::Record(_)) => self.initial_record(place, list, out),
            _ => Err("what it begins with is not understood".into()),
        }
    }

    fn initial_record(
        &mut self,
        place: &Place,
        list: &[Initializer],
        out: &mut Vec<(String, String)>,
    ) -> Result<(), String> {
        let Type::Record(id) = place.ty.plain() else { return Err("this is no record".into()) };
        let names: Vec<Option<Rc<str>>> =
            self.unit.records[id.0 as usize].fields.iter().map(|it| it.0.clone()).collect();
        let mut at = 0;
        for it in list {
            let name = match &it.designators[..] {
                [] => names.get(at).cloned().flatten(),
                [Designator::Field(name)] => Some(name.clone()),
                _ => None,
            };
            let name = name.ok_or("what it begins with is not understood")?;
            at = names.iter().position(|it| it.as_ref() == Some(&name)).ok_or("there is no such field")? + 1;
            let field = self.field(place, &name)?;
            if primitive(elements(&field.ty).0).is_some() {
                self.plain_primitive(&field, &it.value);
            } else if !field.absent
                && (scalar(&field.ty).is_some() || !matches!(field.ty.plain(), Type::Pointer(_) | Type::Floating))
            {
                self.initial(&field, &it.value, out)?;
            }
        }
        Ok(())
    }

    /// A local list: values that are not constants, too.
    pub(crate) fn local_list(&mut self, place: &Place, init: &Init) -> Result<Vec<(String, String)>, String> {
        let mut list = Vec::new();
        self.initial(place, init, &mut list)?;
        // All that is not named is 0.
        let mut leaves = Vec::new();
        self.leaves(place, &mut leaves)?;
        for it in leaves.iter().filter(|it| !it.absent) {
            if !list.iter().any(|known| known.0 == it.text) {
                list.push((it.text.clone(), "0".into()));
            }
        }
        Ok(list)
    }
}

/// An element of an array, or of an array of arrays.
fn part(array: &Place, of: &Type, at: i128) -> Option<Place> {
    let before: i128 = array.offset.as_ref().map_or(Some(0), |it| it.parse().ok())?;
    let (inner, count) = elements(of);
    if std::ptr::eq(inner, of) {
        let text = format!("{}[{}]", array.text, before + at);
        return Some(Place { text, ty: of.clone(), offset: None, ..array.clone() });
    }
    let offset = Some((before + at * i128::from(count?)).to_string());
    Some(Place { ty: of.clone(), offset, ..array.clone() })
}

/// Whether a word stands in a text.
pub(crate) fn declares(text: &str, name: &str) -> bool {
    text.split(|it: char| !(it.is_alphanumeric() || it == '_')).any(|it| it == name)
}

fn local_types(it: &front_c::ast::Stmt, types: &mut Vec<Type>) {
    use front_c::ast::StmtKind;
    match &it.kind {
        StmtKind::Block(list) => list.iter().for_each(|it| local_types(it, types)),
        StmtKind::Declaration(it) => types.extend(it.variables.iter().map(|it| it.ty.clone())),
        StmtKind::If(_, yes, no) => {
            local_types(yes, types);
            no.iter().for_each(|it| local_types(it, types));
        }
        StmtKind::While(_, of) | StmtKind::DoWhile(of, _) | StmtKind::Switch(_, of) => local_types(of, types),
        StmtKind::For(first, _, _, of) => {
            first.iter().for_each(|it| local_types(it, types));
            local_types(of, types);
        }
        StmtKind::Case(_, _, of) | StmtKind::Default(of) | StmtKind::Label(_, of) => local_types(of, types),
        _ => {}
    }
}
