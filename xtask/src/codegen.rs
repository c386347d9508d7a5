//! `cargo xtask codegen`: writes what is committed and made from the sources: the C header, the list of exported functions,
//! and the description of the interface that the next ones are compared with.

use crate::{cmd, package};

/// # Errors
/// A tool is missing, or the sources are not in order.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if !args.is_empty() {
        return Err("codegen takes no options".into());
    }
    // In this order: the list is read from the header.
    for test in ["header", "symbols"] {
        let mut command = cmd::cargo(&["test", "--quiet", "--package", "libmcp-bindings", "--test", test]);
        cmd::run(command.env("MCP_UPDATE_HEADER", "1"))?;
    }
    package::abi::write_baseline()
}
