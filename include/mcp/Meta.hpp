#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include <mcp/Capabilities.hpp>
#include <mcp/Implementation.hpp>
#include <mcp/JsonRpc.hpp>
#include <mcp/JsonValue.hpp>
#include <mcp/ProtocolVersion.hpp>

#include <mcp/detail/macros_push.hpp>

namespace mcp {

using ProgressToken = std::variant<std::string, std::int64_t>;

// How severe a log message is, from the least to the most.
enum class LoggingLevel { Debug, Info, Notice, Warning, Error, Critical, Alert, Emergency };

// `_meta` of a request. `extensions` has all members that have no place of their own here.
struct RequestMeta {
    std::optional<ProgressToken> progress_token{};
    std::string protocol_version{kLatestProtocolVersion};
    std::optional<Implementation> client_info{};
    std::optional<ClientCapabilities> client_capabilities{};
    std::optional<LoggingLevel> log_level{};
    std::optional<JsonValue> extensions{};
    std::optional<std::string> traceparent{};
    std::optional<std::string> tracestate{};
    std::optional<std::string> baggage{};
};

// How long, in milliseconds, and by whom ("public" or "private") a result may be kept.
struct CacheHint {
    std::optional<std::int64_t> ttl_ms{};
    std::optional<std::string> cache_scope{};
};

MCP_API JsonValue SerializeProgressToken(const ProgressToken& token);
MCP_API ProgressToken DeserializeProgressToken(const JsonValue& json);
MCP_API JsonValue SerializeLoggingLevel(const LoggingLevel& level);
MCP_API LoggingLevel DeserializeLoggingLevel(const JsonValue& json);
MCP_API JsonValue SerializeCacheHint(const CacheHint& hint);
MCP_API CacheHint DeserializeCacheHint(const JsonValue& json);
MCP_API JsonValue SerializeRequestMeta(const RequestMeta& meta);
MCP_API RequestMeta DeserializeRequestMeta(const JsonValue& json);

}  // namespace mcp

#include <mcp/detail/macros_pop.hpp>
