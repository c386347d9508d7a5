//! `resources/list`, `resources/templates/list` and `resources/read`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::call::{Call, Outcome, Reply};
use super::super::context::Context;
use super::super::dispatch::{outcome, run, with_answers};
use super::super::handler::{ReadRequest, ResourceHandler};
use super::{page, required_string};
use crate::error::Error;

pub(crate) fn list(call: &Call) -> Outcome {
    page(call, &call.state.server.registry().resources)
}

pub(crate) fn list_templates(call: &Call) -> Outcome {
    page(call, &call.state.server.registry().templates)
}

pub(crate) async fn read(call: &Call) -> Outcome {
    let uri = required_string(call, "uri")?.into_owned();
    let (handler, variables) = find(call, &uri).ok_or_else(|| Error::resource_not_found(&uri))?;
    let request = ReadRequest { uri: uri.clone(), variables };
    let ran = run(call, &uri, || handler.read(request, Context::new(call))).await;
    outcome(ran, |mut result| match result.input_required.take() {
        Some(input) => Ok(Reply::InputRequired(with_answers(call, input))),
        None if result.contents.is_empty() => {
            tracing::error!(uri, "a resource handler returned no contents; a missing resource is an error");
            Err(Error::resource_not_found(&uri))
        }
        None => Ok(Reply::Resource(result)),
    })
}

/// A resource of exactly this URI, or else the most specific template that matches.
fn find(call: &Call, uri: &str) -> Option<(Arc<dyn ResourceHandler>, BTreeMap<String, String>)> {
    let registry = call.state.server.registry();
    if let Some(resource) = registry.resources.get(uri) {
        return Some((resource.handler.clone(), BTreeMap::new()));
    }
    let templates = registry.templates.load();
    let matching = templates.entries().filter_map(|entry| Some((entry, entry.template.matches(uri)?)));
    let (entry, variables) =
        matching.max_by(|(a, _), (b, _)| a.template.specificity().cmp(&b.template.specificity()))?;
    Some((entry.handler.clone(), variables))
}
