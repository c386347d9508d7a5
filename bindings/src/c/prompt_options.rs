//! `mcp_prompt_options_t`: how a prompt is described and served.

use mcp::{Error, Icon, PromptArgument, PromptOptions};

use crate::draft::{Draft, edit};
use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::mcp_str;

/// How a prompt is described and served. The setters never fail: the first mistake is told by the registration. Not to be
/// used from two threads at once.
pub struct mcp_prompt_options_t {
    draft: Draft<PromptOptions>,
    inline: bool,
}

impl mcp_prompt_options_t {
    /// What holds where there are no options: their defaults, and whether the handler is inline.
    pub(crate) fn none() -> Result<(PromptOptions, bool), Error> {
        Ok((PromptOptions::new(), false))
    }

    /// The options, and whether the handler is inline.
    pub(crate) fn finish(self) -> Result<(PromptOptions, bool), Error> {
        Ok((self.draft.finish()?, self.inline))
    }
}

/// Options as they are by default.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_prompt_options_new() -> *mut mcp_prompt_options_t {
    guard_pointer(|| give(mcp_prompt_options_t { draft: Draft::new(PromptOptions::new()), inline: false }))
}

/// Frees options that nothing was registered with. NULL is fine.
///
/// # Safety
/// `options` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_prompt_options_delete(options: *mut mcp_prompt_options_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(options) }));
}

/// # Safety
/// As `edit`.
unsafe fn set(options: *mut mcp_prompt_options_t, change: impl FnOnce(PromptOptions) -> Result<PromptOptions, Error>) {
    // SAFETY: as promised by the caller.
    unsafe { edit(options, |options| &mut options.draft, change) };
}

/// Whether the handler is called on the thread that serves the connection, which it must not block: for quick ones.
/// Default false: on a thread of the handler pool, or by the host's executor.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_prompt_options_set_inline(options: *mut mcp_prompt_options_t, yes: bool) {
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
pub unsafe extern "C" fn mcp_prompt_options_set_title(options: *mut mcp_prompt_options_t, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.title(text.string("title")?))) };
}

/// Describes it, for people and models.
///
/// # Safety
/// `options` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_prompt_options_set_description(options: *mut mcp_prompt_options_t, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.description(text.string("description")?))) };
}

/// Adds icons: a JSON array of `{"src": …, "mimeType": …, "sizes": […], "theme": …}`.
///
/// # Safety
/// `options` is NULL or a live handle; `json` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_prompt_options_set_icons(options: *mut mcp_prompt_options_t, json: mcp_str) {
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
pub unsafe extern "C" fn mcp_prompt_options_set_meta(options: *mut mcp_prompt_options_t, json: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.meta(super::object(json, "_meta")?))) };
}

/// Adds an argument. `title` and `description` may be none.
///
/// # Safety
/// `options` is NULL or a live handle; the others can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_prompt_options_add_argument(
    options: *mut mcp_prompt_options_t,
    name: mcp_str,
    title: mcp_str,
    description: mcp_str,
    required: bool,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |options| {
            let name = name.string("name")?;
            let mut argument = if required { PromptArgument::required(name) } else { PromptArgument::optional(name) };
            argument.title = title.optional("title")?.map(str::to_owned);
            argument.description = description.optional("description")?.map(str::to_owned);
            Ok(options.argument(argument))
        });
    }
}
