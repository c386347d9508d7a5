//! Checks of one Rust file by itself: its size, its module doc, white space, forbidden words and literals.

use super::Report;
use super::lex::{self, Kind, Piece};

const SMELL_LINES: usize = 400;
const MOST_LINES: usize = 600;
/// Words that mean unfinished work. Put together here, so that this file has none.
const UNFINISHED: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
/// Where a protocol revision may be written as a literal.
const DATES_IN: [&str; 5] = ["src/protocol/version.rs", "src/ingress.rs", "src/ingress/", "src/modern/", "src/legacy/"];

pub(super) fn check(path: &str, text: &str, report: &mut Report) {
    let test = is_test(path);
    size(path, text, report);
    let mut head = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("#!["));
    if !test && !head.next().is_some_and(|line| line.starts_with("//!")) {
        report.error(path, 1, "no module doc: begin with `//!`, what it is and what it must not know");
    }
    for (index, line) in text.lines().enumerate() {
        if line.ends_with([' ', '\t']) {
            report.error(path, index + 1, "trailing white space");
        }
        if line.contains('\t') {
            report.error(path, index + 1, "a tab");
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        report.error(path, text.lines().count(), "no new line at the end");
    }
    let pieces = lex::split(text);
    let tests_from = inline_tests(text);
    for piece in &pieces {
        let test = test || piece.line >= tests_from;
        for word in UNFINISHED {
            for line in word_lines(piece, word) {
                report.error(path, line, format!("`{word}`: finish it or file an issue"));
            }
        }
        match piece.kind {
            Kind::Code => code(path, piece, test, report),
            Kind::Text if !test => dates(path, piece, report),
            _ => {}
        }
    }
}

/// Whether the text begins with a date in the form of a protocol revision.
pub(crate) fn starts_with_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shape = b"20dd-dd-dd";
    let fits = |(&byte, &wanted): (&u8, &u8)| if wanted == b'd' { byte.is_ascii_digit() } else { byte == wanted };
    bytes.len() >= shape.len() && bytes.iter().zip(shape).all(fits)
}

fn size(path: &str, text: &str, report: &mut Report) {
    let lines = text.lines().count();
    if is_test(path) || lines <= SMELL_LINES {
        return;
    }
    if lines > MOST_LINES {
        report.error(path, 1, format!("{lines} lines; {MOST_LINES} is the limit, a file holds one concept"));
    } else {
        report.notes.push(format!("{path}: {lines} lines, more than {SMELL_LINES}"));
    }
}

fn code(path: &str, piece: &Piece<'_>, test: bool, report: &mut Report) {
    // A test of the package is somebody else's program, with a border of its own.
    if !["bindings/", "tests/package/"].iter().any(|place| path.starts_with(place)) {
        for line in word_lines(piece, "unsafe") {
            report.error(path, line, "`unsafe` outside bindings/");
        }
    }
    if path.starts_with("src/") && !test {
        for word in ["println!", "print!"] {
            for line in word_lines(piece, word) {
                report.error(path, line, format!("`{word}` in the library: stdout is the protocol"));
            }
        }
    }
}

fn dates(path: &str, piece: &Piece<'_>, report: &mut Report) {
    if !path.starts_with("src/") || DATES_IN.iter().any(|allowed| path.starts_with(allowed)) {
        return;
    }
    for (at, _) in piece.text.match_indices("20") {
        let digit_before = at > 0 && piece.text.as_bytes()[at - 1].is_ascii_digit();
        if !digit_before && piece.text.get(at..).is_some_and(starts_with_date) {
            let text = "a protocol revision as a literal; only protocol/version.rs, ingress, modern and legacy may";
            report.error(path, line_at(piece, at), text);
        }
    }
}

/// `tests.rs`, and everything below a folder that is there for tests.
fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.starts_with("tests/") || path.contains("/tests/")
}

/// The line from which an inline `#[cfg(test)] mod … {` goes on to the end of the file.
fn inline_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let module = |line: &&str| line.contains("mod ") && line.ends_with('{');
    let found = lines.iter().zip(lines.iter().skip(1));
    let found = found.enumerate().find(|(_, (line, next))| **line == "#[cfg(test)]" && module(next));
    found.map_or(usize::MAX, |(index, _)| index + 1)
}

/// The lines on which a word stands by itself.
fn word_lines(piece: &Piece<'_>, word: &str) -> Vec<usize> {
    let bytes = piece.text.as_bytes();
    let bound = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(|&byte| !lex::is_word(byte));
    let hits = piece.text.match_indices(word).map(|(at, _)| at);
    let alone = hits.filter(|&at| bound(at.checked_sub(1)) && (word.ends_with('!') || bound(Some(at + word.len()))));
    alone.map(|at| line_at(piece, at)).collect()
}

fn line_at(piece: &Piece<'_>, at: usize) -> usize {
    piece.line + piece.text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}
