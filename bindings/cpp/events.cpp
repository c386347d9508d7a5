// The host's callbacks for what happens.

#include <mcp/JsonRpc.hpp>
#include <mcp/server/ServerOptions.hpp>

#include <memory>
#include <utility>
#include <variant>

#include "server_core.hpp"

namespace mcp::detail {

namespace {

template <class Function>
struct Listener {
    Function function;
};

// Calls `call(function, subject, detail)` for one kind of event, if the host has a function for it.
template <auto Call, class Function>
void Listen(mcp_options_t* c, std::int32_t event, const Function& function) {
    using Entry = Listener<Function>;
    if (!function) {
        return;
    }
    auto entry = std::make_unique<Entry>(Entry{function});
    const auto called = [](void* data, mcp_str subject, mcp_str detail) {
        try {
            Call(static_cast<const Entry*>(data)->function, View(subject), View(detail));
        } catch (...) {
            // What passes is not to be disturbed by who watches.
        }
    };
    mcp_options_on_event(c, event, called, entry.release(), Destroy<Entry>);
}

using Plain = std::function<void()>;
using Text = std::function<void(std::string_view)>;
using OnRequest = std::function<void(std::string_view, const JsonRpcRequest&)>;
using OnResponse = std::function<void(const JsonRpcResponse&)>;
using OnNotification = std::function<void(const JsonRpcNotification&)>;
using OnClient = std::function<void(const Implementation&)>;

void CallPlain(const Plain& function, std::string_view, std::string_view) { function(); }

void CallText(const Text& function, std::string_view subject, std::string_view) { function(subject); }

void CallRequest(const OnRequest& function, std::string_view subject, std::string_view detail) {
    const JsonRpcMessage message = DeserializeMessage(detail);
    if (const JsonRpcRequest* request = AsRequest(message)) {
        function(subject, *request);
    }
}

void CallResponse(const OnResponse& function, std::string_view, std::string_view detail) {
    const JsonRpcMessage message = DeserializeMessage(detail);
    if (const JsonRpcResponse* response = AsResponse(message)) {
        function(*response);
    }
}

void CallNotification(const OnNotification& function, std::string_view, std::string_view detail) {
    const JsonRpcMessage message = DeserializeMessage(detail);
    if (const JsonRpcNotification* notification = AsNotification(message)) {
        function(*notification);
    }
}

// The host's function, and the server that remembers the client.
struct ClientListener {
    std::shared_ptr<ServerCore> core;
    OnClient function;

    explicit operator bool() const noexcept { return true; }
};

void CallClient(const ClientListener& listener, std::string_view, std::string_view detail) {
    const Implementation client = DeserializeImplementation(JsonValue::Parse(detail));
    listener.core->Remember(client);
    if (listener.function) {
        listener.function(client);
    }
}

using OnError = std::function<void(const JsonRpcErrorResponse&)>;

// The event of the C interface does not know the id of the request, so that whole errors are seen as they leave.
void SeeError(void* data, mcp_str text, mcp_filter_next_t* next) {
    mcp_str found;
    if (mcp_json_find(text, Str("error"), &found)) {
        try {
            const JsonRpcMessage message = DeserializeMessage(View(text));
            if (const JsonRpcErrorResponse* error = AsError(message)) {
                (*static_cast<const OnError*>(data))(*error);
            }
        } catch (...) {
            // As above.
        }
    }
    mcp_error_delete(mcp_filter_pass(next, text));
}

}  // namespace

void SetEvents(mcp_options_t* c, const ServerOptions& options, const std::shared_ptr<ServerCore>& core) {
    Listen<CallRequest>(c, MCP_EVENT_REQUEST, options.on_request);
    Listen<CallNotification>(c, MCP_EVENT_NOTIFICATION, options.on_notification);
    Listen<CallResponse>(c, MCP_EVENT_RESPONSE, options.on_response);
    Listen<CallClient>(c, MCP_EVENT_CLIENT_CONNECTED, ClientListener{core, options.on_client_connected});
    Listen<CallPlain>(c, MCP_EVENT_INITIALIZED, options.on_initialized);
    Listen<CallPlain>(c, MCP_EVENT_TRANSPORT_CLOSE, options.on_transport_close);
    Listen<CallText>(c, MCP_EVENT_TRANSPORT_ERROR, options.on_transport_error);
    Listen<CallText>(c, MCP_EVENT_METHOD_CALLED, options.on_method_called);
    Listen<CallText>(c, MCP_EVENT_PROTOCOL_ERROR, options.on_protocol_error);
    if (options.on_error) {
        auto entry = std::make_unique<OnError>(options.on_error);
        mcp_options_add_outgoing_filter(c, SeeError, entry.release(), Destroy<OnError>);
    }
}

}  // namespace mcp::detail
