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
    std::optional<std::string> title{};
    std::vector<Icon> icons{};
    std::optional<std::string> description{};
    std::optional<std::string> website_url{};
};

MCP_API JsonValue SerializeImplementation(const Implementation& implementation);
MCP_API Implementation DeserializeImplementation(const JsonValue& json);

}  // namespace mcp
