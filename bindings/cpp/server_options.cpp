// The options of a server, in the form of the C interface.

#include <mcp/server/ServerOptions.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "respond.hpp"
#include "server_core.hpp"
#include "tool_access.hpp"

namespace mcp::detail {

namespace {

struct Verifier {
    std::shared_ptr<ServerCore> core;
    std::function<bool(std::string_view)> function;
};

bool Verify(void* data, mcp_str state) {
    const auto& verifier = *static_cast<const Verifier*>(data);
    const InsideCall inside(verifier.core.get());
    try {
        return verifier.function(View(state));
    } catch (...) {
        return false;
    }
}

using CoreEntry = std::shared_ptr<ServerCore>;

bool ResolveCache(void* data, mcp_str method, std::uint64_t* out_ttl_ms, std::int32_t* out_scope) {
    const auto& core = *static_cast<const CoreEntry*>(data);
    const InsideCall inside(core.get());
    try {
        const std::optional<CacheHint> hint = core->Cacheable(View(method));
        if (!hint) {
            return false;
        }
        const auto [ttl, scope] = CacheNumbers(*hint);
        *out_ttl_ms = ttl;
        *out_scope = scope;
        return true;
    } catch (...) {
        return false;
    }
}

struct Executor {
    std::shared_ptr<ServerCore> core;
    std::function<void(std::function<void()>)> function;
};

void Post(void* data, mcp_job_t* given) {
    const auto& executor = *static_cast<const Executor*>(data);
    JobPtr owned(given);
    const InsideCall inside(executor.core.get());
    try {
        // Copies of the function share the job; whoever comes first runs it, the last one gives it up.
        auto job = std::make_shared<std::atomic<mcp_job_t*>>(nullptr);
        const std::shared_ptr<std::atomic<mcp_job_t*>> shared(job.get(), [job](std::atomic<mcp_job_t*>* held) {
            mcp_job_delete(held->exchange(nullptr, std::memory_order_acq_rel));
        });
        job->store(owned.release(), std::memory_order_release);
        executor.function([shared] { mcp_job_run(shared->exchange(nullptr, std::memory_order_acq_rel)); });
    } catch (...) {
        // The job is given up: its request is answered with an error.
    }
}

void SetInfo(mcp_options_t* c, const Implementation& info) {
    if (info.title) {
        mcp_options_set_title(c, Str(*info.title));
    }
    if (info.description) {
        mcp_options_set_description(c, Str(*info.description));
    }
    if (info.website_url) {
        mcp_options_set_website_url(c, Str(*info.website_url));
    }
    if (!info.icons.empty()) {
        mcp_options_set_icons(c, Str(SerializeIcons(info.icons)));
    }
}

void SetProtocol(mcp_options_t* c, const ServerOptions& options) {
    if (options.server_instructions) {
        mcp_options_set_instructions(c, Str(*options.server_instructions));
    }
    if (options.protocol_version) {
        mcp_options_set_protocol_version(c, Str(*options.protocol_version));
    }
    if (options.supported_protocol_versions) {
        std::vector<mcp_str> versions;
        for (const std::string& version : *options.supported_protocol_versions) {
            versions.push_back(Str(version));
        }
        mcp_options_set_supported_protocol_versions(c, versions.data(), versions.size());
    }
    mcp_options_set_initialization_timeout(c, Milliseconds(options.initialization_timeout));
    if (options.declare_logging) {
        mcp_options_declare_logging(c);
    }
    if (options.declare_completions) {
        mcp_options_declare_completions(c);
    }
    mcp_options_set_subscriptions_enabled(c, options.subscriptions_enabled);
    if (options.max_tool_input_elements) {
        mcp_options_set_max_tool_input_elements(c, *options.max_tool_input_elements);
    }
    if (options.page_size) {
        mcp_options_set_page_size(c, *options.page_size);
    }
}

void SetInputRequired(mcp_options_t* c, const ServerOptions& options, const std::shared_ptr<ServerCore>& core) {
    if (options.request_state_key) {
        mcp_options_set_request_state_key(c, Str(*options.request_state_key));
    }
    mcp_options_set_request_state_ttl(c, Milliseconds(options.request_state_ttl));
    if (options.request_state_verifier) {
        auto verifier = std::make_unique<Verifier>(Verifier{core, options.request_state_verifier});
        mcp_options_set_request_state_verifier(c, Verify, verifier.release(), Destroy<Verifier>);
    }
    if (const auto& config = options.input_required_config) {
        const auto rounds = static_cast<std::size_t>(std::max(config->max_rounds, 0));
        mcp_options_set_input_required(c, rounds, Milliseconds(config->round_timeout), config->legacy_shim);
    }
}

void SetCache(mcp_options_t* c, const ServerOptions& options, const std::shared_ptr<ServerCore>& core) {
    if (options.cache_hints) {
        for (const auto& [method, hint] : *options.cache_hints) {
            const auto [ttl, scope] = CacheNumbers(hint);
            mcp_options_set_cache_hint(c, Str(method), ttl, scope);
        }
    }
    // Always there, because what it asks can be set later.
    auto entry = std::make_unique<CoreEntry>(core);
    mcp_options_set_cache_hint_resolver(c, ResolveCache, entry.release(), Destroy<CoreEntry>);
}

void SetLimits(mcp_options_t* c, const ServerLimits& limits) {
    const auto set = [c](std::int32_t limit, const std::optional<std::size_t>& value) {
        if (value) {
            mcp_options_set_limit(c, limit, *value);
        }
    };
    set(MCP_LIMIT_MESSAGE_BYTES, limits.message_bytes);
    set(MCP_LIMIT_IN_FLIGHT, limits.in_flight);
    set(MCP_LIMIT_BATCH, limits.batch);
    set(MCP_LIMIT_QUEUED_BYTES, limits.queued_bytes);
    set(MCP_LIMIT_SUBSCRIPTIONS, limits.subscriptions);
    if (limits.drain_time) {
        mcp_options_set_limit(c, MCP_LIMIT_DRAIN_MS, static_cast<std::size_t>(Milliseconds(*limits.drain_time)));
    }
}

void SetThreads(mcp_options_t* c, const ServerOptions& options, const std::shared_ptr<ServerCore>& core) {
    if (options.worker_threads) {
        mcp_options_set_worker_threads(c, *options.worker_threads);
    }
    if (options.handler_threads) {
        mcp_options_set_handler_threads(c, *options.handler_threads);
    }
    if (options.executor) {
        auto executor = std::make_unique<Executor>(Executor{core, options.executor});
        mcp_options_set_executor(c, Post, executor.release(), Destroy<Executor>);
    }
}

}  // namespace

OptionsPtr ReadOptions(const ServerOptions& options, const Implementation& info,
                       const std::shared_ptr<ServerCore>& core) {
    OptionsPtr c(mcp_options_new(Str(info.name), Str(info.version)));
    SetInfo(c.get(), info);
    SetProtocol(c.get(), options);
    SetInputRequired(c.get(), options, core);
    SetCache(c.get(), options, core);
    SetLimits(c.get(), options.limits);
    SetThreads(c.get(), options, core);
    SetEvents(c.get(), options, core);
    SetFilters(c.get(), options);
    return c;
}

}  // namespace mcp::detail
