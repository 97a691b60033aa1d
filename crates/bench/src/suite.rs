//! The list of models: one line each, `path states transitions depth [quick]`; `#` begins a remark. Behind a colon may stand the name of a temporal property, and
//! its formula if the model does not state it. The states are those of the model with SPIN's claim then, and only verdicts are compared.

use std::fs;
use std::path::{Path, PathBuf};

/// A model and what a full search of it must find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Short name, from the path.
    pub name: String,
    /// Where it is, from the corpus folder.
    pub path: String,
    /// Reachable states.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
    /// The longest path of a depth-first search by SPIN's verifier, which must be told in advance.
    pub depth: u64,
    /// Part of the quick selection.
    pub quick: bool,
    /// The property that is checked, if it is not safety.
    pub property: Option<Property>,
}

/// A temporal property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it says, if the model does not state it.
    pub formula: Option<String>,
}

impl Model {
    /// The file to check, from the corpus folder or a copy in another one with the property added.
    pub fn file(&self, corpus: &Path, scratch: &Path) -> Result<PathBuf, String> {
        let original = corpus.join(&self.path);
        let Some(Property { name, formula: Some(formula) }) = &self.property else { return Ok(original) };
        let text = fs::read_to_string(&original).map_err(|e| format!("{}: {e}", original.display()))?;
        let copy = scratch.join("model.pml");
        fs::write(&copy, format!("{text}\nltl {name} {{ {formula} }}\n")).map_err(|e| e.to_string())?;
        Ok(copy)
    }
}

/// Reads a list of models.
pub fn read(text: &str) -> Result<Vec<Model>, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim()).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty());
    lines.map(|(at, line)| model(line).ok_or(format!("suite, line {}: `{line}` is no model", at + 1))).collect()
}

fn model(line: &str) -> Option<Model> {
    let (line, property) = line.split_once(':').map_or((line, None), |it| (it.0, Some(property(it.1))));
    let words: Vec<&str> = line.split_whitespace().collect();
    let (path, numbers) = words.split_first()?;
    let number = |at: usize| numbers.get(at)?.parse().ok();
    let quick = match numbers.get(3..)? {
        [] => false,
        ["quick"] => true,
        _ => return None,
    };
    let mut name = short_name(path);
    property.iter().for_each(|it: &Property| name += &format!(" {}", it.name));
    let (states, transitions, depth) = (number(0)?, number(1)?, number(2)?);
    Some(Model { name, path: path.to_string(), states, transitions, depth, quick, property })
}

fn property(text: &str) -> Property {
    let (name, formula) = text.trim().split_once(' ').map_or((text.trim(), None), |it| (it.0, Some(it.1)));
    Property { name: name.to_string(), formula: formula.map(|it| it.trim().to_string()) }
}

/// The file's name without its ending; below `beem` every name is unique, elsewhere the folder is named too.
fn short_name(path: &str) -> String {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let parts: Vec<&str> = stem.split('/').collect();
    match parts.as_slice() {
        ["beem", name] => name.to_string(),
        [.., folder, name] => format!("{folder}/{name}"),
        _ => stem.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read() {
        let models = read("# remark\nbeem/at.3.pm 10 20 7 quick\n\na/b/c.spin 1 2 3 # more\n").unwrap();
        let names: Vec<(&str, u64, bool)> = models.iter().map(|it| (it.name.as_str(), it.depth, it.quick)).collect();
        assert_eq!(names, [("at.3", 7, true), ("b/c", 3, false)]);
    }

    #[test]
    fn a_property_follows_a_colon() {
        let models = read("beem/at.3.pm 10 20 7 : p\nbeem/at.4.pm 10 20 7 quick : q [] (P_0@CS -> <> x)\n").unwrap();
        let property = |name: &str, formula: Option<&str>| {
            Some(Property { name: name.into(), formula: formula.map(str::to_string) })
        };
        assert_eq!((models[0].name.as_str(), &models[0].property), ("at.3 p", &property("p", None)));
        assert_eq!(models[1].property, property("q", Some("[] (P_0@CS -> <> x)")));
    }

    #[test]
    fn a_wrong_line_is_named() {
        assert!(read("beem/a.pm 1 2 3\nbeem/b.pm 1 x 3").unwrap_err().contains("line 2"));
        assert!(read("beem/a.pm 1 2 3 slow").is_err());
    }
}
