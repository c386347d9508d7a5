import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
from drive import expect, expect_in, serve_http, stdio

for arguments in [[], ["--pool"], ["--extra-tools", "3"]]:
    with stdio(sys.argv[1], *arguments) as client:
        names = [tool["name"] for tool in client.result("tools/list")["tools"]]
        expect(names[0], "echo")
        expect(len(names), 4 if "--extra-tools" in arguments else 1)
        expect(client.text("echo", {"text": "héllo\n\0"}), "héllo\n\0")
        expect_in('"text"', client.call("echo")["content"][0]["text"], "what is missing is named")

with serve_http(sys.argv[1]) as client:
    expect(client.text("echo", {"text": "x" * 100_000}), "x" * 100_000)

with stdio(sys.argv[1]) as client:
    client.leave()
