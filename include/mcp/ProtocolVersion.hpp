#pragma once

#include <string_view>

namespace mcp {

inline constexpr std::string_view kLatestProtocolVersion = "2026-07-28";
// The newest revision that opens with a handshake.
inline constexpr std::string_view kLegacyProtocolVersion = "2025-11-25";
// What an HTTP request without a version header is taken for.
inline constexpr std::string_view kDefaultNegotiatedProtocolVersion = "2025-03-26";
inline constexpr std::string_view kJsonRpcVersion = "2.0";

// All revisions that the library speaks, oldest first.
inline constexpr std::string_view kProtocolVersions[] = {"2024-11-05", "2025-03-26", "2025-06-18", kLegacyProtocolVersion,
                                                         kLatestProtocolVersion};

// Whether clients of this revision open no session. An unknown revision is not a modern one.
constexpr bool IsModernProtocolVersion(std::string_view version) noexcept { return version == kLatestProtocolVersion; }

}  // namespace mcp
