//! Predicate abstraction as a whole: what holds for the abstract model holds for the concrete one.
use std::collections::BTreeSet;
use std::time::Duration;

use abstraction::decide::{self, Procedure, Question};
use abstraction::predicates::{self, Predicates};
use abstraction::term::{Term, VarId};
use front_promela::ast::Tree;
use front_promela::{compile, lower, print};
use model::{BinaryOp, Model, Type};
use promenade::{Options, check_model};
use report::Answer;
use text::Sources;

fn read(text: &str, list: &str) -> (Tree, Model, Predicates) {
    let mut sources = Sources::default();
    let root = sources.add("a.pml", text);
    let compiled = compile(&mut sources, root, &Default::default(), &mut promenade::load::Disk);
    let model = compiled.model.unwrap_or_else(|| panic!("{text}\n{:?}", compiled.diagnostics));
    let file = sources.add("a.pred", list);
    let (predicates, wrong) = predicates::read(&mut sources, file);
    assert!(wrong.is_empty(), "{list}\n{wrong:?}");
    (compiled.tree, model, predicates)
}

/// The abstract model, printed and read again; `None` if it is refused.
fn abstracted(tree: &Tree, predicates: &Predicates) -> Option<(Model, String)> {
    let it = abstraction::abstracted(tree, predicates, &abstraction::Options::default());
    if it.diagnostics.iter().any(text::Diagnostic::is_error) {
        return None;
    }
    let text = print::tree(&it.tree);
    let (model, wrong) = lower::lower(&it.tree);
    let mut sources = Sources::default();
    let root = sources.add("b.pml", &*text);
    let again = compile(&mut sources, root, &Default::default(), &mut promenade::load::Disk);
    assert_eq!(again.tree, it.tree, "the text is not the tree:\n{text}");
    Some((model.unwrap_or_else(|| panic!("{text}\n{wrong:?}")), text))
}

/// Whether each property holds: safety, ends alone, then the formula if there is one.
fn holds(model: &Model) -> Vec<bool> {
    let question = |end_states| engine::Question { end_states, ..Default::default() };
    let answers = |end_states| {
        let options = Options { question: question(end_states), ..Options::default() };
        let report = check_model(model, "m", &Sources::default(), &options, Duration::ZERO, &mut ()).expect("a report");
        report.results.into_iter().map(|it| it.answer == Answer::Holds).collect::<Vec<bool>>()
    };
    [answers(true), answers(false)].concat()
}

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % most
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn value(&mut self) -> String {
        let read = self.of(&["x", "y", "x", "y", "k", "a[0]", "a[k & 1]"]);
        let op = self.of(&["+", "-", "*", "&", "/", "%", ">>"]);
        match self.below(4) {
            0 => self.below(4).to_string(),
            1 => read.to_string(),
            _ => format!("{read} {op} {}", self.below(4)),
        }
    }

    fn condition(&mut self) -> String {
        let op = self.of(&["<", "<=", "==", "!=", ">"]);
        let one = format!("{} {op} {}", self.value(), self.below(5));
        match self.below(3) {
            0 => format!("({one}) {} {}", self.of(&["&&", "||"]), self.of(&["k == 1", "k < 2", "x == y", "x < 3"])),
            _ => one,
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        let target = self.of(&["x", "y", "a[0]", "a[1]", "a[k & 1]"]);
        match self.below(if depth > 1 { 6 } else { 11 }) {
            4 if self.below(3) > 0 => "k = 0".into(),
            0 => format!("{target}++"),
            1 | 2 => format!("{target} = {}", self.value()),
            3 => "k = (k + 1) % 3".into(),
            4 => format!("assert({})", self.condition()),
            5 => self.condition(),
            6 => format!(
                "if :: {} -> {} :: else -> {} fi",
                self.condition(),
                self.statement(depth + 1),
                self.statement(depth + 1)
            ),
            7 => format!(
                "if :: {} -> {} :: {} -> {} fi",
                self.condition(),
                self.statement(depth + 1),
                self.condition(),
                self.statement(depth + 1)
            ),
            8 => format!(
                "do :: {} -> {} :: {} -> break od",
                self.condition(),
                self.statement(depth + 1),
                self.condition()
            ),
            9 => format!("atomic {{ {}; {} }}", self.statement(depth + 1), self.statement(depth + 1)),
            _ => format!("d_step {{ {}; x = y + 1; y = x }}", self.condition()),
        }
    }

    fn model(&mut self) -> String {
        let ty = self.of(&["unsigned x : 3, y : 2", "unsigned x : 2, y : 3", "bit x, y"]);
        let mut text = format!("{ty}; byte k; unsigned b : 2; bool a[2];\n");
        for name in ["P", "Q"] {
            let count = 2 + self.below(3);
            let body: Vec<String> = (0..count).map(|_| self.statement(0)).collect();
            text += &format!("active proctype {name}() {{\n  {}\n}}\n", body.join(";\n  "));
        }
        if self.below(2) == 0 {
            text += &format!("ltl {{ {} ({}) }}\n", self.of(&["[]", "<>", "[]<>", "<>[]"]), self.condition());
        }
        text
    }

    fn predicates(&mut self) -> String {
        let mut text = String::from("abstract x, y, a\n");
        for _ in 0..1 + self.below(4) {
            text += &format!("{}\n", self.condition().replace("a[k & 1]", "x").replace("a[0]", "y").replace("k", "x"));
        }
        text
    }
}

