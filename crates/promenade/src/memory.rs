//! How much memory there is and how much of it this process has had, where the system tells.
use std::fs::read_to_string;

/// The most bytes that were ever in use at once; `None` if the system does not say.
pub fn peak() -> Option<u64> {
    field(&read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Bytes that this process can still have without harming others; `None` if the system does not say.
pub fn available() -> Option<u64> {
    let machine = field(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    let granted = left_in_group().unwrap_or(u64::MAX).min(left_of_addresses().unwrap_or(u64::MAX));
    Some(machine.min(granted))
}

/// Bytes that diagrams can have: they are computed on stacks of a gigabyte, for which there must be addresses.
pub fn available_for_diagrams() -> Option<u64> {
    let addresses = left_of_addresses().map_or(u64::MAX, |it| it.saturating_sub(STACK_ADDRESSES));
    Some(available()?.min(addresses))
}

/// Addresses for the stacks of those who compute with diagrams.
const STACK_ADDRESSES: u64 = 3 << 30;

/// Addresses for stacks of workers, and for whatever else is not counted.
const OTHER_ADDRESSES: u64 = 64 << 20;

/// Bytes for which there are addresses, if they are rationed (`ulimit -v`).
fn left_of_addresses() -> Option<u64> {
    let most = address_limit(&read_to_string("/proc/self/limits").ok()?)?;
    let used = field(&read_to_string("/proc/self/status").ok()?, "VmSize:")?;
    Some(most.saturating_sub(used).saturating_sub(OTHER_ADDRESSES))
}

/// The limit that counts, in bytes, from a table of limits.
fn address_limit(table: &str) -> Option<u64> {
    let line = table.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
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
    use super::{address_limit, field};

    #[test]
    fn a_field_is_one_line_in_kilobytes() {
        let status = "Name:\tprom\nVmHWM:\t    3072 kB\nVmRSS:\t 1 kB\n";
        assert_eq!(field(status, "VmHWM:"), Some(3_145_728));
        assert_eq!(field(status, "VmPeak:"), None);
    }

    #[test]
    fn addresses_are_rationed_or_unlimited() {
        let table =
            |it| format!("Limit                     Soft Limit\nMax address space         {it}   unlimited  bytes\n");
        assert_eq!(address_limit(&table("8192000000")), Some(8_192_000_000));
        assert_eq!(address_limit(&table("unlimited")), None);
    }
}
