//! The edge: from the bytes of one message to what it is and which era it belongs to. Pure; the only parse of the
//! envelope.

use bytes::Bytes;

use crate::error::Error;
use crate::json::{Kind, Members, RawJson, Scanner, Span, SyntaxError};
use crate::protocol::id::{RequestId, is_string_or_integer};
use crate::protocol::meta;
use crate::protocol::method::Method;
use crate::protocol::version::{Era, ProtocolVersion};

/// One message that arrived.
pub(crate) enum Message {
    Request(Request),
    Notification(Notification),
    Response(Response),
}

/// A request: it has an id, and wants exactly one answer.
pub(crate) struct Request {
    pub(crate) id: RequestId,
    pub(crate) method: MethodName,
    pub(crate) params: Box<Params>,
}

/// A notification: it is never answered.
pub(crate) struct Notification {
    pub(crate) method: MethodName,
    pub(crate) params: Box<Params>,
}

/// A client's answer to a request of the server's (legacy).
pub(crate) struct Response {
    pub(crate) id: Option<RequestId>,
    pub(crate) outcome: Result<RawJson, RawJson>,
}

/// A method as it was sent.
pub(crate) struct MethodName {
    pub(crate) known: Option<Method>,
    /// The name of an unknown one, as it was sent.
    text: Option<RawJson>,
}

impl MethodName {
    /// The method at `span`, which is a string.
    fn new(text: &Bytes, span: Span) -> MethodName {
        // The names that are known have no characters that must be escaped.
        if let [b'"', plain @ .., b'"'] = span.of(text)
            && let Some(method) = Method::parse(plain)
        {
            return MethodName { known: Some(method), text: None };
        }
        let text = slice(text, span);
        let known = text.text().and_then(|text| Method::parse(text.as_bytes()));
        MethodName { known, text: Some(text) }
    }

    /// The characters of the name.
    pub(crate) fn to_text(&self) -> String {
        match self.known {
            Some(method) => method.as_str().to_owned(),
            None => self.text.as_ref().and_then(RawJson::to_text).unwrap_or_default(),
        }
    }
}

/// The parameters of a message, indexed where they are an object.
#[derive(Default)]
pub(crate) struct Params {
    pub(crate) members: Members,
    pub(crate) shape: ParamsShape,
    /// `_meta`, as it was sent.
    pub(crate) meta: Option<RawJson>,
    pub(crate) reserved: Reserved,
}

/// The members of `_meta` that the protocol reserves.
#[derive(Default)]
pub(crate) struct Reserved {
    pub(crate) protocol_version: Option<RawJson>,
    pub(crate) client_info: Option<RawJson>,
    pub(crate) client_capabilities: Option<RawJson>,
    pub(crate) log_level: Option<RawJson>,
    progress_token: Option<RawJson>,
    repeated: bool,
}

/// What stands at `params`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ParamsShape {
    #[default]
    Absent,
    Object,
    Other,
}

impl Params {
    /// # Errors
    /// `-32602`: the parameters, or `_meta` in them, are not objects. `-32600`: a reserved member occurs twice.
    pub(crate) fn check_shape(&self) -> Result<(), Error> {
        if self.shape == ParamsShape::Other {
            return Err(Error::invalid_params("\"params\" must be an object; leave it out for no parameters"));
        }
        if self.reserved.repeated {
            return Err(Error::invalid_request(
                "A member of \"params._meta\", or \"_meta\" itself, occurs more than once",
            ));
        }
        match &self.meta {
            Some(meta) if meta.kind() != Kind::Object => {
                Err(Error::invalid_params("\"params._meta\" must be an object"))
            }
            _ => Ok(()),
        }
    }

    /// The token under which progress is to be reported.
    ///
    /// # Errors
    /// `-32602`: it is neither a string nor an integer.
    pub(crate) fn progress_token(&mut self) -> Result<Option<RawJson>, Error> {
        match self.reserved.progress_token.take() {
            Some(token) if !is_string_or_integer(&token) => {
                Err(Error::invalid_params("\"_meta.progressToken\" must be a string or an integer"))
            }
            token => Ok(token),
        }
    }
}

