//! From a tree to a system: parameters get values, processes are written out, names are resolved.
mod automaton;
mod commands;
pub use commands::clash;
mod composition;
pub mod expressions;
mod gates;
mod instances;
pub mod scope;

use std::collections::{BTreeMap, HashSet};

use text::{Diagnostic, Severity, Sources, Span};

use crate::ast::{Constant, Name, Tree};
use crate::facts::Facts;
use crate::system::{Domain, Invariant, Kind, System, Variable};
use automaton::Automaton;
use scope::{Family, Group, Meaning, Names, Scope};

/// Values of parameters that the caller chooses, by name.
pub type Chosen = [(String, String)];

/// What is known while a system is written out.
pub struct Elaborator<'t> {
    pub tree: &'t Tree,
    sources: &'t Sources,
    pub system: System,
    pub names: Names,
    pub families: Vec<Family>,
    pub groups: Vec<Group>,
    /// Per process: its graph.
    automata: Vec<Automaton<'t>>,
    /// Per instance: the row of its process.
    process_of: Vec<usize>,
    /// Per instance: its indices.
    scopes: Vec<Scope>,
    /// Per instance: its variables.
    pub locals: Vec<BTreeMap<String, (u32, Span)>>,
    /// Per instance: its own actions.
    own_actions: Vec<BTreeMap<String, Vec<usize>>>,
    enumeration_names: Vec<String>,
    pub diagnostics: Vec<Diagnostic>,
    /// What has been said: instances of one process would say it all again.
    said: HashSet<(&'static str, Option<Span>)>,
    depth: usize,
}

/// The system of a tree, as far as it makes sense; what is wrong is in its diagnostics.
pub fn elaborate<'t>(tree: &'t Tree, sources: &'t Sources, chosen: &Chosen) -> Elaborator<'t> {
    let mut it = Elaborator {
        tree,
        sources,
        system: System::default(),
        names: Names::new(),
        families: Vec::new(),
        groups: Vec::new(),
        automata: Vec::new(),
        process_of: Vec::new(),
        scopes: Vec::new(),
        locals: Vec::new(),
        own_actions: Vec::new(),
        enumeration_names: Vec::new(),
        diagnostics: Vec::new(),
        said: HashSet::new(),
        depth: 0,
    };
    it.definitions();
    it.constants(chosen);
    it.types();
    it.globals();
    it.shared_actions();
    it.processes();
    if !it.has_errors() {
        it.commands();
        it.invariants();
        it.compose();
    }
    it
}

