//! Whatever the text: no panic, no stack overflow, an answer within a second.
//!
//! Three sources of bad texts: the corpus, damaged at random; texts that nest or repeat something very
//! often; and what fuzzing has found, word for word. Seeds are printed; `PROM_ROBUST=all` damages every
//! file of the corpus at 100 places instead of a few.
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use front_promela::{Compiled, Options, compile};
use promenade::load;
use testkit::random::Random;
use testkit::{corpus, parallel};
use text::{Diagnostic, Sources};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The stack on which every text must be read.
const STACK: usize = 2 << 20;

/// The seed of all random choices here.
const SEED: u64 = 20_240_607;

fn read(name: &str, text: &str) -> Compiled {
    let mut sources = Sources::default();
    let root = sources.add(name, text);
    let compiled = compile(&mut sources, root, &Options::default(), &mut load::Disk);
    let mut shown = Vec::new();
    report::diagnostics::write(&compiled.diagnostics, &sources, false, &mut shown).expect("memory can be written to");
    let wrong = compiled.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(compiled.model.is_none(), wrong, "{name}: a model if and only if there is no error");
    compiled
}

/// Reads a text on a small stack; how long that took, or what went wrong.
fn survives(name: &str, text: &str) -> Result<Duration, String> {
    std::thread::scope(|scope| {
        let start = Instant::now();
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || drop(read(name, text)));
        let panicked = thread.expect("a thread").join().is_err();
        match start.elapsed() {
            _ if panicked => Err(format!("{name}: panic")),
            time if time > PATIENCE => Err(format!("{name}: {time:?}")),
            time => Ok(time),
        }
    })
}

// The corpus, damaged.

/// Every text of the corpus.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut texts = Vec::new();
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry of it").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            texts.extend(self::texts(&path));
        } else if path.extension().is_none_or(|it| it != "jsonl" && it != "md") {
            let text = load::bytes(&path).and_then(|bytes| load::decode(&bytes));
            texts.extend(text.ok().map(|text| (path, text)));
        }
    }
    texts
}

/// A text as words, numbers, blanks and single other characters.
fn words(text: &str) -> Vec<&str> {
    let class = |it: char| match it {
        _ if it.is_alphanumeric() || it == '_' => 0,
        _ if it.is_whitespace() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let together = class(first) < 2;
        let end = rest.char_indices().skip(1).find(|&(_, it)| !together || class(it) != class(first));
        let (word, behind) = rest.split_at(end.map_or(rest.len(), |it| it.0));
        words.push(word);
        rest = behind;
    }
    words
}

/// Words that make trouble where they are not expected.
#[rustfmt::skip]
const TROUBLE: &[&str] = &[
    "{", "}", "(", ")", "[", "]", ";", "->", "::", ":", ",", ".", "..", "=", "==", "!", "!!", "?", "??", "<", ">",
    "@", "#", "##", "\n#if 0\n", "\n#endif\n", "\n#define x(a) a ## a\n", "\\\n", "/*", "*/", "//", "\"", "'", "\n",
    "if", "fi", "do", "od", "else", "unless", "break", "goto", "atomic", "d_step", "inline", "return", "proctype",
    "active", "init", "never", "trace", "ltl", "typedef", "mtype", "chan", "of", "run", "byte", "unsigned", "hidden",
    "for", "select", "in", "eval", "full", "timeout", "np_", "_pid", "_", "c_code", "c_expr", "0", "-1", "2147483648",
    "0x1f", "999999999999999999999", "é", "\u{0}", "\u{feff}", "priority", "provided", "xr", "printf", "assert", "_p",
    "_nr_pr",
];

