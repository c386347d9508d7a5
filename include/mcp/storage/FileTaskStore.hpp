// Tasks in a file.
#pragma once

#include <mcp/server/McpTaskStore.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mcp {

// Keeps tasks in one JSON file. Every change is on the disk when the function returns: the file is replaced as a whole, so
// that a crash leaves the state before or after the change. One process at a time may use a file.
class FileTaskStore : public IMcpTaskStore {
public:
    // Reads the file, where there is one; its directory is made where it is missing. Throws `McpError` when the file can't
    // be read or is none of this class.
    explicit FileTaskStore(std::filesystem::path storage_path);
    ~FileTaskStore() override;
    FileTaskStore(const FileTaskStore&) = delete;
    FileTaskStore& operator=(const FileTaskStore&) = delete;

    // These throw `McpError` when the file can't be written; then nothing has changed.
    TaskState CreateTask(const std::string& task_id) override;
    std::optional<TaskState> GetTask(const std::string& task_id) override;
    bool UpdateTask(const std::string& task_id, const std::optional<JsonValue>& result) override;
    bool CancelTask(const std::string& task_id, const std::optional<std::string>& reason) override;
    bool SetTaskStatus(const std::string& task_id, TaskStatus status) override;
    std::vector<TaskState> GetAllTasks() override;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mcp
