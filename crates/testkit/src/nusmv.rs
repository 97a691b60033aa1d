//! NuSMV as an oracle, where it is installed.
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::smv::{Graph, Program};

/// NuSMV, found on this machine.
#[derive(Clone, Debug)]
pub struct NuSmv {
    program: PathBuf,
    /// Time for one program.
    pub time: Duration,
}

impl NuSmv {
    /// The program that `PROM_NUSMV` names, or the one on the path.
    pub fn find() -> Option<NuSmv> {
        let named = std::env::var_os("PROM_NUSMV").map(PathBuf::from);
        let paths = std::env::var_os("PATH").map(|it| std::env::split_paths(&it).collect::<Vec<_>>());
        let mut installed = paths.unwrap_or_default().into_iter().map(|it| it.join("NuSMV"));
        let program = named.or_else(|| installed.find(|it| it.is_file()))?;
        Some(NuSmv { program, time: Duration::from_secs(20) })
    }

    /// What NuSMV writes about a program: reachable states, and whether specifications hold.
    fn says(&self, text: &str) -> Result<String, String> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("prom-{}-{}.smv", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, text).map_err(|it| it.to_string())?;
        let said = self.run(&file);
        let _ = std::fs::remove_file(&file);
        said
    }

    fn run(&self, file: &std::path::Path) -> Result<String, String> {
        let out = file.with_extension("out");
        let stream = std::fs::File::create(&out).map_err(|it| it.to_string())?;
        let mut command = Command::new(&self.program);
        command.args(["-dcx", "-r"]).arg(file).stdin(Stdio::null()).stdout(stream).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|it| it.to_string())?;
        let began = Instant::now();
        let ended = loop {
            if child.try_wait().map_err(|it| it.to_string())?.is_some() {
                break true;
            }
            if began.elapsed() > self.time {
                let _ = child.kill();
                let _ = child.wait();
                break false;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let said = std::fs::read_to_string(&out).map_err(|it| it.to_string());
        let _ = std::fs::remove_file(&out);
        if ended { said } else { Err("NuSMV takes too long".into()) }
    }

    /// What NuSMV says about the formulas of linear time of a program, which come after those of branching time.
    pub fn linear(&self, text: &str, program: &Program) -> Result<Vec<(String, bool)>, String> {
        let said = self.says(text)?;
        let verdicts = said.lines().filter(|it| it.starts_with("-- specification")).skip(program.branching.len());
        let list: Vec<bool> = verdicts.filter_map(|it| it.rsplit(' ').next()).map(|it| it == "true").collect();
        let complete = list.len() == program.linear.len();
        let named = program.linear.iter().cloned().zip(list).collect();
        if complete { Ok(named) } else { Err("NuSMV does not understand the program".into()) }
    }

    /// What NuSMV says otherwise about a program, if anything.
    pub fn contradicts(&self, text: &str, program: &Program, graph: &Graph) -> Result<Option<String>, String> {
        let said = self.says(text)?;
        let states =
            said.lines().find_map(|it| it.strip_prefix("reachable states: ")?.split_whitespace().next()?.parse().ok());
        let verdicts = |what: &str| -> Vec<bool> {
            let lines = said.lines().filter(|it| it.starts_with(what));
            lines.filter_map(|it| it.rsplit(' ').next()).map(|it| it == "true").collect()
        };
        let invariants = verdicts("-- invariant");
        let expected: Vec<bool> = program.invariants.iter().map(|it| !graph.broken.contains(&it.0)).collect();
        let formulas: Vec<bool> = verdicts("-- specification").into_iter().take(graph.formulas.len()).collect();
        let holds: Vec<bool> = graph.formulas.iter().map(|it| it.1).collect();
        let counted: f64 = states.ok_or("NuSMV does not understand the program")?;
        // It writes six digits.
        let same = (counted - graph.states.len() as f64).abs() <= counted * 1e-5;
        Ok(match () {
            () if !same => Some(format!("NuSMV reaches {counted}, the interpreter {}", graph.states.len())),
            () if invariants != expected => {
                Some(format!("invariants: NuSMV {invariants:?}, the interpreter {expected:?}"))
            }
            () if formulas != holds => Some(format!("formulas: NuSMV {formulas:?}, the interpreter {holds:?}")),
            () => None,
        })
    }
}
