//! Harnesses: what stands around a model, in the sections of Modex's `.prx` files.
//!
//! ```text
//! %F abp.c                    the program
//! %X -a abp_sender            this function becomes a process (repeatable)
//! %L                          rows of the table, up to `%%`; behind `%L` may stand the function that they are for
//! %D  and  %P                 Promela before the model, up to `%%`
//! %A                          Promela after it, up to `%%`
//! ```
//! `//` begins a comment outside sections.

/// What a harness says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Harness {
    /// The programs.
    pub files: Vec<String>,
    /// Functions that become processes.
    pub functions: Vec<String>,
    /// Rows, for a function or for all; empty lines stand where other lines of the file are.
    pub tables: Vec<(Option<String>, String)>,
    /// Promela before the model.
    pub before: String,
    /// Promela after it.
    pub after: String,
}

impl Harness {
    /// Reads a harness; a line that is not understood becomes its number and a reason.
    pub fn read(text: &str) -> (Harness, Vec<(usize, String)>) {
        let (mut it, mut wrong, mut section) = (Harness::default(), Vec::new(), ' ');
        for (at, line) in text.lines().enumerate() {
            match (section, line.strip_prefix('%')) {
                (_, Some("%")) => section = ' ',
                (_, Some(head)) if head.starts_with(|it: char| it.is_ascii_uppercase()) => {
                    section = head.chars().next().unwrap_or(' ');
                    if let Err(why) = it.head(section, head[1..].trim(), at + 1) {
                        wrong.push((at + 1, why));
                    }
                    section = if matches!(section, 'X' | 'F') { ' ' } else { section };
                }
                ('L', _) => {
                    if let Some(last) = it.tables.last_mut() {
                        last.1 += &format!("{line}\n");
                    }
                }
                ('D' | 'P', _) => it.before += &format!("{line}\n"),
                ('A', _) => it.after += &format!("{line}\n"),
                (' ', _) if !line.trim().is_empty() && !line.trim_start().starts_with("//") => {
                    wrong.push((at + 1, "this stands in no section; sections are %F %X %L %D %P %A".into()));
                }
                _ => {}
            }
        }
        (it, wrong)
    }

    fn head(&mut self, section: char, rest: &str, line: usize) -> Result<(), String> {
        match section {
            'F' => self.files.extend(rest.split_whitespace().map(String::from)),
            'X' => {
                let names: Vec<&str> =
                    rest.split_whitespace().filter(|it| !it.starts_with('-') && !it.ends_with(".lut")).collect();
                if names.is_empty() {
                    return Err("write `%X -a NAME`: the function that becomes a process".into());
                }
                self.functions.extend(names.into_iter().map(String::from));
            }
            'L' => {
                let function = rest.split_whitespace().next().map(String::from);
                self.tables.push((function, "\n".repeat(line)));
            }
            'D' | 'P' | 'A' => {}
            other => return Err(format!("section %{other} is not read; sections are %F %X %L %D %P %A")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_its_place() {
        let text = "// a harness\n%F a.c\n%X -a one\n%X two\n%L\nA: x=1  hide\n%%\n%D\nchan q;\n%%\n%P\nbyte n;\n%%\n%A\nltl { [] p }\n%%\n";
        let (it, wrong) = Harness::read(text);
        assert_eq!(wrong, []);
        assert_eq!((it.files, it.functions), (vec!["a.c".into()], vec!["one".into(), "two".to_string()]));
        let rows = &it.tables[0].1;
        assert_eq!((rows.trim(), rows.lines().position(|it| it == "A: x=1  hide")), ("A: x=1  hide", Some(5)));
        assert_eq!((&*it.before, &*it.after), ("chan q;\nbyte n;\n", "ltl { [] p }\n"));
    }

    #[test]
    fn a_section_that_is_not_known_is_said() {
        let (_, wrong) = Harness::read("%Q\nx\n%%\nstray\n");
        assert_eq!(wrong.iter().map(|it| it.0).collect::<Vec<_>>(), [1, 4]);
    }
}
