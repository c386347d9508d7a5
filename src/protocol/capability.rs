//! What a client and a server declare that they can do.

use serde::Deserialize;

use super::elicitation::ElicitRequest;
use super::input::InputRequest;
use super::version::{Feature, ProtocolVersion};
use crate::json::{JsonWriter, RawJson};

/// What the client declared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ClientCapabilities {
    /// It can ask the person.
    #[serde(default)]
    pub elicitation: Option<ElicitationCapability>,
    /// It can ask its model.
    #[serde(default)]
    pub sampling: Option<SamplingCapability>,
    /// It can list roots.
    #[serde(default)]
    pub roots: Option<RootsCapability>,
    /// Extensions by identifier, each with its settings: a JSON object.
    #[serde(default)]
    pub extensions: Option<RawJson>,
    /// Experiments by name: a JSON object.
    #[serde(default)]
    pub experimental: Option<RawJson>,
}

/// How the client can ask the person. Neither form nor URL means form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ElicitationCapability {
    /// Forms.
    #[serde(default)]
    pub form: Option<RawJson>,
    /// Pages to visit.
    #[serde(default)]
    pub url: Option<RawJson>,
}

/// How the client can ask its model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct SamplingCapability {
    /// With tools.
    #[serde(default)]
    pub tools: Option<RawJson>,
    /// With context of other servers.
    #[serde(default)]
    pub context: Option<RawJson>,
}

/// The client can list roots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct RootsCapability {
    /// It tells when they change (legacy).
    #[serde(default, rename = "listChanged")]
    pub list_changed: bool,
}

impl ClientCapabilities {
    /// Whether the client knows the extension of this identifier.
    pub(crate) fn has_extension(&self, name: &str) -> bool {
        let extensions = self.extensions.as_ref().and_then(crate::json::Members::of);
        extensions.is_some_and(|extensions| extensions.get(name).is_ok_and(|settings| settings.is_some()))
    }

    /// The capabilities that `request` needs and the client did not declare, as a JSON object; `None` when all are there.
    pub(crate) fn missing_for(&self, request: &InputRequest, version: ProtocolVersion) -> Option<&'static str> {
        match request {
            InputRequest::Elicit(_) if !version.has(Feature::Elicitation) => Some(r#"{"elicitation":{}}"#),
            InputRequest::Elicit(ElicitRequest::Form { .. }) => match &self.elicitation {
                Some(modes) if modes.form.is_some() || modes.url.is_none() => None,
                _ => Some(r#"{"elicitation":{"form":{}}}"#),
            },
            InputRequest::Elicit(ElicitRequest::Url { .. }) => match &self.elicitation {
                Some(modes) if modes.url.is_some() && version.has(Feature::ElicitationModes) => None,
                _ => Some(r#"{"elicitation":{"url":{}}}"#),
            },
            InputRequest::Sample(request) => match &self.sampling {
                None => Some(r#"{"sampling":{}}"#),
                Some(sampling) => {
                    let (wants, blocks) = (request.tools.is_some(), request.has_tool_blocks());
                    let lacks = sampling.tools.is_none() && (wants || blocks);
                    // A revision without such blocks has no other form for them.
                    let unknown = blocks && !version.has(Feature::SamplingTools);
                    (lacks || unknown).then_some(r#"{"sampling":{"tools":{}}}"#)
                }
            },
            InputRequest::ListRoots => match &self.roots {
                None => Some(r#"{"roots":{}}"#),
                Some(_) => None,
            },
        }
    }
}

/// What the server can do, derived from what is registered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerCapabilities {
    /// There are, or can be, tools.
    pub tools: bool,
    /// There are, or can be, resources.
    pub resources: bool,
    /// There are, or can be, prompts.
    pub prompts: bool,
    /// Arguments can be completed.
    pub completions: bool,
    /// Log messages are sent.
    pub logging: bool,
    /// Changes of the lists and of resources are announced.
    pub change_notifications: bool,
    /// Extensions by identifier with their settings.
    pub extensions: Vec<(String, RawJson)>,
    /// Tool calls can be tasks, which is an extension in some revisions and a capability in others.
    pub tasks: bool,
    /// A client can list its tasks: it has a session, or is known.
    pub(crate) lists_tasks: bool,
}

impl ServerCapabilities {
    /// What a client of this revision is told: a JSON object.
    pub fn to_json(&self, version: ProtocolVersion) -> RawJson {
        let mut w = JsonWriter::new();
        self.write(&mut w, version);
        w.into_raw()
    }

    pub(crate) fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        let list = |w: &mut JsonWriter, name: &'static str, subscribe: bool| {
            w.key(name);
            w.begin_object();
            if self.change_notifications {
                w.value_member("listChanged", &true);
                if subscribe {
                    w.value_member("subscribe", &true);
                }
            }
            w.end_object();
        };
        w.begin_object();
        if self.logging {
            w.raw_member("logging", &RawJson::EMPTY_OBJECT);
        }
        if self.completions && version.has(Feature::CompletionsCapability) {
            w.raw_member("completions", &RawJson::EMPTY_OBJECT);
        }
        if self.prompts {
            list(w, "prompts", false);
        }
        if self.resources {
            list(w, "resources", true);
        }
        if self.tools {
            list(w, "tools", false);
        }
        if self.tasks && version.has(Feature::TaskRequests) {
            let list = if self.lists_tasks { r#""list":{},"# } else { "" };
            let text = format!(r#"{{{list}"cancel":{{}},"requests":{{"tools":{{"call":{{}}}}}}}}"#);
            w.raw_member("tasks", &RawJson::trusted(text));
        }
        if version.has(Feature::Extensions) && !self.extensions.is_empty() {
            w.key("extensions");
            w.begin_object();
            for (name, settings) in &self.extensions {
                w.any_key(name);
                w.raw(settings);
            }
            w.end_object();
        }
        w.end_object();
    }
}
