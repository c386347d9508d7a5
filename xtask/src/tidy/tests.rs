use super::imports::{code_only, root_paths};
use super::lex::{self, Kind};
use super::{Report, imports, locks, source};

fn errors(path: &str, text: &str) -> Vec<String> {
    let mut report = Report::default();
    source::check(path, text, &mut report);
    imports::check(path, text, &mut report);
    report.errors
}

fn paths(text: &str, depth: usize) -> Vec<String> {
    root_paths(&code_only(text), depth).into_iter().map(|(_, name)| name).collect()
}

#[test]
fn literals_and_comments_are_told_from_code() {
    let source =
        "a(\"x\\\"y\", r#\"raw \" \"#, 'c', '\"', '\\'', b\"z\"); // \"no\"\nfn f<'a>() {} /* /* \" */ */ \"end\"";
    let pieces = lex::split(source);
    let texts: Vec<&str> = pieces.iter().filter(|p| p.kind == Kind::Text).map(|p| p.text).collect();
    assert_eq!(texts, ["x\\\"y", "raw \" ", "z", "end"]);
    let comments: Vec<&str> = pieces.iter().filter(|p| p.kind == Kind::Comment).map(|p| p.text).collect();
    assert_eq!(comments, ["// \"no\"", "/* /* \" */ */"]);
    assert_eq!(pieces.iter().map(|p| p.text).collect::<String>(), source);
    assert_eq!(pieces.last().map(|p| p.line), Some(2));
}

#[test]
fn broken_source_does_not_panic() {
    for source in ["\"", "r#\"", "'", "'\\", "/*", "b'", "\"\\", "é\"é", "'é"] {
        lex::split(source);
        errors("src/json.rs", source);
    }
}

#[test]
fn root_paths_are_found_in_every_spelling() {
    assert_eq!(paths("use crate::json::Raw;", 1), ["json"]);
    assert_eq!(
        paths("use crate::{\n    json::{Raw, Writer},\n    protocol, error::Error};", 1),
        ["json", "protocol", "error"]
    );
    assert_eq!(paths("pub(crate) fn f() -> crate::error::Error { crate::log!() }", 1), ["error"]);
    assert_eq!(paths("use super::super::legacy::X; use super::codec;", 2), ["legacy"]);
    assert_eq!(paths("// crate::json\nlet x = \"crate::json\";", 1), Vec::<String>::new());
}

#[test]
fn forbidden_edges_are_errors_and_allowed_ones_are_not() {
    let edge = |path: &str, target: &str| errors(path, &format!("//! Doc.\nuse crate::{target}::X;\n"));
    assert!(edge("src/transport/stdio.rs", "modern").is_empty());
    assert!(edge("src/modern/codec.rs", "server").is_empty());
    assert!(edge("src/modern/codec.rs", "modern").is_empty());
    assert_eq!(edge("src/modern/codec.rs", "legacy"), ["src/modern/codec.rs:2: `modern` must not import `legacy`"]);
    assert_eq!(edge("src/server/call.rs", "transport").len(), 1);
    assert_eq!(edge("src/protocol/tool.rs", "Server").len(), 1);
    assert_eq!(edge("src/unknown.rs", "json").len(), 1);
}

#[test]
fn pure_modules_do_not_know_io_crates() {
    assert_eq!(errors("src/protocol/tool.rs", "//! Doc.\nuse tokio::net::TcpStream;\n").len(), 1);
    assert!(errors("src/server/call.rs", "//! Doc.\nuse tokio::net::TcpStream;\n").is_empty());
}

#[test]
fn a_revision_is_a_literal_only_where_it_belongs() {
    let text = "//! Since 2025-11-25.\n/// As in 2025-11-25.\nconst A: &str = \"x 2025-11-25\";\n";
    assert_eq!(errors("src/server/call.rs", text).len(), 1);
    assert!(errors("src/legacy/codec.rs", text).is_empty());
    assert!(errors("examples/everything.rs", text).is_empty());
    let tested = "//! Doc.\n#[cfg(test)]\nmod tests {\n    const A: &str = \"2025-11-25\";\n}\n";
    assert!(errors("src/server/call.rs", tested).is_empty());
}

#[test]
fn size_doc_white_space_and_words_are_checked() {
    let long = format!("//! Doc.\n{}", "\n".repeat(700));
    assert_eq!(errors("src/json.rs", &long).len(), 1);
    assert!(errors("src/json/tests.rs", &long).is_empty());
    assert_eq!(errors("src/json.rs", "fn f() {}\n").len(), 1);
    assert_eq!(errors("src/json.rs", "//! Doc. \n\tfn f() {}\n").len(), 2);
    assert_eq!(errors("src/json.rs", concat!("//! Doc.\n// TO", "DO more\n")).len(), 1);
    assert_eq!(errors("src/json.rs", "//! Doc.\nfn f() { println!(); unsafe {} }\n").len(), 2);
    assert!(errors("src/json.rs", "//! unsafe\n#![forbid(unsafe_code)]\nfn f() { eprintln!(); }\n").is_empty());
}

#[test]
fn lock_files_hold_no_addresses() {
    let count = |path: &str, text: &str| {
        let mut report = Report::default();
        locks::check(path, text, &mut report);
        report.errors.len()
    };
    assert_eq!(count("Cargo.lock", "source = \"registry+https://github.com/rust-lang/crates.io-index\"\n"), 0);
    assert_eq!(count("Cargo.lock", "source = \"git+https://example.com/x\"\n"), 1);
    assert_eq!(count("a/package-lock.json", "      \"resolved\": \"https://example.com/x.tgz\",\n"), 1);
    assert_eq!(count("a/requirements.txt", "# a comment\nmcp==2.3.0\n"), 0);
    assert_eq!(count("a/requirements.txt", "mcp\n--index-url https://example.com\n"), 2);
}
