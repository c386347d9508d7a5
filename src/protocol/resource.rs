//! Resources and resource templates: how they are described, and what reading one returns.

use super::cache::CacheHint;
use super::content::{Annotations, ResourceContents, write_meta};
use super::identity::{Icon, write_icons};
use super::input::InputRequired;
use super::version::{Feature, ProtocolVersion};
use crate::json::{JsonWriter, RawJson};

/// How a resource or a resource template is described to clients.
#[derive(Clone, Debug, Default)]
pub struct ResourceOptions {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) size: Option<u64>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) annotations: Option<Annotations>,
    pub(crate) meta: Option<RawJson>,
}

impl ResourceOptions {
    /// Nothing but the name and the URI.
    pub fn new() -> ResourceOptions {
        ResourceOptions::default()
    }

    /// Name for people.
    pub fn title(mut self, title: impl Into<String>) -> ResourceOptions {
        self.title = Some(title.into());
        self
    }

    /// What it is.
    pub fn description(mut self, description: impl Into<String>) -> ResourceOptions {
        self.description = Some(description.into());
        self
    }

    /// Media type.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> ResourceOptions {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Size in bytes (resources only).
    pub fn size(mut self, bytes: u64) -> ResourceOptions {
        self.size = Some(bytes);
        self
    }

    /// Adds a picture.
    pub fn icon(mut self, icon: Icon) -> ResourceOptions {
        self.icons.push(icon);
        self
    }

    /// Hints for the client.
    pub fn annotations(mut self, annotations: Annotations) -> ResourceOptions {
        self.annotations = Some(annotations);
        self
    }

    /// `_meta` of the definition: a JSON object.
    pub fn meta(mut self, meta: impl Into<RawJson>) -> ResourceOptions {
        self.meta = Some(meta.into());
        self
    }

    /// Writes one entry of a list; `locator` is `uri` or `uriTemplate`.
    pub(crate) fn write(
        &self,
        w: &mut JsonWriter,
        locator: &'static str,
        uri: &str,
        name: &str,
        version: ProtocolVersion,
    ) {
        w.begin_object();
        w.string_member(locator, uri);
        w.string_member("name", name);
        if version.has(Feature::Titles) {
            w.optional_string("title", self.title.as_deref());
        }
        w.optional_string("description", self.description.as_deref());
        w.optional_string("mimeType", self.mime_type.as_deref());
        // A template stands for resources of any size.
        w.optional_value("size", self.size.filter(|_| locator == "uri"));
        Annotations::write_member(self.annotations.as_ref(), w, version);
        write_icons(w, &self.icons, version);
        write_meta(w, self.meta.as_ref(), version);
        w.end_object();
    }
}

/// What `resources/read` returns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadResourceResult {
    /// The contents; more than one where the URI names a collection. Never empty for a resource that exists not: that
    /// is `Error::resource_not_found`.
    pub contents: Vec<ResourceContents>,
    /// How long the client may keep it; the server's own hint for `resources/read` where absent.
    pub cache: Option<CacheHint>,
    /// `_meta`: a JSON object.
    pub meta: Option<RawJson>,
    /// The client must first answer questions; everything else here is ignored then.
    pub input_required: Option<InputRequired>,
}

impl ReadResourceResult {
    /// One piece of contents.
    pub fn new(contents: ResourceContents) -> ReadResourceResult {
        ReadResourceResult { contents: vec![contents], ..ReadResourceResult::default() }
    }

    /// Text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> ReadResourceResult {
        ReadResourceResult::new(ResourceContents::text(uri, text))
    }

    pub(crate) fn write_members(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.key("contents");
        w.begin_array();
        for contents in &self.contents {
            contents.write(w, version);
        }
        w.end_array();
    }
}

impl From<ResourceContents> for ReadResourceResult {
    fn from(contents: ResourceContents) -> ReadResourceResult {
        ReadResourceResult::new(contents)
    }
}
