#pragma once

// The members of results.

#include "type_fields.hpp"

namespace mcp::detail {

// The name of the server in `_meta` of a result.
constexpr std::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";

template <>
struct Names<ResultType> {
    static constexpr std::array<std::string_view, 2> kNames = {"complete", "input_required"};
};

template <>
struct Fields<Result> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        v.May("_meta", result.meta);
        VisitType(v, result);
    }

    template <class V, class T>
    static void VisitType(V&& v, T& result) {
        if constexpr (std::decay_t<V>::kWrites) {
            v.Must("resultType", result.result_type);
        } else {
            // Absent in older revisions; other types are those of extensions.
            const JsonValue* type = v.Json().Find("resultType");
            const bool asks = type != nullptr && *type == JsonValue("input_required");
            result.result_type = asks ? ResultType::InputRequired : ResultType::Complete;
        }
    }
};

template <>
struct Fields<InputRequiredResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        if constexpr (std::decay_t<V>::kWrites) v.Must("resultType", ResultType::InputRequired);
        if constexpr (std::decay_t<V>::kWrites) {
            v.Must("inputRequests", result.input_requests);
        } else {
            v.May("inputRequests", result.input_requests);
        }
        v.May("requestState", result.request_state);
    }
};

// A result that asks for input instead: true when it does, and then it has no other members.
template <class V, class T>
bool VisitInputRequired(V&& v, T& result) {
    if constexpr (std::decay_t<V>::kWrites) {
        if (!result.input_required) return false;
        v.May("_meta", result.meta);
        v.Flat(*result.input_required);
        return true;
    } else {
        if (!IsInputRequiredResult(v.Json())) return false;
        v.Flat(static_cast<Result&>(result));
        v.Flat(result.input_required.emplace());
        return true;
    }
}

template <class V, class T>
void VisitBase(V&& v, T& result) {
    using Base = std::conditional_t<std::is_const_v<T>, const Result, Result>;
    v.Flat(static_cast<Base&>(result));
}

template <>
struct Fields<EmptyResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        VisitBase(v, result);
    }
};

template <>
struct Fields<CallToolResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        if (VisitInputRequired(v, result)) return;
        VisitBase(v, result);
        if constexpr (std::decay_t<V>::kWrites) {
            v.Must("content", result.content);
        } else {
            v.May("content", result.content);
        }
        v.May("structuredContent", result.structured_content);
        v.May("isError", result.is_error);
    }
};

template <>
struct Fields<ReadResourceResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        if (VisitInputRequired(v, result)) return;
        VisitBase(v, result);
        v.Must("contents", result.contents);
        v.Flat(result.cache_hint);
    }
};

template <>
struct Fields<GetPromptResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        if (VisitInputRequired(v, result)) return;
        VisitBase(v, result);
        v.Must("messages", result.messages);
        v.May("description", result.description);
    }
};

// A page of a list.
template <class V, class T, class List>
void VisitPage(V&& v, T& result, std::string_view name, List& list) {
    VisitBase(v, result);
    v.Must(name, list);
    v.May("nextCursor", result.next_cursor);
    v.Flat(result.cache_hint);
}

template <>
struct Fields<ListToolsResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        VisitPage(v, result, "tools", result.tools);
    }
};

template <>
struct Fields<ListResourcesResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        VisitPage(v, result, "resources", result.resources);
    }
};

template <>
struct Fields<ListResourceTemplatesResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        VisitPage(v, result, "resourceTemplates", result.resource_templates);
    }
};

template <>
struct Fields<ListPromptsResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        VisitPage(v, result, "prompts", result.prompts);
    }
};

template <>
struct Fields<CompleteResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        VisitBase(v, result);
        v.Must("completion", result.completion);
    }
};

// Only revisions without result types have it.
template <>
struct Fields<InitializeResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        v.May("_meta", result.meta);
        v.Must("protocolVersion", result.protocol_version);
        v.Must("capabilities", result.capabilities);
        v.Must("serverInfo", result.server_info);
        v.May("instructions", result.instructions);
    }
};

// The server tells its name in `_meta`.
template <>
struct Fields<DiscoverResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        Fields<Result>::VisitType(v, result);
        if constexpr (std::decay_t<V>::kWrites) {
            JsonValue meta = result.meta ? *result.meta : JsonValue(JsonValue::object_tag);
            meta[kServerInfoKey] = ToJson(result.server_info);
            v.Must("_meta", meta);
        } else {
            v.May("_meta", result.meta);
            if (result.meta) FieldReader(*result.meta, &v, "_meta").May(kServerInfoKey, result.server_info);
        }
        v.Must("supportedVersions", result.supported_versions);
        v.Must("capabilities", result.capabilities);
        v.May("instructions", result.instructions);
        v.Flat(result.cache_hint);
    }
};

// Answers of clients have no result type.
template <>
struct Fields<ElicitResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        v.May("_meta", result.meta);
        v.Must("action", result.action);
        v.May("content", result.content);
    }
};

template <>
struct Fields<CreateMessageResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        v.May("_meta", result.meta);
        v.Must("role", result.role);
        MessageFields::VisitContent(v, result.content);
        v.Must("model", result.model);
        v.May("stopReason", result.stop_reason);
    }
};

template <>
struct Fields<ListRootsResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        v.May("_meta", result.meta);
        v.Must("roots", result.roots);
    }
};

}  // namespace mcp::detail
