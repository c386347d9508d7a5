#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <mcp/ErrorCodes.hpp>
#include <mcp/JsonRpc.hpp>

namespace mcp {

// What the library throws, and what a handler throws to fail with a message of its own.
class MCP_API McpError : public std::runtime_error {
public:
    explicit McpError(McpErrorCode code, std::string message);
    // With data for programs: the `data` of the error on the wire.
    McpError(McpErrorCode code, std::string message, JsonValue data);
    McpError(const McpError&) noexcept;
    McpError& operator=(const McpError&) noexcept;
    ~McpError() override;

    McpErrorCode Code() const noexcept { return code_; }
    // The same text as `what()`. Valid for as long as this error is.
    std::string_view ErrorMessage() const noexcept { return what(); }
    // Null where there is none. Valid for as long as this error is.
    const JsonValue* Data() const noexcept { return data_.get(); }

private:
    McpErrorCode code_;
    // Shared, so that copying an exception can't throw.
    std::shared_ptr<const JsonValue> data_;
};

}  // namespace mcp
