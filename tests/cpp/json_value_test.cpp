#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <mcp/JsonValue.hpp>
#include <mcp/McpError.hpp>

using mcp::JsonValue;
using mcp::McpError;
using mcp::McpErrorCode;

namespace {

template <class Body>
McpError ErrorOf(const Body& body) {
    try {
        body();
    } catch (const McpError& error) {
        return error;
    }
    FAIL("nothing was thrown");
    return McpError(McpErrorCode::InternalError, "");
}

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

JsonValue Nested(int depth) {
    JsonValue value(JsonValue::array_tag);
    for (int i = 1; i < depth; ++i) {
        JsonValue outer(JsonValue::array_tag);
        outer.PushBack(std::move(value));
        value = std::move(outer);
    }
    return value;
}

}  // namespace

TEST_CASE("a value knows its type") {
    CHECK(JsonValue().IsNull());
    CHECK(JsonValue(nullptr).IsNull());
    CHECK(JsonValue(true).IsBool());
    CHECK(JsonValue(7).IsInt());
    CHECK(JsonValue(std::int64_t{7}).IsInt());
    CHECK(JsonValue(7.0).IsDouble());
    CHECK(JsonValue("text").IsString());
    CHECK(JsonValue(std::string("text")).IsString());
    CHECK(JsonValue(JsonValue::array_tag).IsArray());
    CHECK(JsonValue(JsonValue::object_tag).IsObject());
    CHECK(JsonValue(7).IsNumber());
    CHECK(JsonValue(7.0).IsNumber());
    CHECK_FALSE(JsonValue("7").IsNumber());
    CHECK_FALSE(JsonValue(true).IsInt());
}

TEST_CASE("an array of one value stays an array, nested objects keep their members") {
    const JsonValue list(JsonValue::Array{JsonValue("state")});
    REQUIRE(list.IsArray());
    CHECK(list.Size() == 1);

    const JsonValue schema(JsonValue::Object{
        {"type", JsonValue("object")},
        {"properties", JsonValue(JsonValue::Object{{"a", JsonValue(JsonValue::Object{{"type", JsonValue("string")}})}})},
        {"required", JsonValue(JsonValue::Array{JsonValue("a")})}});
    CHECK(schema.Dump() == R"({"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"})");
}

TEST_CASE("members are added by name, items at the end") {
    JsonValue object(JsonValue::object_tag);
    const std::string name = "b";
    object["a"] = JsonValue("text");
    object[name] = JsonValue(true);
    object["list"] = JsonValue(JsonValue::array_tag);
    object["list"].PushBack(JsonValue(1));
    object["list"].PushBack(JsonValue(2.5));
    CHECK(object.Dump() == R"({"a":"text","b":true,"list":[1,2.5]})");
    CHECK(object["list"][0].GetInt() == 1);
    CHECK(object["absent"].IsNull());
    CHECK(object.Size() == 4);
}

TEST_CASE("members are looked up without a copy of the name") {
    const JsonValue object = JsonValue::Parse(R"({"a": {"b": [10, 20]}, "n": null})");
    CHECK(object["a"]["b"][1].GetInt() == 20);
    CHECK(object.Contains("n"));
    CHECK_FALSE(object.Contains("x"));
    CHECK(object.Find("x") == nullptr);
    REQUIRE(object.Find("a") != nullptr);
    CHECK(object.Find("a")->IsObject());
    CHECK(object.At("n").IsNull());
    CHECK(JsonValue(1).Find("a") == nullptr);
    CHECK_FALSE(JsonValue(1).Contains("a"));
    std::string names;
    for (const auto& [key, value] : object) names += key;
    CHECK(names == "an");
}

TEST_CASE("using a value as another type throws DeserializeFailed") {
    const JsonValue one(1);
    JsonValue null;
    CHECK(ErrorOf([&] { one.GetString(); }).Code() == McpErrorCode::DeserializeFailed);
    CHECK(ErrorOf([&] { one.GetDouble(); }).Code() == McpErrorCode::DeserializeFailed);
    CHECK(ErrorOf([&] { JsonValue(1.0).GetInt(); }).Code() == McpErrorCode::DeserializeFailed);
    CHECK(ErrorOf([&] { one.GetBool(); }).Code() == McpErrorCode::DeserializeFailed);
    CHECK(ErrorOf([&] { one.GetArray(); }).Code() == McpErrorCode::DeserializeFailed);
    CHECK(ErrorOf([&] { one.GetObject(); }).Code() == McpErrorCode::DeserializeFailed);
    CHECK(ErrorOf([&] { one.begin(); }).Code() == McpErrorCode::DeserializeFailed);
    CHECK(ErrorOf([&] { null["a"] = JsonValue(1); }).Code() == McpErrorCode::DeserializeFailed);
    CHECK(ErrorOf([&] { null.PushBack(JsonValue(1)); }).Code() == McpErrorCode::DeserializeFailed);
    CHECK(ErrorOf([&] { one[std::size_t{0}]; }).Code() == McpErrorCode::DeserializeFailed);
    const JsonValue object(JsonValue::object_tag);
    CHECK(Contains(ErrorOf([&] { object["speed"]; }).what(), "\"speed\""));
    CHECK(Contains(ErrorOf([&] { object.At("speed"); }).what(), "\"speed\""));
    CHECK(Contains(ErrorOf([&] { one.GetString(); }).what(), "whole number"));
}

