#pragma once

// The transports of this library, as the server sees them: they are served by the C interface, not message by message.

#include <mcp/Transport.hpp>

#include <memory>
#include <optional>

#include <mcp/Implementation.hpp>

namespace mcp::detail {

class ServerCore;

class BuiltinTransport {
public:
    virtual ~BuiltinTransport() = default;

    // Who the server is where its options do not say.
    virtual std::optional<Implementation> Info() const { return std::nullopt; }

    // Whether `Create` starts it, or `Run`.
    virtual bool StartsAtOnce() const noexcept { return true; }

    // Takes the server that it is to serve. Throws when it has one already.
    virtual void Attach(const std::shared_ptr<ServerCore>& core) = 0;

    // Begins to serve, if it has a server and has not begun. Throws what went wrong.
    virtual void Start() = 0;

    // The server has closed its transports.
    virtual void Closed() noexcept = 0;
};

// The way to the private parts of transports.
struct TransportAccess {
    static BuiltinTransport* Builtin(ITransport& transport) noexcept { return transport.Builtin(); }
    static TransportBase* Base(ITransport& transport) noexcept { return transport.Base(); }

    // Callbacks of the server's, beside those of the host.
    static void Listen(TransportBase& transport, std::function<void()> on_close,
                       std::function<void(std::string_view)> on_error);
};

}  // namespace mcp::detail
