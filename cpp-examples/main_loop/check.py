import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
from drive import expect, serve_http, stdio

for flags in [[], ["--poll"]]:
    for start in [stdio, serve_http]:
        with start(sys.argv[1], *flags) as client:
            expect(client.text("append", {"text": "one"}), "one")
            expect(client.text("append", {"text": " two"}), "one two")

    with stdio(sys.argv[1], *flags) as client:
        expect(client.text("append", {"text": "x"}), "x")
        client.leave()