fn truncated(text: &str, random: &mut Random) -> String {
    let mut end = random.below(text.len() + 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_string()
}

/// Deletes a word, doubles it, swaps it with another or puts another in its place.
fn changed(text: &str, random: &mut Random) -> String {
    let mut words = words(text);
    if words.is_empty() {
        return text.to_string();
    }
    for _ in 0..1 + random.below(3) {
        let at = random.below(words.len());
        let other = random.below(words.len());
        match random.below(5) {
            0 if words.len() > 1 => drop(words.remove(at)),
            1 => words.insert(at, words[at]),
            2 => words.swap(at, other),
            3 => words[at] = words[other],
            _ => words[at] = *random.pick(TROUBLE),
        }
    }
    words.concat()
}

/// What survived the damage can be printed, and what is printed is the same tree.
fn check_print(compiled: &Compiled) {
    if compiled.model.is_some() {
        let printed = front_promela::print::tree(&compiled.tree);
        let again = read("printed.pml", &printed);
        assert!(again.tree == compiled.tree, "printed and read again, it is another tree:\n{printed}");
    }
}

#[test]
fn a_damaged_corpus_file_is_no_danger() {
    let Some(folder) = corpus::folder() else {
        println!("skipped: there is no corpus");
        return;
    };
    let rounds = if std::env::var_os("PROM_ROBUST").is_some_and(|it| it == "all") { 50 } else { 2 };
    let texts = texts(&folder);
    println!("seed {SEED}, {} files, {rounds} truncations and {rounds} changes each", texts.len());
    let numbered: Vec<(usize, &(PathBuf, String))> = texts.iter().enumerate().collect();
    let outcomes = parallel::map(&numbered, |&(row, (path, text))| {
        let mut random = Random::new(SEED + row as u64);
        let mut worst = Duration::ZERO;
        for round in 0..2 * rounds {
            let damaged = if round % 2 == 0 { truncated(text, &mut random) } else { changed(text, &mut random) };
            let start = Instant::now();
            let name = path.display().to_string();
            let outcome = catch_unwind(AssertUnwindSafe(|| read(&name, &damaged)));
            let time = start.elapsed();
            let outcome = outcome.and_then(|it| catch_unwind(AssertUnwindSafe(|| check_print(&it))));
            worst = worst.max(time);
            if outcome.is_err() || time > PATIENCE {
                let kept = std::env::temp_dir().join(format!("prom-robustness-{row}-{round}.pml"));
                let _ = fs::write(&kept, &damaged);
                return Err(format!("{name}, round {round}: panic or {time:?}; kept as {}", kept.display()));
            }
        }
        Ok((worst, path))
    });
    let (fine, wrong): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    let slowest = fine.into_iter().flatten().max();
    println!("the slowest took {slowest:?}");
    let wrong: Vec<String> = wrong.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "seed {SEED}:\n{}", wrong.join("\n"));
}

// Very much of something.

fn process(body: &str) -> String {
    format!("byte x, y;\nchan q = [1] of {{ byte }};\nactive proctype p() {{\n{body}\n}}\n")
}

fn nested(open: &str, inside: &str, close: &str) -> String {
    process(&(open.repeat(10_000) + inside + &close.repeat(10_000)))
}

