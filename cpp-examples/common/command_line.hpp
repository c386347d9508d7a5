// The arguments of the example programs in C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace examples {

// Where to listen.
struct Endpoint {
    // A name or an address, an IPv6 address without its brackets.
    std::string host;
    std::uint16_t port{0};
};

// An argument is wrong; the text says which and why.
class WrongArgument : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What the arguments ask for.
struct CommandLine {
    bool help{false};
    // Where to serve HTTP; the standard streams where absent.
    std::optional<Endpoint> http;
    // Whether legacy clients do without sessions on HTTP.
    bool stateless{false};
    // The secret that protects request states.
    std::optional<std::string> request_state_key;
    // How many trivial tools there are to be besides the program's own, to measure with. The usage text leaves it out.
    std::size_t extra_tools{0};
    // Those of the program's own flags that were given.
    std::vector<std::string> flags;

    bool Has(const std::string& flag) const;

    // Reads the arguments. `own_flags` are flags of this program alone. Throws `WrongArgument`.
    static CommandLine Parse(int argc, char** argv, const std::vector<std::string>& own_flags);
};

// The usage text of a program.
std::string Usage(const std::string& name, const std::vector<std::string>& own_flags);

}  // namespace examples
