//! A small interpreter for the programs of SMV that are exported: an oracle that shares nothing with the engines.
//!
//! It reads the text ([`parse`](mod@parse)), visits the states one by one, evaluates invariants in each and formulas of branching time on the graph by their definition as fixpoints (Clarke, Emerson, Sistla 1986).
//! Types are checked as NuSMV does; what is not in the exported part of the language is an error.
mod eval;
mod parse;

use std::collections::{HashMap, VecDeque};

pub use eval::Value;
use eval::{Scope, belongs};
pub use parse::{Program, Term, Type, parse};

/// All that a program reaches.
#[derive(Debug, Default)]
pub struct Graph {
    /// The states.
    pub states: Vec<Vec<Value>>,
    /// Per state: where steps lead.
    pub next: Vec<Vec<usize>>,
    /// Invariants that are false somewhere.
    pub broken: Vec<String>,
    /// How many states there are in which everybody may move.
    pub resting: usize,
    /// Formulas of branching time, and whether they hold in the initial state.
    pub formulas: Vec<(String, bool)>,
}

/// Visits the states of a program, at most so many; nothing if there are more.
pub fn visit(program: &Program, most: usize) -> Result<Option<Graph>, String> {
    let names = program.variables.iter().chain(&program.inputs).map(|it| &*it.0).enumerate();
    let rows: HashMap<&str, usize> = names.map(|(row, name)| (name, row)).collect();
    let machine = Machine { program, rows: &rows };
    let mut graph = Graph::default();
    let mut numbers: HashMap<Vec<Value>, usize> = HashMap::new();
    let mut waiting = VecDeque::from([machine.start()?]);
    numbers.insert(waiting[0].clone(), 0);
    while let Some(state) = waiting.pop_front() {
        let mut targets = Vec::new();
        for next in machine.successors(&state)? {
            let fresh = numbers.len();
            targets.push(*numbers.entry(next.clone()).or_insert(fresh));
            if numbers.len() > fresh {
                waiting.push_back(next);
            }
        }
        if targets.is_empty() {
            return Err(format!("nothing happens after {state:?}"));
        }
        machine.judge(&state, &mut graph)?;
        graph.states.push(state);
        graph.next.push(targets);
        if graph.states.len() > most {
            return Ok(None);
        }
    }
    machine.formulas(&mut graph)?;
    Ok(Some(graph))
}

struct Machine<'p> {
    program: &'p Program,
    rows: &'p HashMap<&'p str, usize>,
}

impl<'p> Machine<'p> {
    fn scope(&self, values: Vec<Value>) -> Scope<'p> {
        Scope { program: self.program, values, known: HashMap::new(), rows: self.rows }
    }

    fn start(&self) -> Result<Vec<Value>, String> {
        self.assigned(&self.program.first, &mut self.scope(Vec::new()))
    }

    /// What an assignment gives to every variable.
    fn assigned(&self, list: &'p HashMap<String, Term>, scope: &mut Scope<'p>) -> Result<Vec<Value>, String> {
        let mut values = Vec::new();
        for (name, ty) in &self.program.variables {
            let term = list.get(name).ok_or_else(|| format!("`{name}` has no value"))?;
            let value = scope.eval(term).map_err(|why| format!("{name}: {why}"))?;
            if !belongs(&value, ty) {
                return Err(format!("{value:?} is not of type {ty:?}, which `{name}` has"));
            }
            values.push(value);
        }
        Ok(values)
    }

    fn successors(&self, state: &[Value]) -> Result<Vec<Vec<Value>>, String> {
        let mut list = Vec::new();
        let [(_, Type::Names(steps))] = &self.program.inputs[..] else { return Err("one input is expected".into()) };
        let mut scope = self.scope(state.to_vec());
        for step in steps {
            scope.values.truncate(state.len());
            scope.values.push(Value::Name(step.clone()));
            let possible: Vec<bool> =
                self.program.transitions.iter().map(|it| scope.test(it)).collect::<Result<_, _>>()?;
            if possible.iter().all(|it| *it) {
                list.push(self.assigned(&self.program.next, &mut scope)?);
            }
        }
        Ok(list)
    }

    /// Whether everybody may move: where the constraint of fairness would be true.
    fn rests(&self, scope: &mut Scope<'p>) -> Result<bool, String> {
        self.program.definitions.get("rest").map_or(Ok(true), |it| scope.test(it))
    }

    fn judge(&self, state: &[Value], graph: &mut Graph) -> Result<(), String> {
        let mut scope = self.scope(state.to_vec());
        graph.resting += usize::from(self.rests(&mut scope)?);
        for (name, invariant) in &self.program.invariants {
            if !scope.test(invariant).map_err(|why| format!("{name}: {why}"))? && !graph.broken.contains(name) {
                graph.broken.push(name.clone());
            }
        }
        Ok(())
    }

    // Branching time.

    fn formulas(&self, graph: &mut Graph) -> Result<(), String> {
        for (name, formula) in &self.program.branching {
            let holds = self.label(formula, graph)?[0];
            graph.formulas.push((name.clone(), holds));
        }
        Ok(())
    }

    /// Where a formula holds.
    fn label(&self, formula: &'p Term, graph: &Graph) -> Result<Vec<bool>, String> {
        let both = |one: Vec<bool>, two: Vec<bool>, apply: fn(bool, bool) -> bool| -> Vec<bool> {
            one.into_iter().zip(two).map(|(a, b)| apply(a, b)).collect()
        };
        match formula {
            Term::Unary(operator, f) if operator == "!" => Ok(opposite(self.label(f, graph)?)),
            Term::Binary(operator, f, g) if matches!(&**operator, "&" | "|" | "->" | "<->") => {
                let (f, g) = (self.label(f, graph)?, self.label(g, graph)?);
                Ok(match &**operator {
                    "&" => both(f, g, |a, b| a && b),
                    "|" => both(f, g, |a, b| a || b),
                    "->" => both(f, g, |a, b| !a || b),
                    _ => both(f, g, |a, b| a == b),
                })
            }
            Term::Unary(operator, f) if operator.len() == 2 => {
                let f = self.label(f, graph)?;
                let all = vec![true; f.len()];
                Ok(match &**operator {
                    "EX" => some_next(&f, graph),
                    "AX" => opposite(some_next(&opposite(f), graph)),
                    "EF" => some_until(&all, &f, graph),
                    "AG" => opposite(some_until(&all, &opposite(f), graph)),
                    "EG" => some_always(&f, graph),
                    _ => opposite(some_always(&opposite(f), graph)),
                })
            }
            Term::Until(is_universal, f, g) => {
                let (f, g) = (self.label(f, graph)?, self.label(g, graph)?);
                if !is_universal {
                    return Ok(some_until(&f, &g, graph));
                }
                let neither = both(f, g.clone(), |a, b| !a && !b);
                let fails = some_until(&opposite(g.clone()), &neither, graph);
                Ok(opposite(both(fails, some_always(&opposite(g), graph), |a, b| a || b)))
            }
            _ => graph.states.iter().map(|it| self.scope(it.clone()).test(formula)).collect(),
        }
    }
}

