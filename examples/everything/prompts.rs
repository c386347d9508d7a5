//! Prompts, and the completion of arguments.

use mcp::{
    CompleteRequest, CompleteResult, CompletionReference, Content, Context, GetPromptResult, HandlerError,
    PromptArgument, PromptArguments, PromptMessage, PromptOptions, ResourceContents, ServerBuilder,
};

use crate::asking::ask_text;
use crate::content::PIXEL;

pub(crate) fn register(builder: ServerBuilder) -> ServerBuilder {
    let described = |text: &str| PromptOptions::new().description(text);
    let required = |name: &str, text: &str| PromptArgument::required(name).description(text);
    builder
        .prompt("test_simple_prompt", described("Has no arguments"), simple)
        .prompt(
            "test_prompt_with_arguments",
            described("Has two arguments")
                .argument(required("arg1", "The first argument"))
                .argument(required("arg2", "The second argument")),
            with_arguments,
        )
        .prompt(
            "test_prompt_with_embedded_resource",
            described("Has a resource in it").argument(required("resourceUri", "URI of the resource")),
            with_resource,
        )
        .prompt("test_prompt_with_image", described("Has a picture in it"), with_image)
        .prompt("test_input_required_result_prompt", described("Asks the person first"), with_question)
        .completion(complete)
}

async fn simple(_args: PromptArguments, _ctx: Context) -> Result<PromptMessage, HandlerError> {
    Ok(PromptMessage::user("This is a simple prompt for testing."))
}

async fn with_arguments(args: PromptArguments, _ctx: Context) -> Result<PromptMessage, HandlerError> {
    let (arg1, arg2) = (argument(&args, "arg1"), argument(&args, "arg2"));
    Ok(PromptMessage::user(format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")))
}

async fn with_resource(args: PromptArguments, _ctx: Context) -> Result<GetPromptResult, HandlerError> {
    let text = "Embedded resource content for testing.";
    let resource = ResourceContents::text(argument(&args, "resourceUri"), text).with_mime_type("text/plain");
    Ok(GetPromptResult::new([
        PromptMessage::user(Content::resource(resource)),
        PromptMessage::user("Please process the embedded resource above."),
    ]))
}

async fn with_image(_args: PromptArguments, _ctx: Context) -> Result<GetPromptResult, HandlerError> {
    Ok(GetPromptResult::new([
        PromptMessage::user(Content::image_base64(PIXEL, "image/png")),
        PromptMessage::user("Please analyze the image above."),
    ]))
}

async fn with_question(_args: PromptArguments, ctx: Context) -> Result<PromptMessage, HandlerError> {
    let context = ask_text(&ctx, "user_context", "What context should the prompt use?", "context")?;
    Ok(PromptMessage::user(format!("Use this context: {context}")))
}

/// A required argument: the server calls no prompt without it.
fn argument<'a>(args: &'a PromptArguments, name: &str) -> &'a str {
    args.get(name).map(String::as_str).unwrap_or_default()
}

async fn complete(request: CompleteRequest, _ctx: Context) -> Result<CompleteResult, HandlerError> {
    let known: &[&str] = match &request.reference {
        CompletionReference::Prompt { name } if name == "test_prompt_with_arguments" => &["test1", "test2", "other"],
        CompletionReference::Resource { uri } if uri == "test://template/{id}/data" => &["1", "12", "123"],
        _ => &[],
    };
    Ok(CompleteResult::new(known.iter().copied().filter(|value| value.starts_with(&request.argument.value))))
}
