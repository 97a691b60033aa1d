//! Random systems of processes whose steps have actions, in the shape that languages with shared actions lead to: all variables are global, and a process is one
//! location with loops.
use ctl::{Actions, Formula, Path, Quantifier};
use model::{
    ActionId, BinaryOp, Branching, Edge, Effect, Expr, Initial, Location, LocationId, Meaning, Model, Place,
    ProcessType, ProcessTypeId, Scope, Start, TemporalProperty, Type, Variable, VariableId,
};

/// Numbers that look random, the same for the same seed.
pub struct Chance(pub u64);

/// Where a process can be.
const PLACES: usize = 3;

impl Chance {
    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// A system with a random property.
    pub fn system(&mut self) -> Model {
        let processes = 2 + self.below(3);
        // One variable that everybody sees, and where each process is.
        let mut model =
            Model { globals: (0..=processes).map(|row| variable(&format!("v{row}"))).collect(), ..Model::default() };
        model.actions = (0..processes + 2).map(|row| format!("a{row}")).collect();
        for me in 1..=processes {
            let edges = (0..2 + self.below(4)).map(|_| self.edge(me, processes)).collect();
            model.processes.push(looping(format!("P{me}"), edges));
            model.start.push(Start { process: ProcessTypeId(me as u32 - 1), priority: 1 });
        }
        let observes: Vec<Expr> = (0..2).map(|_| is(self.below(processes + 1), self.below(PLACES))).collect();
        let depth = 1 + self.below(4);
        let formula = match self.below(2) {
            0 => self.formula(depth, model.actions.len()),
            _ => self.chain(depth, model.actions.len()).negated(),
        };
        let texts = observes.iter().map(|it| format!("{it:?}")).collect();
        let meaning = Meaning::Branching(Branching { formula, fairness: Vec::new(), texts });
        model.temporal_properties.push(TemporalProperty {
            name: "p".into(),
            meaning,
            observes,
            span: text::Span::default(),
        });
        model
    }

    /// A step: mostly of one process alone, sometimes of two, sometimes with the variable that everybody sees.
    fn edge(&mut self, me: usize, processes: usize) -> Edge {
        let mut guard = is(me, self.below(PLACES));
        let mut effects = vec![assign(me, self.below(PLACES))];
        let action = match self.below(6) {
            0 => None,
            1 => Some(processes),
            2 => Some(processes + 1),
            _ => Some(me - 1),
        };
        if self.below(4) == 0 {
            let other = 1 + self.below(processes);
            guard = both(guard, is(other, self.below(PLACES)));
            effects.push(assign(other, self.below(PLACES)));
        }
        if self.below(5) == 0 {
            guard = both(guard, is(0, self.below(2)));
        }
        if self.below(5) == 0 {
            effects.push(assign(0, self.below(2)));
        }
        loop_edge(guard, effects, action.map(|it| ActionId(it as u32)))
    }

    fn actions(&mut self, count: usize) -> Actions {
        let some = Actions::list((0..count as u32).filter(|_| self.below(3) == 0));
        if self.below(2) == 0 { some } else { some.not() }
    }

    /// A formula about one path, of the kind that is evaluated forward: this, then that, and at the end a cycle, a state, or that nothing is possible.
    pub fn chain(&mut self, depth: usize, actions: usize) -> Formula {
        let some = |by: Actions, path| Formula::path(Quantifier::SOME.by(by), path);
        let by = self.actions(actions);
        let here = self.formula(0, actions);
        if depth == 0 {
            return match self.below(4) {
                0 => here,
                1 => Formula::constant(false).all_next_by(Actions::all()),
                2 => some(by.clone(), Path::Globally(Formula::constant(true).some_next_by(by))),
                _ => some(by, Path::Globally(here)),
            };
        }
        let then = self.chain(depth - 1, actions);
        match self.below(4) {
            0 => then.some_next_by(Actions::one(self.below(actions) as u32)),
            1 => here.and(then),
            _ => some(by, Path::Until(here, then)),
        }
    }

    /// A formula over two atoms, most of whose paths are restricted.
    pub fn formula(&mut self, depth: usize, actions: usize) -> Formula {
        if depth == 0 {
            return [Formula::atom(0), Formula::atom(1), Formula::constant(true)][self.below(3)].clone();
        }
        let (f, g) = (self.formula(depth - 1, actions), self.formula(depth - 1, actions));
        let path = match self.below(8) {
            0 => return f.negated(),
            1 => return f.and(g),
            2 => return f.or(g),
            3 => Path::Next(f),
            4 => Path::Finally(f),
            5 => Path::Globally(f),
            6 => Path::Until(f, g),
            _ => Path::WeakUntil(f, g),
        };
        let plain = if self.below(2) == 0 { Quantifier::ALL } else { Quantifier::SOME };
        let quantifier = if self.below(4) == 0 { plain } else { plain.by(self.actions(actions)) };
        Formula::path(quantifier, path)
    }
}

fn variable(name: &str) -> Variable {
    let (name, ty) = (name.to_string(), Type::Unsigned { bits: 2 });
    let span = text::Span::default();
    Variable { name, ty, dimensions: Vec::new(), initial: Initial::Zero, hidden: false, enumeration: None, span }
}

fn place(row: usize) -> Place {
    Place { scope: Scope::Global, variable: VariableId(row as u32), indices: Vec::new() }
}

fn is(row: usize, value: usize) -> Expr {
    Expr::Binary(BinaryOp::Eq, Box::new(Expr::Read(place(row))), Box::new(Expr::Constant(value as i32)))
}

fn both(left: Expr, right: Expr) -> Expr {
    Expr::Binary(BinaryOp::And, Box::new(left), Box::new(right))
}

fn assign(row: usize, value: usize) -> Effect {
    Effect::Assign(place(row), Expr::Constant(value as i32))
}

fn loop_edge(guard: Expr, effects: Vec<Effect>, action: Option<ActionId>) -> Edge {
    let (source, target, span) = (LocationId(0), Some(LocationId(0)), text::Span::default());
    let (forgets, text) = (Vec::new(), String::new());
    let (otherwise, keeps_control) = (false, false);
    Edge {
        source,
        target,
        guard,
        effects,
        forgets,
        otherwise,
        keeps_control,
        group: 0,
        action,
        form: model::Form::default(),
        statement: 0,
        text,
        span,
    }
}

fn looping(name: String, edges: Vec<Edge>) -> ProcessType {
    let location = Location { edge_count: edges.len() as u32, valid_end: true, ..Location::default() };
    ProcessType { name, locations: vec![location], edges, ..ProcessType::default() }
}
