import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
from drive import expect, stdio

with stdio(sys.argv[1]) as client:
    expect(client.text("echo", {"text": "  a b  "}), "a b")
    expect(client.text("echo", {"text": "   "}), "")
    expect("error" in client.request("resources/list"), True, "blocked")
    expect(client.result("resources/read", {"uri": "note://1"})["contents"][0]["uri"], "note://1")
    expect(client.text("counts"), "4 requests, 1 errors")
