//! JSON Schema for tool arguments and structured results: 2020-12 (the default) and draft-07.
//!
//! Schemas come from the host, instances from anyone. A schema is checked once, at registration, and nothing it refers to
//! is ever fetched. Most schemas compile to a small tree that is walked along the raw bytes of an instance; the others
//! go to a general validator. Both give the same verdicts, except that only the tree compares integers beyond 64 bits, or
//! large ones written as `1.0`, exactly. `format` is an annotation. Knows nothing of tools, requests or revisions.

mod check;
mod compile;
mod cursor;
mod general;
pub(crate) mod headers;
mod number;
mod report;
mod subschema;
#[cfg(test)]
mod tests;
mod tree;

use std::fmt;

use libmcp_validator::Draft;
use serde_json::Value;

use crate::json::{Kind, Members, RawJson};

/// A compiled schema.
pub(crate) struct Schema(Form);

enum Form {
    Tree(tree::Tree),
    General(general::General),
}

impl Schema {
    /// Checks and compiles a schema.
    ///
    /// # Errors
    /// A sentence for the host's developer: the schema is no object, of an unsupported dialect, not valid against its
    /// meta-schema, refers to something outside of itself or to nothing, is too large or too deep, or has a regular
    /// expression that can't be compiled within bounds.
    pub(crate) fn compile(schema: &RawJson) -> Result<Schema, String> {
        if schema.kind() != Kind::Object {
            return Err("a schema must be a JSON object".to_owned());
        }
        let value: Value = parse(schema)?;
        let draft = subschema::inspect(&value)?;
        Ok(Schema(match compile::compile(&value, draft == Draft::Draft7) {
            Some(tree) => Form::Tree(tree),
            // This is also what says what is wrong with a schema that is not well formed.
            None => Form::General(general::General::compile(&value, draft)?),
        }))
    }

    /// Checks an instance. Repeated member names are a violation where they could hide a value from the check.
    ///
    /// # Errors
    /// The first violations, at most five, in one text that names each field.
    pub(crate) fn validate(&self, instance: &RawJson) -> Result<(), String> {
        match &self.0 {
            Form::Tree(tree) => check::check(tree, instance.as_bytes()),
            Form::General(general) => general.check(instance.as_bytes()),
        }
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Form::Tree(_) => "Schema(tree)",
            Form::General(_) => "Schema(general)",
        })
    }
}

/// Whether the root of a schema says `"type": "object"`.
pub(crate) fn root_is_object(schema: &RawJson) -> bool {
    let root_type = Members::of(schema).and_then(|members| members.get("type").ok().flatten());
    root_type.is_some_and(|value| is_object(&value))
}

/// The schema with `"type": "object"` at its root, which every client expects of the arguments of a tool. It is added
/// where there is no type.
///
/// # Errors
/// A sentence for the host's developer: the schema is no object, or its root has another type.
pub(crate) fn normalise_input(schema: &RawJson) -> Result<RawJson, String> {
    let Some(members) = Members::of(schema) else {
        return Err("an input schema must be a JSON object".to_owned());
    };
    match members.get("type") {
        Ok(None) => {}
        Ok(Some(value)) if is_object(&value) => return Ok(schema.clone()),
        Ok(Some(value)) => {
            return Err(format!("the root of an input schema must have \"type\": \"object\", not {value}"));
        }
        Err(_) => return Err("the root of the input schema has more than one \"type\"".to_owned()),
    }
    let rest = schema.as_bytes().get(1..).unwrap_or_default();
    let mut text = br#"{"type":"object""#.to_vec();
    if members.len() > 0 {
        text.push(b',');
    }
    text.extend_from_slice(rest);
    RawJson::parse(text).map_err(|error| error.to_string())
}

/// Whether a value has more than `limit` members and items on all its levels together.
pub(crate) fn element_count_exceeds(instance: &RawJson, limit: usize) -> bool {
    let text = instance.as_bytes();
    // An element takes at least one byte of its own and one of punctuation.
    text.len() / 2 > limit && cursor::count_elements(text, limit) > limit
}

fn is_object(root_type: &RawJson) -> bool {
    root_type.deserialize::<String>().is_ok_and(|name| name == "object")
}

fn parse(schema: &RawJson) -> Result<Value, String> {
    schema.deserialize().map_err(|error| format!("the schema can't be read: {error}"))
}
