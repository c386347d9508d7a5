// JSON-RPC messages as text and as values.

#include <mcp/JsonRpc.hpp>

#include "json_text.hpp"

namespace mcp {
namespace {

using detail::JsonText;

void WriteId(JsonText& text, const RequestId& id) {
    text.Key("id");
    if (const auto* number = std::get_if<std::int64_t>(&id)) {
        text.Int(*number);
    } else {
        text.String(std::get<std::string>(id));
    }
}

// The method, and the parameters with `_meta` back among them.
template <class Message>
void WriteCall(JsonText& text, const Message& message) {
    text.Key("method");
    text.String(message.method);
    if (!message.params && !message.meta) return;
    text.Key("params");
    if (message.meta) {
        text.ValueWith(message.params.value_or(JsonValue()), "_meta", *message.meta);
    } else {
        text.Value(*message.params, 2);
    }
}

void Write(JsonText& text, const JsonRpcRequest& request) {
    WriteId(text, request.id);
    WriteCall(text, request);
}

void Write(JsonText& text, const JsonRpcNotification& notification) { WriteCall(text, notification); }

void Write(JsonText& text, const JsonRpcResponse& response) {
    WriteId(text, response.id);
    text.Key("result");
    text.Value(response.result, 2);
}

void Write(JsonText& text, const JsonRpcErrorResponse& response) {
    if (response.id) {
        WriteId(text, *response.id);
    } else {
        text.Key("id");
        text.Null();
    }
    text.Key("error");
    text.BeginObject();
    text.Key("code");
    text.Int(static_cast<std::int64_t>(response.error.code));
    text.Key("message");
    text.String(response.error.message);
    if (response.error.data) {
        text.Key("data");
        text.Value(*response.error.data, 3);
    }
    text.EndObject();
}

[[noreturn]] void ThrowInvalid(const char* what) { throw McpError(McpErrorCode::InvalidRequest, what); }

// Moves a member out of an object; nothing where it is absent.
std::optional<JsonValue> TakeMember(JsonValue& object, std::string_view key) {
    JsonValue* member = object.Find(key);
    if (member == nullptr) return std::nullopt;
    return std::move(*member);
}

std::string TakeText(JsonValue& object, std::string_view key, const char* otherwise) {
    const std::optional<JsonValue> text = TakeMember(object, key);
    if (!text || !text->IsString()) ThrowInvalid(otherwise);
    return text->GetString();
}

template <class Message>
void ReadCall(Message& message, JsonValue& json) {
    message.method = TakeText(json, "method", "the method of a message must be a string");
    message.params = TakeMember(json, "params");
    if (!message.params) return;
    if (!message.params->IsObject()) ThrowInvalid("the parameters of a message must be an object");
    message.meta = TakeMember(*message.params, "_meta");
    if (message.meta) message.params->GetObject().erase("_meta");
}

JsonRpcErrorResponse ReadError(JsonValue& json, JsonValue error) {
    JsonRpcErrorResponse response;
    const JsonValue* id = json.Find("id");
    if (id != nullptr && !id->IsNull()) response.id = RequestIdFromJson(*id);
    const JsonValue* code = error.Find("code");
    if (code == nullptr || !code->IsInt()) ThrowInvalid("the code of an error must be a whole number");
    response.error.code = static_cast<McpErrorCode>(code->GetInt());
    response.error.message = TakeText(error, "message", "the message of an error must be a string");
    response.error.data = TakeMember(error, "data");
    return response;
}

}  // namespace

std::string SerializeMessage(const JsonRpcMessage& message) {
    JsonText text;
    text.BeginObject();
    text.Key("jsonrpc");
    text.String(kJsonRpcVersion);
    std::visit([&](const auto& kind) { Write(text, kind); }, message);
    text.EndObject();
    std::string json = text.Finish();
    if (json.empty()) {
        throw McpError(McpErrorCode::InvalidParams,
                       "no JSON for this message: a string is not valid UTF-8, or a number is not finite");
    }
    return json;
}

std::string SerializeMessage(JsonRpcMessage&& message) {
    return SerializeMessage(static_cast<const JsonRpcMessage&>(message));
}

JsonRpcMessage DeserializeMessage(std::string_view text) {
    JsonValue json = JsonValue::Parse(text);
    if (!json.IsObject()) ThrowInvalid("a message must be an object");
    const JsonValue* version = json.Find("jsonrpc");
    if (version == nullptr || *version != JsonValue("2.0")) ThrowInvalid("the member jsonrpc of a message must be \"2.0\"");
    if (std::optional<JsonValue> error = TakeMember(json, "error")) return ReadError(json, std::move(*error));
    const JsonValue* id = json.Find("id");
    if (std::optional<JsonValue> result = TakeMember(json, "result")) {
        JsonRpcResponse response;
        if (id == nullptr) ThrowInvalid("a response must have an id");
        response.id = RequestIdFromJson(*id);
        response.result = std::move(*result);
        return response;
    }
    if (id == nullptr) {
        JsonRpcNotification notification;
        ReadCall(notification, json);
        return notification;
    }
    JsonRpcRequest request;
    request.id = RequestIdFromJson(*id);
    ReadCall(request, json);
    return request;
}

bool IsRequest(const JsonRpcMessage& message) noexcept { return AsRequest(message) != nullptr; }
bool IsNotification(const JsonRpcMessage& message) noexcept { return AsNotification(message) != nullptr; }
bool IsResponse(const JsonRpcMessage& message) noexcept { return AsResponse(message) != nullptr; }
bool IsError(const JsonRpcMessage& message) noexcept { return AsError(message) != nullptr; }

const JsonRpcRequest* AsRequest(const JsonRpcMessage& message) noexcept { return std::get_if<JsonRpcRequest>(&message); }
const JsonRpcNotification* AsNotification(const JsonRpcMessage& message) noexcept {
    return std::get_if<JsonRpcNotification>(&message);
}
const JsonRpcResponse* AsResponse(const JsonRpcMessage& message) noexcept { return std::get_if<JsonRpcResponse>(&message); }
const JsonRpcErrorResponse* AsError(const JsonRpcMessage& message) noexcept {
    return std::get_if<JsonRpcErrorResponse>(&message);
}

JsonValue RequestIdToJson(const RequestId& id) {
    if (const auto* number = std::get_if<std::int64_t>(&id)) return JsonValue(*number);
    return JsonValue(std::get<std::string>(id));
}

RequestId RequestIdFromJson(const JsonValue& value) {
    if (value.IsInt()) return value.GetInt();
    if (value.IsString()) return value.GetString();
    ThrowInvalid("the id of a message must be a whole number or a string");
}

}  // namespace mcp
