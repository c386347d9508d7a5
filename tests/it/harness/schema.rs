//! The official JSON schemas of the revisions, from `../shared/spec`. Where they are not there, nothing is checked.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use jsonschema::Validator;
use mcp::{Era, ProtocolVersion};
use serde_json::{Value, json};

/// The folder of the tasks extension's schema.
const TASKS: &str = "ext-tasks";

/// Messages that were checked.
pub(crate) static CHECKED: AtomicUsize = AtomicUsize::new(0);
/// Messages that could not be checked, for want of a schema.
pub(crate) static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Whether the schemas are there.
pub(crate) fn is_there() -> bool {
    directory().is_dir()
}

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/spec")
}

/// Checks the answer to a request of the method: a result or an error.
pub(crate) fn response(version: ProtocolVersion, method: &str, message: &Value) -> Result<(), String> {
    if message.get("error").is_some() {
        return error(version, message);
    }
    let name = task_result_name(version, method, &message["result"]);
    let name = name
        .or_else(|| result_name(method, &message["result"]))
        .ok_or_else(|| format!("a result for {method}, which is no request of any revision"))?;
    let envelope = if version >= ProtocolVersion::V2025_11_25 { "JSONRPCResultResponse" } else { "JSONRPCResponse" };
    check(version, envelope, message)?;
    check(version, name, &message["result"])?;
    closed(message, &["jsonrpc", "id", "result"])?;
    check_leaks(version, method, &message["result"])
}

/// Checks an error.
pub(crate) fn error(version: ProtocolVersion, message: &Value) -> Result<(), String> {
    if message.get("result").is_some() {
        return Err("an answer to something that was not asked".into());
    }
    if version < ProtocolVersion::V2025_11_25 {
        return check(version, "JSONRPCError", message);
    }
    let special = match message["error"]["code"].as_i64() {
        _ if version.era() == Era::Legacy => None,
        Some(-32020) => Some("HeaderMismatchError"),
        Some(-32021) => Some("MissingRequiredClientCapabilityError"),
        Some(-32022) => Some("UnsupportedProtocolVersionError"),
        _ => None,
    };
    check(version, "JSONRPCErrorResponse", message)?;
    closed(message, &["jsonrpc", "id", "error"])?;
    special.map_or(Ok(()), |name| check(version, name, message))
}

/// Checks a notification of the server's.
pub(crate) fn notification(version: ProtocolVersion, method: &str, message: &Value) -> Result<(), String> {
    let name = match method {
        "notifications/progress" => "ProgressNotification",
        "notifications/message" => "LoggingMessageNotification",
        "notifications/cancelled" => "CancelledNotification",
        "notifications/tools/list_changed" => "ToolListChangedNotification",
        "notifications/resources/list_changed" => "ResourceListChangedNotification",
        "notifications/prompts/list_changed" => "PromptListChangedNotification",
        "notifications/resources/updated" => "ResourceUpdatedNotification",
        "notifications/subscriptions/acknowledged" => "SubscriptionsAcknowledgedNotification",
        "notifications/tasks/status" | "notifications/tasks" => "TaskStatusNotification",
        "notifications/elicitation/complete" => "ElicitationCompleteNotification",
        other => return Err(format!("{other} is no notification of a server")),
    };
    closed(message, &["jsonrpc", "method", "params"])?;
    check(version, "JSONRPCNotification", message)?;
    check(version, name, message)
}

/// Checks a request of the server's.
pub(crate) fn request(version: ProtocolVersion, method: &str, message: &Value) -> Result<(), String> {
    if version.era() == Era::Modern {
        return Err("a server sends no requests in the modern era".into());
    }
    let name = match method {
        "ping" => "PingRequest",
        "elicitation/create" => "ElicitRequest",
        "sampling/createMessage" => "CreateMessageRequest",
        "roots/list" => "ListRootsRequest",
        other => return Err(format!("{other} is no request of a server")),
    };
    closed(message, &["jsonrpc", "id", "method", "params"])?;
    check(version, "JSONRPCRequest", message)?;
    check(version, name, message)
}

/// Results that are about tasks.
fn task_result_name(version: ProtocolVersion, method: &str, result: &Value) -> Option<&'static str> {
    let is_handle = result["resultType"] == "task" || (result.get("task").is_some() && result.get("content").is_none());
    let is_modern = version.era() == Era::Modern;
    Some(match method {
        "tools/call" if is_handle => "CreateTaskResult",
        "tasks/get" => "GetTaskResult",
        "tasks/cancel" => "CancelTaskResult",
        "tasks/update" if is_modern => "UpdateTaskResult",
        "tasks/list" if !is_modern => "ListTasksResult",
        "tasks/result" if !is_modern => "GetTaskPayloadResult",
        _ => return None,
    })
}

