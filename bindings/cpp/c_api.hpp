#pragma once

// mcp.h for the bodies: owners, text, errors.

#include <memory>
#include <string>
#include <string_view>

#include <mcp/McpError.hpp>

#include "mcp/mcp.h"

namespace mcp::detail {

// Owners: each frees its handle with the handle's own function. `release()` hands it to a function that takes it.
template <auto Delete>
struct Deleter {
    template <class Handle>
    void operator()(Handle* handle) const noexcept {
        Delete(handle);
    }
};

template <class Handle, auto Delete>
using Owner = std::unique_ptr<Handle, Deleter<Delete>>;

using ErrorPtr = Owner<mcp_error_t, mcp_error_delete>;
using TextPtr = Owner<mcp_text_t, mcp_text_delete>;
using JsonWriterPtr = Owner<mcp_json_writer_t, mcp_json_writer_delete>;
using OptionsPtr = Owner<mcp_options_t, mcp_options_delete>;
using ServerPtr = Owner<mcp_server_t, mcp_server_delete>;
using HttpOptionsPtr = Owner<mcp_http_options_t, mcp_http_options_delete>;
using HttpPtr = Owner<mcp_http_t, mcp_http_delete>;
using ToolOptionsPtr = Owner<mcp_tool_options_t, mcp_tool_options_delete>;
using ResourceOptionsPtr = Owner<mcp_resource_options_t, mcp_resource_options_delete>;
using PromptOptionsPtr = Owner<mcp_prompt_options_t, mcp_prompt_options_delete>;
using ToolResultPtr = Owner<mcp_tool_result_t, mcp_tool_result_delete>;
using ResourceResultPtr = Owner<mcp_resource_result_t, mcp_resource_result_delete>;
using PromptResultPtr = Owner<mcp_prompt_result_t, mcp_prompt_result_delete>;
using CompletionResultPtr = Owner<mcp_completion_result_t, mcp_completion_result_delete>;
using InputRequiredPtr = Owner<mcp_input_required_t, mcp_input_required_delete>;
using ResponderPtr = Owner<mcp_responder_t, mcp_responder_delete>;
using ContextPtr = Owner<mcp_context_t, mcp_context_delete>;
using ClientPtr = Owner<mcp_client_t, mcp_client_delete>;
using ConnectionPtr = Owner<mcp_connection_t, mcp_connection_delete>;
using LinkPtr = Owner<mcp_link_t, mcp_link_delete>;
using JobPtr = Owner<mcp_job_t, mcp_job_delete>;

// Borrows the text; never "none", also when it is empty.
inline mcp_str Str(std::string_view text) noexcept { return {text.data() == nullptr ? "" : text.data(), text.size()}; }

// No text.
inline mcp_str NoStr() noexcept { return {nullptr, 0}; }

// Borrows the text of C; empty where there is none.
inline std::string_view View(mcp_str text) noexcept {
    return text.ptr == nullptr ? std::string_view() : std::string_view(text.ptr, text.len);
}

inline bool IsNone(mcp_str text) noexcept { return text.ptr == nullptr; }

inline std::string String(mcp_str text) { return std::string(View(text)); }

// Copies and frees the text; empty where it is NULL.
std::string TakeString(mcp_text_t* text);

// Reads and frees the JSON text; nothing where it is NULL.
JsonValue TakeJson(mcp_text_t* text);

// The error as an exception, and frees it. `error` is not NULL.
McpError TakeError(mcp_error_t* error);

// A copy of the error as an exception. `error` is not NULL.
McpError ToException(const mcp_error_t* error);

// Throws when there is an error, which it frees.
void Check(mcp_error_t* error);

// An error of C's with code, text and data. Text that is not UTF-8 is replaced by a fixed one. Never NULL, unless memory
// is short.
mcp_error_t* NewError(McpErrorCode code, std::string_view message, const JsonValue* data = nullptr) noexcept;
mcp_error_t* NewError(const McpError& error) noexcept;

}  // namespace mcp::detail
