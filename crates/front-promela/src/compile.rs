//! All stages in a row.
use model::Model;
use text::{Diagnostic, FileId, Sources};

use crate::parse::Dialect;
use crate::preprocess::Loader;
use crate::{ast, consequences, lex, lower, parse, preprocess};

/// How to read a text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Macros and include directories.
    pub preprocess: preprocess::Options,
    /// Which language.
    pub dialect: Dialect,
}

/// What was understood.
#[derive(Debug)]
pub struct Compiled {
    /// The model, if nothing is wrong.
    pub model: Option<Model>,
    /// As much of the tree as could be understood.
    pub tree: ast::Tree,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the file `root` of `sources`, and those it includes, into a model.
///
/// Names and types are looked at only if the grammar is right: otherwise most of what could be said
/// about them would be wrong.
pub fn compile(sources: &mut Sources, root: FileId, options: &Options, loader: &mut dyn Loader) -> Compiled {
    let (words, mut diagnostics) = lex::read(sources, root, &preprocess_options(options), loader);
    let parsed = parse::parse(&words, options.dialect);
    diagnostics.extend(consequences::remove(parsed.diagnostics, &diagnostics, sources));
    let mut model = None;
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let (lowered, mut more) = lower::lower(&parsed.tree);
        consequences::point_into_macros(&mut more, &words);
        diagnostics.extend(more);
        model = lowered;
    }
    diagnostics.sort_by_key(|it| it.span.map(|span| (span.file, span.start)));
    Compiled { model, tree: parsed.tree, diagnostics }
}

/// A formula without a model: its names are not looked up.
#[derive(Debug)]
pub struct LoneFormula {
    /// The formula, if nothing is wrong with it.
    pub formula: Option<ast::Expr>,
    /// How `spin -f` reads the same words, if that is something else.
    pub flat: Option<ast::Expr>,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the file `root` of `sources` as a formula.
pub fn lone_formula(
    sources: &mut Sources,
    root: FileId,
    options: &preprocess::Options,
    loader: &mut dyn Loader,
) -> LoneFormula {
    let (words, mut diagnostics) = lex::read(sources, root, options, loader);
    let read = |flat| {
        let parsed = parse::parse_formula(&words, flat);
        let unit = parsed.tree.units.into_iter().next();
        (if let Some(ast::Unit::Ltl(ltl)) = unit { Some(ltl.formula) } else { None }, parsed.diagnostics)
    };
    let ((formula, wrong), (flat, _)) = (read(false), read(true));
    diagnostics.extend(consequences::remove(wrong, &diagnostics, sources));
    let formula = formula.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    let flat = flat.filter(|flat| formula.as_ref().is_some_and(|it| it != flat));
    LoneFormula { formula, flat, diagnostics }
}

/// PV defines `_UV_`, by which models tell it from SPIN.
fn preprocess_options(options: &Options) -> preprocess::Options {
    let mut preprocess = options.preprocess.clone();
    if options.dialect == Dialect::Pv {
        preprocess.defines.push(("_UV_".into(), "1".into()));
    }
    preprocess
}