/// How many random pairs are tried.
fn pairs() -> u64 {
    std::env::var("ABSTRACTION_PAIRS").ok().and_then(|it| it.parse().ok()).unwrap_or(400)
}

#[test]
fn what_holds_for_the_abstract_model_holds_for_the_concrete_one() {
    let (mut proved, mut refused, mut open) = (0, 0, 0);
    for seed in 0..pairs() {
        let mut random = Random(seed * 7919 + 1);
        (0..3).for_each(|_| _ = random.below(2));
        let (text, list) = (random.model(), random.predicates());
        let (tree, model, predicates) = read(&text, &list);
        match abstracted(&tree, &predicates) {
            None => refused += 1,
            Some((smaller, shown)) => {
                for (smaller, concrete) in holds(&smaller).into_iter().zip(holds(&model)) {
                    assert!(concrete || !smaller, "seed {seed}\n{text}\n{list}\n{shown}");
                    proved += u64::from(smaller);
                    open += u64::from(concrete && !smaller);
                }
            }
        }
    }
    println!("proved {proved}, open {open}, refused {refused}");
    assert!(proved > 100 && open > 20, "proved {proved}, open {open}, refused {refused}");
}

/// Terms over small variables, compared with trying all their values.
#[test]
fn the_procedures_give_what_trying_all_values_gives() {
    let types = [Type::Unsigned { bits: 3 }, Type::Unsigned { bits: 2 }];
    let of = |id: VarId| types[id.0 as usize];
    let mut random = Random(5);
    for _ in 0..150 {
        let conditions: Vec<Term> = (0..3).map(|_| term(&mut random, 3)).collect();
        let mut expected = BTreeSet::new();
        for (x, y) in (0..8).flat_map(|x| (0..4).map(move |y| (x, y))) {
            expected
                .insert(conditions.iter().map(|it| it.value(&|id| [x, y][id.0 as usize]) != 0).collect::<Vec<bool>>());
        }
        let question = Question { types: &of, assume: &[], conditions: &conditions, most: 100 };
        assert_eq!(Procedure::Own.feasible(&question), Ok(expected.clone()), "{conditions:?}");
        if decide::is_installed("z3") {
            assert_eq!(Procedure::Smt("z3".into()).feasible(&question), Ok(expected), "{conditions:?}");
        }
    }
}

fn term(random: &mut Random, depth: usize) -> Term {
    use BinaryOp::*;
    let ops = [Or, And, BitOr, BitXor, BitAnd, Eq, Ne, Lt, Le, Gt, Ge, Shl, Shr, Add, Sub, Mul, Div, Rem];
    match random.below(if depth == 0 { 2 } else { 6 }) {
        0 => Term::Constant(random.below(9) as i32 - 4),
        1 => Term::Variable(VarId(random.below(2) as u32)),
        2 => Term::unary(model::UnaryOp::Negate, term(random, depth - 1)),
        3 => term(random, depth - 1).stored([Type::BYTE, Type::Short, Type::BIT][random.below(3)]),
        _ => Term::binary(ops[random.below(ops.len())], term(random, depth - 1), term(random, depth - 1)),
    }
}

/// The statement that stands for each statement, for the predicate that a variable is negative.
fn table(ty: &str) -> Vec<String> {
    let text = format!("{ty} x; active proctype P() {{ x = 0; x++; x > 5 }}");
    let (tree, _, predicates) = read(&text, "neg_x := x < 0");
    let it = abstraction::abstracted(&tree, &predicates, &abstraction::Options::default());
    let front_promela::ast::Unit::Process(process) = &it.tree.units[1] else { panic!("a process") };
    process.body.statements.iter().map(print::statement).collect()
}

#[test]
fn the_table_of_the_sign_is_computed() {
    // x = 0 makes it false; x > 5 is false where it is true, and may be either where it is not. After x++ it may be
    // either where it was true, and, because the largest number is followed by the smallest, where it was false.
    assert_eq!(
        table("int"),
        ["neg_x = 0", "if :: neg_x = 0 :: neg_x = 1 fi", "if :: !neg_x :: !neg_x -> waits_1: false fi"]
    );
}

#[test]
fn without_the_largest_number_the_sign_stays() {
    let (tree, _, predicates) = read("int x; active proctype P() { x++ }", "neg_x := x < 0\nmax := x == 2147483647");
    let (model, text) = abstracted(&tree, &predicates).expect("an abstraction");
    assert_eq!(model.processes.len(), 1);
    // Only from the largest number does it become negative from not being so.
    assert!(text.contains("max || neg_x;"), "{text}");
}
