//! C programs as a whole: what is found in a model is a bug of the program, and what holds in it is proved.
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use promenade::c_program::{Reading, check_program, extract_model};
use promenade::{Checked, Engine, Options, Pass, Slicing};
use report::Answer;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c")
}

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("prom-c-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a temporary folder harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn reading() -> Reading {
    Reading { stub_headers: true, ..Reading::default() }
}

fn checked(file: &Path, reading: &Reading) -> Checked {
    let mut options = Options::default();
    options.limits.time = Some(std::time::Duration::from_secs(60));
    check_program(file, reading, &options, &mut ())
}

/// The answer to the first question: `holds`, `violated` or `unknown`, and what is said about it.
fn answer(text: &str, reading: &Reading) -> (&'static str, String) {
    let folder = Folder::new();
    said(&checked(&folder.file("a.c", text), reading))
}

fn said(it: &Checked) -> (&'static str, String) {
    let Some(report) = &it.report else { return ("refused", format!("{:?}", it.diagnostics)) };
    let outcome = &report.results[0];
    match &outcome.answer {
        Answer::Holds => ("holds", outcome.vacuous.clone().unwrap_or_default()),
        Answer::Violated => ("violated", outcome.violations[0].message.clone()),
        Answer::Unknown(reason) => ("unknown", reason.because.clone()),
    }
}

#[track_caller]
fn expect(text: &str, verdict: &str, says: &str) {
    let (got, why) = answer(text, &reading());
    assert!(got == verdict && why.contains(says), "{text}\n{got}: {why}");
}

#[test]
fn every_bug_of_the_examples_is_found_at_its_line_and_every_correct_one_is_proved() {
    let (mut bugs, mut proofs) = (0, 0);
    let mut files: Vec<PathBuf> =
        fs::read_dir(examples()).expect("examples").map(|it| it.expect("an entry").path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "c"));
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file).expect("a text");
        if text.contains("no main") {
            continue;
        }
        let it = checked(&file, &Reading::default());
        let marked = text.lines().position(|it| it.contains("/* found here */"));
        let (verdict, why) = said(&it);
        let Some(line) = marked else {
            assert_eq!(verdict, "holds", "{}: {why}", file.display());
            assert!(why.contains("of the program"), "{}: {why}", file.display());
            proofs += 1;
            continue;
        };
        assert_eq!(verdict, "violated", "{}: {why}", file.display());
        assert!(why.contains("(certain"), "{}: {why}", file.display());
        let violation = &it.report.expect("a report").results[0].violations[0];
        let shown = violation.place.as_ref().map(|it| it.line);
        assert_eq!(shown, Some(line as u32 + 1), "{}: {}", file.display(), violation.message);
        bugs += 1;
    }
    assert!(bugs >= 10 && proofs >= 10, "{bugs} bugs, {proofs} proofs");
}

const MAIN: &str = "#include <assert.h>\n#include <pthread.h>\n";

fn main_with(body: &str) -> String {
    format!("{MAIN}extern int any(void);\nint main(int argc, char **argv) {{\n{body}\nreturn 0;\n}}\n")
}

