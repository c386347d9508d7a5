// Looking at, changing and stopping whole messages.
#pragma once

#include <mcp/JsonRpc.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace mcp {

// Passes a message on. To be called during the filter, once or not at all; later calls have no effect.
using MessageFilterNext = std::function<void(const JsonRpcMessage&)>;
using MessageFilterFunc = std::function<void(const JsonRpcMessage&, std::function<void(const JsonRpcMessage&)>)>;

// One filter. It is called on the thread that serves the connection, possibly several at once, and should be quick. A filter
// that throws before it has called `next` stops the message.
class MessageFilter {
public:
    virtual ~MessageFilter() = default;

    // Calls `next` with the message, changed or not, to let it go on; otherwise it is stopped, and a request that arrives is
    // refused with an error.
    virtual void Filter(const JsonRpcMessage& message, MessageFilterNext next) = 0;
};

// A filter made of a function.
class MessageFilterFuncAdapter : public MessageFilter {
public:
    explicit MessageFilterFuncAdapter(MessageFilterFunc function);
    void Filter(const JsonRpcMessage& message, MessageFilterNext next) override;

private:
    MessageFilterFunc function_;
};

// Filters in a row: the first one that was added sees a message first. Filters may be added at any time, from any thread.
class FilterPipeline {
public:
    void AddFilter(std::shared_ptr<MessageFilter> filter);

    // Runs a message through all filters; what comes out is given to `final_handler`.
    void Execute(const JsonRpcMessage& message, MessageFilterNext final_handler);

private:
    using Filters = std::vector<std::shared_ptr<MessageFilter>>;

    std::mutex mutex_;
    std::shared_ptr<const Filters> filters_;
};

}  // namespace mcp
