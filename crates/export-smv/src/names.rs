//! Names that a reader of the model recognises and SMV accepts.
use std::collections::HashSet;

/// Words that are no names.
const KEYWORDS: &[&str] = &[
    "A",
    "ABF",
    "ABG",
    "AF",
    "AG",
    "ASSIGN",
    "AX",
    "B",
    "BU",
    "COMPASSION",
    "COMPID",
    "COMPUTE",
    "COMPWFF",
    "CONSTANTS",
    "CONSTARRAY",
    "CONSTRAINT",
    "CTLSPEC",
    "CTLWFF",
    "DEFINE",
    "E",
    "EBF",
    "EBG",
    "EF",
    "EG",
    "EX",
    "F",
    "FAIRNESS",
    "FALSE",
    "FROZENVAR",
    "FUN",
    "G",
    "H",
    "IN",
    "INIT",
    "INVAR",
    "INVARSPEC",
    "ISA",
    "ITYPE",
    "IVAR",
    "Integer",
    "JUSTICE",
    "LTLSPEC",
    "LTLWFF",
    "MAX",
    "MDEFINE",
    "MIN",
    "MIRROR",
    "MODULE",
    "NAME",
    "NEXTWFF",
    "O",
    "PARSYNTH",
    "PRED",
    "PREDICATES",
    "PSLSPEC",
    "READ",
    "Real",
    "S",
    "SIMPWFF",
    "SPEC",
    "T",
    "TRANS",
    "TRUE",
    "U",
    "V",
    "VALID",
    "VAR",
    "WRITE",
    "Word",
    "X",
    "Y",
    "Z",
    "abs",
    "array",
    "at",
    "bool",
    "boolean",
    "case",
    "ceil",
    "clock",
    "count",
    "delay",
    "esac",
    "extend",
    "final",
    "floor",
    "in",
    "init",
    "integer",
    "is",
    "max",
    "min",
    "mod",
    "module",
    "next",
    "noncontinuous",
    "of",
    "pi",
    "pow",
    "process",
    "real",
    "resize",
    "self",
    "signed",
    "sizeof",
    "swconst",
    "tan",
    "time",
    "toint",
    "typeof",
    "union",
    "unsigned",
    "uwconst",
    "word",
    "word1",
    "xnor",
    "xor",
];

/// The names in use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    used: HashSet<String>,
}

impl Names {
    /// A name like the one that is wanted, for one thing only.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let name = spelled(wanted);
        let numbered = (2..).map(|row| format!("{name}_{row}"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        let free = candidates.find(|it| !KEYWORDS.contains(&&**it) && !self.used.contains(it));
        // There is always another number.
        let free = free.unwrap_or(name);
        self.used.insert(free.clone());
        free
    }
}

/// With letters, digits and underscores only, and no digit first.
fn spelled(wanted: &str) -> String {
    let kept = wanted.replace("[]", "").chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
    let name: String = kept;
    if name.starts_with(|it: char| it.is_ascii_digit()) || name.is_empty() { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_where_smv_accepts_them() {
        let mut names = Names::default();
        assert_eq!(names.fresh("x"), "x");
        assert_eq!(names.fresh("a.b"), "a_b");
        assert_eq!(names.fresh("a_b"), "a_b_2");
        assert_eq!(names.fresh("next"), "next_2");
        assert_eq!(names.fresh("3x"), "_3x");
    }
}
