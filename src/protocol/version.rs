//! The published revisions, and what each of them knows.

use std::fmt;
use std::str::FromStr;

/// A published revision of the protocol. An unknown string is unknown, never "newer".
///
/// ```
/// use mcp::ProtocolVersion;
/// assert_eq!("2025-06-18".parse(), Ok(ProtocolVersion::V2025_06_18));
/// assert!("2025-06-19".parse::<ProtocolVersion>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ProtocolVersion {
    /// Handshake, HTTP with SSE.
    V2024_11_05,
    /// Streamable HTTP with sessions, batches, tool annotations, audio.
    V2025_03_26,
    /// Structured output, elicitation, resource links, titles; no batches.
    V2025_06_18,
    /// Icons, URL elicitation, polled streams.
    V2025_11_25,
    /// Stateless: metadata on every request, `server/discover`, multi round-trip requests, `subscriptions/listen`.
    V2026_07_28,
}

use ProtocolVersion::*;

/// How a revision converses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// Every request carries its own metadata; there are no sessions.
    Modern,
    /// A handshake opens a session; the server can send requests.
    Legacy,
}

/// Something that some revisions have and others have not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// `annotations` of a tool.
    ToolAnnotations,
    /// Content of type `audio`.
    Audio,
    /// `message` of a progress notification.
    ProgressMessage,
    /// The `completions` capability.
    CompletionsCapability,
    /// Several messages in one JSON array.
    Batches,
    /// `title` and `_meta` of definitions and content.
    Titles,
    /// Content of type `resource_link`.
    ResourceLinks,
    /// `outputSchema` and `structuredContent`.
    StructuredContent,
    /// `elicitation/create`.
    Elicitation,
    /// `icons`, and the long form of `Implementation`.
    Icons,
    /// The `mode` of an elicitation, and URL elicitation.
    ElicitationModes,
    /// `elicitationId` of a URL elicitation.
    ElicitationIds,
    /// `lastModified` of annotations.
    LastModified,
    /// An event with an id and no data opens a stream, and `retry` closes a connection that is to be polled.
    PrimingEvents,
    /// An output schema and structured content may be any JSON, not only an object.
    AnyStructuredContent,
    /// The `extensions` capability.
    Extensions,
    /// An error response without an id, for a message whose id could not be read.
    ErrorsWithoutId,
    /// `tools` and `toolChoice` of a sampling request.
    SamplingTools,
    /// Tasks that the client asks for (`params.task`), with `execution.taskSupport` of tools.
    TaskRequests,
    /// Tasks that the server decides on: an extension, with flat handles.
    TaskHandles,
}

impl ProtocolVersion {
    /// Every revision, oldest first.
    pub const ALL: [ProtocolVersion; 5] = [V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28];

    /// The newest revision.
    pub const LATEST: ProtocolVersion = V2026_07_28;

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            V2024_11_05 => "2024-11-05",
            V2025_03_26 => "2025-03-26",
            V2025_06_18 => "2025-06-18",
            V2025_11_25 => "2025-11-25",
            V2026_07_28 => "2026-07-28",
        }
    }

    /// How this revision converses.
    pub const fn era(self) -> Era {
        match self {
            V2024_11_05 | V2025_03_26 | V2025_06_18 | V2025_11_25 => Era::Legacy,
            V2026_07_28 => Era::Modern,
        }
    }

    pub(crate) fn is_modern(self) -> bool {
        self.era() == Era::Modern
    }

    /// The revision that a client speaks over HTTP when it sends no version header and has no session.
    pub(crate) const HTTP_DEFAULT: ProtocolVersion = V2025_03_26;

    pub(crate) fn has(self, feature: Feature) -> bool {
        let (first, last) = match feature {
            Feature::ToolAnnotations | Feature::Audio | Feature::ProgressMessage | Feature::CompletionsCapability => {
                (V2025_03_26, V2026_07_28)
            }
            Feature::Batches => (V2025_03_26, V2025_03_26),
            Feature::Titles
            | Feature::ResourceLinks
            | Feature::StructuredContent
            | Feature::LastModified
            | Feature::Elicitation => (V2025_06_18, V2026_07_28),
            Feature::Icons | Feature::ElicitationModes | Feature::ErrorsWithoutId | Feature::SamplingTools => {
                (V2025_11_25, V2026_07_28)
            }
            Feature::PrimingEvents | Feature::ElicitationIds | Feature::TaskRequests => (V2025_11_25, V2025_11_25),
            Feature::AnyStructuredContent | Feature::Extensions | Feature::TaskHandles => (V2026_07_28, V2026_07_28),
        };
        first <= self && self <= last
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The string names no published revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVersion(pub String);

impl fmt::Display for UnknownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is not a published revision of the protocol", self.0)
    }
}

impl std::error::Error for UnknownVersion {}

impl FromStr for ProtocolVersion {
    type Err = UnknownVersion;

    fn from_str(text: &str) -> Result<ProtocolVersion, UnknownVersion> {
        let found = ProtocolVersion::ALL.into_iter().find(|version| version.as_str() == text);
        found.ok_or_else(|| UnknownVersion(text.to_owned()))
    }
}
