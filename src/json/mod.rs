//! JSON as bytes: a validating scanner, raw text that is known to be valid, an index over the members of an object, and
//! an append-only writer.
//!
//! Nothing here knows what the JSON means. Text is never turned into a tree: whoever needs a member takes its slice and
//! reads that.

mod de;
mod find;
mod members;
mod raw;
mod scan;
mod write;

#[cfg(test)]
mod tests;

pub(crate) use members::Members;
pub(crate) use raw::text_of;
pub use raw::{Kind, RawJson};
pub use scan::SyntaxError;
pub(crate) use scan::{Scanner, Span};
pub use write::JsonWriter;
