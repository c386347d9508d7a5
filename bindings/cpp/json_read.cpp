// Values from JSON text: `JsonValue::Parse`, on the core's reader.

#include <exception>

#include "c_api.hpp"
#include "json_tree.hpp"

namespace mcp {
namespace {

// What the reader's calls build. Nothing may be thrown through the reader: what goes wrong is kept, and the rest passed
// over.
struct Reading {
    detail::JsonTree tree;
    std::exception_ptr failure;
};

template <class Step>
void Take(void* user_data, const Step& step) noexcept {
    Reading& reading = *static_cast<Reading*>(user_data);
    if (reading.failure) return;
    try {
        step(reading.tree);
    } catch (...) {
        reading.failure = std::current_exception();
    }
}

mcp_json_visitor MakeVisitor() noexcept {
    using Tree = detail::JsonTree;
    using detail::View;
    mcp_json_visitor visitor{};
    visitor.size = sizeof visitor;
    visitor.on_null = [](void* data) { Take(data, [](Tree& tree) { tree.Null(); }); };
    visitor.on_bool = [](void* data, bool value) { Take(data, [=](Tree& tree) { tree.Bool(value); }); };
    visitor.on_int64 = [](void* data, std::int64_t value) { Take(data, [=](Tree& tree) { tree.Int(value); }); };
    visitor.on_double = [](void* data, double value) { Take(data, [=](Tree& tree) { tree.Double(value); }); };
    visitor.on_string = [](void* data, mcp_str value) { Take(data, [=](Tree& tree) { tree.String(View(value)); }); };
    visitor.on_begin_array = [](void* data) { Take(data, [](Tree& tree) { tree.BeginArray(); }); };
    visitor.on_end_array = [](void* data) { Take(data, [](Tree& tree) { tree.EndArray(); }); };
    visitor.on_begin_object = [](void* data) { Take(data, [](Tree& tree) { tree.BeginObject(); }); };
    visitor.on_key = [](void* data, mcp_str key) { Take(data, [=](Tree& tree) { tree.Key(View(key)); }); };
    visitor.on_end_object = [](void* data) { Take(data, [](Tree& tree) { tree.EndObject(); }); };
    return visitor;
}

}  // namespace

JsonValue JsonValue::Parse(std::string_view text) {
    static const mcp_json_visitor visitor = MakeVisitor();
    Reading reading;
    detail::Check(mcp_json_visit(detail::Str(text), &visitor, &reading));
    if (reading.failure) std::rethrow_exception(reading.failure);
    return reading.tree.Finish();
}

}  // namespace mcp
