// Every type that a server sends, with all its members, as one line of JSON each: `{"type":"CallToolResult","value":{…}}`.
// Without arguments they are printed; with the path of a file they are compared with it. That file is `results.jsonl`, whose
// values tests/it/cpp_results.rs checks against the official schema.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <mcp/McpCore.hpp>

using namespace mcp;

namespace {

const JsonValue kMeta = JsonValue::Parse(R"({"example.com/trace": "t-1"})");
const CacheHint kHint{std::int64_t{0}, "private"};

std::string emitted;

void Emit(const char* type, const JsonValue& value) {
    JsonValue line(JsonValue::object_tag);
    line["type"] = JsonValue(type);
    line["value"] = value;
    emitted += line.Dump() + "\n";
}

Icon MakeIcon() { return Icon{"https://example.com/i.png", "image/png", std::vector<std::string>{"48x48", "any"}, "dark"}; }

Annotations MakeAnnotations() {
    return Annotations{std::vector<std::string>{"user", "assistant"}, 0.5, "2026-01-12T15:00:58Z"};
}

ResourceAnnotations MakeResourceAnnotations() {
    return ResourceAnnotations{std::vector<std::string>{"user"}, 1.0, "2026-01-12T15:00:58Z"};
}

Implementation MakeImplementation() {
    return Implementation{"server", "1.0", "A server", {MakeIcon()}, "Serves", "https://example.com"};
}

TextResourceContents MakeText() { return TextResourceContents{"file:///a.txt", "text", "text/plain", kMeta}; }
BlobResourceContents MakeBlob() { return BlobResourceContents{"file:///a.bin", "AAEC", "application/octet-stream", kMeta}; }

ResourceLink MakeLink() {
    ResourceLink link;
    link.uri = "file:///a.txt";
    link.title = "A";
    link.annotations = MakeAnnotations();
    link.meta = kMeta;
    link.name = "a";
    link.description = "A file";
    link.mime_type = "text/plain";
    link.size = 4;
    link.icons = {MakeIcon()};
    return link;
}

std::vector<ContentVariant> MakeContent() {
    return {TextContent{"text", "hi", std::nullopt, MakeAnnotations(), kMeta},
            ImageContent{"image", "AAEC", "image/png", MakeAnnotations(), kMeta},
            AudioContent{"audio", "AAEC", "audio/wav", MakeAnnotations(), kMeta},
            EmbeddedResource{"resource", MakeText(), MakeAnnotations(), kMeta},
            EmbeddedResource{"resource", MakeBlob(), MakeAnnotations(), kMeta},
            MakeLink()};
}

ServerCapabilities MakeServerCapabilities() {
    ServerCapabilities capabilities;
    capabilities.tools = ToolsCapability{true};
    capabilities.resources = ResourcesCapability{true, true};
    capabilities.prompts = PromptsCapability{true};
    capabilities.logging.emplace();
    capabilities.completions.emplace();
    capabilities.extensions.emplace()["io.modelcontextprotocol/tasks"] = JsonValue(JsonValue::object_tag);
    capabilities.experimental = JsonValue::Parse(R"({"example": {}})");
    return capabilities;
}

ClientCapabilities MakeClientCapabilities() {
    ClientCapabilities capabilities;
    capabilities.roots = RootsCapability{true};
    capabilities.sampling.emplace();
    capabilities.elicitation = ElicitationCapability{JsonValue(JsonValue::object_tag), JsonValue(JsonValue::object_tag)};
    capabilities.extensions.emplace()["example.com/x"] = JsonValue(JsonValue::object_tag);
    capabilities.experimental = JsonValue::Parse(R"({"example": {}})");
    return capabilities;
}

Tool MakeTool() {
    Tool tool;
    tool.name = "add";
    tool.title = "Add";
    tool.description = "Adds";
    tool.input_schema = JsonValue::Parse(R"({"type":"object","properties":{"a":{"type":"number"}},"required":["a"]})");
    tool.output_schema = JsonValue::Parse(R"({"type":"object"})");
    tool.annotations = ToolAnnotations{"Add", true, true, false, false};
    tool.icons = {MakeIcon()};
    tool.meta = kMeta;
    tool.execution = ToolExecution{ToolExecutionMode::Task, "seldom"};
    return tool;
}

Prompt MakePrompt() {
    return Prompt{"greet",  "Greet", "Greets", std::vector<PromptArgument>{{"who", "Whom", true, "Who"}}, std::vector<Icon>{MakeIcon()},
                  kMeta};
}

Resource MakeResource() {
    return Resource{"file:///a.txt", "a", "A", "A file", "text/plain", 4, std::vector<Icon>{MakeIcon()}, MakeResourceAnnotations(),
                    kMeta};
}

ResourceTemplate MakeTemplate() {
    return ResourceTemplate{"file:///{name}", "t",  "T", "Files", "text/plain", std::vector<Icon>{MakeIcon()},
                            MakeResourceAnnotations(), kMeta};
}

ElicitRequestParams MakeForm() {
    ElicitRequestParams params;
    params.message = "Your name?";
    params.requested_schema = JsonValue::Parse(R"({"type":"object","properties":{"name":{"type":"string"}}})");
    return params;
}

ElicitRequestParams MakeUrl() { return ElicitRequestParams{"Log in", std::nullopt, "url", "https://example.com/login", "e-1"}; }

CreateMessageRequestParams MakeSampling() {
    CreateMessageRequestParams params;
    params.messages = {SamplingMessage{"user", TextContent{"text", "hi"}},
                       SamplingMessage{"assistant", ImageContent{"image", "AAEC", "image/png"}}};
    params.max_tokens = 16;
    params.stop_reason = "END";
    params.model_preference = "small";
    params.system_prompt = "Be short";
    params.include_context = "none";
    params.temperature = 0.5;
    params.metadata = JsonValue::Parse(R"({"k": 1})");
    params.tools = JsonValue(JsonValue::Array{SerializeTool(Tool{"add"})});
    params.tool_choice = JsonValue::Parse(R"({"mode": "auto"})");
    return params;
}

InputRequiredResult MakeQuestions() {
    InputRequiredResult questions;
    questions.input_requests["name"] = MakeInputRequestForElicitation(MakeForm());
    questions.input_requests["login"] = MakeInputRequestForElicitation(MakeUrl());
    questions.input_requests["model"] = MakeInputRequestForSampling(MakeSampling());
    questions.input_requests["roots"] = MakeInputRequestForRoots();
    questions.request_state = "state";
    return questions;
}

template <class T>
T WithMeta() {
    T result;
    result.meta = kMeta;
    return result;
}

template <class T>
T Page() {
    T result = WithMeta<T>();
    result.next_cursor = "next";
    result.cache_hint = kHint;
    return result;
}

void EmitContent() {
    const std::vector<ContentVariant> content = MakeContent();
    Emit("Icon", SerializeIcon(MakeIcon()));
    Emit("Annotations", SerializeAnnotations(MakeAnnotations()));
    Emit("Annotations", SerializeResourceAnnotations(MakeResourceAnnotations()));
    Emit("Implementation", SerializeImplementation(MakeImplementation()));
    Emit("TextResourceContents", SerializeTextResourceContents(MakeText()));
    Emit("BlobResourceContents", SerializeBlobResourceContents(MakeBlob()));
    Emit("TextContent", SerializeContentVariant(content[0]));
    Emit("ImageContent", SerializeContentVariant(content[1]));
    Emit("AudioContent", SerializeContentVariant(content[2]));
    Emit("EmbeddedResource", SerializeContentVariant(content[3]));
    Emit("EmbeddedResource", SerializeContentVariant(content[4]));
    Emit("ResourceLink", SerializeContentVariant(content[5]));
    Emit("ServerCapabilities", SerializeServerCapabilities(MakeServerCapabilities()));
    Emit("ClientCapabilities", SerializeClientCapabilities(MakeClientCapabilities()));
    Emit("ToolAnnotations", SerializeToolAnnotations(*MakeTool().annotations));
    Emit("Tool", SerializeTool(MakeTool()));
    Emit("Resource", SerializeResource(MakeResource()));
    Emit("ResourceTemplate", SerializeResourceTemplate(MakeTemplate()));
    Emit("PromptArgument", SerializePromptArgument({"who", "Whom", true, "Who"}));
    Emit("Prompt", SerializePrompt(MakePrompt()));
    Emit("PromptMessage", SerializePromptMessage({"user", content[3]}));
}

void EmitLists() {
    auto tools = Page<ListToolsResult>();
    tools.tools = {MakeTool(), Tool{"plain"}};
    Emit("ListToolsResult", SerializeListToolsResult(tools));
    auto resources = Page<ListResourcesResult>();
    resources.resources = {MakeResource(), Resource{"file:///b", "b"}};
    Emit("ListResourcesResult", SerializeListResourcesResult(resources));
    auto templates = Page<ListResourceTemplatesResult>();
    templates.resource_templates = {MakeTemplate(), ResourceTemplate{"file:///{x}", "x"}};
    Emit("ListResourceTemplatesResult", SerializeListResourceTemplatesResult(templates));
    auto prompts = Page<ListPromptsResult>();
    prompts.prompts = {MakePrompt(), Prompt{"plain"}};
    Emit("ListPromptsResult", SerializeListPromptsResult(prompts));
}

void EmitResults() {
    Emit("EmptyResult", SerializeEmptyResult(WithMeta<EmptyResult>()));
    auto call = WithMeta<CallToolResult>();
    call.content = MakeContent();
    call.structured_content = JsonValue::Parse(R"({"sum": 3})");
    call.is_error = true;
    Emit("CallToolResult", SerializeCallToolResult(call));
    Emit("CallToolResult", SerializeCallToolResult(CallToolResult{}));
    call.input_required = MakeQuestions();
    Emit("InputRequiredResult", SerializeCallToolResult(call));
    Emit("InputRequiredResult", SerializeInputRequiredResult(MakeQuestions()));

    auto read = WithMeta<ReadResourceResult>();
    read.contents = {MakeText(), MakeBlob()};
    read.cache_hint = kHint;
    Emit("ReadResourceResult", SerializeReadResourceResult(read));
    auto prompt = WithMeta<GetPromptResult>();
    for (const ContentVariant& content : MakeContent()) prompt.messages.push_back({"user", content});
    prompt.description = "Greets";
    Emit("GetPromptResult", SerializeGetPromptResult(prompt));
    auto complete = WithMeta<CompleteResult>();
    complete.completion = JsonValue::Parse(R"({"values": ["a"], "total": 1, "hasMore": false})");
    Emit("CompleteResult", SerializeCompleteResult(complete));
    auto discover = WithMeta<DiscoverResult>();
    discover.supported_versions = {std::string(kLatestProtocolVersion), std::string(kLegacyProtocolVersion)};
    discover.capabilities = MakeServerCapabilities();
    discover.server_info = MakeImplementation();
    discover.instructions = "Use it";
    discover.cache_hint = kHint;
    Emit("DiscoverResult", SerializeDiscoverResult(discover));
    // Of revision 2025-11-25.
    auto initialize = WithMeta<InitializeResult>();
    initialize.protocol_version = kLegacyProtocolVersion;
    initialize.capabilities = MakeServerCapabilities();
    initialize.server_info = MakeImplementation();
    initialize.instructions = "Use it";
    Emit("InitializeResult", SerializeInitializeResult(initialize));
    // Of the tasks extension.
    auto task = WithMeta<CreateTaskResult>();
    task.task_id = "task-1";
    task.status = "working";
    task.created_at = "2026-01-12T15:00:58Z";
    Emit("CreateTaskResult", SerializeCreateTaskResult(task));
}

void EmitQuestions() {
    Emit("ElicitRequestFormParams", SerializeElicitRequestParams(MakeForm()));
    Emit("ElicitRequestFormParams", SerializeElicitRequestParams(ElicitRequestParams{"Go on?"}));
    Emit("ElicitRequestURLParams", SerializeElicitRequestParams(MakeUrl()));
    Emit("ElicitRequest", MakeInputRequestForElicitation(MakeForm()));
    Emit("CreateMessageRequestParams", SerializeCreateMessageRequestParams(MakeSampling()));
    Emit("CreateMessageRequest", MakeInputRequestForSampling(MakeSampling()));
    Emit("ListRootsRequest", MakeInputRequestForRoots());
    ElicitResult elicit;
    elicit.action = "accept";
    elicit.content = JsonValue::Parse(R"({"name": "x"})");
    Emit("ElicitResult", MakeInputResponseFromElicitResult(elicit));
    auto message = WithMeta<CreateMessageResult>();
    message.role = "assistant";
    message.content = TextContent{"text", "hi"};
    message.model = "small";
    message.stop_reason = "endTurn";
    Emit("CreateMessageResult", MakeInputResponseFromCreateMessageResult(message));
    ListRootsResult roots;
    roots.roots = {Root{"file:///home", "home"}, Root{"file:///tmp"}};
    Emit("ListRootsResult", MakeInputResponseFromListRootsResult(roots));
}

void EmitParams() {
    RequestMeta meta;
    meta.progress_token = "p-1";
    meta.client_info = MakeImplementation();
    meta.client_capabilities = MakeClientCapabilities();
    meta.log_level = LoggingLevel::Warning;
    meta.extensions = kMeta;
    meta.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    meta.tracestate = "a=1";
    meta.baggage = "b=2";
    Emit("RequestMetaObject", SerializeRequestMeta(meta));
    CallToolRequestParams call{"add", JsonValue::Parse(R"({"a": 1})"), meta, std::nullopt, "state"};
    ElicitResult elicit;
    elicit.action = "decline";
    call.input_responses = JsonValue(JsonValue::Object{{"name", MakeInputResponseFromElicitResult(elicit)}});
    Emit("CallToolRequestParams", SerializeCallToolRequestParams(call));
    Emit("GetPromptRequestParams", SerializeGetPromptRequestParams({"greet", JsonValue::Parse(R"({"who": "x"})"), meta}));
    Emit("CompleteRequestParams",
         SerializeCompleteRequestParams({JsonValue::Parse(R"({"type": "ref/prompt", "name": "greet"})"), "who", "x", meta,
                                         JsonValue::Parse(R"({"arguments": {"a": "b"}})")}));
    Emit("ReadResourceRequestParams", SerializeResourceRequestParams({"file:///a.txt", meta}));
    Emit("PaginatedRequestParams", SerializePaginatedRequestParams({"next", meta}));
    const SubscriptionFilter filter{true, true, true, {"file:///a.txt"}};
    Emit("SubscriptionFilter", SerializeSubscriptionFilter(filter));
    Emit("SubscriptionsListenRequestParams", SerializeSubscriptionsListenRequestParams({filter, meta}));
    Emit("SubscriptionsAcknowledgedNotificationParams", SerializeSubscriptionsAcknowledgedNotificationParams({filter}));
    Emit("ProgressNotificationParams", SerializeProgressNotificationParams({"p-1", 1, 2.5, "half"}));
    Emit("CancelledNotificationParams", SerializeCancelledNotificationParams({std::int64_t{7}, "late"}));
    Emit("LoggingMessageNotificationParams",
         SerializeLoggingMessageNotificationParams({LoggingLevel::Emergency, "core", JsonValue("text")}));
}

}  // namespace

int main(int argc, char** argv) {
    EmitContent();
    EmitLists();
    EmitResults();
    EmitQuestions();
    EmitParams();
    if (argc < 2) {
        std::fputs(emitted.c_str(), stdout);
        return 0;
    }
    std::ifstream file(argv[1], std::ios::binary);
    const std::string committed{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (committed == emitted) {
        return 0;
    }
    std::fprintf(stderr, "%s is out of date: write the output of this program to it\n", argv[1]);
    return 1;
}
