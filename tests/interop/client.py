"""The official Python client against a server: each check once per era and transport.

usage: client.py --stdio PROGRAM --http URL

Prints one line a check and ends with code 1 at the first that fails.
"""

import argparse
import asyncio
import sys
from typing import Any

import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters

LEGACY = "2025-11-25"
MODERN = "2026-07-28"
# Seconds for one leg; a client that waits forever is a failure as well.
PATIENCE = 60


class Failed(Exception):
    """A check did not hold."""


class Leg:
    """One client, connected over one transport in one era."""

    def __init__(self, name: str, server: Any, mode: str, version: str) -> None:
        self.name = name
        self.version = version
        self.questions: list[str] = []
        self.tools_changed = asyncio.Event()
        self.client = Client(
            server,
            mode=mode,
            read_timeout_seconds=20,
            elicitation_callback=self.answer,
            message_handler=self.on_message,
            client_info=types.Implementation(name="libmcp-interop", version="1.0.0"),
        )

    async def answer(self, context: Any, params: Any) -> types.ElicitResult:
        """Fills the form: every text field gets a name."""
        self.questions.append(params.message)
        schema = params.requested_schema
        schema = schema if isinstance(schema, dict) else schema.model_dump(by_alias=True)
        content = {name: "Ada" for name in schema.get("properties", {})}
        return types.ElicitResult(action="accept", content=content)

    async def on_message(self, message: Any) -> None:
        if isinstance(getattr(message, "root", message), types.ToolListChangedNotification):
            self.tools_changed.set()

    def check(self, what: str, holds: bool, seen: Any = None) -> None:
        print(f"{'ok  ' if holds else 'FAIL'} python {self.name}: {what}")
        if not holds:
            raise Failed(f"{what}; seen: {seen!r}")

    async def call(self, tool: str, arguments: dict[str, Any] | None = None, **options: Any) -> types.CallToolResult:
        return await self.client.call_tool(tool, arguments or {}, **options)

    async def run(self) -> None:
        async with self.client:
            seen = self.client.protocol_version
            self.check(f"speaks {self.version}", seen == self.version, seen)
            await self.lists()
            await self.tools()
            await self.errors()
            await self.progress()
            await self.elicitation()
            await self.changes()

    async def lists(self) -> None:
        tools = {tool.name for tool in (await self.client.list_tools()).tools}
        wanted = {"echo", "add", "progress", "ask_name", "ask_twice", "notify", "test_simple_text"}
        self.check("lists the tools", wanted <= tools, wanted - tools)
        resources = {str(resource.uri) for resource in (await self.client.list_resources()).resources}
        self.check("lists the resources", "test://static-text" in resources, resources)
        contents = (await self.client.read_resource("test://static-text")).contents
        self.check("reads a resource", len(contents) == 1 and bool(contents[0].text), contents)
        prompts = {prompt.name for prompt in (await self.client.list_prompts()).prompts}
        self.check("lists the prompts", "test_simple_prompt" in prompts, prompts)
        messages = (await self.client.get_prompt("test_simple_prompt")).messages
        self.check("gets a prompt", len(messages) >= 1 and bool(messages[0].content.text), messages)

    async def tools(self) -> None:
        text = "Grüße, 世界 \U0001f600 \" \\ \n end"
        seen = text_of(await self.call("echo", {"text": text}))
        self.check("echo keeps the text", seen == text, seen)
        large = "x" * 200_000
        self.check("echo keeps a large text", text_of(await self.call("echo", {"text": large})) == large)
        seen = text_of(await self.call("add", {"a": 2, "b": 3}))
        self.check("add adds", "5" in seen, seen)
        many = await asyncio.gather(*(self.call("echo", {"text": str(number)}) for number in range(20)))
        seen = [text_of(result) for result in many]
        self.check("20 calls at once each get their own answer", seen == [str(number) for number in range(20)], seen)

    async def errors(self) -> None:
        try:
            await self.call("no_such_tool")
        except MCPError as error:
            self.check("an unknown tool is invalid params", error.error.code == -32602, error)
        else:
            self.check("an unknown tool is invalid params", False, "a result")
        result = await self.call("echo", {"text": 5})
        self.check("wrong arguments are a tool error", result.is_error is True, result)
        result = await self.call("boom", {"text": "secret detail"})
        self.check("a crashing tool is a tool error", result.is_error is True, result)
        self.check("the server lives on", text_of(await self.call("echo", {"text": "alive"})) == "alive")

    async def progress(self) -> None:
        seen: list[float] = []

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            seen.append(progress)

        await self.call("progress", {"n": 3}, progress_callback=on_progress)
        # A notification is handed over by its own task, perhaps after the result.
        for _ in range(100):
            if len(seen) == 3:
                break
            await asyncio.sleep(0.02)
        self.check("3 progress notifications", len(seen) == 3 and seen == sorted(seen), seen)

    async def elicitation(self) -> None:
        seen = text_of(await self.call("ask_name"))
        self.check("ask_name asks and greets", "Ada" in seen and len(self.questions) == 1, (seen, self.questions))
        self.questions.clear()
        seen = text_of(await self.call("ask_twice"))
        self.check("ask_twice asks two times", "Ada" in seen and len(self.questions) == 2, (seen, self.questions))

    async def changes(self) -> None:
        what = "a change of the tools is announced"
        if self.version == MODERN:
            async with self.client.listen(tools_list_changed=True) as subscription:
                await self.call("notify", {"kind": "tools"})
                event = await asyncio.wait_for(anext(aiter(subscription)), 10)
                self.check(what, type(event).__name__ == "ToolsListChanged", event)
            return
        # Over HTTP the client opens its stream for such messages in its own time.
        for _ in range(50):
            await self.call("notify", {"kind": "tools"})
            try:
                await asyncio.wait_for(self.tools_changed.wait(), 0.2)
                break
            except asyncio.TimeoutError:
                continue
        self.check(what, self.tools_changed.is_set())


def text_of(result: types.CallToolResult) -> str:
    return "".join(block.text for block in result.content if block.type == "text")


async def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--stdio", required=True, metavar="PROGRAM")
    parser.add_argument("--http", required=True, metavar="URL")
    options = parser.parse_args()
    servers = [("stdio", StdioServerParameters(command=options.stdio, args=["--stdio"])), ("http", options.http)]
    # `auto` asks first with server/discover, as a client does that does not know the server.
    modes = [("legacy", LEGACY), (MODERN, MODERN), ("auto", MODERN)]
    count = 0
    for transport, server in servers:
        for mode, version in modes:
            name = f"{transport} {mode}"
            try:
                await asyncio.wait_for(Leg(name, server, mode, version).run(), PATIENCE)
            except BaseException as error:
                print(f"FAIL python {name}: {describe(error)}")
                return 1
            count += 1
    print(f"python: {count} legs passed")
    return 0


def describe(error: BaseException) -> str:
    """The first error in the groups that the client's task groups make."""
    while getattr(error, "exceptions", None):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
