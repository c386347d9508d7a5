//! `include/mcp/mcp.h` is what this crate says. `cargo xtask codegen` writes it anew.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::Path;

/// The environment variable that has the header written instead of compared.
const UPDATE: &str = "MCP_UPDATE_HEADER";

#[test]
fn the_committed_header_is_what_the_sources_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../include/mcp/mcp.h");
    let header = generate(root);
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, header).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = committed.lines().zip(header.lines()).position(|(old, new)| old != new);
    assert!(committed == header, "include/mcp/mcp.h is out of date (line {differs:?}): run `cargo xtask codegen`");
}

fn generate(root: &Path) -> String {
    let mut config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    config.header = Some(HEADER.trim().to_owned());
    config.after_includes = Some(after_includes());
    let bindings = cbindgen::Builder::new().with_crate(root).with_config(config).generate().unwrap();
    let mut text = Vec::new();
    bindings.write(&mut text);
    // Rust's heading for what a caller must see to.
    let text = String::from_utf8(text).unwrap();
    let text = text.replace("// # Safety\n//\n", "// Requires: ").replace("// # Safety\n", "// Requires:\n");
    // A trailer of cbindgen's would stand behind the guard: a second inclusion would define the functions again.
    let end = "#endif  /* MCP_MCP_H */\n";
    text.replace(end, &format!("{}\n\n{end}", HELPERS.trim()))
}

fn after_includes() -> String {
    let part = |name: &str, value: &str| format!("#define MCP_VERSION_{name} {value}");
    let version = env!("CARGO_PKG_VERSION");
    [
        "\n// The version of the library that this header belongs to.".to_owned(),
        part("MAJOR", env!("CARGO_PKG_VERSION_MAJOR")),
        part("MINOR", env!("CARGO_PKG_VERSION_MINOR")),
        part("PATCH", env!("CARGO_PKG_VERSION_PATCH")),
        format!("#define MCP_VERSION \"{version}\""),
    ]
    .join("\n")
}

const HEADER: &str = r#"
// libmcp: a server library for the Model Context Protocol. The C interface.
//
// The contract in short; docs/abi.md has all of it.
// - Text is UTF-8 in a `mcp_str`, pointer and length, not terminated. Protocol data crosses as JSON text.
// - A function that can fail returns `mcp_error_t *`: NULL when all went well, otherwise the caller owns it.
//   Out-parameters are written on success only.
// - `_new` makes a handle, `_delete` frees it; NULL is fine for `_delete`. A function that "takes" a handle frees it,
//   also when it fails.
// - Functions with a `const` handle may be called from several threads at once, on the same handle.
// - A callback is a function, its user data, and a destructor of the data: the function is never called once the
//   destructor has begun; the destructor runs exactly once, after every call has ended, also when a registration fails;
//   the function may be called from several threads at once. It must not throw, and not `longjmp` out.
//
// Generated from bindings/src by `cargo xtask codegen`. Do not edit.
"#;

const HELPERS: &str = r#"
// Text from a C string. NULL gives none.
static inline mcp_str mcp_str_of(const char *text) {
    mcp_str result;
    result.ptr = text;
    result.len = text ? strlen(text) : 0;
    return result;
}

// Text from a pointer and a length.
static inline mcp_str mcp_str_from(const char *ptr, size_t len) {
    mcp_str result;
    result.ptr = ptr;
    result.len = len;
    return result;
}

// Text from a string literal.
#define MCP_STR(literal) mcp_str_from("" literal, sizeof(literal) - 1)
// No text.
#define MCP_STR_NONE mcp_str_from(NULL, 0)
"#;
