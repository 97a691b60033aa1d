//! Random programs with two threads: a few lines that know C's steps enumerate what can come out, and the model must agree on every outcome.
use std::collections::BTreeSet;
use std::fs;

use promenade::Options;
use promenade::c_program::{Reading, check_program};
use report::Answer;

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % most
    }
}

/// A step that nothing comes between. Registers are a thread's own.
#[derive(Clone, Copy, Debug)]
enum Step {
    Load(usize, usize),
    Add(usize, i32),
    Store(usize, usize),
    Fetch(usize, i32),
    Lock,
    Unlock,
    /// Goes on there if a register is not this number.
    Unless(usize, i32, usize),
}

/// Statements as C, and as steps.
#[derive(Default)]
struct Thread {
    text: String,
    steps: Vec<Step>,
}

impl Thread {
    fn statement(&mut self, random: &mut Random, nested: bool) {
        let (x, y, n) = (random.below(3), random.below(3), random.below(3) as i32);
        let name = |it: usize| ["x", "y", "z"][it];
        match random.below(if nested { 4 } else { 7 }) {
            0 => {
                self.text += &format!("    {} = {} + {n};\n", name(x), name(y));
                self.steps.extend([Step::Load(0, y), Step::Add(0, n), Step::Store(x, 0)]);
            }
            1 => {
                self.text += &format!("    {}++;\n", name(x));
                // What is atomic is changed in one step.
                match x {
                    2 => self.steps.push(Step::Fetch(x, 1)),
                    _ => self.steps.extend([Step::Load(0, x), Step::Add(0, 1), Step::Store(x, 0)]),
                }
            }
            2 if x < 2 => {
                self.text += &format!("    {} -= {n};\n", name(x));
                self.steps.extend([Step::Load(0, x), Step::Add(0, -n), Step::Store(x, 0)]);
            }
            2 | 3 => {
                self.text += &format!("    atomic_fetch_add(&z, {n});\n");
                self.steps.push(Step::Fetch(2, n));
            }
            4 => {
                self.text += &format!("    if ({} == {n}) {{\n", name(y));
                self.steps.push(Step::Load(1, y));
                let at = self.steps.len();
                self.steps.push(Step::Unless(1, n, 0));
                self.statement(random, true);
                self.text += "    }\n";
                self.steps[at] = Step::Unless(1, n, self.steps.len());
            }
            5 => {
                self.text += "    pthread_mutex_lock(&lock);\n";
                self.steps.push(Step::Lock);
                self.statement(random, true);
                self.statement(random, true);
                self.text += "    pthread_mutex_unlock(&lock);\n";
                self.steps.push(Step::Unlock);
            }
            _ => {
                self.text += &format!("    if ({} == {n} && {} == {n})\n        {} = 2;\n", name(x), name(y), name(y));
                self.steps.push(Step::Load(1, x));
                let first = self.steps.len();
                self.steps.extend([Step::Unless(1, n, 0), Step::Load(1, y), Step::Unless(1, n, 0)]);
                self.steps.push(Step::Store(y, 3));
                let end = self.steps.len();
                (self.steps[first], self.steps[first + 2]) = (Step::Unless(1, n, end), Step::Unless(1, n, end));
            }
        }
    }
}

/// Globals, owner of the lock, and of each thread where it is and its registers; the last register is always 2.
type State = ([i32; 3], usize, [(usize, [i32; 4]); 2]);

/// Every outcome.
fn outcomes(threads: &[Thread; 2]) -> BTreeSet<[i32; 3]> {
    let first: State = ([0; 3], 2, [(0, [0, 0, 0, 2]); 2]);
    let (mut seen, mut todo, mut ends) = (BTreeSet::from([first]), vec![first], BTreeSet::new());
    while let Some(state) = todo.pop() {
        if (0..2).all(|it| state.2[it].0 == threads[it].steps.len()) {
            ends.insert(state.0);
        }
        for who in 0..2 {
            let Some(step) = threads[who].steps.get(state.2[who].0) else { continue };
            let (mut data, mut owner, mut all) = state;
            let (at, registers) = &mut all[who];
            *at += 1;
            match *step {
                Step::Load(to, from) => registers[to] = data[from],
                Step::Add(to, by) => registers[to] += by,
                Step::Store(to, from) => data[to] = registers[from],
                Step::Fetch(to, by) => data[to] += by,
                Step::Lock if owner != 2 => continue,
                Step::Lock => owner = who,
                Step::Unlock => owner = 2,
                Step::Unless(register, value, to) => {
                    if registers[register] != value {
                        *at = to;
                    }
                }
            }
            if seen.insert((data, owner, all)) {
                todo.push((data, owner, all));
            }
        }
    }
    ends
}

fn program(threads: &[Thread; 2], check: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nint x, y;\natomic_int z;\npthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
         void *one(void *arg)\n{{\n{}    return NULL;\n}}\nvoid *two(void *arg)\n{{\n{}    return NULL;\n}}\n\
         int main(void)\n{{\n    pthread_t a, b;\n    pthread_create(&a, NULL, one, NULL);\n    pthread_create(&b, NULL, two, NULL);\n    \
         pthread_join(a, NULL);\n    pthread_join(b, NULL);\n    {check}\n    return 0;\n}}\n",
        threads[0].text, threads[1].text
    )
}

#[test]
fn every_outcome_of_two_threads_is_one_of_the_model_and_no_other() {
    let folder = std::env::temp_dir().join(format!("prom-c-threads-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("p.c");
    let reading = Reading { stub_headers: true, ..Reading::default() };
    let rounds = std::env::var("C_THREADS").ok().and_then(|it| it.parse().ok()).unwrap_or(40);
    let (mut several, mut questions) = (0, 0);
    for seed in 0..rounds {
        let mut random = Random(seed * 7919 + 5);
        (0..3).for_each(|_| _ = random.below(2));
        let mut threads = [Thread::default(), Thread::default()];
        for thread in &mut threads {
            (0..2).for_each(|_| thread.statement(&mut random, false));
        }
        let possible = outcomes(&threads);
        several += usize::from(possible.len() > 1);
        let mut check = |check: &str| {
            let text = program(&threads, check);
            fs::write(&file, &text).expect("a file");
            questions += 1;
            let it = check_program(&file, &reading, &Options::default(), &mut ());
            let outcome = it.report.unwrap_or_else(|| panic!("{text}\n{:?}", it.diagnostics)).results.remove(0);
            assert!(outcome.violations.iter().all(|it| it.message.contains("(certain")), "seed {seed}\n{text}");
            match outcome.answer {
                Answer::Holds => false,
                Answer::Violated => true,
                Answer::Unknown(reason) => panic!("seed {seed}: {}\n{text}", reason.because),
            }
        };
        let is = |[x, y, z]: &[i32; 3]| format!("(x == {x} && y == {y} && z == {z})");
        let any: Vec<String> = possible.iter().map(is).collect();
        assert!(!check(&format!("assert({});", any.join(" || "))), "seed {seed}: the model has more than {possible:?}");
        for outcome in &possible {
            assert!(check(&format!("assert(!{});", is(outcome))), "seed {seed}: the model does not have {outcome:?}");
        }
    }
    fs::remove_dir_all(&folder).expect("the folder");
    assert!(
        several * 4 > rounds as usize,
        "only {several} of {rounds} programs have several outcomes ({questions} questions)"
    );
}
