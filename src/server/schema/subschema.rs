//! Where the subschemas of a schema are, and the limits that hold for every schema before it is compiled.

use std::collections::HashMap;

use libmcp_validator::Draft;
use serde_json::{Map, Value};

/// How deep schemas may stand in each other.
const MAX_DEPTH: usize = 64;
/// How many schemas, by references or alternatives, may apply to one and the same value.
const MAX_IN_PLACE: usize = 64;
/// How many subschemas a schema may have.
const MAX_SUBSCHEMAS: usize = 10_000;

/// A subschema as its parent holds it.
pub(super) struct Child<'s> {
    pub(super) keyword: &'s str,
    /// The key, where the keyword holds named schemas.
    pub(super) name: Option<&'s str>,
    pub(super) schema: &'s Value,
}

/// The direct subschemas of an object schema, by the keywords of 2020-12 and draft-07.
pub(super) fn children<'s>(schema: &'s Map<String, Value>) -> impl Iterator<Item = Child<'s>> {
    schema.iter().flat_map(|(keyword, value)| {
        let mut found: Vec<Child<'s>> = Vec::new();
        match (keyword.as_str(), value) {
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies",
                Value::Object(named),
            ) => found.extend(named.iter().map(|(name, schema)| Child { keyword, name: Some(name), schema })),
            ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(list)) => {
                found.extend(list.iter().map(|schema| Child { keyword, name: None, schema }));
            }
            (
                "items"
                | "additionalItems"
                | "additionalProperties"
                | "contains"
                | "propertyNames"
                | "not"
                | "if"
                | "then"
                | "else"
                | "unevaluatedItems"
                | "unevaluatedProperties"
                | "contentSchema",
                schema,
            ) => found.push(Child { keyword, name: None, schema }),
            _ => {}
        }
        found.retain(|child| child.schema.is_object() || child.schema.is_boolean());
        found
    })
}

/// Refuses what must not reach a compiler: unknown dialects, references that leave the schema, too much of anything.
/// Gives the dialect.
pub(super) fn inspect(root_value: &Value) -> Result<Draft, String> {
    let Some(root) = root_value.as_object() else {
        return Err("a schema must be a JSON object".to_owned());
    };
    let draft = match root.get("$schema") {
        None => Draft::Draft202012,
        Some(dialect) => dialect_of(dialect)?,
    };
    let mut count = 0;
    inspect_one(root, draft, 0, &mut count)?;
    Chains { root: root_value, heights: HashMap::new() }.measure_all(root)?;
    Ok(draft)
}

/// Whether the schema has references and alternatives, so that alternatives may nest as deep as an instance.
pub(super) fn can_branch(schema: &Value) -> bool {
    fn find(schema: &Value, refers: &mut bool, branches: &mut bool) {
        if let Value::Object(map) = schema {
            *refers |= map.contains_key("$ref") || map.contains_key("$dynamicRef");
            *branches |= map.contains_key("anyOf") || map.contains_key("oneOf");
            children(map).for_each(|child| find(child.schema, refers, branches));
        }
    }
    let (mut refers, mut branches) = (false, false);
    find(schema, &mut refers, &mut branches);
    refers && branches
}

/// Measures how many schemas apply to one value one inside the other: validators recurse along them.
struct Chains<'s> {
    root: &'s Value,
    /// By the address of the schema; zero while it is measured.
    heights: HashMap<*const Map<String, Value>, usize>,
}

impl<'s> Chains<'s> {
    fn measure_all(&mut self, schema: &'s Map<String, Value>) -> Result<(), String> {
        self.height(schema, 0)?;
        for child in children(schema) {
            if let Value::Object(schema) = child.schema {
                self.measure_all(schema)?;
            }
        }
        Ok(())
    }

    fn height(&mut self, schema: &'s Map<String, Value>, above: usize) -> Result<usize, String> {
        if let Some(height) = self.heights.get(&std::ptr::from_ref(schema)) {
            // A circle adds nothing: validators notice that they are at the same value again.
            return Ok(*height);
        }
        let too_long = || format!("more than {MAX_IN_PLACE} references and alternatives apply one inside the other");
        if above > MAX_IN_PLACE {
            return Err(too_long());
        }
        self.heights.insert(schema, 0);
        let target = match schema.get("$ref") {
            Some(Value::String(reference)) => reference.strip_prefix('#').and_then(|path| self.root.pointer(path)),
            _ => None,
        };
        let alternatives = children(schema).filter(|child| {
            matches!(child.keyword, "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas")
        });
        let mut height = 0;
        for inner in alternatives.map(|child| child.schema).chain(target) {
            if let Value::Object(inner) = inner {
                height = height.max(1 + self.height(inner, above + 1)?);
            }
            if above + height > MAX_IN_PLACE {
                return Err(too_long());
            }
        }
        self.heights.insert(schema, height);
        Ok(height)
    }
}

fn inspect_one(schema: &Map<String, Value>, draft: Draft, depth: usize, count: &mut usize) -> Result<(), String> {
    *count += 1;
    if *count > MAX_SUBSCHEMAS {
        return Err(format!("the schema has more than {MAX_SUBSCHEMAS} subschemas"));
    }
    if depth > MAX_DEPTH {
        return Err(format!("the schema is nested deeper than {MAX_DEPTH}"));
    }
    for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
        match schema.get(keyword) {
            Some(Value::String(target)) if !target.starts_with('#') => {
                return Err(format!("`{keyword}` must stay within the schema (start with '#'), not go to {target:?}"));
            }
            _ => {}
        }
    }
    if let Some(dialect) = schema.get("$schema")
        && dialect_of(dialect)? != draft
    {
        return Err("a subschema declares another `$schema` than its root".to_owned());
    }
    for child in children(schema) {
        match child.schema {
            Value::Object(schema) => inspect_one(schema, draft, depth + 1, count)?,
            _ => *count += 1,
        }
    }
    Ok(())
}

fn dialect_of(schema: &Value) -> Result<Draft, String> {
    let Some(uri) = schema.as_str() else {
        return Err("`$schema` must be a string".to_owned());
    };
    let name = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://")).unwrap_or_default();
    match name.strip_suffix('#').unwrap_or(name) {
        "json-schema.org/draft/2020-12/schema" => Ok(Draft::Draft202012),
        "json-schema.org/draft-07/schema" => Ok(Draft::Draft7),
        _ => Err(format!("`$schema` {uri:?} is not supported, only 2020-12 and draft-07 are")),
    }
}
