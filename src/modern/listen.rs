//! `subscriptions/listen`: a request whose answer is a stream of notifications.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use serde::Deserialize;

use super::codec::{begin, end};
use crate::error::Error;
use crate::json::{JsonWriter, RawJson};
use crate::protocol::meta;
use crate::protocol::method::Method;
use crate::protocol::task::{self, TaskState};
use crate::protocol::version::ProtocolVersion;
use crate::server::Server;
use crate::server::background::{Serving, TaskTerms};
use crate::server::call::Call;
use crate::server::changes::{Change, List, Lists, Subscription};
use crate::server::context::notification;

/// An open stream: first the acknowledgement, then the changes, at last the result that ends it.
///
/// Dropping it is how the client's cancellation arrives.
pub(crate) struct Listen {
    server: Server,
    /// The id of the request, in bytes of its own: the request's text must not be kept for as long as the stream lives.
    id: RawJson,
    subscription: Subscription,
    stage: Stage,
    _slot: Slot,
}

enum Stage {
    Acknowledge(Bytes),
    /// It is looked up which of the tasks are the client's.
    LookUp(Wanted, Serving<'static, Vec<Arc<TaskState>>>),
    Open,
    Ended,
}

/// A place among the open streams.
struct Slot(Arc<AtomicUsize>);

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// What a client wants to hear of. Kinds that are not known are not honoured and not acknowledged.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    #[serde(default)]
    tools_list_changed: bool,
    #[serde(default)]
    prompts_list_changed: bool,
    #[serde(default)]
    resources_list_changed: bool,
    #[serde(default)]
    resource_subscriptions: Option<Vec<String>>,
    #[serde(default)]
    task_ids: Option<Vec<String>>,
}

impl Listen {
    /// Subscribes.
    ///
    /// # Errors
    /// `-32602`: the filter is missing or malformed. `-32603`: there are too many streams.
    pub(super) fn open(call: &Call) -> Result<Listen, Error> {
        let server = &call.state.server;
        let filter = call.state.params.get("notifications")?.ok_or_else(|| {
            Error::invalid_params(
                "\"params.notifications\" is missing; it must be an object that names what to listen for",
            )
        })?;
        let malformed = |e| Error::invalid_params(format!("\"params.notifications\" is malformed: {e}"));
        let mut wanted: Wanted = filter.deserialize().map_err(malformed)?;
        let limit = server.options().limits.max_subscriptions;
        if wanted.resource_subscriptions.as_ref().is_some_and(|uris| uris.len() > limit) {
            return Err(Error::invalid_params(format!("more than {limit} resources are subscribed to")));
        }
        if wanted.task_ids.as_ref().is_some_and(|ids| ids.len() > limit) {
            return Err(Error::invalid_params(format!("more than {limit} tasks are subscribed to")));
        }
        wanted.task_ids = wanted.task_ids.filter(|_| server.tasks().is_some());
        if wanted.task_ids.is_some() && call.state.task.terms == TaskTerms::Unavailable {
            return Err(Error::missing_capability(task::REQUIRED));
        }
        let slot = Slot::take(server, limit)?;
        let offered = server.capabilities();
        wanted.tools_list_changed &= offered.tools;
        wanted.prompts_list_changed &= offered.prompts;
        wanted.resources_list_changed &= offered.resources;
        wanted.resource_subscriptions = wanted.resource_subscriptions.filter(|_| offered.resources);
        let id = RawJson::trusted(Bytes::copy_from_slice(call.state.id.as_raw().as_bytes()));
        let lists = Lists {
            tools: wanted.tools_list_changed,
            resources: wanted.resources_list_changed,
            prompts: wanted.prompts_list_changed,
        };
        let uris = wanted.resource_subscriptions.iter().flatten().map(|uri| Arc::from(uri.as_str()));
        let subscription = server.changes().subscribe(lists, uris);
        let stage = match (server.tasks(), wanted.task_ids.clone()) {
            (Some(tasks), Some(ids)) => {
                // Watched before they are looked up, so that no change falls in between.
                for id in &ids {
                    subscription.watch_task(id, limit);
                }
                Stage::LookUp(wanted, tasks.look_up(ids, &call.state.client))
            }
            _ => Stage::Acknowledge(acknowledge(&id, &wanted)),
        };
        Ok(Listen { subscription, server: server.clone(), id, stage, _slot: slot })
    }

