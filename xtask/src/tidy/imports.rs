//! Checks who imports whom in `src/`, as `docs/architecture.md` says it: transport, then the codecs of the eras, then the
//! server, then the vocabulary. A lower layer never imports a higher one; the eras never import each other.

use super::Report;
use super::lex::{self, Kind};

/// Every top-level module of `src/` and the others that it may import.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("error", &["json"]),
    ("json", &["error"]),
    ("protocol", &["json", "error"]),
    ("peer", &["protocol", "json", "error"]),
    ("server", &["peer", "protocol", "json", "error"]),
    ("tasks", &["server", "peer", "protocol", "json", "error"]),
    ("ingress", &["protocol", "json", "error"]),
    ("auth", &["server", "protocol", "json", "error"]),
    ("modern", &["ingress", "tasks", "server", "peer", "protocol", "json", "error"]),
    ("legacy", &["ingress", "tasks", "server", "peer", "protocol", "json", "error"]),
    ("transport", &["ingress", "auth", "modern", "legacy", "tasks", "server", "peer", "protocol", "json", "error"]),
];
/// Modules that do no input or output, and the crates that they therefore do not know.
const PURE: [&str; 4] = ["error", "json", "protocol", "ingress"];
const IO_CRATES: [&str; 4] = ["tokio", "hyper", "hyper_util", "tower_service"];

pub(super) fn check(path: &str, text: &str, report: &mut Report) {
    let Some(inner) = path.strip_prefix("src/").and_then(|inner| inner.strip_suffix(".rs")) else { return };
    let mut module: Vec<&str> = inner.split('/').collect();
    if module.last() == Some(&"mod") {
        module.pop();
    }
    if module == ["lib"] || module.last() == Some(&"tests") {
        return;
    }
    let own = module.first().copied().unwrap_or_default();
    let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == own) else {
        report.error(path, 1, format!("the module `{own}` has no place in the layers; add it to {}", file!()));
        return;
    };
    let code = code_only(text);
    for (line, target) in root_paths(&code, module.len()) {
        let known = MAY_IMPORT.iter().any(|(name, _)| *name == target);
        if target != own && known && !allowed.contains(&target.as_str()) {
            report.error(path, line, format!("`{own}` must not import `{target}`"));
        } else if !known {
            report.error(path, line, format!("`crate::{target}` hides where it comes from; name its module"));
        }
    }
    if PURE.contains(&own) {
        for name in IO_CRATES {
            for line in mentions(&code, name) {
                report.error(path, line, format!("`{own}` does no input or output and must not know `{name}`"));
            }
        }
    }
}

/// The source with comments and the contents of strings blanked; lines stay where they are.
pub(super) fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    for piece in lex::split(text) {
        match piece.kind {
            Kind::Code => code.push_str(piece.text),
            _ => code.extend(piece.text.chars().map(|c| if c == '\n' { '\n' } else { ' ' })),
        }
    }
    code
}

/// Each name right below the crate root that the code refers to, with its line: `crate::name`, `crate::{name, …}`, and
/// `super::` repeated up to the root from a module that lies `depth` below it. Macros (`crate::name!`) are left out.
pub(super) fn root_paths(code: &str, depth: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut add = |at: usize| {
        let line = 1 + code[..at].bytes().filter(|&byte| byte == b'\n').count();
        found.extend(names(&code[at..]).into_iter().map(|name| (line, name)));
    };
    for at in word_starts(code, "crate") {
        let rest = code[at + "crate".len()..].trim_start();
        // `$crate::` is a macro's way to say the same; `pub(crate)` is no path.
        if let Some(rest) = rest.strip_prefix("::") {
            add(code.len() - rest.len());
        }
    }
    let chain = "super::".repeat(depth);
    for at in word_starts(code, &chain) {
        let within_longer_chain = code[..at].ends_with("super::");
        let end = at + chain.len();
        if !within_longer_chain && !code[end..].starts_with("super") {
            add(end);
        }
    }
    found
}

/// The first name of a path that begins here, or of each path in a `{…}` group.
fn names(rest: &str) -> Vec<String> {
    let rest = rest.trim_start();
    let Some(group) = rest.strip_prefix('{') else { return first_name(rest).into_iter().collect() };
    let mut depth = 0_usize;
    let mut start = 0;
    let mut found = Vec::new();
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' | ',' if depth == 0 => {
                found.extend(first_name(group[start..at].trim_start()));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    found
}

fn first_name(path: &str) -> Option<String> {
    let end = path.bytes().position(|byte| !lex::is_word(byte)).unwrap_or(path.len());
    let is_macro = path[end..].starts_with('!');
    (end > 0 && !is_macro && &path[..end] != "self").then(|| path[..end].to_owned())
}

fn mentions(code: &str, name: &str) -> Vec<usize> {
    let path = format!("{name}::");
    let line = |at: usize| 1 + code[..at].bytes().filter(|&byte| byte == b'\n').count();
    word_starts(code, &path).into_iter().map(line).collect()
}

/// Where `text` begins that is not the end of a longer word.
fn word_starts(code: &str, text: &str) -> Vec<usize> {
    let bytes = code.as_bytes();
    let starts = code.match_indices(text).map(|(at, _)| at);
    starts.filter(|&at| at == 0 || !lex::is_word(bytes[at - 1])).collect()
}
