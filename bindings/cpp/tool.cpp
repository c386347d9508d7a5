#include <mcp/server/McpServer.hpp>

#include <exception>
#include <string>
#include <utility>

#include "call_state.hpp"
#include "respond.hpp"
#include "server_core.hpp"
#include "tool_access.hpp"

namespace mcp {

namespace detail {

namespace {

Tool Describe(std::string_view name, const ToolOptions& options) {
    Tool tool;
    tool.name = std::string(name);
    tool.title = options.title;
    tool.description = options.description;
    if (options.input_schema) {
        tool.input_schema = *options.input_schema;
    } else {
        tool.input_schema = JsonValue(JsonValue::Object{{"type", JsonValue("object")},
                                                        {"properties", JsonValue(JsonValue::object_tag)}});
    }
    tool.output_schema = options.output_schema;
    if (!tool.output_schema && options.use_structured_content) {
        tool.output_schema = JsonValue(JsonValue::Object{{"type", JsonValue("object")}});
    }
    if (options.destructive || options.idempotent || options.read_only_hint || options.open_world_hint) {
        ToolAnnotations annotations;
        annotations.destructive_hint = options.destructive;
        annotations.idempotent_hint = options.idempotent;
        annotations.read_only_hint = options.read_only_hint;
        annotations.open_world_hint = options.open_world_hint;
        tool.annotations = annotations;
    }
    tool.icons = options.icons;
    tool.meta = options.meta;
    tool.execution = options.execution;
    return tool;
}

// The documented API takes fewer characters than the C interface.
void CheckName(std::string_view name) {
    for (const char c : name) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool is_other = (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
        if (!is_letter && !is_other) {
            throw McpError(McpErrorCode::InvalidParams,
                           "the name of a tool may have letters, digits, '_', '-' and '.' only: " + std::string(name));
        }
    }
}

class FunctionTool : public McpServerTool {
public:
    FunctionTool(std::string_view name, ToolFunction function, const ToolOptions& options)
        : tool_(Describe(name, options)), options_(options), function_(std::move(function)) {}

    const Tool& ProtocolTool() const override { return tool_; }

    void InvokeAsync(const RequestContext<CallToolRequestParams>& ctx, std::promise<CallToolResult> result) override {
        CallToolResult answer;
        try {
            answer = function_(ctx);
        } catch (...) {
            result.set_exception(std::current_exception());
            return;
        }
        result.set_value(std::move(answer));
    }

private:
    const ToolFunction* Function() const noexcept override { return &function_; }
    const ToolOptions* Options() const noexcept override { return &options_; }

