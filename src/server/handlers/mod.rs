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
    let cursor = call.state.params.get("cursor")?.map(|value| must_be_string("cursor", value)).transpose()?;
    let cursor = cursor.as_ref().and_then(RawJson::text);
    let size = call.state.server.options().page_size;
    shelf.page(cursor.as_deref(), size, call.state.client.version).map(Reply::Page)
}

/// The member of the parameters, which must be a string.
fn required_string(call: &Call, name: &str) -> Result<RawJson, Error> {
    let missing = || Error::invalid_params(format!("\"params.{name}\" is missing; it must be a string"));
    call.state.params.get(name)?.ok_or_else(missing).and_then(|value| must_be_string(name, value))
}

fn must_be_string(name: &str, value: RawJson) -> Result<RawJson, Error> {
    match value.kind() {
        Kind::String => Ok(value),
        _ => Err(Error::invalid_params(format!("\"params.{name}\" must be a string"))),
    }
}

/// `arguments`: an object, or absent.
fn arguments(call: &Call) -> Result<Option<RawJson>, Error> {
    match call.state.params.get("arguments")? {
        Some(value) if value.kind() != Kind::Object => {
            Err(Error::invalid_params("\"params.arguments\" must be an object; leave it out for no arguments"))
        }
        value => Ok(value),
    }
}
