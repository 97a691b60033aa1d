//! `ctl` and `fairness`, and the words that stay names.
use super::{accepts, complains};

/// A formula is understood, and this is how it is printed.
#[track_caller]
fn reads(formula: &str, expected: &str) {
    accepts(&format!("ctl f {{ {formula} }}"), &format!("ctl f {{ {expected} }}\n"));
}

#[test]
fn formulas_of_branching_time() {
    reads("AG (p -> AF q)", "AG (p -> AF q)");
    reads("AG p -> AF q", "AG p -> AF q");
    reads("!EF (x == 1)", "!EF (x == 1)");
    reads("AX EX !p", "AX EX !p");
    reads("A[p U q] && E [p W q]", "A[p U q] && E[p W q]");
    reads("A [ x > 1 until E[p weakuntil q] ]", "A[x > 1 U E[p W q]]");
    reads("p implies EG q equivalent r", "p -> EG q <-> r");
    reads("AG (P[1]@done || seats[2] == len(c))", "AG (P[1]@done || seats[2] == len(c))");
    reads("AF\n  p\n  && EG\n q", "AF p && EG q");
    accepts("ctl { EF p } fairness { x > 0 -> y } ctl { p ; }", "ctl { EF p }\nfairness { x > 0 -> y }\nctl { p }\n");
}

#[test]
fn operators_bind_as_in_linear_formulas() {
    reads("p -> q -> r", "p -> q -> r");
    reads("p -> (q -> r)", "p -> (q -> r)");
    reads("(AG p || q) && r", "(AG p || q) && r");
    reads("AG p || q && r", "AG p || q && r");
    reads("AG (-x == 1)", "AG (-x == 1)");
    reads("AG ~x", "AG ~x");
}

#[test]
fn no_word_is_taken_away() {
    accepts("byte ctl, fairness; init { ctl = fairness }", "byte ctl, fairness;\ninit {\n    ctl = fairness;\n}\n");
    accepts(
        "typedef ctl { byte a } ctl c; init { c.a = 1 }",
        "typedef ctl {\n    byte a;\n}\nctl c;\ninit {\n    c.a = 1;\n}\n",
    );
    accepts(
        "proctype ctl() { skip\nskip } init { run ctl() }",
        "proctype ctl() {\n    skip;\n    skip;\n}\ninit {\n    run ctl();\n}\n",
    );
    accepts("ltl ctl { <> p } ctl ctl { EF ctl }", "ltl ctl { <> p }\nctl ctl { EF ctl }\n");
    accepts("byte ctl\ninit {\nctl++\nctl--\n}", "byte ctl;\ninit {\n    ctl++;\n    ctl--;\n}\n");
    reads("AG == 1 && E[1] == A[A[0]]", "AG == 1 && E[1] == A[A[0]]");
    reads("EF (AG - EX > 0)", "EF (AG - EX > 0)");
    reads("X && U && W && F && G", "X && U && W && F && G");
    reads("A[U U W]", "A[U U W]");
}

#[test]
fn operators_of_linear_formulas_are_explained() {
    let expected = "unexpected-word at '[': expected an expression, found `[`\n  help: this is an operator of `ltl`; here always is `AG` (on all paths) or `EG` (on some path)\n";
    complains("ctl { [] p }", expected);
    let expected = "unexpected-word at '<': expected an expression, found `<`\n  help: this is an operator of `ltl`; here eventually is `AF` (on all paths) or `EF` (on some path)\n";
    complains("ctl { <> p }", expected);
    let expected = "unexpected-word at 'U': expected `}` at the end of the formula, found `U`\n  '{': to close this `{`\n  help: write `A[f U g]` (on all paths) or `E[f U g]` (on some path)\n";
    complains("ctl { p U q }", expected);
    let expected = "unexpected-word at 'p': expected `}` at the end of the formula, found `p`\n  '{': to close this `{`\n  help: next is `AX` (on all paths) or `EX` (on some path)\n";
    complains("ctl { X p }", expected);
}

#[test]
fn what_is_wrong_is_said() {
    complains(
        "ctl { AG x == 1 }",
        "temporal-operand at 'AG x': a temporal formula is not a number\n  help: put the comparison in parentheses: `AG (x == 1)`\n",
    );
    complains(
        "ctl { A (p U q) }",
        "ctl-brackets at '(': a path quantifier before an until has brackets\n  help: write `A[f U g]`\n",
    );
    complains("ctl { E[p U q }", "unexpected-word at '}': expected `]`, found `}`\n  '[': to close this `[`\n");
    complains("ctl { AG }\nbyte x;", "");
    complains(
        "fairness { EF p }",
        "fairness-formula at 'EF p': a fairness constraint is a condition on states\n  help: write it without temporal operators\n",
    );
    complains(
        "ctl { AG full(q) }",
        "channel-test-operand at 'full(q)': `full` can be combined only with `&&` and `||`\n  help: compare `len(q)` instead\n",
    );
}

#[test]
fn a_broken_formula_does_not_hide_what_follows() {
    complains(
        "ctl a { EF ( }\nctl b { AG ) }",
        "unexpected-word at '}': expected an expression, found `}`\nunexpected-word at ')': expected `}` at the end of the formula, found `)`\n  '{': to close this `{`\n",
    );
}
