"""`flux-inspect mcp --attach` with the official SDK, on an example app that runs."""

import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

import server
from test_agent import READING, REPLAYING, exact

RUNNING = ["app_state", "app_dispatch", "app_show", "app_restore"]


class RunningApp:
    """TodoMVC in a process of its own, which records into a temporary folder."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.log = pathlib.Path(self.folder.name) / "todo.jsonl"
        # The app is listed where no other test sees it.
        self.environment = {"XDG_RUNTIME_DIR": self.folder.name}
        self.process = subprocess.Popen(
            [server.BUILD / "todomvc-example", "--record", self.log], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, env=os.environ | self.environment)
        self.type("add milk")
        self.wait(2)
        return self

    def client(self, mode="auto"):
        """A client of a server that is attached to the app."""
        return server.client(
            "--attach", str(self.process.pid), mode=mode, logs=[self.folder.name], environment=self.environment)

    def type(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def wait(self, step):
        """Waits until the log has a step."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if self.log.exists() and f'"n":{step},' in self.log.read_text():
                return
            time.sleep(0.02)
        raise AssertionError(f"the app recorded no step {step}")

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        finally:
            self.process.kill()
            self.folder.cleanup()


class RunningAppTests(unittest.IsolatedAsyncioTestCase):
    async def ask(self, client, tool, **arguments):
        return exact(await client.call_tool(tool, arguments))

    async def titles(self, client):
        found = await self.ask(client, "app_state", path="todos.items[*].title")
        return [node["value"] for node in found["value"]]

    async def test_every_tool_in_every_era(self):
        for era in server.ERAS:
            with RunningApp() as app:
                async with app.client(mode=era) as client:
                    await self.every_tool(client, app)

    async def every_tool(self, client, app):
        tools = (await client.list_tools()).tools
        self.assertEqual([tool.name for tool in tools], READING + REPLAYING + RUNNING)
        hints = {tool.name: tool.annotations for tool in tools}
        self.assertTrue(hints["app_state"].read_only_hint)
        self.assertTrue(hints["app_restore"].destructive_hint)
        self.assertFalse(hints["app_dispatch"].destructive_hint)

        state = await self.ask(client, "app_state")
        self.assertEqual((os.path.basename(state["log"]), state["n"], state["app"]), ("todo.jsonl", 2, "live"))
        self.assertEqual(await self.titles(client), ["milk"])

        made = await self.ask(client, "app_dispatch", action={"type": "todo/add", "payload": {"title": "jam"}})
        self.assertEqual(made["result"]["steps"][0]["type"], "todo/add")
        app.wait(4)
        self.assertEqual(await self.titles(client), ["milk", "jam"])

        shown = await self.ask(client, "app_show", n=1)
        self.assertEqual(shown["result"]["app"], "showing")
        self.assertEqual((await self.ask(client, "app_state", path="todos.filter"))["app"], "showing")
        self.assertEqual((await self.ask(client, "app_show"))["result"]["app"], "live")

        await self.ask(client, "app_restore", n=2)
        self.assertEqual(await self.titles(client), ["milk"])
        self.assertEqual((await self.ask(client, "app_state", path="todos.filter"))["n"], 2)
        await self.ask(client, "app_dispatch", action={"type": "todo/add", "payload": {"title": "bread"}})
        app.wait(6)
        self.assertEqual(await self.titles(client), ["milk", "bread"])
        self.assertEqual((await self.ask(client, "state", log="todo.jsonl", n=4, path="length(todos.items)"))["value"], 2)

        report = (await self.ask(client, "verify", log="todo.jsonl"))["reports"][0]
        self.assertEqual(report["verdict"], "passed", json.dumps(report))
        again = await self.ask(client, "what_if", log="todo.jsonl", **{"from": 1, "to": 2, "skip": [1]})
        self.assertFalse(again["same"])

        refused = await client.call_tool("app_dispatch", {"action": {"type": "todo/none"}})
        self.assertTrue(refused.is_error)

    async def test_an_app_that_ends(self):
        with RunningApp() as app:
            async with app.client() as client:
                self.assertEqual(await self.titles(client), ["milk"])
                app.process.stdin.close()
                app.process.wait(timeout=10)
                gone = await client.call_tool("app_state", {})
                self.assertTrue(gone.is_error)
                # The log stays readable.
                self.assertGreaterEqual((await self.ask(client, "overview", log="todo.jsonl"))["info"]["steps"], 2)
                app.process.stdin = open(os.devnull, "wb")


if __name__ == "__main__":
    unittest.main()
