//! Reads the part of SMV that is exported. Everything else is an error, so that nothing unknown is passed over.
use std::collections::HashMap;

/// The type of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `boolean`
    Boolean,
    /// `unsigned word[N]`
    Unsigned(u32),
    /// `signed word[N]`
    Signed(u32),
    /// `{a, b, …}`
    Names(Vec<String>),
    /// `a..b`
    Range(i64, i64),
}

/// An expression or a formula of branching time.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// `TRUE`, `FALSE`
    Truth(bool),
    /// `0ud8_3`: width, sign, bits.
    Word(u32, bool, u64),
    /// A number.
    Number(i64),
    /// A variable, a definition or a value of an enumeration.
    Name(String),
    /// A prefix operator or a function.
    Unary(String, Box<Term>),
    /// An infix operator, or a function of two.
    Binary(String, Box<Term>, Box<Term>),
    /// `a in {…}`
    In(Box<Term>, Vec<Term>),
    /// `a[high:low]`
    Slice(Box<Term>, u32, u32),
    /// The first case whose condition is true.
    Case(Vec<(Term, Term)>),
    /// `E [f U g]`, `A [f U g]`
    Until(bool, Box<Term>, Box<Term>),
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// State variables.
    pub variables: Vec<(String, Type)>,
    /// Input variables.
    pub inputs: Vec<(String, Type)>,
    /// Definitions.
    pub definitions: HashMap<String, Term>,
    /// First values.
    pub first: HashMap<String, Term>,
    /// Next values.
    pub next: HashMap<String, Term>,
    /// What holds between a state, an input and the next state.
    pub transitions: Vec<Term>,
    /// What holds again and again on paths that count.
    pub fairness: Vec<Term>,
    /// What should hold in every state.
    pub invariants: Vec<(String, Term)>,
    /// Formulas of branching time.
    pub branching: Vec<(String, Term)>,
    /// Formulas of linear time, which are not read.
    pub linear: Vec<String>,
}

/// Reads a program.
pub fn parse(text: &str) -> Result<Program, String> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    parser.program()
}

/// The words of a text.
fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut list = Vec::new();
    for line in text.lines() {
        let mut rest = line.split("--").next().unwrap_or("").trim_start();
        while let Some(first) = rest.chars().next() {
            let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
            let two = [":=", "..", "!=", "<=", ">=", "<<", ">>", "->"].iter().find(|it| rest.starts_with(**it));
            let length = match (first, two) {
                _ if rest.starts_with("<->") => 3,
                (_, Some(_)) => 2,
                (it, None) if is_name(it) => rest.find(|it| !is_name(it)).unwrap_or(rest.len()),
                ('(' | ')' | '[' | ']' | '{' | '}' | ';' | ':' | ',' | '=' | '<' | '>', None) => 1,
                ('&' | '|' | '!' | '+' | '-' | '*' | '/' | '?', None) => 1,
                _ => return Err(format!("cannot read `{rest}`")),
            };
            list.push(rest[..length].to_string());
            rest = rest[length..].trim_start();
        }
    }
    Ok(list)
}

/// Infix operators, from those that bind least.
const LEVELS: [&[&str]; 8] = [
    &["<->"],
    &["|", "xor"],
    &["&"],
    &["=", "!=", "<", "<=", ">", ">="],
    &["in"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "mod"],
];

/// Operators of branching time with one operand.
const BRANCHING: [&str; 6] = ["EX", "AX", "EF", "AF", "EG", "AG"];

