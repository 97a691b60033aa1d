//! What is a model.
use super::{accepts, accepts_body, complains};

#[test]
fn units_need_no_separators() {
    accepts("byte x int y ; ; init { skip } byte z", "byte x;\nint y;\ninit {\n    skip;\n}\nbyte z;\n");
}

#[test]
fn a_process_has_a_head_and_a_body() {
    accepts(
        "active [2] D_proctype P(byte a, b; T c) priority 3 provided (a && full(q)) { skip }",
        "active [2] D_proctype P(byte a, b; T c) priority 3 provided (a && full(q)) {\n    skip;\n}\n",
    );
    accepts("init priority 2 { skip }", "init priority 2 {\n    skip;\n}\n");
    accepts("active proctype P() { byte x }", "active proctype P() {\n    byte x;\n}\n");
}

#[test]
fn claims_traces_and_formulas_may_have_names() {
    accepts("never { skip } never n { skip }", "never {\n    skip;\n}\nnever n {\n    skip;\n}\n");
    accepts("trace { q!1 } notrace { q?1 }", "trace {\n    q!1;\n}\nnotrace {\n    q?1;\n}\n");
    accepts("ltl { p } ltl q { <> p ; }", "ltl { p }\nltl q { <> p }\n");
}

#[test]
fn constants_are_listed_with_or_without_commas() {
    accepts("mtype = { a b, c, } mtype:s { d }", "mtype = { a, b, c };\nmtype:s = { d };\n");
}

#[test]
fn declarations_give_type_size_width_and_value() {
    accepts(
        "hidden byte a, b[3] = 1; show int c[2] = { 1, 2 }",
        "hidden byte a, b[3] = 1;\nshow int c[2] = { 1, 2 };\n",
    );
    accepts("unsigned u : 3 = 2, v : 4; local mtype:s m", "unsigned u : 3 = 2, v : 4;\nlocal mtype:s m;\n");
    accepts(
        "chan q[2] = [N + 1] of { byte, mtype:s, T, chan }",
        "chan q[2] = [N + 1] of { byte, mtype:s, T, chan };\n",
    );
}

#[test]
fn a_type_is_known_by_the_name_behind_it() {
    accepts("typedef T { byte a; S b[2] } T t", "typedef T {\n    byte a;\n    S b[2];\n}\nT t;\n");
    accepts_body("S s; s.a[1].b = 2", "S s;\ns.a[1].b = 2;\n");
}

#[test]
fn embedded_c_is_kept_as_it_is() {
    accepts(
        "c_decl { int x; } c_code { f(); } c_state \"int y\" \"Global\" c_track \"&z\" \"4\" \"Matched\"",
        "c_decl { int x; }\nc_code { f(); }\nc_state \"int y\" \"Global\"\nc_track \"&z\" \"4\" \"Matched\"\n",
    );
    accepts_body("c_code [x > 0] { x--; }; c_expr { x }", "c_code [x > 0] { x--; };\nc_expr { x };\n");
}

#[test]
fn separators_are_all_the_same_and_more_do_no_harm() {
    accepts_body("; a = 1 -> b = 2 ;; -> c ;", "a = 1;\nb = 2;\nc;\n");
    accepts_body("atomic { a } b; { c } d", "atomic {\n    a;\n};\nb;\n{\n    c;\n};\nd;\n");
    accepts_body("if :: ; a ; :: else b fi", "if\n:: a;\n:: else ->\n    b;\nfi;\n");
}

#[test]
fn lines_end_statements() {
    accepts_body("a = 1\nb++\nif\n:: c\n:: else\nfi\nd", "a = 1;\nb++;\nif\n:: c;\n:: else;\nfi;\nd;\n");
}

#[test]
fn labels_may_stand_alone() {
    accepts_body("A: B: x = 1; C: ; D:", "A: B: x = 1;\nC: skip;\nD: skip;\n");
    accepts_body(
        "{ x; E: }; if :: y -> F: :: z fi",
        "{\n    x;\n    E: skip;\n};\nif\n:: y ->\n    F: skip;\n:: z;\nfi;\n",
    );
}