#[test]
fn what_is_not_known_is_not_taken_for_something() {
    let says = "not certain";
    expect(&main_with("int x = 0; x = argc; assert(x == 0);"), "violated", says);
    expect(&main_with("int x; if (argc) x = 1; assert(x == 1);"), "violated", says);
    expect(&main_with("int a[2]; assert(a[0] == 0);"), "violated", says);
    expect(&main_with("int x = 1, *p = argc ? &x : 0; *p = 2; assert(x == 1);"), "violated", says);
    expect(&main_with("double d = 1; int x = 0; x = d; assert(x == 0);"), "violated", says);
    expect(
        &main_with("int x = 1; unsigned char *p = (unsigned char *)&x; p[0] = 2; assert(x == 1);"),
        "violated",
        says,
    );
    expect(&main_with("union { int i; char c; } u; u.i = 1; u.c = 2; assert(u.i == 1);"), "violated", says);
    expect(&main_with("struct { unsigned a : 1; } s; s.a = 2; assert(s.a == 2);"), "violated", says);
    expect(&main_with("int x = 1, y = 2; int *p = &x; p = &y; *p = 5; assert(y == 2);"), "violated", says);
    let ends = "int f(int x) { if (x) return 1; }\nint main";
    expect(&main_with("int r = f(0); assert(r == 0);").replace("int main", ends), "violated", says);
    let links = "struct n { int v; struct n *next; } one = {1}, two = {2};\nint main";
    let body = "one.next = &two; struct n *p = &one; p = p->next; p->v = 9; assert(two.v == 2);";
    expect(&main_with(body).replace("int main", links), "violated", says);
    let returns = "int x; int *get(void) { return &x; }\nint main";
    expect(&main_with("int *p = get(); *p = 2; assert(x == 0);").replace("int main", returns), "violated", says);
    let own = "_Thread_local int t; void *f(void *a) { t = 5; return NULL; }\nint main";
    let body = "pthread_t p; pthread_create(&p, NULL, f, NULL); pthread_join(p, NULL); assert(t == 5);";
    expect(&main_with(body).replace("int main", own), "violated", says);
    let text = main_with("int s = 0; { enum { N = 2 }; s = N; } { enum { N = 5 }; s = N; } assert(s == 2);");
    expect(&text, "violated", says);
    expect(&main_with("int x = 0; int m = ({ ++x; }); assert(x == 0);"), "violated", says);
}

#[test]
fn a_mistake_about_what_is_known_is_noticed() {
    let wrong = Reading { mistake: Some(extract::Mistake::KeepsLost), ..reading() };
    let text = main_with("int x = 0; if (argc) x = argv[0][0]; assert(x == 0);");
    assert_eq!(answer(&text, &reading()).0, "violated");
    assert_eq!(answer(&text, &wrong).0, "holds", "the broken twin is not broken");
}

#[test]
fn a_mistake_about_steps_is_noticed() {
    let wrong = Reading { mistake: Some(extract::Mistake::WholeSteps), ..Reading::default() };
    let file = examples().join("lost_update.c");
    assert_eq!(said(&checked(&file, &Reading::default())).0, "violated");
    assert_eq!(said(&checked(&file, &wrong)).0, "holds", "the broken twin is not broken");
}

#[test]
fn what_restricts_the_model_is_no_proof() {
    expect(&main_with("any(); assert(1);"), "unknown", "`any` has no body here");
    expect(&main_with("void (*f)(void) = 0; f(); assert(1);"), "unknown", "may do less");
    expect(&main_with("int x = any() + any(); assert(1);"), "unknown", "which operand comes first");
    expect(&main_with("asm(\"nop\"); assert(1);"), "unknown", "may do less");
    let relaxed = main_with("atomic_store_explicit(&x, 1, memory_order_relaxed);")
        .replace("extern", "#include <stdatomic.h>\natomic_int x;\nextern");
    expect(&relaxed, "unknown", "a weaker order of memory");
    expect(&relaxed.replace("relaxed", "seq_cst"), "holds", "exact");
}

#[test]
fn what_over_approximates_is_a_proof() {
    expect(&main_with("int x = argc ? 1 : 2; if (argc > 3) x = 3; assert(1);"), "holds", "holds of the program");
    let text = main_with("int n = 0; if (argc > 2) n = 1; if (argc < 2) n = 2; assert(n < 3);");
    expect(&text, "holds", "and more at");
}

#[test]
fn numbers_that_the_model_does_not_have_are_an_unknown_answer() {
    expect(&main_with("long x = 2147483647; x = x + 1; assert(x > 0);"), "unknown", "32 bits");
    expect(&main_with("unsigned long x = 0; x--; assert(x > 0);"), "unknown", "32 bits");
    expect(&main_with("long x = 2147483646; x = x + 1; assert(x == 2147483647);"), "holds", "");
    expect(&main_with("unsigned x = 0; x--; assert(x == 4294967295u && x > 5);"), "holds", "exact");
    expect(
        &main_with("unsigned char c = 255; c++; assert(c == 0); signed char s = 127; s++; assert(s == -128);"),
        "holds",
        "",
    );
}

