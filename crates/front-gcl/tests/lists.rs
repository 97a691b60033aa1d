//! One action with several lists of values: what its labels are, who takes part, and what is said where nothing fits.
use front_gcl::compile;
use text::Sources;

const INF: &str =
    "enum Answer { TURNED, PRESENT, TESTED }\naction INF(TURNED), INF(PRESENT), INF(TESTED, bool), other;\n";

/// The steps of a text with those who take part, or what is said about it with all its places.
#[track_caller]
fn check(text: &str, expected: &str) {
    let mut sources = Sources::default();
    let text = format!("{INF}{text}");
    let root = sources.add("text.gcl", &text);
    let compiled = compile(&sources, root, &[], &[]);
    let mut lines: Vec<String> = compiled.diagnostics.iter().map(|it| said(&sources, it)).collect();
    let processes = compiled.model.iter().flat_map(|it| &it.processes);
    lines.extend(processes.flat_map(|it| &it.edges).map(|it| it.text.clone()));
    // What a text does not need it does not offer.
    lines.retain(|it| !it.starts_with("offered-by-nobody"));
    assert_eq!(lines.join("\n"), expected, "{text}");
}

fn said(sources: &Sources, diagnostic: &text::Diagnostic) -> String {
    let place = |span| sources.slice(span).to_string();
    let mut line = format!("{}: {}", diagnostic.code, diagnostic.message);
    line += &diagnostic.span.map_or(String::new(), |it| format!(" [{}]", place(it)));
    for (span, phrase) in &diagnostic.notes {
        line += &format!("\n  {phrase} [{}]", place(*span));
    }
    line + &diagnostic.help.iter().map(|it| format!("\n  = {it}")).collect::<String>()
}

#[test]
fn every_list_is_a_place_of_its_own_where_processes_meet() {
    check(
        "process A { sequence { [INF !TURNED]; [INF !TESTED !true]; } }\nprocess B { [INF !TURNED]; [INF !PRESENT]; }",
        "INF !TURNED (A, B)\nINF !TESTED !true (A)\nINF !PRESENT (B)",
    );
}

#[test]
fn an_event_belongs_to_all_lists_that_it_fits() {
    check(
        "process A { var x: Answer; [INF ?x]; }\nprocess B { [INF !PRESENT]; [INF ?_ ?_]; }",
        "INF !TURNED (A)\nINF !PRESENT (A, B)\nINF !TESTED !false (B)\nINF !TESTED !true (B)",
    );
    check(
        "process A { var x: Answer; [INF !x] x != TESTED; }\nprocess B { [INF ?v: Answer !(v == TURNED)]; }",
        "partly-offered: this can be TURNED..TESTED, but only TURNED, PRESENT can be offered [x]\n  \
         the action is declared here [INF]\n\
         INF !TURNED (A)\nINF !PRESENT (A)\nINF !TESTED !false (B)",
    );
}

#[test]
fn indices_and_numbers_may_tell_lists_apart() {
    check(
        "action go, go[1..2], go[3..4](bool), go(0..1), go(5);\nprocess A { var n: 0..9; [go]; [go[2]]; [go[3] !true]; [go ?n]; [INF !TURNED]; [INF !PRESENT]; [INF ?_ ?_]; }",
        "INF !TURNED (A)\nINF !PRESENT (A)\nINF !TESTED !false (A)\nINF !TESTED !true (A)\n\
         go (A)\ngo[2] (A)\ngo[3] !true (A)\ngo !0 (A)\ngo !1 (A)\ngo !5 (A)",
    );
}

#[test]
fn an_offer_that_fits_no_list_is_named_with_all_declarations() {
    let declared = "  declared as `INF(TURNED)` [INF]\n  declared as `INF(PRESENT)` [INF]\n  declared as `INF(TESTED, bool)` [INF]";
    for offer in ["INF !TESTED", "INF !TURNED !true", "INF", "INF !3", "INF !TESTED !3"] {
        check(
            &format!("process A {{ [{offer}]; }}"),
            &format!("alphabet-mismatch: `{offer}` fits no list of values that `INF` has [{offer}]\n{declared}"),
        );
    }
    check(
        "process A { [INF[1] !TURNED]; }",
        &format!("alphabet-mismatch: there is no action `INF[1]` [INF[1] !TURNED]\n{declared}"),
    );
    check(
        "process A { [INF !TUNED]; }",
        "unknown-name: there is no variable or constant `TUNED` [TUNED]\n  = did you mean `TURNED`?",
    );
    check("process A { [INF ?y]; }", "unknown-name: there is no variable `y` [y]");
}

#[test]
fn lists_of_one_action_have_nothing_in_common() {
    check(
        "action go(0..3), go(3..5);",
        "duplicate-name: `go(3..5)` and `go(0..3)` have values in common [go]\n  the other declaration [go]\n  \
         = lists of one action differ in their number of values, or in a value that is only in one of them",
    );
    check("action go(bool), go(bool);", "duplicate-name: `go` is declared twice [go]\n  the first declaration [go]");
    check(
        "var go: bool; action go(bool);",
        "duplicate-name: `go` is declared twice [go]\n  the first declaration [go]",
    );
    check("process A { action go, go; }", "duplicate-name: `go` is declared twice [go]\n  the first declaration [go]");
}

