// Promela as SPIN reads it, for editors.
//
// Separators are optional everywhere, because SPIN adds them at the ends of lines. Lines of the preprocessor may stand anywhere; what macros stand
// for is not known here, so that a name or a call may be a statement, an expression, a type or a declaration.
const PREC = {
  implies: 1, or: 2, and: 3, until: 4, bitor: 5, xor: 6, bitand: 7, equal: 8, compare: 9, shift: 10, add: 11, multiply: 12, unary: 13, postfix: 14,
};

const commas = rule => seq(rule, repeat(seq(",", rule)), optional(","));

module.exports = grammar({
  name: "promela",
  word: $ => $.identifier,
  extras: $ => [/\s/, /\\\r?\n/, $.comment, $.left_out, $.preprocessor],
  conflicts: $ => [
    [$.conditional, $._formula],
    [$.call, $._primary],
    [$._field, $._primary],
    [$.printf, $._primary],
    [$.sequence],
    [$.exclusive],
    [$.field],
    [$.element, $.field],
    [$.declaration],
    [$._statement, $._expression],
    [$.user_declaration, $._reference],
    [$.user_declaration],
  ],

  rules: {
    source_file: $ => repeat(choice($._unit, $._separator)),
    _separator: _ => choice(";", "->"),

    comment: _ => token(choice(seq("//", /[^\n]*/), seq("/*", /[^*]*\*+([^/*][^*]*\*+)*/, "/"))),
    preprocessor: _ => token(prec(2, seq("#", /([^\n\\/]|\\(.|\r?\n)|\/[^*\n]|\/\*[^*]*\*+([^/*][^*]*\*+)*\/)*/))),
    // What the preprocessor leaves out need not be Promela.
    left_out: _ => token(prec(3, /#[ \t]*if[ \t]+0([^#]|#[ \t]*[^e# \t\n])*#[ \t]*e(ndif|lse|lif)[^\n]*/)),
    identifier: _ => /[A-Za-z_][A-Za-z0-9_]*/,
    number: _ => /[0-9]+/,
    character: _ => /'(\\.|[^'\\])'/,
    string: _ => choice(/"(\\(.|\n)|[^"\\])*"/, /\$[^$]*\$/),

    _unit: $ => choice(
      $.proctype, $.init, $.never, $.trace, $.ltl, $.typedef, $.inline, $.mtype, $.declaration, $.user_declaration, $.embedded, $.macro_unit,
    ),
    macro_unit: $ => prec(-5, seq($.identifier, optional(seq("(", optional(commas($._expression)), ")")))),

    proctype: $ => seq(
      optional($.active), choice("proctype", "D_proctype"), field("name", $.identifier),
      "(", optional($.parameters), ")", optional($.priority), optional($.provided), field("body", $.block),
    ),
    active: $ => seq("active", optional(seq("[", $._expression, "]"))),
    parameters: $ => seq($._parameter, repeat(seq(choice(";", ","), optional($._parameter)))),
    _parameter: $ => choice($.declaration, $.user_declaration, $.identifier),
    priority: $ => seq("priority", $._expression),
    provided: $ => seq("provided", "(", $._expression, ")"),
    init: $ => seq("init", optional($.priority), optional($.provided), field("body", $.block)),
    never: $ => seq("never", optional(field("name", $.identifier)), field("body", $.block)),
    trace: $ => seq(choice("trace", "notrace"), optional($.identifier), field("body", $.block)),
    ltl: $ => seq(choice("ltl", "ctl", "fairness"), optional(field("name", $.identifier)), "{", $._formula, "}"),
    typedef: $ => seq("typedef", field("name", $.identifier), "{", repeat(choice($.declaration, $.user_declaration, $._separator, ",")), "}"),
    inline: $ => seq("inline", field("name", $.identifier), "(", optional(commas($.identifier)), ")", field("body", $.block)),
    mtype: $ => prec(2, seq("mtype", optional(seq(":", $.identifier)), optional("="), "{", repeat(choice($.identifier, ",")), "}")),

    declaration: $ => seq(
      optional(choice("hidden", "show", "local")), field("type", $.type), commas($.variable),
    ),
    user_declaration: $ => prec.dynamic(1, seq(
      optional(choice("hidden", "show", "local")), field("type", $.identifier), commas($.variable),
    )),
    type: $ => choice("bit", "bool", "byte", "pid", "short", "int", "unsigned", "chan", seq("mtype", optional(seq(":", $.identifier)))),
    variable: $ => prec.right(seq(
      field("name", $.identifier), optional(seq("[", $._expression, "]")), optional(seq(":", choice($.number, $.identifier))), optional(seq("=", $._initial)),
    )),
    _initial: $ => choice($._expression, $.channel_value, $.record_value),
    channel_value: $ => seq("[", $._expression, "]", "of", "{", commas(choice($.type, $.identifier)), "}"),
    record_value: $ => seq("{", commas($._initial), "}"),

    block: $ => seq("{", optional($.sequence), "}"),
    sequence: $ => repeat1(choice($._statement, $._separator)),
    _statement: $ => choice(
      $.label, $.declaration, $.user_declaration, $.exclusive, $.if, $.do, $.for, $.select, $.atomic, $.d_step, $.block, $.unless, $.goto, $.break, $.return,
      $.assert, $.printf, $.printm, $.assignment, $.step, $.send, $.receive, $.else, $.embedded, $.mtype, $.run_macro, prec(-1, $._expression),
    ),
    run_macro: $ => prec(-3, seq($.call, choice($.block, $.call))),
    label: $ => seq(field("name", $.identifier), ":"),
    exclusive: $ => seq(choice("xr", "xs"), commas($._reference)),
    option: $ => prec.right(seq("::", optional($.sequence))),
    if: $ => seq("if", repeat($._separator), repeat(choice($.option, $.call, $.identifier)), "fi"),
    do: $ => seq("do", repeat($._separator), repeat(choice($.option, $.call, $.identifier)), "od"),
    for: $ => seq("for", "(", $._reference, choice(seq(":", $._expression, "..", $._expression), seq("in", $._reference)), ")", $.block),
    select: $ => seq("select", "(", $._reference, ":", $._expression, "..", $._expression, ")"),
    atomic: $ => seq("atomic", choice($.block, $.identifier)),
    d_step: $ => seq("d_step", choice($.block, $.identifier)),
    unless: $ => prec.right(-2, seq($._statement, "unless", $._statement)),
    goto: $ => seq("goto", field("label", $.identifier)),
    break: _ => "break",
    else: _ => "else",
    return: $ => prec.right(seq("return", optional($._expression))),
    assert: $ => prec.right(seq("assert", $._expression)),
    printf: $ => seq("printf", "(", commas(choice($.string, $._expression)), ")"),
    printm: $ => seq("printm", "(", $._expression, ")"),
    assignment: $ => prec.right(seq($._reference, "=", choice($._expression, $.channel_value))),
    step: $ => prec(PREC.postfix, seq($._reference, choice("++", "--"))),
    send: $ => prec.right(1, seq(field("channel", $._reference), choice("!", "!!"), $._message)),
    receive: $ => prec.right(1, seq(
      field("channel", $._reference), choice("?", "??"), choice($._message, seq("<", commas($._plain), ">")),
    )),
    _message: $ => prec.right(choice(commas($._field), seq($._field, "(", commas($._field), ")"))),
    _field: $ => choice($._expression, $.eval),
    // Between angle brackets nothing is compared.
    _plain: $ => choice($._reference, $.number, $.character, $.constant, $.parenthesized, $.eval, seq("-", $.number)),
    eval: $ => seq("eval", "(", $._expression, ")"),

    embedded: $ => prec.right(seq(
      choice("c_code", "c_decl", "c_expr", "c_state", "c_track"), repeat(choice($.string, $.c_condition)), optional(seq("{", repeat($._c_text), "}")),
    )),
    c_condition: $ => seq("[", repeat(choice(/[^\[\]]+/, seq("[", /[^\[\]]*/, "]"))), "]"),
    _c_text: $ => choice(/[^{}"'#\/]+/, "/", $.string, $.character, seq("{", repeat($._c_text), "}")),

    _reference: $ => choice($.identifier, $.element, $.field, $.call),
    element: $ => prec(PREC.postfix, seq($._reference, "[", $._expression, "]")),
    field: $ => prec(PREC.postfix, seq($._reference, ".", $._reference)),
    call: $ => prec(1, seq(field("name", $.identifier), "(", optional(commas(choice($._expression, $._statement, $.string, $.operator))), ")")),
    // An argument of a macro may be a sign alone.
    operator: _ => choice("[]", "<>", "!", "&&", "||", "->", "<->", "+", "-", "*"),

    _expression: $ => choice(
      $._primary, $.unary, $.binary, $.conditional, $.run, $.poll, $.remote, $.test, $.embedded, $.timeout,
    ),
    _primary: $ => choice($._reference, $.number, $.character, $.string, $.constant, $.parenthesized, $.eval),
    constant: _ => choice("true", "false", "skip"),
    timeout: _ => choice("timeout", "np_"),
    parenthesized: $ => seq("(", choice($._expression, $._statement), ")"),
    conditional: $ => seq("(", $._expression, "->", $._expression, ":", $._expression, ")"),
    run: $ => prec.right(seq("run", field("name", $.identifier), "(", optional(commas($._expression)), ")", optional($.priority))),
    test: $ => seq(choice("len", "full", "nfull", "empty", "nempty", "enabled", "pc_value", "get_priority", "set_priority"), "(", commas($._expression), ")"),
    poll: $ => prec(2, seq(field("channel", $._reference), choice("?", "??"), "[", $._message, "]")),
    remote: $ => prec.right(PREC.postfix, choice(
      seq($._reference, "@", $.identifier),
      seq($.element, token.immediate(":"), $._reference),
    )),
    unary: $ => prec(PREC.unary, seq(choice("!", "-", "~"), $._expression)),
    binary: $ => choice(...[
      ["||", PREC.or], ["&&", PREC.and], ["|", PREC.bitor], ["^", PREC.xor], ["&", PREC.bitand], ["==", PREC.equal], ["!=", PREC.equal],
      ["<", PREC.compare], [">", PREC.compare], ["<=", PREC.compare], [">=", PREC.compare], ["<<", PREC.shift], [">>", PREC.shift],
      ["+", PREC.add], ["-", PREC.add], ["*", PREC.multiply], ["/", PREC.multiply], ["%", PREC.multiply],
    ].map(([sign, level]) => prec.left(level, seq($._expression, sign, $._expression)))),

    _formula: $ => choice($._expression, $.temporal, $.temporal_binary, $.temporal_group),
    temporal_group: $ => seq("(", choice($.temporal, $.temporal_binary, $.temporal_group), ")"),
    temporal: $ => prec(PREC.unary, seq(
      choice("[]", "<>", "X", "!", "always", "eventually", "next", "AG", "AF", "AX", "EG", "EF", "EX", "A", "E"), choice($._formula, seq("[", $._formula, "]")),
    )),
    temporal_binary: $ => choice(...[
      ["->", PREC.implies], ["<->", PREC.implies], ["implies", PREC.implies], ["equivalent", PREC.implies], ["||", PREC.or], ["\\/", PREC.or],
      ["&&", PREC.and], ["/\\", PREC.and], ["U", PREC.until], ["V", PREC.until], ["W", PREC.until], ["until", PREC.until], ["weakuntil", PREC.until],
      ["stronguntil", PREC.until], ["release", PREC.until],
    ].map(([sign, level]) => prec.left(level, seq($._formula, sign, $._formula)))),
  },
});
