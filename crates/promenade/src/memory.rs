//! How much memory there is and how much of it this process has had, where the system tells.
use std::fs::read_to_string;

/// The most bytes that were ever in use at once; `None` if the system does not say.
pub fn peak() -> Option<u64> {
    field(&read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Bytes that this process can still have without harming others; `None` if the system does not say.
pub fn available() -> Option<u64> {
    let machine = field(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    Some(machine.min(left_in_group().unwrap_or(u64::MAX)))
}

/// Bytes that the control group still grants (Linux's cgroups, version 2).
fn left_in_group() -> Option<u64> {
    let number = |name| read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok()?.trim().parse::<u64>().ok();
    Some(number("max")?.saturating_sub(number("current")?))
}

/// A line like `VmHWM:   1234 kB`, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn a_field_is_one_line_in_kilobytes() {
        let status = "Name:\tprom\nVmHWM:\t    3072 kB\nVmRSS:\t 1 kB\n";
        assert_eq!(field(status, "VmHWM:"), Some(3_145_728));
        assert_eq!(field(status, "VmPeak:"), None);
    }
}
