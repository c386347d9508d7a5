//! Reading JSON: one value at a time, or all of them in their order.

use std::ffi::c_void;
use std::fmt;

use mcp::{Error, JsonKind, RawJson};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::error::mcp_error_t;
use crate::guard::{guard, guard_pointer, guard_result};
use crate::handle::{borrow, put};
use crate::text::{mcp_str, mcp_text_t};

/// Not JSON at all.
pub const MCP_JSON_INVALID: i32 = -1;
/// `null`
pub const MCP_JSON_NULL: i32 = 0;
/// `true` or `false`
pub const MCP_JSON_BOOL: i32 = 1;
/// Any number.
pub const MCP_JSON_NUMBER: i32 = 2;
/// A string.
pub const MCP_JSON_STRING: i32 = 3;
/// An array.
pub const MCP_JSON_ARRAY: i32 = 4;
/// An object.
pub const MCP_JSON_OBJECT: i32 = 5;

/// What a JSON text is, one of `MCP_JSON_…`.
///
/// # Safety
/// `json` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_kind(json: mcp_str) -> i32 {
    // SAFETY: as promised by the caller.
    guard(|| unsafe { json.with_json("json", |json| kind(json.kind())) }.unwrap_or(MCP_JSON_INVALID))
}

fn kind(kind: JsonKind) -> i32 {
    match kind {
        JsonKind::Null => MCP_JSON_NULL,
        JsonKind::Bool => MCP_JSON_BOOL,
        JsonKind::Number => MCP_JSON_NUMBER,
        JsonKind::String => MCP_JSON_STRING,
        JsonKind::Array => MCP_JSON_ARRAY,
        JsonKind::Object => MCP_JSON_OBJECT,
    }
}

/// A value as a type of Rust's, where it is of that type.
///
/// # Safety
/// `json` can be read; `out` is null or can be written.
unsafe fn value<T: serde::de::DeserializeOwned>(json: mcp_str, out: *mut T) -> bool {
    guard(|| {
        // SAFETY: as promised by the caller.
        let read = unsafe { json.with_json("json", |json| json.deserialize::<T>()) };
        let Ok(Ok(value)) = read else { return false };
        // SAFETY: as promised by the caller.
        unsafe { put(out, value) };
        true
    })
}

/// Reads a JSON text that is `true` or `false`. False, and nothing written, when it is something else.
///
/// # Safety
/// `json` can be read; `out_value` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_get_bool(json: mcp_str, out_value: *mut bool) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { value(json, out_value) }
}

/// Reads a JSON text that is a whole number. False, and nothing written, when it is something else.
///
/// # Safety
/// `json` can be read; `out_value` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_get_int64(json: mcp_str, out_value: *mut i64) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { value(json, out_value) }
}

/// Reads a JSON text that is a number. False, and nothing written, when it is something else.
///
/// # Safety
/// `json` can be read; `out_value` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_get_double(json: mcp_str, out_value: *mut f64) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { value(json, out_value) }
}

/// The characters of a JSON text that is a string, owned by the caller. NULL when it is something else.
///
/// # Safety
/// `json` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_get_string(json: mcp_str) -> *mut mcp_text_t {
    guard_pointer(|| {
        // SAFETY: as promised by the caller.
        let text = unsafe { json.with_json("json", RawJson::to_text) };
        text.ok().flatten().map_or(std::ptr::null_mut(), mcp_text_t::give)
    })
}

/// Finds a member of a JSON object: `out_value` is its text, a part of `json`. False when `json` is no object or has no such
/// member. Of members of the same name, the last one counts.
///
/// # Safety
/// `json` and `name` can be read; `out_value` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_find(json: mcp_str, name: mcp_str, out_value: *mut mcp_str) -> bool {
    // SAFETY: as promised by the caller.
    guard(|| match unsafe { name.text("name") } {
        // SAFETY: as promised by the caller.
        Ok(name) => unsafe { pick(json, Pick::Member(name), out_value) },
        Err(_) => false,
    })
}

/// The item of a JSON array by its number from 0: `out_value` is its text, a part of `json`. False when `json` is no array or
/// has not so many items.
///
/// # Safety
/// `json` can be read; `out_value` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_at(json: mcp_str, number: usize, out_value: *mut mcp_str) -> bool {
    // SAFETY: as promised by the caller.
    guard(|| unsafe { pick(json, Pick::Item(number), out_value) })
}

/// Which part of a value is wanted.
#[derive(Clone, Copy)]
enum Pick<'a> {
    Member(&'a str),
    Item(usize),
}

/// # Safety
/// `json` can be read; `out` is null or can be written.
unsafe fn pick(json: mcp_str, wanted: Pick<'_>, out: *mut mcp_str) -> bool {
    // SAFETY: as promised by the caller.
    let found = unsafe {
        json.with_json("json", |json| {
            let part = json.deserialize_seed(wanted).ok().flatten()?;
            Some((part.get().as_ptr(), part.get().len()))
        })
    };
    let Ok(Some((ptr, len))) = found else { return false };
    // SAFETY: as promised by the caller.
    unsafe { put(out, mcp_str { ptr: ptr.cast(), len }) };
    true
}

impl<'de> DeserializeSeed<'de> for Pick<'_> {
    type Value = Option<&'de serde_json::value::RawValue>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        match self {
            Pick::Member(_) => deserializer.deserialize_map(self),
            Pick::Item(_) => deserializer.deserialize_seq(self),
        }
    }
}

