; What is what, for colours.
(comment) @comment
(left_out) @comment
(preprocessor) @keyword.directive
(string) @string
(character) @character
(number) @number
(constant) @constant.builtin
(timeout) @constant.builtin
(type) @type.builtin
(user_declaration type: (identifier) @type)
(typedef name: (identifier) @type)
(proctype name: (identifier) @function)
(inline name: (identifier) @function)
(ltl name: (identifier) @function)
(never name: (identifier) @function)
(run name: (identifier) @function.call)
(call name: (identifier) @function.call)
(label name: (identifier) @label)
(goto label: (identifier) @label)
(variable name: (identifier) @variable)
(field (_) (identifier) @variable.member)

["proctype" "D_proctype" "init" "never" "trace" "notrace" "inline" "typedef" "mtype" "ltl" "ctl" "fairness"] @keyword.type
["active" "hidden" "show" "local" "priority" "provided" "of" "xr" "xs"] @keyword.modifier
["if" "fi" "::" "select"] @keyword.conditional
["do" "od" "for" "in"] @keyword.repeat
["atomic" "d_step" "unless" "goto" "return" "run" "assert"] @keyword
(break) @keyword.repeat
(else) @keyword.conditional
["printf" "printm" "len" "full" "nfull" "empty" "nempty" "eval" "enabled" "pc_value" "get_priority" "set_priority"] @function.builtin
["c_code" "c_decl" "c_expr" "c_state" "c_track"] @keyword.import
["!" "!!" "?" "??" "=" "++" "--" "||" "&&" "|" "^" "&" "==" "!=" "<" ">" "<=" ">=" "<<" ">>" "+" "-" "*" "/" "%" "~" "@"] @operator
["[]" "<>" "X" "U" "V" "W" "always" "eventually" "next" "until" "weakuntil" "stronguntil" "release" "implies" "equivalent" "<->"] @keyword.operator
["(" ")" "{" "}" "[" "]"] @punctuation.bracket
["," ";" "->" ":" ".."] @punctuation.delimiter
