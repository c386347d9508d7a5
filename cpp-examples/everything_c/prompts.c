// Prompts, and the completion of arguments.

#include <stdlib.h>

#include "../common/text.h"
#include "everything.h"
#include "media.h"
#include "questions.h"

static void respond_message(mcp_responder_t *responder, mcp_str text) {
    mcp_prompt_result_t *result = mcp_prompt_result_new();
    mcp_prompt_result_add_text(result, MCP_ROLE_USER, text);
    succeeded(mcp_respond_prompt(responder, result));
}

static void simple(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    respond_message(responder, MCP_STR("This is a simple prompt for testing."));
}

static void with_arguments(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_text_t *first = member_text(input, MCP_STR("arg1")), *second = member_text(input, MCP_STR("arg2"));
    mcp_str arg1 = mcp_text_str(first), arg2 = mcp_text_str(second);
    char *text = text_format("Prompt with arguments: arg1='%.*s', arg2='%.*s'", (int)arg1.len, arg1.ptr, (int)arg2.len,
                             arg2.ptr);
    respond_message(responder, mcp_str_of(text));
    free(text);
    mcp_text_delete(first);
    mcp_text_delete(second);
}

static void with_resource(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_str uri = MCP_STR("\"\"");
    mcp_json_find(input, MCP_STR("resourceUri"), &uri);
    // `uri` is JSON, quotes and all.
    char *content = text_format("{\"type\":\"resource\",\"resource\":{\"uri\":%.*s,\"mimeType\":\"text/plain\","
                                "\"text\":\"Embedded resource content for testing.\"}}",
                                (int)uri.len, uri.ptr);
    mcp_prompt_result_t *result = mcp_prompt_result_new();
    mcp_prompt_result_add_content(result, MCP_ROLE_USER, mcp_str_of(content));
    mcp_prompt_result_add_text(result, MCP_ROLE_USER, MCP_STR("Please process the embedded resource above."));
    free(content);
    succeeded(mcp_respond_prompt(responder, result));
}

static void with_image(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_prompt_result_t *result = mcp_prompt_result_new();
    mcp_prompt_result_add_content(result, MCP_ROLE_USER,
                                  MCP_STR("{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"" PIXEL_BASE64 "\"}"));
    mcp_prompt_result_add_text(result, MCP_ROLE_USER, MCP_STR("Please analyze the image above."));
    succeeded(mcp_respond_prompt(responder, result));
}

static void with_question(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_text_t *answer;
    if (ask_text(context, responder, MCP_STR("user_context"), MCP_STR("What context should the prompt use?"),
                 MCP_STR("context"), &answer)) {
        mcp_str known = mcp_text_str(answer);
        char *text = text_format("Use this context: %.*s", (int)known.len, known.ptr);
        respond_message(responder, mcp_str_of(text));
        free(text);
        mcp_text_delete(answer);
    }
}

// What there is to choose from, up to NULL.
static const char *const *choices(mcp_str reference) {
    static const char *const of_prompt[] = {"test1", "test2", "other", NULL};
    static const char *const of_template[] = {"1", "12", "123", NULL};
    static const char *const none[] = {NULL};
    mcp_text_t *name = member_text(reference, MCP_STR("name")), *uri = member_text(reference, MCP_STR("uri"));
    const char *const *known = text_equals(mcp_text_str(name), "test_prompt_with_arguments") ? of_prompt
                               : text_equals(mcp_text_str(uri), "test://template/{id}/data") ? of_template
                                                                                             : none;
    mcp_text_delete(name);
    mcp_text_delete(uri);
    return known;
}

static void complete(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_str reference = MCP_STR_NONE, argument = MCP_STR_NONE;
    mcp_json_find(input, MCP_STR("ref"), &reference);
    mcp_json_find(input, MCP_STR("argument"), &argument);
    mcp_text_t *begun = member_text(argument, MCP_STR("value"));
    mcp_completion_result_t *result = mcp_completion_result_new();
    for (const char *const *choice = choices(reference); *choice != NULL; choice++) {
        if (text_starts_with(mcp_str_of(*choice), mcp_text_str(begun))) {
            mcp_completion_result_add_value(result, mcp_str_of(*choice));
        }
    }
    mcp_text_delete(begun);
    succeeded(mcp_respond_completion(responder, result));
}

typedef struct {
    const char *name;
    const char *description;
    mcp_handler_fn get;
    // Required ones, each a name and a description; NULL where there are no more.
    const char *arguments[2][2];
} prompt;

static mcp_error_t *add_prompt(const mcp_server_t *server, const prompt *added) {
    mcp_prompt_options_t *options = mcp_prompt_options_new();
    mcp_prompt_options_set_description(options, mcp_str_of(added->description));
    for (size_t at = 0; at < 2 && added->arguments[at][0] != NULL; at++) {
        mcp_prompt_options_add_argument(options, mcp_str_of(added->arguments[at][0]), MCP_STR_NONE,
                                        mcp_str_of(added->arguments[at][1]), true);
    }
    return mcp_server_add_prompt(server, mcp_str_of(added->name), options, added->get, NULL, NULL);
}

mcp_error_t *register_prompts(const mcp_server_t *server) {
    static const prompt prompts[] = {
        {"test_simple_prompt", "Has no arguments", simple, {{NULL}}},
        {"test_prompt_with_arguments",
         "Has two arguments",
         with_arguments,
         {{"arg1", "The first argument"}, {"arg2", "The second argument"}}},
        {"test_prompt_with_embedded_resource",
         "Has a resource in it",
         with_resource,
         {{"resourceUri", "URI of the resource"}}},
        {"test_prompt_with_image", "Has a picture in it", with_image, {{NULL}}},
        {"test_input_required_result_prompt", "Asks the person first", with_question, {{NULL}}},
    };
    mcp_error_t *error = NULL;
    for (size_t at = 0; error == NULL && at < sizeof(prompts) / sizeof(prompts[0]); at++) {
        error = add_prompt(server, &prompts[at]);
    }
    return error != NULL ? error : mcp_server_set_completion_handler(server, true, complete, NULL, NULL);
}
