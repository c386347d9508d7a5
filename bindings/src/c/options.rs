//! `mcp_options_t`: how a server behaves.

use std::ffi::c_void;
use std::time::Duration;

use mcp::{Error, Events, Filters, Implementation, InputRequiredConfig, Limits, ProtocolVersion, ServerBuilder};

use crate::callback::{Callback, discard, mcp_destroy_fn};
use crate::draft::Draft;
use crate::executor::PostFunction;
use crate::gate::SharedGate;
use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::mcp_str;

/// How a server behaves. The setters never fail: the first mistake is told by `mcp_server_new`. Not to be used from two
/// threads at once.
pub struct mcp_options_t {
    pub(crate) draft: Draft<Parts>,
    pub(crate) gate: SharedGate,
}

/// Everything that a server is made of.
pub(crate) struct Parts {
    pub(crate) builder: ServerBuilder,
    pub(crate) info: Implementation,
    pub(crate) events: Events,
    pub(crate) incoming: Filters,
    pub(crate) outgoing: Filters,
    pub(crate) limits: Limits,
    pub(crate) executor: Option<Callback<PostFunction>>,
    pub(crate) worker_threads: usize,
    pub(crate) handler_threads: usize,
}

/// Options of a server with this name and version, everything else as it is by default.
///
/// # Safety
/// Both can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_new(name: mcp_str, version: mcp_str) -> *mut mcp_options_t {
    guard_pointer(|| {
        let parts = Parts {
            builder: mcp::Server::builder("", ""),
            info: Implementation::default(),
            events: Events::new(),
            incoming: Filters::new(),
            outgoing: Filters::new(),
            limits: Limits::default(),
            executor: None,
            worker_threads: std::thread::available_parallelism().map_or(2, |cores| cores.get().min(4)),
            handler_threads: 64,
        };
        let mut draft = Draft::new(parts);
        draft.edit(|mut parts| {
            // SAFETY: as promised by the caller.
            parts.info = unsafe { Implementation::new(name.string("name")?, version.string("version")?) };
            Ok(parts)
        });
        give(mcp_options_t { draft, gate: SharedGate::default() })
    })
}

/// Frees options that no server was made of. NULL is fine.
///
/// # Safety
/// `options` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_delete(options: *mut mcp_options_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(options) }));
}

/// # Safety
/// `options` is null, or a live handle that nobody else uses meanwhile.
pub(super) unsafe fn set(options: *mut mcp_options_t, change: impl FnOnce(&mut Parts) -> Result<(), Error>) {
    // SAFETY: as promised by the caller.
    unsafe {
        crate::draft::edit(
            options,
            |options| &mut options.draft,
            |mut parts| {
                change(&mut parts)?;
                Ok(parts)
            },
        );
    }
}

/// # Safety
/// As `set`.
pub(super) unsafe fn build(
    options: *mut mcp_options_t,
    change: impl FnOnce(ServerBuilder) -> Result<ServerBuilder, Error>,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        crate::draft::edit(
            options,
            |options| &mut options.draft,
            |mut parts| {
                parts.builder = change(parts.builder)?;
                Ok(parts)
            },
        );
    }
}

/// Takes a callback over and gives it to `change`. Its destructor runs also when anything is wrong.
///
/// # Safety
/// As `set`.
pub(super) unsafe fn set_callback<F: Copy + Send + Sync + 'static>(
    options: *mut mcp_options_t,
    function: Option<F>,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
    change: impl FnOnce(&mut Parts, Callback<F>) -> Result<(), Error>,
) {
    guard(|| {
        // SAFETY: as promised by the caller.
        let Some(handle) = (unsafe { options.as_mut() }) else { return discard(user_data, destroy) };
        let callback = Callback::new(&handle.gate, function, user_data, destroy);
        handle.draft.edit(|mut parts| {
            change(&mut parts, callback?)?;
            Ok(parts)
        });
    });
}

/// Sets the name for people.
///
/// # Safety
/// `options` is NULL or a live handle; `title` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_title(options: *mut mcp_options_t, title: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |parts| {
            parts.info.title = Some(title.string("title")?);
            Ok(())
        });
    }
}

