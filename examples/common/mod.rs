//! What the example programs share: from the arguments of the command line to the exit code.
//!
//! Standard output belongs to the protocol, so everything that is meant for people goes to standard error.

mod command_line;

use std::error::Error;
use std::io::stderr;
use std::process::ExitCode;
use std::time::Duration;

use mcp::{HttpOptions, Server, ServerBuilder};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::filter::LevelFilter;

pub(crate) use command_line::CommandLine;
use command_line::{Endpoint, Refusal};

/// How long requests that are being served may still take when the program is asked to end.
const GRACE: Duration = Duration::from_secs(2);

/// Serves what `build` makes, as the command line says, until the client leaves or a signal asks for the end.
pub(crate) fn run(name: &str, build: impl FnOnce(&CommandLine) -> ServerBuilder) -> ExitCode {
    let command_line = match CommandLine::parse(std::env::args_os().skip(1)) {
        Ok(command_line) => command_line,
        Err(Refusal::Help) => {
            eprint!("{}", command_line::usage(name));
            return ExitCode::SUCCESS;
        }
        Err(Refusal::Wrong(what)) => {
            eprint!("{name}: {what}\n\n{}", command_line::usage(name));
            return ExitCode::from(2);
        }
    };
    log_to_stderr();
    match serve(&command_line, build(&command_line)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Warnings and errors, or the level that the variable RUST_LOG names.
fn log_to_stderr() {
    let level = std::env::var("RUST_LOG").ok().and_then(|level| level.parse().ok()).unwrap_or(LevelFilter::WARN);
    tracing_subscriber::fmt().with_max_level(level).with_writer(stderr).init();
}

fn serve(command_line: &CommandLine, mut builder: ServerBuilder) -> Result<(), Box<dyn Error>> {
    if let Some(key) = &command_line.request_state_key {
        builder = builder.request_state_key(key);
    }
    let server = builder.build()?;
    // One client on stdio needs one thread, which starts faster than many.
    let mut runtime = match command_line.http {
        None => tokio::runtime::Builder::new_current_thread(),
        Some(_) => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = runtime.enable_all().build()?;
    let served = match &command_line.http {
        None => runtime.block_on(serve_stdio(&server)),
        Some(endpoint) => runtime.block_on(serve_http(&server, endpoint, command_line.stateless)),
    };
    // A read of a standard input that is a file or a device may be stuck in a thread: do not wait for it.
    runtime.shutdown_background();
    served
}

async fn serve_stdio(server: &Server) -> Result<(), Box<dyn Error>> {
    let (mut signals, asked) = (Signals::listen()?, server.clone());
    tokio::spawn(async move {
        signals.received().await;
        asked.shutdown(GRACE);
    });
    Ok(server.serve_stdio().await?)
}

async fn serve_http(server: &Server, endpoint: &Endpoint, stateless: bool) -> Result<(), Box<dyn Error>> {
    let mut signals = Signals::listen()?;
    let options = HttpOptions::new().host(&endpoint.host).port(endpoint.port).stateless(stateless);
    let serving = server.serve_http(options).await?;
    eprintln!("listening on http://{}/mcp", serving.local_addr());
    signals.received().await;
    serving.shutdown(GRACE).await;
    Ok(())
}

/// The signals that ask a program to end.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// From here on the signals no longer end the program by themselves.
    fn listen() -> std::io::Result<Signals> {
        Ok(Signals { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn received(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
