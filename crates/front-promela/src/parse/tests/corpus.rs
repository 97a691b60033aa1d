//! Models nobody here wrote, whole and damaged.
//!
//! They are not part of the project: without them these tests have nothing to say.
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use text::Sources;

use crate::lex;
use crate::parse::{Dialect, parse};
use crate::preprocess::{LoadError, Loader, Options};
use crate::print;
use crate::token::{Keyword, Kind, Punct, Token};

/// Reads files as they are; bytes that are no text count as characters.
struct Disk;

impl Loader for Disk {
    fn load(&mut self, path: &Path) -> Result<String, LoadError> {
        std::fs::read(path).map(|bytes| text_of(&bytes)).map_err(|_| LoadError::NotFound)
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| bytes.iter().map(|&it| it as char).collect())
}

/// All files of the corpus that end like models.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut folders = vec![root];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if is_model(&path) => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or("");
    ["pml", "pm", "spin", "prom", "prm", "promela", "pr"].contains(&extension)
}

fn words_of(name: &Path, text: &str) -> Vec<Token> {
    let mut sources = Sources::default();
    let root = sources.add(name.to_string_lossy(), text);
    lex::read(&mut sources, root, &Options::default(), &mut Disk).0
}

/// Numbers that are the same in every run (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }
}

/// Any word.
fn some_word(random: &mut Random) -> Kind {
    match random.below(4) {
        0 => Kind::Keyword(Keyword::ALL[random.below(Keyword::ALL.len())]),
        1 => Kind::Name("name".into()),
        2 => Kind::Number(1),
        _ => Kind::Punct(Punct::ALL[random.below(Punct::ALL.len())]),
    }
}

/// Loses, repeats, swaps or replaces a few words, but not the end.
fn damage(words: &mut Vec<Token>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let count = words.len() - 1;
        if count == 0 {
            return;
        }
        let (here, there) = (random.below(count), random.below(count));
        match random.below(4) {
            0 => drop(words.remove(here)),
            1 => words.insert(here, words[there].clone()),
            2 => words.swap(here, there),
            _ => words[here].kind = some_word(random),
        }
    }
}

/// Whatever the words, they are read in time and the tree can be printed.
fn survives(words: &[Token], name: &Path) {
    let start = Instant::now();
    let parsed = parse(words, Dialect::Pv);
    assert!(parsed.diagnostics.len() <= words.len());
    print::tree(&parsed.tree);
    assert!(start.elapsed() < Duration::from_secs(1), "{name:?} took {:?}", start.elapsed());
}

#[test]
fn printing_and_reading_again_gives_the_same_tree() {
    for path in models() {
        let words = words_of(&path, &Disk.load(&path).unwrap_or_default());
        let first = parse(&words, Dialect::Spin);
        if first.diagnostics.iter().any(text::Diagnostic::is_error) {
            continue;
        }
        let printed = print::tree(&first.tree);
        let second = parse(&words_of(&path, &printed), Dialect::Spin);
        assert!(second.tree == first.tree, "{path:?} is printed as\n{printed}\n{:?}", second.diagnostics);
    }
}

#[test]
fn damaged_models_are_survived() {
    let mut random = Random(1);
    for path in models() {
        let whole = words_of(&path, &Disk.load(&path).unwrap_or_default());
        for _ in 0..4 {
            let mut words = whole.clone();
            damage(&mut words, &mut random);
            survives(&words, &path);
        }
    }
}

#[test]
fn truncated_models_are_survived() {
    let mut random = Random(2);
    for path in models() {
        let text = Disk.load(&path).unwrap_or_default();
        let end = random.below(text.len());
        let end = (0..=end).rev().find(|&it| text.is_char_boundary(it)).unwrap_or(0);
        survives(&words_of(&path, &text[..end]), &path);
    }
}
