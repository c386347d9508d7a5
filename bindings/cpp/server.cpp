#include <mcp/server/McpServer.hpp>

#include <utility>

#include "server_core.hpp"
#include "tool_access.hpp"

namespace mcp {

std::unique_ptr<McpServer> McpServer::Create(std::shared_ptr<ITransport> transport, const ServerOptions& options) {
    return detail::ServerCore::Create(std::move(transport), options);
}

McpServer::McpServer(std::shared_ptr<detail::ServerCore> core) noexcept : core_(std::move(core)) {}

McpServer::~McpServer() { core_->Destroy(); }

void McpServer::Run() {
    core_->StartTransport();
    detail::Check(mcp_server_wait(core_->Handle()));
}

void McpServer::Close() { core_->Close(core_->CloseTimeout()); }

std::size_t McpServer::Close(std::chrono::milliseconds timeout) { return core_->Close(timeout); }

bool McpServer::Poll(std::chrono::milliseconds timeout) {
    core_->StartTransport();
    bool going_on = false;
    detail::Check(mcp_server_poll(core_->Handle(), detail::Milliseconds(timeout), &going_on));
    return going_on;
}

std::optional<std::string> McpServer::Dispatch(std::string_view message) {
    mcp_text_t* answer = nullptr;
    detail::Check(mcp_server_dispatch(core_->Handle(), detail::Str(message), &answer));
    if (answer == nullptr) {
        return std::nullopt;
    }
    return detail::TakeString(answer);
}

void McpServer::SetCacheable(std::function<std::optional<CacheHint>(std::string_view)> resolver) {
    core_->SetCacheResolver(std::move(resolver));
}

void McpServer::SendToolListChanged() { mcp_server_notify_tools_changed(core_->Handle()); }

void McpServer::SendResourceListChanged() { mcp_server_notify_resources_changed(core_->Handle()); }

void McpServer::SendPromptListChanged() { mcp_server_notify_prompts_changed(core_->Handle()); }

void McpServer::SendResourceUpdated(std::string_view uri) {
    detail::Check(mcp_server_notify_resource_updated(core_->Handle(), detail::Str(uri)));
}

void McpServer::SendLoggingMessage(LoggingLevel level, std::string_view data) {
    SendLoggingMessage(level, data, std::nullopt);
}

void McpServer::SendLoggingMessage(LoggingLevel level, std::string_view data, std::optional<LoggingLevel> min_level) {
    if (min_level && level < *min_level) {
        return;
    }
    const std::string json = JsonValue(data.data() == nullptr ? "" : data.data(), data.size()).Dump();
    detail::Check(mcp_server_log(core_->Handle(), static_cast<int>(level), detail::NoStr(), detail::Str(json)));
}

void McpServer::SendTaskStatus(std::string_view, TaskStatus) {}

const ServerCapabilities& McpServer::GetCapabilities() const { return core_->Capabilities(); }

}  // namespace mcp
