//! Declarations: variables, records, enumerations, channels.
//!
//! A record variable becomes one variable per field; arrays of records become arrays of fields, so
//! that `x[2].b[1]` is the element `[2][1]` of the variable `x[].b[]`.
use std::collections::HashMap;
use std::rc::Rc;

use model::{ChannelShape, EnumerationId, Expr, Initial, Scope, ShapeId, Type, Variable, VariableId};
use text::{Diagnostic, Span};

use super::Lower;
use super::names::{Binding, Class, Content, RecordType, Symbol};
use super::size::{LARGEST_ARRAY, Size};
use crate::ast::{self, Declaration, Declarator, Ident, Name, Prefix, TypeKind};

/// The most slots a channel may have.
const LARGEST_CHANNEL: i32 = 65_535;

/// The most names an enumeration may have.
const LARGEST_BYTE: usize = 255;

/// Why an initial value may not start a process.
const INITIAL: &str = "an initial value cannot start a process";

/// A type, once its name is known.
enum Known {
    Scalar(Type, Class),
    Record(Rc<RecordType>),
}

/// What is being declared, and inside what.
struct Item<'a> {
    /// With `[]` for every dimension.
    name: String,
    ty: &'a ast::Type,
    declarator: &'a Declarator,
    /// Sizes of the dimensions, those of enclosing arrays included.
    dimensions: Vec<u32>,
    hidden: bool,
}

impl Lower {
    /// Declares variables in the innermost scope; returns how to give each its value again.
    pub fn declare(&mut self, declaration: &Declaration) -> Vec<(Ident, Binding)> {
        let mut declared = Vec::new();
        for declarator in &declaration.variables {
            let hidden = declaration.prefix == Some(Prefix::Hidden) && self.scopes.is_global();
            let array = self.array_size(declarator);
            let name = format!("{}{}", declarator.name.name, if array.is_some() { "[]" } else { "" });
            let dimensions = array.into_iter().collect();
            let item = Item { name, ty: &declaration.ty, declarator, dimensions, hidden };
            let Some(mut binding) = self.bind(item, array) else {
                // Its type is unknown, which has been said; that it is unknown itself need not be.
                self.reported.insert(("unknown-name", declarator.name.name.clone()));
                continue;
            };
            binding.constant = constant_initial(declarator, self);
            self.declare_name(&declarator.name, Symbol::Variable(binding.clone()));
            declared.push((declarator.name.clone(), binding));
        }
        declared
    }

    pub fn declare_name(&mut self, name: &Ident, symbol: Symbol) {
        if name.name.starts_with('_') && super::expressions::is_predefined(&name.name) {
            self.error("reserved-name", name.at.0, format!("`{}` is predefined and cannot be declared", name.name));
        } else if let Err(earlier) = self.scopes.declare(&name.name, symbol, name.at.0) {
            let message = format!("`{}` is declared twice", name.name);
            let diagnostic = Diagnostic::error("redeclaration", name.at.0, message);
            let diagnostic = diagnostic.note(earlier, "the other declaration");
            let help = match self.scopes.is_here(&name.name) {
                true => "choose another name",
                false => "an inner scope may not hide an outer name: choose another one",
            };
            self.diagnostics.push(diagnostic.help(help));
        }
    }

    pub fn array_size(&mut self, declarator: &Declarator) -> Option<u32> {
        let size = declarator.size.as_ref()?;
        let value = self.constant(size).unwrap_or(1);
        if (1..=LARGEST_ARRAY as i32).contains(&value) {
            return Some(value as u32);
        }
        let message = format!("an array cannot have {value} elements");
        self.error_help("array-size", size.at.0, message, format!("the size must be from 1 to {LARGEST_ARRAY}"));
        Some(1)
    }

