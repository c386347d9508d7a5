#pragma once

#include <map>
#include <optional>
#include <string>

#include <mcp/JsonValue.hpp>

namespace mcp {

struct ToolsCapability {
    std::optional<bool> list_changed{};
};

struct ResourcesCapability {
    std::optional<bool> subscribe{};
    std::optional<bool> list_changed{};
};

struct PromptsCapability {
    std::optional<bool> list_changed{};
};

struct SamplingCapability {};

struct RootsCapability {
    std::optional<bool> list_changed{};
};

struct ElicitationCapability {
    std::optional<JsonValue> form{};
    std::optional<JsonValue> url{};
};

struct EmptyCapability {};
using LoggingCapability = EmptyCapability;
using TasksCapability = EmptyCapability;
using SubscriptionsCapability = EmptyCapability;
using CompletionsCapability = EmptyCapability;

// What a server can do. Tasks are an extension.
struct ServerCapabilities {
    std::optional<ToolsCapability> tools{};
    std::optional<ResourcesCapability> resources{};
    std::optional<PromptsCapability> prompts{};
    std::optional<LoggingCapability> logging{};
    std::optional<SamplingCapability> sampling{};
    std::optional<RootsCapability> roots{};
    std::optional<ElicitationCapability> elicitation{};
    std::optional<CompletionsCapability> completions{};
    std::optional<SubscriptionsCapability> subscriptions{};
    std::optional<std::map<std::string, JsonValue>> extensions{};
    std::optional<JsonValue> experimental{};
};

// What a client can do.
struct ClientCapabilities {
    std::optional<RootsCapability> roots{};
    std::optional<SamplingCapability> sampling{};
    std::optional<ElicitationCapability> elicitation{};
    std::optional<std::map<std::string, JsonValue>> extensions{};
    std::optional<JsonValue> experimental{};
};

MCP_API JsonValue SerializeToolsCapability(const ToolsCapability& capability);
MCP_API ToolsCapability DeserializeToolsCapability(const JsonValue& json);
MCP_API JsonValue SerializeResourcesCapability(const ResourcesCapability& capability);
MCP_API ResourcesCapability DeserializeResourcesCapability(const JsonValue& json);
MCP_API JsonValue SerializePromptsCapability(const PromptsCapability& capability);
MCP_API PromptsCapability DeserializePromptsCapability(const JsonValue& json);
MCP_API JsonValue SerializeSamplingCapability(const SamplingCapability& capability);
MCP_API SamplingCapability DeserializeSamplingCapability(const JsonValue& json);
MCP_API JsonValue SerializeRootsCapability(const RootsCapability& capability);
MCP_API RootsCapability DeserializeRootsCapability(const JsonValue& json);
MCP_API JsonValue SerializeElicitationCapability(const ElicitationCapability& capability);
MCP_API ElicitationCapability DeserializeElicitationCapability(const JsonValue& json);
MCP_API JsonValue SerializeEmptyCapability(const EmptyCapability& capability);
MCP_API EmptyCapability DeserializeEmptyCapability(const JsonValue& json);
MCP_API JsonValue SerializeServerCapabilities(const ServerCapabilities& capabilities);
MCP_API ServerCapabilities DeserializeServerCapabilities(const JsonValue& json);
MCP_API JsonValue SerializeClientCapabilities(const ClientCapabilities& capabilities);
MCP_API ClientCapabilities DeserializeClientCapabilities(const JsonValue& json);

}  // namespace mcp
