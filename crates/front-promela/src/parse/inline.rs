//! Inlines: text with holes.
//!
//! ```text
//! unit     : 'inline' name '(' [name (',' name)*] ')' '{' words '}'
//! simple   : name '(' [expression (',' expression)*] ')' | reference '=' name '(' … ')' | 'return' expression
//! ```
//!
//! The body of an inline is not parsed where it is defined, but where it is used: each parameter's name
//! is replaced by the words of the argument, and the result is parsed as a block. Nothing is evaluated
//! and no parentheses are added: with `x = a * 2` in the body, `f(1 + 2)` gives `x = 1 + 2 * 2`.
//!
//! An inline may use others, also ones that are defined after it, if they are defined before the
//! outermost use. It may not use itself. `return e` assigns to the variable before the `=` of the use.
use std::collections::HashMap;
use std::rc::Rc;

use text::{Span, closest};

use super::Parser;
use super::words::{Words, name_of};
use crate::ast::{At, Block, Expr, Ident, Inline, Reference, StatementKind, Unit};
use crate::print::words;
use crate::token::{Kind, Name, Punct, Token};

/// Uses of inlines inside inlines, as many as SPIN allows.
const NESTED: usize = 32;

/// Words that expansions may produce in all.
const EXPANDED: usize = 500_000;

/// Uses in which something is wrong, after which an inline is not looked at again.
const FAILURES: u32 = 10;

/// After this many messages nobody needs to be told what else a name could have been.
pub(super) const SUGGESTIONS: usize = 50;

/// An inline.
pub(super) struct Definition {
    name: Ident,
    parameters: Vec<Ident>,
    body: Vec<Token>,
    close: Span,
}

/// An inline that is being expanded.
pub(super) struct Expansion {
    name: Name,
    /// Where it is used.
    call: Span,
    /// Where `return` puts its value.
    result: Option<Reference>,
    /// Whether there was a `return`.
    returned: bool,
}

impl Expansion {
    /// For the notes of a complaint about the body.
    pub(super) fn note(&self) -> (Span, String) {
        (self.call, format!("in this use of `{}`", self.name))
    }
}

