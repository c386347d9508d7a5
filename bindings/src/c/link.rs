//! `mcp_link_t`: the client's end of a connection in memory.

use std::sync::Arc;
use std::time::Duration;

use mcp::Error;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::Mutex;

use super::connection::as_line;
use super::error::{MCP_ERROR_TIMEOUT, mcp_error_t};
use super::server::required;
use crate::guard::{guard, guard_result};
use crate::handle::{borrow, give, null, put, take};
use crate::host::{closed, mcp_server_t};
use crate::text::{mcp_str, mcp_text_t};

/// The client's end of a connection in the same process, for tests and for hosts that are their own client. One thread may
/// send while another receives.
pub struct mcp_link_t {
    host: Arc<mcp_server_t>,
    writer: Mutex<WriteHalf<DuplexStream>>,
    reader: Mutex<Received>,
}

struct Received {
    stream: BufReader<ReadHalf<DuplexStream>>,
    /// What has arrived of the next message.
    line: Vec<u8>,
}

/// Opens a connection in memory and writes the client's end to `out_link`.
///
/// # Safety
/// `server` is NULL or a live handle; `out_link` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_open_link(
    server: *const mcp_server_t,
    out_link: *mut *mut mcp_link_t,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let host = unsafe { required(server) }?;
        if out_link.is_null() {
            return Err(null("out_link"));
        }
        drop(host.start()?);
        let pair = host.within(|| host.server.memory_pair());
        let (reader, writer) = tokio::io::split(pair);
        let reader = Mutex::new(Received { stream: BufReader::new(reader), line: Vec::new() });
        let link = mcp_link_t { host, writer: Mutex::new(writer), reader };
        // SAFETY: as promised by the caller.
        unsafe { put(out_link, give(link)) };
        Ok(())
    })
}

/// Sends a message to the server; waits while the server is behind with reading.
///
/// # Safety
/// `link` is NULL or a live handle; `message` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_link_send(link: *const mcp_link_t, message: mcp_str) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (link, message) = unsafe { (borrow(link, "link")?, message.bytes("message")?) };
        let line = as_line(message);
        link.host.block_on(async { link.writer.lock().await.write_all(&line).await })?.map_err(|_| closed())
    })
}

/// Waits for the next message of the server's, at most `timeout_ms` milliseconds, and writes it to `out_message`, owned by
/// the caller. Fails with `MCP_ERROR_TIMEOUT` when none came, with `MCP_ERROR_CONNECTION_CLOSED` when none will.
///
/// # Safety
/// `link` is NULL or a live handle; `out_message` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_link_receive(
    link: *const mcp_link_t,
    timeout_ms: u64,
    out_message: *mut *mut mcp_text_t,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let link = unsafe { borrow(link, "link") }?;
        if out_message.is_null() {
            return Err(null("out_message"));
        }
        let next = async {
            let mut received = link.reader.lock().await;
            let Received { stream, line } = &mut *received;
            // What arrived before a time-out stays in `line`, and is gone on with.
            let read = stream.read_until(b'\n', line).await;
            if read.is_err() || line.pop() != Some(b'\n') {
                return Err(closed());
            }
            Ok(std::mem::take(line))
        };
        let message =
            link.host.block_on(async { tokio::time::timeout(Duration::from_millis(timeout_ms), next).await })?;
        let message = message.map_err(|_| {
            Error::new(MCP_ERROR_TIMEOUT, format!("the server sent nothing for {timeout_ms} milliseconds"))
        })??;
        // SAFETY: as promised by the caller.
        unsafe { put(out_message, mcp_text_t::give(message)) };
        Ok(())
    })
}

/// Closes the connection and frees the handle. NULL is fine.
///
/// # Safety
/// `link` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_link_delete(link: *mut mcp_link_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(link) }));
}
