// Errors: the codes as `std::error_code`s, the exception, and what C's errors become.

#include <mcp/McpError.hpp>

#include <string>

#include "c_api.hpp"

namespace mcp {

const char* McpErrorCategory::name() const noexcept { return "MCP"; }

std::string McpErrorCategory::message(int code) const {
    switch (static_cast<McpErrorCode>(code)) {
        case McpErrorCode::ParseError: return "JSON could not be read";
        case McpErrorCode::InvalidRequest: return "the message is not valid";
        case McpErrorCode::MethodNotFound: return "there is no such method";
        case McpErrorCode::InvalidParams: return "the parameters are not valid";
        case McpErrorCode::InternalError: return "internal error";
        case McpErrorCode::HeaderMismatch: return "an HTTP header does not agree with the message";
        case McpErrorCode::MissingRequiredClientCapability: return "the client lacks a capability that is needed";
        case McpErrorCode::UnsupportedProtocolVersion: return "the protocol version is not supported";
        case McpErrorCode::UrlElicitationRequired: return "the user must visit a page first";
        case McpErrorCode::ResourceNotFound: return "there is no such resource";
        case McpErrorCode::ConnectionClosed: return "the connection is closed";
        case McpErrorCode::RequestTimeout: return "the request took too long";
        case McpErrorCode::RequestCancelled: return "the request was cancelled";
        case McpErrorCode::ConnectionRefused: return "the connection could not be made";
        case McpErrorCode::TlsHandshakeFailed: return "the TLS handshake failed";
        case McpErrorCode::ProtocolViolation: return "the other side broke the protocol";
        case McpErrorCode::TaskNotFound: return "there is no such task";
        case McpErrorCode::HandlerError: return "a handler failed";
        case McpErrorCode::DeserializeFailed: return "a value is not of the type that is needed";
        case McpErrorCode::SessionExpired: return "the session has expired";
    }
    return "MCP error " + std::to_string(code);
}

std::error_condition McpErrorCategory::default_error_condition(int code) const noexcept {
    switch (static_cast<McpErrorCode>(code)) {
        case McpErrorCode::ConnectionClosed:
        case McpErrorCode::RequestTimeout:
        case McpErrorCode::ConnectionRefused:
        case McpErrorCode::TlsHandshakeFailed:
        case McpErrorCode::SessionExpired: return std::errc::connection_aborted;
        case McpErrorCode::InternalError:
        case McpErrorCode::DeserializeFailed:
        case McpErrorCode::ProtocolViolation:
        case McpErrorCode::HandlerError: return std::errc::io_error;
        case McpErrorCode::TaskNotFound: return std::errc::no_such_process;
        case McpErrorCode::ResourceNotFound: return std::errc::no_such_file_or_directory;
        default: return std::error_condition(code, *this);
    }
}

const McpErrorCategory& GetMcpErrorCategory() noexcept {
    static const McpErrorCategory category;
    return category;
}

McpError::McpError(McpErrorCode code, std::string message) : std::runtime_error(message), code_(code) {}

McpError::McpError(McpErrorCode code, std::string message, JsonValue data)
    : std::runtime_error(message), code_(code), data_(std::make_shared<const JsonValue>(std::move(data))) {}

McpError::McpError(const McpError&) noexcept = default;
McpError& McpError::operator=(const McpError&) noexcept = default;
McpError::~McpError() = default;

namespace detail {

std::string TakeString(mcp_text_t* text) {
    const TextPtr owner(text);
    return String(mcp_text_str(text));
}

JsonValue TakeJson(mcp_text_t* text) {
    const TextPtr owner(text);
    return text == nullptr ? JsonValue() : JsonValue::Parse(View(mcp_text_str(text)));
}

McpError ToException(const mcp_error_t* error) {
    const auto code = static_cast<McpErrorCode>(mcp_error_code(error));
    std::string message = String(mcp_error_message(error));
    const mcp_str data = mcp_error_data(error);
    if (IsNone(data)) return McpError(code, std::move(message));
    return McpError(code, std::move(message), JsonValue::Parse(View(data)));
}

McpError TakeError(mcp_error_t* error) {
    const ErrorPtr owner(error);
    return ToException(error);
}

void Check(mcp_error_t* error) {
    if (error != nullptr) throw TakeError(error);
}

mcp_error_t* NewError(McpErrorCode code, std::string_view message, const JsonValue* data) noexcept {
    mcp_error_t* error = mcp_error_new(static_cast<std::int32_t>(code), Str(message));
    if (error == nullptr) error = mcp_error_new(static_cast<std::int32_t>(code), Str("the text of this error is not UTF-8"));
    if (data == nullptr) return error;
    try {
        mcp_error_set_data(error, Str(data->Dump()));
    } catch (...) {
        // Data that has no JSON form is left out; the error itself must arrive.
    }
    return error;
}

mcp_error_t* NewError(const McpError& error) noexcept {
    return NewError(error.Code(), error.ErrorMessage(), error.Data());
}

}  // namespace detail
}  // namespace mcp
