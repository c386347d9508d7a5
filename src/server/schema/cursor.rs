//! A walk over JSON text that is known to be valid: nothing is checked again and strings are crossed a block at a time.
//!
//! On text that is not valid every method still ends, without a panic and without a sensible answer.

use std::borrow::Cow;

use crate::json::Kind;

/// A position in valid JSON text.
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

/// A string as it stands in the text, with its quotes.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) quoted: &'a [u8],
    escaped: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8]) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// The kind of the next value.
    pub(super) fn kind(&mut self) -> Kind {
        match self.peek() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') | None => Kind::Null,
            Some(_) => Kind::Number,
        }
    }

    /// Steps into the object or array that is next; `more` then says whether there is a member or item.
    pub(super) fn enter(&mut self) {
        self.peek();
        self.at += 1;
    }

    /// Steps to the next member or item of the container that was entered; false when it ended and was left.
    pub(super) fn more(&mut self, close: u8) -> bool {
        match self.peek() {
            None => false,
            Some(byte) if byte == close => {
                self.at += 1;
                false
            }
            Some(byte) => {
                self.at += usize::from(byte == b',');
                true
            }
        }
    }

    /// Consumes a member name and its colon.
    pub(super) fn key(&mut self) -> Text<'a> {
        let key = self.string();
        self.peek();
        self.at += 1;
        key
    }

    /// Consumes the string that is next.
    pub(super) fn string(&mut self) -> Text<'a> {
        self.peek();
        let start = self.at;
        self.at += 1;
        let mut escaped = false;
        loop {
            self.at = find_quote(self.text, self.at);
            match self.text.get(self.at) {
                Some(b'\\') => {
                    escaped = true;
                    self.at += 2;
                }
                Some(_) => {
                    self.at += 1;
                    break;
                }
                None => break,
            }
        }
        let end = self.at.min(self.text.len());
        Text { quoted: self.text.get(start..end).unwrap_or_default(), escaped }
    }

    /// Consumes one value and gives its text.
    pub(super) fn value(&mut self) -> &'a [u8] {
        self.peek();
        let start = self.at;
        match self.text.get(start) {
            Some(b'"') => return self.string().quoted,
            Some(b'{' | b'[') => self.container(),
            _ => self.scalar(),
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn scalar(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|b| matches!(b, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r'));
        self.at += end.unwrap_or(rest.len()).max(1);
    }

    fn container(&mut self) {
        let mut depth = 0usize;
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b'"' => {
                    self.string();
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                other => return other.copied(),
            }
        }
    }
}

impl<'a> Text<'a> {
    /// A string value with its quotes.
    pub(super) fn of(quoted: &'a [u8]) -> Text<'a> {
        Text { quoted, escaped: quoted.contains(&b'\\') }
    }

    /// What stands between the quotes.
    pub(super) fn raw(self) -> &'a [u8] {
        match self.quoted {
            [b'"', inner @ .., b'"'] => inner,
            other => other,
        }
    }

    /// The characters as UTF-8.
    pub(super) fn unescape(self) -> Cow<'a, [u8]> {
        if self.escaped {
            Cow::Owned(serde_json::from_slice::<String>(self.quoted).unwrap_or_default().into_bytes())
        } else {
            Cow::Borrowed(self.raw())
        }
    }

    /// Whether the number of characters lies within the bounds; they are counted only when their bytes leave a doubt.
    pub(super) fn has_length(self, min: u64, max: u64) -> bool {
        // A character takes from one byte to twelve, which is a pair of escaped surrogates.
        let bytes = self.raw().len() as u64;
        if bytes / 12 >= min && bytes <= max {
            return true;
        }
        let text = self.unescape();
        let chars = count_chars(&text);
        min <= chars && chars <= max
    }
}

/// How many members and items a value has on all its levels; counting ends when `limit` is passed.
pub(super) fn count_elements(text: &[u8], limit: usize) -> usize {
    let mut cursor = Cursor::new(text);
    let mut count = 0;
    let mut fresh = false;
    while let Some(byte) = cursor.peek() {
        match byte {
            b'{' | b'[' => {
                count += usize::from(fresh);
                fresh = true;
                cursor.at += 1;
                continue;
            }
            b'}' | b']' | b':' => cursor.at += 1,
            b',' => {
                count += 1;
                cursor.at += 1;
            }
            b'"' => {
                count += usize::from(fresh);
                cursor.string();
            }
            _ => {
                count += usize::from(fresh);
                cursor.scalar();
            }
        }
        fresh = false;
        if count > limit {
            break;
        }
    }
    count
}

/// The first quote or backslash from `at` on, else the length of the text.
fn find_quote(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    memchr::memchr2(b'"', b'\\', rest).map_or(text.len(), |found| at + found)
}

/// How many characters UTF-8 text has.
fn count_chars(text: &[u8]) -> u64 {
    let starts = |block: &[u8]| block.iter().map(|&b| u8::from(b & 0xC0 != 0x80)).sum::<u8>();
    text.chunks(192).map(|block| u64::from(starts(block))).sum()
}
