//! Who a client or server says it is, and icons.

use serde::{Deserialize, Serialize};

use super::meta;
use super::version::{Feature, ProtocolVersion};
use crate::json::{JsonWriter, RawJson};

/// Name and version of a program. Self-reported: for display and logs, not for decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Implementation {
    /// Identifier.
    pub name: String,
    /// Version string.
    pub version: String,
    /// Name for people.
    #[serde(default)]
    pub title: Option<String>,
    /// What it does.
    #[serde(default)]
    pub description: Option<String>,
    /// Home page.
    #[serde(default)]
    pub website_url: Option<String>,
    /// Pictures for user interfaces.
    #[serde(default)]
    pub icons: Vec<Icon>,
}

impl Implementation {
    /// A program with a name and a version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Implementation {
        Implementation { name: name.into(), version: version.into(), ..Implementation::default() }
    }

    /// How a server names itself in `_meta` of its results, written once for all of them.
    pub(crate) fn server_meta(&self) -> RawJson {
        let mut w = JsonWriter::default();
        w.begin_object();
        w.key(meta::SERVER_INFO);
        self.write(&mut w, ProtocolVersion::LATEST);
        w.end_object();
        w.into_raw()
    }

    pub(crate) fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.begin_object();
        w.string_member("name", &self.name);
        w.string_member("version", &self.version);
        if version.has(Feature::Titles) {
            w.optional_string("title", self.title.as_deref());
        }
        if version.has(Feature::Icons) {
            w.optional_string("description", self.description.as_deref());
            w.optional_string("websiteUrl", self.website_url.as_deref());
        }
        write_icons(w, &self.icons, version);
        w.end_object();
    }
}

/// A picture that a client may show beside a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    /// `https:` or `data:` URI of the picture.
    pub src: String,
    /// Media type, where the source does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Sizes such as `48x48`, or `any`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// The background that the picture is made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<IconTheme>,
}

/// The background that an icon is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IconTheme {
    /// A light background.
    Light,
    /// A dark background.
    Dark,
}

impl Icon {
    /// An icon at a URI.
    pub fn new(src: impl Into<String>) -> Icon {
        Icon { src: src.into(), ..Icon::default() }
    }
}

/// Writes the `icons` member where there are icons and the revision knows them.
pub(crate) fn write_icons(w: &mut JsonWriter, icons: &[Icon], version: ProtocolVersion) {
    if !icons.is_empty() && version.has(Feature::Icons) {
        w.value_member("icons", icons);
    }
}
