//! A URI as units: one for each byte that it means, so that equivalent spellings are equal.

/// A byte, written literally or percent-encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) byte: u8,
    /// The byte is a delimiter that was percent-encoded, and so does not delimit. Unset for all other bytes, which mean
    /// the same either way.
    encoded_delimiter: bool,
}

impl Unit {
    /// Whether this is the literal character.
    pub(super) fn is(self, byte: u8) -> bool {
        self.byte == byte && !self.encoded_delimiter
    }

    /// Whether this is the delimiter in its encoded form.
    pub(super) fn is_encoded(self, byte: u8) -> bool {
        self.byte == byte && self.encoded_delimiter
    }

    /// Whether a UTF-8 character starts here.
    pub(super) fn starts_character(self) -> bool {
        self.byte & 0xC0 != 0x80
    }

    fn literal(byte: u8) -> Unit {
        Unit { byte, encoded_delimiter: false }
    }
}

/// The units of a URI, its scheme in lower case; `None` when a `%` is not followed by two hexadecimal digits.
pub(super) fn of_uri(text: &str) -> Option<Vec<Unit>> {
    let mut units = of_text(text)?;
    let end = units.iter().position(|unit| !is_scheme(unit.byte)).unwrap_or(units.len());
    if units.get(end).is_some_and(|unit| unit.is(b':')) {
        units[..end].iter_mut().for_each(|unit| unit.byte.make_ascii_lowercase());
    }
    Some(units)
}

/// The units of a part of a URI or of a template's literal text.
pub(super) fn of_text(text: &str) -> Option<Vec<Unit>> {
    let mut units = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            units.push(Unit::literal(byte));
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digit = |b: u8| char::from(b).to_digit(16);
        let byte = u8::try_from(digit(digits[0])? * 16 + digit(digits[1])?).ok()?;
        units.push(Unit { byte, encoded_delimiter: is_delimiter(byte) });
        rest = after;
    }
    Some(units)
}

/// The text that units mean; `None` when it is not UTF-8.
pub(super) fn decode(units: &[Unit]) -> Option<String> {
    String::from_utf8(units.iter().map(|unit| unit.byte).collect()).ok()
}

fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// The reserved characters of RFC 3986, and the percent sign.
fn is_delimiter(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=%".contains(&byte)
}
