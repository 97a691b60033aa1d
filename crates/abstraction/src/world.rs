//! What names of a tree stand for: types and initial values of variables, and expressions as terms.
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use front_promela::ast::{
    At, BinaryOp, Block, Declaration, Expr, ExprKind, Ident, Initial, Reference, Segment, Statement, StatementKind,
    Tree, TypeKind, UnaryOp, Unit,
};
use front_promela::print;
use model::Type;

use crate::term::{Term, VarId};

/// Elements of an array that is told apart element by element.
pub const LARGEST_ARRAY: u32 = 16;

/// A declared variable.
#[derive(Clone, Debug)]
pub struct Declared {
    /// What it holds; `None` if it is not a number.
    pub ty: Option<Type>,
    /// How many, if it is an array.
    pub size: Option<u32>,
    /// Its first values, if they are constants.
    pub initial: Option<Vec<i32>>,
    /// It has its value from the beginning, and not from a statement or from whoever starts the process.
    pub fresh: bool,
    /// Where it is declared.
    pub at: At,
}

/// A value, and where there is none because computing it goes wrong.
#[derive(Clone, Debug)]
pub struct Value {
    /// The value.
    pub term: Term,
    /// Where it faults.
    pub fault: Term,
}

/// Everything that is declared.
#[derive(Debug, Default)]
pub struct World {
    constants: HashMap<String, i32>,
    /// By [`World::base`]: `x`, or `P:x`.
    pub declared: HashMap<String, Declared>,
    /// Names that mean different things in different blocks.
    ambiguous: BTreeSet<String>,
    /// Bases of the variables that are replaced.
    pub replaced: BTreeSet<String>,
    /// Bases of those that predicates mention.
    pub mentioned: BTreeSet<String>,
    variables: RefCell<(Vec<Type>, HashMap<String, VarId>)>,
}

impl World {
    /// The declarations of a tree.
    pub fn new(tree: &Tree) -> Self {
        let mut world = World::default();
        let mut enumerations: HashMap<String, i32> = HashMap::new();
        for unit in &tree.units {
            match unit {
                Unit::Mtype(mtype) => {
                    let key = mtype.subtype.as_ref().map_or_else(String::new, |it| it.name.to_string());
                    let known = enumerations.entry(key).or_default();
                    *known += mtype.names.len() as i32;
                    for (row, name) in mtype.names.iter().enumerate() {
                        world.constants.insert(name.name.to_string(), *known - row as i32);
                    }
                }
                Unit::Declaration(it) => world.declare(None, it, true),
                Unit::Process(process) => {
                    let name = process.name.as_ref().map_or("init", |it| &*it.name).to_string();
                    process.parameters.iter().for_each(|it| world.declare(Some(&name), it, false));
                    world.locals(&name, &process.body, true);
                }
                _ => {}
            }
        }
        world
    }

    fn locals(&mut self, process: &str, block: &Block, mut fresh: bool) {
        for statement in &block.statements {
            if let StatementKind::Declaration(it) = &statement.kind {
                self.declare(Some(process), it, fresh);
            } else {
                fresh &= matches!(statement.kind, StatementKind::Exclusive { .. });
                front_promela::walk::blocks(statement, &mut |it| self.locals(process, it, false));
            }
        }
    }

    fn declare(&mut self, process: Option<&str>, declaration: &Declaration, fresh: bool) {
        for it in &declaration.variables {
            let size = it.size.as_ref().map(|size| self.constant(size).unwrap_or(0).max(0) as u32);
            let ty = match &declaration.ty.kind {
                TypeKind::Bit | TypeKind::Bool if size.is_some() => Some(Type::BYTE),
                TypeKind::Bit | TypeKind::Bool => Some(Type::BIT),
                TypeKind::Byte | TypeKind::Pid | TypeKind::Mtype(_) => Some(Type::BYTE),
                TypeKind::Short => Some(Type::Short),
                TypeKind::Int => Some(Type::Int),
                TypeKind::Unsigned => {
                    let bits = it.width.as_ref().and_then(|it| self.constant(it));
                    bits.map(|bits| Type::Unsigned { bits: bits as u8 })
                }
                _ => None,
            };
            let values: Option<Vec<i32>> = match &it.initial {
                None => Some(vec![0]),
                Some(Initial::Value(value)) => self.constant(value).map(|it| vec![it]),
                Some(Initial::List(values)) => values.iter().map(|it| self.constant(it)).collect(),
                Some(Initial::Channel { .. }) => None,
            };
            let initial = values.zip(ty).map(|(values, ty)| values.into_iter().map(|it| ty.truncate(it)).collect());
            let base = base(process, &it.name.name);
            let declared = Declared { ty, size, initial, fresh, at: it.name.at };
            if self.declared.insert(base.clone(), declared).is_some() {
                self.ambiguous.insert(base);
            }
        }
    }

