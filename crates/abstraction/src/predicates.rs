//! The file that says which variables are abstracted, and to which predicates.
//!
//! ```text
//! // a comment
//! neg_x := x < 0        a predicate with a name
//! P:turn == 2           one without; of a variable of the process type P
//! abstract x, y         these variables are replaced, also if no predicate mentions them
//! keep z                this one stays, although a predicate mentions it
//! assume x < 1000       believed, and not checked: what is found out is true only where this always is
//! ```
//!
//! Without `abstract` lines every variable that a predicate mentions is replaced, except those that are kept.
use front_promela::ast::{Expr, ExprKind};
use front_promela::preprocess::{self, LoadError, Loader};
use text::{Diagnostic, FileId, Sources, Span};

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The boolean variable that stands for it.
    pub name: String,
    /// What it says.
    pub condition: Expr,
}

/// What a file says.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    /// In the order of the text.
    pub list: Vec<Predicate>,
    /// Variables to replace.
    pub replaced: Vec<String>,
    /// Variables to keep.
    pub kept: Vec<String>,
    /// What is believed.
    pub assumed: Vec<Predicate>,
}

impl Predicates {
    /// Adds a predicate, unless there is one that says the same or the opposite; true if it is new.
    pub fn add(&mut self, condition: Expr) -> bool {
        let text = front_promela::print::expression(&condition);
        if self.list.iter().any(|it| front_promela::print::expression(&it.condition) == text) {
            return false;
        }
        let name = self.fresh_name(&name_of(&text));
        self.list.push(Predicate { name, condition });
        true
    }

    fn fresh_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.list.iter().any(|it| it.name == name);
        let mut numbered = (1..).map(|it| if it == 1 { wanted.to_string() } else { format!("{wanted}_{it}") });
        numbered.find(|it| !taken(it)).unwrap_or_default()
    }
}

/// A name that reads like the condition.
fn name_of(text: &str) -> String {
    let words = [
        ("==", " eq "),
        ("!=", " ne "),
        ("<=", " le "),
        (">=", " ge "),
        ("<<", " shl "),
        (">>", " shr "),
        ("&&", " and "),
        ("||", " or "),
        ("<", " lt "),
        (">", " gt "),
        ("+", " plus "),
        ("-", " minus "),
        ("*", " times "),
        ("/", " by "),
        ("%", " mod "),
        ("!", " not "),
        ("&", " and "),
        ("|", " or "),
        ("^", " xor "),
        ("~", " inv "),
    ];
    let spelled = words.iter().fold(text.to_string(), |text, (sign, word)| text.replace(sign, word));
    let parts: Vec<&str> =
        spelled.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').filter(|it| !it.is_empty()).collect();
    format!("p_{}", parts.join("_"))
}

/// There is nothing to include.
struct Alone;

impl Loader for Alone {
    fn load(&mut self, _: &std::path::Path) -> Result<String, LoadError> {
        Err(LoadError::NotFound)
    }
}

/// Reads a file of predicates.
pub fn read(sources: &mut Sources, file: FileId) -> (Predicates, Vec<Diagnostic>) {
    let (mut predicates, mut diagnostics) = (Predicates::default(), Vec::new());
    let (name, text) = (sources.file(file).name.clone(), sources.file(file).text.clone());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or_default().trim_end().trim_end_matches(';');
        let at = Span { file, start: start as u32, end: (start + code.len()) as u32 };
        match code.split_whitespace().next() {
            None => {}
            Some("abstract") => predicates.replaced.extend(names(code)),
            Some("keep") => predicates.kept.extend(names(code)),
            Some("assume") => {
                let condition = condition(sources, &name, &code.replacen("assume", "      ", 1), start, &text);
                match condition {
                    Ok((_, condition)) => predicates.assumed.push(Predicate { name: "assume".into(), condition }),
                    Err(wrong) => diagnostics.extend(wrong.into_iter().map(|it| Diagnostic { span: Some(at), ..it })),
                }
            }
            Some(_) => match condition(sources, &name, code, start, &text) {
                Ok((given, condition)) => {
                    let wanted = given.unwrap_or_else(|| name_of(&front_promela::print::expression(&condition)));
                    let name = predicates.fresh_name(&wanted);
                    predicates.list.push(Predicate { name, condition });
                }
                Err(wrong) => diagnostics.extend(wrong.into_iter().map(|it| Diagnostic { span: Some(at), ..it })),
            },
        }
        start += line.len();
    }
    (predicates, diagnostics)
}

fn names(code: &str) -> impl Iterator<Item = String> {
    let list = code.trim_start().split_once(char::is_whitespace).map_or("", |it| it.1);
    list.split([',', ' ']).filter(|it| !it.is_empty()).map(str::to_string).collect::<Vec<_>>().into_iter()
}

/// One predicate; the rest of the file is blank while it is read, so that places are those of the file.
fn condition(
    sources: &mut Sources,
    file: &str,
    code: &str,
    start: usize,
    all: &str,
) -> Result<(Option<String>, Expr), Vec<Diagnostic>> {
    let (name, body) = match code.split_once(":=") {
        Some((name, body)) => (Some(name.trim().to_string()), body),
        None => (None, code),
    };
    let wrong = |message: &str| Err(vec![Diagnostic::global("predicate", message)]);
    if name.as_ref().is_some_and(|it| !is_name(it)) {
        return wrong("the name of a predicate consists of letters, digits and `_`");
    }
    let from = start + code.len() - body.len();
    let blank: String = all[..from].chars().map(|it| if it == '\n' { '\n' } else { ' ' }).collect();
    let root = sources.add(file, format!("{blank}{body}"));
    let lone = front_promela::lone_formula(sources, root, &preprocess::Options::default(), &mut Alone);
    match lone.formula {
        Some(formula) if is_temporal(&formula) => wrong("a predicate is about one state: no temporal operators"),
        Some(formula) => Ok((name, formula)),
        None => Err(lone.diagnostics),
    }
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|it| it.is_ascii_alphabetic() || it == '_')
        && letters.all(|it| it.is_ascii_alphanumeric() || it == '_')
}

fn is_temporal(formula: &Expr) -> bool {
    match &formula.kind {
        ExprKind::Unary(op, it) => op.of_numbers().is_none() || is_temporal(it),
        ExprKind::Binary(op, a, b) => op.of_numbers().is_none() || is_temporal(a) || is_temporal(b),
        _ => false,
    }
}
