// Reading the state that a handler gave away with its questions.
#pragma once

#include <mcp/JsonValue.hpp>

#include <optional>
#include <string_view>

namespace mcp {
namespace detail {

// The state as JSON; nothing when it is none. `Params().request_state` is what the handler set, checked by the server, so
// there is nothing to be unwrapped.
std::optional<JsonValue> DecodeRequestStatePayload(std::string_view state);

}  // namespace detail
}  // namespace mcp
