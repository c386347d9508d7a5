//! Completion: what is asked, and the suggestions.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::json::JsonWriter;

/// Most suggestions in one answer; the protocol's own limit.
const MAX_VALUES: usize = 100;

/// What is to be completed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type")]
pub enum CompletionReference {
    /// An argument of a prompt.
    #[serde(rename = "ref/prompt")]
    Prompt {
        /// Name of the prompt.
        name: String,
    },
    /// A variable of a resource template.
    #[serde(rename = "ref/resource")]
    Resource {
        /// URI or URI template.
        uri: String,
    },
}

/// A request for suggestions.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CompleteRequest {
    /// The prompt or resource template.
    #[serde(rename = "ref")]
    pub reference: CompletionReference,
    /// The argument and what was typed so far.
    pub argument: CompletionArgument,
    /// What is known already.
    #[serde(default)]
    pub context: CompletionContext,
}

/// The argument to complete.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CompletionArgument {
    /// Name of the argument or variable.
    pub name: String,
    /// What was typed so far.
    pub value: String,
}

/// What is known already when suggestions are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct CompletionContext {
    /// The other arguments that were given.
    #[serde(default)]
    pub arguments: BTreeMap<String, String>,
}

/// Suggestions, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompleteResult {
    /// The suggestions. The client receives the first 100.
    pub values: Vec<String>,
    /// How many there are in all, where that is known.
    pub total: Option<u64>,
    /// Whether there are more than those given here.
    pub has_more: Option<bool>,
}

impl CompleteResult {
    /// These suggestions and no others.
    pub fn new<S: Into<String>>(values: impl IntoIterator<Item = S>) -> CompleteResult {
        CompleteResult { values: values.into_iter().map(Into::into).collect(), ..CompleteResult::default() }
    }

    pub(crate) fn write_members(&self, w: &mut JsonWriter) {
        let cut = self.values.len() > MAX_VALUES;
        w.key("completion");
        w.begin_object();
        w.value_member("values", &self.values[..self.values.len().min(MAX_VALUES)]);
        w.optional_value("total", self.total.or(cut.then_some(self.values.len() as u64)));
        w.optional_value("hasMore", if cut { Some(true) } else { self.has_more });
        w.end_object();
    }
}
