//! The scanner: one validating pass over JSON text, without recursion and without building anything.

use std::fmt;

use bytes::Bytes;

use super::find::find_special;
use super::raw::RawJson;

/// Deepest nesting that is accepted. Deeper text is refused, whatever its size.
pub(crate) const MAX_DEPTH: usize = 128;

const TOO_DEEP: &str = "values are nested too deep";

/// A half-open byte range of the scanned text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Span {
        // Messages are bounded far below 4 GiB by every transport; `Scanner::new` refuses longer text.
        Span { start: start as u32, end: end as u32 }
    }

    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub(crate) fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// Why a text is not JSON, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError(Box<Problem>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Problem {
    what: &'static str,
    line: usize,
    column: usize,
}

impl SyntaxError {
    pub(crate) fn at(text: &[u8], offset: usize, what: &'static str) -> SyntaxError {
        let before = text.get(..offset).unwrap_or(text);
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&b| b != b'\n').count();
        SyntaxError(Box::new(Problem { what, line, column }))
    }

    /// Whether the text was refused for its depth, not for being malformed.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.0.what == TOO_DEEP
    }

    /// Line of the offending byte, from 1.
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// Column of the offending byte in bytes, from 1.
    pub fn column(&self) -> usize {
        self.0.column
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { what, line, column } = &*self.0;
        write!(f, "{what} at line {line} column {column}")
    }
}

impl std::error::Error for SyntaxError {}

type Result<T> = std::result::Result<T, SyntaxError>;

/// A position in JSON text. Every method either consumes exactly what its name says or fails; after a failure the
/// position is where the text went wrong, so what was read before it can still be used.
pub(crate) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
    escapes: usize,
    key_is_escaped: bool,
}

