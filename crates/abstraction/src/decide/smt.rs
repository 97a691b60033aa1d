//! A solver of satisfiability modulo theories as another process, asked in SMT-LIB 2 (Barrett, Fontaine, Tinelli):
//! values are bit vectors of 32 bits.
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use model::{BinaryOp, Type, UnaryOp};

use super::{Failed, Question, Truths};
use crate::term::{Term, VarId};

/// Which program, and what it wants to be told.
pub fn command(name: &str) -> Command {
    let mut command = Command::new(name);
    match name {
        "cvc5" => command.args(["--lang=smt2", "--incremental", "--produce-models"]),
        _ => command.args(["-in", "-smt2"]),
    };
    command
}

/// Whether there is such a program.
pub fn is_installed(name: &str) -> bool {
    Command::new(name)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|it| it.success())
}

/// All ways in which the conditions can be true and false together.
pub fn feasible(program: &str, question: &Question<'_>) -> Result<BTreeSet<Truths>, Failed> {
    let mut session = Session::start(program)?;
    session.tell(&declarations(question))?;
    let mut found = BTreeSet::new();
    while session.is_satisfiable()? {
        let truths = session.truths(question.conditions.len())?;
        session.tell(&blocked(&truths))?;
        found.insert(truths);
        question.bound(found.len())?;
    }
    Ok(found)
}

/// A running solver.
struct Session {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Session {
    fn start(program: &str) -> Result<Self, Failed> {
        let mut command = command(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed = |error| Failed::Solver(format!("`{program}` cannot be started: {error}"));
        let mut child = command.spawn().map_err(failed)?;
        let output = child.stdout.take().ok_or_else(|| Failed::Solver("the solver has no output".into()))?;
        Ok(Session { child, answers: BufReader::new(output) })
    }

    fn tell(&mut self, text: &str) -> Result<(), Failed> {
        let input = self.child.stdin.as_mut().ok_or_else(|| Failed::Solver("the solver does not listen".into()))?;
        input.write_all(text.as_bytes()).map_err(|error| Failed::Solver(format!("the solver does not listen: {error}")))
    }

    fn line(&mut self) -> Result<String, Failed> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(read) if read > 0 => Ok(line.trim().to_string()),
            _ => Err(Failed::Solver("the solver does not answer".into())),
        }
    }

    fn is_satisfiable(&mut self) -> Result<bool, Failed> {
        self.tell("(check-sat)\n")?;
        match &*self.line()? {
            "sat" => Ok(true),
            "unsat" => Ok(false),
            other => Err(Failed::Solver(format!("the solver says `{other}`"))),
        }
    }

    /// Asks for the conditions one by one: `((c0 true))`.
    fn truths(&mut self, count: usize) -> Result<Truths, Failed> {
        let mut truths = Truths::new();
        for row in 0..count {
            self.tell(&format!("(get-value (c{row}))\n"))?;
            let line = self.line()?;
            truths.push(match () {
                () if line.contains(" true)") => true,
                () if line.contains(" false)") => false,
                () => return Err(Failed::Solver(format!("the solver says `{line}`"))),
            });
        }
        Ok(truths)
    }
}

fn declarations(question: &Question<'_>) -> String {
    let mut text = String::from("(set-option :produce-models true)\n(set-logic QF_BV)\n");
    let mut variables = BTreeSet::new();
    let terms = || question.conditions.iter().chain(question.assume);
    terms().for_each(|it| {
        it.variables(&mut |id| {
            variables.insert(id);
        });
    });
    for id in variables {
        let _ = writeln!(text, "(declare-const f{0} (_ BitVec 32))\n(define-fun v{0} () (_ BitVec 32) {1})", id.0, {
            truncated((question.types)(id), &format!("f{}", id.0))
        });
    }
    for (row, it) in question.conditions.iter().enumerate() {
        let _ = writeln!(text, "(define-fun c{row} () Bool {})", condition(it));
    }
    for it in question.assume {
        let _ = writeln!(text, "(assert {})", condition(it));
    }
    text
}

fn blocked(truths: &Truths) -> String {
    let differs = |(row, is_true): (usize, &bool)| if *is_true { format!(" (not c{row})") } else { format!(" c{row}") };
    format!("(assert (or false{}))\n", truths.iter().enumerate().map(differs).collect::<String>())
}

fn truncated(ty: Type, word: &str) -> String {
    match ty {
        Type::Int => word.into(),
        Type::Short => format!("((_ sign_extend 16) ((_ extract 15 0) {word}))"),
        Type::Unsigned { bits } => format!("((_ zero_extend {}) ((_ extract {} 0) {word}))", 32 - bits, bits - 1),
        Type::Channel => format!("((_ zero_extend 24) ((_ extract 7 0) {word}))"),
    }
}

fn condition(term: &Term) -> String {
    match term {
        Term::Unary(UnaryOp::Not, it) => format!("(not {})", condition(it)),
        Term::Binary(BinaryOp::And, a, b) => format!("(and {} {})", condition(a), condition(b)),
        Term::Binary(BinaryOp::Or, a, b) => format!("(or {} {})", condition(a), condition(b)),
        Term::Binary(op, a, b) if comparison(*op).is_some() => {
            format!("({} {} {})", comparison(*op).unwrap_or_default(), word(a), word(b))
        }
        Term::Binary(BinaryOp::Ne, a, b) => format!("(distinct {} {})", word(a), word(b)),
        other => format!("(distinct {} #x00000000)", word(other)),
    }
}

fn comparison(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Eq => "=",
        BinaryOp::Lt => "bvslt",
        BinaryOp::Le => "bvsle",
        BinaryOp::Gt => "bvsgt",
        BinaryOp::Ge => "bvsge",
        _ => return None,
    })
}

fn word(term: &Term) -> String {
    let of_condition = || format!("(ite {} #x00000001 #x00000000)", condition(term));
    match term {
        Term::Constant(value) => format!("#x{:08x}", *value as u32),
        Term::Variable(VarId(id)) => format!("v{id}"),
        Term::Unary(UnaryOp::Not, _) => of_condition(),
        Term::Unary(UnaryOp::Negate, it) => format!("(bvneg {})", word(it)),
        Term::Unary(UnaryOp::Complement, it) => format!("(bvnot {})", word(it)),
        Term::Choice(c, a, b) => format!("(ite {} {} {})", condition(c), word(a), word(b)),
        Term::Truncate(ty, it) => truncated(*ty, &word(it)),
        Term::Binary(op, a, b) => match (arithmetic(*op), word(a), word(b)) {
            (None, ..) => of_condition(),
            (Some(name @ ("bvsdiv" | "bvsrem")), a, b) => {
                format!("(ite (= {b} #x00000000) #x00000000 ({name} {a} {b}))")
            }
            (Some(name @ ("bvshl" | "bvashr")), a, b) => format!("({name} {a} (bvand {b} #x0000001f))"),
            (Some(name), a, b) => format!("({name} {a} {b})"),
        },
    }
}

fn arithmetic(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::BitOr => "bvor",
        BinaryOp::BitXor => "bvxor",
        BinaryOp::BitAnd => "bvand",
        BinaryOp::Shl => "bvshl",
        BinaryOp::Shr => "bvashr",
        BinaryOp::Add => "bvadd",
        BinaryOp::Sub => "bvsub",
        BinaryOp::Mul => "bvmul",
        BinaryOp::Div => "bvsdiv",
        BinaryOp::Rem => "bvsrem",
        _ => return None,
    })
}
