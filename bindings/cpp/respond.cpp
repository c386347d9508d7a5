#include "respond.hpp"

#include <mcp/server/RequestContext.hpp>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace mcp::detail {

namespace {

// An answer that can't be used is told to the client by the library, and to the log.
void Ignore(mcp_error_t* error) noexcept { mcp_error_delete(error); }

InputRequiredPtr Questions(const InputRequiredResult& asked) {
    InputRequiredPtr questions(mcp_input_required_new());
    for (const auto& [key, request] : asked.input_requests) {
        mcp_input_required_add(questions.get(), Str(key), Str(request.Dump()));
    }
    if (asked.request_state) {
        mcp_input_required_set_state(questions.get(), Str(*asked.request_state));
    }
    return questions;
}

void AddContent(mcp_tool_result_t* result, const ContentVariant& content) {
    const auto* text = std::get_if<TextContent>(&content);
    if (text != nullptr && text->type == "text" && !text->annotations && !text->meta) {
        mcp_tool_result_add_text(result, Str(text->text));
    } else {
        mcp_tool_result_add_content(result, Str(SerializeContentVariant(content).Dump()));
    }
}

void AddContents(mcp_resource_result_t* result, const ResourceContents& contents) {
    const auto* text = std::get_if<TextResourceContents>(&contents);
    if (text != nullptr && !text->meta) {
        const mcp_str mime_type = text->mime_type ? Str(*text->mime_type) : NoStr();
        mcp_resource_result_add_text(result, Str(text->uri), mime_type, Str(text->text));
    } else {
        mcp_resource_result_add_contents(result, Str(SerializeResourceContents(contents).Dump()));
    }
}

int Role(const std::string& role) {
    if (role == "user") {
        return MCP_ROLE_USER;
    }
    if (role == "assistant") {
        return MCP_ROLE_ASSISTANT;
    }
    throw std::invalid_argument("the role of a prompt's message is \"" + role + "\"; it must be user or assistant");
}

}  // namespace

std::pair<std::uint64_t, std::int32_t> CacheNumbers(const CacheHint& hint) {
    const std::int64_t ttl = hint.ttl_ms.value_or(0);
    const bool is_public = hint.cache_scope && *hint.cache_scope == "public";
    return {ttl < 0 ? 0 : static_cast<std::uint64_t>(ttl), is_public ? MCP_CACHE_PUBLIC : MCP_CACHE_PRIVATE};
}

void RespondTool(ResponderPtr& responder, const CallToolResult& result) {
    if (result.input_required) {
        InputRequiredPtr questions = Questions(*result.input_required);
        return Ignore(mcp_respond_input_required(responder.release(), questions.release()));
    }
    ToolResultPtr c(mcp_tool_result_new());
    for (const ContentVariant& content : result.content) {
        AddContent(c.get(), content);
    }
    if (result.structured_content) {
        mcp_tool_result_set_structured(c.get(), Str(result.structured_content->Dump()));
    }
    if (result.is_error) {
        mcp_tool_result_set_error(c.get(), true);
    }
    if (result.meta) {
        mcp_tool_result_set_meta(c.get(), Str(result.meta->Dump()));
    }
    Ignore(mcp_respond_tool(responder.release(), c.release()));
}

void RespondResource(ResponderPtr& responder, const ReadResourceResult& result) {
    if (result.input_required) {
        InputRequiredPtr questions = Questions(*result.input_required);
        return Ignore(mcp_respond_input_required(responder.release(), questions.release()));
    }
    ResourceResultPtr c(mcp_resource_result_new());
    for (const ResourceContents& contents : result.contents) {
        AddContents(c.get(), contents);
    }
    if (result.cache_hint) {
        const auto [ttl, scope] = CacheNumbers(*result.cache_hint);
        mcp_resource_result_set_cache(c.get(), ttl, scope);
    }
    if (result.meta) {
        mcp_resource_result_set_meta(c.get(), Str(result.meta->Dump()));
    }
    Ignore(mcp_respond_resource(responder.release(), c.release()));
}

void RespondPrompt(ResponderPtr& responder, const GetPromptResult& result) {
    if (result.input_required) {
        InputRequiredPtr questions = Questions(*result.input_required);
        return Ignore(mcp_respond_input_required(responder.release(), questions.release()));
    }
    PromptResultPtr c(mcp_prompt_result_new());
    for (const PromptMessage& message : result.messages) {
        const auto* text = std::get_if<TextContent>(&message.content);
        if (text != nullptr && text->type == "text" && !text->annotations && !text->meta) {
            mcp_prompt_result_add_text(c.get(), Role(message.role), Str(text->text));
        } else {
            const std::string content = SerializeContentVariant(message.content).Dump();
            mcp_prompt_result_add_content(c.get(), Role(message.role), Str(content));
        }
    }
    if (result.description) {
        mcp_prompt_result_set_description(c.get(), Str(*result.description));
    }
    if (result.meta) {
        mcp_prompt_result_set_meta(c.get(), Str(result.meta->Dump()));
    }
    Ignore(mcp_respond_prompt(responder.release(), c.release()));
}

void RespondCompletion(ResponderPtr& responder, const CompleteResult& result) {
    JsonValue json(JsonValue::object_tag);
    json["completion"] = result.completion;
    if (result.meta) {
        json["_meta"] = *result.meta;
    }
    const std::string text = json.Dump();
    Ignore(mcp_respond_json(responder.release(), Str(text)));
}

void RespondException(mcp_responder_t* responder, Failure failure) noexcept {
    try {
        throw;
    } catch (const HandlerSuspended&) {
        mcp_responder_delete(responder);
    } catch (const McpError& error) {
        if (responder == nullptr) {
            return;
        }
        if (failure == Failure::kToolResult) {
            Ignore(mcp_respond_failure(responder, Str(error.ErrorMessage())));
        } else {
            Ignore(mcp_respond_error(responder, NewError(error)));
        }
    } catch (const std::exception& error) {
        if (responder != nullptr) {
            Ignore(mcp_respond_internal_failure(responder, Str(error.what() == nullptr ? "" : error.what())));
        }
    } catch (...) {
        if (responder != nullptr) {
            Ignore(mcp_respond_internal_failure(responder, Str("the handler threw something that is no std::exception")));
        }
    }
}

}  // namespace mcp::detail