impl<'a> Scanner<'a> {
    /// A scanner over `text`.
    ///
    /// # Errors
    /// The text is not UTF-8, or too long to be indexed.
    pub(crate) fn new(text: &'a [u8]) -> Result<Scanner<'a>> {
        if text.len() > u32::MAX as usize {
            return Err(SyntaxError::at(&[], 0, "text is too long"));
        }
        if simdutf8::basic::from_utf8(text).is_err() {
            let offset = std::str::from_utf8(text).err().map_or(0, |e| e.valid_up_to());
            return Err(SyntaxError::at(text, offset, "text is not valid UTF-8"));
        }
        Ok(Scanner { text, at: 0, depth: 0, escapes: 0, key_is_escaped: false })
    }

    /// A scanner over text that was checked before.
    pub(super) fn trusting(text: &'a [u8]) -> Scanner<'a> {
        Scanner { text, at: 0, depth: 0, escapes: 0, key_is_escaped: false }
    }

    /// Opens an object or array; false when it is empty, and closed already.
    pub(super) fn enter(&mut self, opening: u8) -> Result<bool> {
        self.open(opening, "an object or array was expected")?;
        // In ASCII a closing brace or bracket is two after its opening one.
        if self.peek_byte()? == opening + 2 {
            return self.close().map(|()| false);
        }
        Ok(true)
    }

    /// Consumes a member name and its colon.
    pub(super) fn member_name(&mut self) -> Result<Span> {
        self.key()
    }

    /// After a member or item: whether another one follows; otherwise the object or array is closed.
    pub(super) fn another(&mut self, closing: u8) -> Result<bool> {
        self.separator(closing)
    }

    /// The first byte of the next value or punctuation, without consuming it.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        self.skip_space();
        self.text.get(self.at).copied()
    }

    /// Consumes one whole value of any kind.
    pub(crate) fn value(&mut self) -> Result<Span> {
        let first = self.next_byte()?;
        let start = self.at;
        match first {
            b'"' => self.string()?,
            b'{' | b'[' => self.container()?,
            _ => self.scalar(first)?,
        }
        Ok(Span::new(start, self.at))
    }

    /// Consumes an object or array.
    fn container(&mut self) -> Result<()> {
        let mut nest = Nest { objects: 0, depth: 0, limit: MAX_DEPTH - self.depth };
        loop {
            match self.peek_byte()? {
                open @ (b'{' | b'[') => {
                    let is_object = open == b'{';
                    nest.push(is_object).ok_or_else(|| self.error(TOO_DEEP))?;
                    self.at += 1;
                    if self.next_byte()? == nest.close() {
                        self.at += 1;
                        nest.pop();
                    } else {
                        if is_object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                first => self.scalar(first)?,
            }
            if !self.after_value(&mut nest)? {
                return Ok(());
            }
        }
    }

    /// Consumes one whole value and gives its slice. `text` is what the scanner reads.
    pub(crate) fn raw_value(&mut self, text: &Bytes) -> Result<RawJson> {
        let span = self.value()?;
        Ok(RawJson::trusted(text.slice(span.start as usize..span.end as usize)))
    }

    /// Whether the last member name was written with escape sequences.
    pub(crate) fn key_is_escaped(&self) -> bool {
        self.key_is_escaped
    }

    /// Where the next byte is.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// What was consumed since `start`.
    pub(crate) fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// Consumes an object, calling `member` with the span of each key (with its quotes); `member` must consume the value.
    pub(crate) fn object(&mut self, mut member: impl FnMut(&mut Self, Span) -> Result<()>) -> Result<()> {
        if !self.enter(b'{')? {
            return Ok(());
        }
        loop {
            let key = self.key()?;
            member(self, key)?;
            if !self.separator(b'}')? {
                return Ok(());
            }
        }
    }

    /// Consumes an array, calling `item` before each element; `item` must consume the value.
    pub(crate) fn array(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if !self.enter(b'[')? {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.separator(b']')? {
                return Ok(());
            }
        }
    }

    /// Succeeds when nothing but white space is left.
    pub(crate) fn end(&mut self) -> Result<()> {
        self.skip_space();
        if self.at == self.text.len() { Ok(()) } else { Err(self.error("text continues after the JSON value")) }
    }

    fn open(&mut self, byte: u8, otherwise: &'static str) -> Result<()> {
        if self.next_byte()? != byte {
            return Err(self.error(otherwise));
        }
        if self.depth == MAX_DEPTH {
            return Err(self.error(TOO_DEEP));
        }
        self.depth += 1;
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        self.depth -= 1;
        self.at += 1;
        Ok(())
    }

    /// After an element: true when another one follows, false when the container was closed.
    fn separator(&mut self, closing: u8) -> Result<bool> {
        let byte = self.next_byte()?;
        if byte == closing {
            self.close()?;
            return Ok(false);
        }
        if byte != b',' {
            return Err(self.error("a comma or the end of the object or array was expected"));
        }
        self.at += 1;
        self.skip_space();
        Ok(true)
    }

    /// Closes what ends here and steps to the next value: false when the outermost value is complete.
    fn after_value(&mut self, nest: &mut Nest) -> Result<bool> {
        while nest.depth > 0 {
            let byte = self.next_byte()?;
            if byte == b',' {
                self.at += 1;
                self.skip_space();
                if nest.in_object() {
                    self.key()?;
                }
                return Ok(true);
            }
            if byte != nest.close() {
                return Err(self.error("a comma or the end of the object or array was expected"));
            }
            self.at += 1;
            nest.pop();
        }
        Ok(false)
    }

    /// Consumes a key and its colon.
    fn key(&mut self) -> Result<Span> {
        if self.peek_byte()? != b'"' {
            return Err(self.error("a member name in double quotes was expected"));
        }
        let (start, escapes) = (self.at, self.escapes);
        self.string()?;
        self.key_is_escaped = self.escapes != escapes;
        let span = Span::new(start, self.at);
        if self.next_byte()? != b':' {
            return Err(self.error("a colon was expected"));
        }
        self.at += 1;
        self.skip_space();
        Ok(span)
    }

    /// Consumes a string, number or literal, whose first byte is `first`.
    fn scalar(&mut self, first: u8) -> Result<()> {
        match first {
            b'"' => self.string(),
            b't' => self.literal(b"true"),
            b'f' => self.literal(b"false"),
            b'n' => self.literal(b"null"),
            b'-' | b'0'..=b'9' => self.number(),
            _ => Err(self.error("a JSON value was expected")),
        }
    }

    fn literal(&mut self, word: &[u8]) -> Result<()> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.error("a JSON value was expected"))
        }
    }

