#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <mcp/Export.hpp>

#include <mcp/detail/macros_push.hpp>

namespace mcp {

// One JSON value: null, true or false, a whole number, another number, a string, an array or an object.
//
// A value type: copies are deep, moves are cheap and leave null behind. Whole numbers and others are different types, as
// in the text they come from: `1` is an int, `1.0` a double. Objects keep their members sorted by name. Using the same
// value from several threads at once is fine as long as all of them only read.
//
// What throws, throws `McpError`: `DeserializeFailed` where a value is not of the type that is asked for.
class MCP_API JsonValue {
public:
    using Object = std::map<std::string, JsonValue, std::less<>>;
    using Array = std::vector<JsonValue>;

    enum ObjectTag { object_tag };
    enum ArrayTag { array_tag };

    JsonValue() noexcept : kind_(Kind::kNull), int_(0) {}
    JsonValue(std::nullptr_t) noexcept : JsonValue() {}
    JsonValue(bool value) noexcept : kind_(Kind::kBool), bool_(value) {}
    JsonValue(int value) noexcept : kind_(Kind::kInt), int_(value) {}
    JsonValue(std::int64_t value) noexcept : kind_(Kind::kInt), int_(value) {}
    JsonValue(double value) noexcept : kind_(Kind::kDouble), double_(value) {}
    JsonValue(const std::string& value);
    JsonValue(std::string&& value) noexcept;
    // A null pointer gives null.
    JsonValue(const char* value);
    JsonValue(const char* value, std::size_t length);
    JsonValue(Array value) noexcept;
    JsonValue(Object value);
    JsonValue(ObjectTag);
    JsonValue(ArrayTag) noexcept;

    JsonValue(const JsonValue& other);
    JsonValue(JsonValue&& other) noexcept;
    JsonValue& operator=(const JsonValue& other);
    JsonValue& operator=(JsonValue&& other) noexcept;
    // Does not recurse without bound, however deep the value is.
    ~JsonValue();

    // Reads a JSON text. Throws `McpError(ParseError)` with the line and column of the mistake; text after the value and
    // more than 128 levels of nesting are mistakes. Of members of the same name the last one counts. A whole number
    // beyond 64 bits becomes the nearest double.
    static JsonValue Parse(std::string_view text);
    static JsonValue FromObject(Object value);
    static JsonValue FromArray(Array value) noexcept;

    // The JSON text: on one line, or with `indent` (0 or more) blanks a level, a line for each member and item. Throws
    // `McpError(InvalidParams)`, naming the place, where a string is not UTF-8 or a number not finite, and where the value
    // is nested more deeply than `Parse` reads.
    std::string Dump(int indent = -1) const;

    bool IsNull() const noexcept { return kind_ == Kind::kNull; }
    bool IsBool() const noexcept { return kind_ == Kind::kBool; }
    bool IsInt() const noexcept { return kind_ == Kind::kInt; }
    bool IsDouble() const noexcept { return kind_ == Kind::kDouble; }
    bool IsNumber() const noexcept { return IsInt() || IsDouble(); }
    bool IsString() const noexcept { return kind_ == Kind::kString; }
    bool IsArray() const noexcept { return kind_ == Kind::kArray; }
    bool IsObject() const noexcept { return kind_ == Kind::kObject; }

    // Each throws on a value of another type; a whole number is no double.
    bool GetBool() const;
    std::int64_t GetInt() const;
    double GetDouble() const;
    const std::string& GetString() const;
    const Array& GetArray() const;
    Array& GetArray();
    const Object& GetObject() const;
    Object& GetObject();

    // The number of items, members or bytes of a string; 0 for any other value.
    std::size_t Size() const noexcept;
    // Whether an array or object has none; of other values only null is empty.
    bool Empty() const noexcept;
    // False for what is no object.
    bool Contains(std::string_view key) const;

    // The item; the index is not checked. Throws when this is no array.
    JsonValue& operator[](std::size_t index);
    const JsonValue& operator[](std::size_t index) const;
    // The member, which is added as null where it is absent. Throws when this is no object: null does not become one.
    JsonValue& operator[](std::string_view key);
    // The member. Throws when it is absent.
    const JsonValue& operator[](std::string_view key) const;

    // The member, or null where it is absent or this is no object.
    const JsonValue* Find(std::string_view key) const;
    JsonValue* Find(std::string_view key);
    // The member. Throws when it is absent.
    const JsonValue& At(std::string_view key) const;
    JsonValue& At(std::string_view key);

    // Adds an item. Throws when this is no array.
    void PushBack(JsonValue value);

    // The same type and content; the whole number 1 is not the double 1.0.
    bool operator==(const JsonValue& other) const;
    bool operator!=(const JsonValue& other) const { return !(*this == other); }

    // Over the members of an object. Each throws when this is no object.
    Object::const_iterator begin() const;
    Object::const_iterator end() const;
    Object::iterator begin();
    Object::iterator end();

private:
    enum class Kind : unsigned char { kNull, kBool, kInt, kDouble, kString, kArray, kObject };

    // Both expect that this has nothing to free.
    void CopyFrom(const JsonValue& other);
    void MoveFrom(JsonValue& other) noexcept;
    // Frees what this has, and makes it null.
    void Clear() noexcept;

    // A union of our own rather than `std::variant`: it is smaller, and cheaper for all who include this.
    Kind kind_;
    union {
        bool bool_;
        std::int64_t int_;
        double double_;
        std::string string_;
        Array array_;
        Object* object_;
    };
};

}  // namespace mcp

#include <mcp/detail/macros_pop.hpp>
