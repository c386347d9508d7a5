#pragma once

// The members of `_meta` of requests, and of cache hints.

#include <mcp/Meta.hpp>

#include "capability_fields.hpp"
#include "content_fields.hpp"

namespace mcp::detail {

template <>
struct Names<LoggingLevel> {
    static constexpr std::array<std::string_view, 8> kNames = {"debug", "info",     "notice", "warning",
                                                               "error", "critical", "alert",  "emergency"};
};

template <>
struct Fields<CacheHint> {
    template <class V, class T>
    static void Visit(V&& v, T& hint) {
        v.May("ttlMs", hint.ttl_ms);
        v.May("cacheScope", hint.cache_scope);
    }

    static bool IsIn(const JsonValue& json) { return json.Contains("ttlMs") || json.Contains("cacheScope"); }
};

template <>
struct Fields<RequestMeta> {
    template <class V, class T>
    static void Visit(V&& v, T& meta) {
        v.May(kNames[0], meta.progress_token);
        if constexpr (std::decay_t<V>::kWrites) {
            v.Must(kNames[1], meta.protocol_version);
        } else {
            v.May(kNames[1], meta.protocol_version);
        }
        v.May(kNames[2], meta.client_info);
        v.May(kNames[3], meta.client_capabilities);
        v.May(kNames[4], meta.log_level);
        v.May(kNames[5], meta.traceparent);
        v.May(kNames[6], meta.tracestate);
        v.May(kNames[7], meta.baggage);
        if constexpr (std::decay_t<V>::kWrites) {
            if (meta.extensions) ForOthers(*meta.extensions, [&](const auto& key, const auto& value) { v.Must(key, value); });
        } else {
            JsonValue others(JsonValue::object_tag);
            ForOthers(v.Json(), [&](const auto& key, const auto& value) { others[key] = value; });
            if (!others.Empty()) meta.extensions = std::move(others);
        }
    }

private:
    static constexpr std::array<std::string_view, 8> kNames = {"progressToken",
                                                               "io.modelcontextprotocol/protocolVersion",
                                                               "io.modelcontextprotocol/clientInfo",
                                                               "io.modelcontextprotocol/clientCapabilities",
                                                               "io.modelcontextprotocol/logLevel",
                                                               "traceparent",
                                                               "tracestate",
                                                               "baggage"};

    template <class Take>
    static void ForOthers(const JsonValue& json, const Take& take) {
        if (!json.IsObject()) return;
        for (const auto& [key, value] : json) {
            bool known = false;
            for (const std::string_view name : kNames) known = known || name == key;
            if (!known) take(key, value);
        }
    }
};

}  // namespace mcp::detail
