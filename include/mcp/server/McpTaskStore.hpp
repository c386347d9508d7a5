// Where the state of tasks is kept.
#pragma once

#include <mcp/JsonValue.hpp>

#include <optional>
#include <string>
#include <vector>

namespace mcp {

enum class TaskStatus { Pending, Working, Completed, Failed, Cancelled, InputRequired };

struct TaskState {
    std::string task_id{};
    TaskStatus status{TaskStatus::Pending};
    std::optional<JsonValue> result{};
    std::optional<std::string> error_message{};
    // The questions that the task waits for.
    std::optional<JsonValue> input_required{};
    double progress{0};
    std::optional<double> progress_total{};
    // RFC 3339, UTC.
    std::string created_at{};
};

// A store of tasks. All functions are called from any thread, several at once.
class IMcpTaskStore {
public:
    virtual ~IMcpTaskStore() = default;

    // A task that has begun. Throws when there is one of this id.
    virtual TaskState CreateTask(const std::string& task_id) = 0;
    virtual std::optional<TaskState> GetTask(const std::string& task_id) = 0;
    // Sets the result; none leaves it as it is. False when there is no such task, or it has ended already.
    virtual bool UpdateTask(const std::string& task_id, const std::optional<JsonValue>& result) = 0;
    // False when there is no such task, or it has ended already.
    virtual bool CancelTask(const std::string& task_id, const std::optional<std::string>& reason) = 0;
    // False when there is no such task, or it has ended already.
    virtual bool SetTaskStatus(const std::string& task_id, TaskStatus status) = 0;
    virtual std::vector<TaskState> GetAllTasks() = 0;
};

}  // namespace mcp