impl Elaborator<'_> {
    /// Says something, once for each place.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.said.insert((diagnostic.code, diagnostic.span)) {
            self.diagnostics.push(diagnostic);
        }
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|it| it.severity == Severity::Error)
    }

    fn definitions(&mut self) {
        for (row, it) in self.tree.definitions.iter().enumerate() {
            self.declare(&it.name, Meaning::Definition(row));
        }
    }

    /// Constants in the order of the text, except that values of enumerations are known before.
    fn constants(&mut self, chosen: &Chosen) {
        for it in &self.tree.enumerations {
            self.enumeration(it);
        }
        for it in &self.tree.constants {
            let given = chosen.iter().rev().find(|given| it.is_parameter && given.0 == it.name.text);
            let value = match given {
                Some((_, text)) => self.chosen(it, text),
                None => self.constant(&it.value, &Scope::default()),
            };
            // Without a value, one that makes few further errors.
            let (value, kind) = value.unwrap_or((1, Kind::Int));
            self.declare(&it.name, Meaning::Value(value, kind));
        }
        for (name, _) in chosen {
            let parameters = self.tree.constants.iter().filter(|it| it.is_parameter);
            if !parameters.clone().any(|it| it.name.text == *name) {
                let names: Vec<&str> = parameters.map(|it| it.name.text.as_str()).collect();
                let mut diagnostic = Diagnostic::global("unknown-name", format!("there is no parameter `{name}`"));
                diagnostic.help = match text::closest(name, names.iter().copied()) {
                    Some(near) => Some(format!("did you mean `{near}`?")),
                    None if names.is_empty() => Some("declare it: `param name = value;`".into()),
                    None => Some(format!("the parameters are: {}", names.join(", "))),
                };
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// The value of a parameter that the caller gives.
    fn chosen(&mut self, it: &Constant, text: &str) -> Option<(i64, Kind)> {
        let text = text.trim();
        let named = self.names.get(text).map(|it| it.0.clone());
        match (text, text.parse::<i32>(), named) {
            ("true", ..) => Some((1, Kind::Bool)),
            ("false", ..) => Some((0, Kind::Bool)),
            (_, Ok(value), _) => Some((i64::from(value), Kind::Int)),
            (_, _, Some(Meaning::Value(value, kind))) => Some((value, kind)),
            _ => {
                let message = format!("`{text}` cannot be the value of the parameter `{}`", it.name.text);
                let help = "give a number, `true`, `false` or a value of an enumeration";
                self.report(Diagnostic::error("parameter", it.name.span, message).help(help));
                None
            }
        }
    }

    fn enumeration(&mut self, it: &crate::ast::Enumeration) {
        let row = self.system.enumerations.len() as u32;
        let high = it.values.len() as i64 - 1;
        self.declare(&it.name, Meaning::Type(Domain { kind: Kind::Enum(row), low: 0, high }));
        self.enumeration_names.push(it.name.text.clone());
        self.system.enumerations.push(it.values.iter().map(|it| it.text.clone()).collect());
        for (value, name) in it.values.iter().enumerate() {
            self.declare(name, Meaning::Value(value as i64, Kind::Enum(row)));
        }
    }

    fn types(&mut self) {
        for it in &self.tree.types {
            if let Some((domain, dimensions)) = self.ty(&it.ty, &Scope::default()) {
                let is_scalar = dimensions.is_empty();
                let meaning = if is_scalar { Meaning::Type(domain) } else { Meaning::Array(domain, dimensions) };
                self.declare(&it.name, meaning);
            }
        }
    }

    fn globals(&mut self) {
        for declaration in &self.tree.variables {
            for (name, variable) in self.variables(declaration, &Scope::default(), None, "") {
                self.declare(&name, Meaning::Variable(variable));
            }
        }
    }

    /// The variables of a declaration, new in the system.
    fn variables(
        &mut self,
        declaration: &crate::ast::Declaration,
        scope: &Scope,
        owner: Option<usize>,
        prefix: &str,
    ) -> Vec<(Name, u32)> {
        let Some((domain, dimensions)) = self.ty(&declaration.ty, scope) else { return Vec::new() };
        let Some(initial) = self.initial(declaration, domain, &dimensions, scope) else { return Vec::new() };
        let names = match domain.kind {
            Kind::Bool => Some(vec!["false".into(), "true".into()]),
            Kind::Int => None,
            Kind::Enum(row) => Some(self.system.enumerations[row as usize].clone()),
        };
        let mut list = Vec::new();
        for name in &declaration.names {
            self.system.variables.push(Variable {
                name: format!("{prefix}{}", name.text),
                domain,
                dimensions: dimensions.clone(),
                initial: initial.clone(),
                owner,
                names: names.clone(),
                span: name.span,
            });
            list.push((name.clone(), self.system.variables.len() as u32 - 1));
        }
        list
    }

    fn initial(
        &mut self,
        declaration: &crate::ast::Declaration,
        domain: Domain,
        dimensions: &[(i64, i64)],
        scope: &Scope,
    ) -> Option<Vec<i64>> {
        let mut values = Vec::new();
        for expr in &declaration.initial {
            let (value, kind) = self.constant(expr, scope)?;
            if kind != domain.kind {
                let (wanted, found) = (self.kind_name(domain.kind), self.kind_name(kind));
                self.report(Diagnostic::error("type", expr.span, format!("expected {wanted}, found {found}")));
                return None;
            }
            if value < domain.low || value > domain.high {
                let message = format!("{value} is outside {}..{}", domain.low, domain.high);
                let place = declaration.ty.span;
                self.report(Diagnostic::error("out-of-range", expr.span, message).note(place, "the type"));
                return None;
            }
            values.push(value);
        }
        let elements = dimensions.iter().map(|it| it.1 - it.0 + 1).product::<i64>();
        if values.len() > 1 && values.len() as i64 != elements {
            let message = format!("{} values for {elements} elements", values.len());
            self.report(Diagnostic::error("value-count", declaration.ty.span, message));
            return None;
        }
        if values.is_empty() {
            values.push(domain.low.max(0).min(domain.high));
        }
        Some(values)
    }

    fn invariants(&mut self) {
        for it in &self.tree.invariants {
            self.declare(&it.name, Meaning::Property);
            if let Some(condition) = self.condition(&it.condition, &Scope::default(), &Facts::default()) {
                let name = it.name.text.clone();
                self.system.invariants.push(Invariant { name, condition, span: it.span });
            }
        }
        for it in &self.tree.properties {
            self.declare(&it.name, Meaning::Property);
        }
    }
}

/// `name[1,2]`
pub fn with_indices(name: &str, values: &[i64]) -> String {
    if values.is_empty() {
        return name.into();
    }
    let list: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("{name}[{}]", list.join(","))
}

/// All combinations of values, the last one changing fastest.
pub fn combinations(ranges: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut list = vec![Vec::new()];
    for &(low, high) in ranges {
        let extended = |it: Vec<i64>| (low..=high).map(move |value| [&it[..], &[value]].concat());
        list = list.into_iter().flat_map(extended).collect();
    }
    list
}
