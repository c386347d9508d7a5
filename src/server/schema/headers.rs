//! `x-mcp-header`: parameters that a client repeats as HTTP headers, so that intermediaries can route without reading
//! the body. The annotations of a schema, and the comparison of a header with the arguments.
//!
//! Header values arrive without the white space around them. Which requests are compared is the caller's business.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::cursor::{Cursor, Text};
use super::number::Number;
use super::subschema;
use crate::json::{Kind, RawJson};

/// The keyword of the annotation.
const KEYWORD: &str = "x-mcp-header";

/// A parameter that is repeated as a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParamHeader {
    /// As annotated.
    pub(crate) name: String,
    /// The header's name in lower case, `mcp-param-…`.
    pub(crate) header: String,
    /// The names of the properties that lead to the parameter.
    pub(crate) path: Vec<String>,
    /// The declared type.
    pub(crate) kind: ParamKind,
}

/// The types that a repeated parameter can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParamKind {
    /// Sent as it is.
    String,
    /// Sent in decimal, compared by value.
    Integer,
    /// `true` or `false`.
    Boolean,
}

impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParamKind::String => "string",
            ParamKind::Integer => "integer",
            ParamKind::Boolean => "boolean",
        })
    }
}

/// The annotations of an input schema.
///
/// # Errors
/// A sentence for the host's developer: a name that is no header name or occurs twice, or an annotation that is not on a
/// string, integer or boolean reached from the root through `properties` alone. Clients drop tools with such schemas.
pub(crate) fn param_headers(schema: &RawJson) -> Result<Vec<ParamHeader>, String> {
    let mut found = Vec::new();
    if !may_be_annotated(schema.as_bytes()) {
        return Ok(found);
    }
    let schema = super::parse(schema)?;
    subschema::inspect(&schema)?;
    if let Value::Object(root) = &schema {
        collect(root, Some(&mut Vec::new()), &mut found)?;
    }
    Ok(found)
}

/// Compares a header with the arguments of a call. `duplicated` says that the header occurs more than once.
///
/// A parameter that is absent or null, or has no text form (its schema refuses it then), expects no header.
///
/// # Errors
/// A sentence for the client: the header is missing, unexpected, malformed, repeated, or differs from the body.
pub(crate) fn check(
    header: &ParamHeader,
    value: Option<&[u8]>,
    duplicated: bool,
    arguments: &RawJson,
) -> Result<(), String> {
    let name = &header.name;
    if duplicated {
        return Err(format!("the header Mcp-Param-{name} occurs more than once"));
    }
    let sent = match value {
        Some(value) => Some(decode_header_value(value).map_err(|error| format!("Mcp-Param-{name}: {error}"))?),
        None => None,
    };
    let argument = find(arguments.as_bytes(), &header.path)
        .map_err(|()| format!("the parameter of the header Mcp-Param-{name} occurs more than once in the body"))?;
    match (argument, sent) {
        (None, None) => Ok(()),
        (None, Some(text)) if text.is_empty() => Ok(()),
        (None, Some(_)) => Err(format!("the header Mcp-Param-{name} has no counterpart in the body")),
        (Some(_), None) => Err(format!("the header Mcp-Param-{name} is missing")),
        (Some(argument), Some(text)) if is_equal(argument, &text) => Ok(()),
        (Some(_), Some(_)) => Err(format!("the header Mcp-Param-{name} differs from the {} in the body", header.kind)),
    }
}

/// The text of a header value: literal, or Base64 between `=?base64?` and `?=`.
///
/// # Errors
/// The value has a byte that is not printable ASCII, space or tab, or its Base64 is malformed or does not hold UTF-8.
pub(crate) fn decode_header_value(value: &[u8]) -> Result<Cow<'_, str>, String> {
    if !value.iter().all(|b| matches!(b, b' '..=b'~' | b'\t')) {
        return Err("the header value has characters that are not allowed".to_owned());
    }
    let encoded = value.strip_prefix(b"=?base64?").and_then(|rest| rest.strip_suffix(b"?="));
    if let Some(encoded) = encoded {
        let bytes = STANDARD.decode(encoded).map_err(|_| "the header value is not valid Base64".to_owned())?;
        let text = String::from_utf8(bytes).map_err(|_| "the header value is not valid UTF-8".to_owned())?;
        return Ok(Cow::Owned(text));
    }
    std::str::from_utf8(value).map(Cow::Borrowed).map_err(|error| error.to_string())
}

