#include "weather.hpp"

#include <cmath>
#include <cstdint>

namespace weather {

namespace {

// FNV-1a: the same on every machine.
std::uint32_t Hash(const std::string& text, std::uint32_t seed) {
    std::uint32_t hash = 2166136261U ^ seed;
    for (const char character : text) {
        hash = (hash ^ static_cast<unsigned char>(character)) * 16777619U;
    }
    return hash ^ (hash >> 15);
}

}  // namespace

Weather At(const std::string& location, int day) {
    static const char* const kConditions[] = {"sunny", "partly cloudy", "cloudy", "light rain", "thunderstorms", "fog"};
    // A place has a climate, and each day differs from it a little.
    const std::uint32_t climate = Hash(location, 0);
    const std::uint32_t today = Hash(location, static_cast<std::uint32_t>(day) + 1);
    Weather weather;
    weather.conditions = kConditions[today % 6];
    weather.temperature = static_cast<int>(climate % 25) + static_cast<int>(today / 7 % 70) / 10.0;
    weather.humidity = 35 + static_cast<int>(today / 11 % 60);
    weather.wind = 2 + static_cast<int>(today / 13 % 35);
    return weather;
}

double ToFahrenheit(double celsius) { return std::round((celsius * 9 / 5 + 32) * 10) / 10; }

}  // namespace weather
