#pragma once

#include <map>
#include <optional>
#include <string>

#include <mcp/JsonValue.hpp>

namespace mcp {

struct ToolsCapability {
    std::optional<bool> list_changed = std::nullopt;
};

struct ResourcesCapability {
    std::optional<bool> subscribe = std::nullopt;
    std::optional<bool> list_changed = std::nullopt;
};

struct PromptsCapability {
    std::optional<bool> list_changed = std::nullopt;
};

struct SamplingCapability {};

struct RootsCapability {
    std::optional<bool> list_changed = std::nullopt;
};

struct ElicitationCapability {
    std::optional<JsonValue> form = std::nullopt;
    std::optional<JsonValue> url = std::nullopt;
};

struct EmptyCapability {};
using LoggingCapability = EmptyCapability;
using TasksCapability = EmptyCapability;
using SubscriptionsCapability = EmptyCapability;
using CompletionsCapability = EmptyCapability;

// What a server can do. Tasks are an extension.
struct ServerCapabilities {
    std::optional<ToolsCapability> tools = std::nullopt;
    std::optional<ResourcesCapability> resources = std::nullopt;
    std::optional<PromptsCapability> prompts = std::nullopt;
    std::optional<LoggingCapability> logging = std::nullopt;
    std::optional<SamplingCapability> sampling = std::nullopt;
    std::optional<RootsCapability> roots = std::nullopt;
    std::optional<ElicitationCapability> elicitation = std::nullopt;
    std::optional<CompletionsCapability> completions = std::nullopt;
    std::optional<SubscriptionsCapability> subscriptions = std::nullopt;
    std::optional<std::map<std::string, JsonValue>> extensions = std::nullopt;
    std::optional<JsonValue> experimental = std::nullopt;
};

// What a client can do.
struct ClientCapabilities {
    std::optional<RootsCapability> roots = std::nullopt;
    std::optional<SamplingCapability> sampling = std::nullopt;
    std::optional<ElicitationCapability> elicitation = std::nullopt;
    std::optional<std::map<std::string, JsonValue>> extensions = std::nullopt;
    std::optional<JsonValue> experimental = std::nullopt;
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
