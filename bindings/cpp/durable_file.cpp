#include "durable_file.hpp"

#include <mcp/McpError.hpp>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

namespace mcp::detail {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void Fail(const fs::path& path, const std::error_code& error) {
    throw McpError(McpErrorCode::InternalError, "the file can't be written: " + path.string() + ": " + error.message());
}

#ifndef _WIN32

// A file descriptor that is closed.
class Descriptor {
public:
    Descriptor(const fs::path& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
    ~Descriptor() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int Number() const noexcept { return number_; }

private:
    const int number_;
};

bool WriteAll(int file, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(file, content.data(), content.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        content.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return ::fsync(file) == 0;
}

void WriteDurably(const fs::path& path, std::string_view content) {
    const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (file.Number() < 0 || !WriteAll(file.Number(), content)) {
        Fail(path, std::error_code(errno, std::generic_category()));
    }
}

// A name is on the disk when its directory is.
void SyncDirectory(const fs::path& path) {
    const Descriptor directory(path.has_parent_path() ? path.parent_path() : fs::path("."), O_RDONLY | O_DIRECTORY);
    if (directory.Number() >= 0) {
        static_cast<void>(::fsync(directory.Number()));
    }
}

#else

void WriteDurably(const fs::path& path, std::string_view content) {
    std::FILE* file = _wfopen(path.c_str(), L"wb");
    const bool written = file != nullptr && std::fwrite(content.data(), 1, content.size(), file) == content.size() &&
                         std::fflush(file) == 0;
    const std::error_code error(errno, std::generic_category());
    if (file != nullptr) {
        std::fclose(file);
    }
    if (!written) {
        Fail(path, error);
    }
}

void SyncDirectory(const fs::path&) {}

#endif

}  // namespace

void ReplaceFile(const std::filesystem::path& path, std::string_view content) {
    const fs::path draft = path.string() + ".tmp";
    try {
        WriteDurably(draft, content);
        std::error_code error;
        fs::rename(draft, path, error);
        if (error) {
            Fail(path, error);
        }
    } catch (...) {
        std::error_code ignored;
        fs::remove(draft, ignored);
        throw;
    }
    SyncDirectory(path);
}

}  // namespace mcp::detail
