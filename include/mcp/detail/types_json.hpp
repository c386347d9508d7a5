#pragma once

// The JSON of the types of McpTypes.hpp, which includes this. What `SerializeX` and `DeserializeX` do, Content.hpp says.

#include <mcp/McpTypes.hpp>

namespace mcp {

MCP_API JsonValue SerializeToolAnnotations(const ToolAnnotations& annotations);
MCP_API ToolAnnotations DeserializeToolAnnotations(const JsonValue& json);
MCP_API JsonValue SerializeToolExecution(const ToolExecution& execution);
MCP_API ToolExecution DeserializeToolExecution(const JsonValue& json);
MCP_API JsonValue SerializeResourceAnnotations(const ResourceAnnotations& annotations);
MCP_API ResourceAnnotations DeserializeResourceAnnotations(const JsonValue& json);
MCP_API JsonValue SerializeTool(const Tool& tool);
MCP_API Tool DeserializeTool(const JsonValue& json);
MCP_API JsonValue SerializeResource(const Resource& resource);
MCP_API Resource DeserializeResource(const JsonValue& json);
MCP_API JsonValue SerializeResourceTemplate(const ResourceTemplate& resource_template);
MCP_API ResourceTemplate DeserializeResourceTemplate(const JsonValue& json);
MCP_API JsonValue SerializePromptArgument(const PromptArgument& argument);
MCP_API PromptArgument DeserializePromptArgument(const JsonValue& json);
MCP_API JsonValue SerializePrompt(const Prompt& prompt);
MCP_API Prompt DeserializePrompt(const JsonValue& json);
MCP_API JsonValue SerializePromptMessage(const PromptMessage& message);
MCP_API PromptMessage DeserializePromptMessage(const JsonValue& json);

MCP_API JsonValue SerializePaginatedRequestParams(const PaginatedRequestParams& params);
MCP_API PaginatedRequestParams DeserializePaginatedRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeResourceRequestParams(const ResourceRequestParams& params);
MCP_API ResourceRequestParams DeserializeResourceRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeCallToolRequestParams(const CallToolRequestParams& params);
MCP_API CallToolRequestParams DeserializeCallToolRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeGetPromptRequestParams(const GetPromptRequestParams& params);
MCP_API GetPromptRequestParams DeserializeGetPromptRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeCompleteRequestParams(const CompleteRequestParams& params);
MCP_API CompleteRequestParams DeserializeCompleteRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeDiscoverRequestParams(const DiscoverRequestParams& params);
MCP_API JsonValue SerializeInitializeRequestParams(const InitializeRequestParams& params);
MCP_API InitializeRequestParams DeserializeInitializeRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeSubscriptionFilter(const SubscriptionFilter& filter);
MCP_API SubscriptionFilter DeserializeSubscriptionFilter(const JsonValue& json);
MCP_API JsonValue SerializeSubscriptionsListenRequestParams(const SubscriptionsListenRequestParams& params);
MCP_API SubscriptionsListenRequestParams DeserializeSubscriptionsListenRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeSubscriptionsAcknowledgedNotificationParams(
    const SubscriptionsAcknowledgedNotificationParams& params);
MCP_API SubscriptionsAcknowledgedNotificationParams DeserializeSubscriptionsAcknowledgedNotificationParams(
    const JsonValue& json);
MCP_API JsonValue SerializeSetLevelRequestParams(const SetLevelRequestParams& params);
MCP_API SetLevelRequestParams DeserializeSetLevelRequestParams(const JsonValue& json);

MCP_API JsonValue SerializeSamplingMessage(const SamplingMessage& message);
MCP_API SamplingMessage DeserializeSamplingMessage(const JsonValue& json);
MCP_API JsonValue SerializeCreateMessageRequestParams(const CreateMessageRequestParams& params);
MCP_API CreateMessageRequestParams DeserializeCreateMessageRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeListRootsRequestParams(const ListRootsRequestParams& params);
MCP_API ListRootsRequestParams DeserializeListRootsRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeElicitRequestParams(const ElicitRequestParams& params);
MCP_API ElicitRequestParams DeserializeElicitRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeInputRequest(const InputRequest& request);
MCP_API InputRequest DeserializeInputRequest(const JsonValue& json);
MCP_API JsonValue SerializeInputRequests(const InputRequests& requests);
MCP_API InputRequests DeserializeInputRequests(const JsonValue& json);
MCP_API JsonValue SerializeInputRequiredResult(const InputRequiredResult& result);
MCP_API InputRequiredResult DeserializeInputRequiredResult(const JsonValue& json);

MCP_API JsonValue SerializeEmptyResult(const EmptyResult& result);
MCP_API EmptyResult DeserializeEmptyResult(const JsonValue& json);
// A result with `input_required` is written as those questions, without anything else but `meta`.
MCP_API JsonValue SerializeCallToolResult(const CallToolResult& result);
MCP_API CallToolResult DeserializeCallToolResult(const JsonValue& json);
MCP_API JsonValue SerializeListToolsResult(const ListToolsResult& result);
MCP_API ListToolsResult DeserializeListToolsResult(const JsonValue& json);
MCP_API JsonValue SerializeListResourcesResult(const ListResourcesResult& result);
MCP_API ListResourcesResult DeserializeListResourcesResult(const JsonValue& json);
MCP_API JsonValue SerializeListResourceTemplatesResult(const ListResourceTemplatesResult& result);
MCP_API ListResourceTemplatesResult DeserializeListResourceTemplatesResult(const JsonValue& json);
MCP_API JsonValue SerializeReadResourceResult(const ReadResourceResult& result);
MCP_API ReadResourceResult DeserializeReadResourceResult(const JsonValue& json);
MCP_API JsonValue SerializeListPromptsResult(const ListPromptsResult& result);
MCP_API ListPromptsResult DeserializeListPromptsResult(const JsonValue& json);
MCP_API JsonValue SerializeGetPromptResult(const GetPromptResult& result);
MCP_API GetPromptResult DeserializeGetPromptResult(const JsonValue& json);
MCP_API JsonValue SerializeCompleteResult(const CompleteResult& result);
MCP_API CompleteResult DeserializeCompleteResult(const JsonValue& json);
MCP_API JsonValue SerializeInitializeResult(const InitializeResult& result);
MCP_API InitializeResult DeserializeInitializeResult(const JsonValue& json);
MCP_API JsonValue SerializeDiscoverResult(const DiscoverResult& result);
MCP_API DiscoverResult DeserializeDiscoverResult(const JsonValue& json);
MCP_API JsonValue SerializeElicitResult(const ElicitResult& result);
MCP_API ElicitResult DeserializeElicitResult(const JsonValue& json);
MCP_API JsonValue SerializeCreateMessageResult(const CreateMessageResult& result);
MCP_API CreateMessageResult DeserializeCreateMessageResult(const JsonValue& json);
MCP_API JsonValue SerializeRoot(const Root& root);
MCP_API Root DeserializeRoot(const JsonValue& json);
MCP_API JsonValue SerializeListRootsResult(const ListRootsResult& result);
MCP_API ListRootsResult DeserializeListRootsResult(const JsonValue& json);

MCP_API JsonValue SerializeProgressNotificationParams(const ProgressNotificationParams& params);
MCP_API ProgressNotificationParams DeserializeProgressNotificationParams(const JsonValue& json);
MCP_API JsonValue SerializeCancelledNotificationParams(const CancelledNotificationParams& params);
MCP_API CancelledNotificationParams DeserializeCancelledNotificationParams(const JsonValue& json);
MCP_API JsonValue SerializeLoggingMessageNotificationParams(const LoggingMessageNotificationParams& params);
MCP_API LoggingMessageNotificationParams DeserializeLoggingMessageNotificationParams(const JsonValue& json);

MCP_API JsonValue SerializeGetTaskResult(const GetTaskResult& result);
MCP_API GetTaskResult DeserializeGetTaskResult(const JsonValue& json);
MCP_API JsonValue SerializeCreateTaskResult(const CreateTaskResult& result);
MCP_API CreateTaskResult DeserializeCreateTaskResult(const JsonValue& json);
MCP_API JsonValue SerializeGetTaskRequestParams(const GetTaskRequestParams& params);
MCP_API GetTaskRequestParams DeserializeGetTaskRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeUpdateTaskRequestParams(const UpdateTaskRequestParams& params);
MCP_API UpdateTaskRequestParams DeserializeUpdateTaskRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeCancelTaskRequestParams(const CancelTaskRequestParams& params);
MCP_API CancelTaskRequestParams DeserializeCancelTaskRequestParams(const JsonValue& json);
MCP_API JsonValue SerializeTaskStatusNotificationParams(const TaskStatusNotificationParams& params);

}  // namespace mcp
