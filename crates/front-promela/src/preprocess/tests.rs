//! Text in, words out: one helper, and every test is data.
use std::collections::HashMap;

use super::*;

/// Files in memory.
struct Shelf(HashMap<PathBuf, Result<String, LoadError>>);

impl Loader for Shelf {
    fn load(&mut self, path: &Path) -> Result<String, LoadError> {
        self.0.get(path).cloned().unwrap_or(Err(LoadError::NotFound))
    }
}

/// `--- name` starts a further file; a file without text is a directory.
fn run(fixture: &str, options: &Options) -> (Sources, Preprocessed) {
    let mut parts = fixture.split("--- ");
    let mut sources = Sources::default();
    let root = sources.add("dir/main.pml", parts.next().unwrap_or(""));
    let files = parts.filter_map(|part| part.split_once('\n')).map(|(name, text)| {
        let text = if text.is_empty() { Err(LoadError::Directory) } else { Ok(text.to_string()) };
        (PathBuf::from(name), text)
    });
    let mut shelf = Shelf(files.collect());
    let result = preprocess(&mut sources, root, options, &mut shelf);
    (sources, result)
}

/// Each diagnostic as `code: text it points at`.
fn flaws(sources: &Sources, result: &Preprocessed) -> Vec<String> {
    let flaw = |it: &Diagnostic| format!("{}: {}", it.code, it.span.map_or("", |span| sources.slice(span)));
    result.diagnostics.iter().map(flaw).collect()
}

/// The words as text (line breaks as blanks), then what is wrong, each on a line of its own.
#[track_caller]
fn check(fixture: &str, expected: &str) {
    let options = Options {
        defines: vec![("FROM_OUTSIDE".into(), "7".into())],
        include_dirs: vec!["lib".into()],
        ..Options::default()
    };
    let (sources, result) = run(fixture, &options);
    let mut lines = vec![join(&result.words).replace('\n', " ")];
    lines.extend(flaws(&sources, &result));
    assert_eq!(lines.join("\n"), expected);
}

/// Each word as `word@text it is shown at`, and `<text of its origin` if a macro wrote it.
#[track_caller]
fn check_places(text: &str, expected: &str) {
    let (sources, result) = run(text, &Options::default());
    let place = |word: &RawWord| {
        let origin = word.origin.map_or(String::new(), |origin| format!(" < {}", sources.slice(origin)));
        format!("{} @ {}{origin}", word.spelling(), sources.slice(word.span))
    };
    assert_eq!(result.words.iter().map(place).collect::<Vec<_>>(), expected.lines().map(str::trim).collect::<Vec<_>>());
}

#[test]
fn a_text_without_directives_passes_unchanged() {
    check("byte x = 1; /* one */ x++ // two\n", "byte x = 1; x++");
    check("", "");
}

#[test]
fn a_macro_stands_for_its_body() {
    check("#define N 3\n#define M N + N\nN; M;", "3; 3 + 3;");
    check("#define EMPTY\na EMPTY b EMPTY", "a b");
    check("#define N 3\n\"N\" 'N' 1..N", "\"N\" 'N' 1.. 3");
    check("#define N 3\n#undef N\n#undef M\nN", "N");
    check("#define NOT (x)\nNOT", "(x)");
}

#[test]
fn a_macro_takes_arguments() {
    check("#define F(a, b) b a\nF(1, 2) F((1, 2), f(3, 4)) F(,) F", "2 1 f(3, 4) (1, 2) F");
    check("#define F() x\nF() F( ) F", "x x F");
    check("#define F(a) [a]\nF\n(1\n) y F (2)", "[1] y [2]");
    check("#define F(a) a\nF(#\n)", "#");
}

#[test]
fn arguments_are_expanded_before_they_are_put_in() {
    check("#define N 3\n#define F(a) a + #a\nF(N)", "3 + \"N\"");
    check("#define F(a) <a>\nF(F(F(1)))", "< < <1> > >");
}

