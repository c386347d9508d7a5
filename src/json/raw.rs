//! JSON text that is known to be valid.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use serde::de::{DeserializeOwned, DeserializeSeed};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::scan::{Scanner, SyntaxError};

/// One valid JSON value as text: UTF-8, nested at most 128 deep. Cloning is cheap (shared bytes).
///
/// ```
/// let raw = mcp::RawJson::parse(r#"{"a": 1}"#).unwrap();
/// assert_eq!(raw.kind(), mcp::JsonKind::Object);
/// let value: std::collections::BTreeMap<String, i64> = raw.deserialize().unwrap();
/// assert_eq!(value["a"], 1);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct RawJson(Bytes);

/// The six kinds of JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// Any number
    Number,
    /// A string
    String,
    /// An array
    Array,
    /// An object
    Object,
}

impl RawJson {
    /// `null`
    pub const NULL: RawJson = RawJson(Bytes::from_static(b"null"));
    /// `{}`
    pub const EMPTY_OBJECT: RawJson = RawJson(Bytes::from_static(b"{}"));

    /// Checks `text` and keeps it without the white space around it.
    ///
    /// # Errors
    /// The text is not exactly one JSON value; the error says what is wrong and where.
    pub fn parse(text: impl Into<Bytes>) -> Result<RawJson, SyntaxError> {
        let text = text.into();
        let mut scanner = Scanner::new(&text)?;
        let span = scanner.value()?;
        scanner.end()?;
        Ok(RawJson(text.slice(span.start as usize..span.end as usize)))
    }

    /// The JSON form of any serialisable value.
    ///
    /// # Errors
    /// The value has no JSON form (for example a map whose keys are not strings).
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<RawJson, serde_json::Error> {
        serde_json::to_vec(value).map(|text| RawJson(text.into()))
    }

    /// Takes bytes that were checked or written by this module.
    pub(crate) fn trusted(text: impl Into<Bytes>) -> RawJson {
        RawJson(text.into())
    }

    /// The JSON string of `text`.
    pub fn string(text: &str) -> RawJson {
        let mut writer = super::JsonWriter::with_capacity(text.len() + 2);
        writer.string(text);
        RawJson(writer.into_bytes())
    }

    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text as a string.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The text as shared bytes.
    pub fn into_bytes(self) -> Bytes {
        self.0
    }

    /// What kind of value this is.
    pub fn kind(&self) -> Kind {
        match self.0.first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') | None => Kind::Null,
            Some(_) => Kind::Number,
        }
    }

    /// The characters of a JSON string, borrowed where none is escaped; `None` for any other kind.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        text_of(&self.0)
    }

    /// The characters of a JSON string, owned; `None` for any other kind.
    pub fn to_text(&self) -> Option<String> {
        self.text().map(Cow::into_owned)
    }

    /// Reads the value into a Rust type.
    ///
    /// # Errors
    /// The value does not have the shape of `T`.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        self.deserialize_borrowed()
    }

    /// Like `deserialize`, for types that borrow from the text.
    ///
    /// # Errors
    /// The value does not have the shape of `T`.
    pub fn deserialize_borrowed<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        T::deserialize(&mut super::de::Reader::new(&self.0))
    }

    /// Reads the value with a seed: for targets that are known at run time only, such as values of another language.
    ///
    /// # Errors
    /// The seed does not take the value.
    pub fn deserialize_seed<'de, S: DeserializeSeed<'de>>(&'de self, seed: S) -> Result<S::Value, serde_json::Error> {
        seed.deserialize(&mut super::de::Reader::new(&self.0))
    }
}

/// The characters of a value that is known to be valid; `None` when it is not a string.
pub(crate) fn text_of(value: &[u8]) -> Option<Cow<'_, str>> {
    match value {
        [b'"', ..] => super::de::unquote(value).ok(),
        _ => None,
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<serde_json::Value> for RawJson {
    fn from(value: serde_json::Value) -> RawJson {
        RawJson(value.to_string().into())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: &RawValue = serde_json::from_slice(&self.0).map_err(serde::ser::Error::custom)?;
        text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawJson, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let text: Box<str> = text.into();
        RawJson::parse(text.into_boxed_bytes().into_vec()).map_err(serde::de::Error::custom)
    }
}
