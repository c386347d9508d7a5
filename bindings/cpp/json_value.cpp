// `JsonValue`: building it, looking into it, and taking it apart.

#include <mcp/JsonValue.hpp>

#include <mcp/McpError.hpp>

namespace mcp {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

// Below this depth, values are taken apart by recursion, which needs no memory.
constexpr int kRecursionLimit = 160;

bool HoldsValues(const JsonValue& value) noexcept { return (value.IsArray() || value.IsObject()) && value.Size() != 0; }

template <class Visit>
void ForEachChild(JsonValue& value, const Visit& visit) {
    if (value.IsArray()) {
        for (JsonValue& item : value.GetArray()) visit(item);
    } else {
        for (auto& [key, member] : value.GetObject()) visit(member);
    }
}

// Takes a value of any depth apart with a list of its own instead of the stack.
void Flatten(JsonValue& value) {
    Array waiting;
    waiting.push_back(std::move(value));
    while (!waiting.empty()) {
        JsonValue next = std::move(waiting.back());
        waiting.pop_back();
        ForEachChild(next, [&](JsonValue& child) {
            if (HoldsValues(child)) waiting.push_back(std::move(child));
        });
    }
}

// Leaves no grandchildren behind, so that the destructors of the children do not recurse.
void Unlink(JsonValue& value, int depth) {
    ForEachChild(value, [&](JsonValue& child) {
        if (!HoldsValues(child)) return;
        if (depth >= kRecursionLimit) return Flatten(child);
        Unlink(child, depth + 1);
        if (child.IsArray()) {
            child.GetArray().clear();
        } else {
            child.GetObject().clear();
        }
    });
}

const char* KindOf(const JsonValue& value) noexcept {
    if (value.IsNull()) return "null";
    if (value.IsBool()) return "a boolean";
    if (value.IsInt()) return "a whole number";
    if (value.IsDouble()) return "a number that is not whole";
    if (value.IsString()) return "a string";
    return value.IsArray() ? "an array" : "an object";
}

[[noreturn]] void ThrowWrongKind(const char* wanted, const JsonValue& value) {
    throw McpError(McpErrorCode::DeserializeFailed, std::string("a JSON value is ") + KindOf(value) + ", not " + wanted);
}

[[noreturn]] void ThrowAbsent(std::string_view key) {
    throw McpError(McpErrorCode::DeserializeFailed, "a JSON object has no member \"" + std::string(key) + "\"");
}

}  // namespace

JsonValue::JsonValue(const std::string& value) : data_(value) {}
JsonValue::JsonValue(std::string&& value) noexcept : data_(std::move(value)) {}
// A null pointer is taken for the value null rather than read.
JsonValue::JsonValue(const char* value) {
    if (value != nullptr) data_.emplace<std::string>(value);
}
JsonValue::JsonValue(const char* value, std::size_t length) : data_(std::string(value, length)) {}
JsonValue::JsonValue(Array value) noexcept : data_(std::move(value)) {}
JsonValue::JsonValue(Object value) noexcept : data_(std::move(value)) {}
JsonValue::JsonValue(ObjectTag) noexcept : data_(Object()) {}
JsonValue::JsonValue(ArrayTag) noexcept : data_(Array()) {}

JsonValue::JsonValue(const JsonValue& other) = default;

JsonValue::JsonValue(JsonValue&& other) noexcept : data_(std::move(other.data_)) { other.data_ = nullptr; }

JsonValue& JsonValue::operator=(const JsonValue& other) {
    // By way of a copy, because `other` may be a part of this.
    if (this != &other) *this = JsonValue(other);
    return *this;
}

JsonValue& JsonValue::operator=(JsonValue&& other) noexcept {
    // By way of a third value, because `other` may be a part of this.
    if (this != &other) {
        JsonValue taken(std::move(other));
        std::swap(data_, taken.data_);
    }
    return *this;
}