    fn known_type(&mut self, ty: &ast::Type, width: Option<&ast::Expr>, is_array: bool) -> Option<Known> {
        let number = |ty| Some(Known::Scalar(ty, Class::Number));
        match &ty.kind {
            // In an array every element has a byte of its own, and keeps what fits a byte.
            TypeKind::Bit | TypeKind::Bool if is_array => number(Type::BYTE),
            TypeKind::Bit | TypeKind::Bool => number(Type::BIT),
            TypeKind::Byte | TypeKind::Pid => number(Type::BYTE),
            TypeKind::Short => number(Type::Short),
            TypeKind::Int => number(Type::Int),
            TypeKind::Unsigned => number(Type::Unsigned { bits: self.width(ty, width) }),
            TypeKind::Chan => Some(Known::Scalar(Type::Channel, Class::Channel(None))),
            TypeKind::Mtype(subtype) => {
                let enumeration = self.enumeration(subtype.as_ref());
                Some(Known::Scalar(Type::BYTE, Class::Enumerated(enumeration)))
            }
            TypeKind::Lock => Some(Known::Scalar(Type::BYTE, Class::Lock)),
            TypeKind::Sema => Some(Known::Scalar(Type::BYTE, Class::Semaphore)),
            TypeKind::Named(name) => self.named_type(name),
        }
    }

    fn width(&mut self, ty: &ast::Type, width: Option<&ast::Expr>) -> u8 {
        let Some(width) = width else {
            self.error_help(
                "unsigned-width",
                ty.at.0,
                "an `unsigned` needs its number of bits",
                "write `unsigned x : 5`",
            );
            return 8;
        };
        match self.constant(width) {
            Some(bits @ 1..=31) => bits as u8,
            Some(bits) => {
                self.error("unsigned-width", width.at.0, format!("{bits} is not a number of bits from 1 to 31"));
                31
            }
            None => 8,
        }
    }

    fn named_type(&mut self, name: &Ident) -> Option<Known> {
        match self.scopes.find(&name.name) {
            Some(Symbol::Record(record)) => return Some(Known::Record(record.clone())),
            Some(Symbol::Enumeration(id)) => return Some(Known::Scalar(Type::BYTE, Class::Enumerated(*id))),
            _ => {}
        }
        self.unknown_name("unknown-type", name, "type");
        None
    }

    /// Creates the variables of an item and of its fields.
    fn bind(&mut self, item: Item<'_>, array: Option<u32>) -> Option<Binding> {
        let scope = if self.scopes.is_global() { Scope::Global } else { Scope::Local };
        let content = match self.known_type(item.ty, item.declarator.width.as_ref(), array.is_some())? {
            Known::Scalar(ty, class) => self.bind_scalar(item, ty, class),
            Known::Record(record) => self.bind_record(&item, &record)?,
        };
        Some(Binding { scope, array, content, constant: None })
    }

    fn bind_scalar(&mut self, item: Item<'_>, ty: Type, mut class: Class) -> Content {
        let initial = self.initial(item.declarator, ty, &mut class);
        let enumeration = if let Class::Enumerated(id) = class { Some(id) } else { None };
        let Item { name, declarator, dimensions, hidden, .. } = item;
        let span = declarator.name.at.0;
        let elements: u64 = dimensions.iter().map(|&it| u64::from(it)).product();
        if elements > LARGEST_ARRAY {
            let message = format!("`{name}` has {elements} elements, more than {LARGEST_ARRAY}");
            self.error("array-size", span, message);
        }
        let variables = self.variables();
        let variable = VariableId(variables.len() as u32);
        variables.push(Variable { name, ty, dimensions, initial, hidden, enumeration, span });
        Content::Scalar { variable, class }
    }

    fn bind_record(&mut self, item: &Item<'_>, record: &Rc<RecordType>) -> Option<Content> {
        if let Some(initial) = &item.declarator.initial {
            let message = format!("a variable of type `{}` cannot have an initial value", record.name);
            self.error_help(
                "record-initial",
                initial_span(initial),
                message,
                "assign to its fields, or give them initial values in the typedef",
            );
        }
        if !self.afford(record.size.variables, item.declarator.name.at.0) {
            return None;
        }
        let mut fields = Vec::new();
        for declaration in &record.fields {
            for declarator in &declaration.variables {
                let array = self.array_size(declarator);
                let suffix = if array.is_some() { "[]" } else { "" };
                let name = format!("{}.{}{suffix}", item.name, declarator.name.name);
                let dimensions = item.dimensions.iter().copied().chain(array).collect();
                let field = Item { name, ty: &declaration.ty, declarator, dimensions, hidden: item.hidden };
                fields.push((declarator.name.name.clone(), self.bind(field, array)?));
            }
        }
        let elements = record.size.elements;
        Some(Content::Record { name: record.name.clone(), fields: Rc::new(fields), elements })
    }