fn result_name(method: &str, result: &Value) -> Option<&'static str> {
    if result["resultType"] == "input_required" && matches!(method, "tools/call" | "prompts/get" | "resources/read") {
        return Some("InputRequiredResult");
    }
    Some(match method {
        "initialize" => "InitializeResult",
        "server/discover" => "DiscoverResult",
        "subscriptions/listen" => "SubscriptionsListenResult",
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "completion/complete" => "CompleteResult",
        "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => "EmptyResult",
        _ => return None,
    })
}

/// What the schemas allow, since they are open, and the specification does not.
fn check_leaks(version: ProtocolVersion, method: &str, result: &Value) -> Result<(), String> {
    let has_info = result["_meta"].get("io.modelcontextprotocol/serverInfo").is_some();
    match version.era() {
        Era::Modern if !has_info => Err("_meta has no serverInfo".into()),
        Era::Modern => Ok(()),
        Era::Legacy if has_info => Err("serverInfo in _meta of a legacy result".into()),
        Era::Legacy => {
            let leaked = ["resultType", "ttlMs", "pollIntervalMs", "cacheScope"]
                .iter()
                .find(|name| result.get(**name).is_some());
            match leaked {
                Some(name) => Err(format!("{name} in a legacy result")),
                None if matches!(method, "ping" | "logging/setLevel") && *result != json!({}) => {
                    Err("a result that must be empty is not".into())
                }
                None => Ok(()),
            }
        }
    }
}

fn closed(message: &Value, members: &[&str]) -> Result<(), String> {
    let extra = message.as_object().into_iter().flatten().find(|(name, _)| !members.contains(&name.as_str()));
    extra.map_or(Ok(()), |(name, _)| Err(format!("the message has the member {name:?}")))
}

/// Checks a value against a definition of a revision.
pub(crate) fn check(version: ProtocolVersion, definition: &str, value: &Value) -> Result<(), String> {
    // Tasks are an extension of the modern era, with a schema of its own.
    match version.era() == Era::Modern && definition.contains("Task") {
        true => check_tasks(definition, value),
        false => check_in(version.as_str(), definition, value),
    }
}

/// Checks a value against a definition of the tasks extension.
pub(crate) fn check_tasks(definition: &str, value: &Value) -> Result<(), String> {
    check_in(TASKS, definition, value)
}

fn check_in(folder: &'static str, definition: &str, value: &Value) -> Result<(), String> {
    let Some(validator) = validator(folder, definition)? else {
        SKIPPED.fetch_add(1, Ordering::Relaxed);
        return Ok(());
    };
    CHECKED.fetch_add(1, Ordering::Relaxed);
    let problems: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    if problems.is_empty() { Ok(()) } else { Err(format!("not a {definition} of {folder}: {}", problems.join("; "))) }
}

type Cache = Mutex<HashMap<(&'static str, String), Arc<Validator>>>;

fn validator(folder: &'static str, definition: &str) -> Result<Option<Arc<Validator>>, String> {
    static CACHE: OnceLock<Cache> = OnceLock::new();
    let Some(document) = document(folder) else { return Ok(None) };
    let key = (folder, definition.to_owned());
    let mut cache = CACHE.get_or_init(Cache::default).lock().unwrap();
    if let Some(validator) = cache.get(&key) {
        return Ok(Some(validator.clone()));
    }
    let place = if document.get("$defs").is_some() { "$defs" } else { "definitions" };
    if document[place].get(definition).is_none() {
        return Err(format!("{folder} has no {definition}"));
    }
    let schema = json!({
        "$schema": document["$schema"],
        "$ref": format!("#/{place}/{definition}"),
        place: document[place],
    });
    let validator = jsonschema::options().build(&schema).map_err(|error| format!("{folder} {definition}: {error}"))?;
    Ok(Some(cache.entry(key).or_insert(Arc::new(validator)).clone()))
}

fn document(folder: &str) -> Option<&'static Value> {
    static DOCUMENTS: OnceLock<HashMap<&str, Value>> = OnceLock::new();
    let read = || {
        let read_one = |folder: &'static str| {
            let text = std::fs::read_to_string(directory().join(folder).join("schema.json")).ok()?;
            Some((folder, serde_json::from_str(&text).unwrap()))
        };
        let revisions = ProtocolVersion::ALL.into_iter().map(ProtocolVersion::as_str);
        revisions.chain([TASKS]).filter_map(read_one).collect()
    };
    DOCUMENTS.get_or_init(read).get(folder)
}
