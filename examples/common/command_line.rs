//! The arguments of the example programs.

use std::ffi::OsString;

/// What the arguments ask for.
#[derive(Debug, Default)]
pub(crate) struct CommandLine {
    /// Where to serve HTTP; stdio where absent.
    pub(super) http: Option<Endpoint>,
    /// Whether legacy clients do without sessions on HTTP.
    pub(super) stateless: bool,
    /// The secret that protects request states.
    pub(super) request_state_key: Option<String>,
    /// Where tasks are kept, as it was written.
    pub(crate) task_store: Option<String>,
    /// How many trivial tools there are to be besides the program's own, to measure with. The usage text leaves it out.
    pub(crate) extra_tools: usize,
}

/// Where to listen.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// A name or an address, an IPv6 address without its brackets.
    pub(super) host: String,
    pub(super) port: u16,
}

/// Why nothing is served.
pub(super) enum Refusal {
    /// The usage text was asked for.
    Help,
    /// An argument is wrong; the text says which and why.
    Wrong(String),
}

impl CommandLine {
    pub(super) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<CommandLine, Refusal> {
        let not_text = |argument: OsString| Refusal::Wrong(format!("not UTF-8: {}", argument.display()));
        let arguments = arguments.map(OsString::into_string).collect::<Result<Vec<_>, _>>().map_err(not_text)?;
        let mut arguments = arguments.into_iter();
        let mut parsed = CommandLine::default();
        let mut stdio = false;
        while let Some(argument) = arguments.next() {
            let mut value = |what: &str| match arguments.next() {
                Some(value) if !value.is_empty() => Ok(value),
                _ => Err(Refusal::Wrong(format!("{argument} needs {what}"))),
            };
            match argument.as_str() {
                "--stdio" => stdio = true,
                "--http" => parsed.http = Some(Endpoint::parse(&value("HOST:PORT")?)?),
                "--stateless" => parsed.stateless = true,
                "--request-state-key" => parsed.request_state_key = Some(value("a key")?),
                "--task-store" => parsed.task_store = Some(value("a place")?),
                "--extra-tools" => {
                    let number = value("a number")?;
                    let wrong = |_| Refusal::Wrong(format!("--extra-tools {number}: not a number of tools"));
                    parsed.extra_tools = number.parse().map_err(wrong)?;
                }
                "--help" | "-h" => return Err(Refusal::Help),
                _ => return Err(Refusal::Wrong(format!("unknown argument: {argument}"))),
            }
        }
        if stdio && parsed.http.is_some() {
            return Err(Refusal::Wrong("--stdio and --http exclude each other".into()));
        }
        Ok(parsed)
    }
}

impl Endpoint {
    fn parse(text: &str) -> Result<Endpoint, Refusal> {
        let wrong = || {
            let form = "give it as HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080; port 0 means any free one";
            Refusal::Wrong(format!("--http {text}: {form}"))
        };
        let (host, port) = text.rsplit_once(':').ok_or_else(wrong)?;
        let host = match host.strip_prefix('[') {
            Some(address) => address.strip_suffix(']').ok_or_else(wrong)?,
            None if host.contains(':') => return Err(wrong()),
            None => host,
        };
        if host.is_empty() {
            return Err(wrong());
        }
        Ok(Endpoint { host: host.to_owned(), port: port.parse().map_err(|_| wrong())? })
    }
}

pub(super) fn usage(name: &str) -> String {
    format!(
        "\
Usage: {name} [--stdio | --http HOST:PORT] [OPTIONS]

  --stdio                  serve the standard streams (the default)
  --http HOST:PORT         serve Streamable HTTP at http://HOST:PORT/mcp; port 0 takes any free port
  --stateless              no sessions on HTTP
  --request-state-key KEY  the secret that protects request states; processes that share clients share it
  --task-store PLACE       where tasks are kept: memory, file:PATH or sqlite:PATH (example `everything`)
  --help                   show this text

The variable RUST_LOG sets what is logged on standard error, for example RUST_LOG=mcp=debug.
"
    )
}
