//! Log levels of the protocol.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Severity of a log message, after RFC 5424; the later, the more severe.
///
/// ```
/// use mcp::LoggingLevel;
/// assert_eq!("warning".parse(), Ok(LoggingLevel::Warning));
/// assert!("warn".parse::<LoggingLevel>().is_err());
/// assert!(LoggingLevel::Error > LoggingLevel::Info);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoggingLevel {
    /// Detail for finding faults.
    Debug,
    /// Ordinary progress.
    Info,
    /// Normal but significant.
    Notice,
    /// Something looks wrong.
    Warning,
    /// Something failed.
    Error,
    /// A component failed.
    Critical,
    /// Act at once.
    Alert,
    /// Unusable.
    Emergency,
}

impl LoggingLevel {
    pub(crate) const ALL: [LoggingLevel; 8] = [
        LoggingLevel::Debug,
        LoggingLevel::Info,
        LoggingLevel::Notice,
        LoggingLevel::Warning,
        LoggingLevel::Error,
        LoggingLevel::Critical,
        LoggingLevel::Alert,
        LoggingLevel::Emergency,
    ];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            LoggingLevel::Debug => "debug",
            LoggingLevel::Info => "info",
            LoggingLevel::Notice => "notice",
            LoggingLevel::Warning => "warning",
            LoggingLevel::Error => "error",
            LoggingLevel::Critical => "critical",
            LoggingLevel::Alert => "alert",
            LoggingLevel::Emergency => "emergency",
        }
    }
}

impl fmt::Display for LoggingLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The string names no log level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevel(pub String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = LoggingLevel::ALL.map(LoggingLevel::as_str).join(", ");
        write!(f, "\"{}\" is not a log level; it must be one of {names}", self.0)
    }
}

impl std::error::Error for UnknownLevel {}

impl FromStr for LoggingLevel {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<LoggingLevel, UnknownLevel> {
        let found = LoggingLevel::ALL.into_iter().find(|level| level.as_str() == text);
        found.ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::LoggingLevel;

    #[test]
    fn a_level_has_one_name() {
        for level in LoggingLevel::ALL {
            assert_eq!(level.as_str().parse(), Ok(level));
            assert_eq!(serde_json::to_value(level).unwrap(), level.as_str());
        }
        for unknown in ["", "Error", "warn", "fatal"] {
            assert!(unknown.parse::<LoggingLevel>().unwrap_err().to_string().contains("warning"));
        }
    }
}
