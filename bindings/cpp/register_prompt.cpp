#include <mcp/server/McpServer.hpp>

#include <string>
#include <utility>

#include "call_with_context.hpp"
#include "respond.hpp"
#include "server_core.hpp"
#include "tool_access.hpp"

namespace mcp {

namespace detail {

namespace {

struct PromptEntry {
    std::shared_ptr<ServerCore> core;
    std::function<GetPromptResult(const std::string&, const std::optional<JsonValue>&)> function;
    std::string name;
};

struct ContextPromptEntry {
    std::shared_ptr<ServerCore> core;
    std::function<GetPromptResult(const RequestContext<GetPromptRequestParams>&)> function;
    std::string name;
};

struct CompletionEntry {
    std::shared_ptr<ServerCore> core;
    McpServer::CompletionHandler function;
};

// A request without arguments comes with an empty object.
std::optional<JsonValue> Arguments(const mcp_context_t* context, mcp_str input) {
    mcp_str found;
    if (input.len > 2 || mcp_json_find(mcp_context_params(context), Str("arguments"), &found)) {
        return JsonValue::Parse(View(input));
    }
    return std::nullopt;
}

void CallPrompt(void* data, const mcp_context_t* context, mcp_str input, mcp_responder_t* given) {
    const PromptEntry& entry = *static_cast<const PromptEntry*>(data);
    ResponderPtr responder(given);
    const InsideCall inside(entry.core.get());
    try {
        RespondPrompt(responder, entry.function(entry.name, Arguments(context, input)));
    } catch (...) {
        RespondException(responder.release(), Failure::kError);
    }
}

void CallContextPrompt(void* data, const mcp_context_t* context, mcp_str input, mcp_responder_t* given) {
    const auto& entry = *static_cast<const ContextPromptEntry*>(data);
    const auto read = [&] { return GetPromptRequestParams{entry.name, Arguments(context, input)}; };
    CallWithContext<GetPromptRequestParams>(entry.core, context, given, read, entry.function, RespondPrompt);
}

void CallCompletion(void* data, const mcp_context_t*, mcp_str input, mcp_responder_t* given) {
    const CompletionEntry& entry = *static_cast<const CompletionEntry*>(data);
    ResponderPtr responder(given);
    const InsideCall inside(entry.core.get());
    try {
        RespondCompletion(responder, entry.function(DeserializeCompleteRequestParams(JsonValue::Parse(View(input)))));
    } catch (...) {
        RespondException(responder.release(), Failure::kError);
    }
}

PromptOptionsPtr ReadOptions(const PromptOptions& options) {
    PromptOptionsPtr c(mcp_prompt_options_new());
    if (options.title) {
        mcp_prompt_options_set_title(c.get(), Str(*options.title));
    }
    if (options.description) {
        mcp_prompt_options_set_description(c.get(), Str(*options.description));
    }
    if (!options.icons.empty()) {
        mcp_prompt_options_set_icons(c.get(), Str(SerializeIcons(options.icons)));
    }
    if (options.arguments) {
        for (const PromptArgument& argument : *options.arguments) {
            const mcp_str description = argument.description ? Str(*argument.description) : NoStr();
            mcp_prompt_options_add_argument(c.get(), Str(argument.name), NoStr(), description,
                                            argument.required.value_or(false));
        }
    }
    return c;
}

}  // namespace

}  // namespace detail

void McpServer::RegisterPrompt(
    std::string_view name, const PromptOptions& options,
    std::function<GetPromptResult(const std::string& name, const std::optional<JsonValue>& arguments)> handler) {
    using namespace detail;
    if (!handler) {
        throw McpError(McpErrorCode::InvalidParams, "the function of a prompt is empty");
    }
    const auto add = [&] {
        auto entry = std::make_unique<PromptEntry>(PromptEntry{core_, handler, std::string(name)});
        PromptOptionsPtr c = ReadOptions(options);
        return mcp_server_add_prompt(core_->Handle(), Str(name), c.release(), CallPrompt, entry.release(),
                                     Destroy<PromptEntry>);
    };
    core_->Register(add, [&] { return RemovePrompt(name); });
}

void McpServer::RegisterPromptWithContext(
    std::string_view name, const PromptOptions& options,
    std::function<GetPromptResult(const RequestContext<GetPromptRequestParams>&)> handler) {
    using namespace detail;
    if (!handler) {
        throw McpError(McpErrorCode::InvalidParams, "the function of a prompt is empty");
    }
    const auto add = [&] {
        auto entry = std::make_unique<ContextPromptEntry>(ContextPromptEntry{core_, handler, std::string(name)});
        PromptOptionsPtr c = ReadOptions(options);
        return mcp_server_add_prompt(core_->Handle(), Str(name), c.release(), CallContextPrompt, entry.release(),
                                     Destroy<ContextPromptEntry>);
    };
    core_->Register(add, [&] { return RemovePrompt(name); });
}

bool McpServer::RemovePrompt(std::string_view name) {
    return mcp_server_remove_prompt(core_->Handle(), detail::Str(name));
}

void McpServer::SetCompletionHandler(CompletionHandler handler) {
    using namespace detail;
    if (!handler) {
        throw McpError(McpErrorCode::InvalidParams, "the completion handler is empty");
    }
    auto entry = std::make_unique<CompletionEntry>(CompletionEntry{core_, std::move(handler)});
    Check(mcp_server_set_completion_handler(core_->Handle(), false, CallCompletion, entry.release(),
                                            Destroy<CompletionEntry>));
}

}  // namespace mcp
