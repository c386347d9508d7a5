//! Content blocks: what tools return and prompts contain.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};

use super::identity::{Icon, write_icons};
use super::version::{Feature, ProtocolVersion};
use crate::json::{JsonWriter, RawJson};

/// Who speaks or is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Hints on how to use or show a piece of content or a resource.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// Whom it is meant for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// From 0 (optional) to 1 (required).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// ISO 8601 time of the last change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Annotations {
    pub(crate) fn write_member(this: Option<&Annotations>, w: &mut JsonWriter, version: ProtocolVersion) {
        let Some(this) = this else { return };
        if version.has(Feature::LastModified) || this.last_modified.is_none() {
            w.value_member("annotations", this);
        } else {
            w.value_member("annotations", &Annotations { last_modified: None, ..this.clone() });
        }
    }
}

/// One block of content.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    /// What it holds.
    pub kind: ContentKind,
    /// Hints for the client.
    pub annotations: Option<Annotations>,
    /// `_meta`: a JSON object.
    pub meta: Option<RawJson>,
}

/// The five kinds of content.
#[derive(Clone, Debug, PartialEq)]
pub enum ContentKind {
    /// Text.
    Text(String),
    /// A picture: base64 data and media type.
    Image {
        /// Base64.
        data: String,
        /// Media type.
        mime_type: String,
    },
    /// Sound: base64 data and media type.
    Audio {
        /// Base64.
        data: String,
        /// Media type.
        mime_type: String,
    },
    /// A pointer to a resource that the client may read.
    Link(Box<ResourceLink>),
    /// A resource's contents, embedded.
    Resource(ResourceContents),
}

impl Content {
    /// Text.
    pub fn text(text: impl Into<String>) -> Content {
        ContentKind::Text(text.into()).into()
    }

    /// A picture from its bytes.
    pub fn image(data: &[u8], mime_type: impl Into<String>) -> Content {
        Content::image_base64(BASE64.encode(data), mime_type)
    }

    /// A picture that is base64 already.
    pub fn image_base64(data: impl Into<String>, mime_type: impl Into<String>) -> Content {
        ContentKind::Image { data: data.into(), mime_type: mime_type.into() }.into()
    }

    /// Sound from its bytes.
    pub fn audio(data: &[u8], mime_type: impl Into<String>) -> Content {
        Content::audio_base64(BASE64.encode(data), mime_type)
    }

    /// Sound that is base64 already.
    pub fn audio_base64(data: impl Into<String>, mime_type: impl Into<String>) -> Content {
        ContentKind::Audio { data: data.into(), mime_type: mime_type.into() }.into()
    }

    /// A link to a resource.
    pub fn link(link: ResourceLink) -> Content {
        ContentKind::Link(Box::new(link)).into()
    }

    /// An embedded resource.
    pub fn resource(contents: ResourceContents) -> Content {
        ContentKind::Resource(contents).into()
    }

    /// Adds hints.
    pub fn with_annotations(mut self, annotations: Annotations) -> Content {
        self.annotations = Some(annotations);
        self
    }

    /// Writes a message that consists of this block.
    pub(crate) fn write_message(&self, w: &mut JsonWriter, role: Role, version: ProtocolVersion) {
        w.begin_object();
        w.value_member("role", &role);
        w.key("content");
        self.write(w, version);
        w.end_object();
    }

