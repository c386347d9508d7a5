#pragma once

// Macros as platform headers define them. The standard library of those platforms stands them, that of others need not: so it
// comes first.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define ERROR 0
#define DELETE 1
#define IN
#define OUT
#define OPTIONAL
#define TRUE 1
#define FALSE 0
#define VOID void
#define CONST const
#define interface struct
#define small char
#define near
#define far
#define GetObject GetObjectW
#define GetMessage GetMessageW
#define SendMessage SendMessageW
#define CreateFile CreateFileW
#define Yield()
#define NO_ERROR 0
#define DEBUG 1
#define INFO 2
#define STRICT 1
#define unix 1
#define linux 1
