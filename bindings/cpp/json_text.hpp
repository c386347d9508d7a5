#pragma once

// JSON text from C++ values, through the core's writer.

#include <string>
#include <string_view>

#include <mcp/JsonValue.hpp>

#include "c_api.hpp"

namespace mcp::detail {

// How deeply values may be nested: as deeply as the core reads.
constexpr int kMaxJsonDepth = 128;

// Writes one JSON text. Keys and values come in turn, as in mcp.h.
class JsonText {
public:
    JsonText();

    void BeginObject() noexcept { mcp_json_begin_object(writer_.get()); }
    void EndObject() noexcept { mcp_json_end_object(writer_.get()); }
    void BeginArray() noexcept { mcp_json_begin_array(writer_.get()); }
    void EndArray() noexcept { mcp_json_end_array(writer_.get()); }
    void Key(std::string_view key) noexcept { mcp_json_key(writer_.get(), Str(key)); }
    void Null() noexcept { mcp_json_null(writer_.get()); }
    void Bool(bool value) noexcept { mcp_json_bool(writer_.get(), value); }
    void Int(std::int64_t value) noexcept { mcp_json_int64(writer_.get(), value); }
    void Double(double value) noexcept { mcp_json_double(writer_.get(), value); }
    void String(std::string_view text) noexcept { mcp_json_string(writer_.get(), Str(text)); }

    // Throws `McpError(InvalidParams)` when it is nested too deeply.
    void Value(const JsonValue& value, int depth = 1);
    // `object` with one more member, `key`, in its place; what is no object is taken for an empty one.
    void ValueWith(const JsonValue& object, std::string_view key, const JsonValue& member);

    // The text; nothing may be written after it. Empty when something was wrong: a string that is not UTF-8, a number
    // that is not finite.
    std::string Finish();

private:
    JsonWriterPtr writer_;
};

// The same text with line breaks, each level moved in by `indent` blanks.
std::string IndentJson(std::string_view json, int indent);

}  // namespace mcp::detail
