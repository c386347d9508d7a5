//! The C interface: one file a handle. Every function runs guarded; `docs/abi.md` is its contract on one page.

pub mod cache;
pub mod client;
pub mod completion_result;
pub mod connection;
pub mod context;
pub mod error;
pub mod event;
pub mod event_store;
pub mod filter;
pub mod http;
pub mod http_options;
pub mod input_required;
pub mod json_reader;
pub mod json_writer;
pub mod limits;
pub mod link;
pub mod log;
pub mod options;
pub mod prompt_options;
pub mod prompt_result;
pub mod register;
pub mod request_state;
pub mod resource_options;
pub mod resource_result;
pub mod responder;
pub mod server;
pub mod tool_options;
pub mod tool_result;
pub mod version;

use std::time::Duration;

use mcp::{CacheHint, CacheScope, Error, JsonKind, LoggingLevel, RawJson};
use serde::de::DeserializeOwned;

use crate::text::mcp_str;

/// A result that may be kept by anybody: it is the same for every user.
pub const MCP_CACHE_PUBLIC: i32 = 0;
/// A result that may be kept by the one who asked only.
pub const MCP_CACHE_PRIVATE: i32 = 1;

fn cache_hint(ttl_ms: u64, scope: i32) -> Result<CacheHint, Error> {
    let scope = match scope {
        MCP_CACHE_PUBLIC => CacheScope::Public,
        MCP_CACHE_PRIVATE => CacheScope::Private,
        other => return Err(Error::invalid_params(format!("scope is {other}; it must be one of MCP_CACHE_…"))),
    };
    Ok(CacheHint { ttl: Duration::from_millis(ttl_ms), scope })
}

/// Detail for finding faults.
pub const MCP_LEVEL_DEBUG: i32 = 0;
/// Ordinary progress.
pub const MCP_LEVEL_INFO: i32 = 1;
/// Normal but significant.
pub const MCP_LEVEL_NOTICE: i32 = 2;
/// Something looks wrong.
pub const MCP_LEVEL_WARNING: i32 = 3;
/// Something failed.
pub const MCP_LEVEL_ERROR: i32 = 4;
/// A component failed.
pub const MCP_LEVEL_CRITICAL: i32 = 5;
/// Act at once.
pub const MCP_LEVEL_ALERT: i32 = 6;
/// Unusable.
pub const MCP_LEVEL_EMERGENCY: i32 = 7;

const LEVELS: [LoggingLevel; 8] = [
    LoggingLevel::Debug,
    LoggingLevel::Info,
    LoggingLevel::Notice,
    LoggingLevel::Warning,
    LoggingLevel::Error,
    LoggingLevel::Critical,
    LoggingLevel::Alert,
    LoggingLevel::Emergency,
];

fn level(number: i32) -> Result<LoggingLevel, Error> {
    let level = usize::try_from(number).ok().and_then(|index| LEVELS.get(index).copied());
    level.ok_or_else(|| Error::invalid_params(format!("level is {number}; it must be one of MCP_LEVEL_…")))
}

/// A value that is given as JSON.
///
/// # Safety
/// `text` can be read.
unsafe fn read<T: DeserializeOwned>(text: mcp_str, what: &str) -> Result<T, Error> {
    // SAFETY: as promised by the caller.
    let read = unsafe { text.with_json(what, |json| json.deserialize()) }?;
    read.map_err(|error| Error::invalid_params(format!("{what}: {error}")))
}

/// An object that is given as JSON.
///
/// # Safety
/// `text` can be read.
unsafe fn object(text: mcp_str, what: &str) -> Result<RawJson, Error> {
    // SAFETY: as promised by the caller.
    let json = unsafe { text.json(what) }?;
    match json.kind() {
        JsonKind::Object => Ok(json),
        _ => Err(Error::invalid_params(format!("{what} must be a JSON object"))),
    }
}

/// A list of strings.
///
/// # Safety
/// `items` points to `count` strings that can be read.
unsafe fn strings(items: *const mcp_str, count: usize, what: &str) -> Result<Vec<String>, Error> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if items.is_null() {
        return Err(crate::handle::null(what));
    }
    // SAFETY: as promised by the caller.
    let items = unsafe { std::slice::from_raw_parts(items, count) };
    // SAFETY: as promised by the caller.
    items.iter().map(|item| unsafe { item.string(what) }).collect()
}

fn config(error: mcp::ConfigError) -> Error {
    let code = if error.is_taken() { error::MCP_ERROR_TAKEN } else { error::MCP_ERROR_INVALID_PARAMS };
    Error::new(code, error.to_string())
}

fn transport(error: mcp::TransportError) -> Error {
    Error::new(error::MCP_ERROR_TRANSPORT, error.to_string())
}
