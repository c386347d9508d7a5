import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
import threading

from drive import expect, meta, serve_http, stdio

with stdio(sys.argv[1]) as client:
    expect(client.text("measure", {"samples": 10}), "measured 55")
    refused = client.call("measure", {"samples": 13})
    expect((refused["isError"], refused["content"][0]["text"]), (True, "The device refuses 13 samples."))

    notifications = []
    params = {"name": "measure", "arguments": {"samples": 3}, "_meta": {**meta(), "progressToken": "p"}}
    client.send(client.message("tools/call", params), notifications)
    expect([note["params"]["progress"] for note in notifications], [1, 2, 3])

with serve_http(sys.argv[1]) as client:
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(client.text("measure", {"samples": 1000}))) for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(results, ["measured 500500"] * 20)
