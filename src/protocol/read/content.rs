//! Content blocks and what they are made of.

use serde::de::{Deserialize, Deserializer, MapAccess};

use super::{Member, Parts, read, required};
use crate::json::RawJson;
use crate::protocol::content::{Annotations, Content, ContentKind, ResourceBody, ResourceContents, ResourceLink, Role};
use crate::protocol::identity::Icon;

impl<'de> Deserialize<'de> for Annotations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Annotations, D::Error> {
        read::<AnnotationsParts, D>(deserializer)
    }
}

#[derive(Default)]
struct AnnotationsParts {
    audience: Option<Vec<Role>>,
    priority: Option<f64>,
    last_modified: Option<String>,
}

impl<'de> Parts<'de> for AnnotationsParts {
    type Whole = Annotations;
    const WHAT: &'static str = "annotations";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "audience" => member.read(&mut self.audience, "an array of \"user\" and \"assistant\""),
            "priority" => member.read(&mut self.priority, "a number"),
            "lastModified" => member.read(&mut self.last_modified, "a string"),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<Annotations, String> {
        let AnnotationsParts { audience, priority, last_modified } = self;
        Ok(Annotations { audience: audience.unwrap_or_default(), priority, last_modified })
    }
}

impl<'de> Deserialize<'de> for ResourceContents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ResourceContents, D::Error> {
        read::<ResourceContentsParts, D>(deserializer)
    }
}

#[derive(Default)]
struct ResourceContentsParts {
    uri: Option<String>,
    mime_type: Option<String>,
    text: Option<String>,
    blob: Option<String>,
    meta: Option<RawJson>,
}

impl<'de> Parts<'de> for ResourceContentsParts {
    type Whole = ResourceContents;
    const WHAT: &'static str = "the contents of a resource";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "uri" => member.read(&mut self.uri, "a string"),
            "mimeType" => member.read(&mut self.mime_type, "a string"),
            "text" => member.read(&mut self.text, "a string"),
            "blob" => member.read(&mut self.blob, "a string of base64"),
            "_meta" => member.object(&mut self.meta),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<ResourceContents, String> {
        let body = match (self.text, self.blob) {
            (Some(text), _) => ResourceBody::Text(text),
            (None, Some(data)) => ResourceBody::Blob(data),
            (None, None) => return Err("\"text\" or \"blob\" is missing; it must be a string".into()),
        };
        let uri = required(self.uri, "uri", "a string")?;
        Ok(ResourceContents { uri, mime_type: self.mime_type, body, meta: self.meta })
    }
}

impl<'de> Deserialize<'de> for ResourceLink {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ResourceLink, D::Error> {
        read::<ResourceLinkParts, D>(deserializer)
    }
}

#[derive(Default)]
struct ResourceLinkParts {
    uri: Option<String>,
    name: Option<String>,
    title: Option<String>,
    description: Option<String>,
    mime_type: Option<String>,
    size: Option<u64>,
    icons: Option<Vec<Icon>>,
}

impl<'de> Parts<'de> for ResourceLinkParts {
    type Whole = ResourceLink;
    const WHAT: &'static str = "a resource link";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "uri" => member.read(&mut self.uri, "a string"),
            "name" => member.read(&mut self.name, "a string"),
            "title" => member.read(&mut self.title, "a string"),
            "description" => member.read(&mut self.description, "a string"),
            "mimeType" => member.read(&mut self.mime_type, "a string"),
            "size" => member.whole(&mut self.size),
            "icons" => member.read(&mut self.icons, "an array of icons"),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<ResourceLink, String> {
        Ok(ResourceLink {
            uri: required(self.uri, "uri", "a string")?,
            name: required(self.name, "name", "a string")?,
            title: self.title,
            description: self.description,
            mime_type: self.mime_type,
            size: self.size,
            icons: self.icons.unwrap_or_default(),
        })
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Content, D::Error> {
        read::<ContentParts, D>(deserializer)
    }
}

/// The members of every kind of block: which kind it is may be said last.
#[derive(Default)]
struct ContentParts {
    kind: Option<String>,
    text: Option<String>,
    data: Option<String>,
    resource: Option<ResourceContents>,
    link: ResourceLinkParts,
    annotations: Option<Annotations>,
    meta: Option<RawJson>,
}

impl<'de> Parts<'de> for ContentParts {
    type Whole = Content;
    const WHAT: &'static str = "a content block";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "type" => member.read(&mut self.kind, TYPES),
            "text" => member.read(&mut self.text, "a string"),
            "data" => member.read(&mut self.data, "a string of base64"),
            "resource" => member.read(&mut self.resource, "the contents of a resource"),
            "annotations" => member.read(&mut self.annotations, "annotations"),
            "_meta" => member.object(&mut self.meta),
            _ => self.link.member(member),
        }
    }

    fn finish(self) -> Result<Content, String> {
        let media = |data: Option<String>, link: ResourceLinkParts| {
            let data = required(data, "data", "a string of base64")?;
            Ok::<_, String>((data, required(link.mime_type, "mimeType", "a string")?))
        };
        let kind = match required(self.kind, "type", TYPES)?.as_str() {
            "text" => ContentKind::Text(required(self.text, "text", "a string")?),
            "image" => {
                let (data, mime_type) = media(self.data, self.link)?;
                ContentKind::Image { data, mime_type }
            }
            "audio" => {
                let (data, mime_type) = media(self.data, self.link)?;
                ContentKind::Audio { data, mime_type }
            }
            "resource_link" => ContentKind::Link(Box::new(self.link.finish()?)),
            "resource" => ContentKind::Resource(required(self.resource, "resource", "the contents of a resource")?),
            other => return Err(format!("\"type\" must be {TYPES}, not {other:?}")),
        };
        Ok(Content { kind, annotations: self.annotations, meta: self.meta })
    }
}

const TYPES: &str = "\"text\", \"image\", \"audio\", \"resource_link\" or \"resource\"";
