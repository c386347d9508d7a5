//! The sealed state of multi round-trip requests.
//!
//! What a retry must bring back travels through the client, so it is bound by an HMAC to everything that it may be used
//! with: the principal, the method, the parameters of the request, and a time after which it is worthless. It is not
//! secret: handlers must not put secrets of the server into it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::call::Call;
use super::executor::contain;
use super::options::RequestStateOptions;
use crate::error::{ConfigError, Error};
use crate::json::RawJson;
use crate::protocol::input::InputRequired;

/// Longest state that is accepted, in bytes.
const MAX_LENGTH: usize = 1 << 20;
const TAG_LENGTH: usize = 32;

/// Seals and opens states.
pub(crate) struct Sealer {
    keys: Vec<Hmac<Sha256>>,
    options: RequestStateOptions,
}

/// What a state held.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    pub(crate) state: Option<String>,
    pub(crate) answers: Vec<(String, RawJson)>,
}

#[derive(Serialize, Deserialize)]
struct Payload {
    /// Seconds since 1970 after which the state is refused.
    #[serde(rename = "e", skip_serializing_if = "Option::is_none")]
    expires: Option<u64>,
    /// What the handler put in.
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    /// Answers to `Context::ask`.
    #[serde(rename = "a", default, skip_serializing_if = "Vec::is_empty")]
    answers: Vec<(String, RawJson)>,
}

impl Sealer {
    pub(crate) fn new(options: &RequestStateOptions) -> Result<Sealer, ConfigError> {
        let mut keys: Vec<Vec<u8>> = options.keys.iter().map(|key| key.clone().into_bytes()).collect();
        if keys.iter().any(Vec::is_empty) {
            return Err(ConfigError::new("request_state_key must not be empty"));
        }
        if keys.is_empty() {
            let mut key = vec![0; 32];
            getrandom::fill(&mut key)
                .map_err(|error| ConfigError::new(format!("the system gave no random numbers: {error}")))?;
            keys.push(key);
        }
        let keys = keys.iter().map(|key| Hmac::new_from_slice(key)).collect::<Result<_, _>>();
        let keys = keys.map_err(|error| ConfigError::new(format!("request_state_key: {error}")))?;
        Ok(Sealer { keys, options: options.clone() })
    }

    /// The state that goes to the client; `None` when there is nothing to carry.
    pub(crate) fn seal(&self, call: &Call, input: &InputRequired) -> Result<Option<String>, Error> {
        if input.0.state.is_none() && input.0.answers.is_empty() {
            return Ok(None);
        }
        if self.options.verifier.is_some() && input.0.answers.is_empty() {
            return Ok(input.0.state.clone());
        }
        if self.options.keys.is_empty() {
            warn_about_random_key();
        }
        let expires = self.options.ttl.map(|ttl| now().saturating_add(ttl).as_secs());
        let payload = Payload { expires, state: input.0.state.clone(), answers: input.0.answers.clone() };
        let mut sealed =
            serde_json::to_vec(&payload).map_err(|_| Error::internal("the request state has no JSON form"))?;
        let Some(key) = self.keys.first() else { return Err(Error::internal("there is no key for request states")) };
        let tag = bind(key.clone(), call, &sealed)?.finalize().into_bytes();
        sealed.extend_from_slice(&tag);
        Ok(Some(URL_SAFE_NO_PAD.encode(sealed)))
    }

    /// Verifies a state that came back.
    ///
    /// # Errors
    /// `-32602` with `reason: "invalid_request_state"`: the state was changed, belongs to another request or principal,
    /// was sealed with another key, or has expired.
    pub(crate) fn open(&self, call: &Call, sealed: &str) -> Result<Opened, Error> {
        if let Some(opened) = self.open_own(call, sealed)? {
            return Ok(opened);
        }
        match &self.options.verifier {
            Some(verify) if contain("request_state_verifier", || verify(sealed)) == Some(true) => {
                Ok(Opened { state: Some(sealed.to_owned()), answers: Vec::new() })
            }
            _ => Err(invalid("it was changed, or belongs to another request, user or server")),
        }
    }

    /// Opens what `seal` made; `None` when it did not make it.
    fn open_own(&self, call: &Call, sealed: &str) -> Result<Option<Opened>, Error> {
        if sealed.len() > MAX_LENGTH {
            return Err(invalid("it is too long"));
        }
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(sealed) else { return Ok(None) };
        let Some((payload, tag)) = bytes.split_last_chunk::<TAG_LENGTH>() else { return Ok(None) };
        let mut genuine = false;
        for key in &self.keys {
            genuine |= bind(key.clone(), call, payload)?.verify_slice(tag).is_ok();
        }
        let Some(payload) = genuine.then(|| serde_json::from_slice::<Payload>(payload).ok()).flatten() else {
            return Ok(None);
        };
        if payload.expires.is_some_and(|expires| expires < now().as_secs()) {
            return Err(invalid("it has expired; send the request again without it"));
        }
        Ok(Some(Opened { state: payload.state, answers: payload.answers }))
    }
}

/// The HMAC over the payload and over all that it is bound to.
fn bind(mut mac: Hmac<Sha256>, call: &Call, payload: &[u8]) -> Result<Hmac<Sha256>, Error> {
    let principal = call.state.client.principal.as_deref().unwrap_or_default();
    let mut field = |bytes: &[u8]| {
        mac.update(&(bytes.len() as u64).to_be_bytes());
        mac.update(bytes);
    };
    field(b"mcp request state 1");
    field(payload);
    field(principal.as_bytes());
    field(call.method.as_str().as_bytes());
    for name in ["name", "uri", "arguments"] {
        let value = call.state.params.get(name)?;
        field(&value.map(|value| Sha256::digest(canonical(&value))).unwrap_or_default());
    }
    Ok(mac)
}

/// A form that does not depend on white space or on the order of members: clients may write the same parameters anew.
fn canonical(value: &RawJson) -> Vec<u8> {
    // `serde_json` keeps the members of its maps sorted.
    match value.deserialize::<serde_json::Value>() {
        Ok(tree) => tree.to_string().into_bytes(),
        Err(_) => value.as_bytes().to_vec(),
    }
}

fn invalid(why: &str) -> Error {
    Error::invalid_params(format!("\"requestState\" is not valid here: {why}"))
        .with_data(RawJson::trusted(&br#"{"reason":"invalid_request_state"}"#[..]))
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn warn_about_random_key() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        tracing::warn!(
            "request states are sealed with a random key of this process: a retry that reaches another process, or this \
             one after a restart, is refused; set request_state_key"
        );
    });
}