#[test]
fn too_many_threads_are_an_unknown_answer() {
    let body = "pthread_t t; for (int i = 0; i < 9; i++) { pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL); }";
    let text = main_with(body).replace("int main", "void *f(void *a) { return NULL; }\nint main");
    expect(&text, "unknown", "more than 7 threads");
}

#[test]
fn static_variables_live_on() {
    let text = main_with("next(); next(); assert(next() == 3);")
        .replace("int main", "int next(void) { static int n; return ++n; }\nint main");
    expect(&text, "holds", "exact");
}

#[test]
fn threads_end_with_the_program() {
    let worker = "pthread_mutex_t m; int late;\nvoid *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return NULL; }\nint main";
    let text = main_with("pthread_t t; pthread_create(&t, NULL, f, NULL);").replace("int main", worker);
    // The thread is stuck, but the program ends.
    expect(&text, "holds", "");
    let waits = text.replace("return 0;", "pthread_join(t, NULL); return 0;");
    expect(&waits, "violated", "(certain");
    let exits = "void *f(void *a) { exit(0); return NULL; }\nint main";
    let text = main_with("pthread_t t; pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL);\nassert(0);")
        .replace("int main", exits);
    expect(&text, "holds", "");
}

#[test]
fn a_thread_may_leave_main_behind() {
    let worker = "int x;\nvoid *f(void *a) { x = 1; assert(x == 2); return NULL; }\nint main";
    let text =
        main_with("pthread_t t; pthread_create(&t, NULL, f, NULL); pthread_exit(NULL);").replace("int main", worker);
    expect(&text, "violated", "(certain");
}

#[test]
fn records_begin_with_what_is_written() {
    let data = "struct p { int x; struct { int y[2]; } in; } s = { .in = { { [1] = 7 } }, .x = 3 }, list[2] = { [1] = { 5 } };\nint main";
    let text = main_with(
        "assert(s.x == 3 && s.in.y[0] == 0); assert(s.in.y[1] == 7); assert(list[1].x == 5); assert(list[0].x == 0);",
    );
    expect(&text.replace("int main", data), "holds", "exact");
    let text = main_with(
        "struct q { int a; char b; } one = { 1, 2 }, two; two = one; one.a = 9; assert(two.a == 1 && two.b == 2);",
    );
    expect(&text, "holds", "exact");
}

#[test]
fn all_control_flow_is_there() {
    let body = "int n = 0, i;
        for (i = 0; i < 5; i++) { if (i == 1) continue; if (i == 4) break; n += i; }
        assert(n == 5 && i == 4);
        switch (n) { case 1: n = 100; break; case 5: n = 6; case 7: n += 10; break; default: n = 0; }
        assert(n == 16);
        switch (n) { case 10 ... 20: n = 1; break; default: n = 2; }
        assert(n == 1);
        do { n++; } while (n < 4);
        assert(n == 4);
        again: if (n < 6) { n++; goto again; }
        assert(n == 6);
        n = (i++, i > 4) ? n + 1 : 0;
        assert(n == 7 && i == 5);
        if (n == 7 || ++i) n = 8;
        assert(i == 5);
        if (n == 7 && ++i) n = 9;
        assert(i == 5 && n == 8);
        int count = 3, sum = 0;
        if (0) { into: sum = 0; goto onwards; }
        if (sum == 0) goto into;
        onwards:
        switch (count % 2) { do { case 0: sum++; case 1: sum += 10; } while (--count > 0); }
        assert(sum == 32);";
    expect(&main_with(body), "holds", "exact");
}

