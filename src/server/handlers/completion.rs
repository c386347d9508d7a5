//! `completion/complete`.

use super::super::call::{Call, Outcome, Reply};
use super::super::context::Context;
use super::super::dispatch::{outcome, run};
use crate::error::Error;
use crate::json::{Kind, Members, RawJson};
use crate::protocol::completion::{CompleteRequest, CompleteResult, CompletionReference};

pub(crate) async fn complete(call: &Call) -> Outcome {
    let request = read_request(&call.state.params)?;
    let known = check_reference(call, &request)?;
    let handler = call.state.server.registry().completion.load_full();
    let Some(handler) = handler.filter(|_| known) else {
        return Ok(Reply::Completion(CompleteResult::default()));
    };
    let ran = run(call, "completion", || handler.complete(request, Context::new(call))).await;
    outcome(ran, |result| Ok(Reply::Completion(result)))
}

fn read_request(params: &Members) -> Result<CompleteRequest, Error> {
    fn member<T: serde::de::DeserializeOwned>(name: &str, value: Option<RawJson>) -> Result<T, Error> {
        let value = value.filter(|value| value.kind() == Kind::Object);
        let value = value.ok_or_else(|| Error::invalid_params(format!("\"params.{name}\" must be an object")))?;
        value.deserialize().map_err(|error| Error::invalid_params(format!("\"params.{name}\" is malformed: {error}")))
    }
    Ok(CompleteRequest {
        reference: member("ref", params.get("ref")?)?,
        argument: member("argument", params.get("argument")?)?,
        context: member("context", Some(params.get("context")?.unwrap_or(RawJson::EMPTY_OBJECT)))?,
    })
}

/// Whether the reference has the argument at all: a plain resource has none.
///
/// # Errors
/// There is no such prompt or template, or it has no such argument.
fn check_reference(call: &Call, request: &CompleteRequest) -> Result<bool, Error> {
    let registry = call.state.server.registry();
    let argument = &request.argument.name;
    let (what, has_argument) = match &request.reference {
        CompletionReference::Prompt { name } => {
            let unknown = || Error::invalid_params(format!("Unknown prompt: {name}"));
            let prompt = registry.prompts.get(name).ok_or_else(unknown)?;
            (format!("The prompt \"{name}\""), prompt.options.arguments.iter().any(|a| a.name == *argument))
        }
        CompletionReference::Resource { uri } => match registry.templates.get(uri) {
            Some(entry) => {
                (format!("The resource template \"{uri}\""), entry.template.variables().iter().any(|v| v == argument))
            }
            None if registry.resources.get(uri).is_some() => return Ok(false),
            None => return Err(Error::invalid_params(format!("Unknown resource template: {uri}"))),
        },
    };
    if has_argument { Ok(true) } else { Err(Error::invalid_params(format!("{what} has no argument \"{argument}\""))) }
}
