#include <mcp/transport/InMemoryTransport.hpp>

#include <memory>
#include <string>
#include <utility>

#include "channel_state.hpp"

namespace mcp {

namespace {

// Messages that wait at one end.
constexpr std::size_t kBuffer = 1024;

class End : public ITransport {
public:
    std::string_view SessionId() const override { return "memory"; }
    MessageChannel& GetMessageChannel() override { return own_; }
    void SendMessageAsync(JsonRpcMessage message) override { other_->Send(std::move(message), true); }

    void Close() override {
        own_.Close();
        other_->Close();
    }

    void SetOther(std::shared_ptr<detail::ChannelState> other) { other_ = std::move(other); }

private:
    MessageChannel own_{kBuffer};
    std::shared_ptr<detail::ChannelState> other_;
};

}  // namespace

InMemoryTransport::Pair InMemoryTransport::CreatePair() {
    auto client = std::make_shared<End>();
    auto server = std::make_shared<End>();
    client->SetOther(detail::ChannelAccess::Shared(server->GetMessageChannel()));
    server->SetOther(detail::ChannelAccess::Shared(client->GetMessageChannel()));
    return {std::move(client), std::move(server)};
}

}  // namespace mcp
