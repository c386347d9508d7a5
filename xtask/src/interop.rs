//! `cargo xtask interop`: the official Python and JavaScript clients against the `everything` example, over stdio and
//! HTTP and in both eras. The checks themselves are in `tests/interop/`.

use std::path::Path;
use std::process::Command;

use crate::server::Server;
use crate::{cmd, tools};

/// # Errors
/// Something could not be installed or started, or a client saw what it should not.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let (with_python, with_js) = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => (true, true),
        ["--only", "python"] => (true, false),
        ["--only", "js"] => (false, true),
        _ => return Err("interop takes no option but `--only python` or `--only js`".into()),
    };
    let program = cmd::build_example("everything")?;
    let mut server = Server::start(&program)?;
    let outcome = clients(&program, &server, with_python, with_js);
    server.check_alive()?;
    outcome.map_err(|error| format!("{error}; the server's log is {}", server.log().display()))
}

fn clients(program: &Path, server: &Server, with_python: bool, with_js: bool) -> Result<(), String> {
    let source = cmd::root().join("tests/interop");
    let url = server.url().to_string();
    if with_python {
        let python = tools::python("interop-python", &source.join("requirements.txt"))?;
        let mut client = Command::new(python);
        client.arg("-u").arg(source.join("client.py")).arg("--stdio").arg(program).args(["--http", &url]);
        cmd::run(client.env("PYTHONDONTWRITEBYTECODE", "1"))?;
    }
    if with_js {
        let node = tools::node()?;
        let dir = tools::npm(&node, "interop-js", &source)?;
        // Node.js looks for packages beside the script.
        let script = dir.join("client.mjs");
        let from = source.join("client.mjs");
        std::fs::copy(&from, &script).map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
        cmd::run(node.command().arg(script).arg("--stdio").arg(program).args(["--http", &url]))?;
    }
    Ok(())
}
