// Tools that show the kinds of content, of failure and of schema.

#include "../common/text.h"
#include "everything.h"
#include "media.h"

static void simple_text(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    succeeded(mcp_respond_text(responder, MCP_STR("This is a simple text response for testing.")));
}

static void image(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_tool_result_t *result = mcp_tool_result_new();
    mcp_tool_result_add_image(result, pixel, PIXEL_SIZE, MCP_STR("image/png"));
    succeeded(mcp_respond_tool(responder, result));
}

static void audio(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_tool_result_t *result = mcp_tool_result_new();
    mcp_tool_result_add_audio(result, silence, SILENCE_SIZE, MCP_STR("audio/wav"));
    succeeded(mcp_respond_tool(responder, result));
}

static void embedded(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_tool_result_t *result = mcp_tool_result_new();
    mcp_tool_result_add_content(
        result, MCP_STR("{\"type\":\"resource\",\"resource\":{\"uri\":\"test://embedded-resource\","
                        "\"mimeType\":\"text/plain\",\"text\":\"This is an embedded resource content.\"}}"));
    succeeded(mcp_respond_tool(responder, result));
}

static void several(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_tool_result_t *result = mcp_tool_result_new();
    mcp_tool_result_add_text(result, MCP_STR("Multiple content types test:"));
    mcp_tool_result_add_image(result, pixel, PIXEL_SIZE, MCP_STR("image/png"));
    mcp_tool_result_add_content(
        result, MCP_STR("{\"type\":\"resource\",\"resource\":{\"uri\":\"test://mixed-content-resource\","
                        "\"mimeType\":\"application/json\",\"text\":\"{\\\"test\\\":\\\"data\\\",\\\"value\\\":123}\"}}"));
    succeeded(mcp_respond_tool(responder, result));
}

static void failing(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    succeeded(mcp_respond_failure(responder, MCP_STR("This tool intentionally returns an error for testing")));
}

static void contact(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    respond_text(responder, text_format("These arguments are valid: %.*s", (int)input.len, input.ptr));
}

static void region(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_text_t *text = member_text(input, MCP_STR("region"));
    mcp_str named = mcp_text_str(text);
    respond_text(responder, text_format("The region is %.*s.", (int)named.len, named.ptr));
    mcp_text_delete(text);
}

static const char rich_schema[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
    "\"type\":\"object\","
    "\"$defs\":{\"address\":{\"$anchor\":\"addressDef\",\"type\":\"object\","
    "\"properties\":{\"street\":{\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},"
    "\"properties\":{"
    "\"name\":{\"type\":\"string\"},"
    "\"address\":{\"$ref\":\"#/$defs/address\"},"
    "\"contactMethod\":{\"type\":\"string\",\"enum\":[\"phone\",\"email\"]},"
    "\"phone\":{\"type\":\"string\"},"
    "\"email\":{\"type\":\"string\"}},"
    "\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}],"
    "\"if\":{\"properties\":{\"contactMethod\":{\"const\":\"phone\"}},\"required\":[\"contactMethod\"]},"
    "\"then\":{\"required\":[\"phone\"]},"
    "\"else\":{\"required\":[\"email\"]},"
    "\"additionalProperties\":false}";

mcp_error_t *register_content(const mcp_server_t *server) {
    static const char with_header[] =
        "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"description\":\"Any text\","
        "\"x-mcp-header\":\"Region\"}},\"required\":[\"region\"]}";
    static const tool tools[] = {
        {"test_simple_text", "Returns text", NULL, NULL, simple_text, false},
        {"test_image_content", "Returns a picture", NULL, NULL, image, false},
        {"test_audio_content", "Returns a sound", NULL, NULL, audio, false},
        {"test_embedded_resource", "Returns an embedded resource", NULL, NULL, embedded, false},
        {"test_multiple_content_types", "Returns several kinds of content", NULL, NULL, several, false},
        {"test_error_handling", "Fails", NULL, NULL, failing, false},
        {"json_schema_2020_12_tool", "Has a schema that uses much of JSON Schema 2020-12", rich_schema, NULL, contact,
         false},
        {"test_x_mcp_header", "Has an argument that HTTP shows in a header", with_header, NULL, region, false},
    };
    return add_tools(server, tools, sizeof(tools) / sizeof(tools[0]));
}
