//! The vocabulary of the protocol: plain types, one family a file.
//!
//! No I/O, no runtime, no era: a type that is written takes the revision it is written for and asks it what it knows.

pub(crate) mod cache;
pub(crate) mod capability;
pub(crate) mod completion;
pub(crate) mod content;
pub(crate) mod elicitation;
pub(crate) mod id;
pub(crate) mod identity;
pub(crate) mod input;
pub(crate) mod logging;
pub(crate) mod meta;
pub(crate) mod method;
pub(crate) mod prompt;
mod read;
pub(crate) mod resource;
pub(crate) mod roots;
pub(crate) mod sampling;
pub(crate) mod task;
pub(crate) mod tool;
pub(crate) mod version;
