//! `mcp_json_writer_t`: JSON, written piece by piece.

use mcp::JsonWriter;

use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::{mcp_str, mcp_text_t};

/// JSON in the making: begin and end objects and arrays, give every member its key before its value. Commas and escapes are
/// the writer's affair. Mistakes make `mcp_json_writer_finish` give NULL. Not to be used from two threads at once.
pub struct mcp_json_writer_t {
    writer: JsonWriter,
    failed: bool,
}

/// An empty text.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_json_writer_new() -> *mut mcp_json_writer_t {
    guard_pointer(|| give(mcp_json_writer_t { writer: JsonWriter::default(), failed: false }))
}

/// Frees a writer. NULL is fine.
///
/// # Safety
/// `writer` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_writer_delete(writer: *mut mcp_json_writer_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(writer) }));
}

/// The text, owned by the caller, and frees the writer. NULL when something was wrong: bad UTF-8, a number that is not
/// finite, a missing end, a value without a key.
///
/// # Safety
/// `writer` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_writer_finish(writer: *mut mcp_json_writer_t) -> *mut mcp_text_t {
    guard_pointer(|| {
        // SAFETY: as promised by the caller.
        let Some(writer) = (unsafe { take(writer) }) else { return std::ptr::null_mut() };
        if writer.failed {
            return std::ptr::null_mut();
        }
        writer.writer.finish().map_or(std::ptr::null_mut(), |json| mcp_text_t::give(json.into_bytes()))
    })
}

/// # Safety
/// `writer` is null, or a live handle that nobody else uses meanwhile.
unsafe fn write(writer: *mut mcp_json_writer_t, write: impl FnOnce(&mut JsonWriter) -> Result<(), mcp::Error>) {
    guard(|| {
        // SAFETY: as promised by the caller.
        if let Some(handle) = unsafe { writer.as_mut() } {
            handle.failed |= write(&mut handle.writer).is_err();
        }
    });
}

/// Begins an object.
///
/// # Safety
/// `writer` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_begin_object(writer: *mut mcp_json_writer_t) {
    // SAFETY: as promised by the caller.
    unsafe {
        write(writer, |w| {
            w.begin_object();
            Ok(())
        });
    }
}

/// Ends the object that was begun last.
///
/// # Safety
/// `writer` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_end_object(writer: *mut mcp_json_writer_t) {
    // SAFETY: as promised by the caller.
    unsafe {
        write(writer, |w| {
            w.end_object();
            Ok(())
        });
    }
}

/// Begins an array.
///
/// # Safety
/// `writer` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_begin_array(writer: *mut mcp_json_writer_t) {
    // SAFETY: as promised by the caller.
    unsafe {
        write(writer, |w| {
            w.begin_array();
            Ok(())
        });
    }
}

/// Ends the array that was begun last.
///
/// # Safety
/// `writer` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_end_array(writer: *mut mcp_json_writer_t) {
    // SAFETY: as promised by the caller.
    unsafe {
        write(writer, |w| {
            w.end_array();
            Ok(())
        });
    }
}

/// Writes the key of the next value.
///
/// # Safety
/// `writer` is NULL or a live handle; `key` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_key(writer: *mut mcp_json_writer_t, key: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        write(writer, |w| {
            w.any_key(key.text("key")?);
            Ok(())
        });
    }
}

/// Writes a string.
///
/// # Safety
/// `writer` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_string(writer: *mut mcp_json_writer_t, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        write(writer, |w| {
            w.string(text.text("text")?);
            Ok(())
        });
    }
}

/// Writes a whole number.
///
/// # Safety
/// `writer` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_int64(writer: *mut mcp_json_writer_t, number: i64) {
    // SAFETY: as promised by the caller.
    unsafe {
        write(writer, |w| {
            w.value(&number);
            Ok(())
        });
    }
}

/// Writes a number, in the shortest form that reads back as the same one. It must be finite.
///
/// # Safety
/// `writer` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_double(writer: *mut mcp_json_writer_t, number: f64) {
    // SAFETY: as promised by the caller.
    unsafe {
        write(writer, |w| {
            if !number.is_finite() {
                return Err(mcp::Error::invalid_params("a number must be finite"));
            }
            w.value(&number);
            Ok(())
        });
    }
}

/// Writes true or false.
///
/// # Safety
/// `writer` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_bool(writer: *mut mcp_json_writer_t, value: bool) {
    // SAFETY: as promised by the caller.
    unsafe {
        write(writer, |w| {
            w.value(&value);
            Ok(())
        });
    }
}

/// Writes null.
///
/// # Safety
/// `writer` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_null(writer: *mut mcp_json_writer_t) {
    // SAFETY: as promised by the caller.
    unsafe {
        write(writer, |w| {
            w.value(&());
            Ok(())
        });
    }
}

/// Writes a value that is JSON text already.
///
/// # Safety
/// `writer` is NULL or a live handle; `json` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_json_raw(writer: *mut mcp_json_writer_t, json: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { write(writer, |w| json.with_json("json", |json| w.raw(json))) };
}
