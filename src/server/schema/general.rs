//! The schemas that need the whole vocabulary: validated by the `jsonschema` crate on a value tree.

use libmcp_validator::{Check, Draft, ValidationError, ValidationErrorKind, compile};
use serde_json::Value;

use super::cursor::count_elements;
use super::report::{Report, short_text};
use super::subschema;

/// Members and items of an instance whose violations are located.
const MAX_EXPLAINED: usize = 2_000;
/// Nesting of an instance whose violations are located.
const MAX_EXPLAINED_DEPTH: usize = 32;
/// The same under a schema that can branch again on every level.
const MAX_BRANCHING_DEPTH: usize = 5;

/// A validator for any schema.
pub(super) struct General {
    validator: Box<dyn Check>,
    /// The schema has both references and alternatives: the number of ways to fail can double with every level.
    branches: bool,
}

impl General {
    /// Checks the schema against its meta-schema and compiles it. Nothing is fetched: there is no resolver.
    pub(super) fn compile(schema: &Value, draft: Draft) -> Result<General, String> {
        let validator = compile(schema, draft).map_err(|error| describe_schema_error(&error))?;
        Ok(General { validator, branches: subschema::can_branch(schema) })
    }

    /// The violations of a valid JSON text. A member name that occurs twice in one object is one.
    pub(super) fn check(&self, instance: &[u8]) -> Result<(), String> {
        let Ok(value) = serde_json::from_slice::<Value>(instance) else {
            return Err("a number is out of range, or the nesting is too deep".to_owned());
        };
        // The tree keeps the last of several members of one name.
        let elements = count_elements(instance, usize::MAX);
        let (kept, depth) = measure(&value);
        if kept != elements {
            return Err("a field occurs more than once in its object".to_owned());
        }
        if self.validator.is_valid(&value) {
            return Ok(());
        }
        let max_depth = if self.branches { MAX_BRANCHING_DEPTH } else { MAX_EXPLAINED_DEPTH };
        if elements > MAX_EXPLAINED || depth > max_depth {
            return Err("the value does not match the schema".to_owned());
        }
        let mut report = Report::default();
        self.validator.errors(&value, &mut |error| report.add(&path(error), &describe(error)).is_ok());
        report.finish().and_then(|()| Err("the value does not match the schema".to_owned()))
    }
}

/// Members and items on all levels, and the number of levels.
fn measure(value: &Value) -> (usize, usize) {
    let add = |(count, depth), (inner, levels): (usize, usize)| (count + 1 + inner, usize::max(depth, levels + 1));
    match value {
        Value::Array(items) => items.iter().map(measure).fold((0, 1), add),
        Value::Object(members) => members.values().map(measure).fold((0, 1), add),
        _ => (0, 0),
    }
}

fn path(error: &ValidationError<'_>) -> String {
    error.instance_path().to_string().trim_start_matches('/').to_owned()
}

fn describe(error: &ValidationError<'_>) -> String {
    let reasons = |branches: &[Vec<ValidationError<'static>>]| {
        let first = branches.iter().filter_map(|errors| errors.first()).take(3);
        first.map(describe_brief).collect::<Vec<_>>().join("; or: ")
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => format!("missing required field {property}"),
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let names: Vec<String> = unexpected.iter().take(5).map(|name| format!("{name:?}")).collect();
            format!("unexpected field {}", names.join(", "))
        }
        ValidationErrorKind::FalseSchema => "this is not allowed".to_owned(),
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            format!("matches none of the alternatives ({})", reasons(context))
        }
        ValidationErrorKind::OneOfMultipleValid { .. } => "matches more than one alternative".to_owned(),
        _ if short_text(&**error.instance()).is_some() => error.to_string(),
        _ => error.masked_with("the value").to_string(),
    }
}

fn describe_brief(error: &ValidationError<'static>) -> String {
    let text = match error.kind() {
        ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::OneOfNotValid { .. } => {
            "matches none of the alternatives".to_owned()
        }
        _ => describe(error),
    };
    match path(error).as_str() {
        "" => text,
        path => format!("\"{path}\": {text}"),
    }
}

fn describe_schema_error(error: &ValidationError<'_>) -> String {
    let place = match error.instance_path().to_string() {
        path if path.is_empty() => String::new(),
        path => format!(" at \"{path}\""),
    };
    match error.kind() {
        ValidationErrorKind::Format { format } if format == "regex" => {
            format!("the regular expression{place} can't be compiled: {}", short_or_masked(error))
        }
        ValidationErrorKind::Referencing(error) => format!("a reference can't be resolved: {error}"),
        _ => format!("the schema is not valid{place}: {}", short_or_masked(error)),
    }
}

fn short_or_masked(error: &ValidationError<'_>) -> String {
    match short_text(&**error.instance()) {
        Some(_) => error.to_string(),
        None => error.masked().to_string(),
    }
}
