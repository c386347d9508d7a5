#pragma once

// Marks what a shared C++ library would export. The C++ classes are compiled into a static library, so it is empty there.

#if defined(MCP_CPP_SHARED) && defined(_WIN32)
#define MCP_EXPORT __declspec(dllexport)
#define MCP_IMPORT __declspec(dllimport)
#elif defined(MCP_CPP_SHARED)
#define MCP_EXPORT __attribute__((visibility("default")))
#define MCP_IMPORT __attribute__((visibility("default")))
#else
#define MCP_EXPORT
#define MCP_IMPORT
#endif

#if defined(MCP_CPP_BUILDING)
#define MCP_API MCP_EXPORT
#else
#define MCP_API MCP_IMPORT
#endif
