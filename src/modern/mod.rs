//! The modern era: every request carries its own metadata, and there is nothing to remember between two of them.

pub(crate) mod codec;
mod discover;
mod gate;
#[cfg(feature = "http")]
mod headers;
#[cfg(feature = "http")]
pub(crate) mod http;
pub(crate) mod listen;

pub(crate) use gate::{Admitted, admit};