impl Parser<'_> {
    /// `inline f(a, b) { … }`.
    pub(super) fn inline(&mut self) {
        self.advance();
        let name = self.expect_name("the name of an inline");
        let parameters = self.inline_parameters();
        let open = self.span();
        if !self.expect(Punct::LBrace) {
            return;
        }
        let start = self.position();
        let close = self.inline_body(open);
        let body = self.slice(start..close).to_vec();
        let text = words::join(&body);
        self.define(Definition { name: name.clone(), parameters: parameters.clone(), body, close: self.span() });
        self.close_list(open);
        self.units.push(Unit::Inline(Inline { name, parameters, body: text }));
    }

    /// `( names )`, possibly none.
    fn inline_parameters(&mut self) -> Vec<Ident> {
        let open = self.span();
        self.expect(Punct::LParen);
        let mut names = Vec::new();
        if !self.at(Punct::RParen) {
            names.push(self.inline_parameter());
            while self.next_inline_parameter() {
                names.push(self.inline_parameter());
            }
        }
        self.close(Punct::RParen, open);
        names
    }

    /// Takes what separates two parameters.
    fn next_inline_parameter(&mut self) -> bool {
        if self.at(Punct::Semi) {
            let help = "separate the parameters of an inline with `,`";
            self.error("parameter-separator", "expected `,`, found `;`").help(help);
            self.advance();
            return true;
        }
        self.eat(Punct::Comma)
    }

    fn inline_parameter(&mut self) -> Ident {
        if self.at_declaration() {
            let help = "write the names only: an inline's parameters stand for text";
            self.error("inline-parameter-type", "a parameter of an inline has no type").help(help);
            self.advance();
        }
        self.expect_name("the name of a parameter")
    }

    /// Skips the body; returns the index of the word that closes it.
    fn inline_body(&mut self, open: Span) -> usize {
        while !self.at(Punct::RBrace) && !self.at_end() && !self.at_unit() {
            self.skip_braces();
        }
        if !self.at(Punct::RBrace) {
            let message = format!("expected `}}`, found {}", self.found());
            self.broken("unclosed", message).note(open, "to close this `{`");
        }
        self.position()
    }

    /// Skips one word, or all words between two braces.
    fn skip_braces(&mut self) {
        let mut open = 0;
        loop {
            open += i32::from(self.at(Punct::LBrace)) - i32::from(self.at(Punct::RBrace));
            self.advance();
            if open <= 0 || self.at_end() {
                return;
            }
        }
    }

    fn define(&mut self, definition: Definition) {
        let name = definition.name.clone();
        if let Some(first) = self.known.inlines.insert(name.name.clone(), Rc::new(definition)) {
            let message = format!("inline `{}` is defined twice", name.name);
            self.complain("duplicate-inline", name.at.0, message).note(first.name.at.0, "first here");
        }
    }

    /// Whether a use of an inline stands here.
    pub(super) fn at_inline_call(&self) -> bool {
        let called = *self.ahead(1) == Kind::Punct(Punct::LParen);
        called && self.at_name().is_some_and(|name| self.known.inlines.contains_key(name))
    }

    /// `f(…)` as a statement.
    pub(super) fn call_statement(&mut self) -> StatementKind {
        if !self.at_inline_call() {
            self.unknown_inline();
        }
        self.call(None)
    }

    /// `f(…)` where an operand must stand.
    pub(super) fn call_in_expression(&mut self) -> Expr {
        if self.at_inline_call() {
            let message = format!("inline {} cannot be used in an expression", self.found());
            let help = "assign its result first: `x = f(…)`";
            self.broken("inline-in-expression", message).help(help);
        } else {
            self.unknown_inline();
        }
        let expr = self.missing();
        self.advance();
        self.arguments();
        expr
    }

    /// Complains about a name with arguments that is not an inline's.
    fn unknown_inline(&mut self) {
        let Some(name) = self.at_name().cloned() else { return };
        let later = self.known.all_inlines.get(&name).copied();
        let process = self.known.all_processes.contains_key(&name);
        let inlines = self.known.inlines.keys().filter(|_| self.diagnostics.len() < SUGGESTIONS);
        let near = closest(&name, inlines.map(|it| &**it)).map(str::to_string);
        if let Some(later) = later {
            let message = format!("inline `{name}` is used before it is defined");
            self.broken("late-inline", message).note(later, "defined here").help("move the definition up");
        } else {
            let help = match near {
                _ if self.misused_operator().is_some() => self.misused_operator().map(str::to_string),
                _ if process => Some(format!("start a process with `run {name}(…)`")),
                _ if ["lock", "unlock"].contains(&&*name) => {
                    Some(format!("`{name}` belongs to the PV dialect: use `--dialect pv`"))
                }
                Some(near) => Some(format!("did you mean `{near}`?")),
                None => None,
            };
            self.broken("unknown-inline", format!("there is no inline `{name}`")).help_if(help);
        }
    }

    /// A use of an inline, with its expansion.
    pub(super) fn call(&mut self, result: Option<Reference>) -> StatementKind {
        let start = self.position();
        let name = self.expect_name("the name of an inline");
        let arguments = self.inline_arguments();
        let texts = arguments.iter().map(|it| words::join(it)).collect();
        let call = self.since(start).0;
        let body = match self.known.inlines.get(&name.name).cloned() {
            Some(definition) if !self.trouble.broken => self.expand(&definition, &arguments, call, result.clone()),
            _ => Block::default(),
        };
        StatementKind::Call { name, arguments: texts, result, body }
    }

    /// The words of each argument.
    fn inline_arguments(&mut self) -> Vec<Vec<Token>> {
        let open = self.span();
        self.expect(Punct::LParen);
        let mut arguments = Vec::new();
        if !self.at(Punct::RParen) {
            arguments.push(self.inline_argument());
            while self.eat(Punct::Comma) {
                arguments.push(self.inline_argument());
            }
        }
        self.close(Punct::RParen, open);
        arguments
    }

    fn inline_argument(&mut self) -> Vec<Token> {
        let start = self.position();
        self.operand();
        self.slice(start..self.position()).to_vec()
    }

    /// The body of an inline with arguments in place of parameters, parsed.
    fn expand(
        &mut self,
        definition: &Definition,
        arguments: &[Vec<Token>],
        call: Span,
        result: Option<Reference>,
    ) -> Block {
        let fine = self.may_expand(definition, arguments, call);
        let close = At(definition.close);
        if !fine {
            return Block { statements: Vec::new(), close };
        }
        let words = substitute(definition, arguments);
        let name = definition.name.name.clone();
        let complaints = self.trouble.count;
        self.expansions.push(Expansion { name, call, result, returned: false });
        let statements = self.parse_expansion(words);
        self.end_expansion(definition);
        if self.trouble.count > complaints {
            *self.failed.entry(definition.name.name.clone()).or_default() += 1;
        }
        Block { statements, close }
    }

    /// Parses other words, then goes on with the present ones.
    fn parse_expansion(&mut self, words: Words<'static>) -> Vec<crate::ast::Statement> {
        let outer = std::mem::replace(&mut self.words, words);
        let open = std::mem::take(&mut self.open);
        let mut statements = self.sequence();
        while !self.at_end() {
            self.expected("a statement");
            self.recover();
            self.advance();
            statements.extend(self.sequence());
        }
        self.words = outer;
        self.open = open;
        statements
    }

    /// Checks what was missing in the expansion.
    fn end_expansion(&mut self, definition: &Definition) {
        let Some(done) = self.expansions.pop() else { return };
        if done.result.is_some() && !done.returned {
            let message = format!("inline `{}` returns nothing here", done.name);
            self.warn("inline-without-return", done.call, message).note(definition.name.at.0, "defined here");
        }
    }

    /// Whether an expansion makes sense and stays within bounds.
    fn may_expand(&mut self, definition: &Definition, arguments: &[Vec<Token>], call: Span) -> bool {
        let name = &definition.name.name;
        let defined = definition.name.at.0;
        let (wanted, given) = (definition.parameters.len(), arguments.len());
        if wanted != given {
            let message = format!("inline `{name}` takes {}, not {given}", count(wanted));
            self.complain("inline-arguments", call, message).note(defined, "defined here");
        } else if self.expansions.iter().any(|it| it.name == *name) {
            self.complain("recursive-inline", call, format!("inline `{name}` uses itself"))
                .note(defined, "defined here");
        } else if self.expansions.len() >= NESTED {
            self.complain("inline-too-deep", call, format!("inlines are nested more than {NESTED} deep"));
        } else if self.failed.get(name).is_some_and(|&times| times >= FAILURES) {
            // It has been said what is wrong with it.
        } else if definition.body.is_empty() {
            let message = format!("inline `{name}` is empty");
            self.complain("empty-block", call, message).note(defined, "defined here").help("write `skip` in it");
        } else {
            return self.has_room(definition, arguments, call);
        }
        false
    }

    /// Whether the words of an expansion can still be afforded.
    fn has_room(&mut self, definition: &Definition, arguments: &[Vec<Token>], call: Span) -> bool {
        let length = length(definition, arguments);
        if self.expanded + length <= EXPANDED {
            self.expanded += length;
            return true;
        }
        if self.expanded <= EXPANDED {
            self.complain("expansion-limit", call, format!("inlines expand to more than {EXPANDED} words"));
        }
        self.expanded = EXPANDED + 1;
        false
    }

    /// `return e`: an assignment to the result of the use.
    pub(super) fn return_statement(&mut self) -> StatementKind {
        let target = self.return_target();
        self.advance();
        let value = self.expression();
        match target {
            Some(target) => StatementKind::Assign(target, value),
            None => StatementKind::Condition(value),
        }
    }

    /// Where `return` puts its value.
    fn return_target(&mut self) -> Option<Reference> {
        let Some(expansion) = self.expansions.last_mut() else {
            self.error("return-outside-inline", "`return` outside an inline");
            return None;
        };
        expansion.returned = true;
        let target = expansion.result.clone();
        if target.is_none() {
            let help = "use the inline as `x = f(…)`";
            self.error("return-outside-inline", "`return` has no variable to go to").help(help);
        }
        target
    }
}