#[test]
fn arrays_of_arrays_have_their_own_bounds() {
    let text = |body: &str| main_with(body).replace("int main", "int grid[2][3];\nint main");
    expect(
        &text("grid[1][2] = 4; grid[0][2] = 1; assert(grid[1][2] == 4 && grid[0][2] == 1 && grid[1][1] == 0);"),
        "holds",
        "exact",
    );
    expect(&text("int i = 3; grid[0][i] = 4;"), "violated", "(certain");
    let list = "int m[2][2] = { { 1, 2 }, [1] = { 3 } }; int *row = m[1];\n\
                assert(m[0][1] == 2 && row[0] == 3 && m[1][1] == 0);";
    expect(&main_with(list), "holds", "exact");
    let copies = "struct in { int v[2]; }; struct out { struct in list[2]; int m[2][2]; };\n\
                  struct out a = { .list = { [1] = { { 0, 6 } } }, .m = { { 0, 0 }, { 5, 0 } } }, b;\nint main";
    let body = "b = a; a.list[1].v[1] = 0; assert(b.list[1].v[1] == 6 && b.m[1][0] == 5);";
    expect(&main_with(body).replace("int main", copies), "holds", "exact");
    expect(&main_with("int a[2] = {0, 0}; for (int i = 0; i <= 2; i++) a[i] = i;"), "violated", "(certain");
}

#[test]
fn rows_of_the_user_prove_nothing_unless_they_are_trusted() {
    let folder = Folder::new();
    let file = folder.file("a.c", &main_with("int x = any(); assert(x == 1);"));
    let table = folder.file("a.lut", "D: int x=any();  int x = 1\n");
    let with = Reading { tables: vec![table], ..reading() };
    let (verdict, why) = said(&checked(&file, &with));
    assert!(verdict == "unknown" && why.contains("depends on `D: int x=any();`"), "{verdict}: {why}");
    let trusted = Reading { trust_table: true, ..with };
    assert_eq!(said(&checked(&file, &trusted)).0, "holds");
}

#[test]
fn a_pointer_to_an_element_stays_there() {
    let body = "int a[3] = { 0, 0, 0 }, i = 1; int *p = &a[i]; i = 2; *p = 7; assert(a[1] == 7 && a[2] == 0);";
    expect(&main_with(body), "holds", "exact");
    let text = main_with("int n[2] = {5, 6}; for (int i = 0; i < 2; i++) add(&n[i], &i); assert(n[0] == 6);")
        .replace("int main", "void add(int *to, int *i) { ++*i; ++*to; }\nint main");
    expect(&text, "holds", "exact");
}

#[test]
fn functions_that_were_chosen_can_lock() {
    let text = "#include <assert.h>\n#include <pthread.h>\npthread_mutex_t m; int x, inside;\n\
                void f(void) { pthread_mutex_lock(&m); inside++; assert(inside == 1); inside--; pthread_mutex_unlock(&m); }\n\
                void g(void) { f(); }\nint end = '\\xff'; void h(void) { assert(end == -1); }\n";
    let chosen = Reading { functions: vec!["f".into(), "g".into(), "h".into()], ..reading() };
    let (verdict, why) = answer(text, &chosen);
    assert!(verdict == "unknown" && why.contains("the functions that were chosen"), "{verdict}: {why}");
    assert_eq!(answer(text, &Reading { trust_table: true, ..chosen }).0, "holds");
}

