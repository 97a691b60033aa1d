//! What is not a model, and what is said about it.
use super::{complains, complains_in_body};

#[test]
fn a_body_is_not_empty() {
    complains("init { }", "empty-block at '{': this process is empty\n  help: write `skip` if nothing is to be done\n");
    complains_in_body(
        "if :: fi",
        "empty-block at '::': this option is empty\n  help: write `skip` if nothing is to be done\n",
    );
    complains("typedef T { }", "empty-block at '}': this `typedef` is empty\n  help: declare at least one field\n");
}

#[test]
fn a_misspelt_keyword_is_read_as_the_keyword() {
    complains(
        "proctpye P() { atomc { x = 1 }; asert(x) }",
        "misspelt-keyword at 'proctpye': `proctpye` is not a word of Promela\n  help: did you mean `proctype`?\n\
         misspelt-keyword at 'atomc': `atomc` is not a word of Promela\n  help: did you mean `atomic`?\n\
         misspelt-keyword at 'asert': `asert` is not a word of Promela\n  help: did you mean `assert`?\n",
    );
    complains_in_body(
        "goot L; skip",
        "misspelt-keyword at 'goot': `goot` is not a word of Promela\n  help: did you mean `goto`?\n",
    );
}

#[test]
fn words_of_other_languages_are_known() {
    complains_in_body(
        "while (x < 3) { x++ }; elsif x; y",
        "foreign-word at 'while': `while` is not a word of Promela\n  \
         help: write `do :: condition -> … :: else -> break od`\n\
         foreign-word at 'elsif': `elsif` is not a word of Promela\n  \
         help: write `:: else -> if … fi`, or one more option `:: condition -> …`\n",
    );
    complains("char c;", "foreign-type at 'char': `char` is not a type of Promela\n  help: write `byte`: 0 to 255\n");
}

#[test]
fn an_assignment_is_no_condition() {
    let help = "  help: write `==` to compare; an assignment is a statement, not an expression\n";
    complains_in_body("(x = 1)", &format!("assignment-in-expression at '=': expected `)`, found `=`\n{help}"));
    complains_in_body("x = y = 1", &format!("missing-separator at '=': expected `;` or `->`, found `=`\n{help}"));
    complains(
        "byte x == 1",
        "comparison-for-initialiser at '==': expected `=`, found `==`\n  help: write `=` to give a variable its first value\n",
    );
}

#[test]
fn there_is_one_assignment_operator() {
    complains_in_body(
        "x += 1; a[2] := 3; y",
        "assignment-operator at '+': `+=` is not an operator of Promela\n  help: write `x = x + …`\n\
         assignment-operator at ':': `:=` is not an operator of Promela\n  help: write `a[2] = …`\n",
    );
}

#[test]
fn an_increment_is_no_expression() {
    complains_in_body(
        "x = y++",
        "missing-separator at '++': expected `;` or `->`, found `++`\n  help: `x++` and `x--` are statements, not expressions\n",
    );
}

#[test]
fn statements_are_separated() {
    let help = "  help: separate statements with `;`, `->` or a new line\n";
    complains_in_body("x = 1 y = 2; z", &format!("missing-separator at 'y': expected `;` or `->`, found `y`\n{help}"));
    complains_in_body("if :: x fi y", &format!("missing-separator at 'y': expected `;` or `->`, found `y`\n{help}"));
}

#[test]
fn what_is_opened_is_closed() {
    complains_in_body("do :: if :: x od", "unclosed at 'od': expected `fi`, found `od`\n  'if': to close this `if`\n");
    complains_in_body("if :: x od; y", "unclosed at 'od': expected `fi`, found `od`\n  'if': to close this `if`\n");
    complains(
        "init { x; { y; \nproctype P() { skip }",
        "unclosed at 'proctype': expected `}`, found `proctype`\n  '{': to close this `{`\n",
    );
    complains_in_body(
        "x = (1 + 2; y = 3; z = 4)",
        "unexpected-word at ';': expected `)`, found `;`\n  '(': to close this `(`\n",
    );
}

#[test]
fn what_is_closed_was_opened() {
    complains_in_body(
        "x; fi; od; :: y",
        "unmatched at 'fi': `fi` without `if`\nunmatched at 'od': `od` without `do`\nunmatched at '::': `::` without `if` or `do`\n",
    );
    complains("init { x } } byte y", "unmatched at '}': `}` without `{`\n");
}

#[test]
fn an_option_begins_with_colons() {
    complains_in_body(
        "if (x) { y } else { z } a",
        "missing-option at '(': expected `::` after `if`, found `(`\n  help: write `if :: condition -> … :: else -> … fi`\n",
    );
}

#[test]
fn a_goto_has_a_target() {
    complains_in_body("goto ; x", "unexpected-word at ';': expected a label after `goto`, found `;`\n");
}

#[test]
fn the_end_of_a_line_is_called_so() {
    complains_in_body("run P\nx = 1", "unexpected-word at '': expected `(`, found the end of the line\n");
}