    const Tool tool_;
    const ToolOptions options_;
    const ToolFunction function_;
};

// What C gives back with every call.
struct ToolEntry {
    std::shared_ptr<ServerCore> core;
    std::shared_ptr<McpServerTool> tool;
    const ToolFunction* function;
    std::string name;
};

// Answers with what a future holds.
void Answer(CallState& state, std::future<CallToolResult>& future) noexcept {
    ResponderPtr responder;
    try {
        const CallToolResult result = future.get();
        responder.reset(state.TakeResponder());
        if (responder) {
            RespondTool(responder, result);
        }
    } catch (...) {
        RespondException(responder ? responder.release() : state.TakeResponder(), Failure::kToolResult);
    }
}

// Runs a tool of the host's own class, which may answer later.
void Invoke(const ToolEntry& entry, const std::shared_ptr<CallState>& state) {
    std::promise<CallToolResult> promise;
    std::future<CallToolResult> future = promise.get_future();
    {
        // The context is gone before the state is looked at again, so that only copies of the host's count.
        const auto context = CallAccess::ToolContext(state);
        entry.tool->InvokeAsync(context, std::move(promise));
    }
    if (future.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        return Answer(*state, future);
    }
    state->Detach();
    entry.core->Waiters().Add(std::move(future), [state, core = entry.core,
                                                  tool = entry.tool](std::future<CallToolResult> ready) {
        const InsideCall inside(core.get());
        Answer(*state, ready);
    });
}

void CallTool(void* data, const mcp_context_t* context, mcp_str input, mcp_responder_t* given) {
    const ToolEntry& entry = *static_cast<const ToolEntry*>(data);
    ResponderPtr responder(given);
    const InsideCall inside(entry.core.get());
    std::shared_ptr<CallState> state;
    try {
        state = std::make_shared<CallState>(entry.core, context, given, entry.name, input);
        static_cast<void>(responder.release());
        if (entry.function == nullptr) {
            return Invoke(entry, state);
        }
        CallToolResult result = (*entry.function)(CallAccess::ToolContext(state));
        responder.reset(state->TakeResponder());
        if (responder) {
            RespondTool(responder, result);
        }
    } catch (...) {
        RespondException(responder || !state ? responder.release() : state->TakeResponder(), Failure::kToolResult);
    }
}

void SetAnnotations(mcp_tool_options_t* c, const ToolAnnotations& annotations) {
    if (annotations.destructive_hint) {
        mcp_tool_options_set_destructive_hint(c, *annotations.destructive_hint);
    }
    if (annotations.idempotent_hint) {
        mcp_tool_options_set_idempotent_hint(c, *annotations.idempotent_hint);
    }
    if (annotations.read_only_hint) {
        mcp_tool_options_set_read_only_hint(c, *annotations.read_only_hint);
    }
    if (annotations.open_world_hint) {
        mcp_tool_options_set_open_world_hint(c, *annotations.open_world_hint);
    }
}

ToolOptionsPtr ReadTool(const Tool& tool, const ToolOptions* options) {
    ToolOptionsPtr c(mcp_tool_options_new());
    if (tool.title) {
        mcp_tool_options_set_title(c.get(), Str(*tool.title));
    }
    if (tool.description) {
        mcp_tool_options_set_description(c.get(), Str(*tool.description));
    }
    if (!tool.input_schema.IsNull()) {
        mcp_tool_options_set_input_schema(c.get(), Str(tool.input_schema.Dump()));
    }
    if (tool.output_schema) {
        mcp_tool_options_set_output_schema(c.get(), Str(tool.output_schema->Dump()));
    }
    if (tool.annotations) {
        SetAnnotations(c.get(), *tool.annotations);
    }
    if (!tool.icons.empty()) {
        mcp_tool_options_set_icons(c.get(), Str(SerializeIcons(tool.icons)));
    }
    if (tool.meta) {
        mcp_tool_options_set_meta(c.get(), Str(tool.meta->Dump()));
    }
    if (options == nullptr) {
        return c;
    }
    mcp_tool_options_set_inline(c.get(), options->run_inline);
    if (options->timeout) {
        mcp_tool_options_set_timeout(c.get(), Milliseconds(*options->timeout));
    }
    if (options->max_concurrency) {
        mcp_tool_options_set_max_concurrency(c.get(), *options->max_concurrency);
    }
    return c;
}

}  // namespace

}  // namespace detail

std::shared_ptr<McpServerTool> McpServerTool::CreateFrom(std::string_view name, detail::ToolFunction function,
                                                         const ToolOptions& options) {
    if (!function) {
        throw McpError(McpErrorCode::InvalidParams, "the function of a tool is empty");
    }
    return std::make_shared<detail::FunctionTool>(name, std::move(function), options);
}

void McpServer::RegisterTool(std::shared_ptr<McpServerTool> tool) {
    using namespace detail;
    if (!tool) {
        throw McpError(McpErrorCode::InvalidParams, "the tool is null");
    }
    const Tool& description = tool->ProtocolTool();
    const std::string name = description.name;
    CheckName(name);
    const ToolOptions* options = ToolAccess::Options(*tool);
    const auto add = [&] {
        auto entry = std::make_unique<ToolEntry>(ToolEntry{core_, tool, ToolAccess::Function(*tool), name});
        ToolOptionsPtr c = ReadTool(description, options);
        return mcp_server_add_tool(core_->Handle(), Str(name), c.release(), CallTool, entry.release(),
                                   Destroy<ToolEntry>);
    };
    core_->Register(add, [&] { return mcp_server_remove_tool(core_->Handle(), Str(name)); });
}

void McpServer::RegisterTool(std::string_view name, const ToolOptions& options, detail::ToolFunction handler) {
    RegisterTool(McpServerTool::Create(name, std::move(handler), options));
}

bool McpServer::RemoveTool(std::string_view name) { return mcp_server_remove_tool(core_->Handle(), detail::Str(name)); }

}  // namespace mcp
