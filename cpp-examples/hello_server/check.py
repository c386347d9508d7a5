import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
from drive import expect, stdio

with stdio(sys.argv[1]) as client:
    expect(client.text("hello"), "Hello!")
    client.leave()
