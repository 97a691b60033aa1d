//! Inlines and their uses.
use super::{accepts, complains, read, words};
use crate::ast::{StatementKind, Unit};
use crate::parse::{Dialect, parse};
use crate::print;

/// The first statement of the last unit is a use of an inline that expands to this.
#[track_caller]
fn expands(text: &str, expected: &[&str]) {
    let parsed = read(text, Dialect::Spin);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let Some(Unit::Process(process)) = parsed.tree.units.last() else { panic!("no process") };
    let StatementKind::Call { body, .. } = &process.body.statements[0].kind else { panic!("no call") };
    let statements: Vec<_> = body.statements.iter().map(print::statement).collect();
    assert_eq!(statements, expected);
}

#[test]
fn arguments_replace_parameters_word_by_word() {
    expands("inline f(a, b) { x = a * 2; b = x } init { f(1 + 2, y[3]) }", &["x = 1 + 2 * 2", "y[3] = x"]);
    expands("inline f(a) { q!a(1) } init { f(msg) }", &["q!msg, 1"]);
}

#[test]
fn parameters_are_replaced_at_once() {
    expands("inline f(a, b) { x = a + b } init { f(b, a) }", &["x = b + a"]);
}

#[test]
fn inlines_use_inlines() {
    expands("inline g(a) { x = a } inline f(a) { g(a + 1) } init { f(2) }", &["g(2 + 1)"]);
    expands("inline f(a) { g(a) } inline g(a) { x = a } init { f(2) }", &["g(2)"]);
}

#[test]
fn a_return_assigns_to_the_result() {
    expands("inline f(a) { return a + 1 } init { x = f(3) }", &["x = 3 + 1"]);
    expands(
        "inline g() { return 1 } inline f() { byte k; k = g(); return k } init { x = f() }",
        &["byte k", "k = g()", "x = k"],
    );
}

#[test]
fn a_use_may_be_anything_that_a_statement_may() {
    accepts(
        "inline f() { skip } init { L: f(); if :: f() -> x :: f() fi; f() unless y; f() z }",
        "inline f() {\n    skip\n}\ninit {\n    L: f();\n    if\n    :: f();\n        x;\n    :: f();\n    fi;\n    f() unless y;\n    f();\n    z;\n}\n",
    );
}

#[test]
fn the_body_is_kept_as_words() {
    accepts(
        "inline f(a) {\n  x = a\n  if\n  :: a -> c_code { y; }\n  :: else\n  fi;;\n}",
        "inline f(a) {\n    x = a;\n    if :: a -> c_code { y; } :: else fi\n}\n",
    );
}

#[test]
fn words_of_the_body_stand_in_the_definition_and_arguments_in_the_use() {
    let (sources, words, _) = words("inline f(a) { x = a + 1 } init { f(y) }");
    let tree = parse(&words, Dialect::Spin).tree;
    let Some(Unit::Process(process)) = tree.units.last() else { panic!("no process") };
    let StatementKind::Call { body, .. } = &process.body.statements[0].kind else { panic!("no call") };
    assert_eq!(sources.slice(body.statements[0].at.0), "x = a + 1");
    assert_eq!(sources.slice(process.body.statements[0].at.0), "f(y)");
    let StatementKind::Assign(_, value) = &body.statements[0].kind else { panic!("no assignment") };
    assert_eq!(sources.slice(value.at.0), "a + 1");
    let crate::ast::ExprKind::Binary(_, left, _) = &value.kind else { panic!("no sum") };
    assert_eq!(sources.slice(left.at.0), "y");
}

#[test]
fn an_inline_must_be_defined_before_its_use() {
    complains(
        "init { f() } inline f() { skip }",
        "late-inline at 'f': inline `f` is used before it is defined\n  'f': defined here\n  help: move the definition up\n",
    );
}

