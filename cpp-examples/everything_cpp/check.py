import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
from drive import LEGACY, expect, expect_in, serve_http, stdio

ANSWERS = {"elicitation": {}, "sampling": {}, "roots": {}}


def accepted(**content):
    return {"action": "accept", "content": content}


def basics(client):
    expect(client.text("add", {"a": 2**63 - 1, "b": 2**63 - 1}), "18446744073709551614")
    expect(client.text("add", {"a": 0.1, "b": 0.2}), "0.30000000000000004")
    expect(client.text("bytes", {"hex": "61ff62e282"}), "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}")
    expect(client.text("sleep", {"ms": 1}), "slept 1 ms")
    expect(client.call("echo_int", {"id": 9007199254740993})["structuredContent"], {"id": 9007199254740993})
    crash = client.call("boom", {"text": "a secret"})
    expect(crash["isError"], True)
    if "a secret" in str(crash):
        raise AssertionError(f"the client sees what the host's exception says: {crash}")


def answers(client):
    """A question is answered with a retry, which may take several rounds."""
    asked = client.call("ask_twice", capabilities=ANSWERS)
    for response in [{"name": accepted(name="Ann")}, {"color": accepted(color="red")}]:
        expect(asked["resultType"], "input_required")
        asked = client.retry(asked, "ask_twice", {}, response, ANSWERS)
    expect(asked["content"][0]["text"], "Ann likes red.")

    prompt = {"name": "test_input_required_result_prompt"}
    asked = client.result("prompts/get", prompt, ANSWERS)
    expect(list(asked["inputRequests"]), ["user_context"])
    answer = {"inputResponses": {"user_context": accepted(context="none")}}
    told = client.result("prompts/get", {**prompt, **answer}, ANSWERS)
    expect(told["messages"][0]["content"]["text"], "Use this context: none")


def changes(client):
    expect(client.text("add_tool", {"name": "extra"}), "added extra")
    expect(client.text("extra"), "This is extra.")
    expect(client.text("remove_tool", {"name": "extra"}), "removed extra")
    expect(client.error("tools/call", {"name": "extra"})["code"], -32602)


def offers(client):
    read = client.result("resources/read", {"uri": "test://template/a%20b/data"})
    expect_in('"id":"a b"', read["contents"][0]["text"])
    reference = {"ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"}}
    completed = client.result("completion/complete", {**reference, "argument": {"name": "arg1", "value": "te"}})
    expect(completed["completion"]["values"], ["test1", "test2"])


def legacy(client):
    """A client with a handshake is asked with a request of the server's."""
    hello = {"protocolVersion": LEGACY, "capabilities": ANSWERS, "clientInfo": {"name": "drive", "version": "1"}}
    expect(client.send(client.message("initialize", hello))["result"]["protocolVersion"], LEGACY)
    client.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
    call = client.message("tools/call", {"name": "ask_name", "arguments": {}})
    client.write(call)
    question = client.read()
    expect(question["method"], "elicitation/create")
    client.write({"jsonrpc": "2.0", "id": question["id"], "result": accepted(name="Bob")})
    expect(client.read()["result"]["content"][0]["text"], "Hello, Bob!")


for start in [stdio, serve_http]:
    with start(sys.argv[1], "--request-state-key", "a key of thirty-two bytes or more") as everything:
        for check in [basics, answers, changes, offers]:
            check(everything)

with stdio(sys.argv[1]) as everything:
    expect(everything.text("print", {"text": "not for the client"}), "printed; a child read 0 bytes")
    legacy(everything)
