#pragma once

#include <functional>
#include <string_view>

#include <mcp/Export.hpp>

#include <mcp/detail/macros_push.hpp>

namespace mcp {

// How much of the library's own log is wanted.
enum class LogLevel : int { Off = 0, Error = 1, Warning = 2, Info = 3, Debug = 4, Trace = 5 };

// Takes a line of the log: its level, the part of the library it comes from, and its text. Called from any thread, several
// at once; what it throws is dropped.
using LogSink = std::function<void(LogLevel level, std::string_view source, std::string_view message)>;

// Sends the library's log, for all servers of the process, to `sink`: lines of `level` and more severe ones. An empty sink
// ends it. The sink before is not called any more when this returns. Must not be called from inside of a sink.
MCP_API void SetLogSink(LogLevel level, LogSink sink);

// The level that the environment variable MCP_LOG_LEVEL names (off, error, warning, info, debug, trace), otherwise `Off`.
MCP_API LogLevel GetLogLevel() noexcept;

}  // namespace mcp

#include <mcp/detail/macros_pop.hpp>
