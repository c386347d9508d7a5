// The JSON of the parameters of requests and notifications.

#include "type_fields.hpp"

namespace mcp {
namespace detail {

template <>
struct Fields<PaginatedRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.May("cursor", params.cursor);
        v.May("_meta", params.meta);
    }
};

template <>
struct Fields<ResourceRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("uri", params.uri);
        v.May("_meta", params.meta);
        v.May("inputResponses", params.input_responses);
        v.May("requestState", params.request_state);
    }
};

template <>
struct Fields<CallToolRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("name", params.name);
        v.May("arguments", params.arguments);
        v.May("_meta", params.meta);
        v.May("inputResponses", params.input_responses);
        v.May("requestState", params.request_state);
    }
};

template <>
struct Fields<GetPromptRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("name", params.name);
        v.May("arguments", params.arguments);
        v.May("_meta", params.meta);
        v.May("inputResponses", params.input_responses);
        v.May("requestState", params.request_state);
    }
};

template <>
struct Fields<CompleteRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("ref", params.ref);
        v.Nested("argument", [&](auto&& argument) {
            argument.Must("name", params.argument_name);
            argument.Must("value", params.argument_value);
        });
        v.May("context", params.context);
        v.May("_meta", params.meta);
    }
};

template <>
struct Fields<DiscoverRequestParams> : NoFields {};

template <>
struct Fields<InitializeRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("protocolVersion", params.protocol_version);
        v.Must("capabilities", params.capabilities);
        v.Must("clientInfo", params.client_info);
    }
};

template <>
struct Fields<SubscriptionFilter> {
    template <class V, class T>
    static void Visit(V&& v, T& filter) {
        v.May("toolsListChanged", filter.tools_list_changed);
        v.May("promptsListChanged", filter.prompts_list_changed);
        v.May("resourcesListChanged", filter.resources_list_changed);
        v.May("resourceSubscriptions", filter.resource_subscriptions);
    }
};

template <>
struct Fields<SubscriptionsListenRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("notifications", params.notifications);
        v.May("_meta", params.meta);
    }
};

template <>
struct Fields<SubscriptionsAcknowledgedNotificationParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("notifications", params.notifications);
    }
};

template <>
struct Fields<SetLevelRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("level", params.level);
    }
};

template <>
struct Fields<ProgressNotificationParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("progressToken", params.progress_token);
        v.Must("progress", params.progress);
        v.May("total", params.total);
        v.May("message", params.message);
    }
};

template <>
struct Fields<CancelledNotificationParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("requestId", params.request_id);
        v.May("reason", params.reason);
    }
};

template <>
struct Fields<LoggingMessageNotificationParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("level", params.level);
        v.May("logger", params.logger);
        v.Must("data", params.data);
    }
};

}  // namespace detail

MCP_SERIALIZE_BOTH(PaginatedRequestParams)
MCP_SERIALIZE_BOTH(ResourceRequestParams)
MCP_SERIALIZE_BOTH(CallToolRequestParams)
MCP_SERIALIZE_BOTH(GetPromptRequestParams)
MCP_SERIALIZE_BOTH(CompleteRequestParams)
MCP_SERIALIZE(DiscoverRequestParams)
MCP_SERIALIZE_BOTH(InitializeRequestParams)
MCP_SERIALIZE_BOTH(SubscriptionFilter)
MCP_SERIALIZE_BOTH(SubscriptionsListenRequestParams)
MCP_SERIALIZE_BOTH(SubscriptionsAcknowledgedNotificationParams)
MCP_SERIALIZE_BOTH(SetLevelRequestParams)
MCP_SERIALIZE_BOTH(ProgressNotificationParams)
MCP_SERIALIZE_BOTH(CancelledNotificationParams)
MCP_SERIALIZE_BOTH(LoggingMessageNotificationParams)

}  // namespace mcp