TEST_CASE("size and emptiness are those of containers; of other values only null is empty") {
    CHECK(JsonValue().Empty());
    CHECK(JsonValue(JsonValue::array_tag).Empty());
    CHECK(JsonValue(JsonValue::object_tag).Empty());
    CHECK_FALSE(JsonValue("").Empty());
    CHECK_FALSE(JsonValue(0).Empty());
    CHECK(JsonValue("four").Size() == 4);
    CHECK(JsonValue(4).Size() == 0);
}

TEST_CASE("values are equal when type and content are") {
    CHECK(JsonValue(1) == JsonValue(std::int64_t{1}));
    CHECK(JsonValue(1) != JsonValue(1.0));
    CHECK(JsonValue() == JsonValue(nullptr));
    CHECK(JsonValue::Parse(R"({"a":[1,{}],"b":"x"})") == JsonValue::Parse(R"({"b":"x","a":[1,{}]})"));
    CHECK(JsonValue::Parse("[1,2]") != JsonValue::Parse("[2,1]"));
}

TEST_CASE("copies are deep, what was moved from is null") {
    JsonValue original = JsonValue::Parse(R"({"a":[1]})");
    JsonValue copy = original;
    copy["a"].PushBack(JsonValue(2));
    CHECK(original.Dump() == R"({"a":[1]})");
    const JsonValue moved = std::move(copy);
    CHECK(moved.Dump() == R"({"a":[1,2]})");
    CHECK(copy.IsNull());  // NOLINT: this is what is tested
}

TEST_CASE("a value may be replaced by a part of itself") {
    JsonValue value = JsonValue::Parse(R"({"a":{"b":[1]}})");
    value = value["a"];
    CHECK(value.Dump() == R"({"b":[1]})");
    value = std::move(value["b"]);
    CHECK(value.Dump() == "[1]");
    JsonValue& same = value;
    value = same;
    CHECK(value.Dump() == "[1]");
}

TEST_CASE("parse errors have the line and column") {
    const McpError member = ErrorOf([] { JsonValue::Parse("{\n  \"a\": }"); });
    CHECK(member.Code() == McpErrorCode::ParseError);
    CHECK(Contains(member.what(), "line 2 column 8"));
    CHECK(Contains(ErrorOf([] { JsonValue::Parse("[1, 2"); }).what(), "line 1"));
    CHECK(Contains(ErrorOf([] { JsonValue::Parse("1 2"); }).what(), "line 1 column 3"));
    for (const char* bad : {"", " ", "{", "[1,]", "{\"a\":1,}", "nul", "01", "1.", "+1", "'a'", "\"\\x\"", "\"\t\"", "[1]]",
                            "{1:2}", "NaN", "Infinity", "// no\n1", "\"\\ud800\"", "1e999", "\xEF\xBB\xBF" "1"}) {
        CAPTURE(bad);
        CHECK(ErrorOf([&] { JsonValue::Parse(bad); }).Code() == McpErrorCode::ParseError);
    }
}

TEST_CASE("a text that is not UTF-8 is no JSON") {
    CHECK(ErrorOf([] { JsonValue::Parse("\"\xff\""); }).Code() == McpErrorCode::ParseError);
    CHECK(ErrorOf([] { JsonValue::Parse("\"\xc3\""); }).Code() == McpErrorCode::ParseError);
    CHECK(ErrorOf([] { JsonValue::Parse("\"\xed\xa0\x80\""); }).Code() == McpErrorCode::ParseError);
}

TEST_CASE("whole numbers are exact up to their limits, beyond they are the nearest double") {
    const std::int64_t low = std::numeric_limits<std::int64_t>::min();
    const std::int64_t high = std::numeric_limits<std::int64_t>::max();
    CHECK(JsonValue::Parse("-9223372036854775808").GetInt() == low);
    CHECK(JsonValue::Parse("9223372036854775807").GetInt() == high);
    CHECK(JsonValue(low).Dump() == "-9223372036854775808");
    CHECK(JsonValue(high).Dump() == "9223372036854775807");
    CHECK(JsonValue::Parse("9223372036854775808").GetDouble() == 9223372036854775808.0);
    CHECK(JsonValue::Parse("-9223372036854775809").GetDouble() == -9223372036854775808.0);
    CHECK(JsonValue::Parse("18446744073709551616").IsDouble());
    CHECK(JsonValue::Parse("-0").IsNumber());
}

TEST_CASE("doubles are written in the shortest form that reads back as the same") {
    CHECK(JsonValue(0.1).Dump() == "0.1");
    CHECK(JsonValue(1.0).Dump() == "1.0");
    CHECK(JsonValue(-2.5e-7).Dump() == JsonValue::Parse(JsonValue(-2.5e-7).Dump()).Dump());
    CHECK(JsonValue::Parse("1.0").IsDouble());
    CHECK(JsonValue::Parse("1").IsInt());
    CHECK(JsonValue::Parse("1e2").IsDouble());
    for (const double number : {0.1 + 0.2, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.125, -1e21}) {
        CAPTURE(number);
        CHECK(JsonValue::Parse(JsonValue(number).Dump()).GetDouble() == number);
    }
}

