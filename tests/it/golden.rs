//! What goes over the wire, byte for byte: the transcripts in `tests/golden`. See `harness/golden.rs` for their form.

use std::time::Duration;

use mcp::{
    Annotations, CacheHint, CallToolResult, CompleteRequest, CompleteResult, Content, Context, ElicitRequest,
    HandlerError, Icon, Implementation, LoggingLevel, PromptArgument, PromptMessage, PromptOptions, RawJson,
    ReadRequest, ReadResourceResult, ResourceContents, ResourceLink, ResourceOptions, Role, Server, ServerBuilder,
    ToolOptions,
};

use crate::harness::*;

/// A small server that uses a little of everything. What it says depends on nothing but what it is asked.
fn weather_station() -> Server {
    let info = Implementation {
        title: Some("Weather station".into()),
        description: Some("Measures".into()),
        website_url: Some("https://weather.example".into()),
        icons: vec![Icon::new("https://weather.example/icon.png")],
        ..Implementation::new("weather", "1.2.3")
    };
    let builder = Server::builder("weather", "1.2.3")
        .server_info(info)
        .server_instructions("Ask for a city.")
        .declare_logging()
        .page_size(4)
        .request_state_key("golden")
        .cache_hint("tools/list", CacheHint::public(Duration::from_secs(60)));
    offers(more_tools(tools(builder))).build().unwrap()
}

fn tools(builder: ServerBuilder) -> ServerBuilder {
    let city = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    let output = json!({"type": "object", "properties": {"degrees": {"type": "integer"}}, "required": ["degrees"]});
    builder
        .raw_tool(
            "weather",
            ToolOptions::new()
                .title("Weather")
                .description("Weather of a city")
                .input_schema(city)
                .read_only_hint(true)
                .icon(Icon::new("https://weather.example/tool.png"))
                .meta(json!({"example/unit": "C"})),
            async |arguments: RawJson, _ctx| {
                let arguments: Value = arguments.deserialize().unwrap();
                match arguments["city"].as_str().unwrap() {
                    "Atlantis" => Err(HandlerError::message("There is no weather under water; try Athens.")),
                    city => Ok(format!("It rains in {city}.")),
                }
            },
        )
        .raw_tool("climate", ToolOptions::new().output_schema(output), async |_, _ctx| {
            CallToolResult::structured(json!({"degrees": 7}))
        })
        .raw_tool("media", ToolOptions::new(), async |_, _ctx| {
            let annotations = Annotations { audience: vec![Role::User], priority: Some(0.5), ..Annotations::default() };
            vec![
                Content::text("all five kinds").with_annotations(annotations),
                Content::image(b"png", "image/png"),
                Content::audio(b"wav", "audio/wav"),
                Content::link(ResourceLink::new("weather://now", "now")),
                Content::resource(ResourceContents::text("weather://now", "rain")),
            ]
        })
}

fn more_tools(builder: ServerBuilder) -> ServerBuilder {
    let form = |field: &str| {
        let schema = json!({"type": "object", "properties": {field: {"type": "string"}}, "required": [field]});
        ElicitRequest::form(format!("Your {field}?"), schema)
    };
    builder
        .raw_tool("steps", ToolOptions::new(), async |_, ctx: Context| {
            ctx.report_progress(1.0, Some(2.0), Some("half"));
            ctx.log_from(LoggingLevel::Info, Some("station"), "measured");
            ctx.report_progress(2.0, Some(2.0), None);
            "done"
        })
        // Asks once, and politely also for the city.
        .raw_tool("ask", ToolOptions::new(), move |arguments: RawJson, ctx: Context| async move {
            ctx.ask("name", form("name"))?;
            if arguments.as_str().contains("politely") {
                ctx.ask("city", form("city"))?;
            }
            Ok::<_, HandlerError>("thanks")
        })
        .raw_tool("storm", ToolOptions::new(), async |_, ctx: Context| {
            ctx.server().notify_resource_updated("weather://now");
            "announced"
        })
}

fn offers(builder: ServerBuilder) -> ServerBuilder {
    builder
        .resource("now", "weather://now", ResourceOptions::new().title("Now").mime_type("text/plain").size(4), read)
        .resource_template("station", "weather://stations/{number}", ResourceOptions::new(), read)
        .prompt(
            "report",
            PromptOptions::new()
                .title("Report")
                .argument(PromptArgument::required("city").description("Where"))
                .argument(PromptArgument::optional("style")),
            async |arguments: mcp::PromptArguments, _ctx: Context| {
                let text = format!("Report from {}", arguments["city"]);
                Ok::<_, HandlerError>(PromptMessage::user(Content::text(text)))
            },
        )
        .completion(async |request: CompleteRequest, _ctx: Context| {
            let cities = ["Oslo", "Odense", "Malmö"];
            let found = cities.into_iter().filter(|city| city.starts_with(&request.argument.value));
            Ok::<_, HandlerError>(CompleteResult::new(found))
        })
}

async fn read(request: ReadRequest, _ctx: Context) -> Result<ReadResourceResult, HandlerError> {
    let text = request.variables.get("number").map_or("rain".to_owned(), |number| format!("rain at {number}"));
    Ok(ReadResourceResult::text(request.uri, text))
}

#[tokio::test]
async fn a_legacy_session_is_byte_for_byte_what_it_was() {
    check_golden("legacy", &weather_station()).await;
}

#[tokio::test]
async fn requests_of_the_modern_era_are_answered_byte_for_byte_as_before() {
    check_golden("modern", &weather_station()).await;
}

#[tokio::test]
async fn a_session_of_the_first_revision_is_byte_for_byte_what_it_was() {
    check_golden("oldest", &weather_station()).await;
}

#[tokio::test]
async fn batches_are_answered_byte_for_byte_as_before() {
    check_golden("batches", &weather_station()).await;
}
