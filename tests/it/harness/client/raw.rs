//! Sending what a well-behaved client does not: pieces, garbage, altered texts, arrays.

use serde_json::{Value, json};

use super::super::leg::Transport;
use super::super::mailbox::Received;
use super::super::reply::Reply;
use super::super::within;
use super::{Client, Pending};

impl Client {
    /// Writes bytes and a line feed as they are. Only on lines.
    pub(crate) async fn send_line(&self, bytes: impl AsRef<[u8]>) {
        self.send_bytes([bytes.as_ref(), b"\n"].concat()).await;
    }

    /// Says that a message is going to be sent in pieces, so that its answer is not taken for one that nobody asked for.
    pub(crate) fn announce_sent(&self, message: &Value) {
        self.mailbox.note_sent(message.to_string().as_bytes());
    }

    /// Writes bytes as they are. Only on lines.
    pub(crate) async fn send_bytes(&self, bytes: impl AsRef<[u8]>) {
        for line in bytes.as_ref().split(|byte| *byte == b'\n') {
            self.mailbox.note_sent(line);
        }
        within("writing", self.pipe.write(bytes.as_ref())).await;
    }

    /// Sends the text of one message as it is, on every leg, and waits for what comes back for it: on lines the next
    /// message that nobody has taken, over HTTP the response. `None` where there is nothing: over HTTP an empty body, on
    /// lines nothing before the answer to a further request. `like` is a message that is right: HTTP takes the headers
    /// from it.
    pub(crate) async fn send_text(&self, text: impl AsRef<[u8]>, like: Option<&Value>) -> Option<Reply> {
        if let Some(stream) = self.pipe.send(text.as_ref().to_vec(), like).await {
            let wanted = move |received: &Received| received.stream == stream;
            let answer = self.mailbox.take_until("a response", Some(stream), wanted).await.map(Reply::from);
            if answer.is_some() || self.leg.transport != Transport::Sse {
                return answer;
            }
        }
        let mut received = self.drain().await;
        assert!(received.len() < 2, "{}: more than one answer: {received:?}", self.leg);
        received.pop().map(Reply::from)
    }

    /// Sends an array of messages and takes all that comes back for it; on lines, what comes before the answer to a
    /// further request.
    pub(crate) async fn send_array(&self, text: &str) -> Vec<Received> {
        let Some(stream) = self.pipe.send(text.as_bytes().to_vec(), None).await else { return self.drain().await };
        let mut received = Vec::new();
        let wanted = move |message: &Received| message.stream == stream;
        while let Some(message) = self.mailbox.take_until("the answers to a batch", Some(stream), wanted).await {
            received.push(message);
        }
        received
    }

    /// Sends an array of messages and waits for so many answers.
    pub(crate) async fn await_array(&self, text: &str, count: usize) -> Vec<Received> {
        let batch: Value = serde_json::from_str(text).unwrap();
        let ids: Vec<Value> = batch.as_array().unwrap().iter().map(|message| message["id"].clone()).collect();
        let stream = self.pipe.send(text.as_bytes().to_vec(), None).await.unwrap_or_default();
        let wanted = |message: &Received| {
            message.stream == stream && message.is_response() && ids.contains(&message.value["id"])
        };
        let mut received = Vec::new();
        while received.len() < count {
            received.push(self.mailbox.take("the answers to a batch", &wanted).await);
        }
        received
    }

    /// A request with the id 77 whose text has `replace` replaced by `by`, sent as `send_text` does.
    pub(crate) async fn send_altered(&self, method: &str, params: Value, replace: &str, by: &str) -> Option<Reply> {
        let message = self.message(Some(json!(77)), method, params);
        let text = message.to_string();
        assert!(text.contains(replace), "{text} has no {replace}");
        self.send_text(text.replacen(replace, by, 1), Some(&message)).await
    }

    /// Calls a tool with the text `"TOKEN"` replaced by a progress token, and waits for the answer.
    pub(crate) async fn send_with_token(&self, params: Value, token: &str) -> Option<Reply> {
        let message = self.message(Some(json!(77)), "tools/call", params);
        let text = message.to_string().replacen("\"TOKEN\"", token, 1);
        let stream = self.pipe.send(text.into_bytes(), Some(&message)).await;
        let stream = stream.filter(|_| self.leg.transport != Transport::Sse);
        self.reply_or_end(&Pending { id: "77".to_owned(), stream }).await
    }

    /// Sends what must have no answer: on lines there is none, over HTTP the response is 202 and empty, or a refusal.
    pub(crate) async fn expect_silence(&self, message: &Value) {
        #[cfg(feature = "http")]
        if self.leg.is_http() {
            let mut response = self.post(message).send().await;
            let body = response.text().await;
            let silent = response.status == 202 && body.is_empty();
            let refused = (400..500).contains(&response.status);
            assert!(silent || refused, "{}: {message}: {} {body}", self.leg, response.status);
            return;
        }
        let answer = self.send_text(message.to_string(), None).await;
        assert!(answer.is_none(), "{}: {message} was answered: {answer:?}", self.leg);
    }
}
