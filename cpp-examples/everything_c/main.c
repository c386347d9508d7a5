// A server that has a bit of everything: what the official conformance suite asks for (the names that begin with
// `test`) and further tools to try a client or a transport with. Each file beside this one is a family.
//
//     everything_c                          # on stdio
//     everything_c --http 127.0.0.1:8080    # on HTTP, at http://127.0.0.1:8080/mcp
//     everything_c --help                   # what else there is

#include "../common/run.h"
#include "everything.h"

static mcp_options_t *everything_options(void) {
    mcp_options_t *options = mcp_options_new(MCP_STR("everything"), MCP_STR("0.1.0"));
    mcp_options_set_title(options, MCP_STR("Everything"));
    mcp_options_set_description(options, MCP_STR("A server with a bit of everything, to test clients with"));
    mcp_options_set_website_url(options, MCP_STR("https://modelcontextprotocol.io/"));
    mcp_options_set_instructions(options, MCP_STR("The tools that begin with \"test\" are those of the conformance suite; "
                                                  "the others do what their names say"));
    mcp_options_declare_logging(options);
    return options;
}

static mcp_error_t *set_up(const mcp_server_t *server, const command_line *line) {
    static mcp_error_t *(*const families[])(const mcp_server_t *) = {
        register_basics, register_sleeping, register_content,        register_telling,   register_changes,
        register_asking, register_forms,    register_input_required, register_resources, register_prompts,
    };
    (void)line;
    mcp_error_t *error = NULL;
    for (size_t at = 0; error == NULL && at < sizeof(families) / sizeof(families[0]); at++) {
        error = families[at](server);
    }
    return error;
}

int main(int argc, char **argv) {
    static const example program = {"everything", everything_options, set_up};
    return example_run(&program, argc, argv);
}
