#include "utf8.hpp"

#include <cstddef>

namespace everything {

namespace {

// How a sequence that begins with this byte goes on: its length, and the range of its second byte, which excludes long
// forms, surrogates and what is beyond Unicode. Length 0: no sequence begins so.
struct Form {
    std::size_t length;
    unsigned char low;
    unsigned char high;
};

Form FormOf(unsigned char first) {
    if (first < 0x80) {
        return {1, 0, 0};
    }
    if (first >= 0xC2 && first <= 0xDF) {
        return {2, 0x80, 0xBF};
    }
    if (first >= 0xE0 && first <= 0xEF) {
        return {3, static_cast<unsigned char>(first == 0xE0 ? 0xA0 : 0x80),
                static_cast<unsigned char>(first == 0xED ? 0x9F : 0xBF)};
    }
    if (first >= 0xF0 && first <= 0xF4) {
        return {4, static_cast<unsigned char>(first == 0xF0 ? 0x90 : 0x80),
                static_cast<unsigned char>(first == 0xF4 ? 0x8F : 0xBF)};
    }
    return {0, 0, 0};
}

}  // namespace

std::string TextFromBytes(const std::string& bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size();) {
        const Form form = FormOf(static_cast<unsigned char>(bytes[at]));
        std::size_t length = 1;
        while (length < form.length && at + length < bytes.size()) {
            const auto byte = static_cast<unsigned char>(bytes[at + length]);
            if (byte < (length == 1 ? form.low : 0x80) || byte > (length == 1 ? form.high : 0xBF)) {
                break;
            }
            ++length;
        }
        text += length == form.length ? bytes.substr(at, length) : "\xEF\xBF\xBD";
        at += length;
    }
    return text;
}

}  // namespace everything
