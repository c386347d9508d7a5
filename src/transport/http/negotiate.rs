//! Media types: what a client sends, and what it takes.

use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};

use crate::server::http_head::{Accept, Field};

/// Reads what a client takes as an answer. One that says nothing takes everything.
pub(super) fn accept(field: Field<'_>, headers: &HeaderMap) -> Accept {
    let mut ranges = Ranges::default();
    match field {
        Field::Absent => return Accept { json: true, events: true },
        // What the specification tells clients to send, and nearly all do.
        Field::Once(value) if value == "application/json, text/event-stream" => {
            return Accept { json: true, events: true };
        }
        Field::Once(value) => ranges.add_all(value),
        Field::Repeated => headers.get_all(ACCEPT).iter().for_each(|value| ranges.add_all(value)),
    }
    Accept { json: ranges.json.1, events: ranges.events.1 }
}

/// For each kind: how precisely the range that decides names it, and whether it is taken.
#[derive(Default)]
struct Ranges {
    json: (u8, bool),
    events: (u8, bool),
}

impl Ranges {
    fn add_all(&mut self, value: &HeaderValue) {
        value.to_str().unwrap_or_default().split(',').for_each(|range| self.add(range));
    }

    fn add(&mut self, range: &str) {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default();
        let refused = parts.any(|parameter| {
            let quality = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="));
            quality.and_then(|quality| quality.parse::<f32>().ok()) == Some(0.0)
        });
        let precision = |exact: &str, family: &str| match kind {
            kind if kind.eq_ignore_ascii_case(exact) => 3,
            kind if kind.eq_ignore_ascii_case(family) => 2,
            "*/*" => 1,
            _ => 0,
        };
        let decide = |decided: &mut (u8, bool), precision: u8| {
            if precision > 0 && precision >= decided.0 {
                *decided = (precision, !refused);
            }
        };
        decide(&mut self.json, precision("application/json", "application/*"));
        decide(&mut self.events, precision("text/event-stream", "text/*"));
    }
}

/// Whether a body is declared to be JSON in UTF-8.
pub(super) fn is_json(content_type: Field<'_>) -> bool {
    let Field::Once(value) = content_type else { return false };
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
    use crate::server::http_head::Fields;

    fn taken(values: &[&str]) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT, value.parse().unwrap());
        }
        let accept = accept(Fields::of(&headers).accept, &headers);
        (accept.json, accept.events)
    }

    #[test]
    fn accept_is_read_as_http_defines_it() {
        assert_eq!(taken(&[]), (true, true));
        assert_eq!(taken(&["*/*"]), (true, true));
        assert_eq!(taken(&["application/*"]), (true, false));
        assert_eq!(taken(&["text/event-stream, application/json"]), (true, true));
        assert_eq!(taken(&["application/json;q=0.9,text/event-stream;q=0.1"]), (true, true));
        assert_eq!(taken(&["application/json;q=0, text/event-stream"]), (false, true));
        assert_eq!(taken(&["application/json;q=0, */*"]), (false, true));
        assert_eq!(taken(&["Application/Json"]), (true, false));
        assert_eq!(taken(&["application/json", "text/event-stream"]), (true, true));
        assert_eq!(taken(&["text/html"]), (false, false));
    }

    #[test]
    fn content_type_is_json_in_utf_8_however_it_is_written() {
        let is = |value: &str| is_json(Field::Once(&value.parse().unwrap()));
        assert!(is("application/json"));
        assert!(is("application/json; charset=utf-8"));
        assert!(is("Application/JSON"));
        assert!(is("application/json;charset=\"UTF-8\""));
        assert!(!is("application/json; charset=latin1"));
        assert!(!is("text/plain; a=application/json"));
        assert!(!is("application/json-patch+json"));
        assert!(!is_json(Field::Absent));
    }
}
