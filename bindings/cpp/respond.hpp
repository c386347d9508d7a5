#pragma once

// How what a handler returns or throws becomes an answer. Each function takes the responder.

#include <mcp/McpTypes.hpp>

#include <cstdint>
#include <utility>

#include "c_api.hpp"

namespace mcp::detail {

void RespondTool(mcp_responder_t* responder, const CallToolResult& result);
void RespondResource(mcp_responder_t* responder, const ReadResourceResult& result);
void RespondPrompt(mcp_responder_t* responder, const GetPromptResult& result);
void RespondCompletion(mcp_responder_t* responder, const CompleteResult& result);

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

// A responder that is answered with, or given up when something throws on the way.
class Answering {
public:
    explicit Answering(mcp_responder_t* responder) noexcept : responder_(responder) {}
    ~Answering() { mcp_responder_delete(responder_); }
    Answering(const Answering&) = delete;
    Answering& operator=(const Answering&) = delete;

    mcp_responder_t* Take() noexcept {
        mcp_responder_t* responder = responder_;
        responder_ = nullptr;
        return responder;
    }

private:
    mcp_responder_t* responder_;
};

}  // namespace mcp::detail
