#pragma once

// The members of the protocol's types, from tools to questions. Results are in result_fields.hpp.

#include <mcp/McpTypes.hpp>

#include "meta_fields.hpp"

namespace mcp::detail {

template <>
struct Fields<ResourceAnnotations> : AnnotationFields {};

template <>
struct Fields<ToolAnnotations> {
    template <class V, class T>
    static void Visit(V&& v, T& annotations) {
        v.May("title", annotations.title);
        v.May("readOnlyHint", annotations.read_only_hint);
        v.May("idempotentHint", annotations.idempotent_hint);
        v.May("openWorldHint", annotations.open_world_hint);
        v.May("destructiveHint", annotations.destructive_hint);
    }
};

template <>
struct Names<ToolExecutionMode> {
    static constexpr std::array<std::string_view, 3> kNames = {"auto", "manual", "task"};
};

template <>
struct Fields<ToolExecution> {
    template <class V, class T>
    static void Visit(V&& v, T& execution) {
        if constexpr (std::decay_t<V>::kWrites) {
            v.Must("mode", execution.mode);
            // How revision 2025-11-25 tells that a tool can be run as a task.
            if (execution.mode == ToolExecutionMode::Task) v.Must("taskSupport", std::string_view("optional"));
        } else {
            v.May("mode", execution.mode);
        }
        v.May("humanUse", execution.human_use);
    }
};

template <>
struct Fields<Tool> {
    template <class V, class T>
    static void Visit(V&& v, T& tool) {
        v.Must("name", tool.name);
        v.May("title", tool.title);
        v.May("description", tool.description);
        if constexpr (std::decay_t<V>::kWrites) {
            if (tool.input_schema.IsNull()) {
                // The protocol requires one: any object.
                v.Nested("inputSchema", [](auto& schema) { schema.Must("type", std::string_view("object")); });
            } else {
                v.Must("inputSchema", tool.input_schema);
            }
        } else {
            v.Must("inputSchema", tool.input_schema);
        }
        v.May("outputSchema", tool.output_schema);
        v.May("annotations", tool.annotations);
        v.May("icons", tool.icons);
        v.May("_meta", tool.meta);
        v.May("execution", tool.execution);
    }
};

// What resources and templates have in common.
template <class V, class T>
void VisitResource(V&& v, T& resource) {
    v.Must("name", resource.name);
    v.May("title", resource.title);
    v.May("description", resource.description);
    v.May("mimeType", resource.mime_type);
    v.May("icons", resource.icons);
    v.May("annotations", resource.annotations);
    v.May("_meta", resource.meta);
}

template <>
struct Fields<Resource> {
    template <class V, class T>
    static void Visit(V&& v, T& resource) {
        v.Must("uri", resource.uri);
        VisitResource(v, resource);
        v.May("size", resource.size);
    }
};

template <>
struct Fields<ResourceTemplate> {
    template <class V, class T>
    static void Visit(V&& v, T& resource) {
        v.Must("uriTemplate", resource.uri_template);
        VisitResource(v, resource);
    }
};

template <>
struct Fields<PromptArgument> {
    template <class V, class T>
    static void Visit(V&& v, T& argument) {
        v.Must("name", argument.name);
        v.May("description", argument.description);
        v.May("required", argument.required);
        v.May("title", argument.title);
    }
};

template <>
struct Fields<Prompt> {
    template <class V, class T>
    static void Visit(V&& v, T& prompt) {
        v.Must("name", prompt.name);
        v.May("title", prompt.title);
        v.May("description", prompt.description);
        v.May("arguments", prompt.arguments);
        v.May("icons", prompt.icons);
        v.May("_meta", prompt.meta);
    }
};

struct MessageFields {
    template <class V, class T>
    static void Visit(V&& v, T& message) {
        v.Must("role", message.role);
        VisitContent(v, message.content);
    }

    // Clients may send one block or a list of them; of a list, the first block is taken.
    template <class V, class T>
    static void VisitContent(V&& v, T& content) {
        if constexpr (!std::decay_t<V>::kWrites) {
            const JsonValue* json = v.Json().Find("content");
            if (json != nullptr && json->IsArray() && !json->Empty()) return FieldReader((*json)[0], &v, "content").Get(content);
        }
        v.Must("content", content);
    }
};

template <>
struct Fields<PromptMessage> : MessageFields {};
template <>
struct Fields<SamplingMessage> : MessageFields {};

template <>
struct Fields<CreateMessageRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("messages", params.messages);
        v.Must("maxTokens", params.max_tokens);
        v.May("systemPrompt", params.system_prompt);
        v.May("includeContext", params.include_context);
        v.May("temperature", params.temperature);
        if constexpr (std::decay_t<V>::kWrites) {
            WriteShortForms(v, params);
        } else {
            v.May("stopSequences", params.stop_sequences);
            v.May("modelPreferences", params.model_preferences);
        }
        v.May("metadata", params.metadata);
        v.May("tools", params.tools);
        v.May("toolChoice", params.tool_choice);
    }

private:
    template <class V>
    static void WriteShortForms(V& v, const CreateMessageRequestParams& params) {
        if (params.stop_sequences) {
            v.Must("stopSequences", *params.stop_sequences);
        } else if (params.stop_reason) {
            v.Must("stopSequences", std::vector<std::string>{*params.stop_reason});
        }
        if (params.model_preferences) {
            v.Must("modelPreferences", *params.model_preferences);
        } else if (params.model_preference) {
            JsonValue hint(JsonValue::Object{{"name", JsonValue(*params.model_preference)}});
            v.Must("modelPreferences", JsonValue(JsonValue::Object{{"hints", JsonValue(JsonValue::Array{std::move(hint)})}}));
        }
    }
};

template <>
struct Fields<ListRootsRequestParams> : NoFields {};

template <>
struct Fields<ElicitRequestParams> {
    template <class V, class T>
    static void Visit(V&& v, T& params) {
        v.Must("message", params.message);
        if constexpr (std::decay_t<V>::kWrites) {
            v.Must("mode", params.mode);
            if (params.mode == "form" && !params.requested_schema) {
                // The protocol requires a schema of a form: one without fields.
                v.Nested("requestedSchema", [](auto& schema) {
                    schema.Must("type", std::string_view("object"));
                    schema.Nested("properties", [](auto&) {});
                });
            }
        } else {
            v.May("mode", params.mode);
        }
        v.May("requestedSchema", params.requested_schema);
        v.May("url", params.url);
        v.May("elicitationId", params.elicitation_id);
    }
};

template <>
struct Fields<Root> {
    template <class V, class T>
    static void Visit(V&& v, T& root) {
        v.Must("uri", root.uri);
        v.May("name", root.name);
    }
};

}  // namespace mcp::detail
