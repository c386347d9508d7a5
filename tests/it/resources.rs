//! Reading resources: which template matches, what never leaves its folder, what is not there (B115, B116).

use mcp::{Context, HandlerError, ReadRequest, ReadResourceResult, ResourceOptions, Server, ServerBuilder};

use crate::harness::*;

fn template(builder: ServerBuilder, name: &'static str, template: &str) -> ServerBuilder {
    builder.resource_template(
        name,
        template,
        ResourceOptions::new(),
        move |request: ReadRequest, _ctx: Context| async move {
            let text = json!({"template": name, "variables": request.variables}).to_string();
            Ok::<_, HandlerError>(ReadResourceResult::text("test://read", text))
        },
    )
}

fn server() -> Server {
    let exact = async |_: ReadRequest, _ctx: Context| {
        Ok::<_, HandlerError>(ReadResourceResult::text("test://read", r#"{"template":"exact","variables":{}}"#))
    };
    let mut builder = Server::builder("templates", "1")
        .resource("exact", "z://fixed/exact", ResourceOptions::new(), exact)
        .resource("odd", "z://a b".replace(' ', "%20").as_str(), ResourceOptions::new(), exact);
    for (name, text) in [
        ("simple", "file:///{path}"),
        ("reserved", "docs:///{+path}"),
        ("query", "x://{id}{?q,lang}"),
        ("cafe", "y://caf%C3%A9/{id}"),
        ("wide", "z://{a}/{b}"),
        ("narrow", "z://fixed/{b}"),
        ("segments", "s://root{/parts*}"),
    ] {
        builder = template(builder, name, text);
    }
    builder.build().unwrap()
}

/// Legs enough: the matching itself does not know of them.
fn some_legs() -> impl Iterator<Item = Leg> {
    legs::memory().chain(legs::http().filter(|leg| leg.is_modern()))
}

#[tokio::test]
async fn a_uri_is_read_by_the_template_that_fits_best_with_its_values_decoded_once() {
    let cases = [
        ("file:///a%20b", "simple", json!({"path": "a b"})),
        ("FILE:///a", "simple", json!({"path": "a"})),
        ("file:///%252e%252e", "simple", json!({"path": "%2e%2e"})),
        ("file:///caf%C3%A9", "simple", json!({"path": "café"})),
        ("file:///café", "simple", json!({"path": "café"})),
        ("file:///..a", "simple", json!({"path": "..a"})),
        ("docs:///a/b/c", "reserved", json!({"path": "a/b/c"})),
        ("docs:///a%2Fb", "reserved", json!({"path": "a/b"})),
        ("x://1", "query", json!({"id": "1"})),
        ("x://1?lang=de&q=a", "query", json!({"id": "1", "q": "a", "lang": "de"})),
        ("x://1?q=%26", "query", json!({"id": "1", "q": "&"})),
        ("x://1?q=a%20b%2Fc", "query", json!({"id": "1", "q": "a b/c"})),
        ("y://caf%C3%A9/1", "cafe", json!({"id": "1"})),
        ("y://caf%c3%a9/1", "cafe", json!({"id": "1"})),
        ("y://café/1", "cafe", json!({"id": "1"})),
        ("z://fixed/exact", "exact", json!({})),
        ("z://a%20b", "exact", json!({})),
        ("z://fixed/1", "narrow", json!({"b": "1"})),
        ("z://other/1", "wide", json!({"a": "other", "b": "1"})),
        ("s://root/a/b%20c", "segments", json!({"parts": "a/b c"})),
    ];
    each(some_legs(), async |leg| {
        let client = leg.connect(&server()).await;
        for (uri, name, variables) in &cases {
            let reply = client.request("resources/read", json!({"uri": uri})).await;
            let contents = &reply.result()["contents"][0];
            let read: Value = serde_json::from_str(contents["text"].as_str().unwrap()).unwrap();
            assert_eq!(read, json!({"template": name, "variables": variables}), "{uri}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_uri_that_nothing_matches_or_that_leaves_its_folder_is_not_found() {
    let uris = [
        "file:///a/b",
        "file:///",
        "file:///a?b=c",
        "file:///..%2F..%2Fetc%2Fpasswd",
        "file:///%2e%2e",
        "file:///..",
        "file:///.",
        "file:///%2e%2e/",
        "file:///..%5c..%5cwindows",
        "file:///a%00b",
        "file:///a%2Fb",
        "file:///%zz",
        "file:///a%",
        "file:///%ff",
        "docs:///a/../b",
        "docs:///..%2fetc",
        "docs:///..\\etc",
        "docs:///a%00",
        "s://root/a/../b",
        "s://root/%2e%2e",
        "x://1?other=1",
        "x://1?q=1&q=2",
        "z://fixed",
        "w://nothing",
        "no uri",
        "",
    ];
    each(some_legs(), async |leg| {
        let client = leg.connect(&server()).await;
        for uri in uris {
            let reply = client.request("resources/read", json!({"uri": uri})).await;
            reply.expect_code(if leg.is_modern() { -32602 } else { -32002 });
            assert_eq!(reply.error()["data"], json!({"uri": uri}), "{uri}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_resource_that_its_handler_does_not_find_is_not_found() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for uri in ["test://items/missing", "test://items/empty", "test://nothing"] {
            let reply = client.request("resources/read", json!({"uri": uri})).await;
            reply.expect_code(if leg.is_modern() { -32602 } else { -32002 });
            assert_eq!(reply.error()["data"], json!({"uri": uri}));
        }
        for params in [json!({}), json!({"uri": 5}), json!({"uri": null}), json!({"uri": ["test://plain"]})] {
            let reply = client.request("resources/read", params.clone()).await;
            // A URI that is no string has no header to go with it.
            let misses_header = leg.is_modern() && leg.is_http() && params.get("uri").is_some();
            reply.expect_code(if misses_header { -32020 } else { -32602 });
            assert!(misses_header || reply.message().contains("uri"), "{}", reply.wire);
        }
        let read = client.request("resources/read", json!({"uri": "test://items/7"})).await;
        assert_eq!(read.result()["contents"], json!([{"uri": "test://items/7", "text": "contents of 7"}]));
    })
    .await;
}

#[tokio::test]
async fn a_uri_of_a_hundred_kilobytes_is_not_found_and_harms_nobody() {
    each(legs::memory(), async |leg| {
        let client = leg.connect(&server()).await;
        for uri in [format!("docs:///{}", "a/".repeat(50_000)), format!("file:///{}", "%".repeat(100_000))] {
            let reply = client.request("resources/read", json!({"uri": uri})).await;
            reply.expect_code(if leg.is_modern() { -32602 } else { -32002 });
        }
        client.request("resources/read", json!({"uri": "x://1"})).await.result();
    })
    .await;
}

#[test]
fn a_template_or_uri_that_is_none_is_refused_at_registration() {
    for text in ["x://{", "x://}", "x://{}", "x://{a b}", "x://{=a}", "x://{|a}", "x://{a*}", "x://{a:0}", "x://{a:x}"]
    {
        let built = template(Server::builder("t", "1"), "t", text).build();
        assert!(built.is_err(), "{text} was taken");
    }
    let read =
        async |request: ReadRequest, _ctx: Context| Ok::<_, HandlerError>(ReadResourceResult::text(request.uri, ""));
    for uri in ["", "a", "/a/b", "1:x", "a b:c", "x:\n", ":x"] {
        let built = Server::builder("t", "1").resource("r", uri, ResourceOptions::new(), read).build();
        assert!(built.is_err(), "{uri:?} was taken");
    }
    let twice = Server::builder("t", "1")
        .resource("r", "x://1", ResourceOptions::new(), read)
        .resource("r2", "x://1", ResourceOptions::new(), read)
        .build();
    assert!(twice.is_err(), "a repeated URI was taken");
}
