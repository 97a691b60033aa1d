//! Where a run took place, and with what.
use std::path::Path;
use std::process::Command;

use crate::options::{Options, Pan};
use crate::schedule::Tools;
use crate::{pan, prom, root};

/// One line per fact.
pub fn describe(tools: &Tools, options: &Options) -> String {
    let prom = tools.prom.display().to_string();
    let compiler = |is_temporal| format!("gcc {} pan.c", pan::compiler_arguments(tools.pan, is_temporal).join(" "));
    let builds = format!("{}; for temporal properties {}", compiler(false), compiler(true));
    let facts = [
        ("cpu", field("/proc/cpuinfo", "model name")),
        ("cores", std::thread::available_parallelism().map_or("?".to_string(), |n| n.to_string())),
        ("memory", field("/proc/meminfo", "MemTotal")),
        ("system", first_line("uname", &["-srm"])),
        ("load at the start", file("/proc/loadavg").trim().to_string()),
        ("prom", first_line(&prom, &["--version"])),
        ("revision", revision()),
        ("spin", first_line("spin", &["-V"])),
        ("gcc", first_line("gcc", &["--version"])),
        ("repetitions", options.repeat.to_string()),
        ("prom is run as", prom_command(options)),
        ("pan is built as", if tools.pan == Pan::None { "-".into() } else { builds }),
        (
            "pan is run as",
            "./pan -m<depth + 1000> -w<log2(states) rounded up + 1> -E -n [-a -N <property>]".to_string(),
        ),
    ];
    facts.iter().map(|(what, value)| format!("{what}: {value}\n")).collect()
}

fn prom_command(options: &Options) -> String {
    let configurations = options.configurations();
    let commands =
        configurations.iter().map(|it| format!("prom {}", prom::arguments(it, &options.prom_args).join(" ")));
    commands.collect::<Vec<_>>().join("; ")
}

/// The revision of the sources, and whether there were changes beside it.
fn revision() -> String {
    let folder = root().display().to_string();
    let hash = first_line("git", &["-C", &folder, "rev-parse", "--short=12", "HEAD"]);
    let changed = first_line("git", &["-C", &folder, "status", "--porcelain", "--untracked-files=no"]);
    if changed == "-" { hash } else { hash + ", changed" }
}

/// The first line that a command prints; `-` if there is none.
fn first_line(program: &str, arguments: &[&str]) -> String {
    let done = Command::new(program).args(arguments).output();
    let text = done.map(|done| String::from_utf8_lossy(&done.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("-").to_string()
}

fn file(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// A field of a file of `name: value` lines.
fn field(path: &str, name: &str) -> String {
    let text = file(path);
    let line = text.lines().find(|line| line.starts_with(name)).and_then(|line| line.split_once(':'));
    line.map_or("?".to_string(), |(_, value)| value.trim().to_string())
}
