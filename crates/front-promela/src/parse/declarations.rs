//! Variables, types and lists of constants.
//!
//! ```text
//! declaration: ['hidden' | 'show' | 'local'] type variable (',' variable)*
//! type       : 'bit' | 'bool' | 'byte' | 'pid' | 'short' | 'int' | 'unsigned' | 'chan' | 'mtype' [':' name] | name
//! variable   : name [':' bits | '[' size ']'] ['=' initial]
//! initial    : expression | '{' expression (',' expression)* '}' | '[' size ']' 'of' '{' type (',' type)* '}'
//! mtypes     : 'mtype' [':' name] ['='] '{' name (','? name)* '}'
//! typedef    : 'typedef' name '{' declaration (';' declaration)* '}'
//! parameters : declaration (';' declaration)*
//! ```
use text::Span;

use super::Parser;
use super::words::{name_of, punct_of};
use crate::ast::{Declaration, Declarator, Initial, Mtype, Prefix, Type, TypeKind, Typedef, Unit};
use crate::token::{Keyword, Kind, Punct};

impl Parser<'_> {
    /// Whether a declaration begins here. A type's name is known by the name that follows it.
    pub(super) fn at_declaration(&self) -> bool {
        let two_names = self.at_name().is_some() && name_of(self.ahead(1)).is_some();
        self.at_known_type() || (two_names && self.meant().is_none())
    }

    /// Whether a declaration begins here with a word that can begin nothing else.
    pub(super) fn at_known_type(&self) -> bool {
        use Keyword::*;
        match self.kind() {
            Kind::Keyword(Hidden | Show | Local | Bit | Bool | Byte | Pid) => true,
            Kind::Keyword(Short | Int | Unsigned | Chan | Mtype) => true,
            Kind::Name(name) => name_of(self.ahead(1)).is_some() && self.known.types.contains(name),
            _ => false,
        }
    }

    /// Variables of one type.
    pub(super) fn declaration(&mut self) -> Declaration {
        let start = self.position();
        let prefix = self.prefix();
        let ty = self.ty();
        let mut variables = vec![self.declarator(&ty)];
        while self.at(Punct::Comma) && !self.at_next_parameter() {
            self.advance();
            variables.push(self.declarator(&ty));
        }
        Declaration { prefix, ty, variables, at: self.since(start) }
    }

    fn prefix(&mut self) -> Option<Prefix> {
        let prefix = match self.keyword()? {
            Keyword::Hidden => Prefix::Hidden,
            Keyword::Show => Prefix::Show,
            Keyword::Local => Prefix::Local,
            _ => return None,
        };
        self.advance();
        Some(prefix)
    }

    /// A type.
    fn ty(&mut self) -> Type {
        let start = self.position();
        let kind = match self.kind() {
            Kind::Keyword(keyword) => self.keyword_type(*keyword),
            Kind::Name(_) => self.named_type(),
            _ => None,
        };
        let kind = kind.unwrap_or_else(|| {
            self.expected("a type");
            TypeKind::Int
        });
        Type { kind, at: self.since(start) }
    }

    /// A type that is a reserved word.
    fn keyword_type(&mut self, keyword: Keyword) -> Option<TypeKind> {
        let kind = match keyword {
            Keyword::Bit => TypeKind::Bit,
            Keyword::Bool => TypeKind::Bool,
            Keyword::Byte => TypeKind::Byte,
            Keyword::Pid => TypeKind::Pid,
            Keyword::Short => TypeKind::Short,
            Keyword::Int => TypeKind::Int,
            Keyword::Unsigned => TypeKind::Unsigned,
            Keyword::Chan => TypeKind::Chan,
            Keyword::Mtype => return Some(self.mtype_type()),
            _ => return None,
        };
        self.advance();
        Some(kind)
    }

    /// `mtype` or `mtype:subtype`.
    fn mtype_type(&mut self) -> TypeKind {
        self.advance();
        let subtype = self.eat(Punct::Colon).then(|| self.expect_name("the name of a subtype"));
        TypeKind::Mtype(subtype)
    }

    /// A type with a name of its own, or one of another language.
    fn named_type(&mut self) -> Option<TypeKind> {
        if let Some(ty) = self.foreign_type() {
            return Some(ty);
        }
        let name = self.eat_name()?;
        Some(self.pv_type(&name).unwrap_or(TypeKind::Named(name)))
    }

    /// One variable.
    fn declarator(&mut self, ty: &Type) -> Declarator {
        let name = self.expect_name("the name of a variable");
        let width = self.eat(Punct::Colon).then(|| self.small_constant());
        let size = if width.is_none() { self.size() } else { None };
        if ty.kind == TypeKind::Unsigned && size.is_some() && self.at(Punct::Colon) {
            let help = "declare one variable for each element, or use `byte`";
            self.broken("unsigned-array", "an array of `unsigned` cannot have a width").help(help);
        }
        Declarator { name, width, size, initial: self.initial() }
    }

    /// `[n]`, if it is there.
    fn size(&mut self) -> Option<crate::ast::Expr> {
        let open = self.span();
        if !self.eat(Punct::LBracket) {
            return None;
        }
        let size = self.operand();
        self.close(Punct::RBracket, open);
        Some(size)
    }

    /// `= …`, if it is there.
    fn initial(&mut self) -> Option<Initial> {
        if self.at(Punct::Eq) {
            self.error("comparison-for-initialiser", "expected `=`, found `==`")
                .help("write `=` to give a variable its first value");
            self.correct(Kind::Punct(Punct::Assign));
        }
        if !self.eat(Punct::Assign) {
            return None;
        }
        Some(match self.punct() {
            Some(Punct::LBrace) => self.initial_list(),
            Some(Punct::LBracket) => self.initial_channel(),
            _ => Initial::Value(self.operand()),
        })
    }

    /// `{ a, b }`.
    fn initial_list(&mut self) -> Initial {
        let open = self.span();
        self.advance();
        let values = self.operands();
        self.close_list(open);
        Initial::List(values)
    }

    /// `[capacity] of { types }`.
    fn initial_channel(&mut self) -> Initial {
        let open = self.span();
        self.advance();
        let capacity = self.operand();
        self.close(Punct::RBracket, open);
        if !self.eat_keyword(Keyword::Of) {
            self.expected("`of`").help("a channel is `[slots] of { types }`");
        }
        let open = self.span();
        self.expect(Punct::LBrace);
        let mut fields = vec![self.ty()];
        while self.eat(Punct::Comma) {
            fields.push(self.ty());
        }
        self.close_list(open);
        Initial::Channel { capacity, fields }
    }

    /// The brace that closes a list.
    pub(super) fn close_list(&mut self, open: Span) {
        if !self.eat(Punct::RBrace) {
            self.expected("`}`").note(open, "to close this `{`");
        }
    }

    /// `byte a, byte b` between parentheses: a comma where `;` is meant.
    fn at_next_parameter(&self) -> bool {
        match self.ahead(1) {
            Kind::Keyword(_) => true,
            Kind::Name(_) => name_of(self.ahead(2)).is_some(),
            _ => false,
        }
    }

    /// `( groups )`, possibly none.
    pub(super) fn parameters(&mut self) -> Vec<Declaration> {
        let open = self.span();
        self.expect(Punct::LParen);
        let mut groups = Vec::new();
        if !self.at(Punct::RParen) {
            groups.push(self.parameter_group());
            while self.next_group() {
                groups.push(self.parameter_group());
            }
        }
        self.close(Punct::RParen, open);
        groups
    }

    /// Takes what separates two groups.
    fn next_group(&mut self) -> bool {
        if self.at(Punct::Comma) && self.at_next_parameter() {
            let help = "parameters of one type are separated by `,`, those of different types by `;`";
            self.error("parameter-separator", "expected `;` before the next type, found `,`").help(help);
            self.advance();
            return true;
        }
        self.eat(Punct::Semi)
    }

    /// Parameters of one type: neither arrays nor with a first value.
    fn parameter_group(&mut self) -> Declaration {
        let mut group = self.declaration();
        for variable in &mut group.variables {
            let span = variable.name.at.0;
            if variable.initial.take().is_some() {
                let message = "a parameter cannot have a first value";
                self.complain("parameter-initialiser", span, message).help("its value comes from `run`");
            }
            if variable.size.take().is_some() {
                let message = "a parameter cannot be an array";
                self.complain("parameter-array", span, message)
                    .help("pass the elements one by one, or use a global array");
            }
        }
        group
    }

    /// `typedef T { … }`.
    pub(super) fn typedef(&mut self) {
        self.advance();
        let name = self.expect_name("the name of a type");
        let open = self.span();
        self.trouble.broken = !self.expect(Punct::LBrace);
        let mut fields = Vec::new();
        while !self.at(Punct::RBrace) && self.type_goes_on() {
            let start = self.position();
            fields.push(self.declaration());
            self.end_field();
            self.ensure_progress(start);
        }
        if fields.is_empty() {
            self.error("empty-block", "this `typedef` is empty").help("declare at least one field");
        }
        self.close_typedef(open);
        self.known.types.insert(name.name.clone());
        self.units.push(Unit::Typedef(Typedef { name, fields }));
    }

    fn close_typedef(&mut self, open: Span) {
        let opened = !self.trouble.broken;
        self.close_list(open);
        if opened && self.trouble.broken {
            self.recover_list();
        }
    }

    fn type_goes_on(&self) -> bool {
        !self.trouble.broken && !self.at_end() && !self.at_unit()
    }

    /// What must follow a field.
    fn end_field(&mut self) {
        if self.trouble.broken {
            self.recover_field();
        }
        if !self.separators() && !self.at(Punct::RBrace) && self.type_goes_on() {
            let help = "separate fields with `;`; a `,` stands between names of one type";
            self.error("missing-separator", format!("expected `;`, found {}", self.found())).help(help);
            if !self.at_declaration() {
                self.recover_field();
                self.separators();
            }
        }
    }

    /// Skips the rest of a broken field.
    fn recover_field(&mut self) {
        self.recover();
        while self.type_goes_on() && !self.at(Punct::Semi) && !self.at(Punct::RBrace) {
            self.skip_group();
        }
    }

    /// Whether `mtype` stands `distance` words ahead and begins a list of constants, not a declaration.
    pub(super) fn at_mtype_list(&self, distance: usize) -> bool {
        let subtype = *self.ahead(distance + 1) == Kind::Punct(Punct::Colon);
        let follows = punct_of(self.ahead(distance + if subtype { 3 } else { 1 }));
        *self.ahead(distance) == Kind::Keyword(Keyword::Mtype) && matches!(follows, Some(Punct::Assign | Punct::LBrace))
    }

    /// `mtype [:subtype] [=] { a, b }`; commas are optional.
    pub(super) fn mtype(&mut self) {
        let start = self.position();
        self.advance();
        let subtype = self.eat(Punct::Colon).then(|| self.expect_name("the name of a subtype"));
        self.eat(Punct::Assign);
        let open = self.span();
        self.expect(Punct::LBrace);
        let mut names = vec![self.expect_name("the name of a constant")];
        while self.eat(Punct::Comma) || self.at_name().is_some() {
            names.extend(self.eat_name());
        }
        self.close_list(open);
        self.units.push(Unit::Mtype(Mtype { subtype, names, at: self.since(start) }));
    }
}
