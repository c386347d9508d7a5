//! Text on its way across the border.

use std::ffi::c_char;

use bytes::Bytes;
use mcp::{Error, RawJson};

use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};

/// Borrowed UTF-8 text: `len` bytes at `ptr`, not terminated. `{NULL, 0}` stands for "none", and for empty text where
/// there can't be none. What a function is given is borrowed for the duration of the call; what a callback is given, for
/// the duration of the callback, unless it is said otherwise.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mcp_str {
    /// The first byte.
    pub ptr: *const c_char,
    /// How many bytes there are.
    pub len: usize,
}

/// Text that the caller owns. See `mcp_text_str` and `mcp_text_delete`.
pub struct mcp_text_t(Bytes);

impl mcp_str {
    pub(crate) const NONE: mcp_str = mcp_str { ptr: std::ptr::null(), len: 0 };

    pub(crate) fn of(text: &str) -> mcp_str {
        mcp_str::of_bytes(text.as_bytes())
    }

    /// The bytes are UTF-8.
    pub(crate) fn of_bytes(text: &[u8]) -> mcp_str {
        mcp_str { ptr: text.as_ptr().cast(), len: text.len() }
    }

    pub(crate) fn of_json(json: Option<&RawJson>) -> mcp_str {
        json.map_or(mcp_str::NONE, |json| mcp_str::of(json.as_str()))
    }

    pub(crate) fn of_option(text: Option<&str>) -> mcp_str {
        text.map_or(mcp_str::NONE, mcp_str::of)
    }

    pub(crate) fn is_none(self) -> bool {
        self.ptr.is_null()
    }

    /// The bytes.
    ///
    /// # Safety
    /// `ptr` is null or points to `len` bytes that nobody changes while the result is used.
    pub(crate) unsafe fn bytes<'a>(self, what: &str) -> Result<&'a [u8], Error> {
        match (self.ptr.is_null(), self.len) {
            (true, 0) => Ok(&[]),
            (true, _) => Err(Error::invalid_params(format!("{what}: ptr is NULL but len is {}", self.len))),
            // SAFETY: as promised by the caller.
            _ => Ok(unsafe { std::slice::from_raw_parts(self.ptr.cast(), self.len) }),
        }
    }

    /// The text.
    ///
    /// # Errors
    /// It is not UTF-8.
    ///
    /// # Safety
    /// As `bytes`.
    pub(crate) unsafe fn text<'a>(self, what: &str) -> Result<&'a str, Error> {
        // SAFETY: as promised by the caller.
        let bytes = unsafe { self.bytes(what) }?;
        std::str::from_utf8(bytes).map_err(|error| {
            Error::invalid_params(format!("{what} is not valid UTF-8: byte {} can't be there", error.valid_up_to()))
        })
    }

    /// The text as a string of its own.
    ///
    /// # Safety
    /// As `bytes`.
    pub(crate) unsafe fn string(self, what: &str) -> Result<String, Error> {
        // SAFETY: as promised by the caller.
        unsafe { self.text(what) }.map(str::to_owned)
    }

    /// The text, where there is any.
    ///
    /// # Safety
    /// As `bytes`.
    pub(crate) unsafe fn optional<'a>(self, what: &str) -> Result<Option<&'a str>, Error> {
        // SAFETY: as promised by the caller.
        if self.is_none() { Ok(None) } else { unsafe { self.text(what) }.map(Some) }
    }

    /// A copy of the text, which is JSON.
    ///
    /// # Errors
    /// It is not valid JSON, or not UTF-8.
    ///
    /// # Safety
    /// As `bytes`.
    pub(crate) unsafe fn json(self, what: &str) -> Result<RawJson, Error> {
        // SAFETY: as promised by the caller.
        let bytes = unsafe { self.bytes(what) }?;
        parse_json(Bytes::copy_from_slice(bytes), what)
    }

    /// Calls `read` with the text as JSON, without a copy.
    ///
    /// # Safety
    /// As `bytes`, until this returns.
    pub(crate) unsafe fn with_json<T>(self, what: &str, read: impl FnOnce(&RawJson) -> T) -> Result<T, Error> {
        // SAFETY: as promised by the caller; the bytes do not outlive this call, because `read` sees a reference only
        // and gives back nothing that shares them (`T` can't name the lifetime, and no caller clones the text).
        let bytes = unsafe { std::mem::transmute::<&[u8], &'static [u8]>(self.bytes(what)?) };
        parse_json(Bytes::from_static(bytes), what).map(|json| read(&json))
    }
}

fn parse_json(text: Bytes, what: &str) -> Result<RawJson, Error> {
    RawJson::parse(text).map_err(|error| Error::parse_error(format!("{what} is not valid JSON: {error}")))
}

impl mcp_text_t {
    pub(crate) fn give(text: impl Into<Bytes>) -> *mut mcp_text_t {
        give(mcp_text_t(text.into()))
    }
}

/// The text; borrowed, valid until `text` is deleted. NULL gives none.
///
/// # Safety
/// `text` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_text_str(text: *const mcp_text_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { text.as_ref() }.map_or(mcp_str::NONE, |text| mcp_str::of_bytes(&text.0))
}

/// Frees text. NULL is fine.
///
/// # Safety
/// `text` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_text_delete(text: *mut mcp_text_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(text) }));
}

/// Text of the caller's own, copied. NULL when `text` is not valid UTF-8.
///
/// # Safety
/// `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_text_new(text: mcp_str) -> *mut mcp_text_t {
    guard_pointer(|| {
        // SAFETY: as promised by the caller.
        let text = unsafe { text.string("text") };
        text.map_or(std::ptr::null_mut(), mcp_text_t::give)
    })
}
