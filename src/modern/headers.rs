//! The headers that mirror a request over HTTP: each must be there and say what the body says.

use crate::error::{Error, code};
use crate::ingress::Request;
use crate::json::{RawJson, text_of};
use crate::protocol::method::Method;
use crate::server::Server;
use crate::server::http_head::{Field, HttpHead};
use crate::server::schema::headers::{check as check_param, decode_header_value};

/// Compares the headers of a request with its body, whose version is `version`.
///
/// # Errors
/// `-32020`, naming the header.
pub(crate) fn check(server: &Server, head: &HttpHead<'_>, request: &Request, version: &str) -> Result<(), Error> {
    let stated = single(head.fields.protocol_version, "MCP-Protocol-Version")?;
    if stated != version.as_bytes() {
        return Err(differs("MCP-Protocol-Version", stated, version));
    }
    let stated = single(head.fields.method, "Mcp-Method")?;
    match request.method.known {
        Some(method) if stated == method.as_str().as_bytes() => {}
        _ => {
            let method = request.method.to_text();
            if stated != method.as_bytes() {
                return Err(differs("Mcp-Method", stated, &method));
            }
        }
    }
    let member = match request.method.known {
        Some(Method::CallTool | Method::GetPrompt) => "name",
        Some(Method::ReadResource) => "uri",
        Some(Method::GetTask | Method::UpdateTask | Method::CancelTask) => "taskId",
        _ => return Ok(()),
    };
    // A body without a name is refused for that by whoever reads it.
    let Some(name) = request.params.members.peek(member)? else { return Ok(()) };
    let stated = single(head.fields.name, "Mcp-Name")?;
    let decoded = match stated.starts_with(b"=?") || !stated.is_ascii() {
        true => decode_header_value(stated).map_err(|problem| mismatch(format!("Mcp-Name: {problem}")))?,
        false => std::str::from_utf8(stated).unwrap_or_default().into(),
    };
    if name.starts_with(b"\"") && !is_text(name, decoded.as_bytes()) {
        return Err(differs("Mcp-Name", stated, &text_of(name).unwrap_or_default()));
    }
    if request.method.known == Some(Method::CallTool) {
        check_arguments(server, head, request, &decoded)?;
    }
    Ok(())
}

/// The `Mcp-Param-…` headers that the tool's input schema asks for.
fn check_arguments(server: &Server, head: &HttpHead<'_>, request: &Request, name: &str) -> Result<(), Error> {
    let registry = server.registry();
    if !registry.mirrors_arguments.load(std::sync::atomic::Ordering::Acquire) {
        return Ok(());
    }
    let Some(tool) = registry.tools.get(name) else { return Ok(()) };
    if tool.headers.is_empty() {
        return Ok(());
    }
    let arguments = request.params.members.get("arguments")?.unwrap_or(RawJson::EMPTY_OBJECT);
    for param in &tool.headers {
        let mut values = head.headers.get_all(param.header.as_str()).iter();
        let value = values.next().map(|value| value.as_bytes().trim_ascii());
        check_param(param, value, values.next().is_some(), &arguments).map_err(mismatch)?;
    }
    Ok(())
}

/// Whether a value is a string of exactly these characters.
fn is_text(value: &[u8], text: &[u8]) -> bool {
    match value {
        [b'"', plain @ .., b'"'] if plain == text => !text.contains(&b'\\'),
        _ => text_of(value).is_some_and(|own| own.as_bytes() == text),
    }
}

fn single<'a>(field: Field<'a>, shown: &str) -> Result<&'a [u8], Error> {
    match field {
        Field::Once(value) => Ok(value.as_bytes().trim_ascii()),
        Field::Absent => Err(mismatch(format!("the header {shown} is missing"))),
        Field::Repeated => Err(mismatch(format!("the header {shown} occurs more than once"))),
    }
}

fn differs(header: &str, stated: &[u8], body: &str) -> Error {
    let stated = String::from_utf8_lossy(stated);
    mismatch(format!("{header} header value '{stated}' does not match body value '{body}'"))
}

fn mismatch(what: String) -> Error {
    Error::new(code::HEADER_MISMATCH, format!("Header mismatch: {what}"))
}
