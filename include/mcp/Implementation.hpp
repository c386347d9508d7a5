#pragma once

#include <optional>
#include <string>
#include <vector>

#include <mcp/Content.hpp>

namespace mcp {

// Who a server or client is.
struct Implementation {
    std::string name{};
    std::string version{};
    std::optional<std::string> title = std::nullopt;
    std::vector<Icon> icons = {};
    std::optional<std::string> description = std::nullopt;
    std::optional<std::string> website_url = std::nullopt;
};

MCP_API JsonValue SerializeImplementation(const Implementation& implementation);
MCP_API Implementation DeserializeImplementation(const JsonValue& json);

}  // namespace mcp
