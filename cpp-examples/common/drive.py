"""Starts an example program and talks to it, on stdio or HTTP. For the checks of the examples; needs Python 3 only.

A check is a script that gets the path of the program: `serve(...)` gives a client, which is a context manager. At its end
the program is asked to end, and must do so with exit code 0.
"""

import http.client
import json
import os
import queue
import signal
import subprocess
import threading

PATIENCE = 60
MODERN = "2026-07-28"
LEGACY = "2025-11-25"


class Failed(Exception):
    """The program did not do what it should."""


def expect(got, wanted, what=""):
    if got != wanted:
        raise Failed(f"{what}: expected {wanted!r}, got {got!r}")


def expect_in(part, whole, what=""):
    if part not in whole:
        raise Failed(f"{what}: expected {part!r} in {whole!r}")


def meta(capabilities=None):
    prefix = "io.modelcontextprotocol/"
    return {
        prefix + "protocolVersion": MODERN,
        prefix + "clientInfo": {"name": "drive", "version": "1"},
        prefix + "clientCapabilities": capabilities or {},
    }


class Program:
    """A running program, and what its clients have in common."""

    def __init__(self, command, **pipes):
        self.last_id = 0
        self.errors = []
        self.said = queue.Queue()
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, **pipes)
        self.reader = threading.Thread(target=self._read_errors, daemon=True)
        self.reader.start()

    def _read_errors(self):
        for line in self.process.stderr:
            text = line.decode(errors="replace").rstrip("\n")
            self.errors.append(text)
            self.said.put(text)
        self.said.put(None)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self.process.kill()
            self.process.wait()
            print("\n".join(self.errors))
            return
        self.end()

    def end(self, number=signal.SIGTERM):
        """Asks the program to end, which must succeed."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failed("the program did not end") from None
        self.reader.join(PATIENCE)
        expect(code, 0, "exit code, after " + repr(self.errors[-5:]))

    def message(self, method, params):
        self.last_id += 1
        return {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}

    def request(self, method, params=None, capabilities=None):
        """The whole answer to a request of the newest revision."""
        return self.send(self.message(method, {**(params or {}), "_meta": meta(capabilities)}))

    def result(self, method, params=None, capabilities=None):
        answer = self.request(method, params, capabilities)
        if "result" not in answer:
            raise Failed(f"{method} {params}: {answer}")
        return answer["result"]

    def error(self, method, params=None, capabilities=None):
        answer = self.request(method, params, capabilities)
        if "error" not in answer:
            raise Failed(f"{method} {params}: no error but {answer}")
        return answer["error"]

    def call(self, tool, arguments=None, capabilities=None, **more):
        """The result of a call to a tool."""
        return self.result("tools/call", {"name": tool, "arguments": arguments or {}, **more}, capabilities)

    def retry(self, asked, tool, arguments, answers, capabilities):
        """The result of a call to a tool that brings the answers to what was asked."""
        state = {"requestState": asked["requestState"]} if "requestState" in asked else {}
        return self.call(tool, arguments, capabilities, inputResponses=answers, **state)

    def text(self, tool, arguments=None, **more):
        """The text of a tool that succeeds."""
        result = self.call(tool, arguments, **more)
        expect(result.get("isError", False), False, result)
        return result["content"][0]["text"]


class Stdio(Program):
    def __init__(self, command):
        super().__init__(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self._read_lines, daemon=True).start()

    def _read_lines(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def write(self, message):
        self.process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
        self.process.stdin.flush()

    def read(self):
        line = self.lines.get(timeout=PATIENCE)
        if line is None:
            raise Failed("the program has closed its standard output")
        return json.loads(line)

    def send(self, message, notifications=None):
        self.write(message)
        while True:
            answer = self.read()
            if answer.get("id") == message["id"] and "method" not in answer:
                return answer
            if notifications is not None:
                notifications.append(answer)

    def leave(self):
        """Closes the program's standard input, as a client does that leaves."""
        self.process.stdin.close()
        expect(self.process.wait(PATIENCE), 0, "exit code after the client left")


class Http(Program):
    def __init__(self, command):
        super().__init__([*command, "--http", "127.0.0.1:0"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        while True:
            line = self.said.get(timeout=PATIENCE)
            if line is None:
                raise Failed(f"the program ended before it listened: {self.errors}")
            if "listening on http://" in line:
                break
        self.host, _, self.path = line.split("http://", 1)[1].partition("/")

    def post(self, message, headers=None):
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        params = message.get("params", {})
        sent = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": MODERN,
            "Mcp-Method": message["method"],
        }
        if "name" in params or "uri" in params:
            sent["Mcp-Name"] = params.get("name", params.get("uri"))
        sent.update(headers or {})
        try:
            connection.request("POST", "/" + self.path, json.dumps(message), sent)
            response = connection.getresponse()
            return response, response.read().decode()
        finally:
            connection.close()

    def send(self, message, headers=None, notifications=None):
        response, body = self.post(message, headers)
        if "text/event-stream" in response.getheader("Content-Type", ""):
            messages = [json.loads(line[5:]) for line in body.splitlines() if line.startswith("data:") and line[5:].strip()]
        else:
            messages = [json.loads(body)]
        for answer in messages:
            if answer.get("id") == message["id"] and "method" not in answer:
                return answer
            if notifications is not None:
                notifications.append(answer)
        raise Failed(f"no answer to {message}: {response.status} {body}")


def stdio(program, *arguments):
    return Stdio([os.path.abspath(program), *arguments])


def serve_http(program, *arguments):
    return Http([os.path.abspath(program), *arguments])
