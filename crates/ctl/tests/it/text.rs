//! Formulas from text and back.
use ctl::{Formula, Numbered, Plan, parse, parse_with};

use crate::chance::{Chance, small_formulas};

fn actions() -> Vec<String> {
    ["a", "b", "ERR", "INF !TURNED", "INF !TESTED !TRUE", "INF !TESTED !FALSE", "turn[2]"].map(String::from).to_vec()
}

fn restriction(by: &Option<ctl::Actions>) -> String {
    by.as_ref().map_or(String::new(), |it| format!("[{}]", it.text(&actions())))
}

fn read(text: &str) -> (Formula, Vec<String>) {
    let mut names = Vec::new();
    let formula = parse_with(text, &mut Numbered { atoms: &mut names, actions: &actions() });
    (formula.unwrap_or_else(|error| panic!("{text}: {error}")), names)
}

/// What is written back.
#[track_caller]
fn check(text: &str, expected: &str) {
    let (formula, names) = read(text);
    assert_eq!(formula.text_with(&names, &actions()), expected);
}

/// The negation normal form.
#[track_caller]
fn normal(text: &str, expected: &str) {
    let (formula, names) = read(text);
    assert_eq!(formula.negation_normal_form().text_with(&names, &actions()), expected);
}

#[track_caller]
fn wrong(text: &str, at: usize, message: &str) {
    let error = parse_with(text, &mut Numbered { atoms: &mut Vec::new(), actions: &actions() });
    let error = error.expect_err("not a formula");
    assert_eq!((error.at, &*error.message), (at, message));
}

#[test]
fn operators_bind_as_documented() {
    check("AG (p -> AF q)", "AG (p -> AF q)");
    check("AG p -> AF q", "AG p -> AF q");
    check("p -> q -> r", "p -> q -> r");
    check("(p -> q) -> r", "(p -> q) -> r");
    check("a & b | c & d -> e <-> f", "a && b || c && d -> e <-> f");
    check("a & (b | c)", "a && (b || c)");
    check("!EX !p", "!EX !p");
    check("! (p and not q)", "!(p && !q)");
    check("A[p U q] & E [ p W E[q U r] ]", "A[p U q] && E[p W E[q U r]]");
    check("A[p -> q U q | r]", "A[p -> q U q || r]");
    check("TRUE & FALSE | 1 | 0", "true && false || true || false");
}

#[test]
fn names_with_blanks_stand_in_parentheses() {
    let names = ["x == 1".to_string(), "done".to_string()];
    let formula = Formula::atom(0).and(Formula::atom(1)).all_globally();
    assert_eq!(formula.text(&names), "AG ((x == 1) && done)");
    assert_eq!(Formula::atom(0).some_until(Formula::atom(1)).text(&names), "E[x == 1 U done]");
    assert_eq!(Formula::atom(7).text(&names), "p7");
}

#[test]
fn negations_go_down_to_atoms() {
    normal("!AG (p -> AF q)", "EF (p && EG !q)");
    normal("!A[p U q]", "E[!q W !p && !q]");
    normal("!E[p W q]", "A[!q U !p && !q]");
    normal("!E[p U q]", "A[!q W !p && !q]");
    normal("!(EX p <-> AX q)", "AX !p && AX q || EX p && EX !q");
    normal("p <-> q", "p && q || !p && !q");
    normal("!!p & !true", "p && false");
}

#[test]
fn what_is_not_a_formula_is_refused_where_it_goes_wrong() {
    wrong("AG", 2, "the formula ends too early");
    wrong("p U q", 2, "`U` is not expected here");
    wrong("A p", 2, "`[` is missing");
    wrong("A[p q]", 4, "`U` or `W` is missing");
    wrong("E[p U q", 7, "`]` is missing");
    wrong("(p", 2, "`)` is missing");
    wrong("p & § q", 4, "`§` means nothing here");
    wrong("& p", 0, "`&` cannot start a formula");
    wrong("", 0, "the formula ends too early");
    let deep = "!".repeat(100_000);
    assert!(parse(&deep, &mut Vec::new()).expect_err("too deep").message.contains("nested deeper"));
}

