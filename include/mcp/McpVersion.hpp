#pragma once

#include <string_view>

namespace mcp {

// The version of this library.
inline constexpr std::string_view kSdkVersion = "0.1.0";

}  // namespace mcp
