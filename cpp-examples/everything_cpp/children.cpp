#include "children.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

extern char** environ;

namespace everything {

std::size_t ChildRead() {
    FILE* child = popen("cat", "r");
    if (child == nullptr) {
        throw std::runtime_error("no child process");
    }
    char buffer[4096];
    std::size_t count = 0;
    while (const std::size_t read = std::fread(buffer, 1, sizeof(buffer), child)) {
        count += read;
    }
    if (pclose(child) != 0) {
        throw std::runtime_error("the child process that reads has failed");
    }
    return count;
}

void ChildEcho(std::string text) {
    if (text.find('\0') != std::string::npos) {
        throw std::runtime_error("an argument can't have a zero byte");
    }
    std::string name = "echo";
    char* arguments[] = {name.data(), text.data(), nullptr};
    pid_t child = 0;
    int status = 0;
    if (posix_spawnp(&child, "echo", nullptr, nullptr, arguments, environ) != 0 || waitpid(child, &status, 0) != child) {
        throw std::runtime_error("no child process that prints");
    }
}

}  // namespace everything
