//! The C ABI of libmcp, on which the C++ API stands: the only part with `unsafe` code.
//!
//! The functions are in `c`, one file a handle; what they share is here. `docs/abi.md` is the contract of all of them,
//! `include/mcp/mcp.h` the header, which is written from this crate.

#![allow(non_camel_case_types)] // the names of a C interface

mod border;
pub mod c;
mod callback;
mod draft;
mod executor;
mod foreign;
mod gate;
mod guard;
mod handle;
mod host;
mod sigpipe;
mod text;
