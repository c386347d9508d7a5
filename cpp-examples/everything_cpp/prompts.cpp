// Prompts, and the completion of arguments.

#include <optional>
#include <utility>
#include <vector>

#include "everything.hpp"

namespace everything {

namespace {

using Arguments = std::optional<mcp::JsonValue>;

mcp::PromptOptions DescribedAs(std::string_view description) {
    mcp::PromptOptions options;
    options.Description(description);
    return options;
}

mcp::PromptArgument Required(const std::string& name, const std::string& description) {
    return {name, description, true};
}

// A required argument: the server calls no prompt without it.
const std::string& TextOf(const Arguments& arguments, std::string_view name) {
    return arguments.value().At(name).GetString();
}

void AddUser(mcp::GetPromptResult& result, mcp::ContentVariant content) {
    result.messages.push_back({"user", std::move(content)});
}

mcp::GetPromptResult UserText(std::string text) {
    mcp::GetPromptResult result;
    AddUser(result, mcp::TextContent{"text", std::move(text)});
    return result;
}

mcp::GetPromptResult Simple(const std::string&, const Arguments&) {
    return UserText("This is a simple prompt for testing.");
}

mcp::GetPromptResult WithArguments(const std::string&, const Arguments& arguments) {
    return UserText("Prompt with arguments: arg1='" + TextOf(arguments, "arg1") + "', arg2='" +
                    TextOf(arguments, "arg2") + "'");
}

mcp::GetPromptResult WithResource(const std::string&, const Arguments& arguments) {
    mcp::EmbeddedResource embedded;
    embedded.resource = mcp::TextResourceContents{TextOf(arguments, "resourceUri"),
                                                  "Embedded resource content for testing.", "text/plain"};
    mcp::GetPromptResult result;
    AddUser(result, std::move(embedded));
    AddUser(result, mcp::TextContent{"text", "Please process the embedded resource above."});
    return result;
}

mcp::GetPromptResult WithImage(const std::string&, const Arguments&) {
    mcp::GetPromptResult result;
    AddUser(result, mcp::ImageContent{"image", kPixel, "image/png"});
    AddUser(result, mcp::TextContent{"text", "Please analyze the image above."});
    return result;
}

mcp::GetPromptResult WithQuestion(const mcp::RequestContext<mcp::GetPromptRequestParams>& ctx) {
    return UserText("Use this context: " +
                    AskText(ctx, "user_context", "What context should the prompt use?", "context"));
}

// What can be completed, by what it belongs to.
std::vector<std::string> Known(const mcp::JsonValue& reference) {
    const mcp::JsonValue* name = reference.Find("name");
    const mcp::JsonValue* uri = reference.Find("uri");
    if (name != nullptr && *name == "test_prompt_with_arguments") {
        return {"test1", "test2", "other"};
    }
    if (uri != nullptr && *uri == "test://template/{id}/data") {
        return {"1", "12", "123"};
    }
    return {};
}

mcp::CompleteResult Complete(const mcp::CompleteRequestParams& params) {
    const std::string& prefix = params.argument_value;
    mcp::JsonValue values(mcp::JsonValue::array_tag);
    for (const std::string& value : Known(params.ref)) {
        if (value.compare(0, prefix.size(), prefix) == 0) {
            values.PushBack(value);
        }
    }
    mcp::CompleteResult result;
    result.completion = mcp::JsonValue::Object{{"values", std::move(values)}};
    return result;
}

}  // namespace

void RegisterPrompts(mcp::McpServer& server) {
    server.RegisterPrompt("test_simple_prompt", DescribedAs("Has no arguments"), Simple);
    server.RegisterPrompt("test_prompt_with_arguments",
                          DescribedAs("Has two arguments")
                              .Arguments({Required("arg1", "The first argument"), Required("arg2", "The second argument")}),
                          WithArguments);
    server.RegisterPrompt("test_prompt_with_embedded_resource",
                          DescribedAs("Has a resource in it").Arguments({Required("resourceUri", "URI of the resource")}),
                          WithResource);
    server.RegisterPrompt("test_prompt_with_image", DescribedAs("Has a picture in it"), WithImage);
    server.RegisterPromptWithContext("test_input_required_result_prompt", DescribedAs("Asks the person first"),
                                     WithQuestion);
    server.SetCompletionHandler(Complete);
}

}  // namespace everything
