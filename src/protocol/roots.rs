//! The client's roots.

use serde::Deserialize;

/// A folder or file that the client lets the server work on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Root {
    /// `file:` URI.
    pub uri: String,
    /// Name for people.
    #[serde(default)]
    pub name: Option<String>,
}

/// The answer to `roots/list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ListRootsResult {
    /// The roots.
    pub roots: Vec<Root>,
}