    /// Variables of the innermost owner: the process being built, or everybody.
    pub fn variables(&mut self) -> &mut Vec<Variable> {
        match &mut self.body {
            Some(body) if !self.scopes.is_global() => &mut body.variables,
            _ => &mut self.model.globals,
        }
    }

    fn initial(&mut self, declarator: &Declarator, ty: Type, class: &mut Class) -> Initial {
        match &declarator.initial {
            None => Initial::Zero,
            Some(ast::Initial::Value(value)) => {
                let (value, at) = (self.plain_value(value, INITIAL), value.at.0);
                self.check_assignable(*class, &value, at);
                Initial::Values(vec![value.expr])
            }
            Some(ast::Initial::List(values)) => {
                if declarator.size.is_none() {
                    let message = format!("`{}` is not an array", declarator.name.name);
                    let help = format!("write `{}[{}]`, or give it one value", declarator.name.name, values.len());
                    self.error_help("not-an-array", declarator.name.at.0, message, help);
                }
                let values: Vec<Expr> = values.iter().map(|it| self.plain_value(it, INITIAL).expr).collect();
                if values.is_empty() { Initial::Zero } else { Initial::Values(values) }
            }
            Some(ast::Initial::Channel { capacity, fields }) => {
                if ty != Type::Channel {
                    let message = format!("`{}` is not a channel", declarator.name.name);
                    self.error_help("not-a-channel", declarator.name.at.0, message, "declare it as `chan`");
                    return Initial::Zero;
                }
                let shape = self.shape(capacity, fields);
                *class = Class::Channel(Some(shape));
                Initial::Channels(shape)
            }
        }
    }

    // Channels.

    fn shape(&mut self, capacity: &ast::Expr, fields: &[ast::Type]) -> ShapeId {
        let slots = self.constant(capacity).unwrap_or(0);
        if !(0..=LARGEST_CHANNEL).contains(&slots) {
            let message = format!("a channel has from 0 to {LARGEST_CHANNEL} slots, not {slots}");
            self.error("channel-capacity", capacity.at.0, message);
        }
        let capacity = slots.clamp(0, LARGEST_CHANNEL) as u32;
        let mut shape = ChannelShape { capacity, fields: Vec::new(), enumerations: Vec::new() };
        for field in fields {
            if self.affords_field(field) {
                self.add_field(field, &mut shape, 1);
            }
        }
        // A message that is a single bit has a byte of its own, as in an array.
        if shape.fields == [Type::BIT] {
            shape.fields = vec![Type::BYTE];
        }
        self.model.shapes.push(shape);
        ShapeId(self.model.shapes.len() as u32 - 1)
    }

    fn affords_field(&mut self, field: &ast::Type) -> bool {
        let TypeKind::Named(name) = &field.kind else { return true };
        match self.scopes.find(&name.name) {
            Some(Symbol::Record(record)) => self.afford(record.size.elements, field.at.0),
            _ => true,
        }
    }

    /// A record as a field is all its fields, in order.
    fn add_field(&mut self, field: &ast::Type, shape: &mut ChannelShape, times: u32) {
        if field.kind == TypeKind::Unsigned {
            self.error_help(
                "unsigned-field",
                field.at.0,
                "a message field cannot be `unsigned`",
                "use `byte`, `short` or `int`",
            );
            return;
        }
        match self.known_type(field, None, false) {
            Some(Known::Scalar(ty, class)) => {
                let enumeration = if let Class::Enumerated(id) = class { Some(id) } else { None };
                for _ in 0..times {
                    shape.fields.push(ty);
                    shape.enumerations.push(enumeration);
                }
            }
            Some(Known::Record(record)) => {
                for _ in 0..times {
                    self.add_record_fields(&record, shape);
                }
            }
            None => {}
        }
    }

    fn add_record_fields(&mut self, record: &Rc<RecordType>, shape: &mut ChannelShape) {
        for declaration in &record.fields {
            for declarator in &declaration.variables {
                let times = self.array_size(declarator).unwrap_or(1);
                self.add_field(&declaration.ty, shape, times);
            }
        }
    }

