//! `symbols.txt` names the functions of `mcp.h`: what the libraries export, nothing else. `cargo xtask codegen` writes it.

use std::collections::BTreeSet;
use std::path::Path;

const UPDATE: &str = "MCP_UPDATE_HEADER";

#[test]
fn the_committed_list_has_the_functions_of_the_header() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = std::fs::read_to_string(root.join("../include/mcp/mcp.h")).unwrap();
    let names: String = functions(&header).iter().map(|name| format!("{name}\n")).collect();
    let path = root.join("symbols.txt");
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, names).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == names, "bindings/symbols.txt is out of date: run `cargo xtask codegen`");
}

/// The names before an opening bracket, between the lines that begin and end the declarations.
fn functions(header: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let declarations = header.lines().skip_while(|line| !line.starts_with("extern \"C\"")).skip(1);
    for line in declarations.take_while(|line| !line.starts_with('}')) {
        let code = line.split("//").next().unwrap_or_default();
        let pieces: Vec<&str> = code.split('(').collect();
        for before in &pieces[..pieces.len() - 1] {
            let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
            if before[start..].starts_with("mcp_") {
                names.insert(before[start..].to_owned());
            }
        }
    }
    names
}
