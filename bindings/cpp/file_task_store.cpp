#include <mcp/McpError.hpp>
#include <mcp/storage/FileTaskStore.hpp>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

#include "durable_file.hpp"

namespace mcp {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFormat = 1;

constexpr std::pair<TaskStatus, std::string_view> kStatuses[] = {
    {TaskStatus::Pending, "pending"},     {TaskStatus::Working, "working"},
    {TaskStatus::Completed, "completed"}, {TaskStatus::Failed, "failed"},
    {TaskStatus::Cancelled, "cancelled"}, {TaskStatus::InputRequired, "input_required"},
};

std::string StatusName(TaskStatus status) {
    for (const auto& [value, name] : kStatuses) {
        if (value == status) {
            return std::string(name);
        }
    }
    throw McpError(McpErrorCode::InvalidParams, "the status of a task is none of TaskStatus");
}

TaskStatus StatusOf(std::string_view text) {
    for (const auto& [value, name] : kStatuses) {
        if (name == text) {
            return value;
        }
    }
    throw McpError(McpErrorCode::DeserializeFailed, "unknown status of a task: " + std::string(text));
}

bool HasEnded(TaskStatus status) {
    return status == TaskStatus::Completed || status == TaskStatus::Failed || status == TaskStatus::Cancelled;
}

std::string Now() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
#ifdef _WIN32
    gmtime_s(&parts, &now);
#else
    gmtime_r(&now, &parts);
#endif
    char text[32];
    const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return std::string(text, length);
}

JsonValue Write(const TaskState& task) {
    JsonValue json(JsonValue::object_tag);
    json["taskId"] = JsonValue(task.task_id);
    json["status"] = JsonValue(StatusName(task.status));
    json["createdAt"] = JsonValue(task.created_at);
    json["progress"] = JsonValue(task.progress);
    if (task.progress_total) {
        json["progressTotal"] = JsonValue(*task.progress_total);
    }
    if (task.result) {
        json["result"] = *task.result;
    }
    if (task.error_message) {
        json["errorMessage"] = JsonValue(*task.error_message);
    }
    if (task.input_required) {
        json["inputRequired"] = *task.input_required;
    }
    return json;
}

double Number(const JsonValue& json) { return json.IsInt() ? static_cast<double>(json.GetInt()) : json.GetDouble(); }

TaskState Read(const JsonValue& json) {
    TaskState task;
    task.task_id = json.At("taskId").GetString();
    task.status = StatusOf(json.At("status").GetString());
    task.created_at = json.At("createdAt").GetString();
    task.progress = Number(json.At("progress"));
    if (const JsonValue* total = json.Find("progressTotal")) {
        task.progress_total = Number(*total);
    }
    if (const JsonValue* result = json.Find("result")) {
        task.result = *result;
    }
    if (const JsonValue* message = json.Find("errorMessage")) {
        task.error_message = message->GetString();
    }
    if (const JsonValue* input = json.Find("inputRequired")) {
        task.input_required = *input;
    }
    return task;
}

}  // namespace

class FileTaskStore::Impl {
public:
    explicit Impl(fs::path path) : path_(std::move(path)) {
        std::error_code error;
        if (path_.has_parent_path()) {
            fs::create_directories(path_.parent_path(), error);
        }
        if (!fs::exists(path_, error)) {
            return;
        }
        std::ifstream file(path_, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        if (!file || file.bad()) {
            throw McpError(McpErrorCode::InternalError, "the file of tasks can't be read: " + path_.string());
        }
        const JsonValue json = JsonValue::Parse(text);
        if (!(json.At("format") == JsonValue(kFormat))) {
            throw McpError(McpErrorCode::DeserializeFailed, "the file of tasks has an unknown format: " + path_.string());
        }
        for (const JsonValue& task : json.At("tasks").GetArray()) {
            TaskState state = Read(task);
            std::string id = state.task_id;
            tasks_.insert_or_assign(std::move(id), std::move(state));
        }
    }

    TaskState Create(const std::string& task_id) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (tasks_.count(task_id) != 0) {
            throw McpError(McpErrorCode::InvalidParams, "there is a task of this id already: " + task_id);
        }
        TaskState task;
        task.task_id = task_id;
        task.status = TaskStatus::Working;
        task.created_at = Now();
        Replace(task);
        return task;
    }

    std::optional<TaskState> Get(const std::string& task_id) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = tasks_.find(task_id);
        return found == tasks_.end() ? std::nullopt : std::optional<TaskState>(found->second);
    }

    // Changes a task that has not ended.
    bool Change(const std::string& task_id, const std::function<void(TaskState&)>& change) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = tasks_.find(task_id);
        if (found == tasks_.end() || HasEnded(found->second.status)) {
            return false;
        }
        TaskState task = found->second;
        change(task);
        Replace(task);
        return true;
    }

    std::vector<TaskState> All() {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::vector<TaskState> all;
        for (const auto& [id, task] : tasks_) {
            static_cast<void>(id);
            all.push_back(task);
        }
        return all;
    }

private:
    // Writes the file as it will be, and only then changes what is in memory.
    void Replace(const TaskState& task) {
        JsonValue list(JsonValue::array_tag);
        bool placed = false;
        for (const auto& [id, other] : tasks_) {
            const bool same = id == task.task_id;
            placed = placed || same;
            list.PushBack(Write(same ? task : other));
        }
        if (!placed) {
            list.PushBack(Write(task));
        }
        JsonValue json(JsonValue::object_tag);
        json["format"] = JsonValue(kFormat);
        json["tasks"] = std::move(list);
        detail::ReplaceFile(path_, json.Dump());
        tasks_.insert_or_assign(task.task_id, task);
    }

    const fs::path path_;
    std::mutex mutex_;
    std::map<std::string, TaskState> tasks_;
};

FileTaskStore::FileTaskStore(std::filesystem::path storage_path)
    : impl_(std::make_unique<Impl>(std::move(storage_path))) {}

FileTaskStore::~FileTaskStore() = default;

TaskState FileTaskStore::CreateTask(const std::string& task_id) { return impl_->Create(task_id); }

std::optional<TaskState> FileTaskStore::GetTask(const std::string& task_id) { return impl_->Get(task_id); }

bool FileTaskStore::UpdateTask(const std::string& task_id, const std::optional<JsonValue>& result) {
    return impl_->Change(task_id, [&](TaskState& task) {
        if (result) {
            task.result = result;
        }
    });
}

bool FileTaskStore::CancelTask(const std::string& task_id, const std::optional<std::string>& reason) {
    return impl_->Change(task_id, [&](TaskState& task) {
        task.status = TaskStatus::Cancelled;
        task.result.reset();
        task.error_message = reason;
    });
}

bool FileTaskStore::SetTaskStatus(const std::string& task_id, TaskStatus status) {
    return impl_->Change(task_id, [&](TaskState& task) { task.status = status; });
}

std::vector<TaskState> FileTaskStore::GetAllTasks() { return impl_->All(); }

}  // namespace mcp
