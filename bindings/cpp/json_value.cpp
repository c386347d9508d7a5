// `JsonValue`: building it, looking into it, and taking it apart.

#include <mcp/JsonValue.hpp>

#include <new>
#include <utility>

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
void TakeApart(JsonValue& value) {
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
        if (depth >= kRecursionLimit) return TakeApart(child);
        Unlink(child, depth + 1);
        if (child.IsArray()) {
            child.GetArray().clear();
        } else {
            child.GetObject().clear();
        }
    });
}

// Before an array or object is destroyed, so that this does not recurse without bound.
void Flatten(JsonValue& value) noexcept {
    try {
        Unlink(value, 0);
    } catch (...) {
        // No memory for a list: what is left is taken apart by recursion.
    }
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

JsonValue::JsonValue(const std::string& value) : kind_(Kind::kString), string_(value) {}
JsonValue::JsonValue(std::string&& value) noexcept : kind_(Kind::kString), string_(std::move(value)) {}
JsonValue::JsonValue(const char* value) : JsonValue() {
    if (value != nullptr) *this = JsonValue(std::string(value));
}
JsonValue::JsonValue(const char* value, std::size_t length) : kind_(Kind::kString), string_(value, length) {}
JsonValue::JsonValue(Array value) noexcept : kind_(Kind::kArray), array_(std::move(value)) {}
JsonValue::JsonValue(Object value) : kind_(Kind::kObject), object_(new Object(std::move(value))) {}
JsonValue::JsonValue(ObjectTag) : kind_(Kind::kObject), object_(new Object()) {}
JsonValue::JsonValue(ArrayTag) noexcept : kind_(Kind::kArray), array_() {}

JsonValue JsonValue::FromObject(Object value) { return JsonValue(std::move(value)); }
JsonValue JsonValue::FromArray(Array value) noexcept { return JsonValue(std::move(value)); }

JsonValue::JsonValue(const JsonValue& other) : JsonValue() { CopyFrom(other); }

JsonValue::JsonValue(JsonValue&& other) noexcept : JsonValue() { MoveFrom(other); }

JsonValue& JsonValue::operator=(const JsonValue& other) {
    // By way of a copy, because `other` may be a part of this.
    if (this != &other) *this = JsonValue(other);
    return *this;
}

JsonValue& JsonValue::operator=(JsonValue&& other) noexcept {
    // By way of a third value, because `other` may be a part of this.
    if (this != &other) {
        JsonValue taken(std::move(other));
        Clear();
        MoveFrom(taken);
    }
    return *this;
}

JsonValue::~JsonValue() { Clear(); }

void JsonValue::CopyFrom(const JsonValue& other) {
    switch (other.kind_) {
        case Kind::kNull: break;
        case Kind::kBool: bool_ = other.bool_; break;
        case Kind::kInt: int_ = other.int_; break;
        case Kind::kDouble: double_ = other.double_; break;
        case Kind::kString: new (&string_) std::string(other.string_); break;
        case Kind::kArray: new (&array_) Array(other.array_); break;
        case Kind::kObject: object_ = new Object(*other.object_); break;
    }
    // Last, so that a copy that throws leaves null.
    kind_ = other.kind_;
}

void JsonValue::MoveFrom(JsonValue& other) noexcept {
    switch (other.kind_) {
        case Kind::kNull: break;
        case Kind::kBool: bool_ = other.bool_; break;
        case Kind::kInt: int_ = other.int_; break;
        case Kind::kDouble: double_ = other.double_; break;
        case Kind::kString: new (&string_) std::string(std::move(other.string_)); break;
        case Kind::kArray: new (&array_) Array(std::move(other.array_)); break;
        case Kind::kObject: object_ = std::exchange(other.object_, nullptr); break;
    }
    kind_ = other.kind_;
    other.Clear();
}

void JsonValue::Clear() noexcept {
    if (kind_ == Kind::kString) {
        string_.~basic_string();
    } else if (kind_ == Kind::kArray) {
        Flatten(*this);
        array_.~Array();
    } else if (kind_ == Kind::kObject) {
        if (object_ != nullptr) Flatten(*this);
        delete object_;
    }
    kind_ = Kind::kNull;
}

bool JsonValue::GetBool() const {
    if (IsBool()) return bool_;
    ThrowWrongKind("a boolean", *this);
}

std::int64_t JsonValue::GetInt() const {
    if (IsInt()) return int_;
    ThrowWrongKind("a whole number", *this);
}

double JsonValue::GetDouble() const {
    if (IsDouble()) return double_;
    ThrowWrongKind("a number that is not whole", *this);
}

const std::string& JsonValue::GetString() const {
    if (IsString()) return string_;
    ThrowWrongKind("a string", *this);
}

const Array& JsonValue::GetArray() const {
    if (IsArray()) return array_;
    ThrowWrongKind("an array", *this);
}

Array& JsonValue::GetArray() {
    if (IsArray()) return array_;
    ThrowWrongKind("an array", *this);
}

const Object& JsonValue::GetObject() const {
    if (IsObject()) return *object_;
    ThrowWrongKind("an object", *this);
}

Object& JsonValue::GetObject() {
    if (IsObject()) return *object_;
    ThrowWrongKind("an object", *this);
}

std::size_t JsonValue::Size() const noexcept {
    if (IsArray()) return array_.size();
    if (IsObject()) return object_->size();
    return IsString() ? string_.size() : 0;
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
    if (!IsObject()) return nullptr;
    const auto found = object_->find(key);
    return found == object_->end() ? nullptr : &found->second;
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

bool JsonValue::operator==(const JsonValue& other) const {
    if (kind_ != other.kind_) return false;
    switch (kind_) {
        case Kind::kNull: return true;
        case Kind::kBool: return bool_ == other.bool_;
        case Kind::kInt: return int_ == other.int_;
        case Kind::kDouble: return double_ == other.double_;
        case Kind::kString: return string_ == other.string_;
        case Kind::kArray: return array_ == other.array_;
        case Kind::kObject: return *object_ == *other.object_;
    }
    return false;
}

Object::const_iterator JsonValue::begin() const { return GetObject().begin(); }
Object::const_iterator JsonValue::end() const { return GetObject().end(); }
Object::iterator JsonValue::begin() { return GetObject().begin(); }
Object::iterator JsonValue::end() { return GetObject().end(); }

}  // namespace mcp