#[test]
fn the_alternating_bit_protocol_is_as_in_the_paper() {
    let folder = examples().join("../papers");
    let with = |harness: &str| Reading { harness: Some(folder.join(harness)), trust_table: true, ..Reading::default() };
    // Figures 20 and 21: the statements of the two processes, in their order.
    let printed = extract_model(&folder.join("abp.c"), &with("abp.prx")).model.expect("a model").text;
    let mut rest = &*printed;
    for statement in [
        "active proctype abp_receiver",
        "Buffer Bufinp",
        "short s",
        "Bufout.size = 1",
        "Bufout.cont=A",
        "do",
        ":: rq?Bufinp,s ->",
        "cnt = (cnt + 1)",
        "sq!Bufout,s",
        "if",
        "(s == E) ->",
        "E = (1 - E)",
        "printf(",
        "fi",
        ":: timeout -> break",
        "od",
        "active proctype abp_sender",
        // Figure 19 has no row for it, and figure 21 leaves it out.
        "Bufout.size = 1",
        "do",
        ":: printf(",
        "cnt = (cnt + 1)",
        "rq!Bufout,S",
        "if",
        "timeout ->",
        "break",
        "sq?Bufinp,s",
        "fi",
        "if",
        "(s == S) ->",
        "S = (1 - S)",
        "fi",
        "od",
    ] {
        let at = rest.find(statement).unwrap_or_else(|| panic!("{statement} is missing in\n{printed}"));
        rest = &rest[at + statement.len()..];
    }
    assert_eq!(said(&checked(&folder.join("abp.c"), &with("abp.prx"))).0, "holds");
    // The printed run: depth 13, 14 states, 2 of them met again, 16 transitions, no statement unreached. Counters and buffers are sliced away.
    let reduction = engine_explicit::Reduction::Ample { local: true, mistake: None };
    let engine = Engine::Explicit(engine_explicit::Plan { reduction, ..engine_explicit::Plan::default() });
    let question = engine::Question { search: engine::Search::Depth, ..engine::Question::default() };
    let optimize = Pass::SPIN.to_vec();
    let options = Options { question, engine, optimize, slice: Slicing::Unused, ..Options::default() };
    for harness in ["abp.prx", "abp_sliced.prx"] {
        let it = check_program(&folder.join("abp.c"), &with(harness), &options, &mut ()).report.expect("a report");
        let (outcome, counts) = (&it.results[0], &it.results[0].effort.statistics);
        assert_eq!((counts.states, counts.transitions, counts.depth), (14, 16, 13), "{harness}");
        assert!(outcome.coverage.iter().all(|it| it.unreached.is_empty()), "{:?}", outcome.coverage);
    }
    // One step per statement and no reduction: what SPIN 6.5.2 says with -o1 -o2 -o3 and -DNOREDUCE.
    let options = Options { optimize: Vec::new(), ..Options::default() };
    let plain =
        check_program(&folder.join("abp.c"), &with("abp_sliced.prx"), &options, &mut ()).report.expect("a report");
    let counts = &plain.results[0].effort.statistics;
    assert_eq!((counts.states, counts.transitions), (58, 92));
    let model = extract_model(&folder.join("abp.c"), &with("abp_sliced.prx")).model.expect("a model").text;
    if let Some(pan) = run_spin(&model) {
        for line in
            ["depth reached 13, errors: 0", "14 states, stored", "2 states, matched", "16 transitions", "of 12 states"]
        {
            assert!(pan.contains(line), "{line}\n{pan}");
        }
    }
}

/// What SPIN says of a model, if it is installed.
fn run_spin(model: &str) -> Option<String> {
    let folder = Folder::new();
    folder.file("m.pml", model);
    let script = "spin -a m.pml && cc -o pan pan.c && ./pan";
    let output = std::process::Command::new("sh").args(["-c", script]).current_dir(&folder.0).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % most
    }
}

/// The types of the test: name, bits, sign.
const TYPES: [(&str, u32, bool); 8] = [
    ("signed char", 8, true),
    ("unsigned char", 8, false),
    ("short", 16, true),
    ("unsigned short", 16, false),
    ("int", 32, true),
    ("unsigned", 32, false),
    ("long", 64, true),
    ("unsigned long", 64, false),
];

fn wrap(value: i128, bits: u32, signed: bool) -> i128 {
    let low = value & ((1 << bits) - 1);
    if signed && low >> (bits - 1) & 1 == 1 { low - (1 << bits) } else { low }
}

/// `a op b` in C, by the standard; `None` if that is undefined.
fn in_c(a: (i128, u32, bool), operator: &str, b: (i128, u32, bool)) -> Option<(i128, u32, bool)> {
    let up = |it: (i128, u32, bool)| if it.1 < 32 { (it.0, 32, true) } else { it };
    let (a, b) = (up(a), up(b));
    let (bits, signed) = match operator {
        "<<" | ">>" => (a.1, a.2),
        _ if a.1 == b.1 => (a.1, a.2 && b.2),
        _ if a.1 > b.1 => (a.1, a.2),
        _ => (b.1, b.2),
    };
    let (x, y) = (
        wrap(a.0, bits, signed),
        if operator.ends_with(['<', '>']) && operator.len() == 2 { b.0 } else { wrap(b.0, bits, signed) },
    );
    let exact = match operator {
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "/" if y != 0 => x / y,
        "%" if y != 0 => x % y,
        "&" => x & y,
        "|" => x | y,
        "^" => x ^ y,
        "<<" if (0..i128::from(bits)).contains(&y) && (x >= 0 || !signed) => x << y,
        ">>" if (0..i128::from(bits)).contains(&y) => x >> y,
        "<" => return Some((i128::from(x < y), 32, true)),
        "<=" => return Some((i128::from(x <= y), 32, true)),
        "==" => return Some((i128::from(x == y), 32, true)),
        _ => return None,
    };
    let result = wrap(exact, bits, signed);
    (!signed || result == exact).then_some((result, bits, signed))
}

