//! What names mean where.
//!
//! Names live in nested scopes: the global one, one per process, one per block. An inner scope may
//! not use a name that an outer one has; sibling scopes may.
use std::collections::HashMap;
use std::rc::Rc;

use model::{EnumerationId, Scope, ShapeId, VariableId};
use text::{Span, closest};

use crate::ast::Name;

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Symbol {
    /// A variable.
    Variable(Binding),
    /// A constant of an enumeration.
    Constant(i32, EnumerationId),
    /// A counter of PV's `run [i < n]`.
    Number(i32),
    /// A process type, by row.
    Process(u32),
    /// A record type.
    Record(Rc<RecordType>),
    /// PV: an enumeration type.
    Enumeration(EnumerationId),
    /// An `inline`; the parser has expanded its uses.
    Inline,
}

/// A record type: its fields as declared.
#[derive(Debug)]
pub struct RecordType {
    pub name: Name,
    pub fields: Vec<crate::ast::Declaration>,
    pub size: super::size::Size,
}

/// A variable, or a field of one.
#[derive(Clone, Debug)]
pub struct Binding {
    pub scope: Scope,
    /// Size, if it is an array.
    pub array: Option<u32>,
    pub content: Content,
    /// The value of a scalar that the text gives it, if it is a constant; arrays may be sized by it.
    pub constant: Option<i32>,
}

/// What a variable holds.
#[derive(Clone, Debug)]
pub enum Content {
    Scalar { variable: VariableId, class: Class },
    Record { name: Name, fields: Rc<Vec<(Name, Binding)>>, elements: u64 },
}

/// What a value means; clashes are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Number,
    Enumerated(EnumerationId),
    /// With the shape its declaration gave it, if any.
    Channel(Option<ShapeId>),
    /// PV.
    Lock,
    /// PV.
    Semaphore,
}

/// All scopes that are open.
#[derive(Debug)]
pub struct Scopes {
    levels: Vec<HashMap<Name, (Symbol, Span)>>,
    /// Number of each open block, outermost first.
    path: Vec<u32>,
    blocks: u32,
}

impl Default for Scopes {
    fn default() -> Self {
        Scopes { levels: vec![HashMap::new()], path: Vec::new(), blocks: 0 }
    }
}

impl Scopes {
    pub fn open(&mut self) {
        self.levels.push(HashMap::new());
        self.blocks += 1;
        self.path.push(self.blocks);
    }

    pub fn close(&mut self) {
        self.levels.pop();
        self.path.pop();
    }

    /// The blocks that are open.
    pub fn path(&self) -> &[u32] {
        &self.path
    }

    /// The innermost block.
    pub fn block(&self) -> u32 {
        self.path.last().copied().unwrap_or(0)
    }

    pub fn is_global(&self) -> bool {
        self.levels.len() == 1
    }

    pub fn find(&self, name: &str) -> Option<&Symbol> {
        self.find_with_span(name).map(|(symbol, _)| symbol)
    }

    pub fn find_with_span(&self, name: &str) -> Option<&(Symbol, Span)> {
        self.levels.iter().rev().find_map(|level| level.get(name))
    }

    /// Declares a name; if it is taken, says where.
    pub fn declare(&mut self, name: &Name, symbol: Symbol, span: Span) -> Result<(), Span> {
        if let Some((_, earlier)) = self.find_with_span(name) {
            return Err(*earlier);
        }
        let level = self.levels.last_mut().expect("the global scope");
        level.insert(name.clone(), (symbol, span));
        Ok(())
    }

    /// Whether a name is declared in the innermost scope.
    pub fn is_here(&self, name: &str) -> bool {
        self.levels.last().is_some_and(|level| level.contains_key(name))
    }

    /// The visible name most like a misspelt one, among those that could be meant.
    pub fn closest(&self, name: &str, fits: fn(&Symbol) -> bool) -> Option<&str> {
        let visible = self.levels.iter().flatten().filter(|(_, (symbol, _))| fits(symbol));
        closest(name, visible.map(|(name, _)| &**name))
    }
}
