//! Several messages in one array (revision 2025-03-26).

use std::sync::Arc;

use http::StatusCode;

use super::sse::sse_session;
use super::{LegacyHttp, Work, stated_version};
use crate::error::Error;
use crate::ingress::{Message, Reject};
use crate::legacy::fulfil::serve;
use crate::legacy::session::{Admitted, Session};
use crate::legacy::sessions::HttpSession;
use crate::peer::Outlet;
use crate::protocol::method::Method;
use crate::protocol::version::{Feature, ProtocolVersion};
use crate::server::exchange::Exchange;
use crate::server::http_head::{HttpBody, HttpHead, HttpReply, Received};
use crate::server::wire::{Answer, array};

impl LegacyHttp {
    /// Takes several messages in one array.
    pub(crate) fn post_batch(&self, head: &HttpHead<'_>, messages: Option<Vec<Result<Message, Reject>>>) -> Received {
        let session = match self.session(head) {
            Ok(session) => session,
            Err((status, text)) => return self.refuse(status, None, Error::invalid_request(text)).into(),
        };
        let version = session.as_ref().and_then(|session| session.session.version());
        let version = version.unwrap_or_else(|| stated_version(head.fields).unwrap_or(ProtocolVersion::HTTP_DEFAULT));
        let limit = self.server.options().limits.max_batch;
        let bad = |text: String| self.refuse(StatusCode::BAD_REQUEST, None, Error::invalid_request(text)).into();
        match messages {
            _ if !version.has(Feature::Batches) => {
                bad(format!("A message must be a JSON object: protocol version {version} has no batches"))
            }
            None => bad(format!("A batch must not have more than {limit} messages")),
            Some(messages) if messages.is_empty() => bad("A batch must not be empty".into()),
            Some(messages) => match session {
                Some(session) if head.query.and_then(sse_session).is_some() => {
                    self.take_for_sse(&session, messages).into()
                }
                Some(session) => self.serve_batch(session, head, messages),
                None => self.serve_batch_alone(version, head, messages),
            },
        }
    }

    /// Serves a batch: one stream that ends when all its requests have their answers, or one array.
    fn serve_batch(
        &self,
        session: Arc<HttpSession>,
        head: &HttpHead<'_>,
        messages: Vec<Result<Message, Reject>>,
    ) -> Received {
        let stream = session.stream();
        let mut answers = Vec::new();
        let mut works = Vec::new();
        for message in messages {
            match message {
                Err(reject) => answers.push(self.refusal(reject.id.as_ref(), reject.error)),
                Ok(Message::Notification(notification)) => session.session.notify(&notification),
                Ok(Message::Response(response)) => session.session.respond(response),
                Ok(Message::Request(request)) if request.method.known == Some(Method::Initialize) => {
                    let error = Error::invalid_request("\"initialize\" must not be part of a batch");
                    answers.push(self.refusal(Some(&request.id), error));
                }
                Ok(Message::Request(request)) => match self.begin(&session, head, request, &stream) {
                    Ok(Ok(text)) => answers.push(text),
                    Ok(Err(work)) => works.push(work),
                    Err(HttpReply { body: HttpBody::Json(text), .. }) => answers.push(text),
                    Err(_) => {}
                },
            }
        }
        if answers.is_empty() && works.is_empty() {
            session.finish(&stream, None);
            return HttpReply::empty(StatusCode::ACCEPTED).into();
        }
        let work = async move {
            let served = futures_util::future::join_all(works).await;
            answers.extend(served.into_iter().flatten());
            Some(array(&answers))
        };
        self.run(session, head.accept, stream, Box::pin(work))
    }

    /// Serves a batch that has no session. It ends when the client's connection does.
    fn serve_batch_alone(
        &self,
        version: ProtocolVersion,
        head: &HttpHead<'_>,
        messages: Vec<Result<Message, Reject>>,
    ) -> Received {
        let session = Arc::new(Session::detached(&self.server, Arc::default()));
        session.assume(version);
        let exchange = head.accept.events.then(|| Exchange::new(self.server.options().limits.max_queued_bytes));
        let outlet = exchange.clone().map(|exchange| exchange as Arc<dyn Outlet>);
        let mut answers = Vec::new();
        let mut works: Vec<Work> = Vec::new();
        for message in messages {
            let request = match message {
                Ok(Message::Request(request)) => request,
                Ok(_) => continue,
                Err(reject) => {
                    answers.push(self.refusal(reject.id.as_ref(), reject.error));
                    continue;
                }
            };
            let id = request.id.clone();
            let admitted = match request.method.known {
                Some(Method::Initialize) => Err(Error::invalid_request("\"initialize\" must not be part of a batch")),
                _ => session.admit(request, head.principal.clone(), outlet.clone()),
            };
            match admitted {
                Err(error) => answers.push(self.refusal(Some(&id), error)),
                Ok(Admitted::Answer(text)) => answers.push(text),
                Ok(Admitted::Call(call)) => {
                    let session = session.clone();
                    works.push(Box::pin(async move { Some(serve(&session, call).await) }));
                }
            }
        }
        if answers.is_empty() && works.is_empty() {
            return HttpReply::empty(StatusCode::ACCEPTED).into();
        }
        let work = async move {
            answers.extend(futures_util::future::join_all(works).await.into_iter().flatten());
            Some(Answer { text: array(&answers), error: None })
        };
        Received::Runs { work: Box::pin(work), exchange, quiet: self.quiet, status: |_| StatusCode::OK }
    }
}
