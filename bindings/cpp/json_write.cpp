// JSON text from values: `JsonValue::Dump` and `JsonText`.

#include <cmath>
#include <new>

#include "json_text.hpp"

namespace mcp {
namespace detail {

JsonText::JsonText() : writer_(mcp_json_writer_new()) {
    if (writer_ == nullptr) throw std::bad_alloc();
}

void JsonText::Value(const JsonValue& value, int depth) {
    if (value.IsString()) return String(value.GetString());
    if (value.IsInt()) return Int(value.GetInt());
    if (value.IsBool()) return Bool(value.GetBool());
    if (value.IsDouble()) return Double(value.GetDouble());
    if (value.IsNull()) return Null();
    if (depth > kMaxJsonDepth) {
        throw McpError(McpErrorCode::InvalidParams, "a JSON value is nested more than 128 levels deep");
    }
    if (value.IsArray()) {
        BeginArray();
        for (const JsonValue& item : value.GetArray()) Value(item, depth + 1);
        return EndArray();
    }
    BeginObject();
    for (const auto& [key, member] : value) {
        Key(key);
        Value(member, depth + 1);
    }
    EndObject();
}

void JsonText::ValueWith(const JsonValue& object, std::string_view key, const JsonValue& member) {
    BeginObject();
    if (object.IsObject()) {
        for (const auto& [other, value] : object) {
            if (other == key) continue;
            Key(other);
            Value(value, 3);
        }
    }
    Key(key);
    Value(member, 3);
    EndObject();
}

std::string JsonText::Finish() { return TakeString(mcp_json_writer_finish(writer_.release())); }

namespace {

class Indenter {
public:
    explicit Indenter(std::size_t indent) : indent_(indent) {}

    std::string Run(std::string_view json) {
        for (std::size_t at = 0; at < json.size(); ++at) at = Step(json, at);
        return std::move(out_);
    }

private:
    // Copies what begins at `at`; returns where it ends.
    std::size_t Step(std::string_view json, std::size_t at) {
        const char c = json[at];
        switch (c) {
            case '"': return CopyString(json, at);
            case '{':
            case '[':
                out_ += c;
                // Empty ones stay together.
                if (json[at + 1] == '}' || json[at + 1] == ']') {
                    out_ += json[at + 1];
                    return at + 1;
                }
                ++depth_;
                NewLine();
                return at;
            case '}':
            case ']':
                --depth_;
                NewLine();
                out_ += c;
                return at;
            case ',':
                out_ += c;
                NewLine();
                return at;
            case ':':
                out_ += ": ";
                return at;
            default: out_ += c; return at;
        }
    }

    std::size_t CopyString(std::string_view json, std::size_t begin) {
        std::size_t end = begin + 1;
        while (json[end] != '"') end += json[end] == '\\' ? 2 : 1;
        out_ += json.substr(begin, end - begin + 1);
        return end;
    }

    void NewLine() {
        out_ += '\n';
        out_.append(depth_ * indent_, ' ');
    }

    std::size_t indent_;
    std::size_t depth_ = 0;
    std::string out_;
};

bool IsWritable(const JsonValue& value) {
    JsonText text;
    text.Value(value);
    return !text.Finish().empty();
}

// Where in a value that can't be written the mistake is, as a path; `path` is that of the value itself.
std::string FindMistake(const JsonValue& value, const std::string& path) {
    if (value.IsArray()) {
        for (std::size_t i = 0; i < value.Size(); ++i) {
            if (!IsWritable(value[i])) return FindMistake(value[i], path + "/" + std::to_string(i));
        }
    }
    if (value.IsObject()) {
        for (const auto& [key, member] : value) {
            if (!IsWritable(key)) return path + ": the name of a member is not valid UTF-8";
            if (!IsWritable(member)) return FindMistake(member, path + "/" + key);
        }
    }
    const char* what = value.IsDouble() ? "the number is not finite" : "the string is not valid UTF-8";
    return (path.empty() ? path : path + ": ") + what;
}

}  // namespace

std::string IndentJson(std::string_view json, int indent) {
    return Indenter(static_cast<std::size_t>(indent)).Run(json);
}

}  // namespace detail

std::string JsonValue::Dump(int indent) const {
    detail::JsonText text;
    text.Value(*this);
    std::string json = text.Finish();
    if (json.empty()) {
        throw McpError(McpErrorCode::InvalidParams, "no JSON for this value: " + detail::FindMistake(*this, ""));
    }
    return indent < 0 ? json : detail::IndentJson(json, indent);
}

}  // namespace mcp
