//! Asking the person at the client.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::version::{Feature, ProtocolVersion};
use crate::error::Error;
use crate::json::{JsonWriter, RawJson};

/// A question to the person: a form, or a page to visit.
#[derive(Clone, Debug, PartialEq)]
pub enum ElicitRequest {
    /// A form.
    Form {
        /// What is asked, in words.
        message: String,
        /// JSON Schema of the answer: an object of primitive properties.
        requested_schema: RawJson,
    },
    /// A page to visit, for what must not pass through the client.
    Url {
        /// Why the page is to be visited.
        message: String,
        /// The page.
        url: String,
    },
}

impl ElicitRequest {
    /// A form.
    pub fn form(message: impl Into<String>, requested_schema: impl Into<RawJson>) -> ElicitRequest {
        ElicitRequest::Form { message: message.into(), requested_schema: requested_schema.into() }
    }

    /// A page to visit.
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> ElicitRequest {
        ElicitRequest::Url { message: message.into(), url: url.into() }
    }

    /// Writes `params`. `id` names a URL elicitation where the revision wants it.
    pub(crate) fn write_params(&self, w: &mut JsonWriter, version: ProtocolVersion, id: &str) {
        w.begin_object();
        match self {
            ElicitRequest::Form { message, requested_schema } => {
                if version.has(Feature::ElicitationModes) {
                    w.string_member("mode", "form");
                }
                w.string_member("message", message);
                w.raw_member("requestedSchema", requested_schema);
            }
            ElicitRequest::Url { message, url } => {
                w.string_member("mode", "url");
                if version.has(Feature::ElicitationIds) {
                    w.string_member("elicitationId", id);
                }
                w.string_member("message", message);
                w.string_member("url", url);
            }
        }
        w.end_object();
    }
}

/// What the person did.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ElicitResult {
    /// Accepted, declined or dismissed.
    pub action: ElicitAction,
    /// The filled form: an object, when a form was accepted.
    #[serde(default)]
    pub content: Option<RawJson>,
}

impl ElicitResult {
    /// The filled form, if the person accepted.
    ///
    /// # Errors
    /// The form does not have the shape of `T`.
    ///
    /// ```
    /// # fn read(answer: mcp::ElicitResult) -> Result<(), mcp::HandlerError> {
    /// #[derive(serde::Deserialize)]
    /// struct Name { name: String }
    /// match answer.accepted::<Name>()? {
    ///     Some(form) => println!("{}", form.name),
    ///     None => println!("they would not say"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn accepted<T: DeserializeOwned>(&self) -> Result<Option<T>, Error> {
        if self.action != ElicitAction::Accept {
            return Ok(None);
        }
        let content = self.content.clone().unwrap_or(RawJson::EMPTY_OBJECT);
        let malformed = |error| Error::invalid_params(format!("the form is filled in wrongly: {error}"));
        content.deserialize().map(Some).map_err(malformed)
    }
}

/// How the person reacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElicitAction {
    /// Answered.
    Accept,
    /// Said no.
    Decline,
    /// Dismissed the question.
    Cancel,
}