struct Parser {
    tokens: Vec<String>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |it| it)
    }

    fn take(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
    }

    fn skip(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        let before =
            self.tokens[self.at.saturating_sub(8).min(self.tokens.len())..self.at.min(self.tokens.len())].join(" ");
        if self.skip(word) {
            Ok(())
        } else {
            Err(format!("`{word}` expected, `{}` found after `{before}`", self.peek()))
        }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let word = self.take();
        word.parse().map_err(|_| format!("`{word}` is no number"))
    }

    fn program(&mut self) -> Result<Program, String> {
        let mut program = Program::default();
        self.expect("MODULE")?;
        self.expect("main")?;
        let mut section = String::new();
        while self.at < self.tokens.len() {
            match self.peek() {
                "VAR" | "IVAR" | "DEFINE" | "ASSIGN" => section = self.take(),
                "TRANS" | "FAIRNESS" | "INVARSPEC" | "CTLSPEC" | "LTLSPEC" => self.statement(&mut program)?,
                _ => self.declaration(&section, &mut program)?,
            }
        }
        Ok(program)
    }

    fn declaration(&mut self, section: &str, program: &mut Program) -> Result<(), String> {
        let name = self.take();
        match section {
            "VAR" | "IVAR" => {
                self.expect(":")?;
                let list = if section == "VAR" { &mut program.variables } else { &mut program.inputs };
                list.push((name, self.typed()?));
            }
            "DEFINE" => {
                self.expect(":=")?;
                let known = program.definitions.insert(name.clone(), self.term()?);
                known.map_or(Ok(()), |_| Err(format!("`{name}` is defined twice")))?;
            }
            "ASSIGN" => {
                self.expect("(")?;
                let variable = self.take();
                self.expect(")")?;
                self.expect(":=")?;
                let list = if name == "init" { &mut program.first } else { &mut program.next };
                let known = list.insert(variable.clone(), self.term()?);
                known.map_or(Ok(()), |_| Err(format!("{name}({variable}) is there twice")))?;
            }
            _ => return Err(format!("`{name}` stands in no section")),
        }
        self.expect(";")
    }

    fn typed(&mut self) -> Result<Type, String> {
        let word = self.take();
        if word == "boolean" {
            return Ok(Type::Boolean);
        }
        if word == "unsigned" || word == "signed" {
            self.expect("word")?;
            self.expect("[")?;
            let bits = self.number()?;
            self.expect("]")?;
            return Ok(if word == "signed" { Type::Signed(bits) } else { Type::Unsigned(bits) });
        }
        if word == "{" {
            let mut names = vec![self.take()];
            while self.skip(",") {
                names.push(self.take());
            }
            self.expect("}")?;
            return Ok(Type::Names(names));
        }
        self.at -= 1;
        let low = self.signed()?;
        self.expect("..")?;
        Ok(Type::Range(low, self.signed()?))
    }

    fn signed(&mut self) -> Result<i64, String> {
        let sign = if self.skip("-") { -1 } else { 1 };
        Ok(sign * self.number::<i64>()?)
    }

    fn statement(&mut self, program: &mut Program) -> Result<(), String> {
        let word = self.take();
        let name = if self.skip("NAME") { self.take() } else { String::new() };
        if !name.is_empty() {
            self.expect(":=")?;
        }
        if word == "LTLSPEC" {
            while self.at < self.tokens.len() && !self.skip(";") {
                self.at += 1;
            }
            program.linear.push(name);
            return Ok(());
        }
        let term = self.term()?;
        self.skip(";");
        match &*word {
            "TRANS" => program.transitions.push(term),
            "FAIRNESS" => program.fairness.push(term),
            "INVARSPEC" => program.invariants.push((name, term)),
            _ => program.branching.push((name, term)),
        }
        Ok(())
    }

    fn term(&mut self) -> Result<Term, String> {
        let left = self.choice()?;
        if self.skip("->") {
            return Ok(Term::Binary("->".into(), Box::new(left), Box::new(self.term()?)));
        }
        Ok(left)
    }

    fn choice(&mut self) -> Result<Term, String> {
        let condition = self.infix(0)?;
        if !self.skip("?") {
            return Ok(condition);
        }
        let yes = self.choice()?;
        self.expect(":")?;
        Ok(Term::Case(vec![(condition, yes), (Term::Truth(true), self.choice()?)]))
    }

    fn infix(&mut self, level: usize) -> Result<Term, String> {
        let Some(operators) = LEVELS.get(level) else { return self.prefix() };
        let mut left = self.infix(level + 1)?;
        while operators.contains(&self.peek()) {
            let operator = self.take();
            if operator == "in" {
                left = Term::In(Box::new(left), self.set()?);
                continue;
            }
            left = Term::Binary(operator, Box::new(left), Box::new(self.infix(level + 1)?));
        }
        Ok(left)
    }

    fn set(&mut self) -> Result<Vec<Term>, String> {
        self.expect("{")?;
        let mut list = vec![self.prefix()?];
        while self.skip(",") {
            list.push(self.prefix()?);
        }
        self.expect("}")?;
        Ok(list)
    }

    fn prefix(&mut self) -> Result<Term, String> {
        let word = self.peek().to_string();
        if word == "!" || word == "-" || BRANCHING.contains(&&*word) {
            self.at += 1;
            return Ok(Term::Unary(word, Box::new(self.prefix()?)));
        }
        let mut term = self.primary()?;
        while self.skip("[") {
            let high = self.number()?;
            self.expect(":")?;
            term = Term::Slice(Box::new(term), high, self.number()?);
            self.expect("]")?;
        }
        Ok(term)
    }

    fn primary(&mut self) -> Result<Term, String> {
        let word = self.take();
        match &*word {
            "(" => {
                let term = self.term()?;
                self.expect(")")?;
                Ok(term)
            }
            "TRUE" | "FALSE" => Ok(Term::Truth(word == "TRUE")),
            "case" => self.cases(),
            "E" | "A" => {
                self.expect("[")?;
                let left = self.term()?;
                self.expect("U")?;
                let right = self.term()?;
                self.expect("]")?;
                Ok(Term::Until(word == "A", Box::new(left), Box::new(right)))
            }
            "extend" | "word1" | "signed" | "unsigned" => self.function(word),
            _ if word.starts_with("0ud") || word.starts_with("0sd") => constant(&word),
            _ if word.starts_with(|it: char| it.is_ascii_digit()) => {
                word.parse().map(Term::Number).map_err(|_| format!("`{word}` is no number"))
            }
            _ if word.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_') => Ok(Term::Name(word)),
            _ => Err(format!("`{word}` is no expression")),
        }
    }

    fn function(&mut self, name: String) -> Result<Term, String> {
        self.expect("(")?;
        let first = self.term()?;
        let second = if self.skip(",") { Some(self.term()?) } else { None };
        self.expect(")")?;
        Ok(match second {
            Some(second) => Term::Binary(name, Box::new(first), Box::new(second)),
            None => Term::Unary(name, Box::new(first)),
        })
    }

    fn cases(&mut self) -> Result<Term, String> {
        let mut list = Vec::new();
        while !self.skip("esac") {
            let condition = self.term()?;
            self.expect(":")?;
            list.push((condition, self.term()?));
            self.expect(";")?;
        }
        Ok(Term::Case(list))
    }
}

/// `0ud8_3`
fn constant(word: &str) -> Result<Term, String> {
    let wrong = || format!("`{word}` is no constant");
    let (bits, value) = word[3..].split_once('_').ok_or_else(wrong)?;
    let (bits, value): (u32, u64) = (bits.parse().map_err(|_| wrong())?, value.parse().map_err(|_| wrong())?);
    let is_signed = word.starts_with("0sd");
    let most = 1u64 << (bits - u32::from(is_signed));
    if value < most { Ok(Term::Word(bits, is_signed, value)) } else { Err(wrong()) }
}