#[test]
fn parameters_are_grouped_by_semicolons() {
    complains(
        "proctype P(byte a, int b) { skip }",
        "parameter-separator at ',': expected `;` before the next type, found `,`\n  \
         help: parameters of one type are separated by `,`, those of different types by `;`\n",
    );
    complains(
        "proctype P(byte a = 1; int b[2]) { skip }",
        "parameter-initialiser at 'a': a parameter cannot have a first value\n  help: its value comes from `run`\n\
         parameter-array at 'b': a parameter cannot be an array\n  help: pass the elements one by one, or use a global array\n",
    );
}

#[test]
fn some_things_are_global() {
    complains_in_body(
        "typedef T { byte a }; mtype = { b }; T t; c_decl { int c; }; t.a = b",
        "not-global at 'typedef': a `typedef` must stand outside processes\n  help: move it before the process\n\
         not-global at 'mtype': a list of `mtype` constants must stand outside processes\n  help: move it before the process\n",
    );
}

#[test]
fn labels_belong_to_statements() {
    let help = "  help: put the label on the statement that follows\n";
    complains_in_body("L: byte x; y", &format!("misplaced-label at 'byte': a declaration cannot have a label\n{help}"));
    complains_in_body(
        "L: xr q; y",
        &format!("misplaced-label at 'xr': an exclusive use of channels cannot have a label\n{help}"),
    );
}

#[test]
fn unless_joins_two_statements() {
    complains_in_body(
        "x; unless { y }; z",
        "misplaced-unless at 'unless': `unless` cannot follow a separator\n  help: remove the `;` before `unless`, or put it on the same line\n",
    );
    complains_in_body(
        "x unless y unless z; a",
        "misplaced-unless at 'unless': `unless` cannot be repeated\n  help: put the first `unless` and what it joins in braces\n",
    );
}

#[test]
fn channel_tests_are_no_operands() {
    let message = "`full` can be combined only with `&&` and `||`\n";
    complains_in_body("!full(q)", &format!("channel-test-operand at 'full(q)': {message}  help: write `nfull(q)`\n"));
    complains_in_body(
        "full(q) == 1",
        &format!("channel-test-operand at 'full(q)': {message}  help: compare `len(q)` instead\n"),
    );
    complains_in_body(
        "x = a[full(q)]",
        &format!("channel-test-operand at 'full(q)': {message}  help: compare `len(q)` instead\n"),
    );
    complains(
        "ltl { [] (full(q) == 1) }",
        &format!("channel-test-operand at 'full(q)': {message}  help: compare `len(q)` instead\n"),
    );
}

#[test]
fn formulas_are_no_numbers() {
    complains(
        "ltl { [] x == 1 }",
        "temporal-operand at '[] x': a temporal formula is not a number\n  help: put the comparison in parentheses: `[] (x == 1)`\n",
    );
    complains("ltl { a & X b }", "temporal-operand at 'X b': a temporal formula is not a number\n  help: write `&&`\n");
}

#[test]
fn a_broken_formula_is_an_error() {
    complains("ltl p { a U }", "unexpected-word at '}': expected an expression, found `}`\n");
    complains(
        "ltl p { a R b }",
        "unexpected-word at 'R': expected `}` at the end of the formula, found `R`\n  '{': to close this `{`\n  help: release is written `V`\n",
    );
    complains(
        "ltl { (a -> b : c) }",
        "unexpected-word at ':': expected `)`, found `:`\n  '(': to close this `(`\n  help: `->` is implication here: `(c -> a : b)` cannot stand in a formula\n",
    );
}

#[test]
fn an_error_names_the_macro_it_came_from() {
    complains(
        "#define M x = =\ninit { M }",
        "unexpected-word at 'M': expected an expression, found `=`\n  '=': in this macro\n  help: write `==` to compare; an assignment is a statement, not an expression\n",
    );
}

#[test]
fn an_error_does_not_hide_what_follows() {
    complains(
        "byte a = ; init { x = ; y = + ; { z = * } } never { ! }",
        "unexpected-word at ';': expected an expression, found `;`\n\
         unexpected-word at ';': expected an expression, found `;`\n\
         unexpected-word at '+': expected an expression, found `+`\n\
         unexpected-word at '*': expected an expression, found `*`\n\
         unexpected-word at '}': expected an expression, found `}`\n",
    );
}

#[test]
fn a_broken_head_does_not_hide_the_body() {
    complains(
        "proctype P( { x = } init provided (1) { y = }",
        "unexpected-word at '{': expected a type, found `{`\nunexpected-word at '}': expected an expression, found `}`\nunexpected-word at 'provided': expected `{`, found `provided`\nunexpected-word at '}': expected an expression, found `}`\n",
    );
}

#[test]
fn what_fits_nowhere_is_skipped() {
    let complaint = "unexpected-word at '::': expected the name of a variable, found `::`\n";
    complains("typedef T { byte :: x }", complaint);
    complains_in_body("byte :: x", complaint);
}

#[test]
fn a_width_is_for_single_variables() {
    complains(
        "unsigned a[2] : 3; byte x",
        "unsigned-array at ':': an array of `unsigned` cannot have a width\n  help: declare one variable for each element, or use `byte`\n",
    );
    complains(
        "hidden mtype = { a }",
        "misplaced-prefix at 'hidden': a list of `mtype` constants cannot be hidden, shown or local\n",
    );
    complains_in_body("printm(x + 1)", "printm-argument at 'x + 1': `printm` takes one name or number\n");
}
