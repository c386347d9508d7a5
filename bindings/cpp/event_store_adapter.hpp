#pragma once

// A host's store of events, as the C interface asks it.

#include <mcp/http/EventStore.hpp>

#include <memory>

#include "c_api.hpp"

namespace mcp::detail {

void SetEventStore(mcp_http_options_t* c, std::shared_ptr<EventStore> store);

}  // namespace mcp::detail
