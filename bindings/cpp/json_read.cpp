// Values from JSON text: `JsonValue::Parse`, on the core's reader.

#include <array>
#include <exception>

#include "c_api.hpp"

namespace mcp {
namespace {

using detail::View;

// Builds a value from what the reader meets. Nothing may be thrown through the reader: what goes wrong is kept, and the
// rest passed over.
class Builder {
public:
    JsonValue Take() {
        if (failure_) std::rethrow_exception(failure_);
        return std::move(root_);
    }

    template <class Make>
    void Add(const Make& make) noexcept {
        Guard([&] { Place() = make(); });
    }

    void Begin(JsonValue::ArrayTag tag) noexcept { Open(JsonValue(tag)); }
    void Begin(JsonValue::ObjectTag tag) noexcept { Open(JsonValue(tag)); }
    void End() noexcept { --depth_; }

    void Key(mcp_str key) noexcept {
        Guard([&] { key_.assign(key.ptr, key.len); });
    }

private:
    template <class Body>
    void Guard(const Body& body) noexcept {
        if (failure_) return;
        try {
            body();
        } catch (...) {
            failure_ = std::current_exception();
        }
    }

    void Open(JsonValue empty) noexcept {
        // The depth counts in any case, so that every end finds its beginning.
        JsonValue*& place = open_[depth_++];
        Guard([&] {
            --depth_;
            JsonValue& target = Place();
            ++depth_;
            target = std::move(empty);
            place = &target;
        });
    }

    // Where the next value belongs. It is not moved while it is open: its parent grows only after it has ended.
    JsonValue& Place() {
        if (depth_ == 0) return root_;
        JsonValue& parent = *open_[depth_ - 1];
        if (parent.IsArray()) return parent.GetArray().emplace_back();
        JsonValue::Object& object = parent.GetObject();
        // Members are often sorted already.
        if (object.empty() || object.rbegin()->first < key_) {
            return object.emplace_hint(object.end(), std::move(key_), JsonValue())->second;
        }
        return object[key_];
    }

    JsonValue root_;
    std::array<JsonValue*, 130> open_{};
    std::size_t depth_ = 0;
    std::string key_;
    std::exception_ptr failure_;
};

Builder& Of(void* user_data) noexcept { return *static_cast<Builder*>(user_data); }

mcp_json_visitor MakeVisitor() noexcept {
    mcp_json_visitor visitor{};
    visitor.size = sizeof visitor;
    visitor.on_null = [](void* data) { Of(data).Add([] { return JsonValue(); }); };
    visitor.on_bool = [](void* data, bool value) { Of(data).Add([=] { return JsonValue(value); }); };
    visitor.on_int64 = [](void* data, std::int64_t value) { Of(data).Add([=] { return JsonValue(value); }); };
    visitor.on_double = [](void* data, double value) { Of(data).Add([=] { return JsonValue(value); }); };
    visitor.on_string = [](void* data, mcp_str value) {
        Of(data).Add([=] { return JsonValue(value.ptr, value.len); });
    };
    visitor.on_begin_array = [](void* data) { Of(data).Begin(JsonValue::array_tag); };
    visitor.on_end_array = [](void* data) { Of(data).End(); };
    visitor.on_begin_object = [](void* data) { Of(data).Begin(JsonValue::object_tag); };
    visitor.on_key = [](void* data, mcp_str key) { Of(data).Key(key); };
    visitor.on_end_object = [](void* data) { Of(data).End(); };
    return visitor;
}

}  // namespace

JsonValue JsonValue::Parse(std::string_view text) {
    static const mcp_json_visitor visitor = MakeVisitor();
    Builder builder;
    detail::Check(mcp_json_visit(detail::Str(text), &visitor, &builder));
    return builder.Take();
}

}  // namespace mcp
