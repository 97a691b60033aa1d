//! Declarations: types, declarators, initialisers, functions.
use std::rc::Rc;

use super::{Failed, Meaning, Parser, Result, is_keyword};
use crate::ast::{
    Declaration, Designator, Function, Init, Initializer, Record, RecordId, Stmt, StmtKind, Type, Variable,
};
use crate::constants;
use crate::words::Kind;

/// What stands before the declarators.
pub(super) struct Base {
    ty: Type,
    is_typedef: bool,
    is_extern: bool,
    is_static: bool,
    is_thread_local: bool,
}

/// A declarator: a name, its type, and the parameters if it is a function's.
pub(super) struct Declarator {
    name: Option<Rc<str>>,
    span: text::Span,
    ty: Type,
    parameters: Vec<Variable>,
}

impl Parser<'_> {
    pub(super) fn external(&mut self) -> Result<()> {
        self.skip_extras()?;
        if self.eat(";") {
            return Ok(());
        }
        let start = self.at;
        let base = self.base()?;
        if self.eat(";") {
            return Ok(());
        }
        let first = self.declarator(base.ty.clone())?;
        self.skip_extras()?;
        if let Type::Function(result, _) = &first.ty
            && (self.is("{") || self.starts_type())
        {
            let result = (**result).clone();
            return self.function(first, result);
        }
        let declaration = self.declarators(start, base, Some(first))?;
        if !declaration.is_typedef {
            self.unit.declarations.push(declaration);
        }
        Ok(())
    }

    fn function(&mut self, it: Declarator, result: Type) -> Result<()> {
        let Some(name) = it.name else { return self.fail("the name of a function") };
        self.declare(&name, Meaning::Value);
        let mut parameters = it.parameters;
        // The old way: types of parameters behind the parentheses.
        while !self.is("{") {
            let StmtKind::Declaration(old) = self.declaration()?.kind else { return Err(Failed) };
            for variable in old.variables {
                match parameters.iter_mut().find(|it| it.name == variable.name) {
                    Some(parameter) => parameter.ty = variable.ty,
                    None => return self.fail("the name of a parameter"),
                }
            }
        }
        self.scopes.push(Default::default());
        for parameter in &parameters {
            self.declare(&parameter.name, Meaning::Value);
        }
        self.expect("{")?;
        let body = self.block()?;
        self.scopes.pop();
        self.unit.functions.push(Rc::new(Function { name, result, parameters, body, span: it.span }));
        Ok(())
    }

    /// A declaration inside a function.
    pub(super) fn declaration(&mut self) -> Result<Stmt> {
        let start = self.at;
        if self.eat("_Static_assert") {
            self.skip_group()?;
            self.expect(";")?;
            return Ok(Stmt { kind: StmtKind::Empty, span: self.since(start) });
        }
        let base = self.base()?;
        let declaration = self.declarators(start, base, None)?;
        Ok(Stmt { span: declaration.span, kind: StmtKind::Declaration(declaration) })
    }

    fn declarators(&mut self, start: usize, base: Base, first: Option<Declarator>) -> Result<Declaration> {
        let mut variables = Vec::new();
        let mut next = first;
        if next.is_none() && !self.is(";") {
            next = Some(self.declarator(base.ty.clone())?);
        }
        while let Some(it) = next.take() {
            self.skip_extras()?;
            let Some(name) = it.name else { return self.fail("a name") };
            let meaning = if base.is_typedef {
                Meaning::Type(Type::Named(name.clone(), Rc::new(it.ty.clone())))
            } else {
                Meaning::Value
            };
            if let (Meaning::Type(ty), 1) = (&meaning, self.scopes.len()) {
                self.unit.types.insert(name.clone(), ty.clone());
            }
            self.declare(&name, meaning);
            let init = if self.eat("=") { Some(self.initializer()?) } else { None };
            let ty = completed(it.ty, init.as_ref());
            variables.push(Variable { name, ty, init, span: it.span });
            if self.eat(",") {
                self.skip_extras()?;
                next = Some(self.declarator(base.ty.clone())?);
            }
        }
        self.expect(";")?;
        let Base { is_typedef, is_extern, is_static, is_thread_local, .. } = base;
        Ok(Declaration {
            variables,
            is_typedef,
            is_extern,
            is_static,
            is_thread_local,
            text: self.text_since(start),
            span: self.since(start),
        })
    }

    /// Whether a type or a storage class begins here.
    pub(super) fn starts_type(&self) -> bool {
        let Some(it) = self.peek().filter(|it| it.kind == Kind::Name) else { return false };
        match &*it.text {
            "void" | "char" | "short" | "int" | "long" | "float" | "double" | "signed" | "__signed__" | "unsigned"
            | "_Bool" | "_Complex" | "__complex__" | "struct" | "union" | "enum" | "const" | "__const" | "volatile"
            | "__volatile__" | "_Atomic" | "typedef" | "extern" | "static" | "auto" | "register" | "inline"
            | "__inline" | "__inline__" | "_Noreturn" | "_Thread_local" | "__thread" | "typeof" | "__typeof__"
            | "__typeof" | "__auto_type" | "__int128" | "_Alignas" | "_Static_assert" => true,
            name => match self.meaning(name) {
                Some(Meaning::Type(_)) => true,
                Some(Meaning::Value) => false,
                None => self.guesses_type(),
            },
        }
    }

    /// Whether a name without a declaration must be a type: `name other`, or `name *other` where a declaration ends.
    fn guesses_type(&self) -> bool {
        if !self.guesses || self.peek().is_none_or(|it| is_keyword(&it.text)) {
            return false;
        }
        let stars = (1..).take_while(|by| self.ahead(*by).is_some_and(|it| it.is("*"))).count();
        let named = self.ahead(1 + stars).is_some_and(|it| it.kind == Kind::Name && !is_keyword(&it.text));
        let end = self.ahead(2 + stars).is_some_and(|it| [";", "=", ",", ")", "(", "["].iter().any(|p| it.is(p)));
        named && (stars == 0 || end) || (stars > 0 && self.ahead(1 + stars).is_some_and(|it| it.is(")")))
    }

    fn base(&mut self) -> Result<Base> {
        let mut base =
            Base { ty: Type::Void, is_typedef: false, is_extern: false, is_static: false, is_thread_local: false };
        let (mut ty, mut words, mut atomic, mut any): (Option<Type>, Vec<Rc<str>>, bool, bool) =
            (None, Vec::new(), false, false);
        loop {
            self.skip_extras()?;
            let Some(word) = self.peek() else { break };
            match &*word.text {
                "typedef" => base.is_typedef = true,
                "extern" => base.is_extern = true,
                "static" => base.is_static = true,
                "_Thread_local" | "__thread" => base.is_thread_local = true,
                "const" | "__const" | "volatile" | "__volatile__" | "auto" | "register" | "inline" | "__inline"
                | "__inline__" | "_Noreturn" | "_Complex" | "__complex__" => {}
                "_Atomic" if self.ahead(1).is_some_and(|it| it.is("(")) => {
                    self.at += 2;
                    ty = Some(self.type_name()?);
                    atomic = true;
                    self.at -= usize::from(!self.is(")"));
                }
                "_Atomic" => atomic = true,
                "void" | "char" | "short" | "int" | "long" | "float" | "double" | "signed" | "__signed__"
                | "unsigned" | "_Bool" | "__int128" => {
                    words.push(word.text.clone());
                }
                "struct" | "union" => {
                    ty = Some(self.record()?);
                    any = true;
                    continue;
                }
                "enum" => {
                    ty = Some(self.enumeration()?);
                    any = true;
                    continue;
                }
                "typeof" | "__typeof__" | "__typeof" => {
                    self.at += 1;
                    let inside = self.at;
                    self.skip_group()?;
                    ty = Some(Type::Unknown(self.text_since(inside)));
                    continue;
                }
                "__auto_type" => ty = Some(Type::Unknown("__auto_type".into())),
                name if word.kind == Kind::Name && ty.is_none() && words.is_empty() => match self.meaning(name) {
                    Some(Meaning::Type(known)) => ty = Some(known.clone()),
                    _ if self.guesses_type() => ty = Some(Type::Unknown(word.text.clone())),
                    _ => break,
                },
                _ => break,
            }
            self.at += 1;
            any = true;
        }
        if !any
            && !self.peek().is_some_and(|it| {
                self.scopes.len() == 1 && it.kind == Kind::Name && self.ahead(1).is_some_and(|it| it.is("("))
            })
        {
            return self.fail("a declaration");
        }
        let plain = ty.unwrap_or_else(|| basic(&words));
        base.ty = if atomic { Type::Atomic(Rc::new(plain)) } else { plain };
        Ok(base)
    }

    fn record(&mut self) -> Result<Type> {
        let is_union = self.is_name("union");
        self.at += 1;
        self.skip_extras()?;
        let name = if self.is("{") { None } else { Some(self.name()?) };
        self.skip_extras()?;
        // A second definition, in a block, is another record.
        let again = |id: &RecordId| self.is("{") && self.unit.records[id.0 as usize].complete;
        let known = name.as_ref().and_then(|it| self.tags.get(it)).copied().filter(|it| !again(it));
        let id = known.unwrap_or_else(|| {
            self.unit.records.push(Record { name: name.clone(), is_union, ..Record::default() });
            RecordId(self.unit.records.len() as u32 - 1)
        });
        if let Some(name) = name {
            self.tags.insert(name, id);
        }
        if self.eat("{") {
            let fields = self.deeper(Self::fields)?;
            let record = &mut self.unit.records[id.0 as usize];
            (record.fields, record.complete) = (fields, true);
            self.skip_extras()?;
        }
        Ok(Type::Record(id))
    }

    fn fields(&mut self) -> Result<Vec<(Option<Rc<str>>, Type)>> {
        let mut fields = Vec::new();
        while !self.eat("}") {
            self.skip_extras()?;
            if self.eat(";") {
                continue;
            }
            if self.eat("_Static_assert") {
                self.skip_group()?;
                continue;
            }
            let base = self.base()?;
            if self.eat(";") {
                fields.push((None, base.ty));
                continue;
            }
            loop {
                let mut it = if self.is(":") { None } else { Some(self.declarator(base.ty.clone())?) };
                if self.eat(":") {
                    self.assignment()?;
                    if let Some(it) = &mut it {
                        it.ty = Type::Unknown("a field of bits".into());
                    }
                }
                self.skip_extras()?;
                if let Some(it) = it {
                    fields.push((it.name, it.ty));
                }
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        Ok(fields)
    }

    fn enumeration(&mut self) -> Result<Type> {
        self.at += 1;
        self.skip_extras()?;
        if !self.is("{") {
            self.name()?;
        }
        if self.eat("{") {
            let mut next = 0;
            while !self.eat("}") {
                let name = self.name()?;
                self.skip_extras()?;
                if self.eat("=") {
                    let value = self.conditional()?;
                    next = constants::value(&self.unit, &value).unwrap_or(next);
                }
                self.unit.constants.push((name.clone(), next));
                self.declare(&name, Meaning::Value);
                next = next.wrapping_add(1);
                if !self.eat(",") && !self.is("}") {
                    return self.fail("`,` or `}`");
                }
            }
        }
        self.skip_extras()?;
        Ok(Type::Enumeration)
    }

    pub(super) fn type_name(&mut self) -> Result<Type> {
        let base = self.base()?;
        Ok(self.declarator(base.ty)?.ty)
    }

    pub(super) fn declarator(&mut self, base: Type) -> Result<Declarator> {
        self.deeper(|it| it.declarator_inside(base))
    }

    fn declarator_inside(&mut self, mut ty: Type) -> Result<Declarator> {
        self.skip_extras()?;
        let mut count = 0;
        while self.eat("*") {
            count += 1;
            self.not_too_long(count)?;
            ty = Type::Pointer(Rc::new(ty));
            loop {
                self.skip_extras()?;
                if self.eat("_Atomic") {
                    ty = Type::Atomic(Rc::new(ty));
                } else if !(self.eat("const") || self.eat("volatile") || self.eat("__const")) {
                    break;
                }
            }
        }
        // `(` begins an inner declarator unless it begins parameters.
        let inner = self.is("(")
            && self.ahead(1).is_some_and(|it| {
                it.is("*")
                    || it.is("(")
                    || it.is_name("__attribute__")
                    || (it.kind == Kind::Name
                        && !matches!(self.meaning(&it.text), Some(Meaning::Type(_)))
                        && !is_keyword(&it.text)
                        && !it.is_name("_Bool"))
            });
        let hole = self.at;
        let mut it = Declarator { name: None, span: self.span(), ty: Type::Void, parameters: Vec::new() };
        if inner {
            self.skip_group()?;
        } else if self.peek().is_some_and(|it| it.kind == Kind::Name && !is_keyword(&it.text)) {
            it.name = Some(self.name()?);
        }
        it.ty = self.suffixes(ty, &mut it.parameters)?;
        if inner {
            let end = self.at;
            self.at = hole + 1;
            let parameters = std::mem::take(&mut it.parameters);
            it = self.declarator(it.ty)?;
            if it.parameters.is_empty() {
                it.parameters = parameters;
            }
            self.expect(")")?;
            self.at = end;
        }
        Ok(it)
    }

    fn suffixes(&mut self, of: Type, parameters: &mut Vec<Variable>) -> Result<Type> {
        self.skip_extras()?;
        if self.eat("[") {
            while self.eat("static") || self.eat("const") || self.eat("restrict") || self.eat("__restrict") {}
            let length = if self.is("]") || (self.is("*") && self.ahead(1).is_some_and(|it| it.is("]"))) {
                self.eat("*");
                None
            } else {
                let length = self.assignment()?;
                constants::value(&self.unit, &length).and_then(|it| u64::try_from(it).ok())
            };
            self.expect("]")?;
            let of = self.deeper(|it| it.suffixes(of, &mut Vec::new()))?;
            return Ok(Type::Array(Rc::new(of), length));
        }
        if self.eat("(") {
            let list = self.parameters()?;
            let types = list.iter().map(|it| it.ty.clone()).collect();
            *parameters = list;
            let result = self.deeper(|it| it.suffixes(of, &mut Vec::new()))?;
            return Ok(Type::Function(Rc::new(result), types));
        }
        Ok(of)
    }

    fn parameters(&mut self) -> Result<Vec<Variable>> {
        let mut list = Vec::new();
        while !self.eat(")") {
            if !self.eat("...") {
                let (span, old) = (self.span(), !self.starts_type());
                let variable = if old {
                    let name = self.name()?;
                    Variable { name, ty: Type::Integer { bits: 32, signed: true }, init: None, span }
                } else {
                    let base = self.base()?;
                    let it = self.declarator(base.ty)?;
                    let ty = match it.ty {
                        Type::Array(of, _) => Type::Pointer(of),
                        other => other,
                    };
                    Variable { name: it.name.unwrap_or_else(|| "".into()), ty, init: None, span: it.span }
                };
                self.skip_extras()?;
                if !(variable.name.is_empty() && variable.ty == Type::Void) {
                    list.push(variable);
                }
            }
            if !self.eat(",") && !self.is(")") {
                return self.fail("`,` or `)`");
            }
        }
        Ok(list)
    }

    fn initializer(&mut self) -> Result<Init> {
        if self.eat("{") {
            Ok(Init::List(self.deeper(Self::initializers)?))
        } else {
            Ok(Init::Single(self.assignment()?))
        }
    }

    /// Behind `{`, up to `}`.
    pub(super) fn initializers(&mut self) -> Result<Vec<Initializer>> {
        let mut list = Vec::new();
        while !self.eat("}") {
            let mut designators = Vec::new();
            loop {
                if self.eat(".") {
                    designators.push(Designator::Field(self.name()?));
                } else if self.eat("[") {
                    let first = self.conditional()?;
                    let last = if self.eat("...") { Some(self.conditional()?) } else { None };
                    self.expect("]")?;
                    designators.push(Designator::Index(first, last));
                } else {
                    break;
                }
            }
            let old = designators.is_empty()
                && self.ahead(1).is_some_and(|it| it.is(":"))
                && self.peek().is_some_and(|it| it.kind == Kind::Name);
            if old {
                designators.push(Designator::Field(self.name()?));
                self.expect(":")?;
            } else if !designators.is_empty() {
                self.eat("=");
            }
            list.push(Initializer { designators, value: self.initializer()? });
            if !self.eat(",") && !self.is("}") {
                return self.fail("`,` or `}`");
            }
        }
        Ok(list)
    }
}

/// An array without a length has that of its initialiser.
fn completed(ty: Type, init: Option<&Init>) -> Type {
    match (&ty, init) {
        (Type::Array(of, None), Some(Init::List(list))) if list.iter().all(|it| it.designators.is_empty()) => {
            Type::Array(of.clone(), Some(list.len() as u64))
        }
        _ => ty,
    }
}

fn basic(words: &[Rc<str>]) -> Type {
    let has = |name: &str| words.iter().any(|it| &**it == name);
    let signed = !has("unsigned");
    let bits = match () {
        () if has("void") => return Type::Void,
        () if has("_Bool") => return Type::Bool,
        () if has("float") || has("double") => return Type::Floating,
        () if has("char") => 8,
        () if has("short") => 16,
        () if has("__int128") => 128,
        () if has("long") => 64,
        () => 32,
    };
    Type::Integer { bits, signed }
}