    /// Whether the message that ends the stream was taken.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Ended)
    }

    /// The next message of the stream; `None` after the last one.
    pub(crate) fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        match std::mem::replace(&mut self.stage, Stage::Open) {
            Stage::Acknowledge(text) => Poll::Ready(Some(text)),
            Stage::LookUp(wanted, mut found) => match found.as_mut().poll(cx) {
                Poll::Pending => {
                    self.stage = Stage::LookUp(wanted, found);
                    Poll::Pending
                }
                Poll::Ready(found) => Poll::Ready(Some(self.watch(wanted, found))),
            },
            Stage::Ended => {
                self.stage = Stage::Ended;
                Poll::Ready(None)
            }
            Stage::Open => match self.subscription.poll_change(cx) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(Some(change)) => Poll::Ready(Some(self.announce(&change))),
                Poll::Ready(None) => {
                    self.stage = Stage::Ended;
                    Poll::Ready(Some(self.last()))
                }
            },
        }
    }

    /// Watches the tasks that were found, each from the state that it was found in, and no others.
    fn watch(&self, mut wanted: Wanted, found: Vec<Arc<TaskState>>) -> Bytes {
        if let Some(ids) = &mut wanted.task_ids {
            let is_found = |id: &String| found.iter().any(|task| task.id == *id);
            ids.iter().filter(|id| !is_found(id)).for_each(|id| self.subscription.unwatch_task(id));
            ids.retain(is_found);
        }
        found.into_iter().for_each(|task| self.subscription.begin_task(task));
        acknowledge(&self.id, &wanted)
    }

    fn announce(&self, change: &Change) -> Bytes {
        if let Change::Task(task) = change {
            return notification(Method::TaskChanged, |w| {
                write_subscription_meta(w, &self.id);
                task.write_detailed(w, ProtocolVersion::LATEST);
            });
        }
        let (method, uri) = match change {
            Change::List(List::Tools) => (Method::ToolsListChanged, None),
            Change::List(List::Resources) => (Method::ResourcesListChanged, None),
            Change::List(List::Prompts) => (Method::PromptsListChanged, None),
            Change::Resource(uri) => (Method::ResourceUpdated, Some(&**uri)),
            Change::Task(_) => (Method::TaskChanged, None),
        };
        notification(method, |w| {
            write_subscription_meta(w, &self.id);
            w.optional_string("uri", uri);
        })
    }

    /// The result that tells the client that the stream ended in order.
    pub(crate) fn last(&self) -> Bytes {
        let mut own = JsonWriter::default();
        own.begin_object();
        own.raw_member(meta::SUBSCRIPTION_ID, &self.id);
        own.end_object();
        let mut w = begin(&self.id, &self.server, 128);
        w.string_member("resultType", "complete");
        end(w, &self.server, Some(&own.into_raw()))
    }
}

impl Slot {
    fn take(server: &Server, limit: usize) -> Result<Slot, Error> {
        let open = server.listening();
        let slot = Slot(open.clone());
        if open.fetch_add(1, Ordering::AcqRel) >= limit {
            return Err(Error::internal(format!("The server has {limit} open subscriptions and takes no more")));
        }
        Ok(slot)
    }
}

fn acknowledge(id: &RawJson, wanted: &Wanted) -> Bytes {
    notification(Method::SubscriptionsAcknowledged, |w| {
        write_subscription_meta(w, id);
        w.key("notifications");
        w.begin_object();
        let lists = [
            ("toolsListChanged", wanted.tools_list_changed),
            ("promptsListChanged", wanted.prompts_list_changed),
            ("resourcesListChanged", wanted.resources_list_changed),
        ];
        for (name, _) in lists.iter().filter(|(_, honoured)| *honoured) {
            w.value_member(name, &true);
        }
        w.optional_value("resourceSubscriptions", wanted.resource_subscriptions.as_ref());
        w.optional_value("taskIds", wanted.task_ids.as_ref());
        w.end_object();
    })
}

fn write_subscription_meta(w: &mut JsonWriter, id: &RawJson) {
    w.key("_meta");
    w.begin_object();
    w.raw_member(meta::SUBSCRIPTION_ID, id);
    w.end_object();
}
