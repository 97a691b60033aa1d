//! The tree of a C program. Every part knows where it is written.
use std::rc::Rc;

use text::Span;

/// A struct or union in [`Unit::records`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordId(pub u32);

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// Any other integer.
    Integer {
        /// 8, 16, 32, 64 or 128.
        bits: u8,
        /// Whether it has a sign.
        signed: bool,
    },
    /// `float`, `double` and their relatives.
    Floating,
    /// A pointer.
    Pointer(Rc<Type>),
    /// An array; without a length if that is not a constant.
    Array(Rc<Type>, Option<u64>),
    /// A function: its result, and the types of its parameters.
    Function(Rc<Type>, Vec<Type>),
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enumeration,
    /// A type under another name.
    Named(Rc<str>, Rc<Type>),
    /// `_Atomic`
    Atomic(Rc<Type>),
    /// Not known: `typeof`, or a name without a declaration.
    Unknown(Rc<str>),
}

impl Type {
    /// What a name stands for; qualifiers stay.
    pub fn resolved(&self) -> &Type {
        match self {
            Type::Named(_, it) => it.resolved(),
            it => it,
        }
    }

    /// Without names and `_Atomic`.
    pub fn plain(&self) -> &Type {
        match self {
            Type::Named(_, it) | Type::Atomic(it) => it.plain(),
            it => it,
        }
    }

    /// Whether operations on it are atomic.
    pub fn is_atomic(&self) -> bool {
        matches!(self.resolved(), Type::Atomic(_))
    }

    /// Whether it is known by this name, perhaps under others.
    pub fn is_named(&self, name: &str) -> bool {
        match self {
            Type::Named(own, it) => &**own == name || it.is_named(name),
            Type::Atomic(it) => it.is_named(name),
            _ => false,
        }
    }
}

/// A struct or union.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Its tag.
    pub name: Option<Rc<str>>,
    /// Whether it is a union.
    pub is_union: bool,
    /// Its fields; one without a name is a record whose fields belong to this one.
    pub fields: Vec<(Option<Rc<str>>, Type)>,
    /// Whether its fields are known.
    pub complete: bool,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is written.
    pub span: Span,
}

/// What an expression is. Operators have their spelling.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A variable, function or constant.
    Name(Rc<str>),
    /// An integer or character constant, with its spelling and type.
    Integer(i64, Rc<str>, Type),
    /// A floating constant.
    Floating(Rc<str>),
    /// Strings beside each other.
    String(Rc<str>),
    /// `-x`, `!x`, `*x`, `&x`, `++x`, `--x`, `__real__ x` …
    Unary(Rc<str>, Box<Expr>),
    /// `x++` and `x--`.
    Postfix(Box<Expr>, Rc<str>),
    /// `x + y`, `x && y`, `x, y` …
    Binary(Rc<str>, Box<Expr>, Box<Expr>),
    /// `x = y`, `x += y` …
    Assign(Rc<str>, Box<Expr>, Box<Expr>),
    /// `x ? y : z`; without `y` it is GNU's.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `f(x, y)`
    Call(Box<Expr>, Vec<Expr>),
    /// `x[y]`
    Index(Box<Expr>, Box<Expr>),
    /// `x.name`, or `x->name` if the flag is set.
    Member(Box<Expr>, Rc<str>, bool),
    /// `(type) x`
    Cast(Type, Box<Expr>),
    /// `sizeof x`
    SizeOf(Box<Expr>),
    /// `sizeof (type)`, `_Alignof (type)`
    SizeOfType(Type),
    /// `(type) { … }`
    Compound(Type, Vec<Initializer>),
    /// `({ … })`
    Statement(Vec<Stmt>),
    /// `_Generic`, `__builtin_offsetof`, `&&label` and the like, as they are written.
    Other(Rc<str>),
}

/// Part of an initialiser.
#[derive(Clone, Debug)]
pub struct Initializer {
    /// `.name` and `[index]` in front of it.
    pub designators: Vec<Designator>,
    /// Its value.
    pub value: Init,
}

/// Which part is initialised.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `.name`
    Field(Rc<str>),
    /// `[index]` or `[first ... last]`
    Index(Expr, Option<Expr>),
}

