import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
from drive import Http, expect, expect_in

with Http([sys.argv[1]]) as client:
    expect_in("pesto", client.result("resources/read", {"uri": "recipe:///"})["contents"][0]["text"])
    recipe = client.result("resources/read", {"uri": "recipe:///pesto"})
    expect_in("basil", recipe["contents"][0]["text"])
    expect((recipe["ttlMs"], recipe["cacheScope"]), (60000, "public"))
    expect(client.error("resources/read", {"uri": "recipe:///soap"})["code"], -32602)
    expect(len(client.result("resources/templates/list")["resourceTemplates"]), 1)

    prompt = client.result("prompts/get", {"name": "cook", "arguments": {"recipe": "pasta"}})
    expect_in("pasta", prompt["messages"][0]["content"]["text"])
    expect(client.error("prompts/get", {"name": "cook"})["code"], -32602)

    for reference in [{"type": "ref/prompt", "name": "cook"}, {"type": "ref/resource", "uri": "recipe:///{name}"}]:
        argument = {"name": "recipe" if "name" in reference else "name", "value": "p"}
        completed = client.result("completion/complete", {"ref": reference, "argument": argument})
        expect(completed["completion"]["values"], ["pancakes", "pasta", "pesto"])
