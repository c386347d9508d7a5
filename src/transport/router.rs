//! What to do with each message of one connection: both eras share it, and each message finds its own.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;

use super::outbox::Outbox;
use crate::error::Error;
use crate::ingress::{self, Frame, Message, Notification, Reject, Request};
use crate::json::RawJson;
use crate::peer::{Necessity, Outlet};
use crate::protocol::id::RequestId;
use crate::protocol::method::Method;
use crate::protocol::version::Era;
use crate::server::Server;
use crate::server::call::{CallState, Cancel};
use crate::server::in_flight::InFlight;
#[cfg(feature = "legacy")]
use crate::server::wire::array;
use crate::server::wire::error_response;

/// Work that was begun: its end is the message to send, if any.
pub(super) type Work = Pin<Box<dyn Future<Output = Option<Bytes>> + Send>>;

/// The state of one connection, apart from its bytes.
pub(super) struct Router {
    server: Server,
    outbox: Arc<Outbox>,
    in_flight: Arc<InFlight>,
    #[cfg(feature = "legacy")]
    session: Arc<crate::legacy::Session>,
    #[cfg(feature = "legacy")]
    subscription: Option<crate::server::changes::Subscription>,
    /// The last line was not a message and was answered: more of the kind are not answered, lest garbage be answered
    /// with as much garbage.
    saw_garbage: bool,
    speaks_legacy: bool,
    /// Raised when the connection takes no more requests: streams of notifications end.
    ending: Arc<Cancel>,
}

/// What a line leads to.
pub(super) enum Step {
    Nothing,
    Send(Bytes),
    Run(Work),
    /// Sends, and then runs what sends more for as long as the connection lives.
    Open(Bytes, Work),
}

impl Router {
    pub(super) fn new(server: &Server, outbox: Arc<Outbox>) -> Router {
        server.start_background();
        let in_flight = Arc::<InFlight>::default();
        #[cfg(feature = "legacy")]
        let outlet = Arc::downgrade(&outbox) as std::sync::Weak<dyn Outlet>;
        #[cfg(feature = "legacy")]
        let (session, subscription) = crate::legacy::Session::open(server, in_flight.clone(), outlet);
        Router {
            server: server.clone(),
            outbox,
            in_flight,
            #[cfg(feature = "legacy")]
            session: Arc::new(session),
            #[cfg(feature = "legacy")]
            subscription,
            saw_garbage: false,
            speaks_legacy: server.options().versions.iter().any(|version| !version.is_modern()),
            ending: Arc::default(),
        }
    }

    /// Takes one line.
    pub(super) fn take(&mut self, text: Bytes) -> Step {
        let filters = &self.server.options().incoming_filters;
        let text = if filters.is_empty() { Ok(text) } else { self.filter(text) };
        let text = match text {
            Ok(text) => text,
            Err(step) => return step,
        };
        match ingress::read(&text, self.server.options().limits.max_batch) {
            Err(reject) => self.garbage(reject),
            Ok(Frame::Single(Ok(message))) => {
                self.saw_garbage = false;
                self.route(&text, message)
            }
            Ok(Frame::Single(Err(reject))) if reject.id.is_none() => self.garbage(reject),
            Ok(Frame::Single(Err(reject))) => Step::Send(self.refusal(&reject)),
            Ok(Frame::Batch(messages)) => self.batch(&text, messages),
        }
    }

    /// A line that was longer than the limit.
    pub(super) fn too_long(&mut self) -> Step {
        let limit = self.server.options().limits.max_message_bytes;
        let error = Error::invalid_request(format!("The message is longer than {limit} bytes"));
        self.garbage(Reject { id: None, error })
    }

    /// Ends the streams of notifications, each with its last message.
    pub(super) fn end_streams(&self) {
        self.ending.raise();
    }

    /// Ends all that is going on.
    pub(super) fn close(&self) {
        #[cfg(feature = "legacy")]
        self.session.close();
        self.in_flight.cancel_all();
    }

    fn filter(&self, text: Bytes) -> Result<Bytes, Step> {
        // What is not JSON is no message yet; it is refused where it is read.
        let Ok(message) = RawJson::parse(text.clone()) else { return Ok(text) };
        if let Some(message) = self.server.options().incoming_filters.run(message) {
            return Ok(message.into_bytes());
        }
        Err(match ingress::read(&text, 0) {
            Ok(Frame::Single(Ok(Message::Request(request)))) => Step::Send(self.refusal(&Reject {
                id: Some(request.id),
                error: Error::invalid_request("The request was refused by this server's policy"),
            })),
            _ => Step::Nothing,
        })
    }

