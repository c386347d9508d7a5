#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mcp/Capabilities.hpp>
#include <mcp/Content.hpp>
#include <mcp/Implementation.hpp>
#include <mcp/JsonValue.hpp>
#include <mcp/Meta.hpp>
#include <mcp/Methods.hpp>

// The types of the protocol's requests and results. What `SerializeX` and `DeserializeX` do, Content.hpp says; results are
// written in the form of the newest revision.

#include <mcp/detail/macros_push.hpp>

namespace mcp {

// ---- What a server offers ----

// Hints for clients; a client must not rely on them.
struct ToolAnnotations {
    std::optional<std::string> title{};
    std::optional<bool> read_only_hint{};
    std::optional<bool> idempotent_hint{};
    std::optional<bool> open_world_hint{};
    std::optional<bool> destructive_hint{};
};

// `Task`: the call is answered at once with a task, which needs a task store.
enum class ToolExecutionMode { Auto, Manual, Task };

struct ToolExecution {
    ToolExecutionMode mode{ToolExecutionMode::Auto};
    std::optional<std::string> human_use{};
};

struct ResourceAnnotations {
    std::optional<std::vector<std::string>> audience{};
    std::optional<double> priority{};
    std::optional<std::string> last_modified{};
};

struct Tool {
    std::string name{};
    std::optional<std::string> title{};
    std::optional<std::string> description{};
    JsonValue input_schema{};
    std::optional<JsonValue> output_schema{};
    std::optional<ToolAnnotations> annotations{};
    std::vector<Icon> icons{};
    std::optional<JsonValue> meta{};
    std::optional<ToolExecution> execution{};
};

struct Resource {
    std::string uri{};
    std::string name{};
    std::optional<std::string> title{};
    std::optional<std::string> description{};
    std::optional<std::string> mime_type{};
    std::optional<std::int64_t> size{};
    std::optional<std::vector<Icon>> icons{};
    std::optional<ResourceAnnotations> annotations{};
    std::optional<JsonValue> meta{};
};

struct ResourceTemplate {
    std::string uri_template{};
    std::string name{};
    std::optional<std::string> title{};
    std::optional<std::string> description{};
    std::optional<std::string> mime_type{};
    std::optional<std::vector<Icon>> icons{};
    std::optional<ResourceAnnotations> annotations{};
    std::optional<JsonValue> meta{};
};

struct PromptArgument {
    std::string name{};
    std::optional<std::string> description{};
    std::optional<bool> required{};
    std::optional<std::string> title{};
};

struct Prompt {
    std::string name{};
    std::optional<std::string> title{};
    std::optional<std::string> description{};
    std::optional<std::vector<PromptArgument>> arguments{};
    std::optional<std::vector<Icon>> icons{};
    std::optional<JsonValue> meta{};
};

// `role` is "user" or "assistant".
struct PromptMessage {
    std::string role{};
    ContentVariant content{};
};

struct Pagination {
    std::optional<std::string> next_cursor{};
};

enum class ResultType { Complete, InputRequired };

struct Result {
    std::optional<JsonValue> meta{};
    ResultType result_type{ResultType::Complete};
};

// ---- Parameters of requests ----

struct PaginatedRequestParams {
    std::optional<std::string> cursor{};
    std::optional<RequestMeta> meta{};
};
using ListToolsRequestParams = PaginatedRequestParams;
using ListResourcesRequestParams = PaginatedRequestParams;
using ListResourceTemplatesRequestParams = PaginatedRequestParams;
using ListPromptsRequestParams = PaginatedRequestParams;

// `input_responses` and `request_state` are as those of `CallToolRequestParams`.
struct ResourceRequestParams {
    std::string uri{};
    std::optional<RequestMeta> meta{};
    std::optional<JsonValue> input_responses{};
    std::optional<std::string> request_state{};
};
using ReadResourceRequestParams = ResourceRequestParams;
using SubscribeRequestParams = ResourceRequestParams;
using UnsubscribeRequestParams = ResourceRequestParams;

// `input_responses` has the answers to the questions of the round before, by their keys, and `request_state` what the
// handler gave to be brought back.
struct CallToolRequestParams {
    std::string name{};
    std::optional<JsonValue> arguments{};
    std::optional<RequestMeta> meta{};
    std::optional<JsonValue> input_responses{};
    std::optional<std::string> request_state{};
};

// `input_responses` and `request_state` are as those of `CallToolRequestParams`.
struct GetPromptRequestParams {
    std::string name{};
    std::optional<JsonValue> arguments{};
    std::optional<RequestMeta> meta{};
    std::optional<JsonValue> input_responses{};
    std::optional<std::string> request_state{};
};

// `ref` is `{"type": "ref/prompt", "name": …}` or `{"type": "ref/resource", "uri": …}`; `context` has what was completed
// before: `{"arguments": {…}}`.
struct CompleteRequestParams {
    JsonValue ref{};
    std::string argument_name{};
    std::string argument_value{};
    std::optional<RequestMeta> meta{};
    std::optional<JsonValue> context{};
};

struct DiscoverRequestParams {};

struct InitializeRequestParams {
    std::string protocol_version{};
    ClientCapabilities capabilities{};
    Implementation client_info{};
};

struct SubscriptionFilter {
    std::optional<bool> tools_list_changed{};
    std::optional<bool> prompts_list_changed{};
    std::optional<bool> resources_list_changed{};
    std::vector<std::string> resource_subscriptions{};
};

struct SubscriptionsListenRequestParams {
    SubscriptionFilter notifications{};
    std::optional<RequestMeta> meta{};
};

struct SubscriptionsAcknowledgedNotificationParams {
    SubscriptionFilter notifications{};
};

struct SetLevelRequestParams {
    LoggingLevel level{LoggingLevel::Info};
};

// ---- What a server asks a client ----

// `role` is "user" or "assistant".
struct SamplingMessage {
    std::string role{};
    ContentVariant content{};
};

// `stop_reason` is a text at which the model stops, `model_preference` the name of a model that is preferred: the short
// forms of `stop_sequences` and `model_preferences`.
struct CreateMessageRequestParams {
    std::vector<SamplingMessage> messages{};
    std::int64_t max_tokens{0};
    std::optional<std::string> stop_reason{};
    std::optional<std::string> model_preference{};
    std::optional<std::string> system_prompt{};
    std::optional<std::string> include_context{};
    std::optional<double> temperature{};
    std::optional<std::vector<std::string>> stop_sequences{};
    std::optional<JsonValue> model_preferences{};
    std::optional<JsonValue> metadata{};
    std::optional<JsonValue> tools{};
    std::optional<JsonValue> tool_choice{};
};

struct ListRootsRequestParams {};

// A form ("form", with a JSON Schema of what is asked for) or a page to visit ("url").
struct ElicitRequestParams {
    std::string message{};
    std::optional<JsonValue> requested_schema{};
    std::string mode{"form"};
    std::optional<std::string> url{};
    std::optional<std::string> elicitation_id{};
};

// A question to the client: `{"method": …, "params": {…}}`.
using InputRequest = JsonValue;
using InputRequests = std::map<std::string, JsonValue, std::less<>>;

// Questions to the client. It answers them with a retry of the request, which brings `request_state` back.
struct InputRequiredResult {
    InputRequests input_requests{};
    std::optional<std::string> request_state{};
};

// ---- Results ----

struct EmptyResult : Result {};
using PingResult = EmptyResult;

struct CallToolResult : Result {
    std::vector<ContentVariant> content{};
    std::optional<JsonValue> structured_content{};
    bool is_error{false};
    std::optional<InputRequiredResult> input_required{};
};

struct ListToolsResult : Result {
    std::vector<Tool> tools{};
    std::optional<std::string> next_cursor{};
    std::optional<CacheHint> cache_hint{};
};

struct ListResourcesResult : Result {
    std::vector<Resource> resources{};
    std::optional<std::string> next_cursor{};
    std::optional<CacheHint> cache_hint{};
};

struct ListResourceTemplatesResult : Result {
    std::vector<ResourceTemplate> resource_templates{};
    std::optional<std::string> next_cursor{};
    std::optional<CacheHint> cache_hint{};
};

struct ReadResourceResult : Result {
    std::vector<ResourceContents> contents{};
    std::optional<CacheHint> cache_hint{};
    std::optional<InputRequiredResult> input_required{};
};

struct ListPromptsResult : Result {
    std::vector<Prompt> prompts{};
    std::optional<std::string> next_cursor{};
    std::optional<CacheHint> cache_hint{};
};

struct GetPromptResult : Result {
    std::vector<PromptMessage> messages{};
    std::optional<std::string> description{};
    std::optional<InputRequiredResult> input_required{};
};

// `completion` is `{"values": […], "total": …, "hasMore": …}`.
struct CompleteResult : Result {
    JsonValue completion{};
};

struct InitializeResult : Result {
    std::string protocol_version{};
    ServerCapabilities capabilities{};
    Implementation server_info{};
    std::optional<std::string> instructions{};
};

struct DiscoverResult : Result {
    std::vector<std::string> supported_versions{};
    ServerCapabilities capabilities{};
    Implementation server_info{};
    std::optional<std::string> instructions{};
    std::optional<CacheHint> cache_hint{};
};

// `action` is "accept", "decline" or "cancel".
struct ElicitResult : Result {
    std::string action{};
    std::optional<JsonValue> content{};
};

// An answer whose content the host has read into a type of its own.
template <class T>
struct ElicitResultTyped {
    std::string action{"cancel"};
    std::optional<T> content{};

