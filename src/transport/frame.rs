//! Lines: one message each, split at the line feed before anything looks at the bytes.

use bytes::{Buf, Bytes, BytesMut};

/// Cuts a stream of bytes into lines.
pub(super) struct Lines {
    buffer: BytesMut,
    /// How much of the buffer is known to have no line feed.
    searched: usize,
    limit: usize,
    /// The rest of a line that was too long is thrown away.
    skipping: bool,
}

/// What was cut off.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line, without its end. Never empty.
    Text(Bytes),
    /// A line that is longer than the limit; it is skipped to its end.
    TooLong,
}

impl Lines {
    pub(super) fn new(limit: usize) -> Lines {
        Lines { buffer: BytesMut::new(), searched: 0, limit, skipping: false }
    }

    /// Where bytes that arrive are appended.
    pub(super) fn buffer(&mut self) -> &mut BytesMut {
        &mut self.buffer
    }

    /// The next complete line, if there is one.
    pub(super) fn next(&mut self) -> Option<Line> {
        loop {
            let found = memchr::memchr(b'\n', &self.buffer[self.searched..]);
            let Some(at) = found.map(|found| self.searched + found) else {
                self.searched = self.buffer.len();
                return self.check_length();
            };
            let line = self.buffer.split_to(at).freeze();
            self.buffer.advance(1);
            self.searched = 0;
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            if line.len() > self.limit {
                return Some(Line::TooLong);
            }
            if let Some(text) = trim(line) {
                return Some(Line::Text(text));
            }
        }
    }

    /// What is left when the stream has ended: a last line without an end.
    pub(super) fn rest(&mut self) -> Option<Line> {
        let rest = self.buffer.split().freeze();
        self.searched = 0;
        if self.skipping { None } else { trim(rest).map(Line::Text) }
    }

    fn check_length(&mut self) -> Option<Line> {
        if self.skipping {
            self.forget();
            return None;
        }
        if self.buffer.len() > self.limit {
            self.skipping = true;
            self.forget();
            return Some(Line::TooLong);
        }
        None
    }

    /// Gives the memory back.
    fn forget(&mut self) {
        self.buffer = BytesMut::new();
        self.searched = 0;
    }
}

/// The line without carriage returns and white space around it; `None` when nothing is left.
fn trim(line: Bytes) -> Option<Bytes> {
    let start = line.len() - line.trim_ascii_start().len();
    let length = line.trim_ascii().len();
    (length > 0).then(|| line.slice(start..start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(limit: usize, pieces: &[&str]) -> Vec<Line> {
        let mut lines = Lines::new(limit);
        let mut found = Vec::new();
        for piece in pieces {
            lines.buffer().extend_from_slice(piece.as_bytes());
            found.extend(std::iter::from_fn(|| lines.next()));
        }
        found.extend(lines.rest());
        found
    }

    fn text(text: &'static str) -> Line {
        Line::Text(Bytes::from_static(text.as_bytes()))
    }

    #[test]
    fn lines_are_cut_wherever_the_pieces_end() {
        assert_eq!(lines(99, &["a\nb", "c\n", "\n\r\n", "d"]), [text("a"), text("bc"), text("d")]);
    }

    #[test]
    fn carriage_returns_and_blanks_around_a_line_are_not_part_of_it() {
        assert_eq!(lines(99, &[" {} \r\n\t1\r\n"]), [text("{}"), text("1")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_reported_once_and_skipped() {
        assert_eq!(lines(3, &["12345", "67", "8\nab\n"]), [Line::TooLong, text("ab")]);
        assert_eq!(lines(3, &["12345\nab\n"]), [Line::TooLong, text("ab")]);
        assert_eq!(lines(3, &["12345", "67"]), [Line::TooLong]);
    }
}