    // Types.

    pub fn declare_record(&mut self, typedef: &ast::Typedef) {
        self.check_fields(typedef);
        let name = typedef.name.name.clone();
        let mut size = Size::default();
        let makes_sense =
            |field: &&Declaration| self.is_known_field(typedef, field) && self.grow(&mut size, field, &name);
        let fields = typedef.fields.iter().filter(makes_sense).cloned().collect();
        let record = RecordType { name, fields, size };
        self.declare_name(&typedef.name, Symbol::Record(Rc::new(record)));
    }

    /// Whether the type of a field makes sense; a record goes on without a field that does not.
    fn is_known_field(&mut self, typedef: &ast::Typedef, field: &Declaration) -> bool {
        let TypeKind::Named(name) = &field.ty.kind else { return true };
        if name.name != typedef.name.name {
            return self.named_type(name).is_some();
        }
        let message = format!("`{}` cannot contain itself", name.name);
        self.error_help("recursive-type", name.at.0, message, "use the index of an array of records instead");
        false
    }

    fn check_fields(&mut self, typedef: &ast::Typedef) {
        let names = typedef.fields.iter().flat_map(|it| &it.variables).map(|it| &it.name);
        let mut seen: HashMap<&Name, &Ident> = HashMap::new();
        for name in names {
            if let Some(earlier) = seen.insert(&name.name, name) {
                let message = format!("the field `{}` is declared twice", name.name);
                let diagnostic = Diagnostic::error("redeclaration", name.at.0, message);
                self.diagnostics.push(diagnostic.note(earlier.at.0, "the other declaration"));
            }
        }
    }

    /// The enumeration of a subtype, or of plain `mtype`.
    pub fn enumeration(&mut self, subtype: Option<&Ident>) -> EnumerationId {
        let name: Name = subtype.map_or_else(|| "".into(), |it| it.name.clone());
        if let Some(row) = self.enumerations.iter().position(|it| *it == name) {
            return EnumerationId(row as u32);
        }
        self.enumerations.push(name);
        self.model.enumerations.push(vec![String::new()]);
        EnumerationId(self.enumerations.len() as u32 - 1)
    }

    /// Names of one list are numbered backwards; a further list goes on above.
    pub fn declare_mtype(&mut self, mtype: &ast::Mtype) {
        let id = self.enumeration(mtype.subtype.as_ref());
        let names = &mut self.model.enumerations[id.0 as usize];
        names.extend(mtype.names.iter().rev().map(|it| it.name.to_string()));
        let count = names.len() - 1;
        if count > LARGEST_BYTE {
            let message = format!("an mtype can have at most {LARGEST_BYTE} names, not {count}");
            self.error_help("too-many-names", mtype.at.0, message, "split them over subtypes: `mtype:name = { … }`");
        }
        for (row, name) in mtype.names.iter().enumerate() {
            self.declare_name(name, Symbol::Constant((count - row) as i32, id));
        }
    }

    /// PV: numbered forwards, from 0.
    pub fn declare_enumeration(&mut self, enumeration: &ast::Enumeration) {
        let id = EnumerationId(self.model.enumerations.len() as u32);
        self.enumerations.push(format!("enum {}", enumeration.name.name).into());
        self.model.enumerations.push(enumeration.names.iter().map(|it| it.name.to_string()).collect());
        for (value, name) in enumeration.names.iter().enumerate() {
            self.declare_name(name, Symbol::Constant(value as i32, id));
        }
        self.declare_name(&enumeration.name, Symbol::Enumeration(id));
    }
}

fn constant_initial(declarator: &Declarator, lower: &Lower) -> Option<i32> {
    match &declarator.initial {
        Some(ast::Initial::Value(value)) => lower.evaluate(value).ok(),
        _ => None,
    }
}

pub fn initial_span(initial: &ast::Initial) -> Span {
    match initial {
        ast::Initial::Value(value) | ast::Initial::Channel { capacity: value, .. } => value.at.0,
        ast::Initial::List(values) => values.first().map_or_else(Span::default, |it| it.at.0),
    }
}
