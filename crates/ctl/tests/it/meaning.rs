//! What formulas mean on graphs: normal forms, plans and laws.
use ctl::regular::inevitable;
use ctl::{
    Actions, Base, Formula, Graph, Node, Numbered, Part, Path, Plan, Quantifier, Question, Reach, parse, parse_with,
};

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
    // Constraints do not matter to restricted paths, so they do not go together.
    for row in 0..4_000 {
        let (graph, formula) = (chance.graph(0), chance.restricted_formula(1 + row % 4));
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
        Part::Next(by, f) => some(base, by, Path::Next(of(f))),
        Part::Until(by, f, g) => some(base, by, Path::Until(of(f), of(g))),
        Part::Globally(by, f) => match base.actions(by) {
            None => of(f).some_globally(),
            // Where there is always a further step, no path ends.
            Some(it) => {
                let goes_on = of(f).and(Formula::constant(true).some_next_by(it.clone()));
                some(base, by, Path::Globally(goes_on))
            }
        },
    }
}

fn some(base: &Base, by: Option<usize>, path: Path) -> Formula {
    Formula::path(Quantifier { is_universal: false, actions: base.actions(by).cloned() }, path)
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
        Reach::Next(reach, by) => Reach::Next(Box::new(unrestricted(reach)), by.clone()),
        Reach::Until(reach, by, _) => Reach::Until(Box::new(unrestricted(reach)), by.clone(), Formula::constant(true)),
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
            Question::NoCycle { reach, by, condition } => {
                Question::NoCycle { reach: unrestricted(&reach), by, condition }
            }
        });
        unfair += differs(&|it| match it.clone() {
            Question::NoState { reach, condition, .. } => Question::NoState { reach, condition, fair: false },
            other => other,
        });
        endless += differs(&|it| match it.clone() {
            Question::NoCycle { reach, condition, .. } => Question::NoState { reach, condition, fair: false },
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
    Graph { edges: vec![vec![0, 1], vec![2], vec![2]], labels: vec![1, 1, 2], initial: vec![0], ..Graph::default() }
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
    let graph = Graph { edges: vec![vec![1], vec![]], labels: vec![1, 1], initial: vec![0], ..Graph::default() };
    check(&graph, "EG p", &[]);
    check(&graph, "EF p", &[0, 1]);
    check(&graph, "AX false", &[1]);
    check(&graph, "AF false", &[0, 1]);
}

/// 0 -a-> 1 -b-> 2, 0 -c-> 0, 2 stands still; p in 0 and 1, q in 2.
fn with_actions() -> Graph {
    let (a, b, c) = (Some(0), Some(1), Some(2));
    Graph {
        edges: vec![vec![0, 1], vec![2], vec![2]],
        steps: vec![vec![(a, 1), (c, 0)], vec![(b, 2)], vec![]],
        labels: vec![1, 1, 2],
        initial: vec![0],
        ..Graph::default()
    }
}

#[track_caller]
fn by_actions(formula: &str, expected: &[usize]) {
    let (graph, actions) = (with_actions(), ["a", "b", "c"].map(String::from));
    let mut atoms = vec!["p".to_string(), "q".to_string()];
    let formula = parse_with(formula, &mut Numbered { atoms: &mut atoms, actions: &actions }).expect("a formula");
    let states = graph.states(&formula);
    assert_eq!((0..states.len()).filter(|&it| states[it]).collect::<Vec<_>>(), expected, "{formula}");
}

#[test]
fn next_is_strong_for_some_and_weak_for_all() {
    by_actions("EAX(b) true", &[1]);
    by_actions("AAX(b) q", &[0, 1, 2]);
    by_actions("AASX(b) q", &[1]);
    by_actions("EAWX(b) false", &[0, 2]);
    by_actions("AAX(a | c) p", &[0, 1, 2]);
    // To stand still is no step.
    by_actions("EAX(true) true", &[0, 1]);
    by_actions("EX true", &[0, 1, 2]);
}

#[test]
fn a_restricted_path_that_ends_counts() {
    by_actions("EAG(a) p", &[0, 1]);
    by_actions("AAF(a) q", &[2]);
    by_actions("AAF(a | b) q", &[0, 1, 2]);
    by_actions("AAF(!c) q", &[0, 1, 2]);
    by_actions("AAF(true) q", &[1, 2]);
    by_actions("AAG(a) p", &[0, 1]);
    by_actions("EA(!b)[p U q]", &[2]);
    by_actions("AA(c)[p W false]", &[0, 1]);
}

#[test]
fn regular_formulas_speak_of_sequences() {
    by_actions("[a.b] q", &[0, 1, 2]);
    by_actions("<a.b> q", &[0]);
    by_actions("<true*.b> q", &[0, 1]);
    by_actions("[true*.a.(not c)*.c] false", &[0, 1, 2]);
    by_actions("[c+.a] false", &[1, 2]);
    by_actions("<a?> EAX(b) true", &[0, 1]);
    by_actions("inev(a, b, q)", &[1]);
    by_actions("inev(a | c, b, q)", &[1]);
    by_actions("inev(not b, b, true)", &[1]);
}

/// `inev` by its own fixpoint.
fn inevitably(graph: &Graph, before: &Actions, last: &Actions, f: &[bool]) -> Vec<bool> {
    let mut set = vec![false; f.len()];
    loop {
        let well = |(action, to): &(Option<u32>, usize)| match () {
            () if last.contains(*action) => f[*to],
            () => before.contains(*action) && set[*to],
        };
        let next: Vec<bool> = graph.steps.iter().map(|it| !it.is_empty() && it.iter().all(well)).collect();
        if next == set {
            return set;
        }
        set = next;
    }
}

#[test]
fn what_is_inevitable_is_a_least_fixpoint() {
    let mut chance = Chance(8);
    let mut some = 0;
    for _ in 0..3_000 {
        let (graph, before, last) = (chance.graph(0), chance.actions(), chance.actions());
        let formula = inevitable(&before, &last, Formula::atom(0));
        let expected = inevitably(&graph, &before, &last, &graph.states(&Formula::atom(0)));
        some += usize::from(expected.contains(&true));
        assert_eq!(graph.states(&formula), expected, "{formula} on {graph:?}");
    }
    assert!(some > 300, "only {some}");
}

/// A test of the test: `AAX` in the strong reading and `EAX` in the weak one are something else.
#[test]
fn weak_and_strong_next_are_told_apart() {
    fn swapped(formula: &Formula) -> Formula {
        let Node::Path(quantifier @ Quantifier { actions: Some(actions), .. }, Path::Next(f)) = formula.node() else {
            return formula.clone();
        };
        let (f, actions) = (f.clone(), actions.clone());
        match quantifier.is_universal {
            true => f.all_next_by(actions.clone()).and(Formula::constant(true).some_next_by(actions)),
            false => f.some_next_by(actions.clone()).or(Formula::constant(false).all_next_by(actions)),
        }
    }
    let (mut chance, mut caught) = (Chance(4), 0);
    for _ in 0..1_000 {
        let (graph, formula) = (chance.graph(0), chance.restricted_formula(1));
        caught += usize::from(graph.states(&formula) != graph.states(&swapped(&formula)));
    }
    assert!(caught > 50, "only {caught}");
}
