//! Message filters: the host looks at, changes or stops whole messages.

use std::sync::Arc;

use super::executor::contain;
use crate::json::RawJson;

/// A chain of filters for one direction. Each sees what the one before passed on.
///
/// ```
/// use mcp::{Filters, RawJson};
/// // Stops every message that names a certain tool.
/// let filters = Filters::new().add(|message: RawJson, next: &mut dyn FnMut(RawJson)| {
///     if !message.as_str().contains("\"format_disk\"") {
///         next(message);
///     }
/// });
/// ```
#[derive(Clone, Default)]
pub struct Filters(Vec<Arc<dyn Filter>>);

/// One filter. It is called on the thread that handles the message, possibly concurrently, and should be quick.
pub trait Filter: Send + Sync + 'static {
    /// Calls `next` with the message, changed or not, to pass it on; not calling it stops the message. What is passed
    /// on must be one valid JSON-RPC message. A second call of `next` has no effect.
    fn filter(&self, message: RawJson, next: &mut dyn FnMut(RawJson));
}

impl<F: Fn(RawJson, &mut dyn FnMut(RawJson)) + Send + Sync + 'static> Filter for F {
    fn filter(&self, message: RawJson, next: &mut dyn FnMut(RawJson)) {
        self(message, next);
    }
}

impl Filters {
    /// Passes everything.
    pub fn new() -> Filters {
        Filters::default()
    }

    /// Appends a filter.
    #[allow(clippy::should_implement_trait)] // it adds to a chain, it does not sum
    pub fn add(mut self, filter: impl Filter) -> Filters {
        self.0.push(Arc::new(filter));
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The message as it comes out; `None` when a filter stopped it. A filter that panics stops it.
    pub(crate) fn run(&self, message: RawJson) -> Option<RawJson> {
        self.0.iter().try_fold(message, |message, filter| {
            let mut passed = None;
            contain("a message filter", || {
                filter.filter(message, &mut |message| {
                    passed.get_or_insert(message);
                });
            })?;
            passed
        })
    }
}
