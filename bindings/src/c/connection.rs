//! `mcp_connection_t`: a connection whose messages the host carries.

use std::ffi::c_void;
use std::sync::Arc;

use bytes::Bytes;
use mcp::Error;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

use super::error::{MCP_ERROR_BUSY, mcp_error_t};
use super::server::required;
use crate::callback::{Callback, discard, mcp_destroy_fn};
use crate::guard::{guard, guard_result};
use crate::handle::{borrow, give, null, put, take};
use crate::host::{closed, mcp_server_t};
use crate::text::mcp_str;

/// Messages that wait to be taken up by the server.
const QUEUE: usize = 1024;

/// A connection whose messages the host carries: over a transport of its own.
pub struct mcp_connection_t {
    incoming: mpsc::Sender<Bytes>,
}

/// Carries one message to the client; `message` is one JSON text without line breaks. Called for one message at a time, in
/// their order, on a thread of the handler pool, which it may block: then later messages wait. None (a NULL `ptr`) says
/// that the server has ended the connection, and nothing follows. It must not throw.
pub type mcp_send_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, message: mcp_str)>;

/// Opens a connection; messages of the server's go to `function`. It ends with `mcp_connection_delete`, or when the server
/// is closed.
///
/// # Safety
/// `server` is NULL or a live handle; `out_connection` can be written; the callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_connect(
    server: *const mcp_server_t,
    function: mcp_send_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
    out_connection: *mut *mut mcp_connection_t,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let host = unsafe { required(server) }.inspect_err(|_| discard(user_data, destroy))?;
        let callback = Callback::new(&host.gate, function, user_data, destroy)?;
        if out_connection.is_null() {
            return Err(null("out_connection"));
        }
        let running = host.start()?;
        running.begin();
        let (incoming, messages) = mpsc::channel(QUEUE);
        let carrier = host.clone();
        host.spawn(async move {
            carry(&carrier, callback, messages).await;
            drop(running);
        });
        // SAFETY: as promised by the caller.
        unsafe { put(out_connection, give(mcp_connection_t { incoming })) };
        Ok(())
    })
}

type Send = Callback<unsafe extern "C" fn(*mut c_void, mcp_str)>;

/// Moves messages both ways until one side ends.
async fn carry(host: &Arc<mcp_server_t>, callback: Send, mut messages: mpsc::Receiver<Bytes>) {
    let (reader, mut writer) = tokio::io::split(host.server.memory_pair());
    let incoming = async move {
        while let Some(message) = messages.recv().await {
            if writer.write_all(&message).await.is_err() {
                break;
            }
        }
        // The server sees the end of the stream and finishes what it has.
        drop(writer.shutdown().await);
        std::future::pending::<()>().await;
    };
    let outgoing = async {
        let mut lines = BufReader::new(reader).split(b'\n');
        while let Ok(Some(line)) = lines.next_segment().await {
            deliver(host, &callback, Some(line)).await;
        }
        deliver(host, &callback, None).await;
    };
    tokio::select! {
        () = incoming => {}
        () = outgoing => {}
    }
}

/// Calls the host's function where it may block.
async fn deliver(host: &Arc<mcp_server_t>, callback: &Send, message: Option<Vec<u8>>) {
    let (callback, (done, waiting)) = (callback.clone(), tokio::sync::oneshot::channel());
    host.run_blocking(Box::new(move || {
        let message = message.as_deref().map_or(mcp_str::NONE, mcp_str::of_bytes);
        // SAFETY: function and data are those that the host registered together; the message outlives the call.
        callback.call(|function, data| unsafe { function(data, message) });
        // Whoever waited may be gone with the server.
        let _ = done.send(());
    }));
    // An error says that the function will not be called any more; there is nothing to wait for.
    drop(waiting.await);
}

/// Hands a message of the client's to the server, and returns at once. Fails with `MCP_ERROR_BUSY` when the server has not
/// taken up so many messages before, with `MCP_ERROR_CONNECTION_CLOSED` when the connection has ended.
///
/// # Safety
/// `connection` is NULL or a live handle; `message` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_connection_receive(
    connection: *const mcp_connection_t,
    message: mcp_str,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (connection, message) = unsafe { (borrow(connection, "connection")?, message.bytes("message")?) };
        let sent = connection.incoming.try_send(as_line(message));
        sent.map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => {
                Error::new(MCP_ERROR_BUSY, format!("{QUEUE} messages wait already; try again later"))
            }
            mpsc::error::TrySendError::Closed(_) => closed(),
        })
    })
}

/// A message as one line: line breaks can only stand between the tokens of JSON, where a blank does as well.
pub(super) fn as_line(message: &[u8]) -> Bytes {
    let mut line: Vec<u8> =
        message.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }).collect();
    line.push(b'\n');
    line.into()
}

/// Ends a connection from the client's side and frees its handle: the server finishes the requests that it has, and
/// `function` still receives their answers. NULL is fine.
///
/// # Safety
/// `connection` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_connection_delete(connection: *mut mcp_connection_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(connection) }));
}