    bool is_accepted() const { return action == "accept"; }
};

struct CreateMessageResult : Result {
    std::string role{};
    ContentVariant content{};
    std::string model{};
    std::optional<std::string> stop_reason{};
};

struct Root {
    std::string uri{};
    std::optional<std::string> name{};
};

struct ListRootsResult : Result {
    std::vector<Root> roots{};
};

// ---- Notifications ----

struct ProgressNotificationParams {
    ProgressToken progress_token{};
    double progress{0};
    std::optional<double> total{};
    std::optional<std::string> message{};
};

struct CancelledNotificationParams {
    RequestId request_id{};
    std::optional<std::string> reason{};
};

struct LoggingMessageNotificationParams {
    LoggingLevel level{LoggingLevel::Info};
    std::optional<std::string> logger{};
    JsonValue data{};
};

// ---- Tasks ----

struct GetTaskResult {
    std::string task_id{};
    std::string status{};
    std::string task_result_type{"task"};
    std::optional<JsonValue> result{};
    std::optional<std::string> error_message{};
    std::optional<JsonValue> input_required{};
    std::optional<JsonValue> meta{};
};

struct CreateTaskResult : Result {
    std::string task_id{};
    std::string status{};
    std::string created_at{};
};

using UpdateTaskResult = EmptyResult;
using CancelTaskResult = EmptyResult;

struct GetTaskRequestParams {
    std::string task_id{};
};

struct UpdateTaskRequestParams {
    std::string task_id{};
    std::optional<JsonValue> result{};
};

struct CancelTaskRequestParams {
    std::string task_id{};
    std::optional<std::string> reason{};
};

struct TaskStatusNotificationParams {
    std::string task_id{};
    std::string status{};
};

// ---- Options of what is registered, and of requests ----

// `name` is not used: the name given to the registration is.
struct ToolOptions {
    std::optional<std::string> name{};
    std::optional<std::string> description{};
    std::optional<std::string> title{};
    std::optional<bool> destructive{};
    std::optional<bool> idempotent{};
    std::optional<bool> read_only_hint{};
    std::optional<bool> open_world_hint{};
    bool use_structured_content{false};
    std::optional<JsonValue> input_schema{};
    std::optional<JsonValue> output_schema{};
    std::vector<Icon> icons{};
    std::optional<JsonValue> meta{};
    std::optional<ToolExecution> execution{};
    // Calls run on the thread that serves the connection, which they must not block: for quick tools.
    bool run_inline{false};
    // How long a call may take; then it is cancelled, and answered with an error result.
    std::optional<std::chrono::milliseconds> timeout{};
    // How many calls may run at once; further ones wait.
    std::optional<std::size_t> max_concurrency{};