TEST_CASE("numbers that JSON does not know are refused, with their place") {
    JsonValue value = JsonValue::Parse(R"({"a":[1,2]})");
    value["a"].PushBack(JsonValue(std::nan("")));
    const McpError error = ErrorOf([&] { value.Dump(); });
    CHECK(error.Code() == McpErrorCode::InvalidParams);
    CHECK(Contains(error.what(), "/a/2"));
    CHECK_THROWS_AS(JsonValue(std::numeric_limits<double>::infinity()).Dump(), McpError);
}

TEST_CASE("strings that are not UTF-8 are refused, with their place") {
    JsonValue value(JsonValue::object_tag);
    value["name"] = JsonValue("caf\xe9");
    const McpError error = ErrorOf([&] { value.Dump(); });
    CHECK(error.Code() == McpErrorCode::InvalidParams);
    CHECK(Contains(error.what(), "/name"));
    JsonValue key(JsonValue::object_tag);
    key["\xff"] = JsonValue(1);
    CHECK_THROWS_AS(key.Dump(), McpError);
}

TEST_CASE("strings are escaped where they must be and come back as they were") {
    const std::string text = "quote \" backslash \\ slash / newline \n tab \t bell \x07 del \x7f ä € 😀";
    const JsonValue value(text);
    CHECK(JsonValue::Parse(value.Dump()).GetString() == text);
    CHECK(value.Dump().find('\n') == std::string::npos);
    CHECK(JsonValue::Parse(R"("\u00e4\ud83d\ude00\/\b\f\n\r\t\\\"")").GetString() == "ä😀/\b\f\n\r\t\\\"");
}

TEST_CASE("strings and names may contain NUL") {
    const std::string text("a\0b", 3);
    CHECK(JsonValue("a\0b", 3).GetString() == text);
    CHECK(JsonValue(text).Dump() == "\"a\\u0000b\"");
    CHECK(JsonValue::Parse("\"a\\u0000b\"").GetString() == text);
    JsonValue object(JsonValue::object_tag);
    object[text] = JsonValue(1);
    CHECK(JsonValue::Parse(object.Dump()) == object);
}

TEST_CASE("of members of the same name the last one counts") {
    CHECK(JsonValue::Parse(R"({"a":1,"b":2,"a":3})").Dump() == R"({"a":3,"b":2})");
    CHECK(JsonValue::Parse(R"({"a":[1],"a":[2]})").Dump() == R"({"a":[2]})");
    CHECK(JsonValue::Parse(R"({"a":{"x":1},"a":{"y":1}})").Dump() == R"({"a":{"y":1}})");
}

TEST_CASE("text can be indented") {
    const JsonValue value = JsonValue::Parse(R"({"a":[1,{"b":[]}],"c":{},"d":"x, {y}: \"z\" \\"})");
    CHECK(value.Dump(2) == R"({
  "a": [
    1,
    {
      "b": []
    }
  ],
  "c": {},
  "d": "x, {y}: \"z\" \\"
})");
    CHECK(JsonValue::Parse("[1]").Dump(0) == "[\n1\n]");
    CHECK(JsonValue(1).Dump(4) == "1");
    CHECK(JsonValue::Parse(value.Dump(4)) == value);
    CHECK(value.Dump(-1) == value.Dump());
}

TEST_CASE("128 levels can be read and written, one more can not") {
    const std::string most = std::string(128, '[') + std::string(128, ']');
    CHECK(JsonValue::Parse(most).Dump() == most);
    CHECK(Nested(128).Dump() == most);
    CHECK(ErrorOf([&] { JsonValue::Parse("[" + most + "]"); }).Code() == McpErrorCode::ParseError);
    CHECK(ErrorOf([&] { Nested(129).Dump(); }).Code() == McpErrorCode::InvalidParams);
    CHECK(ErrorOf([&] { Nested(100000).Dump(); }).Code() == McpErrorCode::InvalidParams);
}

TEST_CASE("a value of any depth can be destroyed, assigned and moved") {
    JsonValue deep = Nested(1000000);
    JsonValue other = std::move(deep);
    other = JsonValue(1);
    JsonValue object(JsonValue::object_tag);
    for (int i = 0; i < 300000; ++i) {
        JsonValue outer(JsonValue::object_tag);
        outer["child"] = std::move(object);
        outer["sibling"] = JsonValue(JsonValue::Array{JsonValue(JsonValue::array_tag), JsonValue(i)});
        object = std::move(outer);
    }
    CHECK(object.Size() == 2);
}

TEST_CASE("FromObject and FromArray take what they are given") {
    CHECK(JsonValue::FromObject({{"a", JsonValue(1)}}).Dump() == R"({"a":1})");
    CHECK(JsonValue::FromArray({JsonValue(1), JsonValue("b")}).Dump() == R"([1,"b"])");
}
