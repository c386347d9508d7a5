//! One file a family of methods: reads the parameters, finds the host's handler, runs it.

pub(super) mod completion;
pub(super) mod prompts;
pub(super) mod resources;
pub(super) mod tools;

use super::call::{Call, Outcome, Reply};
use super::shelf::{Entry, Shelf};
use crate::error::Error;
use crate::json::{Kind, RawJson};

/// One page of a list.
fn page<T: Entry>(call: &Call, shelf: &Shelf<T>) -> Outcome {
    let cursor = optional_string(call, "cursor")?;
    let size = call.state.server.options().page_size;
    shelf.page(cursor.as_deref(), size, call.state.client.version).map(Reply::Page)
}

fn required_string(call: &Call, name: &str) -> Result<String, Error> {
    optional_string(call, name)?.ok_or_else(|| Error::invalid_params(format!("\"params.{name}\" is missing; it must be a string")))
}

fn optional_string(call: &Call, name: &str) -> Result<Option<String>, Error> {
    let Some(value) = call.params.get(name)? else { return Ok(None) };
    match value.to_text() {
        Some(text) => Ok(Some(text)),
        None => Err(Error::invalid_params(format!("\"params.{name}\" must be a string"))),
    }
}

/// `arguments`: an object, or absent.
fn arguments(call: &Call) -> Result<Option<RawJson>, Error> {
    match call.params.get("arguments")? {
        Some(value) if value.kind() != Kind::Object => {
            Err(Error::invalid_params("\"params.arguments\" must be an object; leave it out for no arguments"))
        }
        value => Ok(value),
    }
}
