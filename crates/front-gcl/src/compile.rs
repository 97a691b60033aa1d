//! All stages in a row.
use model::Model;
use text::{Diagnostic, FileId, Sources};

use crate::elaborate::elaborate;
use crate::property::{Stated, properties};
use crate::{ast::Tree, lex, lower, parse};

/// What was understood.
#[derive(Debug)]
pub struct Compiled {
    /// The model, if nothing is wrong.
    pub model: Option<Model>,
    /// As much of the tree as could be understood.
    pub tree: Tree,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file of `sources` into a model; `chosen` are values of parameters, by name, and `further` are formulas
/// beside those of the text.
pub fn compile(sources: &Sources, root: FileId, chosen: &[(String, String)], further: &[Stated]) -> Compiled {
    let (words, mut diagnostics) = lex::words(root, &sources.file(root).text);
    let (tree, wrong) = parse::parse(&words);
    diagnostics.extend(wrong);
    let mut model = None;
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let mut elaborated = elaborate(&tree, sources, chosen);
        if !elaborated.has_errors() {
            let mut lowered = lower::lower(&mut elaborated, sources);
            let own = tree.properties.iter().map(|it| Stated { name: it.name.text.clone(), span: it.formula });
            let stated: Vec<Stated> = own.chain(further.iter().cloned()).collect();
            properties(&mut elaborated, &mut lowered, sources, &stated);
            model = Some(lowered);
        }
        diagnostics.append(&mut elaborated.diagnostics);
    }
    diagnostics.sort_by_key(|it| it.span.map(|span| (span.file, span.start)));
    let model = model.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    Compiled { model, tree, diagnostics }
}
