#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <mcp/JsonValue.hpp>

// Pieces of content: what tools return and prompts and resources contain.
//
// `SerializeX` gives the JSON of the newest revision; members that are absent, or lists that are empty where they are
// optional, are left out. `DeserializeX` reads it, and throws `McpError(DeserializeFailed)` that names the member when it is
// missing or of a wrong type; it passes over members that it does not know.

namespace mcp {

struct Icon {
    std::string src{};
    std::optional<std::string> mime_type{};
    std::optional<std::vector<std::string>> sizes{};
    std::optional<std::string> theme{};
};

struct Annotations {
    std::optional<std::vector<std::string>> audience{};
    std::optional<double> priority{};
    std::optional<std::string> last_modified{};
};

struct TextResourceContents {
    std::string uri{};
    std::string text{};
    std::optional<std::string> mime_type{};
    std::optional<JsonValue> meta{};
};

// `blob` is base64.
struct BlobResourceContents {
    std::string uri{};
    std::string blob{};
    std::optional<std::string> mime_type{};
    std::optional<JsonValue> meta{};
};

using ResourceContents = std::variant<TextResourceContents, BlobResourceContents>;

// The protocol has no media type for text: `mime_type` is for the host itself.
struct TextContent {
    std::string type{"text"};
    std::string text{};
    std::optional<std::string> mime_type{};
    std::optional<Annotations> annotations{};
    std::optional<JsonValue> meta{};
};

// `data` is base64.
struct ImageContent {
    std::string type{"image"};
    std::string data{};
    std::string mime_type{};
    std::optional<Annotations> annotations{};
    std::optional<JsonValue> meta{};
};

// `data` is base64.
struct AudioContent {
    std::string type{"audio"};
    std::string data{};
    std::string mime_type{};
    std::optional<Annotations> annotations{};
    std::optional<JsonValue> meta{};
};

struct EmbeddedResource {
    std::string type{"resource"};
    ResourceContents resource{};
    std::optional<Annotations> annotations{};
    std::optional<JsonValue> meta{};
};

// The protocol requires a name: where it is empty, the title or else the URI stands for it.
struct ResourceLink {
    std::string type{"resource_link"};
    std::string uri{};
    std::optional<std::string> title{};
    std::optional<Annotations> annotations{};
    std::optional<JsonValue> meta{};
    std::string name{};
    std::optional<std::string> description{};
    std::optional<std::string> mime_type{};
    std::optional<std::int64_t> size{};
    std::vector<Icon> icons{};
};

using ContentVariant = std::variant<TextContent, ImageContent, AudioContent, EmbeddedResource, ResourceLink>;

MCP_API JsonValue SerializeIcon(const Icon& icon);
MCP_API Icon DeserializeIcon(const JsonValue& json);
MCP_API JsonValue SerializeAnnotations(const Annotations& annotations);
MCP_API Annotations DeserializeAnnotations(const JsonValue& json);
MCP_API JsonValue SerializeTextResourceContents(const TextResourceContents& contents);
MCP_API TextResourceContents DeserializeTextResourceContents(const JsonValue& json);
MCP_API JsonValue SerializeBlobResourceContents(const BlobResourceContents& contents);
MCP_API BlobResourceContents DeserializeBlobResourceContents(const JsonValue& json);
MCP_API JsonValue SerializeResourceContents(const ResourceContents& contents);
MCP_API ResourceContents DeserializeResourceContents(const JsonValue& json);
MCP_API JsonValue SerializeTextContent(const TextContent& content);
MCP_API TextContent DeserializeTextContent(const JsonValue& json);
MCP_API JsonValue SerializeImageContent(const ImageContent& content);
MCP_API ImageContent DeserializeImageContent(const JsonValue& json);
MCP_API JsonValue SerializeAudioContent(const AudioContent& content);
MCP_API AudioContent DeserializeAudioContent(const JsonValue& json);
MCP_API JsonValue SerializeEmbeddedResource(const EmbeddedResource& content);
MCP_API EmbeddedResource DeserializeEmbeddedResource(const JsonValue& json);
MCP_API JsonValue SerializeResourceLink(const ResourceLink& content);
MCP_API ResourceLink DeserializeResourceLink(const JsonValue& json);
MCP_API JsonValue SerializeContentVariant(const ContentVariant& content);
MCP_API ContentVariant DeserializeContentVariant(const JsonValue& json);

}  // namespace mcp

// Every tool adds content to such a list: its code is made once, in the library, rather than wherever it is used.
extern template class std::vector<mcp::ContentVariant>;
extern template mcp::ContentVariant& std::vector<mcp::ContentVariant>::emplace_back<mcp::ContentVariant>(
    mcp::ContentVariant&&);