#[test]
fn arithmetic_is_that_of_c_or_none() {
    let mut random = Random(8);
    let (mut exact, mut beyond) = (0, 0);
    let mut statements = Vec::new();
    while exact < 150 {
        let (left, right, to) = (TYPES[random.below(8)], TYPES[random.below(8)], TYPES[random.below(8)]);
        let mut value = |ty: (&str, u32, bool)| {
            let near = [
                0, 1, 2, 3, 5, 7, 31, 127, 128, 255, 256, 32767, 65535, 2147483647, 2147483648, 4294967295, -1, -2,
                -128,
            ];
            let value = wrap(near[random.below(near.len())], ty.1, ty.2);
            // What the model can hold of 64 bits.
            if ty.1 == 64 && !(-2147483648..=2147483647).contains(&value) { 9 } else { value }
        };
        let (a, b) = (value(left), value(right));
        let operator = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "=="][random.below(13)];
        let Some(result) = in_c((a, left.1, left.2), operator, (b, right.1, right.2)) else { continue };
        let expected = wrap(result.0, to.1, to.2);
        let literal = |it: i128| if it < 0 { format!("({it}L)") } else { format!("{it}UL") };
        let text = format!(
            "{{ {l} a = ({l}){}; {r} b = ({r}){}; {t} c = a {operator} b; assert(c == ({t}){}); }}",
            a_text(a),
            a_text(b),
            literal(expected),
            l = left.0,
            r = right.0,
            t = to.0
        );
        let too_large = |it: i128| !(-2147483648..=2147483647).contains(&it);
        let far = |bits: u32, value: i128| bits == 64 && too_large(value);
        let crosses = left.1.max(right.1) == 64 && [a, b].iter().any(|it| *it < 0 || too_large(*it));
        if far(result.1, result.0) || far(to.1, expected) || crosses {
            // The model may have no such number, but it must not say something wrong.
            if beyond < 40 {
                let (verdict, why) = answer(&main_with(&text), &reading());
                assert!(verdict != "violated" || why.contains("not certain"), "{text}: {why}");
                beyond += 1;
            }
            continue;
        }
        statements.push(text);
        exact += 1;
    }
    for some in statements.chunks(15) {
        let (verdict, why) = answer(&main_with(&some.join("\n")), &reading());
        assert_eq!(verdict, "holds", "{}\n{why}", some.join("\n"));
    }
    assert!(beyond > 10, "{beyond}");
}

fn a_text(value: i128) -> String {
    format!("({value}L)")
}

/// What a wrong program is told.
fn complaints(text: &str, reading: &Reading) -> Vec<String> {
    let folder = Folder::new();
    let it = extract_model(&folder.file("a.c", text), reading);
    let place =
        |it2: &text::Diagnostic| it2.span.map_or(String::new(), |span| format!("{}: ", it.sources.place(span).line));
    it.diagnostics
        .iter()
        .filter(|it| it.is_error())
        .map(|it| format!("{}{}: {}", place(it), it.code, it.message))
        .collect()
}

