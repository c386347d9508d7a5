import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
from drive import expect, expect_in, serve_http, stdio

for start in [stdio, serve_http]:
    with start(sys.argv[1]) as client:
        weather = client.call("get_weather", {"location": "Zürich"})
        expect_in("Zürich", weather["content"][0]["text"])
        expect(weather["structuredContent"]["location"], "Zürich")
        celsius = weather["structuredContent"]["temperature"]
        units = {"location": "Zürich", "units": "fahrenheit"}
        fahrenheit = client.call("get_weather", units)["structuredContent"]["temperature"]
        expect(fahrenheit, round(celsius * 9 / 5 + 32, 1))

        forecast = client.call("get_forecast", {"location": "Oslo", "days": 3})
        expect([day["day"] for day in forecast["structuredContent"]["days"]], [1, 2, 3])

        for wrong in [{}, {"location": 5}, {"location": " "}, {"location": "Oslo", "units": "kelvin"}]:
            expect(client.call("get_weather", wrong)["isError"], True, wrong)
        expect(client.call("get_forecast", {"location": "Oslo", "days": 15})["isError"], True)
