// A server with the weather of any place. The weather is made up.
//
//     weather_server                           # on stdio
//     weather_server --http 127.0.0.1:8080     # on HTTP, at http://127.0.0.1:8080/mcp

#include <mcp/server/McpServer.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

#include "../common/run.hpp"
#include "weather.hpp"

using namespace mcp;

namespace {

using ToolContext = RequestContext<CallToolRequestParams>;

struct Request {
    std::string location;
    bool fahrenheit{false};
    int days{1};
};

// The server has checked the arguments against the schema: what is required is there, and of the right type.
Request ReadArguments(const ToolContext& ctx) {
    const JsonValue& arguments = *ctx.Params().arguments;
    Request request;
    request.location = arguments.At("location").GetString();
    if (const auto* units = arguments.Find("units")) {
        request.fahrenheit = units->GetString() == "fahrenheit";
    }
    if (const auto* days = arguments.Find("days")) {
        request.days = static_cast<int>(days->IsInt() ? days->GetInt() : static_cast<std::int64_t>(days->GetDouble()));
    }
    // What the schema can't say. The model reads the text, and can do better.
    if (request.location.find_first_not_of(" \t\n") == std::string::npos) {
        throw McpError(McpErrorCode::InvalidParams, "The location is empty. Give the name of a city.");
    }
    return request;
}

JsonValue ToJson(const weather::Weather& weather, bool fahrenheit) {
    JsonValue json(JsonValue::object_tag);
    json["conditions"] = weather.conditions;
    json["temperature"] = fahrenheit ? weather::ToFahrenheit(weather.temperature) : weather.temperature;
    json["units"] = fahrenheit ? "fahrenheit" : "celsius";
    json["humidity"] = weather.humidity;
    json["wind_kmh"] = weather.wind;
    return json;
}

std::string ToText(const weather::Weather& weather, bool fahrenheit) {
    char text[64];
    const double degrees = fahrenheit ? weather::ToFahrenheit(weather.temperature) : weather.temperature;
    std::snprintf(text, sizeof(text), ", %.1f °%c, wind %d km/h", degrees, fahrenheit ? 'F' : 'C', weather.wind);
    return weather.conditions + text;
}

CallToolResult GetWeather(const ToolContext& ctx) {
    const Request request = ReadArguments(ctx);
    const weather::Weather weather = weather::At(request.location, 0);

    CallToolResult result;
    result.content.push_back(
        TextContent{"text", "The weather in " + request.location + ": " + ToText(weather, request.fahrenheit)});
    result.structured_content = ToJson(weather, request.fahrenheit);
    (*result.structured_content)["location"] = request.location;
    return result;
}

CallToolResult GetForecast(const ToolContext& ctx) {
    const Request request = ReadArguments(ctx);

    std::string text = "The forecast for " + request.location + ":";
    JsonValue days(JsonValue::array_tag);
    for (int day = 1; day <= request.days; ++day) {
        const weather::Weather weather = weather::At(request.location, day);
        JsonValue json = ToJson(weather, request.fahrenheit);
        json["day"] = day;
        days.PushBack(std::move(json));
        text += "\nin " + std::to_string(day) + (day == 1 ? " day: " : " days: ") + ToText(weather, request.fahrenheit);
    }

    CallToolResult result;
    result.content.push_back(TextContent{"text", text});
    result.structured_content = JsonValue(JsonValue::Object{{"location", request.location}, {"days", std::move(days)}});
    return result;
}

void SetUp(McpServer& server, const examples::CommandLine&) {
    ToolOptions current;
    current.title = "Current weather";
    current.description = "The current weather at a place";
    current.read_only_hint = true;
    current.use_structured_content = true;
    current.input_schema = JsonValue::Parse(R"({
        "type": "object",
        "properties": {
            "location": {"type": "string", "description": "Name of a city"},
            "units": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"}
        },
        "required": ["location"]
    })");
    server.RegisterTool("get_weather", current, GetWeather);

    ToolOptions forecast = current;
    forecast.title = "Forecast";
    forecast.description = "The weather of the next days at a place";
    (*forecast.input_schema)["properties"]["days"] =
        JsonValue::Parse(R"({"type": "integer", "minimum": 1, "maximum": 14, "description": "How many days"})");
    forecast.input_schema->At("required").PushBack("days");
    server.RegisterTool("get_forecast", forecast, GetForecast);
}

}  // namespace

int main(int argc, char** argv) { return examples::Run({"weather_server", {}, SetUp}, argc, argv); }
