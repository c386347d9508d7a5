#include "numbers.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace everything {

namespace {

// The sum may need 65 bits.
std::string WholeSum(std::int64_t a, std::int64_t b) {
    if (a >= 0 && b >= 0) {
        return std::to_string(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    }
    if (a < 0 && b < 0) {
        const std::uint64_t magnitude = 0 - static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
        // Only twice the least number comes out as zero.
        return magnitude == 0 ? "-18446744073709551616" : "-" + std::to_string(magnitude);
    }
    return std::to_string(a + b);
}

// The fewest digits that read back as the same number, without an exponent.
std::string Decimal(double number) {
    char buffer[64];
    const auto [end, error] =
        std::to_chars(buffer, buffer + sizeof(buffer), std::fabs(number), std::chars_format::scientific);
    const std::string text(buffer, error == std::errc() ? end : buffer);
    const std::size_t e = text.find('e');
    std::string digits = text.substr(0, 1) + (e > 2 ? text.substr(2, e - 2) : "");
    const int exponent = std::stoi(text.substr(e + 1));
    if (exponent < 0) {
        digits = "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    } else {
        const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
        if (digits.size() <= whole) {
            digits.append(whole - digits.size(), '0');
        } else {
            digits.insert(whole, ".");
        }
    }
    return (std::signbit(number) ? "-" : "") + digits;
}

double ToDouble(const mcp::JsonValue& number) {
    return number.IsInt() ? static_cast<double>(number.GetInt()) : number.GetDouble();
}

}  // namespace

std::optional<std::string> SumOf(const mcp::JsonValue& a, const mcp::JsonValue& b) {
    if (a.IsInt() && b.IsInt()) {
        return WholeSum(a.GetInt(), b.GetInt());
    }
    const double sum = ToDouble(a) + ToDouble(b);
    if (!std::isfinite(sum)) {
        return std::nullopt;
    }
    return Decimal(sum);
}

}  // namespace everything
