#pragma once

// The whole data model.

#include <mcp/Capabilities.hpp>
#include <mcp/Content.hpp>
#include <mcp/ErrorCodes.hpp>
#include <mcp/Export.hpp>
#include <mcp/Implementation.hpp>
#include <mcp/JsonRpc.hpp>
#include <mcp/McpError.hpp>
#include <mcp/McpTypes.hpp>
#include <mcp/Meta.hpp>
#include <mcp/Methods.hpp>
#include <mcp/ProtocolVersion.hpp>
