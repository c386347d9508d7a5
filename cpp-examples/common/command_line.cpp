#include "command_line.hpp"

#include <algorithm>
#include <charconv>

namespace examples {

namespace {

// A whole number in decimal digits and nothing else.
template <class T>
std::optional<T> Number(const std::string& text) {
    T number{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || text.empty()) {
        return std::nullopt;
    }
    return number;
}

std::optional<Endpoint> ParseEndpoint(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) {
        return std::nullopt;
    }
    std::string host = text.substr(0, colon);
    const auto port = Number<std::uint16_t>(text.substr(colon + 1));
    const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
    if (bracketed) {
        host = host.substr(1, host.size() - 2);
    }
    const bool is_name = !host.empty() && host.find_first_of(":[]") == std::string::npos;
    if (!port || !(bracketed || is_name)) {
        return std::nullopt;
    }
    return Endpoint{host, *port};
}

bool Contains(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

bool CommandLine::Has(const std::string& flag) const { return Contains(flags, flag); }

CommandLine CommandLine::Parse(int argc, char** argv, const std::vector<std::string>& own_flags) {
    CommandLine line;
    bool stdio = false;
    for (int at = 1; at < argc; ++at) {
        const std::string argument = argv[at];
        const auto value = [&](const std::string& what) -> std::string {
            if (at + 1 >= argc || *argv[at + 1] == '\0') {
                throw WrongArgument(argument + " needs " + what);
            }
            return argv[++at];
        };
        if (argument == "--stdio") {
            stdio = true;
        } else if (argument == "--http") {
            const std::string endpoint = value("HOST:PORT");
            line.http = ParseEndpoint(endpoint);
            if (!line.http) {
                throw WrongArgument("--http " + endpoint +
                                    ": give it as HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080; port 0 means any free "
                                    "one");
            }
        } else if (argument == "--stateless") {
            line.stateless = true;
        } else if (argument == "--request-state-key") {
            line.request_state_key = value("a key");
        } else if (argument == "--extra-tools") {
            const std::string count = value("a number");
            const auto tools = Number<std::size_t>(count);
            if (!tools) {
                throw WrongArgument("--extra-tools " + count + ": not a number of tools");
            }
            line.extra_tools = *tools;
        } else if (argument == "--help" || argument == "-h") {
            line.help = true;
            return line;
        } else if (Contains(own_flags, argument)) {
            line.flags.push_back(argument);
        } else {
            throw WrongArgument("unknown argument: " + argument);
        }
    }
    if (stdio && line.http) {
        throw WrongArgument("--stdio and --http exclude each other");
    }
    return line;
}

std::string Usage(const std::string& name, const std::vector<std::string>& own_flags) {
    std::string text = "Usage: " + name + " [--stdio | --http HOST:PORT] [OPTIONS]";
    for (const std::string& flag : own_flags) {
        text += " [" + flag + "]";
    }
    return text +
           "\n\n"
           "  --stdio                  serve the standard streams (the default)\n"
           "  --http HOST:PORT         serve Streamable HTTP at http://HOST:PORT/mcp; port 0 takes any free port\n"
           "  --stateless              no sessions on HTTP\n"
           "  --request-state-key KEY  the secret that protects request states; processes that share clients share it\n"
           "  --help                   show this text\n"
           "\n"
           "The variable MCP_LOG_LEVEL sets what is logged on standard error: off, error, warning (the default), info,\n"
           "debug or trace.\n";
}

}  // namespace examples
