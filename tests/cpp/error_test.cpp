#include <doctest/doctest.h>

#include <ostream>
#include <string>
#include <system_error>

#include <mcp/McpError.hpp>

using mcp::JsonValue;
using mcp::McpError;
using mcp::McpErrorCode;

TEST_CASE("an error tells its code and text") {
    const McpError error(McpErrorCode::InvalidParams, "no such colour");
    CHECK(error.Code() == McpErrorCode::InvalidParams);
    CHECK(error.ErrorMessage() == "no such colour");
    CHECK(std::string(error.what()) == "no such colour");
    CHECK(error.Data() == nullptr);
    const std::exception& base = error;
    CHECK(std::string(base.what()) == "no such colour");
}

TEST_CASE("an error may carry data, which copies share") {
    const McpError error(McpErrorCode::InvalidParams, "m", JsonValue::Parse(R"({"reason":"r"})"));
    const McpError copy = error;
    REQUIRE(copy.Data() != nullptr);
    CHECK(copy.Data()->At("reason").GetString() == "r");
    CHECK(copy.Data() == error.Data());
}

TEST_CASE("an error is caught as a runtime error") {
    CHECK_THROWS_AS(throw McpError(McpErrorCode::InternalError, "x"), std::runtime_error);
}

TEST_CASE("codes have the numbers of the protocol") {
    CHECK(static_cast<int>(McpErrorCode::ParseError) == -32700);
    CHECK(static_cast<int>(McpErrorCode::InvalidRequest) == -32600);
    CHECK(static_cast<int>(McpErrorCode::MethodNotFound) == -32601);
    CHECK(static_cast<int>(McpErrorCode::InvalidParams) == -32602);
    CHECK(static_cast<int>(McpErrorCode::InternalError) == -32603);
    CHECK(static_cast<int>(McpErrorCode::HeaderMismatch) == -32020);
    CHECK(static_cast<int>(McpErrorCode::MissingRequiredClientCapability) == -32021);
    CHECK(static_cast<int>(McpErrorCode::UnsupportedProtocolVersion) == -32022);
    CHECK(static_cast<int>(McpErrorCode::UrlElicitationRequired) == -32042);
    CHECK(static_cast<int>(McpErrorCode::ResourceNotFound) == -32002);
    CHECK(static_cast<int>(McpErrorCode::ConnectionClosed) == -32000);
    CHECK(static_cast<int>(McpErrorCode::RequestTimeout) == -32001);
    CHECK(static_cast<int>(McpErrorCode::RequestCancelled) == -32800);
    CHECK(static_cast<int>(McpErrorCode::ConnectionRefused) == -32003);
    CHECK(static_cast<int>(McpErrorCode::TlsHandshakeFailed) == -32004);
    CHECK(static_cast<int>(McpErrorCode::ProtocolViolation) == -32005);
    CHECK(static_cast<int>(McpErrorCode::TaskNotFound) == -32006);
    CHECK(static_cast<int>(McpErrorCode::HandlerError) == -32007);
    CHECK(static_cast<int>(McpErrorCode::DeserializeFailed) == -32008);
}

TEST_CASE("a code is a std::error_code") {
    const std::error_code code = McpErrorCode::ResourceNotFound;
    CHECK(code.value() == -32002);
    CHECK(code == make_error_code(McpErrorCode::ResourceNotFound));
    CHECK(code != make_error_code(McpErrorCode::ParseError));
    CHECK(code.category() == mcp::GetMcpErrorCategory());
    CHECK(std::string(code.category().name()) == "MCP");
    CHECK_FALSE(code.message().empty());
    CHECK(std::is_error_code_enum<McpErrorCode>::value);
    CHECK(std::error_code(-1, mcp::GetMcpErrorCategory()).message() == "MCP error -1");
}

TEST_CASE("codes agree with the conditions of the system") {
    CHECK(make_error_code(McpErrorCode::ConnectionClosed) == std::errc::connection_aborted);
    CHECK(make_error_code(McpErrorCode::RequestTimeout) == std::errc::connection_aborted);
    CHECK(make_error_code(McpErrorCode::InternalError) == std::errc::io_error);
    CHECK(make_error_code(McpErrorCode::TaskNotFound) == std::errc::no_such_process);
    CHECK(make_error_code(McpErrorCode::ResourceNotFound) == std::errc::no_such_file_or_directory);
    CHECK(make_error_code(McpErrorCode::InvalidParams) != std::errc::io_error);
}