#[test]
fn a_use_of_nothing_says_what_may_be_meant() {
    complains(
        "inline lock_it() { skip } init { lock_tt(); Q(1); g() } proctype Q(byte b) { skip }",
        "unknown-inline at 'lock_tt': there is no inline `lock_tt`\n  help: did you mean `lock_it`?\n\
         unknown-inline at 'Q': there is no inline `Q`\n  help: start a process with `run Q(…)`\n\
         unknown-inline at 'g': there is no inline `g`\n",
    );
}

#[test]
fn the_number_of_arguments_is_checked() {
    complains(
        "inline f(a) { x = a } init { f(); f(1, 2) }",
        "inline-arguments at 'f()': inline `f` takes 1 argument, not 0\n  'f': defined here\n\
         inline-arguments at 'f(1, 2)': inline `f` takes 1 argument, not 2\n  'f': defined here\n",
    );
}

#[test]
fn an_argument_is_an_expression() {
    complains(
        "inline f(a) { a } init { f(x = 3) }",
        "unexpected-word at '=': expected `)`, found `=`\n  '(': to close this `(`\n  \
         help: write `==` to compare; an assignment is a statement, not an expression\n",
    );
}

#[test]
fn an_inline_cannot_use_itself() {
    complains(
        "inline f() { g() } inline g() { f() } init { f() }",
        "recursive-inline at 'f()': inline `f` uses itself\n  'f': defined here\n  \
         'g()': in this use of `g`\n  'f()': in this use of `f`\n",
    );
}

#[test]
fn inlines_nest_32_deep() {
    let chain = |length: usize| -> String {
        let inner: String = (1..length).map(|n| format!("inline f{n}() {{ f{}() }} ", n - 1)).collect();
        format!("inline f0() {{ skip }} {inner}init {{ f{}() }}", length - 1)
    };
    assert!(read(&chain(32), Dialect::Spin).diagnostics.is_empty());
    assert_eq!(read(&chain(33), Dialect::Spin).diagnostics[0].code, "inline-too-deep");
}

#[test]
fn expansions_are_bounded() {
    let doubling: String = (1..30).map(|n| format!("inline f{n}() {{ f{0}(); f{0}() }} ", n - 1)).collect();
    let text = format!("inline f0() {{ {} skip }} {doubling}init {{ f29() }}", "x = 1; ".repeat(2_000));
    let codes: Vec<_> = read(&text, Dialect::Spin).diagnostics.iter().map(|it| it.code).collect();
    assert_eq!(codes, ["expansion-limit"]);
}

#[test]
fn an_error_in_a_body_is_reported_once_with_its_use() {
    complains(
        "inline f(a) { x = = a } init { f(1); f(2) }",
        "unexpected-word at '=': expected an expression, found `=`\n  'f(1)': in this use of `f`\n  \
         help: write `==` to compare; an assignment is a statement, not an expression\n",
    );
}

#[test]
fn returns_need_a_place_to_go() {
    complains("init { return 1 }", "return-outside-inline at 'return': `return` outside an inline\n");
    complains(
        "inline f() { return 1 } init { f() }",
        "return-outside-inline at 'return': `return` has no variable to go to\n  'f()': in this use of `f`\n  \
         help: use the inline as `x = f(…)`\n",
    );
    complains(
        "inline f() { skip } init { x = f() }",
        "inline-without-return at 'f()': inline `f` returns nothing here\n  'f': defined here\n",
    );
}

#[test]
fn an_inline_is_no_operand() {
    complains(
        "inline f() { return 1 } init { x = 1 + f() }",
        "inline-in-expression at 'f': inline `f` cannot be used in an expression\n  \
         help: assign its result first: `x = f(…)`\n",
    );
}

#[test]
fn definitions_are_checked() {
    complains(
        "inline f(byte a) { skip } inline f() { skip } inline g() { } init { g() }",
        "inline-parameter-type at 'byte': a parameter of an inline has no type\n  \
         help: write the names only: an inline's parameters stand for text\n\
         duplicate-inline at 'f': inline `f` is defined twice\n  'f': first here\n\
         empty-block at 'g()': inline `g` is empty\n  'g': defined here\n  help: write `skip` in it\n",
    );
}
