// Reading and writing JSON.

#include "check.h"

#include <math.h>

static void kinds(void) {
    CHECK(mcp_json_kind(MCP_STR("null")) == MCP_JSON_NULL && mcp_json_kind(MCP_STR(" true ")) == MCP_JSON_BOOL);
    CHECK(mcp_json_kind(MCP_STR("-1e5")) == MCP_JSON_NUMBER && mcp_json_kind(MCP_STR("\"\"")) == MCP_JSON_STRING);
    CHECK(mcp_json_kind(MCP_STR("[]")) == MCP_JSON_ARRAY && mcp_json_kind(MCP_STR("{}")) == MCP_JSON_OBJECT);
    static const char *const invalid[] = {"", " ", "{", "[1,]", "01", "nul", "\"\xff\"", "1 2", "\"\t\"", "{\"a\":1,}", "'a'"};
    for (size_t at = 0; at < sizeof(invalid) / sizeof(invalid[0]); at++) {
        CHECK(mcp_json_kind(mcp_str_of(invalid[at])) == MCP_JSON_INVALID);
    }
    CHECK(mcp_json_kind(MCP_STR_NONE) == MCP_JSON_INVALID && mcp_json_kind(mcp_str_from(NULL, 5)) == MCP_JSON_INVALID);
}

static void values(void) {
    bool yes = false;
    int64_t whole = 7;
    double number = 0;
    CHECK(mcp_json_get_bool(MCP_STR("true"), &yes) && yes);
    CHECK(!mcp_json_get_bool(MCP_STR("1"), &yes) && yes);
    CHECK(mcp_json_get_int64(MCP_STR("-9223372036854775808"), &whole) && whole == INT64_MIN);
    CHECK(!mcp_json_get_int64(MCP_STR("9223372036854775808"), &whole) && whole == INT64_MIN);
    CHECK(!mcp_json_get_int64(MCP_STR("\"1\""), &whole) && !mcp_json_get_int64(MCP_STR("1.5"), &whole));
    CHECK(mcp_json_get_double(MCP_STR("2.5e3"), &number) && fabs(number - 2500) < 1e-9);
    CHECK(mcp_json_get_double(MCP_STR("3"), &number) && fabs(number - 3) < 1e-9);
    mcp_text_t *text = mcp_json_get_string(MCP_STR("\"a\\u00e9\\n\\ud83d\\ude00\""));
    CHECK(str_is(mcp_text_str(text), "a\xc3\xa9\n\xf0\x9f\x98\x80"));
    mcp_text_delete(text);
    CHECK(mcp_json_get_string(MCP_STR("5")) == NULL);
}

static void parts(void) {
    mcp_str json = MCP_STR("{ \"a\" : [1, {\"b\": null}, \"x\"], \"\\u0062\": 2, \"a\": [9 ] }"), part = MCP_STR_NONE;
    CHECK(mcp_json_find(json, MCP_STR("b"), &part) && str_is(part, "2"));
    // Of members of the same name the last one counts.
    CHECK(mcp_json_find(json, MCP_STR("a"), &part) && str_is(part, "[9 ]"));
    CHECK(part.ptr > json.ptr && part.ptr < json.ptr + json.len);
    CHECK(!mcp_json_find(json, MCP_STR("c"), &part) && str_is(part, "[9 ]"));
    CHECK(mcp_json_at(MCP_STR("[1, {\"b\": null}]"), 1, &part) && str_is(part, "{\"b\": null}"));
    CHECK(!mcp_json_at(MCP_STR("[1]"), 1, &part) && !mcp_json_at(json, 0, &part));
    CHECK(!mcp_json_find(MCP_STR("[1]"), MCP_STR("a"), &part) && !mcp_json_find(MCP_STR("{"), MCP_STR("a"), &part));
    CHECK(!mcp_json_find(json, MCP_STR("\xff"), &part));
}

// Writes what is visited.
typedef struct {
    char text[256];
    size_t used;
} trace;

static void put(void *user_data, const char *text, size_t length) {
    trace *self = (trace *)user_data;
    CHECK(self->used + length < sizeof(self->text));
    memcpy(self->text + self->used, text, length);
    self->used += length;
}

static void on_null(void *user_data) {
    put(user_data, "n", 1);
}

static void on_bool(void *user_data, bool value) {
    put(user_data, value ? "t" : "f", 1);
}

static void on_int64(void *user_data, int64_t value) {
    char *text = format("i%lld", (long long)value);
    put(user_data, text, strlen(text));
    free(text);
}

static void on_double(void *user_data, double value) {
    char *text = format("d%g", value);
    put(user_data, text, strlen(text));
    free(text);
}

static void on_string(void *user_data, mcp_str value) {
    put(user_data, "s", 1);
    put(user_data, value.ptr, value.len);
}

static void on_begin_array(void *user_data) {
    put(user_data, "[", 1);
}

static void on_end_array(void *user_data) {
    put(user_data, "]", 1);
}

static void on_begin_object(void *user_data) {
    put(user_data, "{", 1);
}

static void on_key(void *user_data, mcp_str key) {
    put(user_data, "k", 1);
    put(user_data, key.ptr, key.len);
}

static void on_end_object(void *user_data) {
    put(user_data, "}", 1);
}