/// Collects the annotations of a schema and below. `path` leads to it; `None` when it can't be reached by properties.
fn collect(
    schema: &Map<String, Value>,
    mut path: Option<&mut Vec<String>>,
    found: &mut Vec<ParamHeader>,
) -> Result<(), String> {
    if let Some(name) = schema.get(KEYWORD) {
        let path = path.as_deref().filter(|path| !path.is_empty());
        let path = path.ok_or("`x-mcp-header` must be on a property that is reached through `properties` alone")?;
        let header = annotation(name, schema, path)?;
        if found.iter().any(|other: &ParamHeader| other.header == header.header) {
            return Err(format!("`x-mcp-header` {:?} occurs twice (case is ignored)", header.name));
        }
        found.push(header);
    }
    for child in subschema::children(schema) {
        let Value::Object(inner) = child.schema else { continue };
        match (child.keyword, child.name, path.as_deref_mut()) {
            ("properties", Some(name), Some(path)) => {
                path.push(name.to_owned());
                collect(inner, Some(path), found)?;
                path.pop();
            }
            _ => collect(inner, None, found)?,
        }
    }
    Ok(())
}

fn annotation(name: &Value, schema: &Map<String, Value>, path: &[String]) -> Result<ParamHeader, String> {
    let Some(name) = name.as_str() else {
        return Err("`x-mcp-header` must be a string".to_owned());
    };
    let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(format!("`x-mcp-header` {name:?} can't be part of a header name"));
    }
    let kind = match schema.get("type").and_then(Value::as_str) {
        Some("string") => ParamKind::String,
        Some("integer") => ParamKind::Integer,
        Some("boolean") => ParamKind::Boolean,
        _ => {
            return Err(format!("`x-mcp-header` {name:?} must be on \"type\": \"string\", \"integer\" or \"boolean\""));
        }
    };
    let header = format!("mcp-param-{}", name.to_ascii_lowercase());
    Ok(ParamHeader { name: name.to_owned(), header, path: path.to_owned(), kind })
}

/// The text of the value at a path; `None` when it is absent, null, an object or an array. An error when a name on the
/// path occurs twice: its readers may differ in which one they take.
fn find<'a>(text: &'a [u8], path: &[String]) -> Result<Option<&'a [u8]>, ()> {
    let mut cursor = Cursor::new(text);
    let kind = cursor.kind();
    let Some((name, rest)) = path.split_first() else {
        let has_text = matches!(kind, Kind::String | Kind::Number | Kind::Bool);
        return Ok(has_text.then(|| cursor.value()));
    };
    if kind != Kind::Object {
        return Ok(None);
    }
    let mut found = None;
    cursor.enter();
    while cursor.more(b'}') {
        let is_named = *cursor.key().unescape() == *name.as_bytes();
        let value = cursor.value();
        if is_named && found.replace(value).is_some() {
            return Err(());
        }
    }
    found.map_or(Ok(None), |value| find(value, rest))
}

/// Compares by what the argument is, so that a wrong type is left to the schema.
fn is_equal(argument: &[u8], sent: &str) -> bool {
    match argument.first() {
        Some(b'"') => *Text::of(argument).unescape() == *sent.as_bytes(),
        Some(b't' | b'f') => argument == sent.as_bytes(),
        _ => match (Number::parse(argument), Number::parse(sent.as_bytes())) {
            (Some(a), Some(b)) => a.compare(b).is_eq(),
            _ => argument == sent.as_bytes(),
        },
    }
}

/// Whether the keyword can be in a text at all: it stands there literally, or something is escaped.
fn may_be_annotated(text: &[u8]) -> bool {
    text.contains(&b'\\') || memchr::memmem::find(text, KEYWORD.as_bytes()).is_some()
}

#[cfg(test)]
mod tests;
