#pragma once

// Private parts of tools, and what registrations have in common.

#include <mcp/server/McpServerTool.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace mcp::detail {

struct ToolAccess {
    static const ToolFunction* Function(const McpServerTool& tool) noexcept { return tool.Function(); }
    static const ToolOptions* Options(const McpServerTool& tool) noexcept { return tool.Options(); }
};

// The JSON text of icons.
std::string SerializeIcons(const std::vector<Icon>& icons);

// A time as the C interface takes it; negative ones are none at all.
inline std::uint64_t Milliseconds(std::chrono::milliseconds time) {
    return time.count() < 0 ? 0 : static_cast<std::uint64_t>(time.count());
}

}  // namespace mcp::detail
