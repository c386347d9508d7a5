//! Media types: what a client sends, and what it takes.

use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_TYPE};

/// What a client takes as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accept {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accept {
    /// Reads all `Accept` headers. A client that says nothing takes everything.
    pub(super) fn of(headers: &HeaderMap) -> Accept {
        let mut accept = Accept { json: false, events: false };
        let mut said = false;
        for value in headers.get_all(ACCEPT) {
            said = true;
            for range in value.to_str().unwrap_or_default().split(',') {
                accept.add(range);
            }
        }
        if said { accept } else { Accept { json: true, events: true } }
    }

    fn add(&mut self, range: &str) {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default();
        let refused = parts.any(|parameter| {
            let quality = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="));
            quality.and_then(|quality| quality.parse::<f32>().ok()) == Some(0.0)
        });
        let is = |name: &str| kind.eq_ignore_ascii_case(name);
        if is("*/*") || is("application/*") || is("application/json") {
            self.json = !refused;
        }
        if is("*/*") || is("text/*") || is("text/event-stream") {
            self.events = !refused;
        }
    }
}

/// Whether a body is declared to be JSON in UTF-8.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (types.next(), types.next()) else { return false };
    if value == "application/json" {
        return true;
    }
    let mut parts = value.to_str().unwrap_or_default().split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"));
    let is_utf8 = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
            value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    });
    is_json && is_utf8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accept(values: &[&str]) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        values.iter().for_each(|value| drop(headers.append(ACCEPT, value.parse().unwrap())));
        let accept = Accept::of(&headers);
        (accept.json, accept.events)
    }

    #[test]
    fn accept_is_read_as_http_defines_it() {
        assert_eq!(accept(&[]), (true, true));
        assert_eq!(accept(&["*/*"]), (true, true));
        assert_eq!(accept(&["application/*"]), (true, false));
        assert_eq!(accept(&["text/event-stream, application/json"]), (true, true));
        assert_eq!(accept(&["application/json;q=0.9,text/event-stream;q=0.1"]), (true, true));
        assert_eq!(accept(&["application/json;q=0, text/event-stream"]), (false, true));
        assert_eq!(accept(&["Application/Json"]), (true, false));
        assert_eq!(accept(&["application/json", "text/event-stream"]), (true, true));
        assert_eq!(accept(&["text/html"]), (false, false));
    }

    #[test]
    fn content_type_is_json_in_utf_8_however_it_is_written() {
        let is = |value: &str| is_json(&HeaderMap::from_iter([(CONTENT_TYPE, value.parse().unwrap())]));
        assert!(is("application/json"));
        assert!(is("application/json; charset=utf-8"));
        assert!(is("Application/JSON"));
        assert!(is("application/json;charset=\"UTF-8\""));
        assert!(!is("application/json; charset=latin1"));
        assert!(!is("text/plain; a=application/json"));
        assert!(!is("application/json-patch+json"));
        assert!(!is_json(&HeaderMap::new()));
    }
}
