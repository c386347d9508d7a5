// Numbers as the client writes them.
#pragma once

#include <mcp/JsonValue.hpp>

#include <optional>
#include <string>

namespace everything {

// The sum of two numbers in decimal digits: exact when both are whole. Nothing when it is too large.
std::optional<std::string> SumOf(const mcp::JsonValue& a, const mcp::JsonValue& b);

}  // namespace everything