    fn number(&mut self) -> Result<()> {
        if self.text.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        match self.text.get(self.at) {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            _ => return Err(self.error("a digit was expected")),
        }
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.text.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.text.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<()> {
        let run = self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if run == 0 {
            return Err(self.error("a digit was expected"));
        }
        self.at += run;
        Ok(())
    }

    fn string(&mut self) -> Result<()> {
        self.at = find_special(self.text, self.at + 1);
        if self.text.get(self.at) == Some(&b'"') {
            self.at += 1;
            return Ok(());
        }
        self.rest_of_string()
    }

    /// From where a string is not plain to its end.
    #[inline(never)]
    fn rest_of_string(&mut self) -> Result<()> {
        loop {
            self.at = find_special(self.text, self.at);
            match self.text.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return Err(self.error("a control character in a string must be escaped")),
                None => return Err(self.error("the string is not terminated")),
            }
        }
    }

    fn escape(&mut self) -> Result<()> {
        self.escapes += 1;
        match self.text.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => match self.hex(self.at + 2) {
                Some(0xD800..=0xDBFF) => {
                    let pair = self.text.get(self.at + 6..self.at + 8) == Some(b"\\u");
                    if !pair || !matches!(self.hex(self.at + 8), Some(0xDC00..=0xDFFF)) {
                        return Err(self.error("a lone surrogate is not a character"));
                    }
                    self.at += 12;
                    Ok(())
                }
                Some(0xDC00..=0xDFFF) => Err(self.error("a lone surrogate is not a character")),
                Some(_) => {
                    self.at += 6;
                    Ok(())
                }
                None => Err(self.error("four hexadecimal digits were expected after \\u")),
            },
            _ => Err(self.error("unknown escape sequence in a string")),
        }
    }

    fn hex(&self, at: usize) -> Option<u32> {
        let digits = self.text.get(at..at + 4)?;
        digits.iter().try_fold(0, |value, &b| Some(value * 16 + (b as char).to_digit(16)?))
    }

    /// Skips white space; the byte after it, which is not consumed.
    fn next_byte(&mut self) -> Result<u8> {
        self.skip_space();
        self.peek_byte()
    }

    fn peek_byte(&self) -> Result<u8> {
        self.text.get(self.at).copied().ok_or_else(|| self.error("the text ends too early"))
    }

    fn skip_space(&mut self) {
        // Most messages have no space between their tokens.
        while let Some(byte) = self.text.get(self.at)
            && *byte <= b' '
            && matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
        {
            self.at += 1;
        }
    }

    #[cold]
    fn error(&self, what: &'static str) -> SyntaxError {
        SyntaxError::at(self.text, self.at, what)
    }
}

/// The open containers of one value, a bit each.
struct Nest {
    objects: u128,
    depth: usize,
    limit: usize,
}

impl Nest {
    fn push(&mut self, is_object: bool) -> Option<()> {
        if self.depth == self.limit {
            return None;
        }
        self.objects = self.objects << 1 | is_object as u128;
        self.depth += 1;
        Some(())
    }

    fn pop(&mut self) {
        self.objects >>= 1;
        self.depth -= 1;
    }

    fn in_object(&self) -> bool {
        self.objects & 1 == 1
    }

    fn close(&self) -> u8 {
        if self.in_object() { b'}' } else { b']' }
    }
}
