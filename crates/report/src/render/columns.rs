//! Messages in columns, one for each process, as `spin -c` writes them.
//!
//! ```text
//! proc 0 = S
//! proc 1 = R
//! q\p   0   1
//!   1   q!req
//!   1   .   q?req
//! ```
//!
//! A line has the number of the channel, and the message in the column of the process that sends or receives it. Texts of `printf` stand in the
//! column of their process. The table is written as the execution goes on, so that it can be of any length.
use std::io::{self, Write};

use crate::{Happening, What};

/// A table in the making.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// The processes that have been announced.
    known: Vec<String>,
    /// How many columns the last heading had.
    headed: usize,
}

impl Columns {
    /// Adds what happened in a step; `processes` are the names of those that exist after it, by number.
    pub fn write(&mut self, processes: &[String], happenings: &[Happening], out: &mut dyn Write) -> io::Result<()> {
        happenings.iter().try_for_each(|it| self.happening(it, out))?;
        self.announce(processes, out)
    }

    /// Says which process has which number.
    pub fn announce(&mut self, processes: &[String], out: &mut dyn Write) -> io::Result<()> {
        for (row, name) in processes.iter().enumerate() {
            if self.known.get(row) != Some(name) {
                writeln!(out, "proc {row} = {}", name.split('(').next().unwrap_or(name))?;
            }
        }
        // Who has ended may be followed by another with the same number, and is announced again.
        self.known = processes.to_vec();
        Ok(())
    }

    fn happening(&mut self, it: &Happening, out: &mut dyn Write) -> io::Result<()> {
        let statement = match (&it.what, it.what.statement()) {
            (What::Text(text), _) => return write_text(text, it.process, out),
            (What::Message { slot: None, .. }, Some(statement)) => format!("{statement} (lost)"),
            (_, statement) => statement.unwrap_or_default(),
        };
        let What::Message { channel, .. } = it.what else { return Ok(()) };
        if self.headed < self.known.len() {
            self.headed = self.known.len();
            let numbers: String = (0..self.headed).map(|row| format!("{row:>4}")).collect();
            writeln!(out, "q\\p{numbers}")?;
        }
        let before = ".   ".repeat(it.process);
        writeln!(out, "{channel:>3}   {before}{statement}")
    }
}

fn write_text(text: &str, process: usize, out: &mut dyn Write) -> io::Result<()> {
    let indent = " ".repeat(6 + 4 * process);
    text.split_terminator('\n').try_for_each(|line| writeln!(out, "{indent}{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Direction;

    fn message(process: usize, direction: Direction, slot: Option<u32>) -> Happening {
        let (name, fields) = ("q".into(), "req,0".into());
        Happening { process, what: What::Message { direction, channel: 1, name, fields, slot, stays: false } }
    }

    fn written(steps: &[(&[&str], &[Happening])]) -> String {
        let (mut columns, mut out) = (Columns::default(), Vec::new());
        for (processes, happenings) in steps {
            let processes: Vec<String> = processes.iter().map(|it| it.to_string()).collect();
            columns.write(&processes, happenings, &mut out).expect("memory can be written");
        }
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn messages_stand_in_the_columns_of_their_processes() {
        let text = Happening { process: 1, what: What::Text("got 0\n".into()) };
        let steps: [(&[&str], &[Happening]); 3] = [
            (&["S(0)", "R(1)"], &[]),
            (&["S(0)", "R(1)"], &[message(0, Direction::Send, Some(0))]),
            (&["S(0)", "R(1)"], &[message(1, Direction::Receive, Some(0)), text]),
        ];
        let expected = "proc 0 = S\nproc 1 = R\nq\\p   0   1\n  1   q!req,0\n  1   .   q?req,0\n          got 0\n";
        assert_eq!(written(&steps), expected);
    }

    #[test]
    fn a_number_that_is_used_again_is_announced_again_and_a_loss_is_said() {
        let steps: [(&[&str], &[Happening]); 4] = [
            (&["A(0)", "B(1)"], &[]),
            (&["A(0)"], &[]),
            (&["A(0)", "C(1)"], &[]),
            (&["A(0)", "C(1)"], &[message(1, Direction::Send, None)]),
        ];
        let expected = "proc 0 = A\nproc 1 = B\nproc 1 = C\nq\\p   0   1\n  1   .   q!req,0 (lost)\n";
        assert_eq!(written(&steps), expected);
    }
}
