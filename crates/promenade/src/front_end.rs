//! The one place where the front end is called.
use front_promela::preprocess::{self, Loader};
use model::Model;
use text::{Diagnostic, FileId, Sources};

/// Which Promela.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Dialect { #[default] Spin, Pv }

/// How a text is read.
#[derive(Clone, Debug, Default)]
pub struct FrontOptions {
    /// p
    pub preprocess: preprocess::Options,
    /// d
    pub dialect: Dialect,
}

pub(crate) fn compile(sources: &mut Sources, root: FileId, options: &FrontOptions, loader: &mut dyn Loader) -> (Option<Model>, Vec<Diagnostic>) {
    let it = preprocess::preprocess(sources, root, &options.preprocess, loader);
    (Some(Model::default()), it.diagnostics)
}
