//! `server/discover`: what the server is, and what it speaks.

use bytes::Bytes;

use super::codec::{begin, end};
use crate::protocol::method::Method;
use crate::server::Server;
use crate::server::call::CallState;

pub(super) fn answer(server: &Server, state: &CallState) -> Bytes {
    let options = server.options();
    let mut w = begin(state.id.as_raw(), server, 512);
    w.string_member("resultType", "complete");
    w.key("supportedVersions");
    w.begin_array();
    options.versions.iter().for_each(|version| w.string(version.as_str()));
    w.end_array();
    w.key("capabilities");
    server.capabilities().write(&mut w, state.client.version);
    w.optional_string("instructions", options.instructions.as_deref());
    options.cache_hint(Method::Discover.as_str()).write_members(&mut w);
    end(w, server, None)
}
