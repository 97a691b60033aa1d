//! Conditions of properties, asked of packed states: by code where that can be, by the reference else.
use compiled::{Condition, Steps};
use model::semantics::{Fault, State};
use model::{Expr, Mark, UnaryOp};

/// The conditions of a property.
pub struct Conditions<'a> {
    list: &'a [Expr],
    atoms: Vec<Atom>,
    /// What is known of each condition in the state in question.
    answers: Vec<Option<bool>>,
    /// The state in question as the reference has it, if it was asked.
    unpacked: State,
    is_unpacked: bool,
    /// Some condition asks whether nothing moves.
    pub asks_stillness: bool,
}

/// How a condition is asked.
#[derive(Clone, Copy)]
enum Atom {
    /// By code.
    Compiled(Condition),
    /// By a look at where processes are.
    AnyAt(Mark, bool),
    /// By the reference.
    Interpreted,
}

impl<'a> Conditions<'a> {
    /// Of a property of the system with these steps.
    pub fn new(list: &'a [Expr], steps: &mut Steps<'_>, initial: &State) -> Self {
        let mut words = Vec::new();
        steps.pack(initial, &mut words);
        steps.look_at(&words);
        let atoms: Vec<Atom> = list.iter().map(|it| atom(steps, it)).collect();
        Conditions {
            answers: vec![None; atoms.len()],
            atoms,
            unpacked: State::default(),
            is_unpacked: false,
            asks_stillness: list.iter().any(|it| it.any(&|part| *part == Expr::Timeout)),
            list,
        }
    }

    /// The next question is about another state.
    pub fn forget(&mut self) {
        self.answers.fill(None);
        self.is_unpacked = false;
    }

    /// Whether a condition holds in a state that `steps` look at; `stands_still` if nothing moves there.
    pub fn holds(
        &mut self,
        row: usize,
        steps: &mut Steps<'_>,
        words: &[u64],
        stands_still: bool,
    ) -> Result<bool, Fault> {
        if let Some(answer) = self.answers[row] {
            return Ok(answer);
        }
        let answer = match self.atoms[row] {
            Atom::Compiled(condition) => steps.holds(condition),
            Atom::AnyAt(mark, wanted) => Some(any_at(steps, mark) == wanted),
            Atom::Interpreted => None,
        };
        let answer = match answer {
            Some(answer) => answer,
            None => self.interpret(row, steps, words, stands_still)?,
        };
        self.answers[row] = Some(answer);
        Ok(answer)
    }

    fn interpret(&mut self, row: usize, steps: &Steps<'_>, words: &[u64], stands_still: bool) -> Result<bool, Fault> {
        if !std::mem::replace(&mut self.is_unpacked, true) {
            steps.unpack(words, &mut self.unpacked);
        }
        steps.system().holds(&self.unpacked, &self.list[row], stands_still)
    }
}

fn atom(steps: &mut Steps<'_>, condition: &Expr) -> Atom {
    match condition {
        Expr::AnyAt(mark) => Atom::AnyAt(*mark, true),
        Expr::Unary(UnaryOp::Not, inner) if matches!(**inner, Expr::AnyAt(_)) => {
            let Expr::AnyAt(mark) = **inner else { return Atom::Interpreted };
            Atom::AnyAt(mark, false)
        }
        _ if condition.any(&|it| matches!(it, Expr::Timeout | Expr::AnyAt(_) | Expr::Me)) => Atom::Interpreted,
        _ => Atom::Compiled(steps.condition(0, condition)),
    }
}

/// Whether a process of the state that was taken up is at a location with a mark.
fn any_at(steps: &Steps<'_>, mark: Mark) -> bool {
    let model = steps.system().model();
    let is_at = |it: usize| model.process(steps.type_of(it)).location(steps.location_of(it)).is_marked(mark);
    (0..steps.process_count()).any(is_at)
}
