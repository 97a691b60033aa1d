//! Random C programs: a compiler runs them, and a model must say the same.
//!
//! Each program computes a number without threads. Compiled and run it says which; in the model the assertion that it is this number must
//! hold, and the assertion that it is another one must be violated, for certain. Without a compiler there is nothing to compare with.
use std::fs;
use std::path::Path;
use std::process::Command;

use promenade::Options;
use promenade::c_program::{Reading, check_program};
use report::Answer;

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % most
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn place(&mut self) -> String {
        self.of(&[
            "g",
            "u",
            "a",
            "b",
            "c",
            "list[1]",
            "list[a & 3]",
            "s.a",
            "s.b",
            "s.c[b & 1]",
            "(*p)",
            "q->a",
            "q->c[1]",
            "grid[a & 1][b & 1]",
            "flag",
        ])
        .into()
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.below(3) {
                0 => (self.below(40) as i64 - 10).to_string(),
                _ => self.place(),
            };
        }
        let (x, y) = (self.value(depth - 1), self.value(depth - 1));
        match self.below(14) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} * {y})"),
            3 => format!("({x} / (1 + ({y} & 7)))"),
            4 => format!("({x} % (1 + ({y} & 7)))"),
            5 => format!("({x} << ({y} & 3))"),
            6 => format!("({x} >> ({y} & 3))"),
            7 => format!("({x} & {y})"),
            8 => format!("({x} ^ {y})"),
            9 => format!("({x} < {y})"),
            10 => format!("({x} == {y} ? {y} : {x})"),
            11 => format!("({x} > 3 && {y} < 9)"),
            12 => format!("(unsigned char)({x} | {y})"),
            _ => format!("(!{x} || - {y})"),
        }
    }

    fn assigned(&mut self) -> String {
        let (to, value) = (self.place(), self.value(2));
        match self.below(5) {
            0 => format!("{to}++;"),
            1 => format!("--{to};"),
            2 => format!("{to} {}= {value};", self.of(&["+", "-", "&", "|", "^"])),
            _ => format!("{to} = {value};"),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        (0..1 + self.below(3)).map(|_| self.statement(depth)).collect::<Vec<_>>().join("\n")
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.assigned();
        }
        let value = self.value(1);
        match self.below(10) {
            0 => format!("if ({value}) {{ {} }} else {{ {} }}", self.block(depth - 1), self.block(depth - 1)),
            1 => format!(
                "for (int i = 0; i < 3; i++) {{ if ({value}) {}; {} }}",
                self.of(&["continue", "break"]),
                self.block(depth - 1)
            ),
            2 => format!("{{ int n = 0; while (n++ < 3) {{ {} }} }}", self.block(depth - 1)),
            3 => format!("{{ short n = 2; do {{ {} }} while (--n); }}", self.block(depth - 1)),
            4 => format!(
                "switch ({value} & 3) {{ case 0: {} case 1: {} break; case 2: {} default: {} }}",
                self.assigned(),
                self.assigned(),
                self.assigned(),
                self.assigned()
            ),
            5 => format!("t = s; t.a++; s = {};", self.of(&["t", "s"])),
            6 => format!("g = step(&{}, {value});", self.of(&["a", "b", "list[2]", "s.a"]).replace("list[2]", "c")),
            7 => format!("u = count() + {value};"),
            8 => format!("a = ({value}, b);"),
            _ => self.assigned(),
        }
    }

    fn program(&mut self) -> String {
        let body = (0..5).map(|_| self.statement(2)).collect::<Vec<_>>().join("\n");
        format!(
            "#include <assert.h>\n#ifdef RUN\n#include <stdio.h>\n#endif\n\
             struct s {{ int a; unsigned char b; int c[2]; }};\n\
             int g = 3; unsigned u = 4000000000u; short list[4] = {{ 1, [2] = -7 }}; struct s s = {{ .b = 250, .c = {{ 1, 2 }} }}, t;\n\
             int grid[2][2]; _Bool flag;\n\
             static int step(int *to, int by) {{ static int calls; calls++; *to += by & 7; if (*to > 9) return calls; return *to; }}\n\
             static unsigned count(void) {{ static unsigned char n = 254; return ++n; }}\n\
             int main(void) {{\n int a = 1, b = 2, c = 0; int *p = &c; struct s *q = &t;\n{body}\n\
             int result = g ^ (int)u ^ a ^ (b << 3) ^ (c << 5) ^ list[0] ^ list[1] ^ list[2] ^ list[3] ^ s.a ^ s.b ^ s.c[0] ^ s.c[1] ^ t.a ^ t.c[1] ^ grid[0][1] ^ grid[1][0] ^ flag;\n\
             #ifdef RUN\nprintf(\"%d\", result);\n#else\nassert(result == EXPECTED);\n#endif\nreturn 0;\n}}\n"
        )
    }
}

/// What a program says when it runs.
fn run(folder: &Path, file: &Path) -> Option<i64> {
    let program = folder.join("program");
    let flags = ["-std=gnu11", "-w", "-fwrapv", "-DRUN", "-o"];
    let made = Command::new("cc").args(flags).args([&program, &file.to_path_buf()]).status().ok()?.success();
    let output = made.then(|| Command::new(&program).output().ok()).flatten()?;
    String::from_utf8_lossy(&output.stdout).parse().ok()
}

#[test]
fn models_compute_what_compiled_programs_compute() {
    let folder = std::env::temp_dir().join(format!("prom-c-random-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let rounds = std::env::var("C_PROGRAMS").ok().and_then(|it| it.parse().ok()).unwrap_or(60);
    let mut compared = 0;
    for seed in 0..rounds {
        let mut random = Random(seed * 7919 + 3);
        (0..3).for_each(|_| _ = random.below(2));
        let text = random.program();
        let file = folder.join("p.c");
        fs::write(&file, &text).expect("a file");
        let Some(result) = run(&folder, &file) else { continue };
        for (expected, holds) in [(result, true), (result ^ 1, false)] {
            let defines = vec![("EXPECTED".to_string(), format!("({expected})"))];
            let reading = Reading { stub_headers: true, defines, ..Reading::default() };
            let it = check_program(&file, &reading, &Options::default(), &mut ());
            let outcome = &it.report.unwrap_or_else(|| panic!("seed {seed}\n{text}\n{:?}", it.diagnostics)).results[0];
            let certain = outcome.violations.iter().all(|it| it.message.contains("(certain"));
            let right = (outcome.answer == Answer::Holds) == holds && (holds || outcome.answer == Answer::Violated);
            assert!(
                right && certain,
                "seed {seed}: {result}\n{text}\n{:?} {:?}",
                outcome.answer,
                outcome.violations.first().map(|it| &it.message)
            );
        }
        compared += 1;
    }
    fs::remove_dir_all(&folder).expect("the folder");
    let compiler = Command::new("cc").arg("--version").output().is_ok();
    assert!(compared * 10 > rounds * 8 || !compiler, "only {compared} of {rounds}");
}
