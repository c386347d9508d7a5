#pragma once

// The members of the protocol's types, each described once and used in both directions.
//
// `Fields<T>::Visit(visitor, value)` names the members of T on the wire; the visitor writes or reads them. A member that
// must be there is given to `Must`, one that may be absent to `May`; `Flat` takes a part whose members belong to the object
// itself, `Nested` an object that has no type of its own.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <mcp/McpError.hpp>

#include "json_text.hpp"
#include "json_tree.hpp"

namespace mcp::detail {

template <class T>
struct Fields;

// The names of an enumeration's values on the wire, in their order: `static constexpr std::array kNames`.
template <class T>
struct Names;

// Writes to `Sink`: `JsonText` or `JsonTree`.
template <class Sink>
class FieldWriter {
public:
    static constexpr bool kWrites = true;

    explicit FieldWriter(Sink& sink) : sink_(sink) {}

    template <class T>
    void Must(std::string_view name, const T& member) {
        sink_.Key(name);
        Put(member);
    }

    template <class T>
    void May(std::string_view name, const std::optional<T>& member) {
        if (member) Must(name, *member);
    }

    template <class T>
    void May(std::string_view name, const std::vector<T>& member) {
        if (!member.empty()) Must(name, member);
    }

    void May(std::string_view name, const bool& member) {
        if (member) Must(name, member);
    }

    template <class T>
    void Flat(const T& part) {
        Fields<T>::Visit(*this, part);
    }

    template <class T>
    void Flat(const std::optional<T>& part) {
        if (part) Flat(*part);
    }

    template <class Body>
    void Nested(std::string_view name, const Body& body) {
        sink_.Key(name);
        sink_.BeginObject();
        body(*this);
        sink_.EndObject();
    }

    void Put(const std::string& value) { sink_.String(value); }
    void Put(std::string_view value) { sink_.String(value); }
    void Put(bool value) { sink_.Bool(value); }
    void Put(std::int64_t value) { sink_.Int(value); }
    void Put(double value) { sink_.Double(value); }
    void Put(const JsonValue& value) { sink_.Value(value); }

    template <class T>
    void Put(const std::vector<T>& list) {
        sink_.BeginArray();
        for (const T& item : list) Put(item);
        sink_.EndArray();
    }

    template <class T, class Less>
    void Put(const std::map<std::string, T, Less>& map) {
        sink_.BeginObject();
        for (const auto& [key, member] : map) Must(key, member);
        sink_.EndObject();
    }

    template <class... T>
    void Put(const std::variant<T...>& value) {
        std::visit([this](const auto& alternative) { this->Put(alternative); }, value);
    }

    template <class T>
    void Put(const T& value) {
        if constexpr (std::is_enum_v<T>) {
            Put(Names<T>::kNames.at(static_cast<std::size_t>(value)));
        } else {
            sink_.BeginObject();
            Flat(value);
            sink_.EndObject();
        }
    }

private:
    Sink& sink_;
};

// Reads from a `JsonValue`. What is missing or of a wrong type throws `McpError(DeserializeFailed)` that names its place.
class FieldReader {
public:
    static constexpr bool kWrites = false;

    // `parent` and `name` tell where the value is.
    explicit FieldReader(const JsonValue& json, const FieldReader* parent = nullptr, std::string_view name = {})
        : json_(json), parent_(parent), name_(name) {}

    const JsonValue& Json() const { return json_; }

    template <class T>
    void Must(std::string_view name, T& member) const {
        const JsonValue* found = json_.Find(name);
        if (found == nullptr) FieldReader(json_, this, name).Fail("is missing");
        FieldReader(*found, this, name).Get(member);
    }

    template <class T>
    void May(std::string_view name, std::optional<T>& member) const {
        if (const JsonValue* found = Present(name)) FieldReader(*found, this, name).Get(member.emplace());
    }

    template <class T>
    void May(std::string_view name, T& member) const {
        if (const JsonValue* found = Present(name)) FieldReader(*found, this, name).Get(member);
    }

    template <class T>
    void Flat(T& part) const {
        Fields<T>::Visit(*this, part);
    }

    // There when one of its members is.
    template <class T>
    void Flat(std::optional<T>& part) const {
        if (Fields<T>::IsIn(json_)) Flat(part.emplace());
    }

    template <class Body>
    void Nested(std::string_view name, const Body& body) const {
        const JsonValue* found = json_.Find(name);
        if (found == nullptr || !found->IsObject()) FieldReader(json_, this, name).Fail("must be an object");
        body(FieldReader(*found, this, name));
    }

