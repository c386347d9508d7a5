// A server that has a bit of everything: what the official conformance suite asks for (the names that begin with `test`)
// and further tools to try a client or a transport with. Each file beside this one is a family.
//
//     everything_cpp                              # on stdio
//     everything_cpp --http 127.0.0.1:8080        # on HTTP, at http://127.0.0.1:8080/mcp
//     everything_cpp --help                       # what else there is

#include "../common/run.hpp"
#include "everything.hpp"

namespace {

mcp::ServerOptions Options(const examples::CommandLine&) {
    mcp::Implementation info{"everything", "0.1.0"};
    info.title = "Everything";
    info.description = "A server with a bit of everything, to test clients with";
    info.website_url = "https://modelcontextprotocol.io/";

    mcp::ServerOptions options;
    options.server_info = info;
    options.server_instructions =
        "The tools that begin with \"test\" are those of the conformance suite; the others do what their names say";
    options.declare_logging = true;
    return options;
}

void SetUp(mcp::McpServer& server, const examples::CommandLine&) {
    everything::RegisterBasics(server);
    everything::RegisterSleeping(server);
    everything::RegisterContent(server);
    everything::RegisterTelling(server);
    everything::RegisterChanges(server);
    everything::RegisterAsking(server);
    everything::RegisterForms(server);
    everything::RegisterInputRequired(server);
    everything::RegisterResources(server);
    everything::RegisterPrompts(server);
}

}  // namespace

int main(int argc, char** argv) { return examples::Run({"everything", Options, SetUp}, argc, argv); }
