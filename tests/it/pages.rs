//! Lists page by page (B46, B165).

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use mcp::{
    Context, HandlerError, PromptArguments, PromptMessage, PromptOptions, ReadRequest, ReadResourceResult,
    ResourceOptions, Server, ServerBuilder, ToolOptions,
};

use crate::harness::*;

const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
    ("prompts/list", "prompts"),
];

/// A server with so many of everything, registered backwards.
fn many(count: usize) -> ServerBuilder {
    let read =
        async |request: ReadRequest, _ctx: Context| Ok::<_, HandlerError>(ReadResourceResult::text(request.uri, ""));
    (0..count).rev().fold(Server::builder("many", "1"), |builder, n| {
        let name = format!("e{n:05}");
        builder
            .raw_tool(&name, ToolOptions::new(), async |_, _| "called")
            .resource(&name, &format!("test://{name}"), ResourceOptions::new(), read)
            .resource_template(&name, &format!("test://{name}/{{id}}"), ResourceOptions::new(), read)
            .prompt(&name, PromptOptions::new(), async |_: PromptArguments, _ctx| {
                Ok::<_, HandlerError>(PromptMessage::user("x"))
            })
    })
}

async fn page(client: &Client, method: &str, cursor: Option<&str>) -> Reply {
    client.request(method, cursor.map_or(Value::Null, |cursor| json!({"cursor": cursor}))).await
}

fn next(reply: &Reply) -> Option<String> {
    let cursor = reply.result().get("nextCursor")?;
    Some(cursor.as_str().expect("a string").to_owned())
}

/// All pages from a cursor on, as names.
async fn walk(client: &Client, method: &str, list: &str) -> Vec<Vec<String>> {
    let (mut pages, mut cursor) = (Vec::new(), None);
    loop {
        let reply = page(client, method, cursor.as_deref()).await;
        pages.push(reply.names(list));
        cursor = next(&reply);
        if cursor.is_none() {
            return pages;
        }
        assert!(pages.len() < 100, "the pages have no end");
    }
}

