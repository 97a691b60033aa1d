//! What formulas mean on graphs: normal forms, plans and laws.
use ctl::{Base, Formula, Graph, Part, Plan, Question, Reach, parse};

use crate::chance::{Chance, small_formulas};

/// All small formulas on some graphs, and larger ones on many.
fn on_all(mut check: impl FnMut(&Graph, &Formula)) {
    let mut chance = Chance(11);
    let small = small_formulas();
    for row in 0..60 {
        let graph = chance.graph(row % 3);
        small.iter().for_each(|it| check(&graph, it));
    }
    for row in 0..3_000 {
        let (graph, formula) = (chance.graph(row % 3), chance.formula(3));
        check(&graph, &formula);
    }
}

#[test]
fn the_normal_form_means_the_same() {
    on_all(|graph, formula| {
        let normal = formula.negation_normal_form();
        assert_eq!(graph.states(formula), graph.states(&normal), "{formula} is not {normal} on {graph:?}");
    });
}

/// A formula made of nothing but what the base has.
fn from_base(base: &Base, row: usize) -> Formula {
    let of = |row: usize| from_base(base, row);
    match base.parts()[row] {
        Part::True => Formula::constant(true),
        Part::Atom(atom) => Formula::atom(atom),
        Part::Not(f) => of(f).negated(),
        Part::And(f, g) => of(f).and(of(g)),
        Part::Or(f, g) => of(f).or(of(g)),
        Part::Next(f) => of(f).some_next(),
        Part::Until(f, g) => of(f).some_until(of(g)),
        Part::Globally(f) => of(f).some_globally(),
    }
}

#[test]
fn three_operators_are_enough() {
    on_all(|graph, formula| {
        let mut base = Base::default();
        let row = base.add(formula);
        let same = from_base(&base, row);
        assert_eq!(graph.states(formula), graph.states(&same), "{formula} is not {same} on {graph:?}");
    });
}

#[test]
fn forward_is_backward() {
    let mut negative = 0;
    on_all(|graph, formula| {
        let (forward, backward) = (graph.answers(&Plan::new(formula)), graph.satisfies(formula));
        assert_eq!(forward, backward, "{formula} on {graph:?}: {:?}", Plan::new(formula));
        negative += u32::from(!backward);
    });
    assert!(negative > 5_000, "only {negative} formulas are false");
}

/// A plan in which ways are not restricted any more.
fn unrestricted(reach: &Reach) -> Reach {
    match reach {
        Reach::Initial => Reach::Initial,
        Reach::Meet(reach, f) => Reach::Meet(Box::new(unrestricted(reach)), f.clone()),
        Reach::Next(reach) => Reach::Next(Box::new(unrestricted(reach))),
        Reach::Until(reach, _) => Reach::Until(Box::new(unrestricted(reach)), Formula::constant(true)),
    }
}

/// A test of the test: plans that are wrong on purpose give other answers.
#[test]
fn plans_that_are_wrong_are_noticed() {
    let (mut loose, mut unfair, mut endless) = (0, 0, 0);
    on_all(|graph, formula| {
        let plan = Plan::new(formula);
        let differs = |change: &dyn Fn(&Question) -> Question| {
            let questions = plan.questions.iter().map(change).collect();
            u32::from(graph.answers(&Plan { questions }) != graph.satisfies(formula))
        };
        loose += differs(&|it| match it.clone() {
            Question::NoState { reach, condition, fair } => {
                Question::NoState { reach: unrestricted(&reach), condition, fair }
            }
            Question::NoCycle { reach, condition } => Question::NoCycle { reach: unrestricted(&reach), condition },
        });
        unfair += differs(&|it| match it.clone() {
            Question::NoState { reach, condition, .. } => Question::NoState { reach, condition, fair: false },
            other => other,
        });
        endless += differs(&|it| match it.clone() {
            Question::NoCycle { reach, condition } => Question::NoState { reach, condition, fair: false },
            other => other,
        });
    });
    assert!(loose > 50 && unfair > 50 && endless > 50, "caught {loose}, {unfair}, {endless}");
}

#[test]
fn laws_hold() {
    let laws = [
        ("AG p", "!EF !p"),
        ("AF p", "A[true U p]"),
        ("EG p", "E[p W false]"),
        ("AX p", "!EX !p"),
        ("EF p", "E[true U p]"),
        ("A[p W q]", "!E[!q U !p & !q]"),
        ("E[p W q]", "E[p U q] | EG p"),
        ("A[p U q]", "A[p W q] & AF q"),
        ("AG AG p", "AG p"),
        ("EF EF p", "EF p"),
    ];
    let mut chance = Chance(3);
    for row in 0..600 {
        let graph = chance.graph(row % 3);
        for (left, right) in laws {
            let mut names = vec!["p".to_string(), "q".to_string()];
            let mut states = |text| graph.states(&parse(text, &mut names).expect("a formula"));
            assert_eq!(states(left), states(right), "{left} is not {right} on {graph:?}");
        }
    }
}

/// 0 → 1 → 2, 0 → 0, 2 → 2; p in 0 and 1, q in 2.
fn example() -> Graph {
    Graph {
        edges: vec![vec![0, 1], vec![2], vec![2]],
        labels: vec![1, 1, 2],
        initial: vec![0],
        constraints: Vec::new(),
    }
}

#[track_caller]
fn check(graph: &Graph, formula: &str, expected: &[usize]) {
    let mut names = vec!["p".to_string(), "q".to_string()];
    let states = graph.states(&parse(formula, &mut names).expect("a formula"));
    assert_eq!((0..states.len()).filter(|&it| states[it]).collect::<Vec<_>>(), expected, "{formula}");
}

#[test]
fn states_of_an_example() {
    let graph = example();
    check(&graph, "EX q", &[1, 2]);
    check(&graph, "AX q", &[1, 2]);
    check(&graph, "AF q", &[1, 2]);
    check(&graph, "EF q", &[0, 1, 2]);
    check(&graph, "EG p", &[0]);
    check(&graph, "A[p W q]", &[0, 1, 2]);
    check(&graph, "A[p U q]", &[1, 2]);
    check(&graph, "AG EF q", &[0, 1, 2]);
}

#[test]
fn only_fair_paths_count_if_there_are_constraints() {
    let leaves = Graph { constraints: vec![[(1, 2), (2, 2)].into()], ..example() };
    check(&leaves, "AF q", &[0, 1, 2]);
    check(&leaves, "EG p", &[]);
    let stays = Graph { constraints: vec![[(0, 0)].into()], ..example() };
    check(&stays, "EX q", &[]);
    check(&stays, "AG p", &[0, 1, 2]);
    check(&stays, "EX true", &[0]);
}

#[test]
fn a_path_that_ends_is_not_for_ever() {
    let graph = Graph { edges: vec![vec![1], vec![]], labels: vec![1, 1], initial: vec![0], constraints: Vec::new() };
    check(&graph, "EG p", &[]);
    check(&graph, "EF p", &[0, 1]);
    check(&graph, "AX false", &[1]);
    check(&graph, "AF false", &[0, 1]);
}