/// A value of an initialiser.
#[derive(Clone, Debug)]
pub enum Init {
    /// One expression.
    Single(Expr),
    /// `{ … }`
    List(Vec<Initializer>),
}

/// What is declared.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Rc<str>,
    /// Its type.
    pub ty: Type,
    /// What it begins with.
    pub init: Option<Init>,
    /// Where its name is written.
    pub span: Span,
}

/// One declaration.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its variables and functions; none if it is about a type.
    pub variables: Vec<Variable>,
    /// Whether it declares names of types.
    pub is_typedef: bool,
    /// `extern`
    pub is_extern: bool,
    /// `static`
    pub is_static: bool,
    /// `_Thread_local`
    pub is_thread_local: bool,
    /// Its words, with as few blanks as possible.
    pub text: Rc<str>,
    /// Where it is written.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it is written.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ … }`
    Block(Vec<Stmt>),
    /// A declaration.
    Declaration(Declaration),
    /// An expression.
    Expr(Expr),
    /// `if`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`
    While(Expr, Box<Stmt>),
    /// `do … while`
    DoWhile(Box<Stmt>, Expr),
    /// `for`
    For(Option<Box<Stmt>>, Option<Expr>, Option<Expr>, Box<Stmt>),
    /// `switch`
    Switch(Expr, Box<Stmt>),
    /// `case a:` or GNU's `case a ... b:`
    Case(Expr, Option<Expr>, Box<Stmt>),
    /// `default:`
    Default(Box<Stmt>),
    /// `name:`
    Label(Rc<str>, Box<Stmt>),
    /// `goto name`
    Goto(Rc<str>),
    /// `goto *x`
    GotoComputed(Expr),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<Expr>),
    /// `asm`
    Asm,
    /// `;`
    Empty,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Rc<str>,
    /// What it returns.
    pub result: Type,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// Its body.
    pub body: Vec<Stmt>,
    /// Where its name is written.
    pub span: Span,
}

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Functions with a body.
    pub functions: Vec<Rc<Function>>,
    /// Declarations outside functions.
    pub declarations: Vec<Declaration>,
    /// Structs and unions.
    pub records: Vec<Record>,
    /// Constants of enumerations.
    pub constants: Vec<(Rc<str>, i64)>,
    /// Names of types.
    pub types: std::collections::HashMap<Rc<str>, Type>,
}

impl Unit {
    /// The function with this name and a body.
    pub fn function(&self, name: &str) -> Option<&Rc<Function>> {
        self.functions.iter().find(|it| &*it.name == name)
    }

    /// The type of a field, looking into records without a name.
    pub fn field(&self, record: RecordId, name: &str) -> Option<&Type> {
        self.records[record.0 as usize].fields.iter().find_map(|(own, ty)| match (own, ty.plain()) {
            (Some(own), _) if &**own == name => Some(ty),
            (None, Type::Record(inner)) => self.field(*inner, name),
            _ => None,
        })
    }

    /// How many bytes a value takes, as on 64-bit systems.
    pub fn size(&self, ty: &Type) -> Option<u64> {
        match ty.plain() {
            Type::Void | Type::Bool => Some(1),
            Type::Integer { bits, .. } => Some(u64::from(*bits / 8)),
            Type::Floating | Type::Pointer(_) => Some(8),
            Type::Enumeration => Some(4),
            Type::Array(of, Some(length)) => self.size(of)?.checked_mul(*length),
            Type::Record(it) => {
                let record = &self.records[it.0 as usize];
                let (mut total, mut widest) = (0_u64, 1);
                for (_, ty) in &record.fields {
                    let size = self.size(ty)?;
                    let align = self.alignment(ty);
                    widest = widest.max(align);
                    total = if record.is_union {
                        total.max(size)
                    } else {
                        total.next_multiple_of(align).checked_add(size)?
                    };
                }
                record.complete.then(|| total.next_multiple_of(widest))
            }
            _ => None,
        }
    }

    fn alignment(&self, ty: &Type) -> u64 {
        match ty.plain() {
            Type::Array(of, _) => self.alignment(of),
            Type::Record(it) => {
                self.records[it.0 as usize].fields.iter().map(|it| self.alignment(&it.1)).max().unwrap_or(1)
            }
            other => self.size(other).unwrap_or(1).clamp(1, 16),
        }
    }
}