impl<'de> Visitor<'de> for Pick<'_> {
    type Value = Option<&'de serde_json::value::RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(name) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            let value = map.next_value()?;
            if matches!(self, Pick::Member(wanted) if wanted == name) {
                found = Some(value);
            }
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let (mut found, mut number) = (None, 0);
        while let Some(value) = seq.next_element()? {
            if matches!(self, Pick::Item(wanted) if wanted == number) {
                found = Some(value);
            }
            number += 1;
        }
        Ok(found)
    }
}

/// Takes the values of a JSON text, in their order. All members must be set; none may throw. Strings are without quotes and
/// escapes, borrowed for the duration of the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mcp_json_visitor {
    /// `sizeof(mcp_json_visitor)`.
    pub size: usize,
    /// `null`
    pub on_null: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    /// `true` or `false`
    pub on_bool: Option<unsafe extern "C" fn(user_data: *mut c_void, value: bool)>,
    /// A whole number that fits.
    pub on_int64: Option<unsafe extern "C" fn(user_data: *mut c_void, value: i64)>,
    /// Any other number.
    pub on_double: Option<unsafe extern "C" fn(user_data: *mut c_void, value: f64)>,
    /// A string.
    pub on_string: Option<unsafe extern "C" fn(user_data: *mut c_void, value: mcp_str)>,
    /// An array begins.
    pub on_begin_array: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    /// The array that began last ends.
    pub on_end_array: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    /// An object begins.
    pub on_begin_object: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    /// The key of the value that follows.
    pub on_key: Option<unsafe extern "C" fn(user_data: *mut c_void, key: mcp_str)>,
    /// The object that began last ends.
    pub on_end_object: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
}

/// Reads a JSON text and gives its values to `visitor`. Fails with `MCP_ERROR_PARSE`, and the line and column of the mistake,
/// when the text is not valid JSON; then nothing was visited. A number that is out of range is told where it is met.
///
/// # Safety
/// `json` can be read; `visitor` points to a table whose `size` is its own; its functions keep their contract.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_visit(
    json: mcp_str,
    visitor: *const mcp_json_visitor,
    user_data: *mut c_void,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let table = unsafe { borrow(visitor, "visitor") }?;
        let walk = Walk::new(table, user_data)?;
        // SAFETY: as promised by the caller.
        let walked = unsafe { json.with_json("json", |json| json.deserialize_seed(&walk)) }?;
        walked.map_err(|error| Error::parse_error(format!("json: {error}")))
    })
}

/// A table without holes.
struct Walk {
    user_data: *mut c_void,
    null: unsafe extern "C" fn(*mut c_void),
    bool: unsafe extern "C" fn(*mut c_void, bool),
    int64: unsafe extern "C" fn(*mut c_void, i64),
    double: unsafe extern "C" fn(*mut c_void, f64),
    string: unsafe extern "C" fn(*mut c_void, mcp_str),
    begin_array: unsafe extern "C" fn(*mut c_void),
    end_array: unsafe extern "C" fn(*mut c_void),
    begin_object: unsafe extern "C" fn(*mut c_void),
    key: unsafe extern "C" fn(*mut c_void, mcp_str),
    end_object: unsafe extern "C" fn(*mut c_void),
}

impl Walk {
    fn new(table: &mcp_json_visitor, user_data: *mut c_void) -> Result<Walk, Error> {
        if table.size < size_of::<mcp_json_visitor>() {
            return Err(Error::invalid_params("visitor.size is too small"));
        }
        let whole = || {
            Some(Walk {
                user_data,
                null: table.on_null?,
                bool: table.on_bool?,
                int64: table.on_int64?,
                double: table.on_double?,
                string: table.on_string?,
                begin_array: table.on_begin_array?,
                end_array: table.on_end_array?,
                begin_object: table.on_begin_object?,
                key: table.on_key?,
                end_object: table.on_end_object?,
            })
        };
        whole().ok_or_else(|| crate::handle::null("the functions of visitor"))
    }
}

impl<'de> DeserializeSeed<'de> for &Walk {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

// SAFETY of every call below: the host promised functions that take its data, and texts outlive the calls.
impl<'de> Visitor<'de> for &Walk {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        // SAFETY: see above.
        unsafe { (self.null)(self.user_data) };
        Ok(())
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<(), E> {
        // SAFETY: see above.
        unsafe { (self.bool)(self.user_data, value) };
        Ok(())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        // SAFETY: see above.
        unsafe { (self.int64)(self.user_data, value) };
        Ok(())
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            // Too large for a whole number of C++'s `JsonValue`; the nearest one is kept.
            Err(_) => self.visit_f64(value as f64),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        // SAFETY: see above.
        unsafe { (self.double)(self.user_data, value) };
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<(), E> {
        // SAFETY: see above.
        unsafe { (self.string)(self.user_data, mcp_str::of(value)) };
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        // SAFETY: see above.
        unsafe { (self.begin_array)(self.user_data) };
        while seq.next_element_seed(self)?.is_some() {}
        // SAFETY: see above.
        unsafe { (self.end_array)(self.user_data) };
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        // SAFETY: see above.
        unsafe { (self.begin_object)(self.user_data) };
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            // SAFETY: see above.
            unsafe { (self.key)(self.user_data, mcp_str::of(&key)) };
            map.next_value_seed(self)?;
        }
        // SAFETY: see above.
        unsafe { (self.end_object)(self.user_data) };
        Ok(())
    }
}
