#include <mcp/server/McpServer.hpp>

#include <string>
#include <utility>

#include "call_with_context.hpp"
#include "respond.hpp"
#include "server_core.hpp"
#include "tool_access.hpp"

namespace mcp {

namespace detail {

std::string SerializeIcons(const std::vector<Icon>& icons) {
    JsonValue list(JsonValue::array_tag);
    for (const Icon& icon : icons) {
        list.PushBack(SerializeIcon(icon));
    }
    return list.Dump();
}

namespace {

using ResourceFunction = std::function<ReadResourceResult(const std::string&)>;
using TemplateFunction =
    std::function<ReadResourceResult(const std::string&, const std::map<std::string, std::string>&)>;

using ReadContext = RequestContext<ReadResourceRequestParams>;
using ContextResourceFunction = std::function<ReadResourceResult(const ReadContext&)>;
using ContextTemplateFunction =
    std::function<ReadResourceResult(const ReadContext&, const std::map<std::string, std::string>&)>;

template <class Function>
struct ResourceEntry {
    std::shared_ptr<ServerCore> core;
    Function function;
};

ReadResourceResult Read(const ResourceFunction& function, const JsonValue& input) {
    return function(input.At("uri").GetString());
}

std::map<std::string, std::string> Variables(const JsonValue& input) {
    std::map<std::string, std::string> variables;
    if (const JsonValue* found = input.Find("variables")) {
        for (const auto& [name, value] : *found) {
            variables.emplace(name, value.GetString());
        }
    }
    return variables;
}

ReadResourceResult Read(const TemplateFunction& function, const JsonValue& input) {
    return function(input.At("uri").GetString(), Variables(input));
}

ReadResourceResult Read(const ContextResourceFunction& function, const ReadContext& context, const JsonValue&) {
    return function(context);
}

ReadResourceResult Read(const ContextTemplateFunction& function, const ReadContext& context, const JsonValue& input) {
    return function(context, Variables(input));
}

template <class Function>
void CallResource(void* data, const mcp_context_t*, mcp_str input, mcp_responder_t* given) {
    const auto& entry = *static_cast<const ResourceEntry<Function>*>(data);
    ResponderPtr responder(given);
    const InsideCall inside(entry.core.get());
    try {
        RespondResource(responder, Read(entry.function, JsonValue::Parse(View(input))));
    } catch (...) {
        RespondException(responder.release(), Failure::kError);
    }
}

template <class Function>
void CallContextResource(void* data, const mcp_context_t* context, mcp_str input, mcp_responder_t* given) {
    const auto& entry = *static_cast<const ResourceEntry<Function>*>(data);
    JsonValue json;
    const auto read = [&] {
        json = JsonValue::Parse(View(input));
        return ReadResourceRequestParams{json.At("uri").GetString()};
    };
    const auto call = [&](const ReadContext& made) { return Read(entry.function, made, json); };
    CallWithContext<ReadResourceRequestParams>(entry.core, context, given, read, call, RespondResource);
}

ResourceOptionsPtr ReadOptions(const ResourceOptions& options) {
    ResourceOptionsPtr c(mcp_resource_options_new());
    if (options.title) {
        mcp_resource_options_set_title(c.get(), Str(*options.title));
    }
    if (options.description) {
        mcp_resource_options_set_description(c.get(), Str(*options.description));
    }
    if (options.mime_type) {
        mcp_resource_options_set_mime_type(c.get(), Str(*options.mime_type));
    }
    if (!options.icons.empty()) {
        mcp_resource_options_set_icons(c.get(), Str(SerializeIcons(options.icons)));
    }
    return c;
}

}  // namespace

}  // namespace detail

void McpServer::RegisterResource(std::string_view name, std::string_view uri, const ResourceOptions& options,
                                 std::function<ReadResourceResult(const std::string& uri)> handler) {
    using namespace detail;
    using Entry = ResourceEntry<ResourceFunction>;
    if (!handler) {
        throw McpError(McpErrorCode::InvalidParams, "the function of a resource is empty");
    }
    const auto add = [&] {
        auto entry = std::make_unique<Entry>(Entry{core_, handler});
        ResourceOptionsPtr c = ReadOptions(options);
        return mcp_server_add_resource(core_->Handle(), Str(name), Str(uri), c.release(),
                                       CallResource<ResourceFunction>, entry.release(), Destroy<Entry>);
    };
    core_->Register(add, [&] { return RemoveResource(uri); });
}

void McpServer::RegisterResourceTemplate(
    std::string_view name, std::string_view uri_template, const ResourceOptions& options,
    std::function<ReadResourceResult(const std::string& uri, const std::map<std::string, std::string>& variables)>
        handler) {
    using namespace detail;
    using Entry = ResourceEntry<TemplateFunction>;
    if (!handler) {
        throw McpError(McpErrorCode::InvalidParams, "the function of a resource template is empty");
    }
    const auto add = [&] {
        auto entry = std::make_unique<Entry>(Entry{core_, handler});
        ResourceOptionsPtr c = ReadOptions(options);
        return mcp_server_add_resource_template(core_->Handle(), Str(name), Str(uri_template), c.release(),
                                                CallResource<TemplateFunction>, entry.release(), Destroy<Entry>);
    };
    core_->Register(add, [&] { return RemoveResourceTemplate(uri_template); });
}

void McpServer::RegisterResourceWithContext(
    std::string_view name, std::string_view uri, const ResourceOptions& options,
    std::function<ReadResourceResult(const RequestContext<ReadResourceRequestParams>&)> handler) {
    using namespace detail;
    using Entry = ResourceEntry<ContextResourceFunction>;
    if (!handler) {
        throw McpError(McpErrorCode::InvalidParams, "the function of a resource is empty");
    }
    const auto add = [&] {
        auto entry = std::make_unique<Entry>(Entry{core_, handler});
        ResourceOptionsPtr c = ReadOptions(options);
        return mcp_server_add_resource(core_->Handle(), Str(name), Str(uri), c.release(),
                                       CallContextResource<ContextResourceFunction>, entry.release(), Destroy<Entry>);
    };
    core_->Register(add, [&] { return RemoveResource(uri); });
}

void McpServer::RegisterResourceTemplateWithContext(
    std::string_view name, std::string_view uri_template, const ResourceOptions& options,
    std::function<ReadResourceResult(const RequestContext<ReadResourceRequestParams>&,
                                     const std::map<std::string, std::string>& variables)>
        handler) {
    using namespace detail;
    using Entry = ResourceEntry<ContextTemplateFunction>;
    if (!handler) {
        throw McpError(McpErrorCode::InvalidParams, "the function of a resource template is empty");
    }
    const auto add = [&] {
        auto entry = std::make_unique<Entry>(Entry{core_, handler});
        ResourceOptionsPtr c = ReadOptions(options);
        return mcp_server_add_resource_template(core_->Handle(), Str(name), Str(uri_template), c.release(),
                                                CallContextResource<ContextTemplateFunction>, entry.release(),
                                                Destroy<Entry>);
    };
    core_->Register(add, [&] { return RemoveResourceTemplate(uri_template); });
}

bool McpServer::RemoveResource(std::string_view uri) {
    return mcp_server_remove_resource(core_->Handle(), detail::Str(uri));
}

bool McpServer::RemoveResourceTemplate(std::string_view uri_template) {
    return mcp_server_remove_resource_template(core_->Handle(), detail::Str(uri_template));
}

}  // namespace mcp
