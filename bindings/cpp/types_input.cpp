// What a server asks a client: the JSON of questions and of their answers.

#include "result_fields.hpp"

namespace mcp {
namespace {

template <class Params>
JsonValue MakeRequest(std::string_view method, const Params& params) {
    JsonValue request(JsonValue::object_tag);
    request["method"] = JsonValue(std::string(method));
    request["params"] = detail::ToJson(params);
    return request;
}

}  // namespace

JsonValue MakeInputRequestForElicitation(const ElicitRequestParams& params) {
    return MakeRequest(methods::kElicit, params);
}

JsonValue MakeInputRequestForSampling(const CreateMessageRequestParams& params) {
    return MakeRequest(methods::kCreateMessage, params);
}

JsonValue MakeInputRequestForRoots(const ListRootsRequestParams& params) {
    return MakeRequest(methods::kListRoots, params);
}

JsonValue MakeInputResponseFromElicitResult(const ElicitResult& result) { return detail::ToJson(result); }
JsonValue MakeInputResponseFromCreateMessageResult(const CreateMessageResult& result) { return detail::ToJson(result); }
JsonValue MakeInputResponseFromListRootsResult(const ListRootsResult& result) { return detail::ToJson(result); }

bool IsInputRequiredResult(const JsonValue& result) {
    const JsonValue* type = result.Find("resultType");
    return type != nullptr && type->IsString() && type->GetString() == "input_required";
}

std::optional<InputRequests> ExtractInputRequests(const JsonValue& result) {
    if (!IsInputRequiredResult(result)) return std::nullopt;
    return detail::FromJson<InputRequiredResult>(result).input_requests;
}

MCP_SERIALIZE_BOTH(SamplingMessage)
MCP_SERIALIZE_BOTH(CreateMessageRequestParams)
MCP_SERIALIZE_BOTH(ListRootsRequestParams)
MCP_SERIALIZE_BOTH(ElicitRequestParams)
MCP_SERIALIZE_BOTH(InputRequest)
MCP_SERIALIZE_BOTH(InputRequests)
MCP_SERIALIZE_BOTH(InputRequiredResult)
MCP_SERIALIZE_BOTH(ElicitResult)
MCP_SERIALIZE_BOTH(CreateMessageResult)
MCP_SERIALIZE_BOTH(Root)
MCP_SERIALIZE_BOTH(ListRootsResult)

}  // namespace mcp
