//! What a handler sees of the request that it serves.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Server;
use super::background::TaskTerms;
use super::call::{Call, CallState, Input};
use super::handler::HandlerError;
use super::schema::Schema;
use crate::error::Error;
use crate::json::{JsonWriter, Kind, RawJson};
use crate::peer::Necessity;
use crate::protocol::capability::ClientCapabilities;
use crate::protocol::elicitation::{ElicitAction, ElicitRequest, ElicitResult};
use crate::protocol::id::RequestId;
use crate::protocol::identity::Implementation;
use crate::protocol::input::{InputRequest, InputRequired};
use crate::protocol::logging::LoggingLevel;
use crate::protocol::method::Method;
use crate::protocol::roots::ListRootsResult;
use crate::protocol::sampling::{CreateMessageRequest, CreateMessageResult};
use crate::protocol::version::{Feature, ProtocolVersion};

/// The request that a handler serves. Cheap to clone, may be kept and used from any thread; once the request has its
/// answer, sending through it does nothing.
#[derive(Clone)]
pub struct Context {
    state: Arc<CallState>,
    input: Option<Arc<Input>>,
    method: Method,
}

impl Context {
    pub(crate) fn new(call: &Call) -> Context {
        Context { state: call.state.clone(), input: call.input.clone(), method: call.method }
    }

    /// The server, to register, remove or announce things.
    pub fn server(&self) -> &Server {
        &self.state.server
    }

    /// The request's id.
    pub fn request_id(&self) -> &RequestId {
        &self.state.id
    }

    /// The request's method, such as `tools/call`.
    pub fn method(&self) -> &str {
        self.method.as_str()
    }

    /// The request's parameters as they arrived: a JSON object, empty where there were none. Shares the bytes of the
    /// message, which live for as long as this does.
    pub fn params(&self) -> RawJson {
        self.state.params.to_raw()
    }

    /// The revision that the client speaks.
    pub fn protocol_version(&self) -> ProtocolVersion {
        self.state.client.version
    }

    /// Who the client says it is.
    pub fn client_info(&self) -> Option<Implementation> {
        self.state.client.implementation()
    }

    /// Who the client says it is, as it was sent: a JSON object.
    pub fn client_info_json(&self) -> Option<&RawJson> {
        self.state.client.info.as_ref().filter(|info| info.kind() == Kind::Object)
    }

    /// What the client can do, as it was sent: a JSON object.
    pub fn client_capabilities_json(&self) -> &RawJson {
        &self.state.client.capabilities
    }

    /// What the client can do.
    pub fn client_capabilities(&self) -> ClientCapabilities {
        self.state.client.capabilities()
    }

    /// Who was authenticated by what stands in front of the server (see `Principal`).
    pub fn principal(&self) -> Option<&str> {
        self.state.client.principal.as_deref()
    }

    /// `_meta` of the request: a JSON object.
    pub fn meta(&self) -> Option<&RawJson> {
        self.state.meta.as_ref()
    }

    /// Whether the client has given up or gone away, or the call has taken too long.
    pub fn is_cancelled(&self) -> bool {
        self.state.cancel.is_raised()
    }

    /// Returns when the request is cancelled.
    pub async fn cancelled(&self) {
        self.state.cancel.wait().await;
    }

    /// Makes the call a task: the client receives a handle, and the rest of this run goes on in the background. Returns
    /// when the task is as durable as its store makes it. A call that is a task already stays one.
    ///
    /// For tools in `TaskMode::PerCall`. Ask the client before, and what it answered stays known: the client can answer
    /// without a task then. What is asked for after it is asked through the task, and runs the tool again from its
    /// start, as a task.
    ///
    /// ```no_run
    /// # use mcp::{Context, HandlerError};
    /// # async fn handler(ctx: Context, pages: usize) -> Result<String, HandlerError> {
    /// if pages > 100 && ctx.can_be_task() {
    ///     ctx.into_task().await?;
    /// }
    /// # Ok(String::new())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The client can't take a handle, the tool is not in that mode, or the store takes no more.
    #[allow(clippy::wrong_self_convention, reason = "what becomes a task is the call, of which this is a handle")]
    pub async fn into_task(&self) -> Result<(), HandlerError> {
        let name = self.tool_name();
        Ok(self.state.task.wish(&name).await?)
    }

