//! `prompts/list` and `prompts/get`.

use super::super::call::{Call, Outcome, Reply};
use super::super::context::Context;
use super::super::dispatch::{outcome, run, with_answers};
use super::super::handler::PromptArguments;
use super::super::registry::PromptEntry;
use super::{arguments, page, required_string};
use crate::error::Error;

pub(crate) fn list(call: &Call) -> Outcome {
    page(call, &call.state.server.registry().prompts)
}

pub(crate) async fn get(call: &Call) -> Outcome {
    let name = required_string(call, "name")?;
    let unknown = || Error::invalid_params(format!("Unknown prompt: {name}"));
    let prompt = call.state.server.registry().prompts.get(&name).ok_or_else(unknown)?;
    let arguments = read_arguments(call, &prompt)?;
    let ran = run(call, &name, || prompt.handler.get(arguments, Context::new(call))).await;
    outcome(ran, |mut result| match result.input_required.take() {
        Some(input) => Ok(Reply::InputRequired(with_answers(call, input))),
        None => {
            result.description = result.description.or_else(|| prompt.options.description.clone());
            Ok(Reply::Prompt(result))
        }
    })
}

fn read_arguments(call: &Call, prompt: &PromptEntry) -> Result<PromptArguments, Error> {
    let given: PromptArguments = match arguments(call)? {
        None => PromptArguments::new(),
        Some(arguments) => arguments.deserialize().map_err(|error| {
            Error::invalid_params(format!("\"params.arguments\" must be an object of strings: {error}"))
        })?,
    };
    let missing = prompt.options.arguments.iter().find(|a| a.required && !given.contains_key(&a.name));
    match missing {
        Some(argument) => Err(Error::invalid_params(format!(
            "The prompt \"{}\" needs the argument \"{}\"",
            prompt.name, argument.name
        ))),
        None => Ok(given),
    }
}
