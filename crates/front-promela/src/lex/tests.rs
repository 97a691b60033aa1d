//! Text in, tokens out: one helper, and every test is data.
use std::path::Path;

use super::*;
use crate::preprocess::LoadError;
use crate::token::Punct;

/// A loader without files.
struct NoFiles;

impl Loader for NoFiles {
    fn load(&mut self, _: &Path) -> Result<String, LoadError> {
        Err(LoadError::NotFound)
    }
}

/// A token as text; `|` is an implied separator, code stands in `⟨⟩`.
fn show(token: &Token) -> String {
    match &token.kind {
        Kind::Punct(Punct::Semi) if token.span.start == token.span.end => "|".to_string(),
        Kind::Text(text) => format!("{:?}", &**text),
        Kind::Code(code) => format!("⟨{code}⟩"),
        Kind::End => String::new(),
        kind => kind.describe().trim_matches('`').to_string(),
    }
}

/// The tokens with blanks between them, then what is wrong as `code: text it points at`.
#[track_caller]
fn check(text: &str, expected: &str) {
    let mut sources = Sources::default();
    let root = sources.add("a.pml", text);
    let (tokens, diagnostics) = read(&mut sources, root, &Options::default(), &mut NoFiles);
    let mut got = tokens.iter().map(show).collect::<Vec<_>>().join(" ");
    for it in &diagnostics {
        got = format!("{}\n{}: {}", got.trim_end(), it.code, it.span.map_or("", |span| sources.slice(span)));
    }
    assert_eq!(got.trim_end(), expected);
}

/// As [`check`] for the statements of a body: `text` stands in `init {` and `}`.
#[track_caller]
fn check_body(text: &str, expected: &str) {
    check(&format!("init {{\n{text}\n}}\n"), &format!("init {{ {expected} }}"));
}

#[test]
fn words_are_names_keywords_or_punctuation() {
    check("byte x, in, U; q?<y> @ ->", "byte x , in , U ; q ? < y > @ ->");
    check("p <-> q /\\ r \\/ []<>s", "p <-> q /\\ r \\/ [ ] < > s");
}

#[test]
fn constants_are_32_bit_integers() {
    check("007 2147483647 -2147483648", "7 2147483647 - -2147483648");
    check("3000000000", "-1294967296\nnumber-overflow: 3000000000");
    check("99999999999999999999", "-1\nnumber-overflow: 99999999999999999999");
    check(r"'a' '\n' '\t' '\r' '\f' '\\' '\'' '\0'", "97 10 9 13 12 92 39 0\nunusual-escape: '\\0'");
}

#[test]
fn numbers_of_c_are_explained() {
    check("x = 0x10;", "x = 16 ;\nbad-number: 0x10");
    check("10u 1.5 3x", "10 0 0\nbad-number: 10u\nbad-number: 1.5\nbad-number: 3x");
}