#[test]
fn messages_have_two_forms() {
    accepts_body("q!a(b, c); q!!a, b; q!1", "q!a, b, c;\nq!!a, b;\nq!1;\n");
    accepts_body("q?a(b, -1); q??eval(x), _; q?(a, b)", "q?a, b, -1;\nq??eval(x), _;\nq?a, b;\n");
    accepts_body("q?<a, 1>; q??<b>; q?[a] && q??[1, b]", "q?<a, 1>;\nq??<b>;\nq?[a] && q??[1, b];\n");
    accepts_body("q!(!a), b; q!-1", "q!(!a), b;\nq!-1;\n");
}

#[test]
fn statements_of_every_kind_are_read() {
    accepts_body("x = run P(1, y) priority 2 + 1; run Q()", "x = run P(1, y) priority 2 + 1;\nrun Q();\n");
    accepts_body("assert x == 1; printf(\"%d\", x); printm(m)", "assert(x == 1);\nprintf(\"%d\", x);\nprintm(m);\n");
    accepts_body("set_priority(_pid, 3); xr q, r[1]; xs q", "set_priority(_pid, 3);\nxr q, r[1];\nxs q;\n");
    accepts_body("for (i : 1 .. n) { skip }", "for (i : 1 .. n) {\n    skip;\n};\n");
    accepts_body("for (i in a)\n{ skip }", "for (i in a) {\n    skip;\n};\n");
    accepts_body("select (i : 0 .. 3); goto L; else; timeout", "select (i : 0 .. 3);\ngoto L;\nelse;\ntimeout;\n");
    accepts_body("d_step { x }", "d_step {\n    x;\n};\n");
    accepts_body("{ x } unless { y }; a unless b", "{\n    x;\n} unless {\n    y;\n};\na unless b;\n");
}

#[test]
fn constants_are_numbers() {
    accepts_body("x = skip + true - false; skip; false; 3", "x = 1 + 1 - 0;\nskip;\nfalse;\n3;\n");
}

#[test]
fn other_processes_are_read_by_label_and_variable() {
    let process = "proctype P() { skip } ";
    let printed = "proctype P() {\n    skip;\n}\n";
    let claim = "never { P[1]@L && P@M; P:x == P[2]:y[1] }";
    accepts(
        &format!("{process}{claim}"),
        &format!("{printed}never {{\n    P[1]@L && P@M;\n    P:x == P[2]:y[1];\n}}\n"),
    );
}

#[test]
fn a_label_may_have_the_name_of_a_later_process() {
    accepts("init { P: x } proctype P() { skip }", "init {\n    P: x;\n}\nproctype P() {\n    skip;\n}\n");
}

#[test]
fn formulas_know_all_processes() {
    accepts("ltl { P:x == 1 } proctype P() { skip }", "ltl { P:x == 1 }\nproctype P() {\n    skip;\n}\n");
}

#[test]
fn channel_tests_may_be_conditions() {
    accepts_body(
        "full(q) && (x || empty(r)); x = nfull(q); assert nempty(q)",
        "full(q) && (x || empty(r));\nx = nfull(q);\nassert(nempty(q));\n",
    );
}

#[test]
fn words_of_other_dialects_and_contexts_are_names() {
    accepts_body("byte lock, sema, invariant, in; lock = in", "byte lock, sema, invariant, in;\nlock = in;\n");
}

#[test]
fn an_operator_may_begin_a_line_but_not_for_spin() {
    let help = "  help: put the expression in parentheses, or end the line before with the operator\n";
    let warning = "operator-at-line-start at '&&': SPIN takes a line that begins with `&&` for a new statement\n";
    complains("init { a\n && b }", &format!("{warning}{help}"));
    complains("init { (a\n && b) }", "");
    complains("init { a &&\n b }", "");
}