#[test]
fn a_macro_never_expands_itself() {
    check("#define x x + 1\nx", "x + 1");
    check("#define a b\n#define b a\na b", "a b");
    check("#define f(a) a * g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g");
    check("#define f(x) f(x - 1)\nf(f(0))", "f(f(0 - 1) - 1)");
}

#[test]
fn hash_makes_a_string_and_double_hash_one_word() {
    check("#define S(x) #x\nS( a  \"b\\n\"\n'c' )", r#""a \"b\\n\" 'c'""#);
    check("#define C(a, b) a ## b\nC(x, 1) C(, y) C(x,) C(,) C(a b, c d) C(:, :)", "x1 y x a bc d ::");
    check("#define C(a, b) a ## b\n#define X(a, b) C(a, b)\n\n\nX(x, __LINE__)", "x5");
    check("#define N 1\n#define C(a) N ## a ## N\nC(_)", "N_N");
    check("#define C(a, b) a ## b\nC(+, x)", "+ x\nbad-paste: C(+, x)");
}

#[test]
fn the_last_parameter_may_take_the_rest() {
    check("#define V(f, ...) f(__VA_ARGS__)\nV(a) V(a, b) V(a, b, c)", "a() a(b) a(b, c)");
    check("#define W(f, rest...) f(1, ## rest)\nW(a) W(a, b, c)", "a(1) a(1, b, c)");
}

#[test]
fn built_in_macros_know_where_they_are() {
    check("\n__FILE__ __LINE__\n#define HERE __LINE__\nHERE", "\"dir/main.pml\" 2 4");
    check("#if __LINE__ == 1\nyes\n#endif", "yes");
}

#[test]
fn the_command_line_defines_macros() {
    check("FROM_OUTSIDE", "7");
    check("#ifndef FROM_OUTSIDE\n#define FROM_OUTSIDE 8\n#endif\nFROM_OUTSIDE", "7");
}

#[test]
fn one_branch_of_a_group_is_read() {
    check("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\ne", "b e");
    check("#ifdef X\na\n#else\nb\n#endif\n#ifndef X\nc\n#endif", "b c");
    check("#define X\n#if defined X && defined(X) && !defined Y\na\n#endif", "a");
    check("#define HAS defined(Y)\n#define Y\n#if HAS\na\n#endif", "a");
    check("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif", "c");
    check("#if 1\na\n#elif 1 / 0\nb\n#endif junk", "a");
    check("#define F(x) x\n#if F(1) == 1 && G == 0\na\n#endif", "a");
}

#[test]
fn skipped_text_needs_no_sense() {
    check("#if 0\nisn't \"this /* fun\n#nonsense\n#error don't\n#define\n#endif\na", "a");
    check("#if 0\n/* #endif */ // #endif\n\"#endif\"\n#endif\na", "a");
    check("#if 0 /*\n#endif */\nb\n#endif\na", "a");
}

#[test]
fn directives_may_stand_in_arguments() {
    check("#define F(a) [a]\nF(1\n#if 0\n2\n#else\n3\n#endif\n)", "[1 3]");
}

#[test]
fn lines_may_be_joined_anywhere() {
    check("#def\\\nine N \\\n  1 + \\\r\n  2\nN\\\nX N", "NX 1 + 2");
}

#[test]
fn files_include_files() {
    check("#include \"a.h\"\nN\n--- dir/a.h\n#define N 1\nx", "x 1");
    check("#include <a.h>\n--- lib/a.h\nx\n", "x");
    check("#define NAME \"a.h\"\n#include NAME\n--- dir/a.h\nx\n", "x");
    check("#include \"s/a.h\"\n--- dir/s/a.h\n#include \"b.h\"\n--- dir/s/b.h\nx\n", "x");
    check("#include \"a.h\"\n#include \"a.h\"\n--- dir/a.h\n#pragma once\nx\n", "x");
    check("#include \"a.h\"\n#include \"./a.h\"\n--- dir/a.h\nx\n", "x x");
}

#[test]
fn a_guarded_file_may_include_itself() {
    check("#include \"a.h\"\n--- dir/a.h\n#ifndef A\n#define A\n#include \"a.h\"\nx\n#endif\n", "x");
}

#[test]
fn a_cycle_is_reported_once_where_it_closes() {
    check("x\n#include \"main.pml\"\ny", "x y\ninclude-cycle: #include \"main.pml\"");
    let two = "x\n#include \"a.h\"\n--- dir/a.h\na\n#define N 1\n#include \"./main.pml\"\nb\n";
    check(two, "x a b\ninclude-cycle: #include \"./main.pml\"");
}

#[test]
fn a_cycle_that_defines_macros_anew_is_still_a_cycle() {
    let text = "#undef N\n#define N 1\nN\n#include \"main.pml\"\n#include \"main.pml\"\n";
    check(text, "1\ninclude-cycle: #include \"main.pml\"\ninclude-cycle: #include \"main.pml\"");
}

#[test]
fn a_missing_file_is_reported() {
    check("#include \"no.h\"\nx", "x\nmissing-include: #include \"no.h\"");
    check("#include \"sub\"\nx\n--- dir/sub\n", "x\nunreadable-include: #include \"sub\"");
    check(
        "#include\n#include x\n#include <y\nx",
        "x\nbad-include: #include\nbad-include: #include\nbad-include: #include",
    );
}

#[test]
fn markers_and_pragmas_are_ignored() {
    check("# 12 \"file\"\n#line 3\n#\n#ident \"it's\"\n#pragma don't\nx", "x");
}

#[test]
fn messages_become_diagnostics() {
    check("#error it isn't\n#warning so\nx", "x\nerror-directive: #error\nwarning-directive: #warning");
}

#[test]
fn a_bad_directive_is_reported_and_reading_goes_on() {
    check("#inclde \"a\"\nx", "x\nunknown-directive: #inclde");
    check("#define\n#define 3\n#undef\nx", "x\nmacro-name: #define\nmacro-name: 3\nmacro-name: #undef");
    check(
        "#define F(a\n#define G(a b)\n#define H(a, a)\nx",
        "x\nmacro-parameters: (\nmacro-parameters: b\nmacro-parameters: a",
    );
    check("#define F(a) # b\n#define G ## a\nx", "x\nbad-stringise: #\nbad-paste: ##");
    check("#define N 1\n#define N 2\n#define N 2\nN", "2\nmacro-redefined: N");
}

#[test]
fn a_bad_group_is_reported_and_reading_goes_on() {
    check("#else\n#endif\nx", "x\nunmatched-directive: #else\nunmatched-directive: #endif");
    check("#if 1\na\n#else\n#else\nb\n#endif\nx", "a x\nunmatched-directive: #else");
    check("#if 1\n#ifdef X\n#endif\nx", "x\nunterminated-if: #if");
    check("#if\na\n#endif\nx", "x\nbad-condition: #if");
    check("#if \"a\nb\n#endif\nx", "x\nunterminated-string: \"a");
    check("#if 1 +\na\n#else\nb\n#endif", "b\nbad-condition: +");
    check("#if defined\na\n#endif\n#if defined(X\n#endif\nx", "x\nbad-condition: defined\nbad-condition: defined");
    check("#if 1 / (2 - 2)\na\n#endif", "\ndivision-by-zero: /");
    check("#ifdef\na\n#endif", "\nmacro-name: #ifdef");
}

#[test]
fn a_bad_use_is_reported_and_reading_goes_on() {
    check("#define F(a) [a]\nF(1, 2) x", "[1] x\nargument-count: F(1, 2)");
    check("#define F(a, b) [a b]\nF(1) x", "[1] x\nargument-count: F(1)");
    check("#define F(a) a\nx F(1\n", "x\nunterminated-call: F");
    check("#define F(a) a\n#include \"a.h\"\n(1)\n--- dir/a.h\nF\n", "F (1)");
    check("x /* y", "x\nunterminated-comment: /*");
}

#[test]
fn a_use_is_shown_where_it_is_written() {
    check_places("#define N 1 + 2\nN", "1 @ N < 1\n+ @ N < +\n2 @ N < 2");
    check_places("#define N 1\n#define M N\nM", "1 @ M < 1");
    check_places("#define F(a) a ;\nF( x )", "x @ x\n; @ F( x ) < ;");
    check_places("#define N 1\n#define F(a) a\nF(N)", "1 @ N < 1");
    check_places("#define C(a) a ## 1\nC(x)", "x1 @ C(x) < 1");
}

/// Which words start a line.
#[track_caller]
fn check_lines(text: &str, expected: &str) {
    let (_, result) = run(text, &Options::default());
    let starts: Vec<String> = result.words.iter().filter(|it| it.starts_line).map(RawWord::spelling).collect();
    assert_eq!(starts.join(" "), expected);
}

#[test]
fn line_breaks_outlive_comments_and_empty_macros_but_not_joints() {
    check_lines("a b\nc /* \n */ d\n// e\nf \\\n g", "a c d f");
    check_lines("#define E\n#define N n m\na\nE b\nN\n#if 1\nc\n#endif", "a b n c");
    check_lines("#define F(x, y) x y\na\nF(b,\nc) d", "a b d");
}

#[test]
fn an_explosion_is_stopped() {
    let mut doubling = String::from("#define A0 x\n");
    let mut nothing = String::from("#define B0\n");
    let mut strings = String::from("#define S0(a) a\n");
    for n in 1..60 {
        doubling += &format!("#define A{n} A{} A{}\n", n - 1, n - 1);
        nothing += &format!("#define B{n} B{} B{}\n", n - 1, n - 1);
        strings += &format!("#define S{n}(a) S{}(#a)\n", n - 1);
    }
    for text in [doubling + "A59", nothing + "B59", strings + "S59(\"\\\\\")"] {
        let (sources, result) = run(&text, &Options::default());
        assert_eq!(result.diagnostics.len(), 1, "{:?}", flaws(&sources, &result));
        assert_eq!(result.diagnostics[0].code, "expansion-limit");
    }
}

#[test]
fn depth_is_no_danger() {
    let chain: String = (1..5000).map(|n| format!("#define C{n} C{}\n", n - 1)).collect();
    check(&(chain + "C4999"), "C0");
    let open = "#define F(a) 1\nF(".to_string() + &"(".repeat(100_000) + &")".repeat(100_000) + ")";
    check(&open, "1");
    check(&("#if 1\n".repeat(10_000) + "x\n" + &"#endif\n".repeat(10_000)), "x");
    check(&("#if 0\n".repeat(10_000) + "x\n" + &"#endif\n".repeat(10_000) + "y"), "y");
    let calls = "#define F(a) a\n".to_string() + &"F(".repeat(10_000) + &")".repeat(10_000);
    let (sources, result) = run(&calls, &Options::default());
    assert_eq!(flaws(&sources, &result).len(), 1);
    assert_eq!(result.diagnostics[0].code, "expansion-limit");
}

#[test]
fn too_many_files_are_too_many() {
    let file = |n: u32| format!("--- dir/{n}.h\n#include \"{}.h\"\n#include \"{}.h\"\n", n + 1, n + 1);
    let chain: String = (0..100).map(file).collect();
    let (_, result) = run(&("#include \"0.h\"\n".to_string() + &chain), &Options::default());
    assert!(!result.diagnostics.is_empty() && result.diagnostics.iter().all(|it| it.code == "include-limit"));
    assert!(result.diagnostics.len() < 200);
}
