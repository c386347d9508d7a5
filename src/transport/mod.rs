//! Ways for messages to come and go.

mod connection;
mod frame;
#[cfg(feature = "http")]
pub(crate) mod http;
pub(crate) mod memory;
mod outbox;
mod router;
#[cfg(all(feature = "stdio", unix))]
pub(crate) mod stdio;

pub(crate) use connection::serve;
