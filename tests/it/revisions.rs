//! No field of one revision ever reaches a client of another (B107): everything that can be set is set, and what each
//! revision gets is compared whole.

use std::time::Duration;

use mcp::ProtocolVersion as V;
use mcp::{
    Annotations, CacheHint, CallToolResult, Content, Context, GetPromptResult, HandlerError, Icon, IconTheme,
    Implementation, PromptArgument, PromptMessage, PromptOptions, ReadResourceResult, ResourceContents, ResourceLink,
    ResourceOptions, Role, Server, ToolOptions,
};

use crate::harness::*;

fn icon() -> Icon {
    let sizes = vec!["48x48".to_owned()];
    Icon { src: "https://x/i.png".into(), mime_type: Some("image/png".into()), sizes, theme: Some(IconTheme::Dark) }
}

fn annotations() -> Annotations {
    let last_modified = Some("2026-01-02T03:04:05Z".to_owned());
    Annotations { audience: vec![Role::User, Role::Assistant], priority: Some(0.5), last_modified }
}

fn meta() -> Value {
    json!({"test/own": 1})
}

fn contents(uri: &str) -> ResourceContents {
    let mut contents = ResourceContents::text(uri, "body").with_mime_type("text/plain");
    contents.meta = Some(meta().into());
    contents
}

fn blocks() -> Vec<Content> {
    let mut link = ResourceLink::new("test://r", "r");
    link.title = Some("R".into());
    link.description = Some("d".into());
    link.mime_type = Some("text/plain".into());
    link.size = Some(4);
    link.icons = vec![icon()];
    let blocks = [
        Content::text("t"),
        Content::image_base64("aWc=", "image/png"),
        Content::audio_base64("YXU=", "audio/wav"),
        Content::link(link),
        Content::resource(contents("test://e")),
    ];
    let full = |mut block: Content| {
        block.meta = Some(meta().into());
        block.with_annotations(annotations())
    };
    blocks.into_iter().map(full).collect()
}

async fn read(request: mcp::ReadRequest, _ctx: Context) -> Result<ReadResourceResult, HandlerError> {
    let mut result = ReadResourceResult::new(contents(&request.uri));
    result.cache = Some(CacheHint::public(Duration::from_secs(5)));
    result.meta = Some(meta().into());
    Ok(result)
}

fn resource_options() -> ResourceOptions {
    let options = ResourceOptions::new().title("T").description("d").mime_type("text/plain").size(4).icon(icon());
    options.annotations(annotations()).meta(meta())
}

fn server() -> Server {
    let info = Implementation {
        title: Some("Full".into()),
        description: Some("Everything".into()),
        website_url: Some("https://x".into()),
        icons: vec![icon()],
        ..Implementation::new("full", "1")
    };
    let tool = ToolOptions::new()
        .title("T")
        .description("d")
        .input_schema(json!({"type": "object"}))
        .output_schema(json!({"type": "object"}))
        .read_only_hint(true)
        .destructive(false)
        .idempotent(true)
        .open_world_hint(false)
        .icon(icon())
        .meta(meta());
    let argument = PromptArgument { title: Some("A".into()), ..PromptArgument::required("a").description("d") };
    let prompt = PromptOptions::new().title("T").description("d").argument(argument).icon(icon()).meta(meta());
    Server::builder("full", "1")
        .server_info(info)
        .server_instructions("Be kind")
        .declare_logging()
        .raw_tool("full", tool, async |_, ctx: Context| {
            ctx.report_progress(1.0, Some(2.0), Some("half"));
            let mut result = CallToolResult::structured(json!({"n": 1})).with_meta(meta());
            result.content = blocks();
            result
        })
        .resource("full", "test://full", resource_options(), read)
        .resource_template("full", "test://full/{id}", resource_options(), read)
        .prompt("full", prompt, async |_, _| {
            let mut result = GetPromptResult::new(blocks().into_iter().map(PromptMessage::assistant));
            result.meta = Some(meta().into());
            Ok::<_, HandlerError>(result)
        })
        .completion(async |_, _| Ok::<_, HandlerError>(mcp::CompleteResult::new(["x"])))
        .build()
        .unwrap()
}

/// An object of those members that the revision has.
fn since(version: V, members: &[(V, &str, Value)]) -> Value {
    let has = members.iter().filter(|(first, _, _)| *first <= version);
    has.map(|(_, name, value)| ((*name).to_owned(), value.clone())).collect::<serde_json::Map<_, _>>().into()
}

