#pragma once

#include <cstdint>
#include <string>
#include <system_error>
#include <type_traits>

#include <mcp/Export.hpp>

namespace mcp {

// Why something failed. The codes from -32700 to -32600 are JSON-RPC's, those from -32020 to -32022 and -32042 the
// protocol's; the others are for the program itself, and reach a client only where its revision knows them.
enum class McpErrorCode : std::int32_t {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    HeaderMismatch = -32020,
    MissingRequiredClientCapability = -32021,
    UnsupportedProtocolVersion = -32022,
    UrlElicitationRequired = -32042,
    ResourceNotFound = -32002,
    ConnectionClosed = -32000,
    RequestTimeout = -32001,
    RequestCancelled = -32800,
    ConnectionRefused = -32003,
    TlsHandshakeFailed = -32004,
    ProtocolViolation = -32005,
    TaskNotFound = -32006,
    HandlerError = -32007,
    DeserializeFailed = -32008,
    SessionExpired = -32009,
};

// The category of these codes as `std::error_code`s.
class MCP_API McpErrorCategory : public std::error_category {
public:
    const char* name() const noexcept override;
    std::string message(int code) const override;
    std::error_condition default_error_condition(int code) const noexcept override;
};

// The only instance.
MCP_API const McpErrorCategory& GetMcpErrorCategory() noexcept;

inline std::error_code make_error_code(McpErrorCode code) noexcept {
    return std::error_code(static_cast<int>(code), GetMcpErrorCategory());
}

}  // namespace mcp

template <>
struct std::is_error_code_enum<mcp::McpErrorCode> : std::true_type {};
