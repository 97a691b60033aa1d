//! Reading source files as people have them.
//!
//! Promela files are older than UTF-8: a stray Latin-1 letter in a comment must not keep a model from
//! being checked, so bytes that are no UTF-8 become U+FFFD, and it is for the parser to complain
//! where that matters. What is no text at all is refused here.
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use front_promela::preprocess::{LoadError, Loader};
use text::Diagnostic;

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

/// Loads included files from the file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Loader for Disk {
    fn load(&mut self, path: &Path) -> Result<String, LoadError> {
        decode(&bytes(path)?)
    }
}

/// The bytes of a file.
pub fn bytes(path: &Path) -> Result<Vec<u8>, LoadError> {
    if path.is_dir() {
        return Err(LoadError::Directory);
    }
    read(&mut File::open(path).map_err(from_io)?)
}

/// Everything that a reader has, unless it is far too much.
pub fn read(reader: &mut dyn Read) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    reader.take(LARGEST + 1).read_to_end(&mut bytes).map_err(from_io)?;
    if bytes.len() as u64 > LARGEST {
        return Err(LoadError::Other(format!("it is larger than {} MB", LARGEST >> 20)));
    }
    Ok(bytes)
}

fn from_io(error: std::io::Error) -> LoadError {
    match error.kind() {
        ErrorKind::NotFound => LoadError::NotFound,
        ErrorKind::IsADirectory => LoadError::Directory,
        _ => LoadError::Other(error.to_string()),
    }
}

/// The text that bytes are meant to be.
pub fn decode(bytes: &[u8]) -> Result<String, LoadError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(LoadError::Other("it is UTF-16; save it as UTF-8".into()));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    let odd =
        text.chars().filter(|&it| it == '\u{fffd}' || (it.is_control() && !it.is_ascii_whitespace() && it != '\u{b}'));
    if bytes.contains(&0) || odd.count() * 10 > bytes.len() * 3 {
        return Err(LoadError::NotText);
    }
    Ok(text.into_owned())
}

/// What to tell the user about a model that has no text.
pub fn explain(name: &str, error: &LoadError) -> Diagnostic {
    match error {
        LoadError::NotFound => Diagnostic::global("missing-file", format!("there is no file `{name}`")),
        LoadError::Directory => {
            Diagnostic::global("is-a-directory", format!("`{name}` is a directory")).help("name the model's file")
        }
        LoadError::NotText => Diagnostic::global("not-text", format!("`{name}` is not a text file")),
        LoadError::Other(why) => Diagnostic::global("unreadable-file", format!("`{name}` cannot be read: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: Result<&str, LoadError>) {
        assert_eq!(decode(bytes), expected.map(str::to_string));
    }

    #[test]
    fn odd_bytes_in_a_comment_do_not_matter() {
        check(b"/* Andr\xe9 */ init { skip }", Ok("/* Andr\u{fffd} */ init { skip }"));
        check(b"", Ok(""));
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        check(b"\xef\xbb\xbfinit", Ok("init"));
    }

    #[test]
    fn data_are_not_text() {
        check(b"\x7fELF\x02\x01\x01\0\0\0", Err(LoadError::NotText));
        check(&[0x80, 0x93, 0xa7, 0xff, b'a'], Err(LoadError::NotText));
        check(b"\xff\xfei\0n\0", Err(LoadError::Other("it is UTF-16; save it as UTF-8".into())));
    }

    #[test]
    fn a_directory_is_not_a_file() {
        assert_eq!(bytes(Path::new("/")), Err(LoadError::Directory));
        assert_eq!(bytes(Path::new("/no/such/file")), Err(LoadError::NotFound));
    }

    #[test]
    fn an_endless_file_is_not_read_to_its_end() {
        let error = read(&mut std::io::repeat(b'a'));
        assert_eq!(error, Err(LoadError::Other("it is larger than 64 MB".into())));
    }
}
