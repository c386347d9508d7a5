//! Validators of the `jsonschema` crate behind a trait object.
//!
//! They are generic, and a crate that is compiled for speed gets a copy of its own of every generic function that it
//! uses. The core uses them for uncommon schemas only; this crate is compiled for size, shares the copy that `jsonschema`
//! has for its meta-schemas, and halves what the validators add to a program.

pub use jsonschema::{Draft, ValidationError, error::ValidationErrorKind};

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

/// Size of a compiled regular expression.
const MAX_PATTERN_BYTES: usize = 4 << 20;
/// Steps back that a pattern with look-around may take; patterns without it are matched in linear time.
const MAX_BACKTRACKING: usize = 10_000;

/// A compiled schema.
pub trait Check: Send + Sync {
    /// Whether the instance satisfies the schema.
    fn is_valid(&self, instance: &Value) -> bool;

    /// Gives the violations to `each`, until it says false.
    fn errors(&self, instance: &Value, each: &mut dyn FnMut(&ValidationError<'_>) -> bool);
}

impl Check for Validator {
    fn is_valid(&self, instance: &Value) -> bool {
        Validator::is_valid(self, instance)
    }

    fn errors(&self, instance: &Value, each: &mut dyn FnMut(&ValidationError<'_>) -> bool) {
        for error in self.iter_errors(instance) {
            if !each(&error) {
                break;
            }
        }
    }
}

/// Checks a schema against its meta-schema and compiles it. Nothing is fetched: there is no resolver. `format` is an
/// annotation.
///
/// # Errors
/// The schema is not valid, refers to something that is not in it, or has a regular expression that can't be compiled
/// within bounds.
pub fn compile(schema: &Value, draft: Draft) -> Result<Box<dyn Check>, ValidationError<'static>> {
    let options = || jsonschema::options().with_draft(draft).should_validate_formats(false).offline();
    let linear = PatternOptions::regex().size_limit(MAX_PATTERN_BYTES).dfa_size_limit(MAX_PATTERN_BYTES);
    if let Ok(validator) = options().with_pattern_options(linear).build(schema) {
        return Ok(Box::new(validator));
    }
    // Look-around is legal in a schema and unknown to the linear engine.
    let backtracking = PatternOptions::fancy_regex()
        .backtrack_limit(MAX_BACKTRACKING)
        .size_limit(MAX_PATTERN_BYTES)
        .dfa_size_limit(MAX_PATTERN_BYTES);
    Ok(Box::new(options().with_pattern_options(backtracking).build(schema)?))
}