JsonValue::~JsonValue() {
    if (!HoldsValues(*this)) return;
    try {
        Unlink(*this, 0);
    } catch (...) {
        // No memory for a list: what is left is taken apart by recursion.
    }
}

bool JsonValue::GetBool() const {
    if (const auto* value = std::get_if<bool>(&data_)) return *value;
    ThrowWrongKind("a boolean", *this);
}

std::int64_t JsonValue::GetInt() const {
    if (const auto* value = std::get_if<std::int64_t>(&data_)) return *value;
    ThrowWrongKind("a whole number", *this);
}

double JsonValue::GetDouble() const {
    if (const auto* value = std::get_if<double>(&data_)) return *value;
    ThrowWrongKind("a number that is not whole", *this);
}

const std::string& JsonValue::GetString() const {
    if (const auto* value = std::get_if<std::string>(&data_)) return *value;
    ThrowWrongKind("a string", *this);
}

const Array& JsonValue::GetArray() const {
    if (const auto* value = std::get_if<Array>(&data_)) return *value;
    ThrowWrongKind("an array", *this);
}

Array& JsonValue::GetArray() {
    if (auto* value = std::get_if<Array>(&data_)) return *value;
    ThrowWrongKind("an array", *this);
}

const Object& JsonValue::GetObject() const {
    if (const auto* value = std::get_if<Object>(&data_)) return *value;
    ThrowWrongKind("an object", *this);
}

Object& JsonValue::GetObject() {
    if (auto* value = std::get_if<Object>(&data_)) return *value;
    ThrowWrongKind("an object", *this);
}

std::size_t JsonValue::Size() const noexcept {
    if (const auto* array = std::get_if<Array>(&data_)) return array->size();
    if (const auto* object = std::get_if<Object>(&data_)) return object->size();
    if (const auto* text = std::get_if<std::string>(&data_)) return text->size();
    return 0;
}

bool JsonValue::Empty() const noexcept { return IsArray() || IsObject() ? Size() == 0 : IsNull(); }

bool JsonValue::Contains(std::string_view key) const { return Find(key) != nullptr; }

JsonValue& JsonValue::operator[](std::size_t index) { return GetArray()[index]; }
const JsonValue& JsonValue::operator[](std::size_t index) const { return GetArray()[index]; }

JsonValue& JsonValue::operator[](std::string_view key) {
    Object& object = GetObject();
    const auto found = object.lower_bound(key);
    if (found != object.end() && found->first == key) return found->second;
    return object.emplace_hint(found, std::string(key), JsonValue())->second;
}

const JsonValue& JsonValue::operator[](std::string_view key) const { return At(key); }

const JsonValue* JsonValue::Find(std::string_view key) const {
    const auto* object = std::get_if<Object>(&data_);
    if (object == nullptr) return nullptr;
    const auto found = object->find(key);
    return found == object->end() ? nullptr : &found->second;
}

JsonValue* JsonValue::Find(std::string_view key) {
    return const_cast<JsonValue*>(static_cast<const JsonValue*>(this)->Find(key));
}

const JsonValue& JsonValue::At(std::string_view key) const {
    if (const JsonValue* found = Find(key)) return *found;
    if (!IsObject()) ThrowWrongKind("an object", *this);
    ThrowAbsent(key);
}

JsonValue& JsonValue::At(std::string_view key) {
    return const_cast<JsonValue&>(static_cast<const JsonValue*>(this)->At(key));
}

void JsonValue::PushBack(JsonValue value) { GetArray().push_back(std::move(value)); }

bool JsonValue::operator==(const JsonValue& other) const { return data_ == other.data_; }

Object::const_iterator JsonValue::begin() const { return GetObject().begin(); }
Object::const_iterator JsonValue::end() const { return GetObject().end(); }
Object::iterator JsonValue::begin() { return GetObject().begin(); }
Object::iterator JsonValue::end() { return GetObject().end(); }

}  // namespace mcp
