//! The library's own log: what a host should know, and clients should not.

use std::ffi::c_void;
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Once, PoisonError, RwLock};

use tracing_core::field::{Field, Visit};
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Event, Interest, Level, LevelFilter, Metadata, Subscriber};

use super::error::mcp_error_t;
use super::{MCP_LEVEL_DEBUG, MCP_LEVEL_ERROR, MCP_LEVEL_INFO, MCP_LEVEL_WARNING};
use crate::callback::{Callback, discard, mcp_destroy_fn};
use crate::gate::SharedGate;
use crate::guard::guard_result;
use crate::text::mcp_str;

/// Takes a line of the library's log. `level` is `MCP_LEVEL_DEBUG`, `…_INFO`, `…_WARNING` or `…_ERROR`, `source` the part of
/// the library that it comes from. Called from any thread, several at once; it must not throw.
pub type mcp_log_fn =
    Option<unsafe extern "C" fn(user_data: *mut c_void, level: i32, source: mcp_str, message: mcp_str)>;

type LogFunction = unsafe extern "C" fn(*mut c_void, i32, mcp_str, mcp_str);

struct Sink {
    callback: Callback<LogFunction>,
    gate: SharedGate,
}

static SINK: RwLock<Option<Sink>> = RwLock::new(None);
/// What is worth a look at all; above every level when there is no sink.
static THRESHOLD: AtomicI32 = AtomicI32::new(i32::MAX);

/// Sends the library's log, for all servers of this copy of the library, to `function`: lines of `level` (one of
/// `MCP_LEVEL_…`) and above. NULL for `function` ends it; without a sink, nothing is logged. What the sink before was given is
/// destroyed, after its last call. Must not be called from inside of a sink.
///
/// # Safety
/// The callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_set_log_sink(
    level: i32,
    function: mcp_log_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) -> *mut mcp_error_t {
    guard_result(|| {
        let sink = match function {
            None => {
                discard(user_data, destroy);
                None
            }
            Some(function) => {
                let gate = SharedGate::default();
                let callback = Callback::new(&gate, Some(function), user_data, destroy)?;
                Some(Sink { callback, gate })
            }
        };
        static ONCE: Once = Once::new();
        // Somebody else's subscriber, in a program that has one, is left alone.
        ONCE.call_once(|| drop(tracing_core::dispatcher::set_global_default(tracing_core::Dispatch::new(Log))));
        THRESHOLD.store(if sink.is_some() { level } else { i32::MAX }, Ordering::Release);
        let before = std::mem::replace(&mut *SINK.write().unwrap_or_else(PoisonError::into_inner), sink);
        tracing_core::callsite::rebuild_interest_cache();
        if let Some(before) = before {
            before.gate.close(|| {});
        }
        Ok(())
    })
}

fn number(level: Level) -> i32 {
    match level {
        Level::ERROR => MCP_LEVEL_ERROR,
        Level::WARN => MCP_LEVEL_WARNING,
        Level::INFO => MCP_LEVEL_INFO,
        _ => MCP_LEVEL_DEBUG,
    }
}

/// Passes events on to the sink.
struct Log;

impl Subscriber for Log {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        // The dependencies talk much; what matters of it, the library says itself.
        match metadata.target().starts_with("mcp") {
            true => Interest::sometimes(),
            false => Interest::never(),
        }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && number(*metadata.level()) >= THRESHOLD.load(Ordering::Acquire)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(match THRESHOLD.load(Ordering::Acquire) {
            i32::MAX => LevelFilter::OFF,
            level if level > MCP_LEVEL_WARNING => LevelFilter::ERROR,
            level if level > MCP_LEVEL_INFO => LevelFilter::WARN,
            level if level > MCP_LEVEL_DEBUG => LevelFilter::INFO,
            _ => LevelFilter::DEBUG,
        })
    }

    fn event(&self, event: &Event<'_>) {
        let callback = SINK.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(|sink| sink.callback.clone());
        let Some(callback) = callback else { return };
        let mut line = Line::default();
        event.record(&mut line);
        line.0.push_str(&line.1);
        let metadata = event.metadata();
        callback.call(|function, data| {
            let (source, message) = (mcp_str::of(metadata.target()), mcp_str::of(&line.0));
            // SAFETY: function and data are those that the host registered together; the texts outlive the call.
            unsafe { function(data, number(*metadata.level()), source, message) }
        });
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The message of an event, and its other fields.
#[derive(Default)]
struct Line(String, String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a string does not fail.
        let _ = match field.name() {
            "message" => write!(self.0, "{value:?}"),
            name => write!(self.1, " {name}={value:?}"),
        };
    }
}
