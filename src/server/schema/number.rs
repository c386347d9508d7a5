//! JSON numbers compared exactly: 64-bit integers are never rounded through a float.

use std::cmp::Ordering;

/// A number as far as schemas and headers care about it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// An integer of up to 38 digits; `1.0` is one too.
    Integer(i128),
    /// Any other finite number.
    Real(f64),
}

impl Number {
    /// Reads the text of a JSON number (leading zeros are accepted). `None` when it is no number or none that a double
    /// can hold.
    pub(super) fn parse(text: &[u8]) -> Option<Number> {
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        if !digits.first()?.is_ascii_digit() || !digits.last()?.is_ascii_digit() {
            return None;
        }
        let (whole, fraction) = match digits.iter().position(|b| !b.is_ascii_digit()) {
            None => (digits, &[][..]),
            Some(at) if digits[at] == b'.' => (&digits[..at], &digits[at + 1..]),
            Some(_) => return Number::real(text),
        };
        if whole.len() > 38 || fraction.iter().any(|&b| b != b'0') {
            return Number::real(text);
        }
        let magnitude = match whole.len() {
            ..19 => i128::from(whole.iter().fold(0i64, |value, b| value * 10 + i64::from(b - b'0'))),
            _ => whole.iter().fold(0i128, |value, b| value * 10 + i128::from(b - b'0')),
        };
        Some(Number::Integer(if digits.len() < text.len() { -magnitude } else { magnitude }))
    }

    /// Whether the value has no fractional part, however it is written.
    pub(super) fn is_integer(self) -> bool {
        match self {
            Number::Integer(_) => true,
            Number::Real(value) => value.fract() == 0.0,
        }
    }

    /// Which of the two is larger, exactly.
    pub(super) fn compare(self, other: Number) -> Ordering {
        match (self, other) {
            (Number::Integer(a), Number::Integer(b)) => a.cmp(&b),
            (Number::Real(a), Number::Real(b)) => a.total_cmp(&b),
            (Number::Integer(a), Number::Real(b)) => compare_mixed(a, b),
            (Number::Real(a), Number::Integer(b)) => compare_mixed(b, a).reverse(),
        }
    }

    fn real(text: &[u8]) -> Option<Number> {
        let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
        if value == 0.0 {
            return Some(Number::Integer(0));
        }
        value.is_finite().then_some(Number::Real(value))
    }
}

/// Whether the text of a JSON number is that of a plain integer: digits and perhaps a sign.
pub(super) fn is_plain_integer(text: &[u8]) -> bool {
    !text.iter().any(|b| matches!(b, b'.' | b'e' | b'E'))
}

fn compare_mixed(integer: i128, real: f64) -> Ordering {
    // `as` saturates, which is right for the reals that lie outside of the integers.
    let whole = real.trunc() as i128;
    integer.cmp(&whole).then_with(|| 0.0f64.total_cmp(&(real.fract() + 0.0)))
}
