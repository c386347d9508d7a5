#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#include <mcp/Log.hpp>
#include <mcp/McpCore.hpp>
#include <mcp/McpVersion.hpp>

using namespace mcp;

namespace {

std::string ErrorText(void (*body)()) {
    try {
        body();
    } catch (const McpError& error) {
        CHECK(error.Code() == McpErrorCode::DeserializeFailed);
        return error.what();
    }
    return "nothing was thrown";
}

JsonValue Json(std::string_view text) { return JsonValue::Parse(text); }

}  // namespace

static_assert(std::is_same_v<RequestId, std::variant<std::int64_t, std::string>>);
static_assert(std::is_same_v<ProgressToken, std::variant<std::string, std::int64_t>>);
static_assert(
    std::is_same_v<JsonRpcMessage, std::variant<JsonRpcRequest, JsonRpcNotification, JsonRpcResponse, JsonRpcErrorResponse>>);
static_assert(std::is_same_v<ContentVariant,
                             std::variant<TextContent, ImageContent, AudioContent, EmbeddedResource, ResourceLink>>);
static_assert(static_cast<int>(LoggingLevel::Debug) == 0 && static_cast<int>(LoggingLevel::Emergency) == 7);
static_assert(IsModernProtocolVersion(kLatestProtocolVersion) && !IsModernProtocolVersion(kLegacyProtocolVersion));
static_assert(!IsModernProtocolVersion("2099-01-01"));
static_assert(std::is_aggregate_v<Tool> && std::is_aggregate_v<CallToolResult> && std::is_aggregate_v<RequestMeta>);
static_assert(std::is_nothrow_move_constructible_v<JsonValue> && std::is_nothrow_copy_constructible_v<McpError>);

TEST_CASE("values are made with braces, in the order of their members") {
    const Implementation implementation{"n", "1"};
    CHECK(implementation.version == "1");
    const TextContent text{"text", "hi"};
    CHECK(text.text == "hi");
    const ImageContent image{"image", "AAEC", "image/png"};
    CHECK(image.mime_type == "image/png");
    const CacheHint hint{std::int64_t{0}, "private"};
    CHECK(hint.ttl_ms == 0);
    CHECK(hint.cache_scope == "private");
    CHECK(ToolExecution{}.mode == ToolExecutionMode::Auto);
    CHECK(ElicitRequestParams{}.mode == "form");
    CHECK(ErrorData{}.code == McpErrorCode::InternalError);
    CHECK(RequestMeta{}.protocol_version == kLatestProtocolVersion);
    CHECK(ElicitResultTyped<int>{}.action == "cancel");
    CHECK(ElicitResultTyped<int>{"accept", 1}.is_accepted());
    CHECK(std::get<std::int64_t>(JsonRpcRequest{}.id) == 0);
    CHECK_FALSE(kSdkVersion.empty());
}

TEST_CASE("options are set one after the other, also on temporaries") {
    ToolOptions tool;
    tool.Description("d").Title("t").InputSchema(Json(R"({"type":"object"})"));
    CHECK(tool.description == "d");
    CHECK(tool.title == "t");
    REQUIRE(tool.input_schema);
    const ResourceOptions& resource = ResourceOptions{}.Description("d").MimeType("text/plain").Title("t");
    static_cast<void>(resource);
    const PromptOptions prompt = PromptOptions{}.Description("d").Title("t").Arguments({{"who", "whom", true}});
    REQUIRE(prompt.arguments);
    CHECK((*prompt.arguments)[0].required == true);
}

TEST_CASE("a tool's result is written with what it has") {
    CallToolResult result;
    CHECK(SerializeCallToolResult(result).Dump() == R"({"content":[],"resultType":"complete"})");
    result.content.push_back(TextContent{"text", "hi"});
    result.is_error = true;
    result.structured_content = JsonValue(3);
    CHECK(SerializeCallToolResult(result).Dump() ==
          R"({"content":[{"text":"hi","type":"text"}],"isError":true,"resultType":"complete","structuredContent":3})");
}

