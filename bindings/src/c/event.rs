//! Events: what the host wants to be told.

use std::ffi::c_void;

use mcp::{Events, Implementation, JsonWriter};

use super::options::{mcp_options_t, set_callback};
use crate::callback::{Callback, mcp_destroy_fn};
use crate::text::mcp_str;

/// A request arrived. Subject: its method; detail: the whole message.
pub const MCP_EVENT_REQUEST: i32 = 0;
/// A notification arrived. Subject: its method; detail: the whole message.
pub const MCP_EVENT_NOTIFICATION: i32 = 1;
/// An answer with a result leaves. Detail: the whole message.
pub const MCP_EVENT_RESPONSE: i32 = 2;
/// An answer with an error leaves. Subject: its text; detail: the error object, `{"code": …, "message": …}`.
pub const MCP_EVENT_ERROR: i32 = 3;
/// A client completed `initialize`. Detail: who it says it is.
pub const MCP_EVENT_CLIENT_CONNECTED: i32 = 4;
/// A client sent `notifications/initialized`.
pub const MCP_EVENT_INITIALIZED: i32 = 5;
/// A connection or session ended in order.
pub const MCP_EVENT_TRANSPORT_CLOSE: i32 = 6;
/// A connection broke. Subject: how.
pub const MCP_EVENT_TRANSPORT_ERROR: i32 = 7;
/// A request arrived. Subject: its method. The short form of `MCP_EVENT_REQUEST`.
pub const MCP_EVENT_METHOD_CALLED: i32 = 8;
/// An answer with an error leaves. Subject: its text. The short form of `MCP_EVENT_ERROR`.
pub const MCP_EVENT_PROTOCOL_ERROR: i32 = 9;

/// Takes an event; what `subject` and `detail` (JSON) are, the kind of event says. Called on the thread that serves the
/// connection, possibly several at once: it should be quick, and must not throw.
pub type mcp_event_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, subject: mcp_str, detail: mcp_str)>;

type EventFunction = unsafe extern "C" fn(*mut c_void, mcp_str, mcp_str);

/// Has `function` called for one kind of event, one of `MCP_EVENT_…`; a later one for the same kind replaces it.
///
/// # Safety
/// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_on_event(
    options: *mut mcp_options_t,
    event: i32,
    function: mcp_event_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        set_callback(options, function, user_data, destroy, |parts, callback| {
            let events = std::mem::take(&mut parts.events);
            parts.events = listen(events, event, callback)?;
            Ok(())
        });
    }
}

fn listen(events: Events, event: i32, callback: Callback<EventFunction>) -> Result<Events, mcp::Error> {
    let call = move |subject: mcp_str, detail: mcp_str| {
        // SAFETY: function and data are those that the host registered together.
        callback.call(|function, data| unsafe { function(data, subject, detail) });
    };
    const NONE: mcp_str = mcp_str::NONE;
    Ok(match event {
        MCP_EVENT_REQUEST => {
            events.on_request(move |method, message| call(mcp_str::of(method), mcp_str::of(message.as_str())))
        }
        MCP_EVENT_NOTIFICATION => {
            events.on_notification(move |method, message| call(mcp_str::of(method), mcp_str::of(message.as_str())))
        }
        MCP_EVENT_RESPONSE => events.on_response(move |message| call(NONE, mcp_str::of(message.as_str()))),
        MCP_EVENT_ERROR => events.on_error(move |error| {
            call(mcp_str::of(error.message()), mcp_str::of(describe(error).as_str()));
        }),
        MCP_EVENT_METHOD_CALLED => events.on_method_called(move |method| call(mcp_str::of(method), NONE)),
        MCP_EVENT_PROTOCOL_ERROR => events.on_protocol_error(move |text| call(mcp_str::of(text), NONE)),
        MCP_EVENT_CLIENT_CONNECTED => events.on_client_connected(move |client| {
            call(NONE, mcp_str::of(introduce(client).as_str()));
        }),
        MCP_EVENT_INITIALIZED => events.on_initialized(move || call(NONE, NONE)),
        MCP_EVENT_TRANSPORT_CLOSE => events.on_transport_close(move || call(NONE, NONE)),
        MCP_EVENT_TRANSPORT_ERROR => events.on_transport_error(move |text| call(mcp_str::of(text), NONE)),
        other => {
            return Err(mcp::Error::invalid_params(format!("event is {other}; it must be one of MCP_EVENT_…")));
        }
    })
}

fn describe(error: &mcp::Error) -> mcp::RawJson {
    let mut w = JsonWriter::default();
    w.begin_object();
    w.any_key("code");
    w.value(&error.code());
    w.any_key("message");
    w.string(error.message());
    if let Some(data) = error.data() {
        w.any_key("data");
        w.raw(data);
    }
    w.end_object();
    w.finish().unwrap_or(mcp::RawJson::NULL)
}

fn introduce(client: &Implementation) -> mcp::RawJson {
    let mut w = JsonWriter::default();
    w.begin_object();
    let texts = [
        ("name", Some(&client.name)),
        ("version", Some(&client.version)),
        ("title", client.title.as_ref()),
        ("description", client.description.as_ref()),
        ("websiteUrl", client.website_url.as_ref()),
    ];
    for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text?))) {
        w.any_key(name);
        w.string(text);
    }
    if !client.icons.is_empty() {
        w.any_key("icons");
        w.value(&client.icons);
    }
    w.end_object();
    w.finish().unwrap_or(mcp::RawJson::NULL)
}