#[test]
fn what_is_written_is_read_again() {
    let names: Vec<String> = ["p", "q"].map(String::from).to_vec();
    let mut chance = Chance(5);
    let random = (0..2_000).map(|row| chance.formula(1 + row % 5));
    let mut other = Chance(6);
    let restricted = (0..2_000).map(|row| other.restricted_formula(1 + row % 5));
    for formula in small_formulas().into_iter().chain(random).chain(restricted) {
        let text = formula.text_with(&names, &actions());
        let again = parse_with(&text, &mut Numbered { atoms: &mut names.clone(), actions: &actions() });
        assert_eq!(again, Ok(formula), "{text}");
    }
}

#[test]
fn parts_are_shared() {
    let mut base = ctl::Base::default();
    let row = base.add(&read("AG p & AG p & !EF !p").0);
    let again = base.add(&read("AG p").0);
    // p, !p, true, EF !p, !EF !p, and two conjunctions.
    assert_eq!((base.parts().len(), again < row), (7, true));
}

/// The questions of a plan, as text.
#[track_caller]
fn plan(text: &str, expected: &str, is_forward: bool) {
    let (formula, names) = read(text);
    let plan = Plan::new(&formula);
    let questions: Vec<String> = plan.questions.iter().map(|it| question(it, &names)).collect();
    assert_eq!((questions.join("; "), plan.is_forward()), (expected.to_string(), is_forward));
}

fn question(it: &ctl::Question, names: &[String]) -> String {
    match it {
        ctl::Question::NoState { reach, condition, .. } => {
            format!("none of {} is {}", set(reach, names), condition.text_with(names, &actions()))
        }
        ctl::Question::NoCycle { reach, condition, .. } => {
            format!("no cycle in {} of {}", set(reach, names), condition.text(names))
        }
    }
}

fn set(it: &ctl::Reach, names: &[String]) -> String {
    match it {
        ctl::Reach::Initial => "init".into(),
        ctl::Reach::Meet(reach, f) => format!("meet({}, {})", set(reach, names), f.text(names)),
        ctl::Reach::Next(reach, by) => format!("EY{}({})", restriction(by), set(reach, names)),
        ctl::Reach::Until(reach, by, f) => {
            format!("FwdUntil{}({}, {})", restriction(by), set(reach, names), f.text_with(names, &actions()))
        }
    }
}

#[test]
fn formulas_become_questions_about_what_is_reached() {
    plan("AG p", "none of FwdUntil(init, true) is !p", true);
    plan("AG (req -> AF ack)", "no cycle in FwdUntil(meet(FwdUntil(init, true), req), !ack) of !ack", true);
    plan("AG EF a", "none of FwdUntil(init, true) is AG !a", false);
    plan("AX p", "none of EY(init) is !p", true);
    plan("A[p U q]", "none of FwdUntil(init, !q) is !p && !q; no cycle in FwdUntil(init, !q) of !q", true);
    plan("!(EX p & AX q & r)", "none of EY(meet(init, AX q && r)) is p", false);
    plan("!((p & EX q) & AX r)", "none of EY(meet(meet(init, AX r), p)) is q", false);
    plan("p & q", "none of init is !p; none of init is !q", true);
    plan("AX true", "", true);
}