    fn garbage(&mut self, reject: Reject) -> Step {
        if std::mem::replace(&mut self.saw_garbage, true) || !self.answers_without_id() {
            return Step::Nothing;
        }
        Step::Send(self.refusal(&reject))
    }

    /// Whether the client's revision knows an error that belongs to no request.
    fn answers_without_id(&self) -> bool {
        #[cfg(feature = "legacy")]
        return self.session.version().is_none_or(|v| v.has(crate::protocol::version::Feature::ErrorsWithoutId));
        #[cfg(not(feature = "legacy"))]
        true
    }

    fn refusal(&self, reject: &Reject) -> Bytes {
        self.server.options().events.error(&reject.error);
        error_response(reject.id.as_ref().map(RequestId::as_raw), &reject.error)
    }

    fn route(&mut self, text: &Bytes, message: Message) -> Step {
        let events = &self.server.options().events;
        match message {
            Message::Request(request) => {
                events.request(|| (request.method.to_text(), RawJson::trusted(text.clone())));
                match ingress::era(&request.method, &request.params, None) {
                    Era::Legacy if self.speaks_legacy => self.legacy(request),
                    Era::Modern | Era::Legacy => self.modern(request),
                }
            }
            Message::Notification(notification) => {
                events.notification(|| (notification.method.to_text(), RawJson::trusted(text.clone())));
                self.notify(&notification)
            }
            #[cfg(feature = "legacy")]
            Message::Response(response) => {
                self.session.respond(response);
                Step::Nothing
            }
            #[cfg(not(feature = "legacy"))]
            Message::Response(_) => Step::Nothing,
        }
    }

    fn batch(&mut self, text: &Bytes, messages: Option<Vec<Result<Message, Reject>>>) -> Step {
        #[cfg(feature = "legacy")]
        if self.session.takes_batches() {
            return self.legacy_batch(text, messages);
        }
        let _ = (text, messages);
        let error = Error::invalid_request("A message must be a JSON object: this protocol version has no batches");
        self.garbage(Reject { id: None, error })
    }

    /// Gives a request its first turn. Most end in it; only what does not is entered among those in flight.
    fn begin(&self, state: &Arc<CallState>, mut work: Work) -> Result<Step, Error> {
        let limit = self.server.options().limits.max_in_flight;
        self.in_flight.check(state, limit)?;
        let mut quick = Context::from_waker(Waker::noop());
        if let Poll::Ready(answer) = work.as_mut().poll(&mut quick) {
            return Ok(answer.filter(|_| !state.cancel.is_abandoned()).map_or(Step::Nothing, Step::Send));
        }
        let entered = self.in_flight.enter(state, limit)?;
        Ok(Step::Run(Box::pin(async move { entered.run(work).await.flatten() })))
    }

    #[cfg(feature = "modern")]
    fn modern(&mut self, request: Request) -> Step {
        use futures_util::FutureExt;

        use crate::modern::codec::{error_answer, serve};
        use crate::modern::{Admitted, admit};
        let id = request.id.clone();
        let limit = self.server.options().limits.max_in_flight;
        let admitted = admit(&self.server, request, None, Some(self.outbox.clone()), |_, _| Ok(()));
        let refuse = |error| Step::Send(error_answer(&self.server, Some(id.as_raw()), error).text);
        match admitted {
            Err(error) => refuse(error),
            Ok(Admitted::Answer(text)) => Step::Send(text),
            Ok(Admitted::Call(call)) => {
                let state = call.state.clone();
                let begun = self.begin(&state, Box::pin(serve(call).map(|answer| Some(answer.text))));
                begun.unwrap_or_else(refuse)
            }
            Ok(Admitted::Listen(listen, state)) => match self.in_flight.enter(&state, limit) {
                Err(error) => refuse(error),
                Ok(entered) => {
                    let stream = forward(listen, self.outbox.clone(), self.ending.clone());
                    Step::Run(Box::pin(async move { entered.run(stream).await.flatten() }))
                }
            },
        }
    }

    #[cfg(not(feature = "modern"))]
    fn modern(&mut self, request: Request) -> Step {
        self.legacy(request)
    }

