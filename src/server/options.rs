//! How a server behaves: everything but what it offers.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::background::Background;
use super::executor::{Executor, contain};
use super::filter::Filters;
use super::observer::Events;
use crate::protocol::cache::CacheHint;
use crate::protocol::identity::Implementation;
use crate::protocol::version::ProtocolVersion;

/// The options of a server, as `ServerBuilder` sets them.
pub(crate) struct Options {
    pub(crate) server_info: Implementation,
    pub(crate) instructions: Option<String>,
    /// Newest first, never empty.
    pub(crate) versions: Vec<ProtocolVersion>,
    pub(crate) initialization_timeout: Duration,
    pub(crate) declare_logging: bool,
    pub(crate) declare_completions: bool,
    pub(crate) declare_tools: bool,
    pub(crate) declare_resources: bool,
    pub(crate) declare_prompts: bool,
    pub(crate) empty_lists: bool,
    pub(crate) subscriptions_enabled: bool,
    pub(crate) request_state: RequestStateOptions,
    pub(crate) cache_hints: HashMap<String, CacheHint>,
    pub(crate) cache_hint_resolver: Option<CacheHintResolver>,
    pub(crate) max_tool_input_elements: Option<usize>,
    pub(crate) input_required: InputRequiredConfig,
    pub(crate) page_size: usize,
    pub(crate) events: Events,
    pub(crate) incoming_filters: Filters,
    pub(crate) outgoing_filters: Filters,
    pub(crate) executor: Executor,
    pub(crate) limits: Limits,
    pub(crate) tasks: Option<Arc<dyn Background>>,
}

pub(crate) type CacheHintResolver = Arc<dyn Fn(&str) -> Option<CacheHint> + Send + Sync>;

pub(crate) type StateVerifier = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// How the state of a multi round-trip request is protected.
#[derive(Clone, Default)]
pub(crate) struct RequestStateOptions {
    /// The first seals; all open. Empty: a random key of this process.
    pub(crate) keys: Vec<String>,
    pub(crate) verifier: Option<StateVerifier>,
    pub(crate) ttl: Option<Duration>,
}

/// How a server asks its client in the middle of a request.
#[derive(Clone, Copy, Debug)]
pub struct InputRequiredConfig {
    /// How many times one request may ask. Legacy clients are refused beyond it. Default 10.
    pub max_rounds: usize,
    /// How long a legacy client may take to answer, a handler or `Client::ask`. Default 600 s.
    pub round_timeout: Duration,
    /// Whether a handler that needs input has legacy clients asked, with requests of the server. Default true.
    pub legacy_shim: bool,
}

impl Default for InputRequiredConfig {
    fn default() -> InputRequiredConfig {
        InputRequiredConfig { max_rounds: 10, round_timeout: Duration::from_secs(600), legacy_shim: true }
    }
}

/// Bounds that hold on every transport. What arrives beyond one is refused with an error; nothing waits or grows.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest message in bytes. Default 16 MiB.
    pub max_message_bytes: usize,
    /// Most requests of one connection or session that may run at once. Modern requests over HTTP are bounded by their
    /// connections instead, of which each serves one at a time. Default 4,096.
    pub max_in_flight: usize,
    /// Most messages in one batch. Default 256.
    pub max_batch: usize,
    /// Most bytes that may wait for a slow reader of one stream; beyond it notifications are dropped. Default 1 MiB.
    pub max_queued_bytes: usize,
    /// Most `subscriptions/listen` streams of one server, and most resources that one subscriber may watch.
    /// Default 10,000.
    pub max_subscriptions: usize,
    /// How long requests that were accepted may still run when their client closes its end. Default 5 s.
    pub drain_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_message_bytes: 16 << 20,
            max_in_flight: 4096,
            max_batch: 256,
            max_queued_bytes: 1 << 20,
            max_subscriptions: 10_000,
            drain_timeout: Duration::from_secs(5),
        }
    }
}

impl Options {
    pub(crate) fn new(server_info: Implementation) -> Options {
        Options {
            server_info,
            instructions: None,
            versions: Self::known_versions(),
            initialization_timeout: Duration::from_secs(60),
            declare_logging: false,
            declare_completions: false,
            declare_tools: false,
            declare_resources: false,
            declare_prompts: false,
            empty_lists: false,
            subscriptions_enabled: true,
            request_state: RequestStateOptions {
                ttl: Some(Duration::from_secs(900)),
                ..RequestStateOptions::default()
            },
            cache_hints: HashMap::new(),
            cache_hint_resolver: None,
            max_tool_input_elements: None,
            input_required: InputRequiredConfig::default(),
            page_size: 1000,
            events: Events::default(),
            incoming_filters: Filters::default(),
            outgoing_filters: Filters::default(),
            executor: Executor::default(),
            limits: Limits::default(),
            tasks: None,
        }
    }

    /// The revisions that this build can speak, newest first.
    pub(crate) fn known_versions() -> Vec<ProtocolVersion> {
        let known = |version: &ProtocolVersion| match version.is_modern() {
            true => cfg!(feature = "modern"),
            false => cfg!(feature = "legacy"),
        };
        ProtocolVersion::ALL.into_iter().rev().filter(known).collect()
    }

    pub(crate) fn supports(&self, version: ProtocolVersion) -> bool {
        self.versions.contains(&version)
    }

    pub(crate) fn cache_hint(&self, method: &str) -> CacheHint {
        let resolved =
            self.cache_hint_resolver.as_ref().and_then(|resolve| contain("cache_hint_resolver", || resolve(method))?);
        resolved.or_else(|| self.cache_hints.get(method).copied()).unwrap_or_default()
    }
}
