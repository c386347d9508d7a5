// The weather, made up: the same for a place and a day every time.
#pragma once

#include <string>

namespace weather {

struct Weather {
    std::string conditions;
    // Degrees Celsius.
    double temperature;
    // Percent.
    int humidity;
    // Kilometres an hour.
    int wind;
};

// Days count from today, which is 0.
Weather At(const std::string& location, int day);

double ToFahrenheit(double celsius);

}  // namespace weather
