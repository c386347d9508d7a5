#include <mcp/protocol/MessageChannel.hpp>

#include <utility>

#include "channel_state.hpp"

namespace mcp {

namespace detail {

namespace {

// How long a sender waits for a server that is behind, before it tries again.
constexpr std::chrono::milliseconds kLater{1};

}  // namespace

bool ChannelState::Send(JsonRpcMessage message, bool wait) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!sink_ && wait) {
        changed_.wait(lock, [this] { return !open_ || sink_ || queue_.size() < max_buffer_; });
    }
    if (!open_) {
        return false;
    }
    if (sink_) {
        const std::shared_ptr<ChannelSink> sink = sink_;
        lock.unlock();
        return Give(sink, message, wait);
    }
    if (queue_.size() >= max_buffer_) {
        return false;
    }
    queue_.push_back(std::move(message));
    lock.unlock();
    changed_.notify_all();
    return true;
}

bool ChannelState::Give(const std::shared_ptr<ChannelSink>& sink, const JsonRpcMessage& message, bool wait) {
    while (true) {
        const ChannelSink::Taken taken = sink->Take(message);
        if (taken != ChannelSink::Taken::kLater || !wait) {
            return taken == ChannelSink::Taken::kYes;
        }
        std::unique_lock<std::mutex> lock(mutex_);
        if (changed_.wait_for(lock, kLater, [this] { return !open_; })) {
            return false;
        }
    }
}

std::optional<JsonRpcMessage> ChannelState::Receive(const std::chrono::milliseconds* timeout) {
    const auto ready = [this] { return !open_ || !queue_.empty(); };
    std::unique_lock<std::mutex> lock(mutex_);
    if (timeout == nullptr) {
        changed_.wait(lock, ready);
    } else if (!changed_.wait_for(lock, *timeout, ready)) {
        return std::nullopt;
    }
    if (queue_.empty()) {
        return std::nullopt;
    }
    std::optional<JsonRpcMessage> message(std::move(queue_.front()));
    queue_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return message;
}

void ChannelState::Close() {
    std::shared_ptr<ChannelSink> sink;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!open_) {
            return;
        }
        open_ = false;
        sink = sink_;
    }
    changed_.notify_all();
    if (sink) {
        sink->Ended();
    }
}

bool ChannelState::IsOpen() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return open_;
}

bool ChannelState::Empty() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return queue_.empty();
}

void ChannelState::SetSink(std::shared_ptr<ChannelSink> sink) {
    bool ended = false;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        sink_ = sink;
        // What came before is given first. A sink takes more than a channel holds, and takes it without waiting.
        for (; sink && !queue_.empty(); queue_.pop_front()) {
            static_cast<void>(sink->Take(queue_.front()));
        }
        ended = !open_;
    }
    changed_.notify_all();
    if (ended && sink) {
        sink->Ended();
    }
}

}  // namespace detail

MessageChannel::MessageChannel(std::size_t max_buffer) : state_(std::make_shared<detail::ChannelState>(max_buffer)) {}

MessageChannel::~MessageChannel() = default;

bool MessageChannel::Send(JsonRpcMessage message) { return state_->Send(std::move(message), true); }

bool MessageChannel::TrySend(JsonRpcMessage message) { return state_->Send(std::move(message), false); }

std::optional<JsonRpcMessage> MessageChannel::Receive() { return state_->Receive(nullptr); }

std::optional<JsonRpcMessage> MessageChannel::Receive(std::chrono::milliseconds timeout) {
    return state_->Receive(&timeout);
}

void MessageChannel::Close() { state_->Close(); }

bool MessageChannel::IsOpen() const { return state_->IsOpen(); }

bool MessageChannel::Empty() const { return state_->Empty(); }

}  // namespace mcp
