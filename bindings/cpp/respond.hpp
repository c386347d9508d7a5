#pragma once

// How what a handler returns or throws becomes an answer. Each function takes the responder, unless it throws because the
// result can't be written.

#include <mcp/McpTypes.hpp>

#include <cstdint>
#include <utility>

#include "c_api.hpp"

namespace mcp::detail {

void RespondTool(ResponderPtr& responder, const CallToolResult& result);
void RespondResource(ResponderPtr& responder, const ReadResourceResult& result);
void RespondPrompt(ResponderPtr& responder, const GetPromptResult& result);
void RespondCompletion(ResponderPtr& responder, const CompleteResult& result);

// A hint in the numbers of the C interface. Where it does not say who may keep a result, only the one who asked may.
std::pair<std::uint64_t, std::int32_t> CacheNumbers(const CacheHint& hint);

// What a kind of handler makes of `McpError`.
enum class Failure {
    // A result that says that the tool failed.
    kToolResult,
    // A JSON-RPC error.
    kError,
};

// Answers with the exception that is being handled. `responder` may be null: then there is nothing to answer any more.
void RespondException(mcp_responder_t* responder, Failure failure) noexcept;

}  // namespace mcp::detail
