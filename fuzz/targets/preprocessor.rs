//! Any text through the preprocessor; what it says and where its words stand make sense.
#![no_main]
use front_promela::preprocess::{Options, join, preprocess};
use libfuzzer_sys::fuzz_target;
use promenade_fuzz::{files, show};
use text::Sources;

fuzz_target!(|input: &str| {
    let mut sources = Sources::default();
    let (root, mut loader) = files(input, &mut sources);
    let defines = vec![("N".to_string(), "3".to_string()), ("F(a)".to_string(), "a + a".to_string())];
    let options = Options { defines, include_dirs: vec!["lib".into()], ..Options::default() };
    let result = preprocess(&mut sources, root, &options, &mut loader);
    show(&result.diagnostics, &sources);
    for word in &result.words {
        for span in [Some(word.span), word.origin].into_iter().flatten() {
            let text = &sources.file(span.file).text;
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{word:?} stands nowhere");
        }
    }
    join(&result.words);
});
