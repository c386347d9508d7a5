//! Tools that ask for whole forms: fields of every type, with defaults and choices.

use mcp::{Context, ElicitRequest, ElicitResult, HandlerError, RawJson, ServerBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::described;

pub(crate) fn register(builder: ServerBuilder) -> ServerBuilder {
    builder
        .tool("test_elicitation", described("Asks for a user name and an email address"), contact)
        .raw_tool("test_elicitation_sep1034_defaults", described("Asks with a form full of defaults"), defaults)
        .raw_tool("test_elicitation_sep1330_enums", described("Asks with a form of choices"), choices)
}

#[derive(Deserialize, JsonSchema)]
struct Message {
    /// What to ask
    message: String,
}

async fn contact(args: Message, ctx: Context) -> Result<String, HandlerError> {
    let schema = json!({
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"}
        },
        "required": ["username", "email"]
    });
    let answer = ctx.ask("contact", ElicitRequest::form(args.message, schema))?;
    Ok(format!("User response: {}", told(&answer)))
}

async fn defaults(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "User name", "default": "John Doe"},
            "age": {"type": "integer", "description": "User age", "default": 30},
            "score": {"type": "number", "description": "User score", "default": 95.5},
            "status": {
                "type": "string",
                "description": "User status",
                "enum": ["active", "inactive", "pending"],
                "default": "active"
            },
            "verified": {"type": "boolean", "description": "Verification status", "default": true}
        },
        "required": []
    });
    let question = ElicitRequest::form("Please review and update the form fields with defaults", schema);
    Ok(format!("Elicitation completed: {}", told(&ctx.ask("form", question)?)))
}

async fn choices(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let question = ElicitRequest::form("Please choose", choices_schema());
    Ok(format!("Elicitation completed: {}", told(&ctx.ask("choices", question)?)))
}

fn choices_schema() -> Value {
    let options = ["option1", "option2", "option3"];
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": options},
            "titledSingle": {"type": "string", "oneOf": titled("Option")},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"]
            },
            "untitledMulti": {
                "type": "array",
                "items": {"type": "string", "enum": options},
                "minItems": 1,
                "maxItems": 3
            },
            "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}, "minItems": 1, "maxItems": 3}
        },
        "required": []
    })
}

fn titled(noun: &str) -> Value {
    json!([
        {"const": "value1", "title": format!("First {noun}")},
        {"const": "value2", "title": format!("Second {noun}")},
        {"const": "value3", "title": format!("Third {noun}")}
    ])
}

/// The answer in words.
fn told(answer: &ElicitResult) -> String {
    let action = format!("{:?}", answer.action).to_lowercase();
    format!("action={action}, content={}", answer.content.as_ref().unwrap_or(&RawJson::EMPTY_OBJECT))
}
