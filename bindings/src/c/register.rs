//! What a server offers: added and removed at any time.

use std::ffi::c_void;

use mcp::Error;

use super::error::mcp_error_t;
use super::prompt_options::mcp_prompt_options_t;
use super::resource_options::mcp_resource_options_t;
use super::server::required;
use super::tool_options::mcp_tool_options_t;
use crate::callback::{Callback, discard, mcp_destroy_fn};
use crate::foreign::{Foreign, mcp_handler_fn};
use crate::guard::{guard, guard_result};
use crate::handle::take;
use crate::host::mcp_server_t;
use crate::text::mcp_str;

/// The host's part of a registration.
struct Code {
    function: mcp_handler_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
}

impl Code {
    /// Gives the code to `add` as a handler. Whatever is wrong, the destructor runs.
    ///
    /// # Safety
    /// `server` is null or a live handle, and the code keeps the contract of callbacks.
    unsafe fn register(
        self,
        server: *const mcp_server_t,
        add: impl FnOnce(&mcp_server_t, &dyn Fn(bool) -> Foreign) -> Result<(), Error>,
    ) -> *mut mcp_error_t {
        guard_result(|| {
            // SAFETY: as promised by the caller.
            let host = unsafe { required(server) }.inspect_err(|_| discard(self.user_data, self.destroy))?;
            let callback = Callback::new(&host.gate, self.function, self.user_data, self.destroy)?;
            add(&host, &|inline| Foreign::new(callback.clone(), &host, inline))
        })
    }
}

/// Adds a tool; clients that subscribed are told. Fails when the name is taken or invalid, or a schema is; `user_data` is
/// destroyed then too.
///
/// # Safety
/// `server` is NULL or a live handle; `options` is NULL (for none) or a live handle, which this takes; the others can be
/// read; the callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_add_tool(
    server: *const mcp_server_t,
    name: mcp_str,
    options: *mut mcp_tool_options_t,
    function: mcp_handler_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) -> *mut mcp_error_t {
    // SAFETY: as promised by the caller.
    let options = unsafe { take(options) };
    // SAFETY: as promised by the caller.
    unsafe {
        Code { function, user_data, destroy }.register(server, |host, handler| {
            let (options, inline) = options.map_or_else(mcp_tool_options_t::none, |options| options.finish())?;
            host.server.add_tool_handler(name.text("name")?, options, handler(inline)).map_err(super::config)
        })
    }
}

/// Adds a resource; clients that subscribed are told. Fails when the URI is taken or invalid.
///
/// # Safety
/// As `mcp_server_add_tool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_add_resource(
    server: *const mcp_server_t,
    name: mcp_str,
    uri: mcp_str,
    options: *mut mcp_resource_options_t,
    function: mcp_handler_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) -> *mut mcp_error_t {
    // SAFETY: as promised by the caller.
    let options = unsafe { take(options) };
    // SAFETY: as promised by the caller.
    unsafe {
        Code { function, user_data, destroy }.register(server, |host, handler| {
            let (options, inline) = options.map_or_else(mcp_resource_options_t::none, |options| options.finish())?;
            let added =
                host.server.add_resource_handler(name.text("name")?, uri.text("uri")?, options, handler(inline));
            added.map_err(super::config)
        })
    }
}

/// Adds a family of resources under an RFC 6570 template, such as `file:///{path}`; clients that subscribed are told.
/// Fails when the template is taken or invalid.
///
/// # Safety
/// As `mcp_server_add_tool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_add_resource_template(
    server: *const mcp_server_t,
    name: mcp_str,
    uri_template: mcp_str,
    options: *mut mcp_resource_options_t,
    function: mcp_handler_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) -> *mut mcp_error_t {
    // SAFETY: as promised by the caller.
    let options = unsafe { take(options) };
    // SAFETY: as promised by the caller.
    unsafe {
        Code { function, user_data, destroy }.register(server, |host, handler| {
            let (options, inline) = options.map_or_else(mcp_resource_options_t::none, |options| options.finish())?;
            let template = uri_template.text("uri_template")?;
            let added =
                host.server.add_resource_template_handler(name.text("name")?, template, options, handler(inline));
            added.map_err(super::config)
        })
    }
}

/// Adds a prompt; clients that subscribed are told. Fails when the name is taken or invalid.
///
/// # Safety
/// As `mcp_server_add_tool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_add_prompt(
    server: *const mcp_server_t,
    name: mcp_str,
    options: *mut mcp_prompt_options_t,
    function: mcp_handler_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) -> *mut mcp_error_t {
    // SAFETY: as promised by the caller.
    let options = unsafe { take(options) };
    // SAFETY: as promised by the caller.
    unsafe {
        Code { function, user_data, destroy }.register(server, |host, handler| {
            let (options, inline) = options.map_or_else(mcp_prompt_options_t::none, |options| options.finish())?;
            host.server.add_prompt_handler(name.text("name")?, options, handler(inline)).map_err(super::config)
        })
    }
}

/// Sets the handler that completes arguments of prompts and variables of templates, in place of the one before. With
/// `inline_call` it is called on the thread that serves the connection, which it must not block.
///
/// # Safety
/// `server` is NULL or a live handle; the callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_set_completion_handler(
    server: *const mcp_server_t,
    inline_call: bool,
    function: mcp_handler_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) -> *mut mcp_error_t {
    // SAFETY: as promised by the caller.
    unsafe {
        Code { function, user_data, destroy }.register(server, |host, handler| {
            host.server.set_completion_handler(Some(Box::new(handler(inline_call))));
            Ok(())
        })
    }
}

/// # Safety
/// `server` is null or a live handle; `key` can be read.
unsafe fn remove(server: *const mcp_server_t, key: mcp_str, remove: impl FnOnce(&mcp::Server, &str) -> bool) -> bool {
    guard(|| {
        // SAFETY: as promised by the caller.
        let (Some(host), Ok(key)) = (unsafe { server.as_ref() }, unsafe { key.text("key") }) else { return false };
        remove(&host.server, key)
    })
}

/// Removes a tool; clients that subscribed are told. Calls that run already go on; `user_data` is destroyed after the last
/// of them. False when there is none of this name.
///
/// # Safety
/// `server` is NULL or a live handle; `name` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_remove_tool(server: *const mcp_server_t, name: mcp_str) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { remove(server, name, mcp::Server::remove_tool) }
}

/// Removes a resource, like `mcp_server_remove_tool`. False when there is none of this URI.
///
/// # Safety
/// `server` is NULL or a live handle; `uri` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_remove_resource(server: *const mcp_server_t, uri: mcp_str) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { remove(server, uri, mcp::Server::remove_resource) }
}

/// Removes a resource template, like `mcp_server_remove_tool`. False when there is none of this text.
///
/// # Safety
/// `server` is NULL or a live handle; `uri_template` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_remove_resource_template(
    server: *const mcp_server_t,
    uri_template: mcp_str,
) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { remove(server, uri_template, mcp::Server::remove_resource_template) }
}

/// Removes a prompt, like `mcp_server_remove_tool`. False when there is none of this name.
///
/// # Safety
/// `server` is NULL or a live handle; `name` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_remove_prompt(server: *const mcp_server_t, name: mcp_str) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { remove(server, name, mcp::Server::remove_prompt) }
}