#[tokio::test]
async fn every_list_comes_in_pages_of_the_size_in_a_fixed_order() {
    let server = many(7).page_size(3).build().unwrap();
    let names = |from: usize, to: usize| (from..to).map(|n| format!("e{n:05}")).collect::<Vec<_>>();
    each(legs::all(), async |leg| {
        let client = leg.connect(&server).await;
        for (method, list) in LISTS {
            assert_eq!(walk(&client, method, list).await, [names(0, 3), names(3, 6), names(6, 7)], "{method}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_last_page_that_is_full_has_no_cursor() {
    each(legs::memory(), async |leg| {
        for (size, pages) in [(6, 1), (3, 2), (2, 3), (1, 6), (usize::MAX, 1)] {
            let client = leg.connect(&many(6).page_size(size).build().unwrap()).await;
            for (method, list) in LISTS {
                assert_eq!(walk(&client, method, list).await.len(), pages, "{method} by {size}");
            }
        }
        let client = leg.connect(&Server::builder("none", "1").answer_empty_lists(true).build().unwrap()).await;
        for (method, list) in LISTS {
            assert_eq!(walk(&client, method, list).await, [Vec::<String>::new()], "{method}");
        }
    })
    .await;
}

struct Nothing;

impl mcp::ToolHandler for Nothing {
    fn call(&self, _: mcp::RawJson, _: Context) -> mcp::HandlerFuture<mcp::CallToolResult> {
        Box::pin(std::future::ready(Ok(mcp::CallToolResult::default())))
    }
}

#[tokio::test]
async fn a_cursor_stays_valid_while_entries_come_and_go() {
    each(legs::all(), async |leg| {
        let server = many(10).page_size(3).build().unwrap();
        let client = leg.connect(&server).await;
        let first = page(&client, "tools/list", None).await;
        assert_eq!(first.names("tools"), ["e00000", "e00001", "e00002"]);
        let cursor = next(&first).unwrap();
        // The very entry that the cursor stands for goes, others come before and after it.
        assert!(server.remove_tool("e00002") && server.remove_tool("e00003"));
        for name in ["a", "e00001b", "e00002b", "z"] {
            server.add_tool_handler(name, ToolOptions::new(), Nothing).unwrap();
        }
        let second = page(&client, "tools/list", Some(&cursor)).await;
        assert_eq!(second.names("tools"), ["e00002b", "e00004", "e00005"]);
        let third = next(&second).unwrap();
        for n in 4..10 {
            server.remove_tool(&format!("e{n:05}"));
        }
        let third = page(&client, "tools/list", Some(&third)).await;
        assert_eq!((third.names("tools"), next(&third)), (vec!["z".to_owned()], None));
        server.remove_tool("z");
        server.remove_tool("e00002b");
        let rest = page(&client, "tools/list", Some(&cursor)).await;
        assert_eq!((rest.names("tools"), next(&rest)), (Vec::new(), None));
    })
    .await;
}

#[tokio::test]
async fn a_cursor_that_the_server_did_not_give_is_refused_with_advice() {
    let server = many(4).page_size(2).build().unwrap();
    each(legs::all(), async |leg| {
        let client = leg.connect(&server).await;
        let mut given = Vec::new();
        for (method, _) in LISTS {
            given.push(next(&page(&client, method, None).await).unwrap());
        }
        let own = given[0].clone();
        let mut bogus: Vec<String> =
            ["bogus", "", " ", "0", "1", "null", "e00001", "\u{0}", "é", "../..", "AAAAAAAAAAA"]
                .map(str::to_owned)
                .to_vec();
        for text in [r#"{"o":-1}"#, r#"{"o":1.5}"#, r#"{"o":9223372036854775808}"#, "2", "e00001"] {
            bogus.extend([STANDARD.encode(text), URL_SAFE_NO_PAD.encode(text)]);
        }
        bogus.extend([own[1..].to_owned(), own[..own.len() - 2].to_owned(), format!("{own}="), format!("{own}AA")]);
        bogus.extend([own.to_ascii_lowercase(), format!(" {own}"), format!("{own}{own}"), "A".repeat(100_000)]);
        bogus.extend(given[1..].iter().cloned());
        for cursor in &bogus {
            let reply = page(&client, "tools/list", Some(cursor)).await;
            let text = reply.expect_code(-32602).message();
            assert!(text.contains("cursor") && text.contains("nextCursor"), "{cursor:?}: {text}");
        }
        for cursor in [json!(5), json!(true), json!({}), json!([own])] {
            let reply = client.request("tools/list", json!({"cursor": cursor})).await;
            assert!(reply.expect_code(-32602).message().contains("cursor"), "{}", reply.wire);
        }
        assert_eq!(page(&client, "tools/list", Some(&own)).await.names("tools"), ["e00002", "e00003"]);
    })
    .await;
}

#[tokio::test]
async fn ten_thousand_tools_are_listed_whole_and_called() {
    let tools = (0..10_000).fold(Server::builder("many", "1"), |builder, n| {
        builder.raw_tool(&format!("t{n:05}"), ToolOptions::new(), move |_, _| async move { format!("tool {n}") })
    });
    let server = tools.build().unwrap();
    let newest =
        |leg: &Leg| leg.version >= mcp::ProtocolVersion::V2025_11_25 && leg.transport != Transport::HttpStateless;
    each(legs::all().filter(newest), async |leg| {
        let client = leg.connect(&server).await;
        let pages = walk(&client, "tools/list", "tools").await;
        assert_eq!(pages.len(), 10);
        let names = pages.concat();
        assert!(names.is_sorted() && names.len() == 10_000);
        for n in [0, 4_711, 9_999] {
            assert_eq!(client.call(&format!("t{n:05}"), json!({})).await.text(), format!("tool {n}"));
        }
    })
    .await;
}