/// The words of a body with those of the arguments in place of the parameters.
fn substitute(definition: &Definition, arguments: &[Vec<Token>]) -> Words<'static> {
    let replacements = replacements(definition, arguments);
    let (mut list, mut places) = (Vec::new(), Vec::new());
    for word in &definition.body {
        let replacement = name_of(&word.kind).and_then(|name| replacements.get(name));
        match replacement {
            Some(argument) => list.extend(argument.iter().map(|it| Token { starts_line: false, ..it.clone() })),
            None => list.push(word.clone()),
        }
        places.resize(list.len(), word.span);
    }
    list.push(Token { kind: Kind::End, span: definition.close, origin: None, starts_line: true });
    places.push(definition.close);
    Words::expansion(list, places)
}

/// Which words each parameter stands for.
fn replacements<'a>(definition: &'a Definition, arguments: &'a [Vec<Token>]) -> HashMap<&'a Name, &'a Vec<Token>> {
    definition.parameters.iter().map(|it| &it.name).zip(arguments).collect()
}

/// How many words [`substitute`] makes.
fn length(definition: &Definition, arguments: &[Vec<Token>]) -> usize {
    let replacements = replacements(definition, arguments);
    let length_of = |word: &Token| name_of(&word.kind).and_then(|name| replacements.get(name)).map_or(1, |it| it.len());
    definition.body.iter().map(length_of).sum()
}

/// "3 arguments".
fn count(number: usize) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} argument{plural}")
}
