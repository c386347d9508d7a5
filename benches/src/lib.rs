//! What the measuring programs share.
//!
//! `floor-http` and `floor-stdio` are the least that a server written by hand has to do for the `echo` tool; `load` asks
//! them, or a real server, and prints what it saw as one line of JSON. `cargo xtask bench` compares the two. Nothing
//! here depends on the library under measurement.

pub mod floor;
pub mod histogram;
pub mod message;
