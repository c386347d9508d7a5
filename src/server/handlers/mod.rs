//! One file a family of methods: reads the parameters, finds the host's handler, runs it.

pub(super) mod completion;
pub(super) mod prompts;
pub(super) mod resources;
pub(super) mod tools;

use std::borrow::Cow;

use super::call::{Call, Outcome, Reply};
use super::shelf::{Entry, Shelf};
use crate::error::Error;
use crate::json::{Kind, RawJson, text_of};

/// One page of a list.
fn page<T: Entry>(call: &Call, shelf: &Shelf<T>) -> Outcome {
    let cursor = optional_string(call, "cursor")?;
    let size = call.state.server.options().page_size;
    shelf.page(cursor.as_deref(), size, call.state.client.version).map(Reply::Page)
}

/// The member of the parameters, which must be a string.
fn required_string<'a>(call: &'a Call, name: &str) -> Result<Cow<'a, str>, Error> {
    let missing = || Error::invalid_params(format!("\"params.{name}\" is missing; it must be a string"));
    optional_string(call, name)?.ok_or_else(missing)
}

/// The member of the parameters, which must be a string where it is there.
fn optional_string<'a>(call: &'a Call, name: &str) -> Result<Option<Cow<'a, str>>, Error> {
    let wrong = || Error::invalid_params(format!("\"params.{name}\" must be a string"));
    call.state.params.peek(name)?.map(|value| text_of(value).ok_or_else(wrong)).transpose()
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
