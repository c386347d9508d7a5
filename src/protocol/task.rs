//! Tasks: the state of long work as clients see it, in the form of each revision that has tasks.

use serde::{Deserialize, Serialize};

use super::version::{Feature, ProtocolVersion};
use crate::json::{JsonWriter, RawJson};

/// The extension that clients and servers of the modern era declare.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// What a client that did not declare the extension is told to declare.
pub(crate) const REQUIRED: &str = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;

/// Where a task stands. The last three are final: a task that has reached one never leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// It runs.
    Working,
    /// It waits for answers of the client.
    InputRequired,
    /// It has its result, an error result included.
    Completed,
    /// It ended with a JSON-RPC error.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl TaskStatus {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            TaskStatus::Working => "working",
            TaskStatus::InputRequired => "input_required",
            TaskStatus::Completed => "completed",
            TaskStatus::Failed => "failed",
            TaskStatus::Cancelled => "cancelled",
        }
    }

    /// Whether a task stays in it.
    pub const fn is_final(self) -> bool {
        matches!(self, TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Cancelled)
    }
}

/// A task at one moment, as it is shown.
#[derive(Clone, Debug)]
pub(crate) struct TaskState {
    pub(crate) id: String,
    pub(crate) status: TaskStatus,
    pub(crate) message: Option<String>,
    /// Milliseconds since 1970, as all times here.
    pub(crate) created: u64,
    pub(crate) updated: u64,
    pub(crate) ttl: Option<u64>,
    pub(crate) poll_interval: Option<u64>,
    pub(crate) detail: TaskDetail,
}

/// What belongs to the status.
#[derive(Clone, Debug)]
pub(crate) enum TaskDetail {
    None,
    /// Open questions by key.
    Questions(RawJson),
    Result(RawJson),
    Error(RawJson),
}

impl TaskState {
    /// The members of the task.
    pub(crate) fn write_members(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.string_member("taskId", &self.id);
        w.string_member("status", self.status.as_str());
        w.optional_string("statusMessage", self.message.as_deref());
        w.string_member("createdAt", &timestamp(self.created));
        w.string_member("lastUpdatedAt", &timestamp(self.updated));
        let (ttl, poll) = match version.has(Feature::TaskHandles) {
            true => ("ttlMs", "pollIntervalMs"),
            false => ("ttl", "pollInterval"),
        };
        w.value_member(ttl, &self.ttl);
        w.optional_value(poll, self.poll_interval);
    }

    /// The members of the task, and what belongs to its status where the revision shows it beside them.
    pub(crate) fn write_detailed(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        self.write_members(w, version);
        if !version.has(Feature::TaskHandles) {
            return;
        }
        match &self.detail {
            TaskDetail::None => {}
            TaskDetail::Questions(questions) => w.raw_member("inputRequests", questions),
            TaskDetail::Result(result) => w.raw_member("result", result),
            TaskDetail::Error(error) => w.raw_member("error", error),
        }
    }
}

/// A time in the form of RFC 3339, with milliseconds, in UTC.
pub(crate) fn timestamp(millis: u64) -> String {
    let (days, rest) = (millis / 86_400_000, millis % 86_400_000);
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, millisecond) = (rest / 1000 % 60, rest % 1000);
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
}

/// The date of a day, counted from 1970-01-01. Years begin in March here, so that the leap day is the last one.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn timestamps_are_written_in_utc_with_leap_days() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(951_827_696_789), "2000-02-29T12:34:56.789Z");
        assert_eq!(timestamp(1_764_559_546_001), "2025-12-01T03:25:46.001Z");
        assert_eq!(timestamp(4_107_542_399_999), "2100-02-28T23:59:59.999Z");
    }
}
