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
    void Null() { Add(nullptr); }
    void Bool(bool value) { Add(value); }
    void Int(std::int64_t value) { Add(value); }
    void Double(double value) { Add(value); }
    void String(std::string_view text) { Add(std::string(text)); }
    void Value(const JsonValue& value) { Add(value); }

    // The value; nothing may be added after it.
    JsonValue Finish() noexcept { return std::move(root_); }

private:
    template <class Tag>
    void Open(Tag tag) {
        if (depth_ == open_.size()) throw McpError(McpErrorCode::InvalidParams, "a JSON value is nested too deeply");
        JsonValue* added = &Add(tag);
        open_[depth_++] = added;
    }

    // Makes a value where the next one belongs. It is not moved while it is open: what it is in grows only after it ended.
    template <class T>
    JsonValue& Add(T&& value) {
        if (depth_ == 0) return root_ = JsonValue(std::forward<T>(value));
        JsonValue& parent = *open_[depth_ - 1];
        if (parent.IsArray()) return parent.GetArray().emplace_back(std::forward<T>(value));
        JsonValue::Object& object = parent.GetObject();
        // Members are often sorted already.
        if (object.empty() || object.rbegin()->first < key_) {
            return object.emplace_hint(object.end(), std::move(key_), std::forward<T>(value))->second;
        }
        // Of members of the same name the last one counts.
        const auto place = object.lower_bound(key_);
        if (place != object.end() && place->first == key_) return place->second = JsonValue(std::forward<T>(value));
        return object.emplace_hint(place, std::move(key_), std::forward<T>(value))->second;
    }

    JsonValue root_;
    std::array<JsonValue*, 128> open_;
    std::size_t depth_ = 0;
    std::string key_;
};

}  // namespace mcp::detail
