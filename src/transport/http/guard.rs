//! Who may talk to the server at all: the `Host` and `Origin` of a request, and CORS.

use std::net::IpAddr;

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};

use super::options::HttpOptions;
use crate::server::http_head::{Field, Fields};

/// The rules, prepared.
pub(super) struct Guard {
    hosts: Hosts,
    origins: Option<Vec<String>>,
    cors: Vec<String>,
}

enum Hosts {
    Any,
    Loopback,
    These(Vec<String>),
}

impl Guard {
    /// `is_local` says whether the server can be reached from its own machine only, or may be meant to.
    pub(super) fn new(options: &HttpOptions, is_local: bool) -> Guard {
        let lower = |list: &[String]| -> Vec<String> {
            list.iter().map(|entry| entry.trim_end_matches('/').to_ascii_lowercase()).collect()
        };
        let hosts = match &options.allowed_hosts {
            Some(hosts) if hosts.iter().any(|host| host == "*") => Hosts::Any,
            Some(hosts) => Hosts::These(lower(hosts)),
            None if is_local => Hosts::Loopback,
            None => Hosts::Any,
        };
        Guard { hosts, origins: options.allowed_origins.as_deref().map(lower), cors: lower(&options.cors_origins) }
    }

    /// # Errors
    /// The status, and a sentence that says what was refused and how to allow it.
    pub(super) fn check(&self, uri: &Uri, fields: &Fields<'_>) -> Result<(), (StatusCode, String)> {
        let forbidden = |text| (StatusCode::FORBIDDEN, text);
        let host = host(uri, fields).map_err(|text| (StatusCode::BAD_REQUEST, text.to_owned()))?;
        let host_is_allowed = match &self.hosts {
            Hosts::Any => true,
            Hosts::Loopback => is_loopback(name_of(host)),
            Hosts::These(list) => list.iter().any(|entry| matches_host(entry, host)),
        };
        if !host_is_allowed && host.is_empty() {
            return Err((StatusCode::BAD_REQUEST, "The header Host is missing".into()));
        }
        if !host_is_allowed {
            let text = format!("The host \"{host}\" is not allowed; add it to the server's allowed hosts");
            return Err(forbidden(text));
        }
        match fields.origin {
            Field::Absent => Ok(()),
            Field::Repeated => Err(forbidden("The request has more than one Origin".into())),
            Field::Once(origin) => self.check_origin(origin, host).map_err(forbidden),
        }
    }

    fn check_origin(&self, origin: &HeaderValue, host: &str) -> Result<(), String> {
        let text = origin.to_str().unwrap_or_default().to_ascii_lowercase();
        let listed = self.cors.iter().any(|entry| entry == "*" || *entry == text);
        let authority = text.split_once("://").map(|(_, authority)| authority);
        let allowed = listed
            || match (&self.origins, &self.hosts, authority) {
                (Some(list), _, _) => list.iter().any(|entry| entry == "*" || *entry == text),
                (None, Hosts::Loopback, Some(authority)) => is_loopback(name_of(authority)),
                (None, _, Some(authority)) => authority.eq_ignore_ascii_case(host),
                (None, _, None) => false,
            };
        if allowed {
            return Ok(());
        }
        let shown = String::from_utf8_lossy(origin.as_bytes());
        Err(format!("The origin \"{shown}\" is not allowed; add it to the server's allowed origins"))
    }

    /// The origin of the request, if pages of that origin may read answers.
    pub(super) fn cors_origin(&self, fields: &Fields<'_>) -> Option<HeaderValue> {
        let Field::Once(origin) = fields.origin else { return None };
        let text = origin.to_str().ok()?.to_ascii_lowercase();
        self.cors.iter().any(|entry| entry == "*" || *entry == text).then(|| origin.clone())
    }

    pub(super) fn has_cors(&self) -> bool {
        !self.cors.is_empty()
    }
}

/// Adds what lets a page of `origin` read the answer.
pub(super) fn allow_reading(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    headers.append(VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate"),
        );
    }
}

/// Adds what lets a page send its request: the answer to a preflight.
pub(super) fn allow_sending(headers: &mut HeaderMap, asked: &HeaderMap) {
    const USUAL: HeaderValue = HeaderValue::from_static(
        "content-type, accept, authorization, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id",
    );
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE, OPTIONS"));
    // Arguments are mirrored into headers whose names depend on the tool, so what is asked for is granted.
    let granted = asked.get(ACCESS_CONTROL_REQUEST_HEADERS).cloned().unwrap_or(USUAL);
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, granted);
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
}

fn host<'a>(uri: &'a Uri, fields: &Fields<'a>) -> Result<&'a str, &'static str> {
    if let Some(authority) = uri.authority() {
        return Ok(authority.as_str());
    }
    match fields.host {
        Field::Once(host) => {
            let host = host.to_str().ok().filter(|host| !host.is_empty());
            host.ok_or("The header Host is malformed")
        }
        Field::Absent => Ok(""),
        Field::Repeated => Err("The request has more than one Host"),
    }
}

/// The name in `name:port`.
fn name_of(authority: &str) -> &str {
    match authority.rfind(':') {
        Some(colon) if !authority[colon..].contains(']') => &authority[..colon],
        _ => authority,
    }
}

fn is_loopback(name: &str) -> bool {
    let is_address = || {
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        address.is_ok_and(|address| address.is_loopback())
    };
    name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost") || is_address()
}

/// An entry without a port stands for every port.
fn matches_host(entry: &str, host: &str) -> bool {
    entry.eq_ignore_ascii_case(host) || (name_of(entry) == entry && entry.eq_ignore_ascii_case(name_of(host)))
}
