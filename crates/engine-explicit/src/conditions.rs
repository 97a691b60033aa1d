//! Conditions of properties, asked of packed states: by code where that can be, by the reference else.
use compiled::{Condition, Steps};
use model::semantics::{Fault, State};
use model::{BinaryOp, Expr, LocationId, Mark, ProcessTypeId, Scope, UnaryOp};

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
enum Atom {
    /// By code.
    Compiled(Condition),
    /// By a look at where processes are.
    AnyAt(Mark),
    /// By a look at where a process is whose number is in a variable.
    Named(Named),
    /// Part by part.
    Not(Box<Atom>),
    Both(Box<[Atom; 2]>),
    Either(Box<[Atom; 2]>),
    /// By the reference.
    Interpreted,
}

impl Atom {
    /// The simplest way to ask for a condition.
    fn new(steps: &mut Steps<'_>, condition: &Expr) -> Atom {
        match condition {
            Expr::AnyAt(mark) => Atom::AnyAt(*mark),
            Expr::RemoteAt { process, instance: Some(number), location } if is_global(number) => {
                let (process, location, number, has) = (*process, *location, (**number).clone(), Vec::new());
                Atom::Named(Named { process, location, number, has })
            }
            _ if condition.any(&|it| matches!(it, Expr::Timeout | Expr::Me)) => Atom::Interpreted,
            Expr::Unary(UnaryOp::Not, inner) => Atom::Not(Box::new(Atom::new(steps, inner))),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) if condition.any(&looks) => {
                let parts = Box::new([Atom::new(steps, left), Atom::new(steps, right)]);
                if *op == BinaryOp::And { Atom::Both(parts) } else { Atom::Either(parts) }
            }
            _ if condition.any(&|it| matches!(it, Expr::AnyAt(_))) => Atom::Interpreted,
            _ => Atom::Compiled(steps.condition(0, condition)),
        }
    }

    /// Whether the condition holds in the state that was taken up, if that can be told.
    fn holds(&mut self, steps: &mut Steps<'_>) -> Option<bool> {
        Some(match self {
            Atom::Compiled(condition) => steps.holds(*condition)?,
            Atom::AnyAt(mark) => any_at(steps, *mark),
            Atom::Named(named) => named.holds(steps)?,
            Atom::Not(inner) => !inner.holds(steps)?,
            Atom::Both(parts) => parts[0].holds(steps)? && parts[1].holds(steps)?,
            Atom::Either(parts) => parts[0].holds(steps)? || parts[1].holds(steps)?,
            Atom::Interpreted => return None,
        })
    }
}

/// Where a process may be whose number is in a variable.
struct Named {
    process: ProcessTypeId,
    location: LocationId,
    number: Expr,
    /// For each number whether the process has it.
    has: Vec<Condition>,
}

impl Named {
    /// Whether the process of the state that was taken up is there, if that can be told.
    fn holds(&mut self, steps: &mut Steps<'_>) -> Option<bool> {
        for pid in 0..steps.process_count() {
            if steps.type_of(pid) != self.process || steps.location_of(pid) != self.location {
                continue;
            }
            for next in self.has.len()..=pid {
                let number = Box::new(Expr::Constant(next as i32));
                let has = Expr::Binary(BinaryOp::Eq, Box::new(self.number.clone()), number);
                self.has.push(steps.condition(0, &has));
            }
            if steps.holds(self.has[pid])? {
                return Some(true);
            }
        }
        Some(false)
    }
}

impl<'a> Conditions<'a> {
    /// Of a property of the system with these steps.
    pub fn new(list: &'a [Expr], steps: &mut Steps<'_>, initial: &State) -> Self {
        let mut words = Vec::new();
        steps.pack(initial, &mut words);
        steps.look_at(&words);
        let atoms: Vec<Atom> = list.iter().map(|it| Atom::new(steps, it)).collect();
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
        let answer = match self.atoms[row].holds(steps) {
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

/// Whether where a process is has to be looked at.
fn looks(expr: &Expr) -> bool {
    match expr {
        Expr::AnyAt(_) => true,
        Expr::RemoteAt { instance, .. } => instance.as_deref().is_some_and(is_global),
        _ => false,
    }
}

fn is_global(expr: &Expr) -> bool {
    matches!(expr, Expr::Read(place) if place.scope == Scope::Global && place.indices.is_empty())
}

/// Whether a process of the state that was taken up is at a location with a mark.
fn any_at(steps: &Steps<'_>, mark: Mark) -> bool {
    let model = steps.system().model();
    let is_at = |it: usize| model.process(steps.type_of(it)).location(steps.location_of(it)).is_marked(mark);
    (0..steps.process_count()).any(is_at)
}
