//! What library this is.

use std::ffi::c_char;

/// The version of this interface. Programs that were built against the same number run with this library.
pub const MCP_ABI_VERSION: u32 = 0;

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

/// The version of the library, such as `1.2.3`; a C string that lives for ever.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_version() -> *const c_char {
    VERSION.as_ptr().cast()
}

/// The version of the interface that the library has, to be compared with `MCP_ABI_VERSION` of the header.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_abi_version() -> u32 {
    MCP_ABI_VERSION
}