#[test]
fn strings_have_two_forms() {
    check(r#""a\n%d \"" $b c$"#, r#""a\\n%d \\\"" "b c""#);
}

#[test]
fn strays_are_reported_and_left_out() {
    check("x ` y", "x y\nstray-character: `");
    check("x = “a”", "x = a\nstray-character: “\nstray-character: ”");
    check("été = 1 # 2", "= 1 2\nstray-character: été\nstray-character: #");
    check("'ab' '' 'é'", "0 0 0\nbad-character: 'ab'\nbad-character: ''\nbad-character: 'é'");
    check("/* a /* b */ c */ d", "c d\nstray-comment-end: */");
}

#[test]
fn c_code_is_one_word() {
    check("c_decl {\n  int x;\n}", "c_decl ⟨int x;⟩");
    check("c_code { if (a) { b = \"}\"; c = '}'; } }", "c_code ⟨if (a) { b = \"}\"; c = '}'; }⟩");
    check("c_code [a[0] > 1] { x++; }", "c_code [ ⟨a[0] > 1⟩ ] ⟨x++;⟩");
    check("#define N 3\nc_expr { now.x+=N }", "c_expr ⟨now.x+=3⟩");
    check("c_decl {\n\\#include <a.h>\n x }", "c_decl ⟨\\#include <a.h>\nx⟩");
    check("c_state \"int x\" \"Global\"", "c_state \"int x\" \"Global\"");
    check("c_code x", "c_code x");
    check("c_code { {", "c_code ⟨{⟩\nunterminated-code: {");
}

#[test]
fn a_line_break_behind_a_statement_is_a_separator() {
    check_body(
        "x = 1\ny++\nz = a[1]\nf(x)\nq!x\nbreak\ngoto L",
        "x = 1 | y ++ | z = a [ 1 ] | f ( x ) | q ! x | break | goto L",
    );
    check_body("skip\ntrue\ntimeout\nnp_\nq?<x>\nx", "skip | true | timeout | np_ | q ? < x > | x");
    check_body("c_code { a; }\nc_expr { b }\n-> x", "c_code ⟨a;⟩ | c_expr ⟨b⟩ -> x");
    check_body("x = 1;\n\ny = 2", "x = 1 ; y = 2");
}

#[test]
fn braces_and_else_need_no_line_break() {
    check_body("{ x } y; atomic { x }\n{ y }", "{ x } | y ; atomic { x } | { y }");
    check_body("if :: else x = 1 :: else -> y :: else fi", "if :: else | x = 1 :: else -> y :: else fi");
}

#[test]
fn an_unfinished_statement_goes_on() {
    check_body("x = a +\nb", "x = a + b");
    check_body("x = a\n+ b\n&& c", "x = a + b && c");
    check_body("x = (a\n+ b\n- c)", "x = ( a + b - c )");
    check_body("x = a[i\n- 1]", "x = a [ i - 1 ]");
    check_body("x\n-> y\n;z", "x -> y ; z");
}

#[test]
fn options_and_ends_need_no_separator() {
    check_body("do\n:: x\n:: y ->\nz\nod\nif\n:: a\nfi", "do :: x :: y -> z od | if :: a fi");
    check_body("L:\nx\n", "L : x");
}

#[test]
fn a_construct_is_not_split() {
    check_body("for (i : 1 .. 2)\n{ x }\n(x)\n{ y }", "for ( i : 1 .. 2 ) { x } | ( x ) | { y }");
    check_body("{ x }\nunless { y }\ndo :: x od\nunless\n{ y }", "{ x } unless { y } | do :: x od unless { y }");
    check_body("else\n-> x", "else -> x");
    check_body(
        "chan q = [2]\nof { byte,\nint\n}\nbyte a[2] = {\n1,\n2\n}\nx",
        "chan q = [ 2 ] of { byte , int } | byte a [ 2 ] = { 1 , 2 } | x",
    );
    check_body("run P\n(1)\nbyte\nx\n= 1", "run P ( 1 ) | byte x = 1");
    check_body("c_code [a]\n{ b }", "c_code [ ⟨a⟩ ] ⟨b⟩");
    check("typedef T\n{ byte x\nbyte y\n}\ninit { T\nt\n}", "typedef T { byte x | byte y } init { T t }");
    check("inline f(a)\n{ x }\ninit\n{ f\n(1)\n}", "inline f ( a ) { x } init { f ( 1 ) }");
}

#[test]
fn outside_bodies_nothing_is_implied() {
    check("byte x\nbyte y\nmtype = {\na\nb\n}", "byte x byte y mtype = { a b }");
    check("active [2]\nproctype P()\nprovided (x)\n{ skip }", "active [ 2 ] proctype P ( ) provided ( x ) { skip }");
    check("ltl p\n{ [] x\n(y)\n}\nnever\n{ x\ny }", "ltl p { [ ] x ( y ) } never { x | y }");
    check(
        "mtype:m = {\na }\nmtype x\nchan c = [1] of {mtype}, d\n",
        "mtype : m = { a } mtype x chan c = [ 1 ] of { mtype } , d",
    );
    check("typedef enum {\na,\nb\n} E\ninit { E\ne }", "typedef enum { a , b } E init { E e }");
}

#[test]
fn one_open_parenthesis_does_not_spoil_the_rest() {
    check_body("x = (1;\ny\nz", "x = ( 1 ; y | z");
    check_body("if :: (a\n:: b fi\ny\nz", "if :: ( a :: b fi | y | z");
}

#[test]
fn a_macro_is_one_line() {
    check("#define TWO a \\\n b\ninit { TWO\nc }", "init { a b | c }");
}

#[test]
fn the_end_is_behind_the_last_word() {
    let mut sources = Sources::default();
    let root = sources.add("a.pml", "x\n");
    let (tokens, _) = read(&mut sources, root, &Options::default(), &mut NoFiles);
    assert_eq!(tokens.last().map(|it| (it.kind.clone(), it.span.start)), Some((Kind::End, 1)));
}

/// Reads files from the disk.
struct Disk;

impl Loader for Disk {
    fn load(&mut self, path: &Path) -> Result<String, LoadError> {
        std::fs::read_to_string(path).map_err(|_| LoadError::NotFound)
    }
}

/// The models in a folder and the folders in it.
fn models_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_model =
        |path: &Path| ["pml", "pm", "prom", "spin"].iter().any(|it| path.extension().is_some_and(|e| e == *it));
    let inside = |path: std::path::PathBuf| if path.is_dir() { models_in(&path) } else { vec![path] };
    entries.flat_map(inside).filter(|path| is_model(path)).collect()
}

/// Does nothing where the corpus is absent.
#[test]
fn models_of_other_people_have_no_errors_but_one_hexadecimal_number() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    for path in models_in(&corpus).iter().filter(|path| !path.ends_with("corners/hex.pml")) {
        let mut sources = Sources::default();
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        let root = sources.add(path.display().to_string(), text);
        let (_, diagnostics) = read(&mut sources, root, &Options::default(), &mut Disk);
        let errors: Vec<_> = diagnostics.iter().filter(|it| it.is_error()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    }
}