impl Reserved {
    /// Consumes the object at the scanner's position.
    fn scan(&mut self, text: &Bytes, scanner: &mut Scanner<'_>) -> Result<(), SyntaxError> {
        scanner.object(|scanner, key| {
            let quoted = key.of(text);
            // Some writers escape every slash.
            let unescaped =
                scanner.key_is_escaped().then(|| RawJson::trusted(quoted.to_vec()).to_text().unwrap_or_default());
            let name = unescaped.as_deref().map_or(&quoted[1..quoted.len() - 1], str::as_bytes);
            let slot = match name {
                name if name == meta::PROTOCOL_VERSION.as_bytes() => &mut self.protocol_version,
                name if name == meta::CLIENT_INFO.as_bytes() => &mut self.client_info,
                name if name == meta::CLIENT_CAPABILITIES.as_bytes() => &mut self.client_capabilities,
                name if name == meta::LOG_LEVEL.as_bytes() => &mut self.log_level,
                name if name == meta::PROGRESS_TOKEN.as_bytes() => &mut self.progress_token,
                _ => return scanner.value().map(|_| ()),
            };
            self.repeated |= slot.replace(scanner.raw_value(text)?).is_some();
            Ok(())
        })
    }

    fn is_modern(&self) -> bool {
        self.protocol_version.is_some() || self.client_capabilities.is_some() || self.client_info.is_some()
    }
}

/// A message that can't be served, with the id to answer under where one was readable.
pub(crate) struct Reject {
    pub(crate) id: Option<RequestId>,
    pub(crate) error: Error,
}

impl Reject {
    fn new(id: Option<RequestId>, error: Error) -> Reject {
        Reject { id, error }
    }
}

/// What one frame or body holds.
pub(crate) enum Frame {
    Single(Result<Message, Reject>),
    /// A JSON array of messages. `None` when there are more than the limit.
    Batch(Option<Vec<Result<Message, Reject>>>),
}

/// Reads a frame. `max_batch` bounds the messages of an array.
///
/// # Errors
/// The text is not JSON.
pub(crate) fn read(text: &Bytes, max_batch: usize) -> Result<Frame, Reject> {
    let mut scanner = Scanner::new(text).map_err(syntax_reject)?;
    if scanner.peek() != Some(b'[') {
        return Ok(Frame::Single(read_single(text, &mut scanner)));
    }
    let mut messages = Vec::new();
    let mut overflow = false;
    let scanned = scanner.array(|scanner| {
        if messages.len() < max_batch {
            messages.push(read_item(text, scanner)?);
        } else {
            overflow = true;
            scanner.value()?;
        }
        Ok(())
    });
    scanned.and_then(|()| scanner.end()).map_err(syntax_reject)?;
    Ok(Frame::Batch(if overflow { None } else { Some(messages) }))
}

fn read_single(text: &Bytes, scanner: &mut Scanner<'_>) -> Result<Message, Reject> {
    let mut envelope = Envelope::default();
    let scanned = envelope.scan(text, scanner).and_then(|()| scanner.end());
    match scanned {
        Ok(()) => envelope.into_message(text),
        Err(error) if error.is_too_deep() => {
            let id = envelope.id(text).ok().flatten();
            Err(Reject::new(id, Error::invalid_request(format!("The message can't be served: {error}"))))
        }
        Err(error) => Err(syntax_reject(error)),
    }
}

fn read_item(text: &Bytes, scanner: &mut Scanner<'_>) -> Result<Result<Message, Reject>, SyntaxError> {
    let mut envelope = Envelope::default();
    envelope.scan(text, scanner)?;
    Ok(envelope.into_message(text))
}

fn syntax_reject(error: SyntaxError) -> Reject {
    Reject::new(None, Error::parse_error(format!("The message is not valid JSON: {error}")))
}

/// The members of a message as they are found: where each stands in the text.
#[derive(Default)]
struct Envelope {
    is_object: bool,
    version: Option<Span>,
    id: Option<Span>,
    method: Option<Span>,
    params: Option<Box<Params>>,
    result: Option<Span>,
    error: Option<Span>,
    repeated: bool,
}

