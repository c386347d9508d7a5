// The library's log, for the host.

#include <mcp/Log.hpp>

#include <array>
#include <cstdlib>
#include <memory>

#include "c_api.hpp"

namespace mcp {
namespace {

LogLevel FromC(std::int32_t level) noexcept {
    if (level >= MCP_LEVEL_ERROR) return LogLevel::Error;
    if (level >= MCP_LEVEL_WARNING) return LogLevel::Warning;
    return level >= MCP_LEVEL_INFO ? LogLevel::Info : LogLevel::Debug;
}

std::int32_t ToC(LogLevel level) noexcept {
    switch (level) {
        case LogLevel::Error: return MCP_LEVEL_ERROR;
        case LogLevel::Warning: return MCP_LEVEL_WARNING;
        case LogLevel::Info: return MCP_LEVEL_INFO;
        default: return MCP_LEVEL_DEBUG;
    }
}

void Pass(void* user_data, std::int32_t level, mcp_str source, mcp_str message) noexcept {
    try {
        (*static_cast<LogSink*>(user_data))(FromC(level), detail::View(source), detail::View(message));
    } catch (...) {
        // There is nobody to tell: this is where errors are told.
    }
}

void Destroy(void* user_data) noexcept { delete static_cast<LogSink*>(user_data); }

}  // namespace

void SetLogSink(LogLevel level, LogSink sink) {
    if (!sink || level == LogLevel::Off) {
        detail::Check(mcp_set_log_sink(MCP_LEVEL_ERROR, nullptr, nullptr, nullptr));
        return;
    }
    auto owned = std::make_unique<LogSink>(std::move(sink));
    // Takes the sink, also when it fails.
    detail::Check(mcp_set_log_sink(ToC(level), Pass, owned.release(), Destroy));
}

LogLevel GetLogLevel() noexcept {
    static constexpr std::array<std::string_view, 6> names = {"off", "error", "warning", "info", "debug", "trace"};
    const char* wanted = std::getenv("MCP_LOG_LEVEL");
    for (std::size_t i = 0; wanted != nullptr && i < names.size(); ++i) {
        if (names[i] == wanted) return static_cast<LogLevel>(i);
    }
    return LogLevel::Off;
}

}  // namespace mcp
