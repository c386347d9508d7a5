//! The members of one object, by position in its text.

use std::collections::HashSet;

use bytes::Bytes;
use smallvec::SmallVec;

use super::raw::RawJson;
use super::scan::{Scanner, Span, SyntaxError};
use crate::error::Error;

/// An index over the members of one JSON object. The values stay where they are; a look-up slices them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members {
    text: Bytes,
    /// Where the object is in the text.
    whole: Span,
    list: SmallVec<[(Span, Span); 6]>,
    /// Some name is written with escape sequences.
    has_escaped_names: bool,
    /// Some name occurs more than once.
    is_ambiguous: bool,
}

/// Up to so many names are compared with each other.
const FEW_NAMES: usize = 16;

impl Members {
    /// Consumes the object at the scanner's position. `text` is what the scanner reads.
    pub(crate) fn scan(text: &Bytes, scanner: &mut Scanner<'_>) -> Result<Members, SyntaxError> {
        let mut members = Members::default();
        members.fill(text, scanner, |scanner, _| scanner.value())?;
        Ok(members)
    }

    /// Fills an empty index like `scan`, with a reader of values that is told each key (with its quotes) and returns the
    /// span of its value.
    pub(crate) fn fill(
        &mut self,
        text: &Bytes,
        scanner: &mut Scanner<'_>,
        mut value: impl FnMut(&mut Scanner<'_>, &[u8]) -> Result<Span, SyntaxError>,
    ) -> Result<(), SyntaxError> {
        self.text = text.clone();
        scanner.peek();
        let start = scanner.position();
        scanner.object(|scanner, key| {
            self.has_escaped_names |= scanner.key_is_escaped();
            self.list.push((key, value(scanner, key.of(text))?));
            Ok(())
        })?;
        self.whole = scanner.span_from(start);
        self.is_ambiguous = self.repeats_a_name();
        Ok(())
    }

    /// The members of a value that is known to be valid; `None` when it is not an object.
    pub(crate) fn of(raw: &RawJson) -> Option<Members> {
        let text = raw.clone().into_bytes();
        let mut scanner = Scanner::new(&text).ok()?;
        Members::scan(&text, &mut scanner).ok()
    }

    /// The value of `name`.
    ///
    /// # Errors
    /// `-32600` when a name occurs more than once: readers differ in which one they take, so neither is trusted.
    pub(crate) fn get(&self, name: &str) -> Result<Option<RawJson>, Error> {
        Ok(self.find(name)?.map(|value| self.slice(value)))
    }

    /// The text of the value of `name`, for those who only look at it.
    ///
    /// # Errors
    /// That of `get`.
    pub(crate) fn peek(&self, name: &str) -> Result<Option<&[u8]>, Error> {
        Ok(self.find(name)?.map(|value| value.of(&self.text)))
    }

    fn find(&self, name: &str) -> Result<Option<Span>, Error> {
        if self.is_ambiguous {
            return Err(Error::invalid_request("a member of the parameters occurs more than once"));
        }
        let found = match self.has_escaped_names {
            true => self.list.iter().find(|(key, _)| self.name(*key) == name),
            // Names are in their quotes.
            false => self.list.iter().find(|(key, _)| {
                key.len() == name.len() + 2 && key.of(&self.text).get(1..=name.len()) == Some(name.as_bytes())
            }),
        };
        Ok(found.map(|(_, value)| *value))
    }

    /// Every member in order, its name unescaped.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (String, RawJson)> + '_ {
        self.list.iter().map(|(key, value)| (self.name(*key), self.slice(*value)))
    }

    /// The object as it was written; `{}` where there is none.
    pub(crate) fn to_raw(&self) -> RawJson {
        if self.whole.len() == 0 { RawJson::EMPTY_OBJECT } else { self.slice(self.whole) }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    fn slice(&self, span: Span) -> RawJson {
        RawJson::trusted(self.text.slice(span.start as usize..span.end as usize))
    }

    fn repeats_a_name(&self) -> bool {
        let list = &self.list;
        if self.has_escaped_names || list.len() > FEW_NAMES {
            let mut names = HashSet::new();
            return list.iter().any(|(key, _)| !names.insert(self.name(*key)));
        }
        let same = |a: Span, b: Span| a.len() == b.len() && a.of(&self.text) == b.of(&self.text);
        list.iter().enumerate().any(|(n, (key, _))| list[..n].iter().any(|(other, _)| same(*key, *other)))
    }

    fn name(&self, key: Span) -> String {
        serde_json::from_slice(key.of(&self.text)).unwrap_or_default()
    }
}