    /// Whether `into_task` is possible: there is a task store, and the client can take a handle.
    pub fn can_be_task(&self) -> bool {
        let slot = &self.state.task;
        let is_taken = matches!(slot.terms, TaskTerms::Accepted | TaskTerms::Asked { .. });
        slot.link().is_some() || (is_taken && self.server().tasks().is_some())
    }

    /// The id of the task that the call is, if it is one. Who knows it can ask for the task's result: keep it secret
    /// where clients are not authenticated.
    pub fn task_id(&self) -> Option<&str> {
        self.state.task.link().map(|link| &*link.id)
    }

    /// Says what the task is doing, in words for people. Outside of a task this does nothing.
    pub fn set_task_status(&self, text: impl Into<String>) {
        if let Some(link) = self.state.task.link().filter(|link| !link.is_over()) {
            link.set_note(text.into());
        }
    }

    /// Reports progress. Nothing is sent when the client did not ask for it, when `progress` is not greater than the
    /// last value, or when the request has its answer. Of a task it becomes the status message.
    pub fn report_progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        if self.state.task.link().is_some() && progress.is_finite() {
            self.set_task_status(match (message, total) {
                (Some(message), _) => message.to_owned(),
                (None, Some(total)) => format!("{progress} of {total}"),
                (None, None) => format!("progress: {progress}"),
            });
        }
        let Some(token) = &self.state.progress else { return };
        if !progress.is_finite() || !self.is_open() || !token.advance(progress) {
            return;
        }
        self.notify(Method::Progress, |w| {
            w.raw_member("progressToken", &token.token);
            w.value_member("progress", &progress);
            w.optional_value("total", total.filter(|total| total.is_finite()));
            if self.protocol_version().has(Feature::ProgressMessage) {
                w.optional_string("message", message);
            }
        });
    }

    /// The least severe log message that the client wants; `None` when it wants none.
    pub fn log_level(&self) -> Option<LoggingLevel> {
        self.state.log_threshold.level()
    }

    /// Sends a log message to the client, if it wants messages of this level. Keep secrets out of it.
    pub fn log<T: Serialize + ?Sized>(&self, level: LoggingLevel, data: &T) {
        self.log_from(level, None, data);
    }

    /// Like `log`, under the name of a logger.
    pub fn log_from<T: Serialize + ?Sized>(&self, level: LoggingLevel, logger: Option<&str>, data: &T) {
        let wanted = self.log_level().is_some_and(|threshold| level >= threshold);
        if wanted && self.server().options().declare_logging {
            self.notify(Method::LogMessage, |w| {
                w.value_member("level", &level);
                w.optional_string("logger", logger);
                w.value_member("data", data);
            });
        }
    }

    /// Answers that the client brought along, by the keys under which they were asked for.
    pub fn input_response(&self, key: &str) -> Option<&RawJson> {
        let input = self.input.as_ref()?;
        input.responses.iter().find(|(name, _)| name == key).map(|(_, answer)| answer)
    }

    /// All answers of this round.
    pub fn input_responses(&self) -> impl Iterator<Item = (&str, &RawJson)> {
        let responses = self.input.iter().flat_map(|input| &input.responses);
        responses.map(|(key, answer)| (key.as_str(), answer))
    }

    /// The state that this handler gave to `InputRequired::state` in the round before, verified.
    pub fn request_state(&self) -> Option<&str> {
        self.input.as_ref()?.state.as_deref()
    }

    /// The answer to a question, or the end of this run of the handler.
    ///
    /// Where the answer is there already, it is returned. Otherwise this fails with a value that, returned from the
    /// handler (`?`), asks the client; the handler is then run again from its start, with this and all earlier answers
    /// at hand. So what comes before an `ask` runs once more with every round: keep side effects behind the last one.
    ///
    /// # Errors
    /// The question is still open, or the client's answer has the wrong shape.
    ///
    /// ```no_run
    /// # use mcp::{Context, ElicitRequest, HandlerError};
    /// # async fn handler(ctx: Context) -> Result<String, HandlerError> {
    /// let schema = serde_json::json!({"type": "object", "properties": {"name": {"type": "string"}}});
    /// let answer = ctx.ask("name", ElicitRequest::form("Your name?", schema))?;
    /// # Ok(format!("{answer:?}"))
    /// # }
    /// ```
    pub fn ask<Q: Question>(&self, key: &str, question: Q) -> Result<Q::Answer, HandlerError> {
        match self.input.as_ref().and_then(|input| input.answer(key)) {
            Some(answer) => {
                let malformed = |what: String| {
                    Error::invalid_params(format!("the client's answer to \"{key}\" is malformed: {what}"))
                };
                read_answer(&question, answer).map_err(|what| malformed(what).into())
            }
            None => Err(InputRequired::new().request(key, question.into()).into()),
        }
    }

    /// Closes the connection that waits for the answer, where the client can come back for it (revision 2025-11-25 over
    /// HTTP with an event store): it will poll. Elsewhere this does nothing.
    pub fn release_connection(&self) {
        if let Some(outlet) = &self.state.outlet {
            outlet.release_connection();
        }
    }

    fn tool_name(&self) -> String {
        let name = self.state.params.get("name").ok().flatten();
        name.and_then(|name| name.to_text()).unwrap_or_default()
    }

    fn is_open(&self) -> bool {
        !self.state.finished.load(Ordering::Acquire)
    }

    fn notify(&self, method: Method, params: impl FnOnce(&mut JsonWriter)) {
        let Some(outlet) = self.state.outlet.as_ref().filter(|_| self.is_open()) else { return };
        outlet.send(notification(method, params), Necessity::Droppable);
    }
}

