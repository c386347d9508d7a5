//! Reading Rust types from valid JSON text.
//!
//! Objects, arrays and strings, which are nearly all of a message, are read here, a string in one copy; numbers and
//! what is rare are handed to `serde_json`.

use std::borrow::Cow;

use memchr::memchr;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Error;

use super::scan::Scanner;

/// Reads a value from text that is known to be valid.
pub(super) struct Reader<'de> {
    text: &'de [u8],
    scanner: Scanner<'de>,
}

type Result<T> = std::result::Result<T, Error>;

impl<'de> Reader<'de> {
    pub(super) fn new(text: &'de [u8]) -> Reader<'de> {
        Reader { text, scanner: Scanner::trusting(text) }
    }

    /// The text of the next value, whatever it is.
    fn next_value(&mut self) -> Result<&'de [u8]> {
        let span = self.scanner.value().map_err(Error::custom)?;
        Ok(span.of(self.text))
    }
}

/// The characters of a string with its quotes.
pub(super) fn unquote(quoted: &[u8]) -> Result<Cow<'_, str>> {
    let plain = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    let plain = simdutf8::basic::from_utf8(plain).map_err(Error::custom)?;
    match memchr(b'\\', plain.as_bytes()) {
        None => Ok(Cow::Borrowed(plain)),
        Some(first) => unescape(plain, first).map(Cow::Owned),
    }
}

/// The characters of a string whose first escape sequence is at `at`.
fn unescape(plain: &str, mut at: usize) -> Result<String> {
    let malformed = || Error::custom("a malformed escape sequence");
    let mut text = String::with_capacity(plain.len());
    let mut from = 0;
    loop {
        text.push_str(plain.get(from..at).ok_or_else(malformed)?);
        from = at + 2;
        match plain.as_bytes().get(at + 1).ok_or_else(malformed)? {
            b'b' => text.push('\u{8}'),
            b'f' => text.push('\u{c}'),
            b'n' => text.push('\n'),
            b'r' => text.push('\r'),
            b't' => text.push('\t'),
            b'u' => {
                let (character, end) = unicode_escape(plain, at).ok_or_else(malformed)?;
                text.push(character);
                from = end;
            }
            other => text.push(char::from(*other)),
        }
        let rest = plain.as_bytes().get(from..).unwrap_or_default();
        match memchr(b'\\', rest) {
            Some(next) => at = from + next,
            None => break,
        }
    }
    text.push_str(plain.get(from..).unwrap_or_default());
    Ok(text)
}

/// The character of `\uXXXX`, or of a pair of them, at `at`, and where the text goes on.
fn unicode_escape(plain: &str, at: usize) -> Option<(char, usize)> {
    let unit = |at: usize| u16::from_str_radix(plain.get(at + 2..at + 6)?, 16).ok();
    let first = unit(at)?;
    match char::from_u32(u32::from(first)) {
        Some(character) => Some((character, at + 6)),
        None => Some((char::decode_utf16([first, unit(at + 6)?]).next()?.ok()?, at + 12)),
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.scanner.peek() {
            Some(b'{') => {
                let fields = Fields { entered: self.scanner.enter(b'{').map_err(Error::custom)?, reader: self };
                visitor.visit_map(fields)
            }
            Some(b'[') => {
                let items = Items { entered: self.scanner.enter(b'[').map_err(Error::custom)?, reader: self };
                visitor.visit_seq(items)
            }
            Some(b'"') => match unquote(self.next_value()?)? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            _ => serde_json::Deserializer::from_slice(self.next_value()?).deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.scanner.peek() == Some(b'n') {
            self.next_value()?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name.starts_with("$serde_json::") {
            return serde_json::Deserializer::from_slice(self.next_value()?).deserialize_newtype_struct(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        serde_json::Deserializer::from_slice(self.next_value()?).deserialize_enum(name, variants, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        // `serde` would take an array for the fields in their order, which nobody means in JSON.
        match self.scanner.peek() {
            Some(b'{') => self.deserialize_any(visitor),
            _ => Err(Error::custom("an object was expected")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.next_value()?;
        visitor.visit_unit()
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        serde_json::Deserializer::from_slice(self.next_value()?).deserialize_bytes(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        serde_json::Deserializer::from_slice(self.next_value()?).deserialize_byte_buf(visitor)
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        serde_json::Deserializer::from_slice(self.next_value()?).deserialize_i128(visitor)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        serde_json::Deserializer::from_slice(self.next_value()?).deserialize_u128(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string unit unit_struct seq tuple tuple_struct map
        identifier
    }
}

/// The members of an object that is open.
struct Fields<'r, 'de> {
    reader: &'r mut Reader<'de>,
    /// There is a member to be read; otherwise the object is closed already.
    entered: bool,
}

impl<'de> MapAccess<'de> for Fields<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !self.entered {
            return Ok(None);
        }
        let key = self.reader.scanner.member_name().map_err(Error::custom)?.of(self.reader.text);
        match unquote(key)? {
            Cow::Borrowed(name) => seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some),
            Cow::Owned(name) => seed.deserialize(serde::de::value::StringDeserializer::new(name)).map(Some),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let value = seed.deserialize(&mut *self.reader)?;
        self.entered = self.reader.scanner.another(b'}').map_err(Error::custom)?;
        Ok(value)
    }
}

/// The items of an array that is open.
struct Items<'r, 'de> {
    reader: &'r mut Reader<'de>,
    entered: bool,
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if !self.entered {
            return Ok(None);
        }
        let item = seed.deserialize(&mut *self.reader)?;
        self.entered = self.reader.scanner.another(b']').map_err(Error::custom)?;
        Ok(Some(item))
    }
}
