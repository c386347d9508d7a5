//! A task as a store keeps it.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::json::{JsonWriter, RawJson};
use crate::protocol::task::{TaskDetail, TaskState, TaskStatus};
use crate::server::call::Client;

/// A task as a store keeps it: what stores have to understand, and a body that they keep as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRecord {
    /// 128 random bits, in hexadecimal digits.
    pub id: String,
    /// Whose it is.
    pub owner: String,
    /// Where it stands.
    pub status: TaskStatus,
    /// When it was made, in milliseconds since 1970.
    pub created: u64,
    /// When it may be removed, in milliseconds since 1970; `None` for never.
    pub expires: Option<u64>,
    /// The process that works on it.
    pub holder: Option<String>,
    /// Counts the changes.
    pub revision: u64,
    /// Everything else: a JSON object.
    pub body: RawJson,
}

/// What is in the body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Body {
    pub(super) updated: u64,
    pub(super) poll: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    /// What it takes to run the tool; gone once the task is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<Origin>,
    /// How often the tool was started without going on from an answer.
    #[serde(default)]
    pub(super) runs: u32,
    /// The questions of the round, open and answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) questions: Vec<Question>,
    /// Answers of earlier rounds that the handler needs again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) answers: Vec<(String, RawJson)>,
    /// The handler's own state between the rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<String>,
    /// Every key under which a question ever was shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) asked: Vec<String>,
    #[serde(default)]
    pub(super) rounds: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<RawJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<RawJson>,
}

/// The call that became the task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Origin {
    pub(super) id: RawJson,
    pub(super) version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) info: Option<RawJson>,
    pub(super) capabilities: RawJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) principal: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
    pub(super) params: RawJson,
}

/// A question to the client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Question {
    /// The handler's key.
    pub(super) key: String,
    /// The key that the client sees, which no other question of the task has.
    pub(super) shown: String,
    pub(super) request: RawJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<RawJson>,
}

/// A record whose body is read.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) record: TaskRecord,
    pub(super) body: Body,
}

impl Task {
    /// # Errors
    /// The body is not one of ours.
    pub(super) fn read(record: TaskRecord) -> Result<Task, Error> {
        match serde_json::from_slice(record.body.as_bytes()) {
            Ok(body) => Ok(Task { record, body }),
            Err(error) => {
                tracing::error!(task = record.id, "the stored task is damaged: {error}");
                Err(Error::internal("The task store failed: the stored task is damaged"))
            }
        }
    }

    /// The record with the body as it is.
    pub(super) fn to_record(&self) -> TaskRecord {
        let mut record = self.record.clone();
        record.body = serde_json::to_vec(&self.body).map_or(RawJson::EMPTY_OBJECT, RawJson::trusted);
        record
    }

    /// Ends the task. What it took to run it is forgotten.
    pub(super) fn end(&mut self, status: TaskStatus, message: Option<String>, now: u64) {
        self.record.status = status;
        self.record.holder = None;
        let Body { updated, poll, asked, .. } = &mut self.body;
        *updated = now;
        let (updated, poll, asked) = (*updated, *poll, std::mem::take(asked));
        self.body = Body { updated, poll, message, asked, ..Body::new(now, poll) };
    }

    /// The questions that wait for their answers.
    pub(super) fn open_questions(&self) -> impl Iterator<Item = &Question> {
        self.body.questions.iter().filter(|question| question.answer.is_none())
    }

    /// The task as clients see it.
    pub(super) fn state(&self) -> TaskState {
        let Task { record, body } = self;
        let detail = match (record.status, &body.result, &body.error) {
            (TaskStatus::InputRequired, ..) => {
                let mut w = JsonWriter::default();
                w.begin_object();
                for question in self.open_questions() {
                    w.any_key(&question.shown);
                    w.raw(&question.request);
                }
                w.end_object();
                TaskDetail::Questions(w.into_raw())
            }
            (TaskStatus::Completed, Some(result), _) => TaskDetail::Result(result.clone()),
            (TaskStatus::Failed, _, Some(error)) => TaskDetail::Error(error.clone()),
            _ => TaskDetail::None,
        };
        TaskState {
            id: record.id.clone(),
            status: record.status,
            message: body.message.clone(),
            created: record.created,
            updated: body.updated,
            ttl: record.expires.map(|expires| expires.saturating_sub(record.created)),
            poll_interval: Some(body.poll),
            detail,
        }
    }
}

impl Body {
    pub(super) fn new(now: u64, poll: u64) -> Body {
        Body {
            updated: now,
            poll,
            message: None,
            origin: None,
            runs: 0,
            questions: Vec::new(),
            answers: Vec::new(),
            state: None,
            asked: Vec::new(),
            rounds: 0,
            result: None,
            error: None,
        }
    }
}

/// To whom the tasks of a client belong: to who it is known as, else to its session, else to whoever knows the id.
pub(super) fn owner(client: &Client) -> String {
    match (&client.principal, &client.session) {
        (Some(principal), _) => format!("p:{principal}"),
        (None, Some(session)) => format!("s:{session}"),
        (None, None) => String::new(),
    }
}

/// 128 random bits, in hexadecimal digits.
pub(super) fn random_id() -> Result<String, Error> {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| Error::internal("The system gave no random numbers"))?;
    let digits = bytes.iter().flat_map(|byte| [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
    Ok(digits.map(char::from).collect())
}