#[test]
fn what_cannot_be_a_model_is_refused_with_its_place() {
    let told = |text: &str, says: &str| {
        let list = complaints(text, &reading());
        assert!(list.iter().any(|it| it.contains(says)), "{text}\n{list:?}");
    };
    told("int f(int n) { return n ? f(n - 1) : 0; }\nint main(void) { return f(3); }\n", "1: recursion");
    told(
        "int a(int);\nint b(int n) { return a(n); }\nint a(int n) { return b(n); }\nint main(void) { return a(1); }\n",
        "recursion",
    );
    told("int f(void) { return 0; }\n", "missing-function: there is no function `main`");
    told("int main(void) { goto out; }\n", "1: missing-label");
    told("int main(void) {\nout: ;\nout: goto out; }\n", "3: label-twice");
    told("int main(void) { break; }\n", "1: misplaced");
    told("int main(void) { case 1: return 0; }\n", "1: misplaced");
    told("int main(void) { int x = ; }\n", "1: c-syntax");
    told("int main(void) { if (1 { } }\n", "1: c-syntax");
    told("int main(void) {\n", "c-syntax");
    told("int f(int a) { return a; }\nint main(void) { return f(); }\n", "2: argument-count");
    let chosen = Reading { functions: vec!["maim".into()], ..reading() };
    assert!(complaints("int main(void) { return 0; }\n", &chosen)[0].contains("there is no function `maim`"));
}

/// Programs with characters and words left out, doubled and exchanged: an answer, whatever it is.
#[test]
fn damaged_programs_get_an_answer() {
    let mut random = Random(88);
    let files = ["bounded_queue.c", "peterson.c", "aba_stack.c", "unlock_twice.c", "static_buffer.c"];
    let texts: Vec<String> = files.iter().map(|it| fs::read_to_string(examples().join(it)).expect("a text")).collect();
    let (mut refused, mut made) = (0, 0);
    let rounds = std::env::var("C_DAMAGES").ok().and_then(|it| it.parse().ok()).unwrap_or(300);
    for _ in 0..rounds {
        let mut text: Vec<char> = texts[random.below(texts.len())].chars().collect();
        for _ in 0..1 + random.below(3) {
            let (at, other) = (random.below(text.len()), random.below(text.len()));
            match random.below(5) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, ['{', '}', '(', ')', ';', '*', '&', '"', '\'', '#', '\\', '0'][random.below(12)]),
                2 => text.swap(at, other),
                3 => {
                    let (from, to) = (at.min(other), at.max(other).min(at.min(other) + 40));
                    let part: Vec<char> = text[from..to].to_vec();
                    text.splice(from..from, part);
                }
                _ => drop(text.drain(at..(at + random.below(30)).min(text.len()))),
            }
        }
        let text: String = text.into_iter().collect();
        let folder = Folder::new();
        let it = extract_model(&folder.file("a.c", &text), &reading());
        match it.model {
            None => {
                assert!(it.diagnostics.iter().any(text::Diagnostic::is_error), "refused without a reason:\n{text}");
                refused += 1;
            }
            Some(model) => {
                let input = promenade::Input::Bytes { name: "m".into(), bytes: model.text.clone().into_bytes() };
                let read = promenade::open(&input, &Options::default().front, &[]);
                let wrong: Vec<String> =
                    read.checked.diagnostics.iter().filter(|it| it.is_error()).map(|it| it.message.clone()).collect();
                assert!(wrong.is_empty(), "the model of this is none: {wrong:?}\n{text}\n{}", model.text);
                made += 1;
            }
        }
    }
    assert!(refused > rounds / 10 && made > rounds / 10, "{refused} refused, {made} made");
}

/// A table for a program, brought up to date; and how many rows are new.
fn updated(file: &Path, table: &Path) -> usize {
    let old = fs::read_to_string(table).unwrap_or_default();
    let with = Reading { tables: if old.is_empty() { Vec::new() } else { vec![table.to_path_buf()] }, ..reading() };
    let it = extract_model(file, &with);
    let model = it.model.unwrap_or_else(|| panic!("{:?}", it.diagnostics));
    let (text, fresh) = extract::merge(&it.unit, &old, &model.fragments);
    fs::write(table, text).expect("a table");
    fresh
}