impl Envelope {
    fn scan(&mut self, text: &Bytes, scanner: &mut Scanner<'_>) -> Result<(), SyntaxError> {
        if scanner.peek() != Some(b'{') {
            return scanner.value().map(|_| ());
        }
        self.is_object = true;
        scanner.object(|scanner, key| {
            let slot = match key.of(text) {
                b"\"params\"" => {
                    self.repeated |= self.params.replace(read_params(text, scanner)?).is_some();
                    return Ok(());
                }
                b"\"jsonrpc\"" => &mut self.version,
                b"\"id\"" => &mut self.id,
                b"\"method\"" => &mut self.method,
                b"\"result\"" => &mut self.result,
                b"\"error\"" => &mut self.error,
                _ => return scanner.value().map(|_| ()),
            };
            self.repeated |= slot.replace(scanner.value()?).is_some();
            Ok(())
        })
    }

    fn id(&self, text: &Bytes) -> Result<Option<RequestId>, Error> {
        self.id.map(|id| RequestId::new(slice(text, id))).transpose()
    }

    fn into_message(self, text: &Bytes) -> Result<Message, Reject> {
        let (id, id_error) = match self.id(text) {
            Ok(id) => (id, None),
            Err(error) => (None, Some(error)),
        };
        let problem = if !self.is_object {
            "A message must be a JSON object"
        } else if self.repeated {
            "A member of the message occurs more than once"
        } else if self.version.is_none_or(|version| version.of(text) != b"\"2.0\"") {
            "\"jsonrpc\" must be \"2.0\""
        } else if let Some(method) = self.method {
            if let Some(error) = id_error {
                return Err(Reject::new(None, error));
            }
            if method.of(text).starts_with(b"\"") {
                let (method, params) = (MethodName::new(text, method), self.params.unwrap_or_default());
                return Ok(match id {
                    Some(id) => Message::Request(Request { id, method, params }),
                    None => Message::Notification(Notification { method, params }),
                });
            }
            "\"method\" must be a string"
        } else {
            match (self.result, self.error) {
                (Some(result), None) => {
                    return Ok(Message::Response(Response { id, outcome: Ok(slice(text, result)) }));
                }
                (None, Some(error)) => return Ok(Message::Response(Response { id, outcome: Err(slice(text, error)) })),
                _ => "A message needs a \"method\", or exactly one of \"result\" and \"error\"",
            }
        };
        Err(Reject::new(id, Error::invalid_request(problem)))
    }
}

fn slice(text: &Bytes, span: Span) -> RawJson {
    RawJson::trusted(text.slice(span.start as usize..span.end as usize))
}

fn read_params(text: &Bytes, scanner: &mut Scanner<'_>) -> Result<Box<Params>, SyntaxError> {
    let mut params = Box::<Params>::default();
    if scanner.peek() != Some(b'{') {
        scanner.value()?;
        params.shape = ParamsShape::Other;
        return Ok(params);
    }
    params.shape = ParamsShape::Object;
    let Params { members, meta, reserved, .. } = &mut *params;
    members.fill(text, scanner, |scanner, key| {
        if key != b"\"_meta\"" {
            return scanner.value();
        }
        reserved.repeated |= meta.is_some();
        let is_object = scanner.peek() == Some(b'{');
        let start = scanner.position();
        if is_object {
            reserved.scan(text, scanner)?;
        } else {
            scanner.value()?;
        }
        let span = scanner.span_from(start);
        *meta = Some(slice(text, span));
        Ok(span)
    })?;
    Ok(params)
}

/// The era of a message. `version_header` is what the transport says beside the message, where it says anything.
///
/// Metadata of the modern era, or a method that only it has, makes a message modern; everything else is legacy.
pub(crate) fn era(method: &MethodName, params: &Params, version_header: Option<ProtocolVersion>) -> Era {
    let modern = matches!(method.known, Some(Method::Discover | Method::Listen))
        || version_header.is_some_and(|version| version.era() == Era::Modern)
        || params.reserved.is_modern();
    if modern { Era::Modern } else { Era::Legacy }
}