TEST_CASE("a tool's result is read with all its kinds of content") {
    const CallToolResult result = DeserializeCallToolResult(Json(R"({"content":[
        {"type":"text","text":"t","annotations":{"audience":["user"],"priority":1}},
        {"type":"image","data":"AA==","mimeType":"image/png"},
        {"type":"audio","data":"AA==","mimeType":"audio/wav"},
        {"type":"resource","resource":{"uri":"a:b","text":"x"}},
        {"type":"resource","resource":{"uri":"a:c","blob":"AA=="}},
        {"type":"resource_link","uri":"a:d","name":"d","size":7}],
        "isError":true,"structuredContent":null,"resultType":"complete","unknown":1})"));
    REQUIRE(result.content.size() == 6);
    CHECK(std::get<TextContent>(result.content[0]).annotations->priority == 1.0);
    CHECK(std::get<ImageContent>(result.content[1]).type == "image");
    CHECK(std::get<TextResourceContents>(std::get<EmbeddedResource>(result.content[3]).resource).text == "x");
    CHECK(std::get<BlobResourceContents>(std::get<EmbeddedResource>(result.content[4]).resource).blob == "AA==");
    CHECK(std::get<ResourceLink>(result.content[5]).size == 7);
    CHECK(result.is_error);
    CHECK_FALSE(result.input_required);
}

TEST_CASE("a link without a name is named by its title or URI") {
    ResourceLink link;
    link.uri = "file:///a";
    CHECK(SerializeResourceLink(link).At("name").GetString() == "file:///a");
    link.title = "A";
    CHECK(SerializeResourceLink(link).At("name").GetString() == "A");
    link.name = "a";
    CHECK(SerializeResourceLink(link).At("name").GetString() == "a");
}

TEST_CASE("a tool without an input schema takes any object") {
    CHECK(SerializeTool(Tool{"t"}).Dump() == R"({"inputSchema":{"type":"object"},"name":"t"})");
}

TEST_CASE("what is missing or of a wrong type is named") {
    CHECK(ErrorText([] { DeserializeTool(Json("{}")); }) == "name is missing");
    CHECK(ErrorText([] { DeserializeTool(Json(R"({"name":1})")); }) == "name must be a string");
    CHECK(ErrorText([] { DeserializeTool(Json("[]")); }) == "the value must be an object");
    CHECK(ErrorText([] { DeserializeCallToolResult(Json(R"({"content":[{"type":"text"}]})")); }) == "content.0.text is missing");
    CHECK(ErrorText([] { DeserializeContentVariant(Json(R"({"type":"smell"})")); }) ==
          "the value is a content block of an unknown type");
    CHECK(ErrorText([] { DeserializeLoggingLevel(Json("\"loud\"")); }) == "the value is none of the known names");
    CHECK(ErrorText([] { DeserializeCompleteRequestParams(Json(R"({"ref":{}})")); }) == "argument must be an object");
    CHECK(ErrorText([] { DeserializeIcon(Json(R"({"src":"x","sizes":[1]})")); }) == "sizes.0 must be a string");
}

TEST_CASE("_meta of a request is read into its parts and keeps the rest") {
    const JsonValue json = Json(R"({"progressToken":7,"io.modelcontextprotocol/protocolVersion":"2026-07-28",
        "io.modelcontextprotocol/clientInfo":{"name":"c","version":"2"},
        "io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"roots":{}},
        "io.modelcontextprotocol/logLevel":"warning","traceparent":"00-1","example.com/x":{"y":1}})");
    const RequestMeta meta = DeserializeRequestMeta(json);
    CHECK(std::get<std::int64_t>(*meta.progress_token) == 7);
    CHECK(meta.client_info->name == "c");
    CHECK(meta.client_capabilities->elicitation->form.has_value());
    CHECK_FALSE(meta.client_capabilities->sampling.has_value());
    CHECK(meta.log_level == LoggingLevel::Warning);
    CHECK(meta.traceparent == "00-1");
    CHECK(meta.extensions->Dump() == R"({"example.com/x":{"y":1}})");
    CHECK(SerializeRequestMeta(meta) == json);
}

TEST_CASE("the parameters of a call are read") {
    const CallToolRequestParams params = DeserializeCallToolRequestParams(
        Json(R"({"name":"add","arguments":{"a":1},"_meta":{"progressToken":"p"},"inputResponses":{"k":{"action":"accept"}},
                 "requestState":"s"})"));
    CHECK(params.name == "add");
    CHECK(params.arguments->At("a").GetInt() == 1);
    CHECK(std::get<std::string>(*params.meta->progress_token) == "p");
    CHECK(params.input_responses->Find("k")->At("action").GetString() == "accept");
    CHECK(params.request_state == "s");
    const CompleteRequestParams complete = DeserializeCompleteRequestParams(
        Json(R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"n","value":"v"},"context":{"arguments":{}}})"));
    CHECK(complete.argument_name == "n");
    CHECK(complete.argument_value == "v");
    CHECK(complete.context.has_value());
}