#[test]
fn a_table_that_was_written_is_read_as_it_was_meant() {
    let folder = Folder::new();
    let program = main_with(
        "char *s = \"two  blanks /* and */ more\"; puts(\"a  b\\t\\\"c\"); int x = 'x' + (int)sizeof(struct { int a; });\nif (s[0] == '\"') x = 2; while (x-- > 0) puts(s);",
    );
    let mut files: Vec<PathBuf> =
        fs::read_dir(examples()).expect("examples").map(|it| it.expect("an entry").path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "c"));
    files.push(folder.file("strings.c", &program));
    for file in files {
        let table = folder.0.join("t.lut");
        fs::write(&table, "").expect("a file");
        assert!(updated(&file, &table) > 0);
        let first = fs::read_to_string(&table).expect("a table");
        assert_eq!(updated(&file, &table), 0, "{}\n{first}", file.display());
        assert_eq!(fs::read_to_string(&table).expect("a table"), first);
        // A table that nobody has changed says nothing new.
        let with = Reading { tables: vec![table], ..reading() };
        let text = |reading: &Reading| extract_model(&file, reading).model.expect("a model").text;
        assert_eq!(text(&reading()), text(&with), "{first}");
    }
}

#[test]
fn thirty_edits_of_a_program_lose_no_row_of_the_users() {
    let mut random = Random(30);
    let folder = Folder::new();
    let original = fs::read_to_string(examples().join("bounded_queue.c")).expect("a text");
    let (file, table) = (folder.file("q.c", &original), folder.0.join("q.lut"));
    updated(&file, &table);
    let defaults = fs::read_to_string(&table).expect("a table");
    // The user has an opinion on every third row, and a remark.
    let mut mine = Vec::new();
    let rows: Vec<String> = defaults
        .lines()
        .enumerate()
        .map(|(at, line)| match at % 3 {
            // A call that is not made has nothing behind it.
            0 if line.starts_with(['A', 'C', 'E', 'R']) => {
                let row = format!("{}  skip /* mine {at} */", line.split("  ").next().unwrap_or("").trim());
                mine.push(row.clone());
                row
            }
            _ => line.to_string(),
        })
        .collect();
    fs::write(&table, format!("# my remark\nSubstitute BOOL bit\n{}\n", rows.join("\n"))).expect("a table");
    let mut text: Vec<String> = original.lines().map(String::from).collect();
    let (mut gone, mut fresh) = (0, 0);
    for round in 0..30 {
        // Statements that stand alone in a line.
        let simple: Vec<usize> = (0..text.len())
            .filter(|at| {
                text[*at].starts_with("    ")
                    && text[*at].ends_with(';')
                    && !text[*at].contains("pthread_t ")
                    && !text[*at].contains("int item")
            })
            .collect();
        let inside: Vec<usize> =
            simple.into_iter().filter(|at| text[..*at].iter().any(|it| it.starts_with("static void put"))).collect();
        let at = inside[random.below(inside.len())];
        match random.below(3) {
            0 if inside.len() > 8 => {
                // The body of a loop must stay one.
                text[at] = text[at].chars().take_while(|it| *it == ' ').collect::<String>() + ";";
            }
            1 => text[at] = text[at].replace(';', &format!("; queue.length = queue.length + {};", round % 4)),
            _ => {
                let line = text[at].clone();
                text.insert(at, line);
            }
        }
        fs::write(&file, text.join("\n")).expect("a file");
        fresh += updated(&file, &table);
        let now = fs::read_to_string(&table).expect("a table");
        for row in ["# my remark", "Substitute BOOL bit"].into_iter().chain(mine.iter().map(|it| &**it)) {
            let there = now.lines().any(|it| it == row || it.strip_prefix("# gone: ") == Some(row));
            assert!(there, "round {round}: {row} is lost\n{now}");
        }
        gone += now.matches("# gone: ").count();
    }
    assert!(gone > 0 && fresh > 0 && mine.len() > 5, "{gone} gone, {fresh} new, {} of the user's", mine.len());
    // What comes back counts again.
    fs::write(&file, &original).expect("a file");
    updated(&file, &table);
    let now = fs::read_to_string(&table).expect("a table");
    assert!(mine.iter().all(|row| now.lines().any(|it| it == row)), "{now}");
}
