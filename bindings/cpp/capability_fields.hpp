#pragma once

// The members of capabilities.

#include <mcp/Capabilities.hpp>

#include "fields.hpp"

namespace mcp::detail {

struct NoFields {
    template <class V, class T>
    static void Visit(V&&, T&) {}
};

struct ListChangedFields {
    template <class V, class T>
    static void Visit(V&& v, T& capability) {
        v.May("listChanged", capability.list_changed);
    }
};

template <>
struct Fields<EmptyCapability> : NoFields {};
template <>
struct Fields<SamplingCapability> : NoFields {};
template <>
struct Fields<ToolsCapability> : ListChangedFields {};
template <>
struct Fields<PromptsCapability> : ListChangedFields {};
template <>
struct Fields<RootsCapability> : ListChangedFields {};

template <>
struct Fields<ResourcesCapability> {
    template <class V, class T>
    static void Visit(V&& v, T& capability) {
        v.May("subscribe", capability.subscribe);
        v.May("listChanged", capability.list_changed);
    }
};

template <>
struct Fields<ElicitationCapability> {
    template <class V, class T>
    static void Visit(V&& v, T& capability) {
        v.May("form", capability.form);
        v.May("url", capability.url);
    }
};

template <>
struct Fields<ClientCapabilities> {
    template <class V, class T>
    static void Visit(V&& v, T& capabilities) {
        v.May("roots", capabilities.roots);
        v.May("sampling", capabilities.sampling);
        v.May("elicitation", capabilities.elicitation);
        v.May("extensions", capabilities.extensions);
        v.May("experimental", capabilities.experimental);
    }
};

template <>
struct Fields<ServerCapabilities> {
    template <class V, class T>
    static void Visit(V&& v, T& capabilities) {
        v.May("tools", capabilities.tools);
        v.May("resources", capabilities.resources);
        v.May("prompts", capabilities.prompts);
        v.May("logging", capabilities.logging);
        v.May("sampling", capabilities.sampling);
        v.May("roots", capabilities.roots);
        v.May("elicitation", capabilities.elicitation);
        v.May("completions", capabilities.completions);
        v.May("subscriptions", capabilities.subscriptions);
        v.May("extensions", capabilities.extensions);
        v.May("experimental", capabilities.experimental);
    }
};

}  // namespace mcp::detail
