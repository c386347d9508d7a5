//! Reading results and questions from their wire form, whatever the revision: what a host that works with JSON hands in.
//!
//! The members of an object are read one after the other, so a large text is copied once and nothing is buffered.
//! Members that are not known are skipped; what is wrong is named, with what it must be.

mod content;
mod input;
mod results;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use crate::json::{Kind, RawJson};

/// The members of an object while they are read.
trait Parts<'de>: Default {
    /// What the members make.
    type Whole;

    /// What is read, with its article.
    const WHAT: &'static str;

    /// Reads one member, or skips it.
    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error>;

    /// Puts the members together.
    ///
    /// # Errors
    /// Which member is missing, and what it must be.
    fn finish(self) -> Result<Self::Whole, String>;
}

/// Reads the object that `P` are the members of.
fn read<'de, P: Parts<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<P::Whole, D::Error> {
    struct Object<P>(PhantomData<P>);

    impl<'de, P: Parts<'de>> Visitor<'de> for Object<P> {
        type Value = P;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{} (an object)", P::WHAT)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<P, A::Error> {
            let mut parts = P::default();
            while let Some(Name(name)) = map.next_key()? {
                let mut member = Member { name, map: &mut map };
                parts.member(&mut member)?;
            }
            Ok(parts)
        }
    }

    deserializer.deserialize_map(Object::<P>(PhantomData))?.finish().map_err(D::Error::custom)
}

/// A member whose name is read and whose value is not.
struct Member<'m, 'de, A> {
    name: Cow<'de, str>,
    map: &'m mut A,
}

impl<'de, A: MapAccess<'de>> Member<'_, 'de, A> {
    fn name(&self) -> &str {
        &self.name
    }

    fn skip(&mut self) -> Result<(), A::Error> {
        self.map.next_value::<IgnoredAny>().map(|_| ())
    }

    /// Reads the value; `null` is as good as nothing. `what` is what it must be.
    fn read<T: Deserialize<'de>>(&mut self, slot: &mut Option<T>, what: &str) -> Result<(), A::Error> {
        let value = self.map.next_value::<Option<T>>().map_err(|error| self.wrong(what, &error))?;
        self.put(slot, value)
    }

    /// Reads a whole number.
    fn whole(&mut self, slot: &mut Option<u64>) -> Result<(), A::Error> {
        let mut whole = None;
        self.read(&mut whole, "a whole number that is not negative")?;
        self.put(slot, whole.map(|Whole(number)| number))
    }

    /// Reads any JSON, `null` as well.
    fn json(&mut self, slot: &mut Option<RawJson>) -> Result<(), A::Error> {
        let value = self.map.next_value()?;
        self.put(slot, Some(value))
    }

    /// Reads an object and leaves it as it is.
    fn object(&mut self, slot: &mut Option<RawJson>) -> Result<(), A::Error> {
        self.of_kind(slot, Kind::Object, "an object")
    }

    /// Reads an array and leaves it as it is.
    fn array(&mut self, slot: &mut Option<RawJson>) -> Result<(), A::Error> {
        self.of_kind(slot, Kind::Array, "an array")
    }

    fn of_kind(&mut self, slot: &mut Option<RawJson>, kind: Kind, what: &str) -> Result<(), A::Error> {
        let value = self.map.next_value::<RawJson>()?;
        if value.kind() == kind {
            self.put(slot, Some(value))
        } else if value.kind() == Kind::Null {
            self.put(slot, None)
        } else {
            Err(A::Error::custom(format_args!("\"{}\" must be {what}", self.name)))
        }
    }

    fn put<T>(&self, slot: &mut Option<T>, value: Option<T>) -> Result<(), A::Error> {
        if slot.is_some() {
            return Err(A::Error::custom(format_args!("\"{}\" occurs more than once", self.name)));
        }
        *slot = value;
        Ok(())
    }

    fn wrong(&self, what: &str, error: &A::Error) -> A::Error {
        A::Error::custom(format_args!("\"{}\" must be {what}: {error}", self.name))
    }
}

/// What the role of a message must be.
const ROLES: &str = "\"user\" or \"assistant\"";

/// The value of a member that must be there.
fn required<T>(value: Option<T>, name: &str, what: &str) -> Result<T, String> {
    value.ok_or_else(|| format!("\"{name}\" is missing; it must be {what}"))
}

/// A member name, borrowed where the text allows.
struct Name<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name<'de>, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

/// A whole number. Hosts whose numbers are all floating point write `3.0`.
struct Whole(u64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Whole, D::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = Whole;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }

            fn visit_u64<E>(self, number: u64) -> Result<Whole, E> {
                Ok(Whole(number))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Whole, E> {
                // Beyond 2^53 neighbours can't be told apart.
                let is_whole = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
                if is_whole { Ok(Whole(number as u64)) } else { Err(E::custom(format_args!("not {number}"))) }
            }
        }

        deserializer.deserialize_u64(Number)
    }
}
