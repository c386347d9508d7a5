#pragma once

// Writing a file so that a crash leaves what was there before, or what is there after.

#include <filesystem>
#include <string_view>

namespace mcp::detail {

// Replaces a file as a whole. It is on the disk when this returns. Throws `McpError`; then the file is as it was.
void ReplaceFile(const std::filesystem::path& path, std::string_view content);

}  // namespace mcp::detail
