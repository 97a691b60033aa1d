//! Predicate abstraction as a whole: what holds for the abstract model holds for the concrete one.
use std::collections::BTreeSet;
use std::time::Duration;

use abstraction::decide::{self, Procedure, Question};
use abstraction::predicates::{self, Predicates};
use abstraction::term::{Term, VarId};
use front_promela::ast::Tree;
use front_promela::{compile, lower, print};
use model::{BinaryOp, Model, Type};
use promenade::abstraction::{Plan, Verdict, abstract_model};
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
    abstracted_by(tree, predicates, &abstraction::Options::default())
}

fn abstracted_by(tree: &Tree, predicates: &Predicates, options: &abstraction::Options) -> Option<(Model, String)> {
    let it = abstraction::abstracted(tree, predicates, options);
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

/// The first seeds for which an abstraction that forgets outcomes proves what is wrong.
#[test]
fn an_abstraction_that_forgets_outcomes_is_caught() {
    let broken = abstraction::Options { forgets_outcomes: true, ..abstraction::Options::default() };
    let caught = (0..60).filter(|seed| {
        let mut random = Random(seed * 7919 + 1);
        (0..3).for_each(|_| _ = random.below(2));
        let (text, list) = (random.model(), random.predicates());
        let (tree, model, predicates) = read(&text, &list);
        let smaller = abstracted_by(&tree, &predicates, &broken).map(|it| it.0);
        smaller
            .is_some_and(|it| holds(&it).into_iter().zip(holds(&model)).any(|(smaller, concrete)| smaller && !concrete))
    });
    assert!(caught.count() > 0, "60 pairs do not notice it");
}

/// Numbers of 32 and 16 bits cannot be tried one by one; two procedures that have nothing in common can be compared.
#[test]
fn the_procedures_agree_on_wide_numbers() {
    let types = [Type::Int, Type::Short];
    let of = |id: VarId| types[id.0 as usize];
    let mut random = Random(17);
    let mut compared = 0;
    for _ in 0..40 {
        let conditions: Vec<Term> = (0..2).map(|_| linear(&mut random, 3)).collect();
        let question = Question { types: &of, assume: &[], conditions: &conditions, most: 100 };
        let own = Procedure::Own.feasible(&question);
        for solver in ["z3", "cvc5"].into_iter().filter(|it| decide::is_installed(it)) {
            assert_eq!(own, Procedure::Smt(solver.into()).feasible(&question), "{solver}: {conditions:?}");
            compared += 1;
        }
    }
    println!("{compared} questions were asked of a solver, too");
}

/// Without products and quotients, which take long with 32 bits.
fn linear(random: &mut Random, depth: usize) -> Term {
    use BinaryOp::*;
    let ops = [Or, And, BitXor, BitAnd, Eq, Ne, Lt, Le, Gt, Ge, Add, Sub];
    match random.below(if depth == 0 { 2 } else { 5 }) {
        0 => Term::Constant((random.below(9) as i32 - 4).wrapping_mul(0x1555_5555)),
        1 => Term::Variable(VarId(random.below(2) as u32)),
        2 => linear(random, depth - 1).stored([Type::BYTE, Type::Short, Type::BIT][random.below(3)]),
        _ => Term::binary(ops[random.below(ops.len())], linear(random, depth - 1), linear(random, depth - 1)),
    }
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
        for solver in ["z3", "cvc5"].into_iter().filter(|it| decide::is_installed(it)) {
            let answer = Procedure::Smt(solver.into()).feasible(&question);
            assert_eq!(answer, Ok(expected.clone()), "{solver}: {conditions:?}");
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

/// Whether a program about `x` that begins with this value can pass a statement, and end with `x` negative and not: for the abstract model.
fn can(first: i32, statement: &str, list: &str) -> (bool, bool, bool) {
    let question = |end_states| engine::Question { end_states, ..Default::default() };
    let holds = |last: &str, end_states| {
        let text = format!("int x = {first}; active proctype P() {{ {statement}; {last} }}");
        let (tree, _, predicates) = read(&text, list);
        let (model, _) = abstracted(&tree, &predicates).expect("an abstraction");
        let options = Options { question: question(end_states), ..Options::default() };
        let report =
            check_model(&model, "m", &Sources::default(), &options, Duration::ZERO, &mut ()).expect("a report");
        report.results[0].answer == Answer::Holds
    };
    (!holds("assert(x >= 0)", false), !holds("assert(x < 0)", false), !holds("skip", true))
}

/// Table 1 of Software model checking (2000): what each statement does where `neg_x` is true, and where it is not. Each entry: it can be true afterwards, it
/// can be false afterwards, the statement may have to wait.
#[test]
fn table_1_is_computed() {
    let list = "neg_x := x < 0\nassume x < 2147483647";
    let (no, yes) = (false, true);
    // x = 0;   neg_x = false   skip
    assert_eq!(can(-3, "x = 0", list), (no, yes, no));
    assert_eq!(can(3, "x = 0", list), (no, yes, no));
    // x++;   neg_x = ND(true, false)   skip
    assert_eq!(can(-3, "x++", list), (yes, yes, no));
    assert_eq!(can(3, "x++", list), (no, yes, no));
    // (x > 5)   false   ND(true, false)
    assert_eq!(can(-3, "(x > 5)", list), (no, no, yes));
    assert_eq!(can(3, "(x > 5)", list), (no, yes, yes));
    // Where numbers have 32 bits, one entry is not true: the largest is followed by the smallest.
    assert_eq!(can(3, "x++", "neg_x := x < 0"), (yes, yes, no));
}

/// Checks the abstraction of a text, with refinement if there may be rounds.
fn verdict(name: &str, text: &str, list: &str, rounds: usize) -> (Verdict, usize) {
    verdict_if_any(name, text, list, rounds).unwrap_or_else(|| panic!("{text} is refused"))
}

fn verdict_if_any(name: &str, text: &str, list: &str, rounds: usize) -> Option<(Verdict, usize)> {
    let file = std::env::temp_dir().join(format!("prom-{}-{name}.pred", std::process::id()));
    std::fs::write(&file, list).expect("a file");
    let input = promenade::Input::Bytes { name: "a.pml".into(), bytes: text.as_bytes().to_vec() };
    let options = abstraction::Options::default();
    let plan = Plan { options, check: Options::default(), checks: true, rounds, most_predicates: 24 };
    let done = abstract_model(&input, &file, &plan, &mut ());
    std::fs::remove_file(file).expect("it was there");
    done.verdict.map(|it| (it, done.rounds))
}

/// Counts to 5 and then turns round for ever.
const TURNS: &str = "int n; bool odd; active proctype P() { do :: n < 5 -> n++ :: n >= 5 -> odd = !odd od }\n";

#[test]
fn an_endless_counterexample_is_certain_or_breaks_at_a_step() {
    // Concretely n is 5 in the end; abstractly it may stay below 5 for ever.
    let reaches = format!("{TURNS} ltl p {{ <> (n == 5) }}");
    let (it, _) = verdict("reaches", &reaches, "small := n < 5", 0);
    assert!(matches!(&it, Verdict::Spurious(at) if at.contains("step")), "{it:?}");
    let (it, rounds) = verdict("refined", &reaches, "small := n < 5", 20);
    assert!(matches!(it, Verdict::Holds) && rounds > 1, "{it:?} after {rounds}");
    // That n becomes 9 is wrong, and the cycle is one of the concrete model.
    let never = format!("{TURNS} ltl p {{ <> (n == 9) }}");
    let (it, _) = verdict("never", &never, "small := n < 5\nnine := n == 9\nfive := n == 5", 20);
    let Verdict::Violated(violation) = it else { panic!("{it:?}") };
    assert!(violation.cycle_start.is_some(), "{violation:?}");
    // What is seen after finitely many steps.
    let bound = format!("{TURNS} ltl p {{ [] (n < 3) }}");
    let (it, _) = verdict("bound", &bound, "few := n < 3", 20);
    assert!(matches!(it, Verdict::Violated(_)), "{it:?}");
}

#[test]
fn what_is_assumed_is_told() {
    let text = "int x = 3; active proctype P() { x++; assert(x >= 0) }";
    let (it, _) = verdict("assumed", text, "neg_x := x < 0\nassume x < 2147483647", 0);
    assert!(matches!(it, Verdict::Holds), "{it:?}");
    let (it, _) = verdict("unassumed", text, "neg_x := x < 0", 0);
    assert!(matches!(it, Verdict::Spurious(_)), "{it:?}");
}

/// Whatever refinement says about random models is true of them.
#[test]
fn verdicts_of_refinement_are_those_of_the_concrete_model() {
    let (mut proved, mut certain, mut open) = (0, 0, 0);
    for seed in 0..80 {
        let mut random = Random(seed * 104_729 + 3);
        (0..3).for_each(|_| _ = random.below(2));
        let (text, list) = (random.model(), random.predicates());
        let (tree, model, predicates) = read(&text, &list);
        if abstracted(&tree, &predicates).is_none() {
            continue;
        }
        let is_right = answers(&model).into_iter().all(|it| it == Answer::Holds);
        match verdict_if_any(&format!("random{seed}"), &text, &list, 4) {
            Some((Verdict::Holds, _)) => {
                assert!(is_right, "seed {seed} holds only abstractly\n{text}\n{list}");
                proved += 1;
            }
            Some((Verdict::Violated(it), _)) => {
                assert!(!is_right, "seed {seed} is not violated: {}\n{text}\n{list}", it.message);
                certain += 1;
            }
            Some((Verdict::Spurious(_) | Verdict::Unknown(_), _)) | None => open += 1,
        }
    }
    println!("proved {proved}, certain {certain}, open {open}");
    assert!(proved > 5 && certain > 5, "proved {proved}, certain {certain}, open {open}");
}

fn answers(model: &Model) -> Vec<Answer> {
    let options = Options::default();
    let report = check_model(model, "m", &Sources::default(), &options, Duration::ZERO, &mut ()).expect("a report");
    report.results.into_iter().map(|it| it.answer).collect()
}