fn each(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

/// Texts that nest: ten thousand levels of everything that can contain itself.
fn deep() -> Vec<(&'static str, String)> {
    vec![
        ("parentheses", nested("x = (", "1", ")")),
        ("more parentheses", process(&format!("x = {}1{}", "(".repeat(10_000), ")".repeat(10_000)))),
        ("open parentheses", process(&format!("x = {}", "(".repeat(10_000)))),
        ("closing parentheses", process(&format!("x = 1{}", ")".repeat(10_000)))),
        ("braces", nested("{ ", "skip", " }")),
        ("open braces", "active proctype p() {".to_string() + &"{".repeat(10_000)),
        ("closing braces", process(&"}".repeat(10_000))),
        ("atomic", nested("atomic { ", "skip", " }")),
        ("d_step", nested("d_step { ", "x = 1", " }")),
        ("if", nested("if :: ", "skip", " fi")),
        ("open if", process(&"if :: ".repeat(10_000))),
        ("if with else", nested("if :: x -> ", "skip", " :: else fi")),
        ("do", nested("do :: ", "break", " od")),
        ("for", nested("for (x : 1 .. 2) { ", "skip", " }")),
        ("unless", nested("{ ", "skip", " } unless { skip }")),
        ("unless in escape", nested("{ skip } unless { ", "skip", " }")),
        ("unless chain", process(&("skip".to_string() + &" unless skip".repeat(10_000)))),
        ("not", process(&format!("x = {}1", "!".repeat(10_000)))),
        ("minus", process(&format!("x = {}1", "- ".repeat(10_000)))),
        ("complement", process(&format!("x = {}1", "~".repeat(10_000)))),
        ("conditional", process(&format!("x = {}1{}", "(x -> ".repeat(10_000), " : 2)".repeat(10_000)))),
        ("conditional to the right", process(&format!("x = {}1{}", "(x -> 2 : ".repeat(10_000), ")".repeat(10_000)))),
        ("indices", process(&format!("x = {}1{}", "x[".repeat(10_000), "]".repeat(10_000)))),
        ("fields", process(&format!("x = y{}", ".y".repeat(10_000)))),
        ("sends in parentheses", process(&format!("q!{}1{}", "x(".repeat(10_000), ")".repeat(10_000)))),
        ("receives in parentheses", process(&format!("q?{}1{}", "x(".repeat(10_000), ")".repeat(10_000)))),
        ("run in run", process(&format!("x = {}1{}", "run p(".repeat(10_000), ")".repeat(10_000)))),
        ("enabled", process(&format!("x = {}1{}", "enabled(".repeat(10_000), ")".repeat(10_000)))),
        ("eval", process(&format!("q?{}x{}", "eval(".repeat(10_000), ")".repeat(10_000)))),
        ("temporal operators", format!("ltl {{ {} x }}", "[] <> ! X ".repeat(10_000))),
        ("temporal parentheses", format!("ltl {{ {} x {} }}", "(x U ".repeat(10_000), ")".repeat(10_000))),
        ("calls in calls", "inline f(a) { a }\n".to_string() + &nested("f(", "x", ")")),
        ("inlines that use each other", chain_of_inlines(10_000)),
        ("macros that use each other", each(10_000, |n| format!("#define m{} m{n}\n", n + 1)) + &process("x = m10000")),
        ("macro calls in macro calls", "#define f(a) a\n".to_string() + &nested("f(", "x = 1", ")")),
        ("conditions", "#if 1\n".repeat(10_000) + &process("skip") + &"#endif\n".repeat(10_000)),
        ("open conditions", "#if 1\n".repeat(10_000)),
        ("parentheses in a condition", format!("#if {}1{}\n#endif\n", "(".repeat(10_000), ")".repeat(10_000))),
        ("operators in a condition", format!("#if {}1\n#endif\n", "!-~".repeat(10_000))),
        ("braces in C", format!("c_decl {{ {} {} }}", "{".repeat(10_000), "}".repeat(10_000))),
        ("records in records", records_in_records(10_000)),
    ]
}

fn chain_of_inlines(count: usize) -> String {
    "inline f0() { skip }\n".to_string()
        + &each(count, |n| format!("inline f{}() {{ f{n}() }}\n", n + 1))
        + &process(&format!("f{count}()"))
}

fn records_in_records(count: usize) -> String {
    "typedef T0 { byte x };\n".to_string()
        + &each(count, |n| format!("typedef T{} {{ T{n} x }};\n", n + 1))
        + &format!("T{count} t;\n")
        + &process(&format!("t{} = 1", ".x".repeat(count + 1)))
}

/// Texts that repeat.
fn long() -> Vec<(&'static str, String)> {
    let sum = |sign: &str, count| process(&format!("x = 1{}", format!(" {sign} x").repeat(count)));
    let labels = each(10_000, |n| format!("L{n}: x++;\n"));
    vec![
        ("a sum of 400 terms", sum("+", 400)),
        ("a sum of 100,000 terms", sum("+", 100_000)),
        ("a mixed sum of 100,000 terms", process(&format!("x = 1{}", " + x * y && x".repeat(30_000)))),
        ("comparisons in a row", sum("==", 100_000)),
        ("a line of a million letters", process(&format!("{} = 1", "x".repeat(1_000_000)))),
        ("a line of a million statements", process(&"x++; ".repeat(60_000))),
        ("a line of many errors", process(&"+ ".repeat(100_000))),
        ("a line of stray characters", "`".repeat(100_000)),
        ("a long string", process(&format!("printf(\"{}\")", "%d\\n".repeat(100_000)))),
        ("a long number", process(&format!("x = {}", "9".repeat(100_000)))),
        ("a long comment", "/*".to_string() + &"*".repeat(1_000_000) + "/" + &process("skip")),
        ("an open comment", "/*".repeat(500_000)),
        ("blank lines", "\n".repeat(1_000_000) + &process("skip")),
        ("joined lines", "\\\n".repeat(500_000) + &process("skip")),
        ("semicolons", process(&";".repeat(1_000_000))),
        ("10,000 labels", process(&labels)),
        ("10,000 labels and jumps", process(&each(10_000, |n| format!("L{n}: x++; goto L{};\n", 9_999 - n)))),
        ("10,000 labels on one statement", process(&(each(10_000, |n| format!("L{n}: ")) + "skip"))),
        ("a chain of jumps", process(&(each(10_000, |n| format!("L{n}: goto L{};\n", n + 1)) + "L10000: skip"))),
        ("jumps to unknown labels", process(&(labels.clone() + &each(10_000, |n| format!("goto M{n};\n"))))),
        ("10,000 options", process(&format!("if {} fi", each(10_000, |n| format!(":: x == {n} -> skip\n"))))),
        ("10,000 elses", process(&format!("if {} fi", ":: else -> skip\n".repeat(10_000)))),
        ("10,000 nested elses", process(&format!("do {} od", ":: if :: x :: else fi\n".repeat(10_000)))),
        ("10,000 unless", process(&"{ x = 1; y = 2 } unless { x == 3 };\n".repeat(10_000))),
        (
            "10,000 options under an unless",
            process(&format!("do {} od unless {{ x }}", ":: x++; y++\n".repeat(10_000))),
        ),
        ("nested unless", process(&format!("{}skip{}", "{ x++; ".repeat(100), " } unless { y++; x++ }".repeat(100)))),
        ("nested escapes", process(&format!("{}skip{}", "{ x++ } unless { y++; ".repeat(100), " }".repeat(100)))),
        ("a huge mtype", format!("mtype = {{ {} }};\n", each(100_000, |n| format!("m{n}, "))) + &process("skip")),
        ("255 names 100 times", each(100, |n| subtype(n, 255)) + &process("skip")),
        ("10,000 variables", each(10_000, |n| format!("byte v{n};\n")) + &process("skip")),
        (
            "10,000 unknown names",
            each(10_000, |n| format!("byte v{n};\n")) + &process(&each(10_000, |n| format!("w{n} = 1;\n"))),
        ),
        (
            "10,000 names declared too late",
            process(&each(10_000, |n| format!("v{n} = 1;\n"))) + &each(10_000, |n| format!("byte v{n};\n")),
        ),
        ("10,000 redeclarations", "byte v;\n".repeat(10_000) + &process("skip")),
        (
            "10,000 fields",
            format!("typedef T {{ {} }};\nT t;\n", each(10_000, |n| format!("byte f{n};\n")))
                + &process(&each(10_000, |n| format!("t.f{n}++;\n"))),
        ),
        (
            "10,000 unknown fields",
            format!("typedef T {{ {} }};\nT t;\n", each(2_000, |n| format!("byte f{n};\n")))
                + &process(&each(10_000, |n| format!("t.g{n}++;\n"))),
        ),
        ("10,000 types", each(10_000, |n| format!("typedef T{n} {{ byte x }};\n")) + &process("skip")),
        ("10,000 subtypes", each(10_000, |n| subtype(n, 1)) + &process("skip")),
        ("10,000 processes", each(10_000, |n| format!("proctype p{n}() {{ skip }}\n")) + &process("skip")),
        (
            "10,000 inlines",
            each(10_000, |n| format!("inline f{n}() {{ x++ }}\n")) + &process(&each(10_000, |n| format!("f{n}();\n"))),
        ),
        (
            "10,000 uses of a wrong inline",
            "inline f() { x = nothing; q = 3 }\n".to_string() + &process(&"f();\n".repeat(10_000)),
        ),
        (
            "10,000 unknown inlines",
            each(2_000, |n| format!("inline f{n}() {{ x++ }}\n")) + &process(&each(10_000, |n| format!("g{n}();\n"))),
        ),
        ("10,000 claims", "never { true }\n".repeat(10_000) + &process("skip")),
        ("10,000 formulas", "ltl { [] (x == 1) }\n".repeat(10_000) + &process("skip")),
        ("10,000 remote labels", process(&(labels.clone() + &each(10_000, |n| format!("p@L{n};\n"))))),
        ("10,000 remote references", process(&("L: skip;\n".to_string() + &"p@L -> p:x;\n".repeat(10_000)))),
        (
            "10,000 macros",
            each(10_000, |n| format!("#define m{n}(a) a + {n}\n"))
                + &process(&each(10_000, |n| format!("x = m{n}(x);\n"))),
        ),
        (
            "10,000 parameters",
            format!("proctype r({}) {{ skip }}\n", each(10_000, |n| format!("byte a{n}; "))) + &process("skip"),
        ),
        ("10,000 arguments", process(&format!("run p({} 1)", "1, ".repeat(10_000)))),
        (
            "10,000 fields in a message",
            format!("chan c = [1] of {{ {} byte }};\n", "byte, ".repeat(10_000)) + &process("skip"),
        ),
        ("10,000 values sent", process(&format!("q!{} 1", "1, ".repeat(10_000)))),
        ("10,000 initial values", format!("byte a[3] = {{ {} 1 }};\n", "1, ".repeat(10_000)) + &process("skip")),
        ("10,000 exclusive channels", process(&format!("xr {} q", "q, ".repeat(10_000)))),
    ]
}

fn subtype(number: usize, names: usize) -> String {
    format!("mtype:t{number} = {{ {} }};\n", each(names, |n| format!("m{number}_{n} ")))
}

/// Small texts that stand for something huge.
fn explosive() -> Vec<(&'static str, String)> {
    let doubling = |line: &dyn Fn(usize) -> String| each(60, line);
    let types = |size: usize| {
        "typedef T0 { byte x };\n".to_string()
            + &each(30, |n| format!("typedef T{} {{ T{n} a[{size}]; T{n} b[{size}] }};\n", n + 1))
    };
    vec![
        (
            "macros",
            "#define m0 x\n".to_string() + &doubling(&|n| format!("#define m{} m{n} m{n}\n", n + 1)) + &process("m60"),
        ),
        (
            "macros with arguments",
            "#define m0(a) a a\n".to_string()
                + &doubling(&|n| format!("#define m{}(a) m{n}(m{n}(a))\n", n + 1))
                + &process("m60(x)"),
        ),
        (
            "inlines",
            "inline f0() { x++ }\n".to_string()
                + &each(31, |n| format!("inline f{}() {{ f{n}(); f{n}() }}\n", n + 1))
                + &process("f31()"),
        ),
        (
            "inline arguments",
            "inline f0(a) { x = a }\n".to_string()
                + &each(31, |n| format!("inline f{}(a) {{ f{n}(a + a) }}\n", n + 1))
                + &process("f31(x)"),
        ),
        ("records", types(1) + "T30 t;\n" + &process("skip")),
        ("arrays of records", types(1000) + "T30 t;\n" + &process("skip")),
        ("local arrays of records", types(1000) + &process("skip; T30 t")),
        ("records as messages", types(1000) + "chan c = [1] of { T30 };\n" + &process("skip")),
        ("records sent", types(1000) + "chan c = [1] of { T3 };\nT3 t;\n" + &process("c!t; c?t")),
        ("a late array", process("skip; byte a[1048576]")),
        ("many late arrays", process(&each(1000, |n| format!("skip; byte a{n}[1048576];\n")))),
        ("a late array with values", process("skip; int a[1048576] = { 1, 2, 3 }")),
        ("an array of channels", "chan c[1048576] = [65535] of { int, int, int };\n".to_string() + &process("skip")),
        (
            "arrays in a message",
            "typedef T { int a[1048576] };\nchan c = [65535] of { T, T, T };\n".to_string() + &process("skip"),
        ),
        ("a large selection", process("select (x : 0 .. 1000000)")),
        ("many selections", process(&"select (x : 0 .. 32);\n".repeat(10_000))),
        (
            "an array of records in a loop",
            "typedef T { int a[1000] };\nchan c = [1] of { T };\nT t;\n".to_string()
                + &process(&"for (t in c) { skip }\n".repeat(1000)),
        ),
    ]
}

fn check_all(what: &str, texts: Vec<(&'static str, String)>) {
    let outcomes: Vec<(&str, Result<Duration, String>)> =
        texts.iter().map(|(name, text)| (*name, survives(name, text))).collect();
    let times = outcomes.iter().filter_map(|(name, it)| it.as_ref().ok().map(|time| (*time, *name)));
    println!("{what}: {} texts, the slowest took {:?}", texts.len(), times.max());
    let wrong: Vec<&String> = outcomes.iter().filter_map(|it| it.1.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{what}: {wrong:?}");
}

#[test]
fn depth_is_no_danger() {
    check_all("deep", deep());
}

#[test]
fn length_is_no_danger() {
    check_all("long", long());
}

#[test]
fn small_texts_that_stand_for_huge_ones_are_no_danger() {
    check_all("explosive", explosive());
}

// What fuzzing found.

/// Texts that once made trouble, and what it was.
const FOUND: &[(&str, &str)] = &[(
    "an inline that is wrong was looked at in each of its 100,000 uses",
    "inline f1() { f0(); f0(); f0(); f0(); f0(); f0(); f0(); f0(); f0(); f0() }
inline f2() { f1(); f1(); f1(); f1(); f1(); f1(); f1(); f1(); f1(); f1() }
inline f3() { f2(); f2(); f2(); f2(); f2(); f2(); f2(); f2(); f2(); f2() }
inline f4() { f3(); f3(); f3(); f3(); f3(); f3(); f3(); f3(); f3(); f3() }
inline f5() { f4(); f4(); f4(); f4(); f4(); f4(); f4(); f4(); f4(); f4() }
inline f6() { f5(); f5(); f5(); f5(); f5();H f5(); f5(); f5(); f5(); f5() }
active proctype p() { f6() }",
)];

#[test]
fn what_fuzzing_found_is_no_danger_any_more() {
    for (trouble, text) in FOUND {
        survives(trouble, text).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

// A large model.

/// A model of this many lines, as a program would write it: a few inlines and many long processes.
fn large(lines: usize) -> String {
    let mut text = String::from("mtype = { idle, busy };\nbyte shared[16];\nchan c[16] = [2] of { mtype, byte };\n\n");
    text += &each(20, |number| INLINE.replace("NUMBER", &number.to_string()));
    for number in 0..240 {
        text += &format!("active proctype p{number}() {{\n    byte n;\n    mtype m;\n");
        text += &each(3, |part| PART.replace("NUMBER", &number.to_string()).replace("PART", &part.to_string()));
        text += "    skip\n}\n\n";
    }
    let written = text.lines().count();
    text + &"// the end\n".repeat(lines.saturating_sub(written))
}

const INLINE: &str = "inline stepNUMBER(a, b) {
    if
    :: a < NUMBER && shared[NUMBER % 16] != b ->
        a = a + 1;
        shared[(NUMBER + 1) % 16] = (a > b -> a : b)
    :: else ->
        a = 0;
        printf(\"%d\\n\", b)
    fi
}

";

const PART: &str = "again_PART:
    do
    :: n < 100 ->
        n = (n * 3 + NUMBER) % 101;
        stepPART(n, NUMBER)
    :: c[NUMBER % 16]!idle, n ->
        shared[n % 16]++
    :: c[NUMBER % 16]?m, n ->
        atomic {
            n++;
            assert(n > 0 && m != 0)
        }
    :: len(c[PART]) > 1 && shared[PART] == 3 ->
        d_step {
            n = shared[PART];
            shared[PART] = 0
        }
    :: timeout ->
        if
        :: n > 50 -> goto again_PART
        :: else -> break
        fi
    od;
    { n = 0 } unless { n > 200 };

";

#[test]
fn a_model_of_20_000_lines_is_read() {
    let text = large(20_000);
    assert_eq!(text.lines().count(), 20_000);
    let start = Instant::now();
    let compiled = read("large.pml", &text);
    let time = start.elapsed();
    println!("20,000 lines in {time:?}");
    let said: Vec<_> = compiled.diagnostics.iter().take(3).collect();
    assert!(compiled.model.is_some(), "{said:?}");
    assert!(time < Duration::from_secs(5), "{time:?}");
}
