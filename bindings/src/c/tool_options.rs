//! `mcp_tool_options_t`: how a tool is described and served.

use std::time::Duration;

use mcp::{Error, Icon, ToolOptions};

use crate::draft::{Draft, edit};
use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::mcp_str;

/// How a tool is described and served. The setters never fail: the first mistake is told by the registration. Not to be
/// used from two threads at once.
pub struct mcp_tool_options_t {
    draft: Draft<ToolOptions>,
    inline: bool,
}

impl mcp_tool_options_t {
    /// What holds where there are no options: their defaults, and whether the handler is inline.
    pub(crate) fn none() -> Result<(ToolOptions, bool), Error> {
        Ok((ToolOptions::new(), false))
    }

    /// The options, and whether the handler is inline.
    pub(crate) fn finish(self) -> Result<(ToolOptions, bool), Error> {
        Ok((self.draft.finish()?, self.inline))
    }
}

/// Options as they are by default.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tool_options_new() -> *mut mcp_tool_options_t {
    guard_pointer(|| give(mcp_tool_options_t { draft: Draft::new(ToolOptions::new()), inline: false }))
}

/// Frees options that nothing was registered with. NULL is fine.
///
/// # Safety
/// `options` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_delete(options: *mut mcp_tool_options_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(options) }));
}

/// # Safety
/// As `edit`.
unsafe fn set(options: *mut mcp_tool_options_t, change: impl FnOnce(ToolOptions) -> Result<ToolOptions, Error>) {
    // SAFETY: as promised by the caller.
    unsafe { edit(options, |options| &mut options.draft, change) };
}

/// Whether the handler is called on the thread that serves the connection, which it must not block: for quick ones.
/// Default false: on a thread of the handler pool, or by the host's executor.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_inline(options: *mut mcp_tool_options_t, yes: bool) {
    guard(|| {
        // SAFETY: as promised by the caller.
        if let Some(options) = unsafe { options.as_mut() } {
            options.inline = yes;
        }
    });
}

/// Sets the name for people.
///
/// # Safety
/// `options` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_title(options: *mut mcp_tool_options_t, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.title(text.string("title")?))) };
}

/// Describes it, for people and models.
///
/// # Safety
/// `options` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_description(options: *mut mcp_tool_options_t, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.description(text.string("description")?))) };
}

/// Sets the JSON Schema of the arguments (2020-12 or draft-07). Default: an object with any members.
///
/// # Safety
/// `options` is NULL or a live handle; `json` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_input_schema(options: *mut mcp_tool_options_t, json: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.input_schema(json.json("input_schema")?))) };
}

/// Sets the JSON Schema of the structured result.
///
/// # Safety
/// `options` is NULL or a live handle; `json` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_output_schema(options: *mut mcp_tool_options_t, json: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.output_schema(json.json("output_schema")?))) };
}

/// Whether results are structured; with it, the output schema is `{"type": "object"}` where none is given.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_use_structured_content(options: *mut mcp_tool_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.use_structured_content(yes))) };
}

/// Whether clients receive a structured result as text too, where the tool adds none. Default true.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_text_copy(options: *mut mcp_tool_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.text_copy(yes))) };
}

/// Whether structured results are checked against the output schema. Default true.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_validate_output(options: *mut mcp_tool_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.validate_output(yes))) };
}

/// Hints that the tool changes nothing.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_read_only_hint(options: *mut mcp_tool_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.read_only_hint(yes))) };
}

/// Hints that the tool may destroy something.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_destructive_hint(options: *mut mcp_tool_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.destructive(yes))) };
}

/// Hints that a second call with the same arguments changes nothing more.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_idempotent_hint(options: *mut mcp_tool_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.idempotent(yes))) };
}

/// Hints that the tool deals with the world outside of the host.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_open_world_hint(options: *mut mcp_tool_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.open_world_hint(yes))) };
}

/// Adds icons: a JSON array of `{"src": …, "mimeType": …, "sizes": […], "theme": …}`.
///
/// # Safety
/// `options` is NULL or a live handle; `json` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_icons(options: *mut mcp_tool_options_t, json: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |options| {
            Ok(super::read::<Vec<Icon>>(json, "icons")?.into_iter().fold(options, |options, icon| options.icon(icon)))
        })
    };
}

/// Sets `_meta`: a JSON object.
///
/// # Safety
/// `options` is NULL or a live handle; `json` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_meta(options: *mut mcp_tool_options_t, json: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.meta(super::object(json, "_meta")?))) };
}

/// Sets how long a call may take; then it is cancelled, and answered with an error result.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_timeout(options: *mut mcp_tool_options_t, milliseconds: u64) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.timeout(Duration::from_millis(milliseconds)))) };
}

/// Sets how many calls of this tool may run at once; further ones wait.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_options_set_max_concurrency(options: *mut mcp_tool_options_t, number: usize) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.max_concurrency(number))) };
}