    MCP_API ToolOptions& Description(std::string_view text);
    MCP_API ToolOptions& Title(std::string_view text);
    MCP_API ToolOptions& InputSchema(JsonValue schema);
};

// `name` is not used: the name given to the registration is.
struct ResourceOptions {
    std::optional<std::string> name{};
    std::optional<std::string> description{};
    std::optional<std::string> title{};
    std::optional<std::string> mime_type{};
    std::vector<Icon> icons{};

    MCP_API ResourceOptions& Description(std::string_view text);
    MCP_API ResourceOptions& Title(std::string_view text);
    MCP_API ResourceOptions& MimeType(std::string_view text);
};

// `name` is not used: the name given to the registration is.
struct PromptOptions {
    std::optional<std::string> name{};
    std::optional<std::string> description{};
    std::optional<std::string> title{};
    std::vector<Icon> icons{};
    std::optional<std::vector<PromptArgument>> arguments{};

    MCP_API PromptOptions& Description(std::string_view text);
    MCP_API PromptOptions& Title(std::string_view text);
    MCP_API PromptOptions& Arguments(std::vector<PromptArgument> list);
};

// How a client sends a request.
struct RequestOptions {
    std::optional<JsonValue> meta{};
    std::optional<std::int64_t> read_timeout_ms{};
    std::optional<JsonValue> input_responses{};
    std::optional<std::string> request_state{};
    std::function<void(const ProgressNotificationParams&)> on_progress{};
};

struct CacheableRequestOptions : RequestOptions {
    std::optional<std::string> cache_mode{};
    std::optional<std::int64_t> max_age_ms{};
};

// ---- Questions and answers ----

// A question for `InputRequiredResult::input_requests`.
MCP_API JsonValue MakeInputRequestForElicitation(const ElicitRequestParams& params);
MCP_API JsonValue MakeInputRequestForSampling(const CreateMessageRequestParams& params);
MCP_API JsonValue MakeInputRequestForRoots(const ListRootsRequestParams& params = {});

// An answer for `input_responses` of a retry.
MCP_API JsonValue MakeInputResponseFromElicitResult(const ElicitResult& result);
MCP_API JsonValue MakeInputResponseFromCreateMessageResult(const CreateMessageResult& result);
MCP_API JsonValue MakeInputResponseFromListRootsResult(const ListRootsResult& result);

// Whether a result asks for input.
MCP_API bool IsInputRequiredResult(const JsonValue& result);
// The questions of a result that asks for input; none where it does not.
MCP_API std::optional<InputRequests> ExtractInputRequests(const JsonValue& result);

}  // namespace mcp

#include <mcp/detail/macros_pop.hpp>

#include <mcp/detail/types_json.hpp>