static void visits(void) {
    mcp_json_visitor visitor = {sizeof(visitor), on_null,      on_bool,         on_int64, on_double,    on_string,
                                on_begin_array,  on_end_array, on_begin_object, on_key,   on_end_object};
    trace seen = {"", 0};
    mcp_str json = MCP_STR("{\"a\":[null,true,false,-5,2.5,18446744073709551615],\"\\u0062\":\"x\\\"y\",\"c\":{}}");
    CHECK_OK(mcp_json_visit(json, &visitor, &seen));
    CHECK(str_is(mcp_str_from(seen.text, seen.used), "{ka[ntfi-5d2.5d1.84467e+19]kbsx\"ykc{}}"));
    // What is not valid is not visited at all, and the place is told.
    seen.used = 0;
    mcp_error_t *error = mcp_json_visit(MCP_STR("[1,\n 2,\n x]"), &visitor, &seen);
    CHECK(mcp_error_code(error) == MCP_ERROR_PARSE && seen.used == 0);
    CHECK_HAS(mcp_error_message(error), "line 3");
    mcp_error_delete(error);
    CHECK_ERROR(mcp_json_visit(json, NULL, &seen), MCP_ERROR_INVALID_PARAMS);
    visitor.on_key = NULL;
    CHECK_ERROR(mcp_json_visit(json, &visitor, &seen), MCP_ERROR_INVALID_PARAMS);
    visitor.size = 8;
    CHECK_ERROR(mcp_json_visit(json, &visitor, &seen), MCP_ERROR_INVALID_PARAMS);
    CHECK(seen.used == 0);
}

static void nesting_has_a_bound(void) {
    mcp_json_visitor visitor = {sizeof(visitor), on_null,      on_bool,         on_int64, on_double,    on_string,
                                on_begin_array,  on_end_array, on_begin_object, on_key,   on_end_object};
    trace seen = {"", 0};
    enum { DEPTH = 100000 };
    char *deep = (char *)malloc(2 * DEPTH);
    CHECK(deep != NULL);
    memset(deep, '[', DEPTH);
    memset(deep + DEPTH, ']', DEPTH);
    CHECK_ERROR(mcp_json_visit(mcp_str_from(deep, 2 * DEPTH), &visitor, &seen), MCP_ERROR_PARSE);
    CHECK(seen.used == 0);
    free(deep);
}

static void written(void) {
    mcp_json_writer_t *writer = mcp_json_writer_new();
    mcp_json_begin_object(writer);
    mcp_json_key(writer, MCP_STR("a\"b"));
    mcp_json_begin_array(writer);
    mcp_json_null(writer);
    mcp_json_bool(writer, true);
    mcp_json_int64(writer, INT64_MIN);
    mcp_json_double(writer, 0.1);
    mcp_json_string(writer, MCP_STR("\x01\n\xc3\xa9"));
    mcp_json_raw(writer, MCP_STR("{\"raw\": 1}"));
    mcp_json_end_array(writer);
    mcp_json_key(writer, MCP_STR("e"));
    mcp_json_begin_object(writer);
    mcp_json_end_object(writer);
    mcp_json_end_object(writer);
    mcp_text_t *text = mcp_json_writer_finish(writer);
    CHECK_HAS(mcp_text_str(text), "{\"a\\\"b\":[null,true,-9223372036854775808,0.1,\"\\u0001\\n\xc3\xa9\",");
    CHECK_HAS(mcp_text_str(text), "1}],\"e\":{}}");
    CHECK(mcp_json_kind(mcp_text_str(text)) == MCP_JSON_OBJECT);
    mcp_text_delete(text);
}

// Each makes one mistake.
static void write_nothing(mcp_json_writer_t *writer) { (void)writer; }
static void write_open(mcp_json_writer_t *writer) { mcp_json_begin_array(writer); }
static void write_end(mcp_json_writer_t *writer) { mcp_json_end_object(writer); }
static void write_nan(mcp_json_writer_t *writer) { mcp_json_double(writer, (double)NAN); }
static void write_infinity(mcp_json_writer_t *writer) { mcp_json_double(writer, (double)INFINITY); }
static void write_bad_text(mcp_json_writer_t *writer) { mcp_json_string(writer, MCP_STR("\xff")); }
static void write_bad_raw(mcp_json_writer_t *writer) { mcp_json_raw(writer, MCP_STR("{")); }
static void write_crossed(mcp_json_writer_t *writer) {
    mcp_json_begin_array(writer);
    mcp_json_end_object(writer);
}
static void write_without_key(mcp_json_writer_t *writer) {
    mcp_json_begin_object(writer);
    mcp_json_int64(writer, 1);
    mcp_json_end_object(writer);
}
static void write_key_alone(mcp_json_writer_t *writer) {
    mcp_json_begin_object(writer);
    mcp_json_key(writer, MCP_STR("k"));
    mcp_json_end_object(writer);
}
static void write_key_in_array(mcp_json_writer_t *writer) {
    mcp_json_begin_array(writer);
    mcp_json_key(writer, MCP_STR("k"));
    mcp_json_end_array(writer);
}
static void write_two(mcp_json_writer_t *writer) {
    mcp_json_null(writer);
    mcp_json_null(writer);
}

static void mistakes(void) {
    static void (*const wrong[])(mcp_json_writer_t *) = {
        write_nothing,  write_open,    write_end,         write_nan,       write_infinity,     write_bad_text,
        write_bad_raw,  write_crossed, write_without_key, write_key_alone, write_key_in_array, write_two,
    };
    for (size_t at = 0; at < sizeof(wrong) / sizeof(wrong[0]); at++) {
        mcp_json_writer_t *writer = mcp_json_writer_new();
        wrong[at](writer);
        mcp_text_t *text = mcp_json_writer_finish(writer);
        if (text != NULL) {
            fprintf(stderr, "mistake %zu was written\n", at);
        }
        CHECK(text == NULL);
    }
    mcp_json_writer_t *writer = mcp_json_writer_new();
    mcp_json_begin_object(writer);
    mcp_json_writer_delete(writer);
}

int main(void) {
    kinds();
    values();
    parts();
    visits();
    nesting_has_a_bound();
    written();
    mistakes();
    return 0;
}