const FIRST: V = V::V2024_11_05;

fn want_icons() -> Value {
    json!([{"src": "https://x/i.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}])
}

fn want_annotations(version: V) -> Value {
    since(
        version,
        &[
            (FIRST, "audience", json!(["user", "assistant"])),
            (FIRST, "priority", json!(0.5)),
            (V::V2025_06_18, "lastModified", json!("2026-01-02T03:04:05Z")),
        ],
    )
}

fn want_contents(version: V, uri: &str) -> Value {
    since(
        version,
        &[
            (FIRST, "uri", json!(uri)),
            (FIRST, "mimeType", json!("text/plain")),
            (FIRST, "text", json!("body")),
            (V::V2025_06_18, "_meta", meta()),
        ],
    )
}

fn want_blocks(version: V) -> Vec<Value> {
    let audio = match version {
        FIRST => {
            json!({"type": "resource", "resource": {"uri": "audio:content", "mimeType": "audio/wav", "blob": "YXU="}})
        }
        _ => json!({"type": "audio", "data": "YXU=", "mimeType": "audio/wav"}),
    };
    let link = match version {
        version if version < V::V2025_06_18 => json!({"type": "text", "text": "R: test://r"}),
        _ => since(
            version,
            &[
                (FIRST, "type", json!("resource_link")),
                (FIRST, "uri", json!("test://r")),
                (FIRST, "name", json!("r")),
                (FIRST, "title", json!("R")),
                (FIRST, "description", json!("d")),
                (FIRST, "mimeType", json!("text/plain")),
                (FIRST, "size", json!(4)),
                (V::V2025_11_25, "icons", want_icons()),
            ],
        ),
    };
    let blocks = [
        json!({"type": "text", "text": "t"}),
        json!({"type": "image", "data": "aWc=", "mimeType": "image/png"}),
        audio,
        link,
        json!({"type": "resource", "resource": want_contents(version, "test://e")}),
    ];
    let full = |mut block: Value| {
        block["annotations"] = want_annotations(version);
        if version >= V::V2025_06_18 {
            block["_meta"] = meta();
        }
        block
    };
    blocks.into_iter().map(full).collect()
}

fn want_info(version: V) -> Value {
    since(
        version,
        &[
            (FIRST, "name", json!("full")),
            (FIRST, "version", json!("1")),
            (V::V2025_06_18, "title", json!("Full")),
            (V::V2025_11_25, "description", json!("Everything")),
            (V::V2025_11_25, "websiteUrl", json!("https://x")),
            (V::V2025_11_25, "icons", want_icons()),
        ],
    )
}

/// The result with what every result of the revision has.
fn whole(version: V, mut result: Value, own_meta: bool, cache: Option<(u64, &str)>) -> Value {
    if own_meta {
        result["_meta"] = meta();
    }
    if version == V::V2026_07_28 {
        result["resultType"] = json!("complete");
        result["_meta"]["io.modelcontextprotocol/serverInfo"] = want_info(version);
        if let Some((ttl, scope)) = cache {
            result["ttlMs"] = json!(ttl);
            result["cacheScope"] = json!(scope);
        }
    }
    result
}

fn want_located(version: V, locator: &str, uri: &str, has_size: bool) -> Value {
    let mut members = vec![
        (FIRST, locator, json!(uri)),
        (FIRST, "name", json!("full")),
        (FIRST, "description", json!("d")),
        (FIRST, "mimeType", json!("text/plain")),
        (FIRST, "annotations", want_annotations(version)),
        (V::V2025_06_18, "title", json!("T")),
        (V::V2025_06_18, "_meta", meta()),
        (V::V2025_11_25, "icons", want_icons()),
    ];
    if has_size {
        members.push((FIRST, "size", json!(4)));
    }
    since(version, &members)
}

fn want_tool(version: V) -> Value {
    let hints = json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false});
    since(
        version,
        &[
            (FIRST, "name", json!("full")),
            (FIRST, "description", json!("d")),
            (FIRST, "inputSchema", json!({"type": "object"})),
            (V::V2025_03_26, "annotations", hints),
            (V::V2025_06_18, "title", json!("T")),
            (V::V2025_06_18, "outputSchema", json!({"type": "object"})),
            (V::V2025_06_18, "_meta", meta()),
            (V::V2025_11_25, "icons", want_icons()),
        ],
    )
}

fn want_prompt(version: V) -> Value {
    let argument = since(
        version,
        &[
            (FIRST, "name", json!("a")),
            (FIRST, "description", json!("d")),
            (FIRST, "required", json!(true)),
            (V::V2025_06_18, "title", json!("A")),
        ],
    );
    since(
        version,
        &[
            (FIRST, "name", json!("full")),
            (FIRST, "description", json!("d")),
            (FIRST, "arguments", json!([argument])),
            (V::V2025_06_18, "title", json!("T")),
            (V::V2025_06_18, "_meta", meta()),
            (V::V2025_11_25, "icons", want_icons()),
        ],
    )
}

#[tokio::test]
async fn lists_have_what_the_revision_has_and_nothing_else() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&server()).await;
        let version = leg.version;
        let template = want_located(version, "uriTemplate", "test://full/{id}", false);
        for (method, list, entry) in [
            ("tools/list", "tools", want_tool(version)),
            ("resources/list", "resources", want_located(version, "uri", "test://full", true)),
            ("resources/templates/list", "resourceTemplates", template),
            ("prompts/list", "prompts", want_prompt(version)),
        ] {
            let want = whole(version, json!({list: [entry]}), false, Some((0, "private")));
            assert_eq!(client.request(method, Value::Null).await.result(), &want, "{method}");
        }
    })
    .await;
}

