import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
from drive import LEGACY, expect, stdio

FORMS = {"elicitation": {"form": {}}}


def accepted(**content):
    return {"action": "accept", "content": content}


def ask(client, tool, arguments, *rounds):
    """Answers the questions of a tool with retries; the last result."""
    result = client.call(tool, arguments, FORMS)
    for answers in rounds:
        expect(result["resultType"], "input_required")
        expect(set(result["inputRequests"]), set(answers))
        result = client.retry(result, tool, arguments, answers, FORMS)
    return result


with stdio(sys.argv[1]) as client:
    greeted = ask(client, "greet", {}, {"name": accepted(name="Ann")}, {"town": accepted(town="Ulm")})
    expect(greeted["content"][0]["text"], "Hello Ann from Ulm!")
    expect(ask(client, "greet", {}, {"name": {"action": "decline"}})["isError"], True)

    target = {"target": "moon"}
    deployed = ask(client, "deploy", target, {"confirm": accepted(target="moon")})
    expect(deployed["content"][0]["text"], "deployed to moon")
    expect(ask(client, "deploy", target, {"confirm": accepted(target="mars")})["isError"], True)

    asked = client.call("deploy", target, FORMS)
    forged = {"inputResponses": {"confirm": accepted(target="x")}, "requestState": asked["requestState"][:-2] + "AA"}
    error = client.error("tools/call", {"name": "deploy", "arguments": target, **forged}, FORMS)
    expect((error["code"], error["data"]["reason"]), (-32602, "invalid_request_state"))
    expect(client.error("tools/call", {"name": "greet"})["code"], -32021, "a client that can't be asked")

with stdio(sys.argv[1]) as client:
    hello = {"protocolVersion": LEGACY, "capabilities": {"elicitation": {}}, "clientInfo": {"name": "d", "version": "1"}}
    client.send(client.message("initialize", hello))
    client.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
    for tool, answers, text in [
        ("greet", [{"name": "Bob"}, {"town": "Rom"}], "Hello Bob from Rom!"),
        ("deploy", [{"target": "moon"}], "deployed to moon"),
        ("ask_now", [{"word": "yes"}], "The word is yes."),
    ]:
        client.write(client.message("tools/call", {"name": tool, "arguments": {"target": "moon"}}))
        for answer in answers:
            question = client.read()
            expect(question["method"], "elicitation/create")
            client.write({"jsonrpc": "2.0", "id": question["id"], "result": accepted(**answer)})
        expect(client.read()["result"]["content"][0]["text"], text)
