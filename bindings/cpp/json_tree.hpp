#pragma once

// A `JsonValue` built from the same calls as JSON text (`JsonText`), one value after the other.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <mcp/McpError.hpp>

namespace mcp::detail {

class JsonTree {
public:
    void BeginObject() { Open(JsonValue::object_tag); }
    void EndObject() noexcept { --depth_; }
    void BeginArray() { Open(JsonValue::array_tag); }
    void EndArray() noexcept { --depth_; }
    void Key(std::string_view key) { key_ = key; }
    void Null() { Place(); }
    void Bool(bool value) { Place() = JsonValue(value); }
    void Int(std::int64_t value) { Place() = JsonValue(value); }
    void Double(double value) { Place() = JsonValue(value); }
    void String(std::string_view text) { Place() = JsonValue(text.data(), text.size()); }
    void Value(const JsonValue& value) { Place() = value; }

    // The value; nothing may be added after it.
    JsonValue Finish() noexcept { return std::move(root_); }

private:
    template <class Tag>
    void Open(Tag tag) {
        if (depth_ == open_.size()) throw McpError(McpErrorCode::InvalidParams, "a JSON value is nested too deeply");
        JsonValue& place = Place();
        place = JsonValue(tag);
        open_[depth_++] = &place;
    }

    // Where the next value belongs; null so far. It is not moved while it is open: what it is in grows only after it ended.
    JsonValue& Place() {
        if (depth_ == 0) return root_;
        JsonValue& parent = *open_[depth_ - 1];
        if (parent.IsArray()) return parent.GetArray().emplace_back();
        JsonValue::Object& object = parent.GetObject();
        // Members are often sorted already.
        if (object.empty() || object.rbegin()->first < key_) {
            return object.emplace_hint(object.end(), std::move(key_), JsonValue())->second;
        }
        // Of members of the same name the last one counts.
        return object[key_] = JsonValue();
    }

    JsonValue root_;
    std::array<JsonValue*, 128> open_;
    std::size_t depth_ = 0;
    std::string key_;
};

}  // namespace mcp::detail