    /// Writes the block. A kind that the revision does not know takes the nearest form that it does: sound becomes an
    /// embedded resource, a link becomes text.
    pub(crate) fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.begin_object();
        match &self.kind {
            ContentKind::Text(text) => {
                w.verbatim(br#""type":"text""#);
                w.string_member("text", text);
            }
            ContentKind::Image { data, mime_type } => write_media(w, "image", data, mime_type),
            ContentKind::Audio { data, mime_type } if version.has(Feature::Audio) => {
                write_media(w, "audio", data, mime_type);
            }
            ContentKind::Audio { data, mime_type } => {
                w.string_member("type", "resource");
                w.key("resource");
                let contents = ResourceContents::blob_base64("audio:content", data.as_str());
                contents.with_mime_type(mime_type.as_str()).write(w, version);
            }
            ContentKind::Link(link) if version.has(Feature::ResourceLinks) => {
                w.string_member("type", "resource_link");
                link.write_members(w, version);
            }
            ContentKind::Link(link) => {
                w.string_member("type", "text");
                w.string_member("text", &format!("{}: {}", link.title.as_ref().unwrap_or(&link.name), link.uri));
            }
            ContentKind::Resource(contents) => {
                w.string_member("type", "resource");
                w.key("resource");
                contents.write(w, version);
            }
        }
        Annotations::write_member(self.annotations.as_ref(), w, version);
        write_meta(w, self.meta.as_ref(), version);
        w.end_object();
    }
}

impl From<ContentKind> for Content {
    fn from(kind: ContentKind) -> Content {
        Content { kind, annotations: None, meta: None }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Content {
        Content::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Content {
        Content::text(text)
    }
}

fn write_media(w: &mut JsonWriter, kind: &str, data: &str, mime_type: &str) {
    w.string_member("type", kind);
    w.string_member("data", data);
    w.string_member("mimeType", mime_type);
}

/// Writes `_meta` where there is one and the revision knows it at this place.
pub(crate) fn write_meta(w: &mut JsonWriter, meta: Option<&RawJson>, version: ProtocolVersion) {
    if version.has(Feature::Titles) {
        w.optional_raw("_meta", meta);
    }
}

/// A pointer to a resource that the client may read or subscribe to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceLink {
    /// URI of the resource.
    pub uri: String,
    /// Identifier.
    pub name: String,
    /// Name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Media type.
    pub mime_type: Option<String>,
    /// Size in bytes.
    pub size: Option<u64>,
    /// Pictures.
    pub icons: Vec<Icon>,
}

impl ResourceLink {
    /// A link with a URI and a name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> ResourceLink {
        ResourceLink { uri: uri.into(), name: name.into(), ..ResourceLink::default() }
    }

    fn write_members(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.string_member("uri", &self.uri);
        w.string_member("name", &self.name);
        w.optional_string("title", self.title.as_deref());
        w.optional_string("description", self.description.as_deref());
        w.optional_string("mimeType", self.mime_type.as_deref());
        w.optional_value("size", self.size);
        write_icons(w, &self.icons, version);
    }
}

/// The contents of one resource: text or bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceContents {
    /// URI of what this is the contents of.
    pub uri: String,
    /// Media type.
    pub mime_type: Option<String>,
    /// The contents.
    pub body: ResourceBody,
    /// `_meta`: a JSON object.
    pub meta: Option<RawJson>,
}

/// Text, or bytes as base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceBody {
    /// Text.
    Text(String),
    /// Base64.
    Blob(String),
}

impl ResourceContents {
    /// Text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> ResourceContents {
        ResourceContents { uri: uri.into(), mime_type: None, body: ResourceBody::Text(text.into()), meta: None }
    }

    /// Bytes.
    pub fn blob(uri: impl Into<String>, data: &[u8]) -> ResourceContents {
        ResourceContents::blob_base64(uri, BASE64.encode(data))
    }

    /// Bytes that are base64 already.
    pub fn blob_base64(uri: impl Into<String>, data: impl Into<String>) -> ResourceContents {
        ResourceContents { uri: uri.into(), mime_type: None, body: ResourceBody::Blob(data.into()), meta: None }
    }

    /// Sets the media type.
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> ResourceContents {
        self.mime_type = Some(mime_type.into());
        self
    }

    pub(crate) fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.begin_object();
        w.string_member("uri", &self.uri);
        w.optional_string("mimeType", self.mime_type.as_deref());
        match &self.body {
            ResourceBody::Text(text) => w.string_member("text", text),
            ResourceBody::Blob(data) => w.string_member("blob", data),
        }
        write_meta(w, self.meta.as_ref(), version);
        w.end_object();
    }
}
