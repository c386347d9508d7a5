//! What the kernel tells about another process.

use std::fs;

/// A line of `/proc/PID/status` that counts KiB, such as `VmRSS` or `VmHWM`.
pub(crate) fn status_kib(pid: u64, name: &str) -> Result<u64, String> {
    let path = format!("/proc/{pid}/status");
    let status = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let value = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let number = value.and_then(|value| value.trim().trim_end_matches(" kB").parse().ok());
    number.ok_or_else(|| format!("{path} has no {name}"))
}
