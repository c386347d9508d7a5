//! The reserved keys of `_meta`.

pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The task that a message belongs to.
pub(crate) const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
pub(crate) const PROGRESS_TOKEN: &str = "progressToken";
