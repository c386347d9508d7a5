// Bytes as text.
#pragma once

#include <string>

namespace everything {

// The bytes as UTF-8: each sequence in them that is none becomes U+FFFD.
std::string TextFromBytes(const std::string& bytes);

}  // namespace everything