/// Something that can be asked of the client, and the type of its answer.
pub trait Question: Clone + Into<InputRequest> {
    /// What the client answers.
    type Answer: DeserializeOwned;

    /// Checks an answer of the right type.
    ///
    /// # Errors
    /// What is wrong with it.
    fn check(&self, _: &Self::Answer) -> Result<(), String> {
        Ok(())
    }
}

/// Reads an answer and checks it.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read_answer<Q: Question>(question: &Q, answer: &RawJson) -> Result<Q::Answer, String> {
    let answer = answer.deserialize().map_err(|error| error.to_string())?;
    question.check(&answer)?;
    Ok(answer)
}

impl Question for ElicitRequest {
    type Answer = ElicitResult;

    /// A form that was accepted must be filled in as its schema says.
    fn check(&self, answer: &ElicitResult) -> Result<(), String> {
        let ElicitRequest::Form { requested_schema, .. } = self else { return Ok(()) };
        if answer.action != ElicitAction::Accept {
            return Ok(());
        }
        // What the host asks for is its own affair: a schema that can't be compiled checks nothing.
        let Ok(schema) = Schema::compile(requested_schema) else { return Ok(()) };
        schema.validate(answer.content.as_ref().unwrap_or(&RawJson::EMPTY_OBJECT))
    }
}

impl Question for CreateMessageRequest {
    type Answer = CreateMessageResult;
}

/// A question that is known as JSON only. Its answer is what the client sent, checked like that of the typed question.
impl Question for InputRequest {
    type Answer = RawJson;

    fn check(&self, answer: &RawJson) -> Result<(), String> {
        fn typed<Q: Question>(question: &Q, answer: &RawJson) -> Result<(), String> {
            read_answer(question, answer).map(|_| ())
        }
        match self {
            InputRequest::Elicit(question) => typed(question, answer),
            InputRequest::Sample(question) => typed(question, answer),
            InputRequest::ListRoots => typed(&ListRoots, answer),
        }
    }
}

/// The question for the client's roots.
#[derive(Clone, Copy, Debug)]
pub struct ListRoots;

impl From<ListRoots> for InputRequest {
    fn from(_: ListRoots) -> InputRequest {
        InputRequest::ListRoots
    }
}

impl Question for ListRoots {
    type Answer = ListRootsResult;
}

/// A complete JSON-RPC notification.
pub(crate) fn notification(method: Method, params: impl FnOnce(&mut JsonWriter)) -> Bytes {
    let mut w = JsonWriter::with_capacity(192);
    w.begin_object();
    w.string_member("jsonrpc", "2.0");
    w.string_member("method", method.as_str());
    w.key("params");
    w.begin_object();
    params(&mut w);
    w.end_object();
    w.end_object();
    w.into_bytes()
}
