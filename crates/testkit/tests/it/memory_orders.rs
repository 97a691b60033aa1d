//! Memories that may be late, and tests of what programs can rely on: `examples/papers/store_order.pml` and `runway.pml`.
use std::fs;
use std::time::Duration;

use engine::Verdict;
use engine_symbolic::Plan;
use model::Model;
use testkit::corpus::workspace;
use testkit::run::{self, Budget};
use testkit::symbolic::{Compared, Effort, compare};

const EFFORT: Effort = Effort { states: 20_000, time: Duration::from_secs(20), memory: 1 << 30 };

fn example(name: &str) -> String {
    fs::read_to_string(workspace().join("examples/papers").join(name)).expect("an example")
}

/// A text with macros.
fn defined(text: &str, macros: &[(&str, &str)]) -> Model {
    let lines: String = macros.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect();
    run::model(&(lines + text)).expect("a model")
}

/// The table of the header: a memory, a test, whether it holds.
fn table(text: &str) -> Vec<(String, String, bool)> {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().skip(1).collect()).collect();
    let top = rows.iter().position(|row| row[..] == ["SC", "TSO", "PSO", "PRAM"]).expect("the head of the table");
    let below = rows[top + 1..].iter().take_while(|row| row.len() == rows[top].len() + 1);
    let cells = |row: &Vec<&str>| {
        let cell = |(memory, said): (&&str, &&str)| (memory.to_string(), row[0].to_string(), *said == "holds");
        rows[top].iter().zip(&row[1..]).map(cell).collect::<Vec<_>>()
    };
    below.flat_map(cells).collect()
}

#[test]
fn every_memory_keeps_the_orders_that_its_table_says() {
    let text = example("store_order.pml");
    let said = table(&text);
    assert_eq!(said.len(), 20);
    assert_eq!(said.iter().filter(|it| it.2).count(), 12);
    for (memory, test, holds) in said {
        let model = defined(&text, &[("MEMORY", &memory), ("TEST", &test)]);
        let found = run::explicit(&model, Budget::default()).verdict == Verdict::Holds;
        assert_eq!(found, holds, "{memory} {test}");
        let compared = compare(&model, Plan::default(), EFFORT);
        assert!(matches!(compared, Compared::Same { .. }), "{memory} {test}: {compared:?}");
    }
}

/// Each test of the bus holds, and notices a cache with a mistake that breaks its rule.
#[test]
fn the_bus_keeps_its_orders_and_broken_caches_are_noticed() {
    let text = example("runway.pml");
    let forgetful =
        (":: what == own -> d_step { line[address] = invalid; copy[address] = 0 }", ":: what == own -> skip");
    let late = ("line[address] = private; copy[address] = new }", "line[address] = private }");
    for (rule, (right, wrong)) in [("WA", forgetful), ("UPO", late), ("ROWO", forgetful)] {
        assert!(text.contains(right), "{right}");
        let holds = |text: &str| {
            let model = defined(text, &[(rule, "1")]);
            run::explicit(&model, Budget::default()).verdict == Verdict::Holds
        };
        assert!(holds(&text), "{rule}");
        assert!(!holds(&text.replace(right, wrong)), "{rule} does not notice {wrong}");
    }
}
