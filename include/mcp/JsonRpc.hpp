#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <mcp/ErrorCodes.hpp>
#include <mcp/JsonValue.hpp>
#include <mcp/ProtocolVersion.hpp>

namespace mcp {

using RequestId = std::variant<std::int64_t, std::string>;

struct ErrorData {
    McpErrorCode code{McpErrorCode::InternalError};
    std::string message{};
    std::optional<JsonValue> data = std::nullopt;
};

// `params` is without `_meta`, which is `meta`.
struct JsonRpcRequest {
    std::string jsonrpc = "2.0";
    RequestId id{};
    std::string method{};
    std::optional<JsonValue> params = std::nullopt;
    std::optional<JsonValue> meta = std::nullopt;
};

// `params` is without `_meta`, which is `meta`.
struct JsonRpcNotification {
    std::string jsonrpc = "2.0";
    std::string method{};
    std::optional<JsonValue> params = std::nullopt;
    std::optional<JsonValue> meta = std::nullopt;
};

struct JsonRpcResponse {
    std::string jsonrpc = "2.0";
    RequestId id{};
    JsonValue result{};
};

// `id` is absent where the request could not be read.
struct JsonRpcErrorResponse {
    std::string jsonrpc = "2.0";
    std::optional<RequestId> id = std::nullopt;
    ErrorData error{};
};

using JsonRpcMessage = std::variant<JsonRpcRequest, JsonRpcNotification, JsonRpcResponse, JsonRpcErrorResponse>;

// The message as JSON on one line. Throws `McpError` like `JsonValue::Dump`.
MCP_API std::string SerializeMessage(const JsonRpcMessage& message);
MCP_API std::string SerializeMessage(JsonRpcMessage&& message);

// Reads a message. Throws `McpError`: `ParseError` when it is not JSON, `InvalidRequest` when it is no message.
MCP_API JsonRpcMessage DeserializeMessage(std::string_view text);

inline bool IsRequest(const JsonRpcMessage& message) noexcept { return message.index() == 0; }
inline bool IsNotification(const JsonRpcMessage& message) noexcept { return message.index() == 1; }
inline bool IsResponse(const JsonRpcMessage& message) noexcept { return message.index() == 2; }
inline bool IsError(const JsonRpcMessage& message) noexcept { return message.index() == 3; }

// The message as what it is, or null where it is something else.
inline const JsonRpcRequest* AsRequest(const JsonRpcMessage& message) noexcept {
    return std::get_if<JsonRpcRequest>(&message);
}
inline const JsonRpcNotification* AsNotification(const JsonRpcMessage& message) noexcept {
    return std::get_if<JsonRpcNotification>(&message);
}
inline const JsonRpcResponse* AsResponse(const JsonRpcMessage& message) noexcept {
    return std::get_if<JsonRpcResponse>(&message);
}
inline const JsonRpcErrorResponse* AsError(const JsonRpcMessage& message) noexcept {
    return std::get_if<JsonRpcErrorResponse>(&message);
}

MCP_API JsonValue RequestIdToJson(const RequestId& id);
// Throws `McpError(InvalidRequest)` when the value is neither a whole number nor a string.
MCP_API RequestId RequestIdFromJson(const JsonValue& value);

}  // namespace mcp
