//! Gives the shared library its name for the linker.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The number is that of the ABI (`MCP_ABI_VERSION`).
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmcp.so.0");
    }
}