TEST_CASE("questions have a method and parameters") {
    ElicitRequestParams form;
    form.message = "Name?";
    CHECK(MakeInputRequestForElicitation(form).Dump() ==
          R"({"method":"elicitation/create","params":{"message":"Name?","mode":"form",)"
          R"("requestedSchema":{"properties":{},"type":"object"}}})");
    CHECK(MakeInputRequestForRoots().Dump() == R"({"method":"roots/list","params":{}})");
    CreateMessageRequestParams sampling;
    SamplingMessage message;
    message.role = "user";
    TextContent text;
    text.text = "hi";
    message.content = std::move(text);
    sampling.messages.push_back(std::move(message));
    sampling.max_tokens = 16;
    sampling.stop_reason = "END";
    sampling.model_preference = "small";
    CHECK(MakeInputRequestForSampling(sampling).Dump() ==
          R"({"method":"sampling/createMessage","params":{"maxTokens":16,)"
          R"("messages":[{"content":{"text":"hi","type":"text"},"role":"user"}],)"
          R"("modelPreferences":{"hints":[{"name":"small"}]},"stopSequences":["END"]}})");
}

TEST_CASE("a result that asks for input has the questions and nothing else") {
    CallToolResult result;
    result.content.push_back(TextContent{"text", "not sent"});
    InputRequiredResult questions;
    questions.input_requests["name"] = MakeInputRequestForElicitation(ElicitRequestParams{"Name?"});
    questions.request_state = "s";
    result.input_required = std::move(questions);
    const JsonValue json = SerializeCallToolResult(result);
    CHECK(json["resultType"] == JsonValue("input_required"));
    CHECK(IsInputRequiredResult(json));
    CHECK_FALSE(json.Contains("content"));
    const std::optional<InputRequests> requests = ExtractInputRequests(json);
    REQUIRE(requests);
    CHECK(requests->at("name").At("method").GetString() == "elicitation/create");
    const CallToolResult read = DeserializeCallToolResult(json);
    REQUIRE(read.input_required);
    CHECK(read.result_type == ResultType::InputRequired);
    CHECK(read.input_required->request_state == "s");
    CHECK_FALSE(ExtractInputRequests(SerializeCallToolResult(CallToolResult{})));
    CHECK_FALSE(IsInputRequiredResult(JsonValue(1)));
}

