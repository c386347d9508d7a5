//! The command line: a mode, an optional URL, options that all take a value, and a command after `--`.

use std::collections::BTreeMap;

/// A parsed command line.
pub(crate) struct Args {
    positional: Vec<String>,
    options: BTreeMap<String, String>,
    command: Vec<String>,
}

/// Where a server listens.
#[derive(Clone)]
pub(crate) struct Url {
    /// Host and port.
    pub(crate) authority: String,
    /// From the first slash on.
    pub(crate) path: String,
}

impl Args {
    /// Splits the arguments; fails on an option without a value.
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut parsed = Self { positional: Vec::new(), options: BTreeMap::new(), command: Vec::new() };
        while let Some(arg) = args.next() {
            if arg == "--" {
                parsed.command = args.collect();
                break;
            }
            match arg.strip_prefix("--") {
                Some(name) => {
                    let value = args.next().ok_or_else(|| format!("--{name} needs a value"))?;
                    parsed.options.insert(name.to_owned(), value);
                }
                None => parsed.positional.push(arg),
            }
        }
        Ok(parsed)
    }

    /// The first argument, empty when there is none.
    pub(crate) fn mode(&self) -> &str {
        self.positional.first().map_or("", String::as_str)
    }

    /// Fails when an option is given that is not among `known`.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), String> {
        match self.options.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(format!("--{name} is not an option of {}", self.mode())),
            None => Ok(()),
        }
    }

    /// The text of an option.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    /// A number, or `None` when the option is not given.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, String> {
        let number = |text: &String| text.parse().map_err(|_| format!("--{name}: {text} is not a number"));
        self.options.get(name).map(number).transpose()
    }

    /// A size or count, `default` when the option is not given.
    pub(crate) fn count(&self, name: &str, default: usize) -> Result<usize, String> {
        let count = self.number(name)?.map_or(Ok(default), usize::try_from);
        count.map_err(|_| format!("--{name} is too large"))
    }

    /// The URL after the mode.
    pub(crate) fn url(&self) -> Result<Url, String> {
        let url = self.positional.get(1).ok_or_else(|| format!("{} needs a URL", self.mode()))?;
        let rest = url.strip_prefix("http://").ok_or_else(|| format!("{url}: not an http:// URL"))?;
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        Ok(Url { authority: authority.to_owned(), path: format!("/{path}") })
    }

    /// The program after `--` and its arguments.
    pub(crate) fn command(&self) -> Result<(&str, &[String]), String> {
        let (program, rest) = self.command.split_first().ok_or("no command after --")?;
        Ok((program, rest))
    }
}
