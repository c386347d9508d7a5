//! The CPU time of a process, from `/proc`.

use std::collections::BTreeMap;
use std::fs;

/// Linux counts `utime` and `stime` in hundredths of a second on every architecture.
const TICK_NS: u64 = 10_000_000;

/// The CPU time that a process had used at one moment.
pub(super) struct Cpu {
    threads: BTreeMap<String, u64>,
    process_ns: u64,
}

impl Cpu {
    /// Reads the CPU time of `pid` and of each of its threads.
    pub(super) fn of(pid: u32) -> Result<Self, String> {
        let tasks = format!("/proc/{pid}/task");
        let entries = fs::read_dir(&tasks).map_err(|error| format!("{tasks}: {error}"))?;
        let mut threads = BTreeMap::new();
        for entry in entries.flatten() {
            // A thread may end between the listing and the reading.
            if let Ok(text) = fs::read_to_string(entry.path().join("schedstat")) {
                let ran = text.split_whitespace().next().and_then(|word| word.parse().ok());
                let ran = ran.ok_or_else(|| format!("{tasks}: schedstat is not a number"))?;
                threads.insert(entry.file_name().to_string_lossy().into_owned(), ran);
            }
        }
        if threads.is_empty() {
            return Err(format!("{tasks} has no schedstat; is the kernel built without it?"));
        }
        Ok(Self { threads, process_ns: process_ns(pid)? })
    }

    /// The nanoseconds used since `before`.
    ///
    /// The sum over the threads is exact, but loses what ended threads had used; when one of `before` is gone, the
    /// coarser count of the whole process is taken.
    pub(super) fn since(&self, before: &Self) -> u64 {
        if before.threads.keys().any(|thread| !self.threads.contains_key(thread)) {
            return self.process_ns.saturating_sub(before.process_ns);
        }
        let sum = |cpu: &Self| cpu.threads.values().sum::<u64>();
        sum(self).saturating_sub(sum(before))
    }
}

fn process_ns(pid: u32) -> Result<u64, String> {
    let path = format!("/proc/{pid}/stat");
    let stat = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    // The name of the program, in parentheses, may hold anything.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<u64>().ok());
    Ok(ticks.sum::<u64>() * TICK_NS)
}

#[cfg(test)]
mod tests;
