// Child processes that use the standard streams.
#pragma once

#include <cstddef>
#include <string>

namespace everything {

// How many bytes a child reads from standard input. Throws `std::runtime_error`.
std::size_t ChildRead();

// Has a child print the text on standard output. Throws `std::runtime_error`.
void ChildEcho(std::string text);

}  // namespace everything
