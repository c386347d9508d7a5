// Filters of whole messages.

#include <mcp/protocol/MessageFilter.hpp>
#include <mcp/server/ServerOptions.hpp>

#include <atomic>
#include <memory>
#include <utility>

#include "server_core.hpp"

namespace mcp {

namespace detail {

namespace {

// Runs the filters from number `at` on. What `next` holds stays alive for as long as a filter keeps it.
void RunFrom(const std::shared_ptr<const std::vector<std::shared_ptr<MessageFilter>>>& filters, std::size_t at,
             const JsonRpcMessage& message, const std::shared_ptr<MessageFilterNext>& final_handler) {
    if (at == filters->size()) {
        return (*final_handler)(message);
    }
    // Later calls of `next` have no effect.
    auto passed = std::make_shared<std::atomic<bool>>(false);
    (*filters)[at]->Filter(message, [filters, at, final_handler, passed](const JsonRpcMessage& changed) {
        if (!passed->exchange(true)) {
            RunFrom(filters, at + 1, changed, final_handler);
        }
    });
}

// A message on its way; nothing can be passed on after the filters have returned.
struct Passage {
    std::mutex mutex;
    mcp_filter_next_t* next;
    mcp_str text;
    const JsonRpcMessage* original;
};

void Pass(Passage& passage, const JsonRpcMessage& message) {
    const std::lock_guard<std::mutex> lock(passage.mutex);
    if (passage.next == nullptr) {
        return;
    }
    // An unchanged message goes on byte by byte.
    if (&message == passage.original) {
        mcp_error_delete(mcp_filter_pass(passage.next, passage.text));
    } else {
        mcp_error_delete(mcp_filter_pass(passage.next, Str(SerializeMessage(message))));
    }
}

using Pipeline = std::shared_ptr<FilterPipeline>;

void Filter(void* data, mcp_str text, mcp_filter_next_t* next) {
    auto& pipeline = *static_cast<const Pipeline*>(data);
    try {
        const JsonRpcMessage message = DeserializeMessage(View(text));
        auto passage = std::make_shared<Passage>();
        passage->next = next;
        passage->text = text;
        passage->original = &message;
        const auto close = [](Passage* open) {
            const std::lock_guard<std::mutex> lock(open->mutex);
            open->next = nullptr;
        };
        const std::unique_ptr<Passage, decltype(close)> guard(passage.get(), close);
        pipeline->Execute(message, [passage](const JsonRpcMessage& passed) { Pass(*passage, passed); });
    } catch (...) {
        // A message that can't be looked at, or whose filter failed, is stopped.
    }
}

}  // namespace

void SetFilters(mcp_options_t* c, const ServerOptions& options) {
    if (options.incoming_filters) {
        auto entry = std::make_unique<Pipeline>(options.incoming_filters);
        mcp_options_add_incoming_filter(c, Filter, entry.release(), Destroy<Pipeline>);
    }
    if (options.outgoing_filters) {
        auto entry = std::make_unique<Pipeline>(options.outgoing_filters);
        mcp_options_add_outgoing_filter(c, Filter, entry.release(), Destroy<Pipeline>);
    }
}

}  // namespace detail

MessageFilterFuncAdapter::MessageFilterFuncAdapter(MessageFilterFunc function) : function_(std::move(function)) {}

void MessageFilterFuncAdapter::Filter(const JsonRpcMessage& message, MessageFilterNext next) {
    function_(message, std::move(next));
}

void FilterPipeline::AddFilter(std::shared_ptr<MessageFilter> filter) {
    if (!filter) {
        return;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    auto next = filters_ ? std::make_shared<Filters>(*filters_) : std::make_shared<Filters>();
    next->push_back(std::move(filter));
    filters_ = std::move(next);
}

void FilterPipeline::Execute(const JsonRpcMessage& message, MessageFilterNext final_handler) {
    std::shared_ptr<const Filters> filters;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        filters = filters_;
    }
    if (!filters) {
        return final_handler(message);
    }
    detail::RunFrom(filters, 0, message, std::make_shared<MessageFilterNext>(std::move(final_handler)));
}

}  // namespace mcp
