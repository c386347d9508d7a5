//! The writer: every byte that leaves the library as JSON is appended here.

use bytes::Bytes;
use serde::Serialize;

use super::find::find_special;
use super::raw::RawJson;
use super::scan::SyntaxError;

/// An append-only JSON writer: values are written in the order of the text, without a tree of them. Commas are placed by
/// the writer.
///
/// The caller opens and closes objects and arrays, and writes a name before each value of an object. Nothing of that is
/// checked on the way; `finish` checks the whole.
///
/// ```
/// let mut w = mcp::JsonWriter::new();
/// w.begin_object();
/// w.any_key("city");
/// w.string("Zürich");
/// w.any_key("degrees");
/// w.begin_array();
/// w.integer(21);
/// w.number(21.5);
/// w.null();
/// w.end_array();
/// w.end_object();
/// assert_eq!(w.finish().unwrap().as_str(), r#"{"city":"Zürich","degrees":[21,21.5,null]}"#);
/// ```
#[derive(Debug, Default)]
pub struct JsonWriter {
    // Commas are placed by looking at the last byte, so there is no state to keep in step.
    buffer: Vec<u8>,
}

impl JsonWriter {
    /// A writer that has written nothing.
    pub fn new() -> JsonWriter {
        JsonWriter::default()
    }

    /// A writer with room for so many bytes; more are taken as they are needed.
    pub fn with_capacity(bytes: usize) -> JsonWriter {
        JsonWriter { buffer: Vec::with_capacity(bytes) }
    }

    pub(crate) fn into_bytes(self) -> Bytes {
        self.buffer.into()
    }

    /// What was written by the library itself, which knows its own grammar.
    pub(crate) fn into_raw(self) -> RawJson {
        RawJson::trusted(self.buffer)
    }

    /// What was written: one JSON value.
    ///
    /// # Errors
    /// It is not exactly one value, or is nested more than 128 deep.
    pub fn finish(self) -> Result<RawJson, SyntaxError> {
        RawJson::parse(self.buffer)
    }

    /// Opens an object. What follows until `end_object` are pairs of a name (`any_key`) and a value.
    pub fn begin_object(&mut self) {
        self.comma();
        self.buffer.push(b'{');
    }

    /// Closes the object that was opened last.
    pub fn end_object(&mut self) {
        self.buffer.push(b'}');
    }

    /// Opens an array. What follows until `end_array` are values.
    pub fn begin_array(&mut self) {
        self.comma();
        self.buffer.push(b'[');
    }

    /// Closes the array that was opened last.
    pub fn end_array(&mut self) {
        self.buffer.push(b']');
    }

    /// A member name of the protocol's own, which needs no escaping, and its colon.
    pub(crate) fn key(&mut self, name: &'static str) {
        debug_assert!(name.bytes().all(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\'));
        self.comma();
        self.buffer.push(b'"');
        self.buffer.extend_from_slice(name.as_bytes());
        self.buffer.extend_from_slice(b"\":");
    }

    /// The name of a member, escaped where it must be. Its value is written next.
    pub fn any_key(&mut self, name: &str) {
        self.string(name);
        self.buffer.push(b':');
    }

    /// A string value, escaped where it must be.
    pub fn string(&mut self, text: &str) {
        self.comma();
        let bytes = text.as_bytes();
        // A few characters to be escaped are usual, and must not make a large buffer move.
        self.buffer.reserve(bytes.len() + bytes.len() / 32 + 16);
        self.buffer.push(b'"');
        let mut from = 0;
        loop {
            let at = find_special(bytes, from);
            self.buffer.extend_from_slice(&bytes[from..at]);
            match bytes.get(at) {
                Some(&byte) => self.escape(byte),
                None => break,
            }
            from = at + 1;
        }
        self.buffer.push(b'"');
    }

    /// A value that is JSON already. Line breaks between its tokens become spaces: a message is one line.
    pub fn raw(&mut self, json: &RawJson) {
        let start = self.buffer.len();
        self.verbatim(json.as_bytes());
        if memchr::memchr2(b'\n', b'\r', json.as_bytes()).is_some() {
            let written = self.buffer[start..].iter_mut();
            written.filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        }
    }

    /// Bytes that are one or more values or members, well formed in themselves. Empty bytes write nothing.
    pub(crate) fn verbatim(&mut self, json: &[u8]) {
        if !json.is_empty() {
            self.comma();
            self.buffer.extend_from_slice(json);
        }
    }

    /// `null`
    pub fn null(&mut self) {
        self.verbatim(b"null");
    }

    /// `true` or `false`
    pub fn bool(&mut self, value: bool) {
        self.verbatim(if value { b"true" } else { b"false" });
    }

    /// A number. Infinities and what is not a number have no JSON form and become `null`. For integers of other types
    /// than `i64` there is `value`.
    pub fn number(&mut self, value: f64) {
        self.value(&value);
    }

    /// A whole number.
    pub fn integer(&mut self, value: i64) {
        self.value(&value);
    }

    /// Any value that serde can write. One that has no JSON form becomes `null`.
    pub fn value<T: Serialize + ?Sized>(&mut self, value: &T) {
        self.comma();
        let start = self.buffer.len();
        if serde_json::to_writer(&mut self.buffer, value).is_err() {
            self.buffer.truncate(start);
            self.buffer.extend_from_slice(b"null");
        }
    }

    pub(crate) fn string_member(&mut self, name: &'static str, text: &str) {
        self.key(name);
        self.string(text);
    }

    pub(crate) fn raw_member(&mut self, name: &'static str, json: &RawJson) {
        self.key(name);
        self.raw(json);
    }

    pub(crate) fn value_member<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) {
        self.key(name);
        self.value(value);
    }

    /// Writes the member when there is a text.
    pub(crate) fn optional_string(&mut self, name: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.string_member(name, text);
        }
    }

    /// Writes the member when there is a value.
    pub(crate) fn optional_raw(&mut self, name: &'static str, json: Option<&RawJson>) {
        if let Some(json) = json {
            self.raw_member(name, json);
        }
    }

    /// Writes the member when there is a value.
    pub(crate) fn optional_value<T: Serialize>(&mut self, name: &'static str, value: Option<T>) {
        if let Some(value) = value {
            self.value_member(name, &value);
        }
    }

    fn comma(&mut self) {
        // A value never ends in one of these bytes, so they always mean "first of its container" or "after a key".
        if !matches!(self.buffer.last(), None | Some(b'{' | b'[' | b':')) {
            self.buffer.push(b',');
        }
    }

    fn escape(&mut self, byte: u8) {
        let short = match byte {
            b'"' => b'"',
            b'\\' => b'\\',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0C => b'f',
            _ => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                let code = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
                self.buffer.extend_from_slice(b"\\u00");
                self.buffer.extend_from_slice(&code);
                return;
            }
        };
        self.buffer.extend_from_slice(&[b'\\', short]);
    }
}