#[tokio::test]
async fn results_have_what_the_revision_has_and_nothing_else() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&server()).await;
        let version = leg.version;
        let mut called = json!({"content": want_blocks(version)});
        if version >= V::V2025_06_18 {
            called["structuredContent"] = json!({"n": 1});
        }
        assert_eq!(client.call("full", json!({})).await.result(), &whole(version, called, true, None));
        let messages = want_blocks(version).into_iter().map(|block| json!({"role": "assistant", "content": block}));
        let got = json!({"description": "d", "messages": messages.collect::<Vec<_>>()});
        let reply = client.request("prompts/get", json!({"name": "full", "arguments": {"a": "x"}})).await;
        assert_eq!(reply.result(), &whole(version, got, true, None));
        for uri in ["test://full", "test://full/7"] {
            let reply = client.request("resources/read", json!({"uri": uri})).await;
            let read = json!({"contents": [want_contents(version, uri)]});
            assert_eq!(reply.result(), &whole(version, read, true, Some((5000, "public"))));
        }
        let argument = json!({"name": "a", "value": ""});
        let params = json!({"ref": {"type": "ref/prompt", "name": "full"}, "argument": argument});
        let completed = client.request("completion/complete", params).await;
        assert_eq!(completed.result(), &whole(version, json!({"completion": {"values": ["x"]}}), false, None));
    })
    .await;
}

#[tokio::test]
async fn the_server_introduces_itself_as_the_revision_wants() {
    each(legs::all(), async |leg| {
        let version = leg.version;
        let mut capabilities = json!({"logging": {}, "tools": {}, "prompts": {}, "resources": {}});
        if version >= V::V2025_03_26 {
            capabilities["completions"] = json!({});
        }
        if leg.can_announce() {
            ["tools", "prompts", "resources"].iter().for_each(|list| capabilities[*list]["listChanged"] = json!(true));
            capabilities["resources"]["subscribe"] = json!(true);
        }
        let client = leg.open(&server()).await;
        if !leg.is_modern() {
            let reply = client.initialize(version.as_str()).await;
            let want = json!({"protocolVersion": version.as_str(), "capabilities": capabilities,
                "serverInfo": want_info(version), "instructions": "Be kind"});
            assert_eq!(reply.result(), &want);
            return;
        }
        let reply = client.request("server/discover", Value::Null).await;
        let versions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
        let want = json!({"supportedVersions": versions, "capabilities": capabilities, "instructions": "Be kind"});
        assert_eq!(reply.result(), &whole(version, want, false, Some((0, "private"))));
    })
    .await;
}

#[tokio::test]
async fn progress_has_a_message_where_the_revision_has_one() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&server()).await;
        let params = json!({"name": "full", "arguments": {}, "_meta": {"progressToken": "p"}});
        client.request("tools/call", params).await.result();
        let mut want = json!({"progressToken": "p", "progress": 1.0, "total": 2.0});
        if leg.version >= V::V2025_03_26 {
            want["message"] = json!("half");
        }
        assert_eq!(client.notification("notifications/progress").await.params(), &want);
    })
    .await;
}