#[test]
fn quantifiers_are_restricted_to_actions() {
    check("EA(!INF!TURNED)[true U p]", "EA(!INF !TURNED)[true U p]");
    check("EAX(a) AAG (not (a or b)) p", "EAX(a) AAG(!(a | b)) p");
    check("AASX(turn[2]) p", "AAX(turn[2]) p && EAX(turn[2]) true");
    check("EAWX(b) p", "EAX(b) p || AAX(b) false");
    check("AA(a & !a)[p W q]", "AA(false)[p W q]");
    check("EAF(INF !TESTED.*) p", "EAF(INF !TESTED !TRUE | INF !TESTED !FALSE) p");
    check("EAF('INF !TESTED.*' | \"ERR\") p", "EAF(ERR | INF !TESTED !TRUE | INF !TESTED !FALSE) p");
    // A value is a whole one, and what follows it behind a point is the next step.
    check("[INF !TESTED !TRUE.ERR.a] p", "AAX(INF !TESTED !TRUE) AAX(ERR) AAX(a) p");
    wrong("EAF(INF !TEST.*) p", 4, "there is no action `INF!TEST`");
    wrong("EAF(INF !-) p", 10, "a value is missing");
    normal("!EA(a)[p U EAX(b) q]", "AA(a)[AAX(b) !q W !p && AAX(b) !q]");
    normal("!AAX(a) p", "EAX(a) !p");
}

#[test]
fn properties_can_be_written_as_the_paper_prints_them() {
    check(
        "[true*.INF !TESTED !TRUE.(not INF !TURNED)*.INF !TURNED.(not INF !TURNED)*.ERR] false",
        "AAG(true) AAX(INF !TESTED !TRUE) AAG(!INF !TURNED) AAX(INF !TURNED) AAG(!INF !TURNED) AAX(ERR) false",
    );
    check(
        "[true*.INF !TESTED.*] inev(not a, a, inev(not a, INF !TESTED.*, true))",
        "AAG(true) AAX(INF !TESTED !TRUE | INF !TESTED !FALSE) (AAG(!a) (EAX(true) true && AAX(a) \
         (AAG(!(a | INF !TESTED !TRUE | INF !TESTED !FALSE)) ((EAX(true) true && AAX(a) false) && \
         AAX(INF !TESTED !TRUE | INF !TESTED !FALSE) true) && \
         AAF(!(a | INF !TESTED !TRUE | INF !TESTED !FALSE)) AAX(!(a | INF !TESTED !TRUE | INF !TESTED !FALSE)) false)) && \
         AAF(!a) AAX(!a) false)",
    );
    check("<a.b | a?> p", "EAX(a) EAX(b) p || p || EAX(a) p");
}

#[test]
fn atoms_are_comparisons() {
    check("AG (x[1].y + 1 == 2 -> EF (x) > -3)", "AG ((x[1].y + 1 == 2) -> EF ((x) > -3))");
    check("1 < x && true == y", "(1 < x) && (true == y)");
    check("f(x, 1) | g", "(f(x, 1)) || g");
}

#[test]
fn wrong_actions_are_refused_where_they_stand() {
    wrong("EAX(c) p", 4, "there is no action `c`");
    wrong("EAX(INF) p", 4, "there is no action `INF`; `INF.*` would be all that begin so, as `INF !TURNED`");
    wrong("EAX a", 4, "`(` is missing");
    wrong("[(a.b)*] p", 1, "only single steps can be repeated: this logic has no word for more");
    wrong("EAX(a.b) p", 4, "only the actions of a single step can stand here");
    wrong("[a", 2, "`]` is missing");
    wrong("[] p", 1, "`]` is no action");
    wrong("inev(a, b)", 9, "`,` is missing");
    wrong("EAX(\"a) p", 4, "`\"` is not closed");
    wrong("x + ", 4, "the formula ends too early");
    wrong("x[1 && y", 8, "`]` is missing");
    let deep = format!("[{}a", "(".repeat(100_000));
    assert!(parse(&deep, &mut Vec::new()).expect_err("too deep").message.contains("nested deeper"));
    let long = format!("[{}] p", vec!["a"; 100_000].join("."));
    assert!(parse_with(&long, &mut Numbered { atoms: &mut Vec::new(), actions: &actions() }).is_err());
}

#[test]
fn restricted_formulas_become_questions_too() {
    plan("[true*.a.(not b)*.b] p", "none of EY[b](FwdUntil[!b](EY[a](FwdUntil[true](init, true)), true)) is !p", true);
    plan(
        "AAF(a) p",
        "none of FwdUntil[a](init, !p) is !p && AAX(a) false; no cycle in FwdUntil[a](init, !p) of !p",
        false,
    );
}
