// Both ends of a connection in one process, for tests and for hosts that are their own client.
#pragma once

#include <mcp/Transport.hpp>

#include <memory>

namespace mcp {

// `SendMessageAsync` of the client's end sends to the server; the answers come out of the client's channel
// (`client->GetMessageChannel().Receive()`). A client that does not take its messages makes the server wait with further
// ones.
class InMemoryTransport {
public:
    struct Pair {
        std::shared_ptr<ITransport> client;
        std::shared_ptr<ITransport> server;
    };

    static Pair CreatePair();
};

}  // namespace mcp
