// Resources, a template, prompts and completion over HTTP: a small library of recipes.
//
//     http_server [PORT]     # at http://127.0.0.1:PORT/mcp; any free port without one

#include <mcp/server/McpServer.hpp>
#include <mcp/transport/StreamableHttpServerTransport.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "../common/signals.hpp"

namespace {

const std::map<std::string, std::string>& Recipes() {
    static const std::map<std::string, std::string> recipes{
        {"pancakes", "Mix flour, milk and eggs. Fry thin layers in butter."},
        {"pasta", "Boil in much salted water. Serve with oil and garlic."},
        {"pesto", "Crush basil, nuts, garlic, cheese and oil."},
    };
    return recipes;
}

mcp::ReadResourceResult Text(const std::string& uri, const std::string& text) {
    mcp::ReadResourceResult result;
    result.contents.push_back(mcp::TextResourceContents{uri, text, "text/plain"});
    return result;
}

mcp::ReadResourceResult ReadIndex(const std::string& uri) {
    std::string names;
    for (const auto& [name, recipe] : Recipes()) {
        names += name + "\n";
    }
    return Text(uri, names);
}

mcp::ReadResourceResult ReadRecipe(const std::string& uri, const std::map<std::string, std::string>& variables) {
    const auto found = Recipes().find(variables.at("name"));
    if (found == Recipes().end()) {
        throw mcp::McpError(mcp::McpErrorCode::ResourceNotFound, "There is no recipe " + uri);
    }
    return Text(uri, found->second);
}

mcp::GetPromptResult CookPrompt(const std::string&, const std::optional<mcp::JsonValue>& arguments) {
    const std::string& recipe = arguments.value().At("recipe").GetString();
    mcp::GetPromptResult result;
    result.description = "How to cook a recipe";
    result.messages.push_back({"user", mcp::TextContent{"text", "Explain how to cook " + recipe + ", step by step."}});
    return result;
}

// Names of recipes, for the argument of the prompt and the variable of the template.
mcp::CompleteResult Complete(const mcp::CompleteRequestParams& params) {
    mcp::JsonValue values(mcp::JsonValue::array_tag);
    for (const auto& [name, recipe] : Recipes()) {
        if (name.compare(0, params.argument_value.size(), params.argument_value) == 0) {
            values.PushBack(name);
        }
    }
    mcp::CompleteResult result;
    result.completion = mcp::JsonValue(mcp::JsonValue::Object{{"values", std::move(values)}, {"hasMore", false}});
    return result;
}

void Serve(std::uint16_t port) {
    mcp::StreamableHttpServerOptions http;
    http.port = port;
    http.stateless = false;  // clients of the legacy revisions get sessions

    auto transport = std::make_shared<mcp::StreamableHttpServerTransport>(http);

    mcp::ServerOptions options;
    options.server_info = mcp::Implementation{"recipes", "1.0.0"};
    options.cache_hints = std::map<std::string, mcp::CacheHint, std::less<>>{{"resources/read", {60000, "public"}}};
    auto server = mcp::McpServer::Create(transport, options);

    server->RegisterResource("index", "recipe:///", mcp::ResourceOptions{}.Description("The names of all recipes"),
                             ReadIndex);
    server->RegisterResourceTemplate("recipe", "recipe:///{name}",
                                     mcp::ResourceOptions{}.Description("One recipe").MimeType("text/plain"), ReadRecipe);
    server->RegisterPrompt(
        "cook", mcp::PromptOptions{}.Description("Cook something").Arguments({{"recipe", "Name of a recipe", true}}),
        CookPrompt);
    server->SetCompletionHandler(Complete);

    const examples::CloseOnSignal close_on_signal(*server);
    std::fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n", static_cast<unsigned>(transport->Port()));
    server->Run();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        Serve(static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0));
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "http_server: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