/// Says what the server is for.
///
/// # Safety
/// `options` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_description(options: *mut mcp_options_t, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |parts| {
            parts.info.description = Some(text.string("description")?);
            Ok(())
        });
    }
}

/// Sets the home page.
///
/// # Safety
/// `options` is NULL or a live handle; `url` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_website_url(options: *mut mcp_options_t, url: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |parts| {
            parts.info.website_url = Some(url.string("website_url")?);
            Ok(())
        });
    }
}

/// Sets the icons: a JSON array of `{"src": …, "mimeType": …, "sizes": […], "theme": …}`.
///
/// # Safety
/// `options` is NULL or a live handle; `icons` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_icons(options: *mut mcp_options_t, icons: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |parts| {
            parts.info.icons = super::read(icons, "icons")?;
            Ok(())
        });
    }
}

/// Sets instructions, which are sent to every client.
///
/// # Safety
/// `options` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_instructions(options: *mut mcp_options_t, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.server_instructions(text.string("instructions")?))) };
}

fn version(text: &str) -> Result<ProtocolVersion, Error> {
    text.parse().map_err(|error: mcp::UnknownVersion| Error::invalid_params(error.to_string()))
}

/// Pins one protocol revision, such as `2025-11-25`.
///
/// # Safety
/// `options` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_protocol_version(options: *mut mcp_options_t, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.protocol_version(version(text.text("protocol_version")?)?))) };
}

/// Narrows the protocol revisions that are spoken. None at all means all.
///
/// # Safety
/// `options` is NULL or a live handle; `versions` points to `count` texts that can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_supported_protocol_versions(
    options: *mut mcp_options_t,
    versions: *const mcp_str,
    count: usize,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        build(options, |builder| {
            let texts = super::strings(versions, count, "supported_protocol_versions")?;
            let versions = texts.iter().map(|text| version(text)).collect::<Result<Vec<_>, _>>()?;
            Ok(if versions.is_empty() { builder } else { builder.supported_protocol_versions(versions) })
        });
    }
}

/// Sets how long a session may take for its handshake. Default 60 s.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_initialization_timeout(options: *mut mcp_options_t, milliseconds: u64) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.initialization_timeout(Duration::from_millis(milliseconds)))) };
}

/// Declares that log messages are sent. Without it none are.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_declare_logging(options: *mut mcp_options_t) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.declare_logging())) };
}

/// Declares that arguments can be completed, though no handler is set yet.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_declare_completions(options: *mut mcp_options_t) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.declare_completions())) };
}

/// Declares tools, though none is registered yet.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_declare_tools(options: *mut mcp_options_t) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.declare_tools())) };
}

/// Declares resources, though none is registered yet.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_declare_resources(options: *mut mcp_options_t) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.declare_resources())) };
}

/// Declares prompts, though none is registered yet.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_declare_prompts(options: *mut mcp_options_t) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.declare_prompts())) };
}

/// Whether lists of what the server does not offer are answered, empty, instead of with "method not found". Default false.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_answer_empty_lists(options: *mut mcp_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.answer_empty_lists(yes))) };
}

/// Whether changes are announced to clients that subscribe. Default true.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_subscriptions_enabled(options: *mut mcp_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.subscriptions_enabled(yes))) };
}

/// Sets how clients of the older revisions are asked for input: how often for one request (default 10), how long they may
/// take (default 600,000 ms), and whether at all (default true).
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_input_required(
    options: *mut mcp_options_t,
    max_rounds: usize,
    round_timeout_ms: u64,
    legacy_shim: bool,
) {
    let round_timeout = Duration::from_millis(round_timeout_ms);
    let config = InputRequiredConfig { max_rounds, round_timeout, legacy_shim };
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.input_required_config(config))) };
}

pub(super) fn replace(builder: &mut ServerBuilder, change: impl FnOnce(ServerBuilder) -> ServerBuilder) {
    let taken = std::mem::replace(builder, mcp::Server::builder("", ""));
    *builder = change(taken);
}
