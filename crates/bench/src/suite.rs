//! The list of models: one line each, `path states transitions depth [quick]`; `#` begins a remark.

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
}

/// Reads a list of models.
pub fn read(text: &str) -> Result<Vec<Model>, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim()).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty());
    lines.map(|(at, line)| model(line).ok_or(format!("suite, line {}: `{line}` is no model", at + 1))).collect()
}

fn model(line: &str) -> Option<Model> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (path, numbers) = words.split_first()?;
    let number = |at: usize| numbers.get(at)?.parse().ok();
    let quick = match numbers.get(3..)? {
        [] => false,
        ["quick"] => true,
        _ => return None,
    };
    let name = short_name(path);
    Some(Model { name, path: path.to_string(), states: number(0)?, transitions: number(1)?, depth: number(2)?, quick })
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
    fn a_wrong_line_is_named() {
        assert!(read("beem/a.pm 1 2 3\nbeem/b.pm 1 x 3").unwrap_err().contains("line 2"));
        assert!(read("beem/a.pm 1 2 3 slow").is_err());
    }
}
