//! Statements: control flow is interpreted, fragments are looked up in the table.
use front_c::ast::{Declaration, Expr, ExprKind, Init, Stmt, StmtKind};
use front_c::print;
use text::{Diagnostic, Span};

use crate::translate::{Place, Thing, Translator, declaration};
use crate::{Origin, Quality};

/// A label of `switch`: the value, or the first and last of a range; nothing for `default`.
type Case = Option<(Expr, Option<Expr>)>;

/// Where `break`, `continue` and `return` lead.
#[derive(Clone, Debug)]
pub(crate) enum Exit {
    /// A loop; the label is that of its next round.
    Loop(String),
    /// The end of a switch.
    Switch(String),
    /// The end of a function, and the variable for its result.
    Function(String, Option<String>),
}

impl Translator<'_> {
    fn label(&mut self, what: &str) -> String {
        self.labels += 1;
        format!("{what}_{}", self.labels)
    }

    /// A label where something leads to it.
    fn put(&mut self, label: &str) {
        let goto = format!("goto {label}");
        if self.lines.iter().rev().any(|it| it.text.ends_with(&goto)) {
            self.emit(format!("{label}: skip"));
        }
    }

    /// The body of a function.
    pub(crate) fn body(&mut self, list: &[Stmt], result: Option<String>) {
        let end = self.label("end_of_function");
        self.exits.push(Exit::Function(end.clone(), result));
        self.block(list);
        self.exits.pop();
        self.put(&end);
    }

    fn block(&mut self, list: &[Stmt]) {
        self.scopes.push(Default::default());
        list.iter().for_each(|it| self.statement(it));
        self.scopes.pop();
    }

    fn at(&mut self, span: Span) {
        self.here = Some(Origin { span, uncertain: None });
    }

    fn statement(&mut self, it: &Stmt) {
        self.at(it.span);
        match &it.kind {
            StmtKind::Block(list) => self.block(list),
            StmtKind::Declaration(declaration) => self.declare(declaration),
            StmtKind::Expr(expr) => self.expression(expr),
            StmtKind::If(condition, yes, no) => {
                let (yes, no) = (&**yes, no.as_deref());
                self.choice(condition, &mut |it| it.statement(yes), &mut |it| {
                    no.into_iter().for_each(|no| it.statement(no))
                });
            }
            StmtKind::While(condition, body) => self.looped(Some(condition), None, body),
            StmtKind::For(first, condition, step, body) => {
                self.scopes.push(Default::default());
                first.iter().for_each(|it| self.statement(it));
                self.looped(condition.as_ref(), step.as_ref(), body);
                self.scopes.pop();
            }
            StmtKind::DoWhile(body, condition) => {
                let next = self.label("next");
                self.emit("do");
                self.emit("::");
                self.indent += 1;
                self.exits.push(Exit::Loop(next.clone()));
                self.statement(body);
                self.exits.pop();
                self.put(&next);
                self.at(condition.span);
                self.choice(condition, &mut |_| {}, &mut |it| it.emit("break"));
                self.indent -= 1;
                self.emit("od");
            }
            StmtKind::Switch(value, body) => self.switch(value, body, it.span),
            StmtKind::Case(_, _, of) | StmtKind::Default(of) => self.statement(of),
            StmtKind::Label(name, of) => {
                let label = self.user_label(name);
                self.emit(format!("{label}: skip"));
                self.statement(of);
            }
            StmtKind::Goto(name) => {
                let label = self.user_label(name);
                self.emit(format!("goto {label}"));
            }
            StmtKind::GotoComputed(_) | StmtKind::Asm => {
                self.unsaid('E', "asm or a computed goto".into(), "the model has no such statement", it.span)
            }
            StmtKind::Break => match self.exits.last().cloned() {
                Some(Exit::Loop(_)) => self.emit("break"),
                Some(Exit::Switch(end)) => self.emit(format!("goto {end}")),
                _ => self.misplaced(it.span, "break"),
            },
            StmtKind::Continue => {
                let next = self
                    .exits
                    .iter()
                    .rev()
                    .find_map(|it| if let Exit::Loop(next) = it { Some(next.clone()) } else { None });
                match next {
                    Some(next) => self.emit(format!("goto {next}")),
                    None => self.misplaced(it.span, "continue"),
                }
            }
            StmtKind::Return(value) => self.returned(value.as_ref(), it.span),
            StmtKind::Empty => {}
        }
    }

    fn misplaced(&mut self, span: Span, what: &str) {
        self.diagnostics.push(Diagnostic::error("misplaced", span, format!("this `{what}` stands in no loop")));
    }

    /// Labels of functions that stand in place are told apart by how many calls there were.
    fn user_label(&self, name: &str) -> String {
        let end = self
            .exits
            .iter()
            .rev()
            .find_map(|it| if let Exit::Function(end, _) = it { Some(end.clone()) } else { None });
        format!("{name}_{}", end.unwrap_or_default().rsplit('_').next().unwrap_or(""))
    }

    fn returned(&mut self, value: Option<&Expr>, span: Span) {
        let exit = self.exits.iter().rev().find_map(|it| {
            if let Exit::Function(end, result) = it { Some((end.clone(), result.clone())) } else { None }
        });
        let Some((end, result)) = exit else { return };
        let text = value.map_or("return".into(), |it| format!("return {}", self.spelling(it)));
        let row = self.table.find(self.unit, 'R', &text).map(String::from);
        let hidden = row.as_deref() == Some("hide") || row.as_deref() == Some("comment");
        if let (Some(value), Some(result), false) = (value, result, hidden) {
            match self.value(value) {
                Ok(value) => self.emit(format!("{result} = {}", value.text)),
                Err(why) => self.unsaid('R', text.clone(), &why, span),
            }
        }
        self.note('R', text, row.as_deref().unwrap_or("keep"), Quality::Exact, span);
        self.emit(format!("goto {end}"));
    }

    /// Says that a fragment is not in the model.
    fn unsaid(&mut self, class: char, text: String, why: &str, span: Span) {
        if why == "recursion" {
            return;
        }
        if !self.fragments.iter().any(|it| it.class == class && it.text == text) {
            let message = format!("this is not in the model: {why}");
            self.diagnostics.push(
                Diagnostic::warning("not-represented", span, message).help("a row in a table can say what it becomes"),
            );
        }
        self.note(class, text, "hide", Quality::Less, span);
    }

    fn irrelevant(&self, text: &str) -> bool {
        let mut words = text.split(|it: char| !(it.is_alphanumeric() || it == '_'));
        words.any(|word| self.table.irrelevant.iter().any(|it| it == word))
    }

    fn declare(&mut self, it: &Declaration) {
        if it.is_typedef {
            return;
        }
        let text = it.text.to_string();
        let row = self.row('D', &text);
        if row.as_deref() == Some("hide") || row.as_deref() == Some("comment") {
            it.variables.iter().for_each(|it| self.bind(&it.name, Thing::Unknown));
            return self.note('D', text, "hide", Quality::Less, it.span);
        }
        let mut quality = Quality::Exact;
        for variable in &it.variables {
            // A pointer that is never changed is another name.
            if let Some(Init::Single(init)) = &variable.init
                && matches!(variable.ty.plain(), front_c::ast::Type::Pointer(_))
                && let Ok(place) = self.target(init)
            {
                self.bind(&variable.name, Thing::Alias(place));
                continue;
            }
            let own = self.fresh(&variable.name);
            let Some(declared) = declaration(self.unit, &variable.ty, &own) else {
                self.bind(&variable.name, Thing::Unknown);
                quality = Quality::Less;
                continue;
            };
            // What has an address or lives on belongs to everybody.
            self.locals.push(declared);
            let place = Place { text: own.clone(), ty: variable.ty.clone(), shared: false };
            self.bind(&variable.name, Thing::Place(place));
            match &variable.init {
                Some(Init::Single(value)) => match self.value(value) {
                    Ok(value) => self.emit(format!("{own} = {}", value.text)),
                    Err(why) => self.unsaid('D', text.clone(), &why, variable.span),
                },
                Some(Init::List(_)) => self.unsaid('D', text.clone(), "lists begin with 0 in the model", variable.span),
                None => {}
            }
        }
        self.note('D', text, "keep", quality, it.span);
    }

    /// What the table says of a fragment.
    fn row(&self, class: char, text: &str) -> Option<String> {
        let found = self.table.find(self.unit, class, text).map(String::from);
        let hidden = || self.irrelevant(text).then(|| "hide".to_string());
        found.or_else(hidden).or_else(|| self.table.default_of(class).map(String::from))
    }

    fn expression(&mut self, it: &Expr) {
        let class = match &it.kind {
            ExprKind::Assign(..) => 'A',
            ExprKind::Call(..) => 'F',
            _ => 'E',
        };
        let text = self.spelling(it);
        let row = self.row(class, &text);
        match row.as_deref() {
            Some("hide") => return self.note(class, text, "hide", Quality::Less, it.span),
            Some("comment") => {
                return self.note(class, text, "comment", Quality::Less, it.span);
            }
            Some("print") => self.emit(format!("printf({})", quoted(&format!("{class}: {text}")))),
            Some("keep") | None => {
                let start = self.lines.len();
                if let Err(why) = self.effect(it) {
                    self.lines.truncate(start);
                    if row.is_none() {
                        return self.unsaid(class, text, &why, it.span);
                    }
                    let kept = self.kept(&text);
                    self.emit(kept);
                }
            }
            Some(other) => self.emit(other.to_string()),
        }
        self.note(class, text, row.as_deref().unwrap_or("keep"), Quality::Exact, it.span);
    }

    /// A fragment as it is, with the table's rewriting; a string that is a word becomes that word.
    fn kept(&self, text: &str) -> String {
        let text = self.table.substituted(text);
        text.split('"')
            .enumerate()
            .map(|(at, part)| {
                if at % 2 == 1 && !part.chars().all(char::is_alphanumeric) {
                    format!("\"{part}\"")
                } else {
                    part.to_string()
                }
            })
            .collect()
    }

    /// A condition and what follows if it is true, and if not.
    fn choice<'b>(&mut self, condition: &Expr, yes: &'b mut dyn FnMut(&mut Self), no: &'b mut dyn FnMut(&mut Self)) {
        let (one, two) = self.guards(condition);
        let here = self.here.clone();
        if let (Some(only), None) | (None, Some(only)) = (&one, &two) {
            if only != "true" {
                self.emit(only.clone());
            }
            return if one.is_some() { yes(self) } else { no(self) };
        }
        self.emit("if");
        for (guard, part) in [(one, yes), (two, no)] {
            self.here = here.clone();
            self.emit(format!(":: {} ->", guard.unwrap_or_else(|| "false".into())));
            self.indent += 1;
            let before = self.lines.len();
            part(self);
            if self.lines.len() == before {
                self.emit("skip");
            }
            self.indent -= 1;
        }
        self.here = here;
        self.emit("fi");
    }

    /// The guards for a condition and its negation; none for a branch that is not taken.
    fn guards(&mut self, condition: &Expr) -> (Option<String>, Option<String>) {
        let positive = print::condition(self.unit, condition);
        let negative = match &condition.kind {
            ExprKind::Unary(operator, of) if &**operator == "!" => print::condition(self.unit, of),
            ExprKind::Unary(..) | ExprKind::Call(..) | ExprKind::Name(_) => format!("!{positive}"),
            _ => format!("!{positive}"),
        };
        let (one, two) = (self.row('C', &positive), self.row('C', &negative));
        if one.is_none() && two.is_none() || (one.as_deref(), two.as_deref()) == (Some("keep"), Some("keep")) {
            let start = self.lines.len();
            match self.value(condition) {
                Ok(value) => {
                    self.note('C', positive, "keep", Quality::Exact, condition.span);
                    self.note('C', negative, "keep", Quality::Exact, condition.span);
                    return (Some(value.text), Some("else".into()));
                }
                Err(why) if one.is_none() => {
                    self.lines.truncate(start);
                    let name = format!("C: {positive}");
                    if !self.fragments.iter().any(|it| it.text == positive) && why != "recursion" {
                        let message = format!("both outcomes of this condition are possible in the model: {why}");
                        self.diagnostics.push(
                            Diagnostic::warning("over-approximated", condition.span, message)
                                .help("a row in a table can say more"),
                        );
                    }
                    self.note('C', positive, "true", Quality::More, condition.span);
                    self.note('C', negative, "true", Quality::More, condition.span);
                    self.here = Some(Origin { span: condition.span, uncertain: Some(name) });
                    return (Some("true".into()), Some("true".into()));
                }
                Err(_) => self.lines.truncate(start),
            }
        }
        let (first, second) = (
            self.guard(&positive, one.as_deref(), condition.span),
            self.guard(&negative, two.as_deref(), condition.span),
        );
        (first, second)
    }

    fn guard(&mut self, text: &str, row: Option<&str>, span: Span) -> Option<String> {
        let row = row.unwrap_or("true");
        let quality = match row {
            "false" => Quality::Less,
            "true" | "hide" | "print" | "comment" => Quality::More,
            _ => Quality::Exact,
        };
        self.note('C', text.to_string(), row, quality, span);
        match row {
            "false" => None,
            "true" | "hide" | "comment" => Some("true".into()),
            "print" => Some(format!("printf({})", quoted(&format!("C: {text}")))),
            "keep" => Some(self.kept(text)),
            other => Some(other.to_string()),
        }
    }

    fn looped(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt) {
        let next = self.label("next");
        let here = self.here.clone();
        self.emit("do");
        let head = self.lines.len();
        self.emit("::");
        self.indent += 1;
        let (one, two) = match condition {
            Some(it) => {
                self.at(it.span);
                self.guards(it)
            }
            None => (Some("true".into()), None),
        };
        let plain = self.lines.len() == head + 1;
        let (guard, leave) = (one.unwrap_or_else(|| "false".into()), two);
        if plain {
            self.lines.truncate(head);
            self.indent -= 1;
            self.emit(format!(":: {guard} ->"));
            self.indent += 1;
        } else {
            self.emit("if");
            self.emit(format!(":: {guard}"));
            if let Some(leave) = &leave {
                self.emit(format!(":: {leave} -> break"));
            }
            self.emit("fi");
        }
        let before = self.lines.len();
        self.exits.push(Exit::Loop(next.clone()));
        self.statement(body);
        self.exits.pop();
        self.put(&next);
        if let Some(step) = step {
            self.at(step.span);
            self.expression(step);
        }
        if self.lines.len() == before {
            self.emit("skip");
        }
        self.indent -= 1;
        self.here = here;
        if let (true, Some(leave)) = (plain, leave) {
            self.emit(format!(":: {leave} -> break"));
        }
        self.emit("od");
    }

    /// `switch`: a choice of where to jump to, then the body from there on.
    fn switch(&mut self, value: &Expr, body: &Stmt, span: Span) {
        let end = self.label("end_of_switch");
        let list: Vec<Stmt> = match &body.kind {
            StmtKind::Block(list) => list.clone(),
            _ => vec![body.clone()],
        };
        let mut cases: Vec<(Case, String)> = Vec::new();
        let mut flat: Vec<(Vec<String>, Stmt)> = Vec::new();
        for statement in list {
            let (mut labels, mut inner) = (Vec::new(), statement);
            loop {
                match inner.kind {
                    StmtKind::Case(first, last, of) => {
                        labels.push(self.label("case"));
                        cases.push((Some((first, last)), labels[labels.len() - 1].clone()));
                        inner = *of;
                    }
                    StmtKind::Default(of) => {
                        labels.push(self.label("case"));
                        cases.push((None, labels[labels.len() - 1].clone()));
                        inner = *of;
                    }
                    _ => break,
                }
            }
            flat.push((labels, inner));
        }
        let tested = match self.value(value) {
            Ok(tested) => Some(self.settled(tested)),
            Err(why) => {
                let text = print::condition(self.unit, value);
                self.diagnostics.push(Diagnostic::warning(
                    "over-approximated",
                    value.span,
                    format!("every case is possible in the model: {why}"),
                ));
                self.here = Some(Origin { span, uncertain: Some(format!("C: {text}")) });
                self.note('C', text, "true", Quality::More, value.span);
                None
            }
        };
        self.emit("if");
        let mut otherwise = end.clone();
        for (case, label) in &cases {
            let Some((first, last)) = case else {
                otherwise = label.clone();
                continue;
            };
            let test = match (&tested, self.value(first), last.as_ref().map(|it| self.value(it)).transpose()) {
                (Some(tested), Ok(first), Ok(None)) => format!("{} == {}", tested.text, first.text),
                (Some(tested), Ok(first), Ok(Some(last))) => {
                    format!("({} >= {} && {} <= {})", tested.text, first.text, tested.text, last.text)
                }
                _ => "true".into(),
            };
            self.emit(format!(":: {test} -> goto {label}"));
        }
        let last = if tested.is_some() { "else" } else { "true" };
        self.emit(format!(":: {last} -> goto {otherwise}"));
        self.emit("fi");
        self.scopes.push(Default::default());
        self.exits.push(Exit::Switch(end.clone()));
        for (labels, statement) in &flat {
            self.at(statement.span);
            labels.iter().for_each(|it| self.put(it));
            self.statement(statement);
        }
        self.exits.pop();
        self.scopes.pop();
        self.put(&end);
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\\n\"", text.replace('\\', "").replace('"', "'").replace('%', ""))
}
