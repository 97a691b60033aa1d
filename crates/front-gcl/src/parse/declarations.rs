//! What stands at the top of a text.
use super::{BEGINNINGS, Parser};
use crate::ast::{
    Action, Alias, Binding, Bounds, Constant, Declaration, Definition, Element, Enumeration, Field, Invariant,
    Property, Range, System, Tree, Type,
};
use crate::lex::Kind;

impl Parser<'_> {
    pub(super) fn declaration(&mut self, tree: &mut Tree) {
        let start = self.at;
        let word = if let Kind::Word(word) = self.peek() { word.clone() } else { String::new() };
        let read = match word.as_str() {
            "param" => self.constant(true).map(|it| tree.constants.push(it)),
            "const" => self.constant(false).map(|it| tree.constants.push(it)),
            "enum" => self.enumeration().map(|it| tree.enumerations.push(it)),
            "type" => self.alias().map(|it| tree.types.push(it)),
            "define" => self.definition().map(|it| tree.definitions.push(it)),
            "var" => self.variables().map(|it| tree.variables.push(it)),
            "action" => self.actions().map(|it| tree.actions.extend(it)),
            "process" => self.process().map(|it| tree.processes.push(it)),
            "system" => self.system().map(|it| tree.systems.push(it)),
            "invariant" => self.invariant().map(|it| tree.invariants.push(it)),
            "property" => self.property().map(|it| tree.properties.push(it)),
            _ => self.no_declaration(&word),
        };
        if read.is_none() {
            if self.at == start {
                self.advance();
            }
            self.recover();
            // A brace that nothing opened.
            if self.is_sign("}") {
                self.advance();
            }
        }
    }

    fn no_declaration(&mut self, word: &str) -> Option<()> {
        let found: Option<()> = self.unexpected("a declaration");
        let near = text::closest(word, BEGINNINGS);
        if let (Some(near), Some(last)) = (near, self.diagnostics.last_mut()) {
            last.help = Some(format!("did you mean `{near}`?"));
        }
        found
    }

    fn constant(&mut self, is_parameter: bool) -> Option<Constant> {
        self.advance();
        let name = self.name("a constant")?;
        self.expect("=")?;
        let value = self.expression()?;
        self.semicolon()?;
        Some(Constant { name, value, is_parameter })
    }

    fn enumeration(&mut self) -> Option<Enumeration> {
        self.advance();
        let name = self.name("an enumeration")?;
        self.expect("{")?;
        let values = self.list(|it| it.name("a value"))?;
        self.expect("}")?;
        self.take_sign(";");
        Some(Enumeration { name, values })
    }

    fn alias(&mut self) -> Option<Alias> {
        self.advance();
        let name = self.name("a type")?;
        self.expect("=")?;
        let ty = self.ty()?;
        self.semicolon()?;
        Some(Alias { name, ty })
    }

    fn definition(&mut self) -> Option<Definition> {
        self.advance();
        let name = self.name("a definition")?;
        let mut parameters = Vec::new();
        if self.take_sign("(") {
            parameters = self.list(|it| it.name("a parameter"))?;
            self.expect(")")?;
        }
        self.expect("=")?;
        let value = self.expression()?;
        self.semicolon()?;
        Some(Definition { name, parameters, value })
    }

    pub(super) fn variables(&mut self) -> Option<Declaration> {
        self.advance();
        let names = self.list(|it| it.name("a variable"))?;
        self.expect(":")?;
        let ty = self.ty()?;
        let initial = if self.take_sign("=") { self.initial()? } else { Vec::new() };
        self.semicolon()?;
        Some(Declaration { names, ty, initial })
    }

    fn initial(&mut self) -> Option<Vec<crate::ast::Expr>> {
        if !self.take_sign("{") {
            return Some(vec![self.expression()?]);
        }
        let values = self.list(Self::expression)?;
        self.expect("}")?;
        Some(values)
    }

    pub(super) fn actions(&mut self) -> Option<Vec<Action>> {
        self.advance();
        let list = self.list(Self::action)?;
        self.semicolon()?;
        Some(list)
    }

    fn action(&mut self) -> Option<Action> {
        let name = self.name("an action")?;
        let mut indices = Vec::new();
        while self.take_sign("[") {
            indices.extend(self.list(Self::dimension)?);
            self.expect("]")?;
        }
        let mut fields = Vec::new();
        if self.take_sign("(") {
            fields = self.list(Self::field)?;
            self.expect(")")?;
        }
        Some(Action { name, indices, fields })
    }

    /// A type, or the only value that there can be.
    fn field(&mut self) -> Option<Field> {
        let ends = matches!(self.peek_second(), Kind::Sign("," | ")" | "["));
        match self.peek() {
            Kind::Word(word) if word == "bool" || ends && word != "true" && word != "false" => {
                return self.ty().map(Field::Type);
            }
            _ => {}
        }
        let low = self.sum()?;
        if !self.take_sign("..") {
            return Some(Field::Value(low));
        }
        let high = self.sum()?;
        let span = low.span.to(high.span);
        Some(Field::Type(Type { element: Element::Range(Range { low, high }), dimensions: Vec::new(), span }))
    }

    fn system(&mut self) -> Option<System> {
        let start = self.span();
        self.advance();
        let composition = self.composition()?;
        let span = self.since(start);
        self.semicolon()?;
        Some(System { composition, span })
    }

    fn invariant(&mut self) -> Option<Invariant> {
        let start = self.span();
        self.advance();
        let name = self.name("an invariant")?;
        self.expect(":")?;
        let condition = self.expression()?;
        let span = self.since(start);
        self.semicolon()?;
        Some(Invariant { name, condition, span })
    }

    /// The formula is only delimited here; what it says is read when the model is known.
    fn property(&mut self) -> Option<Property> {
        self.advance();
        let name = self.name("a property")?;
        self.expect(":")?;
        let start = self.span();
        if self.is_sign(";") {
            return self.unexpected("a formula");
        }
        while !self.is_sign(";") {
            let begins = matches!(self.peek(), Kind::Word(word) if BEGINNINGS.contains(&word.as_str()));
            if self.is_at_end() || begins {
                return self.semicolon().map(|()| unreachable!("it is not there"));
            }
            self.advance();
        }
        let formula = self.since(start);
        self.semicolon()?;
        Some(Property { name, formula })
    }

    pub(super) fn ty(&mut self) -> Option<Type> {
        let start = self.span();
        let element = match self.peek() {
            Kind::Word(word) if word == "bool" => {
                self.advance();
                Element::Bool
            }
            Kind::Word(_) if !self.is_range() => Element::Named(self.name("a type")?),
            _ => Element::Range(self.range()?),
        };
        let mut dimensions = Vec::new();
        while self.take_sign("[") {
            dimensions.extend(self.list(Self::dimension)?);
            self.expect("]")?;
        }
        Some(Type { element, dimensions, span: self.since(start) })
    }

    /// Whether the words up to the next sign of another kind are a range such as `n..m`.
    fn is_range(&self) -> bool {
        let part = |it: &Kind| match it {
            Kind::Word(_) | Kind::Number(_) => true,
            Kind::Sign(sign) => ["+", "-", "*", "/", "%", "(", ")"].contains(sign),
            Kind::End => false,
        };
        let mut rest = self.words[self.at..].iter().map(|it| &it.kind);
        rest.find(|it| !part(it)) == Some(&Kind::Sign(".."))
    }

    pub(super) fn range(&mut self) -> Option<Range> {
        let low = self.sum()?;
        self.expect("..")?;
        let high = self.sum()?;
        Some(Range { low, high })
    }

    /// `low..high`, or a size.
    pub(super) fn dimension(&mut self) -> Option<Range> {
        let first = self.sum()?;
        if self.take_sign("..") {
            return Some(Range { low: first, high: self.sum()? });
        }
        use crate::ast::{Binary, Expr, ExprKind};
        let span = first.span;
        let number = |value| Expr { kind: ExprKind::Number(value), span };
        let high = ExprKind::Binary(Binary::Minus, Box::new(first), Box::new(number(1)));
        Some(Range { low: number(0), high: Expr { kind: high, span } })
    }

    /// `k in 1..n` or `k in name`
    pub(super) fn binding(&mut self) -> Option<Binding> {
        let name = self.name("an index")?;
        self.expect_word("in")?;
        let range = match self.peek() {
            Kind::Word(word) if word == "bool" => {
                let name = crate::ast::Name { text: word.clone(), span: self.span() };
                self.advance();
                Bounds::Type(name)
            }
            Kind::Word(_) if !self.is_range() => Bounds::Type(self.name("a type")?),
            _ => Bounds::Range(self.range()?),
        };
        Some(Binding { name, range })
    }
}
