#include "numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/text.h"

// An integer from the least signed to the greatest unsigned one of 64 bits.
typedef struct {
    bool negative;
    uint64_t magnitude;
} integer;

static bool integer_parse(mcp_str json, integer *out) {
    integer parsed = {json.len > 0 && json.ptr[0] == '-', 0};
    for (size_t at = parsed.negative ? 1 : 0; at < json.len; at++) {
        unsigned digit = (unsigned)(unsigned char)json.ptr[at] - '0';
        if (digit > 9 || parsed.magnitude > (UINT64_MAX - digit) / 10) {
            return false;
        }
        parsed.magnitude = parsed.magnitude * 10 + digit;
    }
    // Minus zero is a number of its own, which is no integer.
    if (parsed.negative && (parsed.magnitude == 0 || parsed.magnitude > (uint64_t)INT64_MAX + 1)) {
        return false;
    }
    *out = parsed;
    return true;
}

static char *integer_sum(integer a, integer b) {
    if (a.negative != b.negative) {
        bool a_larger = a.magnitude >= b.magnitude;
        uint64_t difference = a_larger ? a.magnitude - b.magnitude : b.magnitude - a.magnitude;
        bool negative = (a_larger ? a : b).negative && difference != 0;
        return text_format("%s%llu", negative ? "-" : "", (unsigned long long)difference);
    }
    // The sum may need 65 bits, hence two parts.
    const uint64_t part = 1000000000000000000U;
    uint64_t low = a.magnitude % part + b.magnitude % part;
    uint64_t high = a.magnitude / part + b.magnitude / part + low / part;
    const char *sign = a.negative ? "-" : "";
    if (high == 0) {
        return text_format("%s%llu", sign, (unsigned long long)low);
    }
    return text_format("%s%llu%018llu", sign, (unsigned long long)high, (unsigned long long)(low % part));
}

// The fewest digits that read back as the same number, without an exponent.
static char *decimal(double number) {
    char digits[40];
    for (int precision = 0; precision < 17; precision++) {
        snprintf(digits, sizeof(digits), "%.*e", precision, fabs(number));
        if (strtod(digits, NULL) == fabs(number)) {
            break;
        }
    }
    char *end = strchr(digits, 'e');
    int exponent = atoi(end + 1);
    *end = '\0';
    if (digits[1] == '.') {
        memmove(digits + 1, digits + 2, strlen(digits + 2) + 1);
    }
    const char *sign = signbit(number) ? "-" : "";
    int count = (int)strlen(digits);
    // As many as the smallest and the largest number need.
    char zeros[330];
    memset(zeros, '0', sizeof(zeros));
    if (exponent < 0) {
        return text_format("%s0.%.*s%s", sign, -exponent - 1, zeros, digits);
    }
    if (count <= exponent + 1) {
        return text_format("%s%s%.*s", sign, digits, exponent + 1 - count, zeros);
    }
    return text_format("%s%.*s.%s", sign, exponent + 1, digits, digits + exponent + 1);
}

char *sum_of(mcp_str a, mcp_str b) {
    integer whole_a, whole_b;
    if (integer_parse(a, &whole_a) && integer_parse(b, &whole_b)) {
        return integer_sum(whole_a, whole_b);
    }
    double double_a, double_b;
    if (!mcp_json_get_double(a, &double_a) || !mcp_json_get_double(b, &double_b) || !isfinite(double_a + double_b)) {
        return NULL;
    }
    return decimal(double_a + double_b);
}