    #[cfg(feature = "legacy")]
    fn legacy(&mut self, request: Request) -> Step {
        use crate::legacy::{Admitted, codec, serve};
        let id = request.id.clone();
        let is_handshake = request.method.known == Some(Method::Initialize);
        let refuse = |error| Step::Send(codec::error_answer(&self.server, Some(id.as_raw()), error));
        match self.session.admit(request, None, Some(self.outbox.clone())) {
            Err(error) => refuse(error),
            Ok(Admitted::Answer(text)) => match if is_handshake { self.subscription.take() } else { None } {
                None => Step::Send(text),
                Some(subscription) => {
                    let stream = announce(subscription, self.outbox.clone(), self.ending.clone());
                    Step::Open(text, Box::pin(stream))
                }
            },
            Ok(Admitted::Call(call)) => {
                let (session, state) = (self.session.clone(), call.state.clone());
                let begun = self.begin(&state, Box::pin(async move { Some(serve(&session, call).await) }));
                begun.unwrap_or_else(refuse)
            }
        }
    }

    #[cfg(not(feature = "legacy"))]
    fn legacy(&mut self, request: Request) -> Step {
        // Only the gate of the modern era is there: it says what is missing.
        self.modern(request)
    }

    #[cfg(feature = "legacy")]
    fn notify(&mut self, notification: &Notification) -> Step {
        self.session.notify(notification);
        Step::Nothing
    }

    #[cfg(not(feature = "legacy"))]
    fn notify(&mut self, notification: &Notification) -> Step {
        if notification.method.known == Some(Method::Cancelled)
            && let Ok(Some(id)) = notification.params.members.get("requestId")
        {
            self.in_flight.cancel(id);
        }
        Step::Nothing
    }

    #[cfg(feature = "legacy")]
    fn legacy_batch(&mut self, text: &Bytes, messages: Option<Vec<Result<Message, Reject>>>) -> Step {
        let refusal = |error| Step::Send(error_response(None, &error));
        let Some(messages) = messages else {
            let limit = self.server.options().limits.max_batch;
            return refusal(Error::invalid_request(format!("A batch must not have more than {limit} messages")));
        };
        if messages.is_empty() {
            return refusal(Error::invalid_request("A batch must not be empty"));
        }
        let mut steps = Vec::with_capacity(messages.len());
        for message in messages {
            steps.push(match message {
                Ok(Message::Request(request)) if request.method.known == Some(Method::Initialize) => {
                    let error = Error::invalid_request("\"initialize\" must not be part of a batch");
                    Step::Send(self.refusal(&Reject { id: Some(request.id), error }))
                }
                Ok(message) => self.route(text, message),
                Err(reject) => Step::Send(self.refusal(&reject)),
            });
        }
        Step::Run(Box::pin(gather(steps)))
    }
}

/// Waits for every answer of a batch and puts them into one array.
#[cfg(feature = "legacy")]
async fn gather(steps: Vec<Step>) -> Option<Bytes> {
    let mut works = Vec::with_capacity(steps.len());
    for step in steps {
        works.push(match step {
            Step::Nothing => continue,
            Step::Send(text) | Step::Open(text, _) => Box::pin(std::future::ready(Some(text))) as Work,
            Step::Run(work) => work,
        });
    }
    let answers: Vec<Bytes> = futures_util::future::join_all(works).await.into_iter().flatten().collect();
    (!answers.is_empty()).then(|| array(&answers))
}

/// Sends what a stream of notifications brings; its last message is the answer.
#[cfg(feature = "modern")]
async fn forward(mut listen: crate::modern::listen::Listen, outbox: Arc<Outbox>, ending: Arc<Cancel>) -> Option<Bytes> {
    loop {
        outbox.room().await;
        let message = tokio::select! {
            biased;
            message = std::future::poll_fn(|cx| listen.poll_message(cx)) => message?,
            () = ending.wait() => return Some(listen.last()),
        };
        if listen.has_ended() {
            return Some(message);
        }
        outbox.send(message, Necessity::Required);
    }
}

/// Tells a legacy client what changes.
#[cfg(feature = "legacy")]
async fn announce(
    mut subscription: crate::server::changes::Subscription,
    outbox: Arc<Outbox>,
    ending: Arc<Cancel>,
) -> Option<Bytes> {
    loop {
        outbox.room().await;
        let change = tokio::select! {
            biased;
            change = subscription.next() => change?,
            () = ending.wait() => return None,
        };
        outbox.send(crate::legacy::Session::announce(&change), Necessity::Required);
    }
}
