//! What each step of a model reads and writes.
use std::path::Path;

use front_promela::preprocess::{LoadError, Loader};
use front_promela::{Options, compile};
use model::access::{self, Resource};
use model::{Model, ProcessTypeId};

struct NoFiles;

impl Loader for NoFiles {
    fn load(&mut self, _: &Path) -> Result<String, LoadError> {
        Err(LoadError::NotFound)
    }
}

fn name(model: &Model, process: usize, resource: Resource) -> String {
    let of = |process: usize, row: u32| model.processes[process].variables[row as usize].name.clone();
    let global = |row: u32| model.globals[row as usize].name.clone();
    match resource {
        Resource::Global(id) => global(id.0),
        Resource::Local(id) => format!("own {}", of(process, id.0)),
        Resource::Remote(ProcessTypeId(other), id) => {
            format!("{}'s {}", model.processes[other as usize].name, of(other as usize, id.0))
        }
        Resource::RemoteLocation(ProcessTypeId(other)) => {
            format!("{}'s location", model.processes[other as usize].name)
        }
        Resource::GlobalChannel(id) => format!("in {}", global(id.0)),
        Resource::LocalChannel(id) => format!("in own {}", of(process, id.0)),
        other => format!("{other:?}"),
    }
}

/// Compiles a model and lists `text: reads -> writes` for each step of the process `P`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let mut sources = text::Sources::default();
    let root = sources.add("model", text);
    let compiled = compile(&mut sources, root, &Options::default(), &mut NoFiles);
    let model = compiled.model.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let row = model.processes.iter().position(|it| it.name == "P").expect("a process P");
    let process = &model.processes[row];
    let outer = process.edges.iter().filter(|edge| !process.location(edge.source).internal);
    let got: Vec<String> = outer
        .map(|edge| {
            let access = access::of_edge(process, edge);
            let list = |set: &std::collections::BTreeSet<Resource>| {
                set.iter().map(|&it| name(&model, row, it)).collect::<Vec<_>>().join(", ")
            };
            format!("{}: {} -> {}", edge.text, list(&access.reads), list(&access.writes))
        })
        .collect();
    assert_eq!(got, expected);
}

#[test]
fn an_assignment_reads_the_right_side_and_the_index() {
    check(
        "byte x, a[3]; active proctype P(byte n) { a[x] = n + x }",
        &["a[x] = n + x: x, own n -> a[]", "-end-: Processes -> Processes"],
    );
}

#[test]
fn a_receive_changes_the_channel_and_its_variables() {
    check(
        "chan q = [1] of { byte, byte }; byte x; active proctype P() { byte y; q?eval(x),y; q?<x,_> }",
        &["q?eval(x), y: q, x, in q -> own y, in q", "q?<x, _>: q, in q -> x", "-end-: Processes -> Processes"],
    );
}

#[test]
fn an_indivisible_region_is_the_sum_of_its_steps() {
    check(
        "byte x, y, z; active proctype P() { d_step { x > 0; y = z } }",
        &["d_step { x > 0; y = z }: x, z -> y", "-end-: Processes -> Processes"],
    );
}

#[test]
fn a_look_into_another_process_is_seen() {
    check(
        "active proctype Q() { byte v; L: v = 1 } active proctype P() { (Q@L && Q:v == 1) }",
        &["Q@L && Q:v == 1: Q's v, Q's location, Processes -> ", "-end-: Processes -> Processes"],
    );
}

#[test]
fn a_condition_on_the_whole_process_belongs_to_every_step() {
    check(
        "byte g, x; active proctype P() provided (g) { x = 1 }",
        &["x = 1: g -> x", "-end-: g, Processes -> Processes"],
    );
}