    /// The number that an expression of constants and initial values stands for.
    fn constant(&self, expr: &Expr) -> Option<i32> {
        match &expr.kind {
            ExprKind::Number(value) => Some(*value),
            ExprKind::Reference(it) if it.segments.len() == 1 && it.segments[0].index.is_none() => {
                self.constants.get(&*it.segments[0].name.name).copied()
            }
            ExprKind::Unary(op, it) => Some(op.of_numbers()?.apply(self.constant(it)?)),
            ExprKind::Binary(op, a, b) => op.of_numbers()?.apply(self.constant(a)?, self.constant(b)?),
            _ => None,
        }
    }

    /// Whether this is the name of a constant.
    pub fn is_constant(&self, name: &str) -> bool {
        self.constants.contains_key(name)
    }

    /// The type of a variable of a term.
    pub fn type_of(&self, id: VarId) -> Type {
        self.variables.borrow().0[id.0 as usize]
    }

    fn variable(&self, key: &str, ty: Type) -> VarId {
        let (types, keys) = &mut *self.variables.borrow_mut();
        *keys.entry(key.to_string()).or_insert_with(|| {
            types.push(ty);
            VarId(types.len() as u32 - 1)
        })
    }

    /// The base of a reference, as a process sees it.
    pub fn base_of(&self, process: Option<&str>, it: &Reference) -> String {
        let name = &it.segments[0].name.name;
        let local = process.map(|process| base(Some(process), name));
        local.filter(|it| self.declared.contains_key(it)).unwrap_or_else(|| name.to_string())
    }

    /// The elements of a variable: their terms and numbers.
    pub fn elements(&self, base: &str) -> Vec<VarId> {
        let Some(Declared { ty: Some(ty), size, .. }) = self.declared.get(base) else { return Vec::new() };
        match size {
            None => vec![self.variable(base, *ty)],
            Some(size) => (0..*size).map(|it| self.variable(&format!("{base}[{it}]"), *ty)).collect(),
        }
    }

