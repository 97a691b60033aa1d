//! What the pages about codes say is true, where it takes a program or commands to show it.
//!
//! Models are compiled by the tests of their front ends. A block `sh` is run by a shell in an empty folder, a block `c` is a program of which a model is made; the
//! codes are those in brackets on standard error.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use text::Example;

/// An empty folder.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("prom-pages-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a temporary folder harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a shell says on standard error, with the program on its path.
fn said(folder: &Path, commands: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_prom")).parent().expect("a folder").display();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap_or_default());
    let ran = Command::new("sh").args(["-c", commands]).current_dir(folder).env("PATH", path).output();
    String::from_utf8_lossy(&ran.expect("a shell").stderr).into_owned()
}

/// The codes of messages; one that has none stands for itself.
fn codes(said: &str) -> BTreeSet<String> {
    let code = |line: &str| {
        let rest = line.strip_prefix("error").or_else(|| line.strip_prefix("warning"))?;
        match rest.strip_prefix('[').and_then(|it| it.split_once("]: ")) {
            Some((code, _)) => Some(code.to_string()),
            None => rest.starts_with(':').then(|| line.to_string()),
        }
    };
    said.lines().filter_map(code).collect()
}

/// What comes of an example; nothing if it is for others.
fn tried(example: &Example) -> Option<BTreeSet<String>> {
    let folder = Folder::new();
    let commands = match example.language {
        "sh" => example.text,
        "c" => {
            std::fs::write(folder.0.join("program.c"), example.text).expect("a file");
            "prom extract program.c"
        }
        _ => return None,
    };
    Some(codes(&said(&folder.0, commands)))
}

#[test]
fn examples_are_wrong_and_right_as_their_pages_say() {
    let (mut complaints, mut count) = (Vec::new(), 0);
    for page in promenade::explanations() {
        for it in page.examples() {
            let Some(got) = tried(&it) else { continue };
            count += 1;
            let expected = if it.wrong { BTreeSet::from([page.code.to_string()]) } else { BTreeSet::new() };
            if got != expected {
                complaints.push(format!("{}: {got:?} for\n{}", page.code, it.text));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(count >= 100, "only {count} examples");
}

#[test]
fn every_page_has_a_wrong_and_a_right_example_in_a_language_that_is_tried() {
    for page in promenade::explanations() {
        let examples = page.examples();
        let is_known = |it: &Example| ["promela", "ltl", "gcl", "c", "sh"].contains(&it.language);
        assert!(examples.iter().all(is_known), "{}", page.code);
        assert!(examples.iter().any(|it| it.wrong) && examples.iter().any(|it| !it.wrong), "{}", page.code);
    }
}

#[test]
fn codes_are_read_and_messages_without_one_are_noticed() {
    let text = "error[one-two]: a\n  --> x\nwarning[three]: b\nnote: c\nerror: unexpected argument\n";
    let expected = ["error: unexpected argument", "one-two", "three"].map(str::to_string);
    assert_eq!(codes(text), BTreeSet::from(expected));
}