fn opposite(set: Vec<bool>) -> Vec<bool> {
    set.into_iter().map(|it| !it).collect()
}

fn some_next(set: &[bool], graph: &Graph) -> Vec<bool> {
    graph.next.iter().map(|targets| targets.iter().any(|&it| set[it])).collect()
}

/// The least set that contains `g`, and the states of `f` that lead into it.
fn some_until(f: &[bool], g: &[bool], graph: &Graph) -> Vec<bool> {
    let mut set = g.to_vec();
    loop {
        let before = some_next(&set, graph);
        let larger: Vec<bool> = (0..set.len()).map(|it| set[it] || f[it] && before[it]).collect();
        if larger == set {
            return set;
        }
        set = larger;
    }
}

/// The largest set of states of `f` that lead into it.
fn some_always(f: &[bool], graph: &Graph) -> Vec<bool> {
    let mut set = f.to_vec();
    loop {
        let before = some_next(&set, graph);
        let smaller: Vec<bool> = (0..set.len()).map(|it| set[it] && before[it]).collect();
        if smaller == set {
            return set;
        }
        set = smaller;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTER: &str = "MODULE main
VAR x : unsigned word[2]; b : boolean;
IVAR step : {stand_still, up};
DEFINE can_up := x < 0ud2_2; -- a comment
ASSIGN
  init(x) := 0ud2_0; init(b) := FALSE;
  next(x) := case step = up : x + 0ud2_1; TRUE : x; esac;
  next(b) := b;
TRANS case step = up : can_up; TRUE : !can_up; esac
INVARSPEC NAME small := x != 0ud2_2;
CTLSPEC NAME grows := (AF (x = 0ud2_2)); CTLSPEC NAME stays := E [x = 0ud2_0 U x = 0ud2_2];
";

    #[test]
    fn a_counter_counts() {
        let graph = visit(&parse(COUNTER).expect("a program"), 100).expect("types fit").expect("few states");
        assert_eq!((graph.states.len(), graph.broken), (3, vec!["small".to_string()]));
        assert_eq!(graph.formulas, [("grows".to_string(), true), ("stays".to_string(), false)]);
    }

    #[test]
    fn widths_have_to_fit() {
        let wrong = COUNTER.replace("x + 0ud2_1", "x + 0ud3_1");
        assert!(visit(&parse(&wrong).expect("a program"), 100).is_err());
        assert!(parse(&COUNTER.replace("0ud2_2", "0ud2_4")).is_err(), "too large for its width");
    }
}
