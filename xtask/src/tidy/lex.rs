//! Splits Rust source into code, comments and the contents of string literals. Knows just enough of the language for
//! that: nested comments, raw strings, escapes, character literals and lifetimes.

/// What a piece of source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Code,
    Comment,
    /// The content of a string literal, without its quotes.
    Text,
}

/// A run of source of one kind.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// The line on which it begins, from 1.
    pub(super) line: usize,
}

/// The pieces of a source file, in order. Broken source gives broken pieces, never a panic.
pub(super) fn split(source: &str) -> Vec<Piece<'_>> {
    let bytes = source.as_bytes();
    let mut pieces = Vec::new();
    let mut line = 1;
    let mut code = 0;
    let mut at = 0;
    let mut push = |kind, from: usize, to: usize| {
        let text = source.get(from..to).unwrap_or_default();
        if !text.is_empty() {
            pieces.push(Piece { kind, text, line });
            line += text.bytes().filter(|&byte| byte == b'\n').count();
        }
    };
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(b"//") || rest.starts_with(b"/*") {
            let end = at + if rest[1] == b'/' { line_comment(rest) } else { block_comment(rest) };
            push(Kind::Code, code, at);
            push(Kind::Comment, at, end);
            (code, at) = (end, end);
        } else if let Some((open, content, close)) = string(rest, at > 0 && is_word(bytes[at - 1])) {
            let (from, to) = (at + open, at + open + content);
            push(Kind::Code, code, from);
            push(Kind::Text, from, to);
            (code, at) = (to, to + close);
        } else {
            at += character(rest).unwrap_or(1);
        }
    }
    push(Kind::Code, code, bytes.len());
    pieces
}

pub(super) fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

fn line_comment(rest: &[u8]) -> usize {
    rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
}

fn block_comment(rest: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    rest.len()
}

/// The lengths of the opening, the content and the closing of a string literal that begins here.
fn string(rest: &[u8], in_word: bool) -> Option<(usize, usize, usize)> {
    let prefix = rest.iter().take(2).take_while(|byte| b"bcr".contains(byte)).count();
    if in_word && prefix > 0 {
        return None;
    }
    let raw = prefix > 0 && rest[prefix - 1] == b'r';
    let hashes = if raw { rest[prefix..].iter().take_while(|&&byte| byte == b'#').count() } else { 0 };
    let open = prefix + hashes + 1;
    if rest.get(open - 1) != Some(&b'"') {
        return None;
    }
    let mut content = 0;
    while let Some(&byte) = rest.get(open + content) {
        if byte == b'\\' && !raw {
            content += 2;
        } else if byte == b'"'
            && rest[open + content + 1..].iter().take(hashes).filter(|&&b| b == b'#').count() == hashes
        {
            return Some((open, content, 1 + hashes));
        } else {
            content += 1;
        }
    }
    Some((open, rest.len().saturating_sub(open), 0))
}

/// The length of a character literal that begins here; a lifetime is none.
fn character(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'\'', b'\\', _, tail @ ..] => Some(3 + tail.iter().position(|&byte| byte == b'\'')? + 1),
        [b'\'', first, tail @ ..] if *first != b'\'' => {
            let width = match first {
                0xf0.. => 4,
                0xe0.. => 3,
                0xc0.. => 2,
                _ => 1,
            };
            (tail.get(width - 1) == Some(&b'\'')).then_some(width + 2)
        }
        _ => None,
    }
}
