//! `initialize`: the client and the server agree on a revision.

use bytes::Bytes;

use super::codec::finish;
use super::session::Negotiated;
use crate::error::Error;
use crate::ingress::Params;
use crate::json::{Kind, RawJson};
use crate::protocol::version::ProtocolVersion;
use crate::server::Server;

/// Reads the client's offer and chooses the revision: the client's own where the server speaks it, else the newest
/// legacy revision that the server speaks.
///
/// # Errors
/// `-32602`: a member is missing or of the wrong type. `-32601`: the server speaks no legacy revision.
pub(super) fn negotiate(server: &Server, params: &Params) -> Result<Negotiated, Error> {
    params.check_shape()?;
    let member = |name: &str, kind: Kind, what: &str| {
        let value = params.members.get(name)?.filter(|value| value.kind() == kind);
        value.ok_or_else(|| Error::invalid_params(format!("\"params.{name}\" is missing or not {what}")))
    };
    let offered = member("protocolVersion", Kind::String, "a string")?.to_text().unwrap_or_default();
    let capabilities = member("capabilities", Kind::Object, "an object")?;
    let info = member("clientInfo", Kind::Object, "an object")?;
    let legacy = |version: &ProtocolVersion| !version.is_modern();
    let wanted = offered.parse().ok().filter(|version| legacy(version) && server.options().supports(*version));
    let newest = server.options().versions.iter().copied().find(legacy);
    let version = wanted.or(newest).ok_or_else(|| no_handshake(server))?;
    Ok(Negotiated { version, capabilities: own(capabilities), info: own(info) })
}

/// The session outlives the message: it must not keep the message's buffer.
fn own(value: RawJson) -> RawJson {
    RawJson::trusted(Bytes::copy_from_slice(value.as_bytes()))
}

fn no_handshake(server: &Server) -> Error {
    let versions: Vec<_> = server.options().versions.iter().map(|version| version.as_str()).collect();
    Error::new(
        crate::error::code::METHOD_NOT_FOUND,
        format!("Method not found: initialize; this server speaks only {}", versions.join(", ")),
    )
}

/// What the way to the client allows.
pub(super) struct Reach {
    /// There is a way to send notifications.
    pub(super) announces_changes: bool,
    /// The client can be told from others.
    pub(super) lists_tasks: bool,
}

/// The result of `initialize`.
pub(super) fn answer(server: &Server, id: &RawJson, negotiated: &Negotiated, reach: Reach) -> Bytes {
    let options = server.options();
    let mut capabilities = server.capabilities();
    capabilities.change_notifications &= reach.announces_changes;
    capabilities.lists_tasks = reach.lists_tasks;
    finish(server, id, 512, |w| {
        w.string_member("protocolVersion", negotiated.version.as_str());
        w.key("capabilities");
        capabilities.write(w, negotiated.version);
        w.key("serverInfo");
        options.server_info.write(w, negotiated.version);
        w.optional_string("instructions", options.instructions.as_deref());
    })
}