#[test]
fn alphabets_name_all_lists_or_those_that_begin_with_a_value() {
    let offers = "process B { [INF !TURNED]; [INF !PRESENT]; [INF !TESTED !true]; }";
    let never = |name: &str, span: &str| {
        format!(
            "never-offered: `{name}` never happens: `A` takes part in it, but never offers it [{span}]\n  `B` offers it [{name}]"
        )
    };
    check(
        &format!("process A {{ alphabet INF !TURNED; [INF !PRESENT]; }}\n{offers}"),
        &format!("{}\nINF !PRESENT (A, B)\nINF !TESTED !true (B)", never("INF !TURNED", "INF !TURNED")),
    );
    check(
        &format!("process A {{ alphabet INF !TURNED !true; }}\n{offers}"),
        "alphabet-mismatch: no list of `INF` begins as `INF !TURNED !true` [INF !TURNED !true]\n  \
         declared as `INF(TURNED)` [INF]\n  declared as `INF(PRESENT)` [INF]\n  declared as `INF(TESTED, bool)` [INF]",
    );
    check(
        &format!("process A {{ alphabet INF !TESTED !true; }}\n{offers}"),
        "alphabet-mismatch: `INF !TESTED !true` is a part of `INF(TESTED, bool)` and no action of its own [INF !TESTED !true]\n  \
         it is declared here [INF]\n  = name all of it, or declare a list that begins with the value itself",
    );
}

#[test]
fn what_is_hidden_or_renamed_may_be_one_list() {
    let processes = "process A { [INF !TURNED]; [INF !PRESENT]; [INF ?_ ?_]; }\nprocess B { [other]; }\n";
    let labels = |composition: &str, expected: &[&str]| {
        let mut sources = Sources::default();
        let root = sources.add("text.gcl", format!("{INF}{processes}system {composition};"));
        let compiled = compile(&sources, root, &[], &[]);
        assert_eq!(compiled.model.map(|it| it.actions).unwrap_or_default(), expected, "{:?}", compiled.diagnostics);
    };
    labels("A hide { INF } || B", &["other"]);
    labels("A hide { INF !TESTED } || B", &["INF !TURNED", "INF !PRESENT", "other"]);
    // Two who have different names for it meet, and the fixed value is part of the name.
    labels(
        "A rename { INF !TURNED -> other } || B",
        &["INF !PRESENT", "INF !TESTED !false", "INF !TESTED !true", "other"],
    );
    labels(
        "A hide { INF !PRESENT } || B rename { other -> INF !TURNED }",
        &["INF !TURNED", "INF !TESTED !false", "INF !TESTED !true"],
    );
    check(
        &format!("{processes}system A rename {{ INF !TESTED -> other }} || B;"),
        "alphabet-mismatch: `INF !TESTED` and `other` have different values [INF !TESTED]\n  the new name is declared here [other]",
    );
}

#[test]
fn formulas_name_labels_with_values_of_the_model() {
    let process = "const k = 1;\naction by(0..1), by(10);\nprocess A { [INF !TURNED]; [INF !PRESENT]; [INF ?_ ?_]; [by !0]; [by !k]; [by !10]; }\n";
    let actions = |formula: &str| {
        let mut sources = Sources::default();
        let root = sources.add("text.gcl", format!("{INF}{process}property p: [{formula}] false;"));
        let compiled = compile(&sources, root, &[], &[]);
        let Some(model) = compiled.model else {
            return compiled.diagnostics.iter().filter(|it| it.is_error()).map(|it| it.message.clone()).collect();
        };
        let model::Meaning::Branching(branching) = &model.temporal_properties[0].meaning else { panic!("a formula") };
        let mut names = Vec::new();
        branching
            .formula
            .visit_actions(&mut |it| names.extend(it.names().iter().map(|&it| model.actions[it as usize].clone())));
        names.join(", ")
    };
    assert_eq!(actions("INF !TESTED !TRUE"), "INF !TESTED !true");
    assert_eq!(actions("INF !TESTED.*"), "INF !TESTED !false, INF !TESTED !true");
    assert_eq!(actions("INF.*"), "INF !TURNED, INF !PRESENT, INF !TESTED !false, INF !TESTED !true");
    assert_eq!(actions("by !k.*"), "by !1");
    assert_eq!(actions("by !(k - 1)"), "by !0");
    // What is declared and never happens is no mistake; what is not declared is one.
    assert_eq!(actions("other"), "");
    let declared = "it is declared as `INF(TURNED)`, `INF(PRESENT)`, `INF(TESTED, bool)`";
    assert_eq!(actions("INF !TURNED !TRUE"), format!("there is no action `INF!TURNED!true`; {declared}"));
    assert_eq!(actions("INF !TURN"), format!("there is no action `INF!TURN`; {declared}"));
    assert_eq!(actions("by !7"), "there is no action `by!7`; it is declared as `by(0..1)`, `by(10)`");
    assert_eq!(actions("othera"), "there is no action `othera`; did you mean `other`?");
}
