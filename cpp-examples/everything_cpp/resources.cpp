// Resources, and a template of them.

#include <map>

#include "everything.hpp"

namespace everything {

namespace {

mcp::ResourceOptions DescribedAs(std::string_view description, std::string_view mime_type) {
    mcp::ResourceOptions options;
    options.Description(description).MimeType(mime_type);
    return options;
}

mcp::ReadResourceResult Contents(mcp::ResourceContents contents) {
    mcp::ReadResourceResult result;
    result.contents.push_back(std::move(contents));
    return result;
}

mcp::ReadResourceResult StaticText(const std::string& uri) {
    return Contents(
        mcp::TextResourceContents{uri, "This is the content of the static text resource.", "text/plain"});
}

mcp::ReadResourceResult StaticBinary(const std::string& uri) {
    return Contents(mcp::BlobResourceContents{uri, kPixel, "image/png"});
}

mcp::ReadResourceResult Watched(const std::string& uri) {
    return Contents(
        mcp::TextResourceContents{uri, "The tool \"notify\" announces changes of this resource.", "text/plain"});
}

mcp::ReadResourceResult Data(const std::string& uri, const std::map<std::string, std::string>& variables) {
    const std::string& id = variables.at("id");
    const mcp::JsonValue data(
        mcp::JsonValue::Object{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}});
    return Contents(mcp::TextResourceContents{uri, data.Dump(), "application/json"});
}

}  // namespace

void RegisterResources(mcp::McpServer& server) {
    server.RegisterResource("static-text", "test://static-text", DescribedAs("Text", "text/plain"), StaticText);
    server.RegisterResource("static-binary", "test://static-binary", DescribedAs("A picture", "image/png"),
                            StaticBinary);
    server.RegisterResource("watched-resource", "test://watched-resource", DescribedAs("To subscribe to", "text/plain"),
                            Watched);
    server.RegisterResourceTemplate("template", "test://template/{id}/data",
                                    DescribedAs("Data for any id", "application/json"), Data);
}

}  // namespace everything
