//! The legacy era: a handshake opens a session, which the server remembers and may send requests through.

pub(crate) mod codec;
#[cfg(feature = "http")]
pub(crate) mod event_store;
mod fulfil;
mod handshake;
#[cfg(feature = "http")]
pub(crate) mod http;
mod outgoing;
mod remote;
pub(crate) mod session;
#[cfg(feature = "http")]
mod sessions;
#[cfg(feature = "http")]
mod stream;
mod tasks;

pub(crate) use fulfil::serve;
pub(crate) use session::{Admitted, Session};
