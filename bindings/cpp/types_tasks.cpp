// The JSON of tasks.

#include "result_fields.hpp"

namespace mcp {
namespace detail {

struct TaskIdFields {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("taskId", params.task_id);
    }
};

template <>
struct Fields<GetTaskRequestParams> : TaskIdFields {};

template <>
struct Fields<UpdateTaskRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        TaskIdFields::Visit(v, params);
        v.May("result", params.result);
    }
};

template <>
struct Fields<CancelTaskRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        TaskIdFields::Visit(v, params);
        v.May("reason", params.reason);
    }
};

template <>
struct Fields<TaskStatusNotificationParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        TaskIdFields::Visit(v, params);
        v.Must("status", params.status);
    }
};

template <>
struct Fields<CreateTaskResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        v.May("_meta", result.meta);
        TaskIdFields::Visit(v, result);
        v.Must("status", result.status);
        v.Must("createdAt", result.created_at);
        if constexpr (std::decay_t<V>::kWrites) {
            v.Must("resultType", std::string_view("task"));
            // Nothing happened to it yet, and nothing limits its life.
            v.Must("lastUpdatedAt", result.created_at);
            v.Must("ttlMs", JsonValue());
        }
    }
};

template <>
struct Fields<GetTaskResult> {
    template <class V, class T>
    static void Visit(V&& v, T& result) {
        v.May("_meta", result.meta);
        TaskIdFields::Visit(v, result);
        v.Must("status", result.status);
        v.May("result", result.result);
        v.May("inputRequests", result.input_required);
        if constexpr (std::decay_t<V>::kWrites) {
            v.Must("resultType", ResultType::Complete);
            if (result.error_message) v.Nested("error", [&](auto& error) { WriteError(error, *result.error_message); });
        } else if (const JsonValue* error = v.Json().Find("error")) {
            FieldReader(*error, &v, "error").Must("message", result.error_message.emplace());
        }
    }

private:
    template <class V>
    static void WriteError(V& v, const std::string& message) {
        v.Must("code", static_cast<std::int64_t>(McpErrorCode::InternalError));
        v.Must("message", message);
    }
};

}  // namespace detail

MCP_SERIALIZE_BOTH(GetTaskResult)
MCP_SERIALIZE_BOTH(CreateTaskResult)
MCP_SERIALIZE_BOTH(GetTaskRequestParams)
MCP_SERIALIZE_BOTH(UpdateTaskRequestParams)
MCP_SERIALIZE_BOTH(CancelTaskRequestParams)
MCP_SERIALIZE(TaskStatusNotificationParams)

}  // namespace mcp
