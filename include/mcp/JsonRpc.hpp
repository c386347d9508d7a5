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
    std::optional<JsonValue> data{};
};

// `params` is without `_meta`, which is `meta`.
struct JsonRpcRequest {
    std::string jsonrpc{"2.0"};
    RequestId id{};
    std::string method{};
    std::optional<JsonValue> params{};
    std::optional<JsonValue> meta{};
};

// `params` is without `_meta`, which is `meta`.
struct JsonRpcNotification {
    std::string jsonrpc{"2.0"};
    std::string method{};
    std::optional<JsonValue> params{};
    std::optional<JsonValue> meta{};
};

struct JsonRpcResponse {
    std::string jsonrpc{"2.0"};
    RequestId id{};
    JsonValue result{};
};

// `id` is absent where the request could not be read.
struct JsonRpcErrorResponse {
    std::string jsonrpc{"2.0"};
    std::optional<RequestId> id{};
    ErrorData error{};
};

using JsonRpcMessage = std::variant<JsonRpcRequest, JsonRpcNotification, JsonRpcResponse, JsonRpcErrorResponse>;

// The message as JSON on one line. Throws `McpError` like `JsonValue::Dump`.
MCP_API std::string SerializeMessage(const JsonRpcMessage& message);
MCP_API std::string SerializeMessage(JsonRpcMessage&& message);

// Reads a message. Throws `McpError`: `ParseError` when it is not JSON, `InvalidRequest` when it is no message.
MCP_API JsonRpcMessage DeserializeMessage(std::string_view text);

MCP_API bool IsRequest(const JsonRpcMessage& message) noexcept;
MCP_API bool IsNotification(const JsonRpcMessage& message) noexcept;
MCP_API bool IsResponse(const JsonRpcMessage& message) noexcept;
MCP_API bool IsError(const JsonRpcMessage& message) noexcept;

// The message as what it is, or null where it is something else. Valid for as long as `message` is.
MCP_API const JsonRpcRequest* AsRequest(const JsonRpcMessage& message) noexcept;
MCP_API const JsonRpcNotification* AsNotification(const JsonRpcMessage& message) noexcept;
MCP_API const JsonRpcResponse* AsResponse(const JsonRpcMessage& message) noexcept;
MCP_API const JsonRpcErrorResponse* AsError(const JsonRpcMessage& message) noexcept;

MCP_API JsonValue RequestIdToJson(const RequestId& id);
// Throws `McpError(InvalidRequest)` when the value is neither a whole number nor a string.
MCP_API RequestId RequestIdFromJson(const JsonValue& value);

}  // namespace mcp
