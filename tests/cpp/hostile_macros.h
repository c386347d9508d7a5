/* Macros that other libraries' headers leave behind, above all windows.h without NOMINMAX. The headers of this library have
 * to compile after them. */
#ifndef MCP_TESTS_HOSTILE_MACROS_H
#define MCP_TESTS_HOSTILE_MACROS_H

/* The standard library of a host with such macros is included before them, or protects itself. */
#ifdef __cplusplus
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <future>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
#endif

#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define ERROR 0
#define DEBUG 1
#define NO_ERROR 0
#define GetObject GetObjectW
#define SendMessage SendMessageW
#define GetMessage GetMessageW
#define CreateEvent CreateEventW
#define Yield()
#define interface struct
#define small char
#define near
#define far
#define IN
#define OUT
#define OPTIONAL
#define CALLBACK
#define STRICT 1
#define TRUE 1
#define FALSE 0

/* X11 */
#define None 0L
#define Bool int
#define Status int
#define Success 0
#define Always 2

/* sys/sysmacros.h and others */
#define major(x) (x)
#define minor(x) (x)
#define unix 1
#define linux 1
#define check(x) ((void)(x))
#define verify(x) ((void)(x))

/* Qt */
#define signals public
#define slots
#define emit
#define foreach(x, y) for (x : y)

#endif
