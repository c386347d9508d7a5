//! The events of a stream.

use serde_json::Value;

/// One event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SseEvent {
    pub(crate) event: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) data: Option<String>,
    pub(crate) retry: Option<String>,
    /// Lines that begin with a colon.
    pub(crate) comments: Vec<String>,
}

impl SseEvent {
    /// The message that the event carries.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(self.data.as_deref().unwrap_or_default())
            .unwrap_or_else(|error| panic!("not a message ({error}): {self:?}"))
    }

    /// Whether the event carries a message.
    pub(crate) fn has_message(&self) -> bool {
        self.data.as_deref().is_some_and(|data| !data.is_empty()) && self.event.as_deref() != Some("endpoint")
    }
}

/// Where the first event ends.
pub(super) fn find_blank_line(bytes: &[u8]) -> Option<usize> {
    let lf = bytes.windows(2).position(|window| window == b"\n\n").map(|at| at + 2);
    let crlf = bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4);
    match (lf, crlf) {
        (Some(lf), Some(crlf)) => Some(lf.min(crlf)),
        (lf, crlf) => lf.or(crlf),
    }
}

/// Reads the lines of one event.
pub(super) fn parse_event(lines: &str) -> SseEvent {
    let mut event = SseEvent::default();
    for line in lines.lines() {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
        match name {
            "" if line.starts_with(':') => event.comments.push(value),
            "event" => event.event = Some(value),
            "id" => event.id = Some(value),
            "retry" => event.retry = Some(value),
            "data" => match &mut event.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(&value);
                }
                data => *data = Some(value),
            },
            _ => {}
        }
    }
    event
}