TEST_CASE("answers of clients are written and read") {
    ElicitResult result;
    result.action = "accept";
    result.content = Json(R"({"a":1})");
    const JsonValue json = MakeInputResponseFromElicitResult(result);
    CHECK(json.Dump() == R"({"action":"accept","content":{"a":1}})");
    CHECK(DeserializeElicitResult(json).content->At("a").GetInt() == 1);
    CHECK_FALSE(DeserializeElicitResult(Json(R"({"action":"decline"})")).content);
    const CreateMessageResult message = DeserializeCreateMessageResult(
        Json(R"({"role":"assistant","model":"m","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})"));
    CHECK(std::get<TextContent>(message.content).text == "a");
    CHECK(DeserializeListRootsResult(Json(R"({"roots":[{"uri":"file:///a"}]})")).roots[0].uri == "file:///a");
}

TEST_CASE("the name of the server is in _meta of what it discovers") {
    DiscoverResult result;
    result.server_info = Implementation{"n", "1"};
    result.cache_hint = CacheHint{5, "public"};
    const JsonValue json = SerializeDiscoverResult(result);
    CHECK(json["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].GetString() == "n");
    CHECK(json["ttlMs"].GetInt() == 5);
    const DiscoverResult read = DeserializeDiscoverResult(json);
    CHECK(read.server_info.name == "n");
    CHECK(read.cache_hint->cache_scope == "public");
    CHECK_FALSE(DeserializeListToolsResult(Json(R"({"tools":[]})")).cache_hint);
}

TEST_CASE("capabilities are written and read") {
    CHECK(SerializeServerCapabilities(ServerCapabilities{}).Dump() == "{}");
    const JsonValue json = Json(R"({"completions":{},"extensions":{"e":{}},"logging":{},"prompts":{"listChanged":true},
        "resources":{"listChanged":false,"subscribe":true},"tools":{}})");
    CHECK(SerializeServerCapabilities(DeserializeServerCapabilities(json)) == json);
    CHECK(SerializeImplementation(Implementation{"n", "1"}).Dump() == R"({"name":"n","version":"1"})");
    CHECK(SerializeEmptyResult(EmptyResult{}).Dump() == R"({"resultType":"complete"})");
}

TEST_CASE("tasks are written and read") {
    GetTaskResult task;
    task.task_id = "task-1";
    task.status = "failed";
    task.error_message = "broken";
    const JsonValue json = SerializeGetTaskResult(task);
    CHECK(json["error"]["message"].GetString() == "broken");
    CHECK(DeserializeGetTaskResult(json).error_message == "broken");
    CHECK(DeserializeCreateTaskResult(Json(R"({"taskId":"t","status":"working","createdAt":"c"})")).task_id == "t");
}

TEST_CASE("a message is what its members say") {
    const JsonRpcMessage request = DeserializeMessage(
        R"({"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x","_meta":{"traceparent":"00"}}})");
    REQUIRE(IsRequest(request));
    CHECK(std::get<std::string>(AsRequest(request)->id) == "a");
    CHECK(AsRequest(request)->params->Dump() == R"({"name":"x"})");
    CHECK(AsRequest(request)->meta->Find("traceparent")->GetString() == "00");
    CHECK(AsNotification(request) == nullptr);

    const JsonRpcMessage notification = DeserializeMessage(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    REQUIRE(IsNotification(notification));
    CHECK_FALSE(AsNotification(notification)->params);

    const JsonRpcMessage response = DeserializeMessage(R"({"jsonrpc":"2.0","id":9223372036854775807,"result":null})");
    REQUIRE(IsResponse(response));
    CHECK(std::get<std::int64_t>(AsResponse(response)->id) == 9223372036854775807);

    const JsonRpcMessage error =
        DeserializeMessage(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m","data":[1]}})");
    REQUIRE(IsError(error));
    CHECK_FALSE(AsError(error)->id);
    CHECK(AsError(error)->error.code == McpErrorCode::ParseError);
    CHECK(AsError(error)->error.data->Dump() == "[1]");
}

TEST_CASE("messages come back as they were") {
    for (const char* text : {R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
                             R"({"jsonrpc":"2.0","id":"x","method":"m","params":{"_meta":{"a":1}}})",
                             R"({"jsonrpc":"2.0","id":"","method":"m","params":{"a":[],"_meta":{}}})",
                             R"({"jsonrpc":"2.0","method":"m","params":{}})",
                             R"({"jsonrpc":"2.0","id":-1,"result":{"a":1}})",
                             R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"ä"}})",
                             R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m","data":{}}})"}) {
        CHECK(SerializeMessage(DeserializeMessage(text)) == text);
    }
    JsonRpcNotification notification;
    notification.method = "m";
    notification.meta = Json(R"({"a":1})");
    CHECK(SerializeMessage(JsonRpcMessage(notification)) == R"({"jsonrpc":"2.0","method":"m","params":{"_meta":{"a":1}}})");
}

TEST_CASE("what is no message is refused") {
    for (const char* text : {"[]", "1", "{}", R"({"jsonrpc":"1.0","id":1,"method":"m"})", R"({"jsonrpc":"2.0","id":1})",
                             R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", R"({"jsonrpc":"2.0","id":null,"method":"m"})",
                             R"({"jsonrpc":"2.0","id":1,"method":2})", R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})",
                             R"({"jsonrpc":"2.0","result":{}})", R"({"jsonrpc":"2.0","id":1,"error":{}})"}) {
        CAPTURE(text);
        try {
            DeserializeMessage(text);
            FAIL("nothing was thrown");
        } catch (const McpError& error) {
            CHECK(error.Code() == McpErrorCode::InvalidRequest);
        }
    }
    CHECK_THROWS_AS(DeserializeMessage("{"), McpError);
}

TEST_CASE("a message that has no JSON is refused") {
    JsonRpcResponse response;
    response.result = JsonValue("\xff");
    CHECK_THROWS_AS(SerializeMessage(JsonRpcMessage(response)), McpError);
}

TEST_CASE("a log sink can be set and taken away") {
    SetLogSink(LogLevel::Debug, [](LogLevel, std::string_view, std::string_view) { throw 1; });
    SetLogSink(LogLevel::Off, nullptr);
    SetLogSink(LogLevel::Warning, {});
}