    void Get(std::string& value) const {
        if (!json_.IsString()) Fail("must be a string");
        value = json_.GetString();
    }

    void Get(bool& value) const {
        if (!json_.IsBool()) Fail("must be true or false");
        value = json_.GetBool();
    }

    void Get(std::int64_t& value) const {
        if (!json_.IsInt()) Fail("must be a whole number");
        value = json_.GetInt();
    }

    void Get(double& value) const {
        if (!json_.IsNumber()) Fail("must be a number");
        value = json_.IsInt() ? static_cast<double>(json_.GetInt()) : json_.GetDouble();
    }

    void Get(JsonValue& value) const { value = json_; }

    template <class T>
    void Get(std::vector<T>& list) const {
        if (!json_.IsArray()) Fail("must be an array");
        list.clear();
        for (std::size_t i = 0; i < json_.Size(); ++i) {
            FieldReader(json_[i], this, std::to_string(i)).Get(list.emplace_back());
        }
    }

    template <class T, class Less>
    void Get(std::map<std::string, T, Less>& map) const {
        RequireObject();
        map.clear();
        for (const auto& [key, member] : json_) FieldReader(member, this, key).Get(map[key]);
    }

    // A name or a number: tokens and ids.
    void Get(std::variant<std::string, std::int64_t>& value) const { GetNameOrNumber(value); }
    void Get(std::variant<std::int64_t, std::string>& value) const { GetNameOrNumber(value); }

    // A choice of several types is read by `Fields`.
    template <class... T>
    void Get(std::variant<T...>& value) const {
        RequireObject();
        Fields<std::variant<T...>>::Read(*this, value);
    }

    template <class T>
    void Get(T& value) const {
        if constexpr (std::is_enum_v<T>) {
            for (std::size_t i = 0; i < Names<T>::kNames.size(); ++i) {
                if (json_.IsString() && json_.GetString() == Names<T>::kNames[i]) return void(value = static_cast<T>(i));
            }
            Fail("is none of the known names");
        } else {
            RequireObject();
            Flat(value);
        }
    }

    [[noreturn]] void Fail(const char* what) const {
        const std::string path = Path();
        throw McpError(McpErrorCode::DeserializeFailed, (path.empty() ? "the value" : path) + " " + what);
    }

private:
    // Null counts as absent.
    const JsonValue* Present(std::string_view name) const {
        const JsonValue* found = json_.Find(name);
        return found == nullptr || found->IsNull() ? nullptr : found;
    }

    void RequireObject() const {
        if (!json_.IsObject()) Fail("must be an object");
    }

    template <class T>
    void GetNameOrNumber(T& value) const {
        if (json_.IsString()) {
            value = json_.GetString();
        } else if (json_.IsInt()) {
            value = json_.GetInt();
        } else {
            Fail("must be a string or a whole number");
        }
    }

    std::string Path() const {
        if (parent_ == nullptr) return std::string(name_);
        const std::string path = parent_->Path();
        return path.empty() ? std::string(name_) : path + "." + std::string(name_);
    }

    const JsonValue& json_;
    const FieldReader* parent_;
    std::string_view name_;
};

template <class T>
JsonValue ToJson(const T& value) {
    JsonTree tree;
    FieldWriter<JsonTree>(tree).Put(value);
    return tree.Finish();
}

template <class T>
T FromJson(const JsonValue& json) {
    T value{};
    FieldReader(json).Get(value);
    return value;
}

// The JSON text of a value, without a `JsonValue` in between. Throws `McpError(InvalidParams)` where it has none.
template <class T>
std::string ToText(const T& value) {
    JsonText text;
    FieldWriter<JsonText>(text).Put(value);
    std::string json = text.Finish();
    // The mistake is found and told by the way that is slower.
    return json.empty() ? ToJson(value).Dump() : json;
}

}  // namespace mcp::detail

// The two functions of a type, as the headers declare them.
#define MCP_SERIALIZE(Type) \
    JsonValue Serialize##Type(const Type& value) { return detail::ToJson(value); }
#define MCP_DESERIALIZE(Type) \
    Type Deserialize##Type(const JsonValue& json) { return detail::FromJson<Type>(json); }
#define MCP_SERIALIZE_BOTH(Type) MCP_SERIALIZE(Type) MCP_DESERIALIZE(Type)
