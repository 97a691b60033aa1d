//! The pages about codes of diagnostics, from all who have some.
use text::{Page, pages};

/// Pages about what has to do with files, limits and languages other than models.
const PAGES: &str = include_str!("pages.md");

/// All pages, by code.
pub fn explanations() -> Vec<Page> {
    let all = [front_promela::PAGES, front_gcl::PAGES, advice::PAGES, PAGES];
    let mut list: Vec<Page> = all.into_iter().flat_map(pages).collect();
    list.sort_by_key(|it| it.code);
    list
}

/// The page about a code; if there is none, the code that may have been meant.
pub fn explanation(code: &str) -> Result<Page, Option<&'static str>> {
    let list = explanations();
    let found = list.iter().find(|it| it.code == code).copied();
    found.ok_or_else(|| text::closest(code, list.iter().map(|it| it.code)))
}