    /// Whether a variable can be replaced, or mentioned by a predicate: why not.
    pub fn unsuitable(&self, base: &str) -> Option<&'static str> {
        let Some(it) = self.declared.get(base) else { return Some("there is no such variable") };
        match () {
            () if self.ambiguous.contains(base) => Some("it is declared more than once"),
            () if it.ty.is_none() => Some("it does not hold numbers"),
            () if it.initial.is_none() => Some("its first value is not a constant"),
            () if !it.fresh => Some("it gets its first value when the process runs"),
            () if it.size.is_some_and(|it| it > LARGEST_ARRAY) => Some("it has more than 16 elements"),
            () => None,
        }
    }

    /// The first value of a variable of a term that [`World::elements`] has given.
    pub fn initial(&self, id: VarId) -> i32 {
        for (base, it) in &self.declared {
            if let Some(row) = self.elements(base).iter().position(|it| *it == id) {
                let values = it.initial.as_deref().unwrap_or(&[0]);
                return values[row.min(values.len() - 1)];
            }
        }
        0
    }

    /// Whether an expression mentions a variable that is replaced.
    pub fn is_abstract(&self, process: Option<&str>, expr: &Expr) -> bool {
        let mut found = false;
        front_promela::walk::references(expr, &mut |it| found |= self.replaced.contains(&self.base_of(process, it)));
        front_promela::walk::remotes(expr, &mut |owner, it| {
            found |= self.replaced.contains(&base(Some(owner), &it.segments[0].name.name))
        });
        found
    }

    /// An expression as a term. Conditions that it makes about indices go to `atoms`, if they are about kept variables.
    pub fn value(&self, process: Option<&str>, expr: &Expr, atoms: &mut Vec<Expr>) -> Value {
        let plain = |term| Value { term, fault: Term::FALSE };
        match &expr.kind {
            ExprKind::Number(it) => plain(Term::Constant(*it)),
            ExprKind::Reference(it) => {
                self.read(process, it, atoms).unwrap_or_else(|| plain(self.opaque(process, expr)))
            }
            ExprKind::RemoteVariable { process: owner, index: None, variable } => {
                let owner = owner.name.to_string();
                self.read(Some(&owner), variable, atoms).unwrap_or_else(|| plain(self.opaque(process, expr)))
            }
            ExprKind::Unary(op, it) => match op.of_numbers() {
                Some(op) => {
                    let it = self.value(process, it, atoms);
                    Value { term: Term::unary(op, it.term), fault: it.fault }
                }
                None => plain(self.opaque(process, expr)),
            },
            ExprKind::Binary(op, a, b) => self.binary(process, *op, a, b, atoms),
            ExprKind::Conditional(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|it| self.value(process, it, atoms));
                let fault = c.fault.or(Term::choice(c.term.clone(), a.fault, b.fault));
                Value { term: Term::choice(c.term, a.term, b.term), fault }
            }
            _ => plain(self.opaque(process, expr)),
        }
    }

    fn binary(&self, process: Option<&str>, op: BinaryOp, a: &Expr, b: &Expr, atoms: &mut Vec<Expr>) -> Value {
        let (a, b) = (self.value(process, a, atoms), self.value(process, b, atoms));
        let Some(op) = op.of_numbers() else {
            let term = match op {
                BinaryOp::Implies => a.term.negated().or(b.term),
                _ => a.term.clone().and(b.term.clone()).or(a.term.negated().and(b.term.negated())),
            };
            return Value { term, fault: a.fault.or(b.fault) };
        };
        let later = match op {
            model::BinaryOp::And => a.term.clone().and(b.fault),
            model::BinaryOp::Or => a.term.clone().negated().and(b.fault),
            model::BinaryOp::Div | model::BinaryOp::Rem => b.fault.or(b.term.clone().negated()),
            _ => b.fault,
        };
        Value { term: Term::binary(op, a.term, b.term), fault: a.fault.or(later) }
    }

    /// Something that nothing is known of, except that it is the same each time it is written so.
    fn opaque(&self, process: Option<&str>, expr: &Expr) -> Term {
        let key = format!("?{}:{}", process.unwrap_or_default(), print::expression(expr));
        Term::Variable(self.variable(&key, Type::Int))
    }

    fn read(&self, process: Option<&str>, it: &Reference, atoms: &mut Vec<Expr>) -> Option<Value> {
        if let [Segment { name, index: None }] = &it.segments[..]
            && let Some(value) = self.constants.get(&*name.name)
        {
            return Some(Value { term: Term::Constant(*value), fault: Term::FALSE });
        }
        let base = self.base_of(process, it);
        let Declared { ty: Some(ty), size, .. } = self.declared.get(&base)? else { return None };
        let known = self.replaced.contains(&base) || self.mentioned.contains(&base);
        match (size, &it.segments[0].index) {
            (None, None) if !self.ambiguous.contains(&base) => {
                Some(Value { term: Term::Variable(self.variable(&base, *ty)), fault: Term::FALSE })
            }
            (Some(_), Some(index)) if known => Some(self.element(process, &base, index, atoms)),
            _ => None,
        }
    }

    /// An element of an array, by cases.
    fn element(&self, process: Option<&str>, base: &str, index: &Expr, atoms: &mut Vec<Expr>) -> Value {
        let elements = self.elements(base);
        let at = self.value(process, index, atoms);
        let is = |row: usize| Term::binary(model::BinaryOp::Eq, at.term.clone(), Term::Constant(row as i32));
        let last = Term::Variable(elements[elements.len() - 1]);
        let choose = |no, row: usize| Term::choice(is(row), Term::Variable(elements[row]), no);
        let term = (0..elements.len() - 1).rev().fold(last, choose);
        self.index_atoms(process, index, elements.len(), atoms);
        Value { term, fault: at.fault.or(outside(&at.term, elements.len())) }
    }

    /// The conditions `index == 0`, … of an index that can be computed.
    pub fn index_atoms(&self, process: Option<&str>, index: &Expr, size: usize, atoms: &mut Vec<Expr>) {
        if self.constant(index).is_none() && !self.is_abstract(process, index) {
            atoms.extend((0..size).map(|row| equals(index.clone(), row as i32)));
        }
    }

    /// The conditions of an expression that are about kept variables only.
    pub fn atoms(&self, process: Option<&str>, expr: &Expr, atoms: &mut Vec<Expr>) {
        if self.constant(expr).is_some() {
        } else if !self.is_abstract(process, expr) {
            atoms.push(expr.clone());
        } else {
            match &expr.kind {
                ExprKind::Unary(UnaryOp::Not, it) => self.atoms(process, it, atoms),
                ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Equivalent, a, b) => {
                    self.atoms(process, a, atoms);
                    self.atoms(process, b, atoms);
                }
                ExprKind::Conditional(c, a, b) => [c, a, b].into_iter().for_each(|it| self.atoms(process, it, atoms)),
                _ => {}
            }
        }
    }
}

/// Where an index is outside an array.
pub fn outside(index: &Term, size: usize) -> Term {
    let below = Term::binary(model::BinaryOp::Lt, index.clone(), Term::Constant(0));
    below.or(Term::binary(model::BinaryOp::Ge, index.clone(), Term::Constant(size as i32)))
}

/// How a variable is called in all of the model.
pub fn base(process: Option<&str>, name: &str) -> String {
    process.map_or_else(|| name.to_string(), |process| format!("{process}:{name}"))
}

fn equals(left: Expr, value: i32) -> Expr {
    let at = left.at;
    let right = Expr { kind: ExprKind::Number(value), at };
    Expr { kind: ExprKind::Binary(BinaryOp::Eq, Box::new(left), Box::new(right)), at }
}

/// A variable by its name.
pub fn named(name: &str, at: At) -> Reference {
    Reference { segments: vec![Segment { name: Ident { name: name.into(), at }, index: None }], at }
}

/// A statement without labels.
pub fn statement(kind: StatementKind, at: At) -> Statement {
    Statement { labels: Vec::new(), kind, at }
}
