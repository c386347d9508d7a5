//! The one error that can reach the wire, and the errors that never do.

use std::fmt;

use crate::json::{JsonWriter, RawJson};

/// Numeric codes of JSON-RPC and of the Model Context Protocol.
///
/// The revisions differ in what they allow on the wire; the codec of each era translates (a missing resource is
/// `RESOURCE_NOT_FOUND` here, `-32002` for a legacy client and `-32602` for a modern one).
pub mod code {
    /// The text is not JSON.
    pub const PARSE_ERROR: i32 = -32700;
    /// The JSON is not a valid request.
    pub const INVALID_REQUEST: i32 = -32600;
    /// There is no such method, or it is not offered here.
    pub const METHOD_NOT_FOUND: i32 = -32601;
    /// The parameters are wrong.
    pub const INVALID_PARAMS: i32 = -32602;
    /// The server failed.
    pub const INTERNAL_ERROR: i32 = -32603;
    /// An HTTP header contradicts the body or is missing.
    pub const HEADER_MISMATCH: i32 = -32020;
    /// The request needs a capability that the client did not declare.
    pub const MISSING_REQUIRED_CLIENT_CAPABILITY: i32 = -32021;
    /// The protocol version is not supported.
    pub const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;
    /// There is no such resource.
    pub const RESOURCE_NOT_FOUND: i32 = -32002;
    /// The client must first open a URL (revision 2025-11-25).
    pub const URL_ELICITATION_REQUIRED: i32 = -32042;
}

/// A JSON-RPC error: what a client receives instead of a result.
///
/// The message is for people and reaches the client as it is; codes are the API.
///
/// ```
/// let error = mcp::Error::invalid_params("\"from\" must not be after \"to\"");
/// assert_eq!(error.code(), mcp::code::INVALID_PARAMS);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Parts>);

#[derive(Clone, PartialEq, Eq)]
struct Parts {
    code: i32,
    message: String,
    data: Option<RawJson>,
}

impl Error {
    /// An error with a code of the caller's choice. Codes from -32768 to -32000 belong to JSON-RPC and the protocol.
    pub fn new(code: i32, message: impl Into<String>) -> Error {
        Error(Box::new(Parts { code, message: message.into(), data: None }))
    }

    /// The text is not JSON.
    pub fn parse_error(message: impl Into<String>) -> Error {
        Error::new(code::PARSE_ERROR, message)
    }

    /// The message is not a valid request.
    pub fn invalid_request(message: impl Into<String>) -> Error {
        Error::new(code::INVALID_REQUEST, message)
    }

    /// The method does not exist or is not offered.
    pub fn method_not_found(method: &str) -> Error {
        Error::new(code::METHOD_NOT_FOUND, format!("Method not found: {method}"))
    }

    /// The parameters are wrong; say which and how.
    pub fn invalid_params(message: impl Into<String>) -> Error {
        Error::new(code::INVALID_PARAMS, message)
    }

    /// The server failed. The message reaches the client: keep internals out of it.
    pub fn internal(message: impl Into<String>) -> Error {
        Error::new(code::INTERNAL_ERROR, message)
    }

    /// There is no resource of this URI.
    pub fn resource_not_found(uri: &str) -> Error {
        let mut data = JsonWriter::default();
        data.begin_object();
        data.string_member("uri", uri);
        data.end_object();
        Error::new(code::RESOURCE_NOT_FOUND, format!("Resource not found: {uri}")).with_data(data.into_raw())
    }

    /// `-32021`, naming what the client would have to declare: a JSON object.
    pub(crate) fn missing_capability(required: &'static str) -> Error {
        let mut data = JsonWriter::default();
        data.begin_object();
        data.raw_member("requiredCapabilities", &RawJson::trusted(required.as_bytes()));
        data.end_object();
        let text = format!("The request needs a client capability that was not declared: {required}");
        Error::new(code::MISSING_REQUIRED_CLIENT_CAPABILITY, text).with_data(data.into_raw())
    }

    /// Adds data for programs.
    pub fn with_data(mut self, data: RawJson) -> Error {
        self.0.data = Some(data);
        self
    }

    /// The code.
    pub fn code(&self) -> i32 {
        self.0.code
    }

    /// The text for people.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The data for programs, where there is any.
    pub fn data(&self) -> Option<&RawJson> {
        self.0.data.as_ref()
    }

    /// The same error under another code.
    pub(crate) fn with_code(mut self, code: i32) -> Error {
        self.0.code = code;
        self
    }

    /// Writes the error object.
    pub(crate) fn write(&self, w: &mut JsonWriter) {
        w.begin_object();
        w.value_member("code", &self.0.code);
        w.string_member("message", &self.0.message);
        w.optional_raw("data", self.0.data.as_ref());
        w.end_object();
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0.message, self.0.code)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// A mistake in how the server was put together: it comes from `build` or from a registration, never from a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    text: String,
    taken: bool,
}

impl ConfigError {
    pub(crate) fn new(message: impl Into<String>) -> ConfigError {
        ConfigError { text: message.into(), taken: false }
    }

    /// A name or URI that something else is registered under.
    pub(crate) fn taken(message: impl Into<String>) -> ConfigError {
        ConfigError { text: message.into(), taken: true }
    }

    /// Whether all is well but for the name or URI, which something else is registered under.
    pub fn is_taken(&self) -> bool {
        self.taken
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for ConfigError {}

/// A transport could not start or broke down.
#[derive(Debug)]
pub struct TransportError {
    context: String,
    source: std::io::Error,
}

impl TransportError {
    pub(crate) fn new(context: impl Into<String>, source: std::io::Error) -> TransportError {
        TransportError { context: context.into(), source }
    }

    /// The kind of the underlying failure.
    pub fn kind(&self) -> std::io::ErrorKind {
        self.source.kind()
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.context, self.source)
    }
}

impl std::error::Error for TransportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}
