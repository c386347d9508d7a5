#pragma once

// The members of content blocks and of what they are made of.

#include <mcp/Implementation.hpp>

#include "fields.hpp"

namespace mcp::detail {

template <>
struct Fields<Icon> {
    template <class V, class T>
    static void Visit(V&& v, T& icon) {
        v.Must("src", icon.src);
        v.May("mimeType", icon.mime_type);
        v.May("sizes", icon.sizes);
        v.May("theme", icon.theme);
    }
};

// `Annotations` and `ResourceAnnotations`.
struct AnnotationFields {
    template <class V, class T>
    static void Visit(V&& v, T& annotations) {
        v.May("audience", annotations.audience);
        v.May("priority", annotations.priority);
        v.May("lastModified", annotations.last_modified);
    }
};

template <>
struct Fields<Annotations> : AnnotationFields {};

template <>
struct Fields<Implementation> {
    template <class V, class T>
    static void Visit(V&& v, T& implementation) {
        v.Must("name", implementation.name);
        v.Must("version", implementation.version);
        v.May("title", implementation.title);
        v.May("icons", implementation.icons);
        v.May("description", implementation.description);
        v.May("websiteUrl", implementation.website_url);
    }
};

template <>
struct Fields<TextResourceContents> {
    template <class V, class T>
    static void Visit(V&& v, T& contents) {
        v.Must("uri", contents.uri);
        v.Must("text", contents.text);
        v.May("mimeType", contents.mime_type);
        v.May("_meta", contents.meta);
    }
};

template <>
struct Fields<BlobResourceContents> {
    template <class V, class T>
    static void Visit(V&& v, T& contents) {
        v.Must("uri", contents.uri);
        v.Must("blob", contents.blob);
        v.May("mimeType", contents.mime_type);
        v.May("_meta", contents.meta);
    }
};

template <>
struct Fields<ResourceContents> {
    static void Read(const FieldReader& reader, ResourceContents& contents) {
        if (reader.Json().Contains("blob")) {
            reader.Get(contents.emplace<BlobResourceContents>());
        } else {
            reader.Get(contents.emplace<TextResourceContents>());
        }
    }
};

// What all blocks have. The type is the one of the C++ type, whatever its member says.
template <class V, class T>
void VisitBlock(V&& v, T& block, const char* type) {
    if constexpr (std::decay_t<V>::kWrites) {
        v.Must("type", std::string_view(type));
    } else {
        block.type = type;
    }
    v.May("annotations", block.annotations);
    v.May("_meta", block.meta);
}

template <>
struct Fields<TextContent> {
    static constexpr const char* kType = "text";

    template <class V, class T>
    static void Visit(V&& v, T& block) {
        VisitBlock(v, block, kType);
        v.Must("text", block.text);
    }
};

struct MediaFields {
    template <class V, class T>
    static void VisitMedia(V&& v, T& block, const char* type) {
        VisitBlock(v, block, type);
        v.Must("data", block.data);
        v.Must("mimeType", block.mime_type);
    }
};

template <>
struct Fields<ImageContent> : MediaFields {
    static constexpr const char* kType = "image";

    template <class V, class T>
    static void Visit(V&& v, T& block) {
        VisitMedia(v, block, kType);
    }
};

template <>
struct Fields<AudioContent> : MediaFields {
    static constexpr const char* kType = "audio";

    template <class V, class T>
    static void Visit(V&& v, T& block) {
        VisitMedia(v, block, kType);
    }
};

template <>
struct Fields<EmbeddedResource> {
    static constexpr const char* kType = "resource";

    template <class V, class T>
    static void Visit(V&& v, T& block) {
        VisitBlock(v, block, kType);
        v.Must("resource", block.resource);
    }
};

template <>
struct Fields<ResourceLink> {
    static constexpr const char* kType = "resource_link";

    template <class V, class T>
    static void Visit(V&& v, T& link) {
        VisitBlock(v, link, kType);
        v.Must("uri", link.uri);
        if constexpr (std::decay_t<V>::kWrites) {
            v.Must("name", !link.name.empty() ? link.name : link.title.value_or(link.uri));
        } else {
            v.May("name", link.name);
        }
        v.May("title", link.title);
        v.May("description", link.description);
        v.May("mimeType", link.mime_type);
        v.May("size", link.size);
        v.May("icons", link.icons);
    }
};

template <>
struct Fields<ContentVariant> {
    static void Read(const FieldReader& reader, ContentVariant& content) {
        std::string type;
        reader.Must("type", type);
        ReadAs<TextContent, ImageContent, AudioContent, EmbeddedResource, ResourceLink>(reader, content, type);
    }

private:
    template <class First, class... Others>
    static void ReadAs(const FieldReader& reader, ContentVariant& content, const std::string& type) {
        if (type == Fields<First>::kType) return reader.Get(content.emplace<First>());
        if constexpr (sizeof...(Others) != 0) {
            ReadAs<Others...>(reader, content, type);
        } else {
            reader.Fail("is a content block of an unknown type");
        }
    }
};

}  // namespace mcp::detail
